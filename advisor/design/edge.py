"""`advisor design edge`: requirements of a WAN link to lines that are proven and predicted."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_classes import Marking
from advisor.design.edge_demand import EdgeDemand, LinkLayer, inputs_of
from advisor.design.edge_drafts import (
    DesignLimits,
    EdgeDraft,
    RefusedDemandError,
    drafted,
    fragmented,
    limits_of,
    with_call_rate,
    with_calls,
    with_classes,
    with_ring,
)
from advisor.design.edge_forecast import (
    EdgeForecast,
    Held,
    HeldQueue,
    Voice,
    forecast_of,
    queued,
    voice_of,
)
from advisor.design.edge_lines import (
    EdgeLines,
    bare_place,
    device_on,
    first_lines,
    lines_of,
    trial_device,
)
from advisor.design.edge_losses import Loss, losses_of
from advisor.design.edge_names import names_for, unnamed, with_standing_names
from advisor.design.edge_on import (
    StandingPlace,
    at_port_speed,
    must_be_the_line,
    standing_of,
    within,
)
from advisor.design.edge_remarks import (
    FarEnd,
    differing,
    far_demand,
    of_rollback,
    of_wrapping,
    remarks,
)
from advisor.design.edge_target import layer_of
from advisor.design.proof import NoWayBackError, UnprovenDesignError, needed, prove_lines
from advisor.design.wred_plan import DemandError
from advisor.device.device import Device
from advisor.device.platforms import Strength
from advisor.device.reading import Source
from advisor.ground.quantity import Input, rate_text
from advisor.ground.records import picked
from advisor.ground.units import kbps_from_bps
from advisor.lint.cards import load_rules
from advisor.lint.findings import Severity
from advisor.lint.judge import judge, keys_of
from advisor.lint.sandbox import UnsafeValueError
from advisor.lint.trial import spelled
from advisor.outlet.wires import PORT_SPEEDS_BPS
from advisor.predict.what_if.prediction import Prediction
from advisor.predict.what_if.subject import LLQ_CLASS, offered_calls
from advisor.settings import PROFILES, Budgets, PacketShare, Settings

STRICT = "strict"  # the profile under which the lines give no warning
_FRAGMENTS_IN_RING = 2.1  # one beside a ring of 1, with headers: 21 ms of `strict` for 10 ms
_INPUT = "input"
_FIRST_KBPS = 8  # of the class of calls, before its rate is known
_FRAGMENT_SIZE = "fragment-wrong-size"  # the check of a size that the other end has
_WRED_TARGET = "wred-thresholds-off-target-delay"  # of a target that the budget of a queue is


class EdgeDesign(Struct, frozen=True, tag_field="outcome", tag="designed"):
    """One end of a link: its settings, their effect, the lines and their proof, and the far end.

    `suffix` ends the names of this end. `losses` are lines of the configuration that lose their
    effect. `queues` are the classes whose requirements state a delay.
    `held` are the budgets of the profile beside the predicted figures; all are met. Where
    `not_predicted` says why, there are none.
    """

    model: str | None
    platform: str
    release: str
    interface: str
    link_kbps: float
    ring: int | None
    fragment_bytes: int | None
    fragment_ms: int | None
    shape_bps: int | None
    bc_bits: int | None
    voice: Voice | None
    classes: tuple[Prediction, ...]
    held: tuple[Held, ...]
    queues: tuple[HeldQueue, ...]
    not_predicted: str | None
    remarks: tuple[str, ...]
    inputs: tuple[Input, ...]
    lines: tuple[str, ...]
    rollback: tuple[str, ...]
    proof: tuple[str, ...]
    suffix: str
    losses: tuple[Loss, ...] = ()
    far: FarEnd | None = None


class RefusedDemand(Struct, frozen=True, tag_field="outcome", tag="refused"):
    """Requirements that cannot be met: why, and what would fit."""

    reason: str
    fits: tuple[str, ...]


def design_edge(
    demand: EdgeDemand, settings: Settings, source: Source | None = None
) -> EdgeDesign | RefusedDemand:
    """Design both ends of a link, or say why it cannot be and what would fit.

    Parameters
    ----------
    demand
        Link, calls, classes, platform.
    settings
        Settings in force: the predictions must meet their budgets; the calls join their traffic.
        The lines give no warning under the profile `strict`.
    source
        The configuration that takes the lines; a bare router without one.

    Raises
    ------
    DemandError
        If the source is no configuration of IOS, or lacks the interface.
    """
    try:
        start = _start(demand, settings, source)
        design, whole, _ = _designed(start, settings)
        return _with_far_end(start, design, whole, settings)
    except RefusedDemandError as refused:
        return RefusedDemand(refused.reason, refused.fits)
    except UnprovenDesignError as unproven:
        return RefusedDemand(str(unproven), ())
    except UnsafeValueError as unsafe:
        reason = f"a name in the configuration is unsafe to paste ({unsafe})"
        return RefusedDemand(reason, ())


class _Start(Struct, frozen=True):
    """The device that takes the lines, its requirements, and the lines so far.

    The requirements have the layer and the links that the configuration has; `standing` is None on
    a bare router. The calls are traffic of the device.
    """

    trial: Device
    demand: EdgeDemand
    values: EdgeLines
    standing: StandingPlace | None


def _designed(
    start: _Start, settings: Settings
) -> tuple[EdgeDesign, tuple[str, ...], tuple[str, ...]]:
    """A proven design, its lines as a bare router takes them, and findings of what is given."""
    trial, demand, standing = start.trial, start.demand, start.standing
    budgets = _strict(demand)
    rules = load_rules(budgets)
    known = frozenset() if standing is None else keys_of(judge(trial, rules).pairs)
    draft, queues = _draft(trial, start.values, demand, limits_of(rules, budgets))
    lines = spelled(trial, lines_of(draft.values))
    if standing is not None:
        draft = with_standing_names(trial, draft)
        lines = needed(trial.facts.tree, spelled(trial, lines_of(draft.values)))
    given = (*_given(demand), *(() if standing is None else _OF_WHAT_STANDS))
    try:
        proof = prove_lines(
            trial, lines, (), rules, known=known, refuses=Severity.WARNING, lets_pass=given
        )
    except NoWayBackError as error:
        old = () if standing is None else standing.place.removed
        fits = (f"`no service-policy output {policy}` first" for policy in old)
        raise RefusedDemandError(str(error), *fits) from error
    forecast = forecast_of(proof.device, draft, demand, settings)
    _must_hold(forecast)
    application, lint, rollback = proof.statements
    values = draft.values
    losses = () if standing is None else losses_of(trial, proof.device, standing, values)
    design = picked(
        EdgeDesign,
        forecast,
        values,
        model=trial.platform.model_name,
        platform=trial.platform.model_name or trial.platform.title,
        release=trial.platform.release_name or demand.release,
        interface=draft.outlet.attached_to,
        link_kbps=kbps_from_bps(demand.link_bps),
        voice=voice_of(draft, demand, forecast.quality),
        queues=queues,
        not_predicted=None if forecast.unknown is None else forecast.unknown.reason,
        losses=losses,
        remarks=(
            *remarks(trial, standing, values, demand, lines),
            *of_wrapping(draft.outlet, demand),
            *(of_rollback(proof.rollback) if standing is None else ()),
            *proof.remarks,
        ),
        inputs=inputs_of(demand),
        lines=lines,
        rollback=proof.rollback,
        proof=(application, lint, _predicted(forecast), rollback),
    )
    return design, spelled(trial, lines_of(unnamed(values, demand))), proof.let_pass


def _with_far_end(
    start: _Start, here: EdgeDesign, whole: tuple[str, ...], settings: Settings
) -> EdgeDesign:
    """The design with the other end, proven on a bare router of its own platform."""
    try:
        size, kept = here.fragment_bytes, start.values.kept
        demand = far_demand(start.demand, here.model, here.release, size, kept)
        there, far_lines, given = _designed(_start(demand, settings, None), settings)
    except RefusedDemandError as refused:
        raise RefusedDemandError(f"at the far end: {refused.reason}", *refused.fits) from refused
    only_here, only_there = differing(whole, far_lines, here.suffix)
    far = picked(FarEnd, there, only_here=only_here, only_there=only_there)
    theirs = (f"at the far end: {item}" for item in given if item not in here.remarks)
    remarks = (*here.remarks, *theirs)
    return replace(here, remarks=remarks, far=far)


_OF_WHAT_STANDS: Final = ("voice-remarked-before-llq",)  # a marking of the LAN shows with an LLQ


def _given(demand: EdgeDemand) -> Iterator[str]:
    """Checks that judge what the requirements, or the other end, state."""
    if demand.fragment_bytes is not None:
        yield _FRAGMENT_SIZE
    if any(item.drops_in_order and item.budget_ms is not None for item in demand.classes):
        yield _WRED_TARGET


def _strict(demand: EdgeDemand) -> Budgets:
    """The budgets of the lint: those of `strict`, with what is asked for."""
    strict = PROFILES[STRICT]
    queues_ms = [
        queue_class.budget_ms for queue_class in demand.classes if queue_class.budget_ms is not None
    ]
    longest_ms = max(strict.bandwidth_queue_ms or 0.0, *queues_ms, 0.0)
    strict = replace(strict, bandwidth_queue_ms=longest_ms)
    if demand.fragment_ms is None:
        return strict
    two_ms = _FRAGMENTS_IN_RING * demand.fragment_ms
    ring_ms = max(strict.ring_wait_ms or 0.0, two_ms)
    return replace(strict, serialization_ms=demand.fragment_ms, ring_wait_ms=ring_ms)


def _start(demand: EdgeDemand, settings: Settings, source: Source | None) -> _Start:
    """The start of a design, on a bare router or on a configuration."""
    bare = trial_device(demand, settings) if source is None else device_on(source, demand, settings)
    standing = None
    if source is not None:
        demand = replace(demand, layer=layer_of(bare, demand))
        standing = standing_of(bare, demand)
        demand = replace(demand, links=standing.links)
    _must_agree(bare)
    _must_be_known(bare, demand)
    bare = bare if standing is None else at_port_speed(bare, demand)
    place = bare_place(demand) if standing is None else standing.place
    of_lan = () if demand.lan is None else _inbound(bare, demand.lan.interface)
    demand = demand if standing is None else within(bare, demand)
    suffix, reused = names_for(bare, demand)
    values = first_lines(demand, bare.platform, place, suffix, of_lan)
    values = replace(values, reused=reused)
    if not demand.calls:
        return _Start(bare, demand, values, standing)
    calls = offered_calls(demand.calls, demand.codec, values.named(LLQ_CLASS))
    sizes = (PacketShare(demand.packet.ip_bytes, 1.0),)  # as they leave
    calls = replace(calls, sizes=sizes, of_calls=False)
    trial = replace(bare, traffic=(*bare.traffic, calls))
    values = with_calls(values, _FIRST_KBPS, is_xe=trial.platform.is_qfp)
    return _Start(trial, demand, values, standing)


def _inbound(device: Device, interface: str) -> tuple[str, ...]:
    """Names of the input policies that an interface has."""
    own = device.facts.interface(interface)
    policies = () if own is None else own.policies
    return tuple(policy.policy for policy in policies if policy.direction == _INPUT)


def _draft(
    trial: Device, values: EdgeLines, demand: EdgeDemand, limits: DesignLimits
) -> tuple[EdgeDraft, tuple[HeldQueue, ...]]:
    draft = drafted(trial, values)
    must_be_the_line(draft.outlet, demand)
    draft = fragmented(trial, draft, demand, limits)
    draft = with_call_rate(trial, draft, demand, limits)
    draft = with_classes(trial, draft, demand)
    return queued(trial, with_ring(trial, draft, demand, limits), demand)


def _must_agree(trial: Device) -> None:
    """Refuse a --platform that the release, or the configuration, contradicts.

    Raises
    ------
    DemandError
        If it does: no lines are of both.
    """
    platform = trial.platform
    stated = (item for item in platform.contradicting if item.strength is Strength.STATED)
    for evidence in stated:
        shown = platform.decides_family or platform.because
        raise DemandError(f"{evidence.text}: {shown} is of {platform.title}")


def _must_be_known(trial: Device, demand: EdgeDemand) -> None:
    """Refuse platforms and layers whose commands no source states."""
    platform = trial.platform
    is_port = demand.layer is not LinkLayer.ETHERNET or demand.line_bps in PORT_SPEEDS_BPS
    if not is_port:
        line_bps, cir_bps = demand.line_bps, demand.cir_bps or demand.line_bps
        port_bps = min((item for item in PORT_SPEEDS_BPS if item > line_bps), default=line_bps)
        cir, port = (rate_text(kbps_from_bps(item)) for item in (cir_bps, port_bps))
        raise RefusedDemandError(
            f"no Ethernet port runs at {rate_text(kbps_from_bps(line_bps))} kb/s",
            f"`advisor design shape --cir {cir}k --port {port}k`",
        )
    if not (platform.is_qfp or platform.has_classic_defaults):
        fits = "--platform MODEL" if platform.model_name is None else "a router"
        raise RefusedDemandError(f"the defaults of {platform.title} are not known", fits)
    if platform.is_qfp and demand.layer not in (LinkLayer.ETHERNET, LinkLayer.PPP, LinkLayer.HDLC):
        raise RefusedDemandError(
            f"no source has the commands of --encap {demand.layer} on {platform.title}",
            "--encap ppp, or --port with --cir",
        )
    if platform.is_qfp and demand.lan is not None and demand.lan.marking is Marking.NBAR:
        raise RefusedDemandError(
            f"no source has the protocols that NBAR knows on {platform.title}", "--mark acl"
        )


def _must_hold(forecast: EdgeForecast) -> None:
    over = next((held for held in forecast.held if not held.is_met), None)
    if over is not None:
        raise RefusedDemandError(
            f"{over.name} of {LLQ_CLASS} is {over.predicted:.1f} {over.unit}, over the budget of "
            f"{over.budget:g} {over.unit}",
            "a higher rate, fewer calls, or a profile with a wider budget",
        )


def _predicted(forecast: EdgeForecast) -> str:
    if forecast.unknown is not None:
        return f"not predicted: {forecast.unknown.reason}"
    return "predicted: within the budgets of the profile"
