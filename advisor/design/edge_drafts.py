"""Drafts the config lines of an edge from requirements, with the functions that lint uses."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_classes import MatchKind, WantedClass
from advisor.design.edge_demand import EdgeDemand, LinkLayer
from advisor.design.edge_lines import ClassLines, EdgeLines, Form, lines_of, shaped
from advisor.device.device import Device, with_tree
from advisor.ground.quantity import Unknown, count, number, rate_text
from advisor.ground.units import bps_from_kbps, kbps_from_bps, ratio_from_percent
from advisor.lint.cards import Rule
from advisor.lint.checks import lfi
from advisor.lint.trial import UnprovenError, applied
from advisor.outlet.class_bandwidth import admission_of
from advisor.outlet.fragments import fragment_for
from advisor.outlet.framing import CallRate, call_rate, calls_within
from advisor.outlet.operations import offers_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.shaper import FRAME_RELAY_RATIO
from advisor.predict.ring import RingAdvice, advise_ring, ring_view
from advisor.predict.what_if.subject import LLQ_CLASS
from advisor.settings import Budgets
from advisor.settings.traffic_keys import VoicePacket

_LEAST_KBPS: Final = 8  # of `bandwidth`: Cisco 10000 QoS guide, OL-7433, 3-10; `priority` recalled
_WHOLE_PERCENT: Final = 100


class RefusedDemandError(Exception):
    """Requirements that no design meets: why, and what would fit."""

    def __init__(self, reason: str, *fits: str) -> None:
        super().__init__(reason)
        self.reason, self.fits = reason, fits


class DesignLimits(Struct, frozen=True):
    """Limits of the design: budgets, and those that cards of the catalogue state."""

    budgets: Budgets
    priority_percent: float
    lfi_up_to_kbps: float


def limits_of(rules: Sequence[Rule], budgets: Budgets) -> DesignLimits:
    """The limits of a catalogue."""
    by_check = {rule.card.check: rule for rule in rules}
    return DesignLimits(
        budgets,
        by_check["priority-share-too-high"].params.priority_share_percent,
        by_check["serialization-over-budget"].params.lfi_up_to_kbps,
    )


class EdgeDraft(Struct, frozen=True):
    """Lines, and the output that they make of the trial device."""

    values: EdgeLines
    device: Device
    outlet: Outlet


def drafted(trial: Device, values: EdgeLines) -> EdgeDraft:
    """Apply the lines to the trial device.

    Raises
    ------
    RefusedDemandError
        If IOS would refuse a line, or the output is none that lint knows.
    """
    try:
        device = with_tree(trial, applied(trial.facts.tree, lines_of(values)))
    except UnprovenError as error:
        raise RefusedDemandError(str(error)) from error
    own = (policy for policy in policies_out(device) if policy.queueing.name == values.policy_map)
    outlet = next((item for item in own if item.attached_to in values.places), None)
    if outlet is None or outlet.link is None:
        raise RefusedDemandError(f"no output of {values.interface} is known to queue")
    return EdgeDraft(values, device, outlet)


def with_calls(draft: EdgeLines, kbps: int, *, is_xe: bool) -> EdgeLines:
    """The draft with its class of calls at a rate in kb/s."""
    name, stands = draft.named(LLQ_CLASS), draft.stands(LLQ_CLASS)
    voice = (
        ClassLines(name, "ef", police_bps=int(bps_from_kbps(kbps)), stands=stands)
        if is_xe
        else ClassLines(name, "ef", priority_kbps=kbps, stands=stands)
    )
    return replace(draft, classes=(voice,))


def fragmented(
    trial: Device, draft: EdgeDraft, demand: EdgeDemand, limits: DesignLimits
) -> EdgeDraft:
    """The draft with fragments where a full packet is over its budget and the line is slow.

    A line is slow up to the rate of the card, and above it where no ring meets its budget with
    whole packets: about 1150 kb/s for two packets in 21 ms.
    """
    outlet, budget_ms = draft.outlet, limits.budgets.serialization_ms
    packet = outlet.largest_ms
    if not demand.calls or budget_ms is None or packet is None:
        return draft
    advice = _ring_advice(draft, limits)
    is_slow = kbps_from_bps(outlet.line_bps) <= limits.lfi_up_to_kbps
    is_slow = is_slow or (advice is not None and advice.meets is not True)
    if packet.value <= budget_ms or not is_slow:
        if demand.must_fragment:
            raise RefusedDemandError(
                f"no fragments are needed: a full packet takes {number(packet.value)} ms of "
                f"{budget_ms:g} ms, and LFI is for up to {limits.lfi_up_to_kbps:g} kb/s",
                "`advisor design llq`",
            )
        return draft
    _must_fragment(draft, packet.value, budget_ms)
    if demand.layer is LinkLayer.FRAME_RELAY:
        slow = shaped(draft.values, demand.link_bps * FRAME_RELAY_RATIO, trial.platform)
        fragment = fragment_for(drafted(trial, slow).outlet, budget_ms)
        values = replace(slow, fragment_bytes=fragment.size_bytes)
    else:
        values = _in_bundle(draft, floor(budget_ms), limits)
        fragment = fragment_for(drafted(trial, values).outlet, budget_ms)
    if not fragment.holds_voice:
        reason = f"no fragment that a voice packet fits keeps {budget_ms:g} ms at this rate"
        raise RefusedDemandError(reason, "a higher rate")
    return drafted(trial, values)


def _in_bundle(draft: EdgeDraft, delay_ms: int, limits: DesignLimits) -> EdgeLines:
    """The draft as Multilink PPP; an address that the serial has moves with its policy."""
    values = replace(draft.values, fragment_ms=delay_ms, budget_ms=delay_ms)
    wire = draft.outlet.wire
    if draft.outlet.interface.address is None or values.form is Form.BUNDLE or wire is None:
        return replace(values, form=Form.BUNDLE, encapsulation="")
    of_serial = lfi.FragmentLimits(delay_ms, limits.budgets.ring_wait_ms, limits.lfi_up_to_kbps)
    made = lfi.serial_lfi(draft.device, draft.outlet, wire, of_serial, ())
    if isinstance(made, Unknown):
        raise RefusedDemandError(f"no lines make a bundle of it: {made.reason}")
    return replace(values, form=Form.MIGRATED, serial=made, group=made.group)


def _must_fragment(draft: EdgeDraft, packet_ms: float, budget_ms: float) -> None:
    """Refuse the layers for which no lines make fragments."""
    layer2 = draft.outlet.encapsulation
    is_pvc = draft.values.form is Form.PVC
    if not is_pvc and layer2 is not None and layer2.kind.fragments:
        return
    least_kbps = ceil(kbps_from_bps(draft.outlet.line_bps) * packet_ms / budget_ms)
    raise RefusedDemandError(
        f"a full packet holds the line for {number(packet_ms)} ms, over {budget_ms:g} ms, and "
        f"{layer2.name if layer2 is not None else 'this layer 2'} has no fragments in this design",
        f"a line of {least_kbps} kb/s",
        *(["--encap ppp or frame-relay on a serial line"] if is_pvc else []),
    )


def call_of(outlet: Outlet, packet: VoicePacket) -> CallRate:
    """Rate of a call at an output."""
    return call_rate(packet, outlet.encapsulation)


def with_call_rate(
    trial: Device, draft: EdgeDraft, demand: EdgeDemand, limits: DesignLimits
) -> EdgeDraft:
    """The draft with the priority rate that its calls need."""
    if not demand.calls:
        return draft
    call, link = call_of(draft.outlet, demand.packet), draft.outlet.link
    link_bps = link.value if link is not None else 0.0
    most_bps = link_bps * ratio_from_percent(limits.priority_percent)
    rtcp = demand.rate_ratio
    needed_bps = demand.calls * max(call.counted_bps, call.wire_high_bps) * rtcp
    kbps = max(_LEAST_KBPS, ceil(kbps_from_bps(demand.calls * call.counted_bps * rtcp)))
    if max(needed_bps, bps_from_kbps(kbps)) > most_bps:
        fit = calls_within(most_bps, max(call.counted_bps, call.wire_high_bps) * rtcp)
        ratio = ratio_from_percent(limits.priority_percent)
        room = demand.link_bps / link_bps  # a shaper below the contract
        least_kbps = ceil(kbps_from_bps(needed_bps) / ratio * room)
        raise RefusedDemandError(
            f"{count(demand.calls, 'call')} of {demand.codec} need "
            f"{rate_text(kbps_from_bps(needed_bps))} kb/s; {limits.priority_percent:g} % of "
            f"{rate_text(kbps_from_bps(link_bps))} kb/s is {rate_text(kbps_from_bps(most_bps))}",
            f"{count(fit, 'call')} of {demand.codec} on this link",
            f"a link of about {least_kbps} kb/s",
        )
    return drafted(trial, with_calls(draft.values, kbps, is_xe=trial.platform.is_qfp))


def with_classes(trial: Device, draft: EdgeDraft, demand: EdgeDemand) -> EdgeDraft:
    """The draft with the classes below voice; assumed shares shrink until IOS admits the policy."""
    if trial.platform.is_qfp:
        return drafted(trial, _by_ratio(draft, demand))
    voice = draft.values.classes
    rates = {item.name: _kbps(item, demand) for item in demand.classes}
    over_kbps = _over_kbps(trial, draft.values, voice, demand, rates)
    for queue_class in reversed(demand.classes):
        if queue_class.assumed and over_kbps > 0:
            given = min(over_kbps, rates[queue_class.name] - _LEAST_KBPS)
            rates[queue_class.name] -= given
            over_kbps -= given
    if over_kbps > 0:
        asked_kbps = sum(rates[item.name] for item in demand.classes if not item.assumed)
        fits = _whole_percent(asked_kbps - over_kbps, demand)
        what = f"--data of {fits} % in all" if fits > 0 else "fewer calls or a faster link"
        raise RefusedDemandError(
            f"the classes ask for {over_kbps} kb/s more than {draft.outlet.policy_label} may "
            "reserve",
            what,
        )
    return drafted(trial, _rated(draft.values, voice, demand, rates))


def _over_kbps(
    trial: Device,
    values: EdgeLines,
    voice: tuple[ClassLines, ...],
    demand: EdgeDemand,
    rates: dict[str, int],
) -> int:
    outlet = drafted(trial, _rated(values, voice, demand, rates)).outlet
    admission = admission_of(outlet, trial.platform)
    if isinstance(admission, Unknown):
        raise RefusedDemandError(admission.reason)
    return ceil(kbps_from_bps(admission.reserved_bps - admission.reservable_bps))


def _rated(
    values: EdgeLines, voice: tuple[ClassLines, ...], demand: EdgeDemand, rates: dict[str, int]
) -> EdgeLines:
    classes = (
        class_lines(values, queue_class, kbps=rates[queue_class.name])
        for queue_class in demand.classes
    )
    return replace(values, classes=(*voice, *classes))


def class_lines(
    values: EdgeLines, wanted: WantedClass, kbps: int | None = None, ratio: int | None = None
) -> ClassLines:
    """A class below voice at a rate or with a share of what is left."""
    return ClassLines(
        values.named(wanted.name),
        wanted.dscp,
        wanted.kind is MatchKind.DLSW,
        kbps=kbps,
        ratio=ratio,
        stands=values.stands(wanted.name),
    )


def _kbps(wanted: WantedClass, demand: EdgeDemand) -> int:
    rate_kbps = kbps_from_bps(demand.link_bps * ratio_from_percent(wanted.percent))
    return max(_LEAST_KBPS, int(rate_kbps))


def _whole_percent(kbps: float, demand: EdgeDemand) -> int:
    """Largest whole percentage of the link within a rate."""
    return floor(_WHOLE_PERCENT * kbps / kbps_from_bps(demand.link_bps))


def _by_ratio(draft: EdgeDraft, demand: EdgeDemand) -> EdgeLines:
    """IOS XE: what voice leaves is shared by ratio, class-default with the rest."""
    voice = draft.values.classes
    voice_bps = sum(item.police_bps or 0 for item in voice)
    voice_percent = _WHOLE_PERCENT * voice_bps / demand.link_bps
    rest = (
        _WHOLE_PERCENT - voice_percent - sum(queue_class.percent for queue_class in demand.classes)
    )
    if rest < 1:
        stated = sum(item.percent for item in demand.classes if not item.assumed)
        fits = floor(stated + rest - 1)
        raise RefusedDemandError(
            f"voice and the classes ask for {ceil(_WHOLE_PERCENT - rest)} % of the link, and "
            "class-default needs 1 %",
            f"--data of {fits} % in all" if fits > 0 else "fewer calls or a faster link",
        )
    classes = (
        class_lines(draft.values, queue_class, ratio=max(1, round(queue_class.percent)))
        for queue_class in demand.classes
    )
    ratio = max(1, round(rest)) if demand.classes else None
    return replace(draft.values, classes=(*voice, *classes), default_ratio=ratio)


def with_ring(
    trial: Device, draft: EdgeDraft, demand: EdgeDemand, limits: DesignLimits
) -> EdgeDraft:
    """The draft with the advised ring limit, if the ring is longer, or unknown on a member."""
    outlet, budget_ms = draft.outlet, limits.budgets.ring_wait_ms
    advice = _ring_advice(draft, limits) if demand.calls else None
    if advice is None or budget_ms is None or outlet.ring is None:
        return draft
    if advice.meets is not True:
        bound_ms = advice.bound.high_ms
        least_kbps = ceil(kbps_from_bps(outlet.wire_bps) * bound_ms / budget_ms)
        raise RefusedDemandError(
            f"the shortest ring, {advice.limit}, delays voice by up to {number(bound_ms)} ms, over "
            f"{budget_ms:g} ms",
            *(["--platform MODEL"] if trial.platform.model_name is None else []),
            f"a line of about {least_kbps} kb/s",
        )
    if advice.shortens(outlet.ring) is False and not outlet.is_unset_member:
        return draft
    return drafted(trial, replace(draft.values, ring=advice.limit))


def _ring_advice(draft: EdgeDraft, limits: DesignLimits) -> RingAdvice | None:
    """Ring limit that lint advises for the output; None if its ring is idle or unknown."""
    outlet, budget_ms = draft.outlet, limits.budgets.ring_wait_ms
    if budget_ms is None or outlet.ring is None or outlet.ring_idle:
        return None
    view = ring_view(outlet, offers_at(draft.device, outlet, congested=True))
    return None if isinstance(view, Unknown) else advise_ring(view, budget_ms)
