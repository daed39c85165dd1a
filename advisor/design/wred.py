"""`advisor design wred`: requirements of a class to settings that are proven like a remedy."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.proof import ProvenLines, UnprovenDesignError, prove_lines
from advisor.design.wred_plan import (
    CLASS,
    POLICY,
    DesignRow,
    WredDemand,
    WredPlan,
    attachment,
    delay_ms,
    lines_of,
    max_threshold_packets,
    plans,
    trial_config,
)
from advisor.design.wred_shares import (
    ROUNDS,
    Poor,
    Share,
    WhatIf,
    forecast,
    inputs_of,
    notes_of,
    poor_of,
    refined,
    sensitivity,
    shares_of,
    slack,
    unmet_of,
)
from advisor.device.device import Device
from advisor.device.reading import Source, read_source
from advisor.ground.quantity import Input
from advisor.ground.records import picked
from advisor.lint.cards import Rule
from advisor.settings import PacketShare, Settings, Traffic
from advisor.theory.wred import Regime, WredForecast

_OFF_TARGET = "wred-thresholds-off-target-delay"
_TINY = 1e-9


class WredDesign(Struct, frozen=True):
    """Settings, their effect, the lines and their proof.

    `unmet` are demands out of reach; `poor` are figures of the prediction beyond their limits.
    `max_delay_ms` is the queueing delay at the maximum threshold, `time_constant_ms` that of the
    average queue; `delay_ms` is the predicted mean time of all groups in the queue
    and on the wire.
    """

    generation: str
    release: str
    rows: tuple[DesignRow, ...]
    basis: str
    exponent: int
    queue_limit_packets: int | None
    max_delay_ms: float
    time_constant_ms: float
    delay_ms: float
    utilization_ratio: float
    shares: tuple[Share, ...]
    sensitivity: tuple[WhatIf, ...]
    regimes: tuple[Regime, ...]
    converged: bool
    notes: tuple[str, ...]
    unmet: tuple[str, ...]
    poor: tuple[Poor, ...]
    inputs: tuple[Input, ...]
    lines: tuple[str, ...]
    rollback: tuple[str, ...]
    proof: tuple[str, ...]


def design_wred(demand: WredDemand, rules: Sequence[Rule], settings: Settings) -> WredDesign:
    """Design a class with WRED.

    Parameters
    ----------
    demand : WredDemand
        Rate, target delay, packet, groups with flows and floors.
    rules : sequence of Rule
        The catalogue that the lines must be clean of.
    settings : Settings
        Settings in force; the packet of the class is added to their traffic.

    Raises
    ------
    UnprovenDesignError
        If IOS would refuse a line, a rule finds a fault, the prediction from the lines
        differs from that of the plan, or the rollback does not restore.

    Notes
    -----
    Maximum threshold = target x U, minimum a third, 2^n packets one to two round trips: Test of
    WRED for Bottleneck Link, CSELT and INFN/CNAF, 2000; fewer packets if the flows would then
    synchronize. The denominators are the mildest that keep every floor with the low end of the
    prediction, else the nearest.
    """
    device = _trial_device(demand, settings)
    plan, prediction = _best(demand, list(plans(demand, device.platform)))
    lines = lines_of(demand, plan, device.platform)
    target_rules = [_for_target(rule, demand) for rule in rules]
    proof = prove_lines(device, lines, attachment(), target_rules)
    plan_read_back = _read_back(proof.device)
    second_prediction = forecast(
        demand, plan_read_back.rows, plan_read_back.exponent, plan_read_back.queue_limit_packets
    )
    if plan_read_back != plan or second_prediction != prediction:
        raise UnprovenDesignError("the lines, read back, differ from the design")
    return _design(demand, plan, prediction, lines, proof)


def _design(
    demand: WredDemand,
    plan: WredPlan,
    prediction: WredForecast,
    lines: tuple[str, ...],
    proof: ProvenLines,
) -> WredDesign:
    shares = shares_of(demand, prediction)
    top = max(row.max_threshold for row in plan.rows)
    carried = [group.packets_per_second for group in prediction.groups]
    delays = [group.mean_ms.estimate for group in prediction.groups]
    weighted_ms = sum(ms * rate for ms, rate in zip(delays, carried, strict=True))
    mean_ms = weighted_ms / max(sum(carried), _TINY)
    application, lint, rollback = proof.statements
    return picked(
        WredDesign,
        demand,
        plan,
        prediction,
        generation=proof.device.platform.generation,
        max_delay_ms=delay_ms(demand, top),
        time_constant_ms=delay_ms(demand, 2**plan.exponent),
        delay_ms=mean_ms,
        shares=shares,
        sensitivity=sensitivity(demand, plan.rows, plan.exponent, plan.queue_limit_packets),
        regimes=prediction.classes[0].regimes,
        notes=(*proof.remarks, *notes_of(demand, plan, shares, prediction)),
        unmet=tuple(unmet_of(demand, top, shares)),
        poor=tuple(poor_of(demand, plan, shares, prediction, mean_ms)),
        inputs=inputs_of(demand),
        lines=lines,
        rollback=proof.rollback,
        proof=(application, lint, "predicted: from the lines as read back", rollback),
    )


class _Tried(Struct, frozen=True):
    """A plan with its forecast, and the room of its shares over the floors, if any is stated."""

    plan: WredPlan
    prediction: WredForecast
    shares: tuple[Share, ...]

    @property
    def keeps_all(self) -> bool:
        least_slack = slack(self.shares, at_least=True)
        return least_slack is None or least_slack >= 0

    @property
    def room(self) -> float:
        room = slack(self.shares, at_least=False)
        return float("inf") if room is None else room


def _best(demand: WredDemand, candidates: Sequence[WredPlan]) -> tuple[WredPlan, WredForecast]:
    """The mildest plan that keeps every floor for certain, else the one with the most room.

    Where no candidate does, plans between them are tried, from the best one on.
    """
    exponent = _settled_exponent(demand, candidates[0])
    best: _Tried | None = None
    for candidate in candidates:
        attempt = _tried(demand, replace(candidate, exponent=exponent))
        if attempt.keeps_all:
            return attempt.plan, attempt.prediction
        if best is None or attempt.room > best.room:
            best = attempt
    if best is None:
        raise UnprovenDesignError("there is no candidate")
    last = best
    for _ in range(ROUNDS):
        plan = refined(demand, last.plan, last.shares)
        if plan is None:
            break
        last = _tried(demand, plan)
        best = max(best, last, key=lambda trial: (trial.keeps_all, trial.room))
        if best.keeps_all:
            break
    return best.plan, best.prediction


def _tried(demand: WredDemand, plan: WredPlan) -> _Tried:
    prediction = forecast(demand, plan.rows, plan.exponent, plan.queue_limit_packets)
    return _Tried(plan, prediction, shares_of(demand, prediction))


def _settled_exponent(demand: WredDemand, plan: WredPlan) -> int:
    """The plan's constant, or the largest below it that does not synchronize the flows."""
    for exponent in range(plan.exponent, 0, -1):
        prediction = forecast(demand, plan.rows, exponent, plan.queue_limit_packets)
        if Regime.COLLAPSE not in prediction.classes[0].regimes:
            return exponent
    return plan.exponent


def _trial_device(demand: WredDemand, settings: Settings) -> Device:
    sizes = (PacketShare(demand.packet_bytes, 1.0),)
    packet = Traffic("*", "*", CLASS, sizes, None, 1, "saturated", "--packet")
    stated = replace(settings, traffic=(packet,))
    return read_source(Source("design", trial_config(demand).encode()), stated).device


def _for_target(rule: Rule, demand: WredDemand) -> Rule:
    """The rules, with the requested (or nearest reachable) target in the rule on target delay."""
    if rule.card.check != _OFF_TARGET:
        return rule
    reached_ms = delay_ms(demand, max_threshold_packets(demand))
    return rule.with_params(target_ms=reached_ms)


def _read_back(device: Device) -> WredPlan:
    policy = device.facts.policy_map(POLICY)
    policy_class = (
        next((member for member in policy.classes if member.name == CLASS), None)
        if policy
        else None
    )
    if policy_class is None or policy_class.wred is None or policy_class.wred.exponent is None:
        raise UnprovenDesignError("the class is not in the lines")
    rows = tuple(
        DesignRow(
            row.code if row.code is not None else -1,
            int(row.min_threshold),
            int(row.max_threshold),
            row.mark_probability_denominator or 0,
        )
        for row in policy_class.wred.profiles
    )
    limit = policy_class.queue_limit
    packets = None if limit is None else limit.packets
    limit_packets = None if packets is None else int(packets)
    return WredPlan(rows, policy_class.wred.exponent.value, limit_packets)
