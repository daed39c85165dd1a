"""Predicts calls and classes of a designed edge, beside the budgets of the profile."""

from collections.abc import Iterator
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_classes import WantedClass
from advisor.design.edge_demand import DEFAULT_RELEASE, EdgeDemand
from advisor.design.edge_drafts import EdgeDraft, RefusedDemandError, call_of, drafted
from advisor.design.edge_lines import ClassLines
from advisor.design.wred_plan import WredBasis, demand_of, plans, rows_of
from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.ground.quantity import Figure, Unknown, number
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.class_service import LEAST_TCP_PACKETS, ClassService, class_services
from advisor.outlet.framing import calls_within
from advisor.outlet.queue_limit import queue_limit
from advisor.predict.ring import ring_view
from advisor.predict.what_if import InputError
from advisor.predict.what_if.moves import Moves
from advisor.predict.what_if.path import rated_call
from advisor.predict.what_if.prediction import ClassPrediction, Prediction, Quality
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.subject import LLQ_CLASS
from advisor.settings import Budgets, Settings

_MOST = 100  # percent of the link
# Queues of the classes below voice, held to the delay that the requirements state.


class HeldQueue(Struct, frozen=True):
    """A class whose full queue is sent within its budget, at the rate that the class counts on.

    `before` is the time of the default queue, `after` that of `packets`: over mean packets between
    the smallest and the largest of the class, or of data where none is stated.
    """

    name: str
    budget_ms: float
    rate_kbps: float
    default: str
    before: Figure
    packets: int
    after: Figure


def queued(
    trial: Device, draft: EdgeDraft, demand: EdgeDemand
) -> tuple[EdgeDraft, tuple[HeldQueue, ...]]:
    """The draft with the queue-limits that hold the stated budgets.

    Raises
    ------
    RefusedDemandError
        If a budget leaves a class too few packets for TCP.
    """
    named = draft.values.named
    wanted = {named(item.name): item for item in demand.classes}
    held = {
        name: _held_queue(draft, item, demand)
        for name, item in wanted.items()
        if item.budget_ms is not None
    }
    classes = []
    for own in draft.values.classes:
        queue = held.get(own.name)
        limited = own if queue is None else replace(own, queue_packets=queue.packets)
        item = wanted.get(own.name)
        if item is not None and item.drops_in_order:
            limited = _in_drop_order(trial, draft, item, limited)
        classes.append(limited)
    if tuple(classes) == draft.values.classes:
        return draft, ()
    return drafted(trial, replace(draft.values, classes=tuple(classes))), tuple(held.values())


def _in_drop_order(
    trial: Device, draft: EdgeDraft, wanted: WantedClass, own: ClassLines
) -> ClassLines:
    """A class whose codes WRED drops by their drop precedence, as `advisor design wred` does.

    Half of the queue that its budget leaves is the maximum threshold: a burst is longer than the
    average.
    """
    budget_ms, platform = wanted.budget_ms, trial.platform
    if budget_ms is not None and platform.is_pre_hqf:
        raise RefusedDemandError(
            f"{own.name}: before HQF a class has WRED or a queue-limit, not both",
            f"--data {wanted.key}={wanted.percent:g}% without a budget of its queue",
        )
    _, service = _service(draft, own.name)
    asked = demand_of(
        rate_bps=service.rate.value,
        target_ms=None if budget_ms is None else budget_ms / 2,
        packet_bytes=None,
        dscps=wanted.dscp.split(),
        flows=(),
        shares=(),
        rtt_ms=None,
        release=platform.release_name or DEFAULT_RELEASE,
        basis=WredBasis.DSCP,
    )
    plan = next(plans(asked, platform))
    packets = own.queue_packets or plan.queue_limit_packets
    return replace(own, wred=rows_of(plan, asked), exponent=plan.exponent, queue_packets=packets)


def _held_queue(draft: EdgeDraft, wanted: WantedClass, demand: EdgeDemand) -> HeldQueue:
    policy_class, service = _service(draft, draft.values.named(wanted.name))
    budget_ms, one = wanted.budget_ms or 0.0, service.queue_ms(1, Unit.PACKETS)
    packets = int(budget_ms / one.high)
    if packets < LEAST_TCP_PACKETS:
        least_ms = LEAST_TCP_PACKETS * one.high
        link_bps = demand.link_bps
        percent = percent_from_ratio(service.rate.value / link_bps) * least_ms / budget_ms
        raise RefusedDemandError(
            f"{policy_class.name} of {number(kbps_from_bps(service.rate.value))} kb/s sends the "
            f"{LEAST_TCP_PACKETS} full-size packets that TCP needs in {number(least_ms)} ms, over "
            f"its budget of {budget_ms:g} ms",
            *([f"--data {wanted.key}={ceil(percent)}%:{budget_ms:g}ms"] if percent < _MOST else []),
            f"a budget of {ceil(least_ms)} ms",
        )
    default = queue_limit(draft.outlet, policy_class, draft.device.platform)
    own = default.in_packets(service.mean_packet.value)
    return HeldQueue(
        name=policy_class.name,
        budget_ms=budget_ms,
        rate_kbps=kbps_from_bps(service.rate.value),
        default=default.words,
        before=service.queue_ms(own, Unit.PACKETS),
        packets=packets,
        after=service.queue_ms(packets, Unit.PACKETS),
    )


def _service(draft: EdgeDraft, name: str) -> tuple[PolicyClass, ClassService]:
    policy_class = draft.outlet.class_named(name)
    if policy_class is not None:
        services = class_services(draft.device, draft.outlet.queueing, policy_class)
        if services:
            slowest = max(services, key=lambda each: each.queue_ms(1, Unit.PACKETS).high)
            return policy_class, slowest
    raise RefusedDemandError(f"the rate of {name} is not known")


# The class of calls of a designed edge, and the calls that it carries.


class Voice(Struct, frozen=True):
    """The class of the calls: a call in kb/s as IOS counts it and on the wire, and what it carries.

    `quality` is None where the codec has no impairment factors.
    """

    calls: int
    codec: str
    call_counted_kbps: float
    call_wire_kbps: float
    rated_kbps: float
    burst_bytes: float | None
    calls_carried: int
    quality: Quality | None


def voice_of(draft: EdgeDraft, demand: EdgeDemand, quality: Quality | None) -> Voice | None:
    """The class of calls of a draft; None without calls."""
    if not demand.calls:
        return None
    outlet = draft.outlet
    policy_class = outlet.class_named(draft.values.named(LLQ_CLASS))
    link = outlet.link
    if policy_class is None or link is None:
        return None
    rated_bps = outlet.llq_rate_bps(policy_class) or 0.0
    call = call_of(outlet, demand.packet)
    return Voice(
        calls=demand.calls,
        codec=demand.codec,
        call_counted_kbps=kbps_from_bps(call.counted_bps),
        call_wire_kbps=kbps_from_bps(call.wire_high_bps),
        rated_kbps=kbps_from_bps(rated_bps),
        burst_bytes=llq_burst(outlet, policy_class).size_bytes,
        calls_carried=min(
            calls_within(rated_bps, call.counted_bps * demand.rate_ratio),
            calls_within(link.value, call.wire_high_bps * demand.rate_ratio),
        ),
        quality=quality,
    )


# Predicts each class of a designed edge, beside the budgets of the profile.

_WAITS = ("own queue", "shaper")


class Held(Struct, frozen=True):
    """The high end of a predicted figure beside its budget."""

    name: str
    predicted: float
    budget: float
    unit: str

    @property
    def is_met(self) -> bool:
        return self.predicted <= self.budget


class EdgeForecast(Struct, frozen=True):
    """Every class of the edge, the budgets of its calls, and their quality.

    `unknown` says why there is none of it.
    """

    classes: tuple[Prediction, ...] = ()
    held: tuple[Held, ...] = ()
    quality: Quality | None = None
    unknown: Unknown | None = None


def forecast_of(
    device: Device, draft: EdgeDraft, demand: EdgeDemand, settings: Settings
) -> EdgeForecast:
    """Predict the designed output: its calls as stated, all lower classes congested.

    An output whose ring no source has is not predicted, nor calls in packets of unknown size.

    Raises
    ------
    RefusedDemandError
        If the output cannot be predicted.
    """
    view = ring_view(draft.outlet, ())
    if isinstance(view, Unknown) and draft.outlet.ring is None and not draft.outlet.shaper_bps:
        return EdgeForecast(unknown=view)
    if demand.calls and isinstance(draft.outlet.wrapping, Unknown):
        return EdgeForecast(unknown=draft.outlet.wrapping)
    try:
        predictions = predict_device(device, device.name, settings, None, (Moves(),))
    except InputError as error:
        raise RefusedDemandError(
            f"the design cannot be predicted: {error}",
            "--cir below the line: the queue of a shaper is known",
        ) from error
    name = draft.values.named(LLQ_CLASS)
    own = tuple(prediction for prediction in predictions if prediction.object == draft.outlet.label)
    voice = next(
        (item for item in own if isinstance(item, ClassPrediction) and item.class_name == name),
        None,
    )
    if voice is None and demand.calls:
        raise RefusedDemandError(f"no figures of {name} are known")
    if voice is None:
        return EdgeForecast(own)
    budgets = settings.budgets
    held = tuple(_held_class(voice, budgets))
    return EdgeForecast(own, held, rated_call(voice, demand.codec))


def _held_class(voice: ClassPrediction, budgets: Budgets) -> Iterator[Held]:
    ring_ms = voice.congested.ring_bound_ms if voice.congested is not None else None
    if ring_ms is not None and budgets.ring_wait_ms is not None:
        yield Held("longest wait in the ring", ring_ms, budgets.ring_wait_ms, "ms")
    if budgets.priority_queue_ms is not None:
        queue_ms = sum(part.ms for part in voice.breakdown if part.name in _WAITS)
        queue_ms += voice.mean.high - voice.mean.value  # all that is not known may be waiting
        yield Held("mean wait in the queue", queue_ms, budgets.priority_queue_ms, "ms")
    if budgets.jitter_ms is not None:
        yield Held("jitter", voice.jitter.high, budgets.jitter_ms, "ms")
    if budgets.loss_percent is not None and voice.loss is not None:
        yield Held("loss", voice.loss.high, budgets.loss_percent, "%")
