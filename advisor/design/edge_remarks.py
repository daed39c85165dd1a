"""The far end of a designed link, and what the engineer must know beside the lines."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_classes import MatchKind
from advisor.design.edge_demand import DEFAULT_PLATFORM, EdgeDemand, LinkLayer
from advisor.design.edge_lines import EdgeLines, Form, mbps
from advisor.design.edge_names import design_names, taken_among
from advisor.design.edge_on import StandingPlace
from advisor.device.device import Device
from advisor.ground.quantity import Unknown, rate_text
from advisor.ground.units import kbps_from_bps
from advisor.outlet.class_service import SMALLEST_DATA_BYTES
from advisor.outlet.outlet import Outlet
from advisor.outlet.wires import port_bps

# The far end of a designed link: the same requirements on its own platform.

# Cisco, Frame Relay End-to-End Keepalive: who sends requests needs an end that replies, and without
# a reply sets its PVC down; of two ends both are bidirectional or none.
KEEPALIVE: Final = "end-to-end keepalive "
_OTHER_SIDE: Final = {
    "request": "reply",
    "reply": "request",
    "passive-reply": "request",
    "send": "recv",
    "recv": "send",
}


class FarEnd(Struct, frozen=True):
    """The other end of a link: its lines, their way back and proof, and what differs from here.

    `only_here` and `only_there` are commands of one end alone; names of interfaces, and what ends
    the names of a design, do not count.
    """

    platform: str
    release: str
    interface: str
    lines: tuple[str, ...]
    rollback: tuple[str, ...]
    proof: tuple[str, ...]
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]


def far_demand(
    demand: EdgeDemand,
    model: str | None,
    release: str,
    fragment_bytes: int | None,
    kept: Sequence[str],
) -> EdgeDemand:
    """Derive the demand on the far end: on the stated platform, else on one like this end's.

    It has FRF.12 where this end has it, and answers the keepalives that this end keeps. Its
    interface and its LAN are its own: the design names the usual interface and marks nothing.
    """
    return replace(
        demand,
        platform=demand.far_platform or model or DEFAULT_PLATFORM,
        release=demand.far_release or release,
        interface=None,
        lan=None,
        fragment_bytes=fragment_bytes,
        must_fragment=demand.must_fragment and fragment_bytes is None,
        kept=tuple(_mirrored(item) for item in kept if item.startswith(KEEPALIVE)),
    )


def _mirrored(keepalive: str) -> str:
    """A setting of end-to-end keepalives as the other end must have it."""
    return " ".join(_OTHER_SIDE.get(word, word) for word in keepalive.split())


def differing(
    here: Sequence[str], there: Sequence[str], suffix: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Commands of one end alone, each in the order of its end."""
    ours, theirs = _counted(here, suffix), _counted(there, "")
    return _alone(here, suffix, theirs), _alone(there, "", ours)


def _counted(lines: Sequence[str], suffix: str) -> Counter[str]:
    return Counter(_meant(line, suffix) for line in lines)


def _alone(lines: Sequence[str], suffix: str, others: Counter[str]) -> tuple[str, ...]:
    left = others.copy()
    alone = []
    for line in lines:
        key = _meant(line, suffix)
        if left[key] > 0:
            left[key] -= 1
        else:
            alone.append(line.strip())
    return tuple(alone)


def _meant(line: str, suffix: str) -> str:
    """A command without the name of its interface and the suffix of the names of its end."""
    words = line.split()
    if words[:1] == ["interface"]:
        return "interface"
    return " ".join(word.removesuffix(suffix) if suffix else word for word in words)


# Remarks for the engineer, beside the lines of a designed edge.

_AGREED: Final = (
    *(" ppp multilink interleave", " ppp multilink fragment", " ppp multilink multiclass"),
)
_BY_BANDWIDTH: Final = frozenset(("router ospf", "router eigrp", "router igrp"))


def remarks(
    trial: Device,
    standing: StandingPlace | None,
    values: EdgeLines,
    demand: EdgeDemand,
    lines: Sequence[str],
) -> Iterator[str]:
    """Sentences about the lines: what moves, which names they have, what was assumed."""
    if demand.interface is None:
        yield f"{values.interface} is assumed: --interface states the name on the router"
    if values.fragment_ms and demand.layer is not LinkLayer.MULTILINK:
        yield (
            f"the line is slow: {demand.layer} becomes Multilink PPP with fragments; the address "
            f"moves from {values.interface} to Multilink{values.group}: change both ends together"
        )
    if demand.layer is LinkLayer.ETHERNET:
        yield from _of_port(trial, values, demand)
    if standing is not None:
        yield from _on_config(trial, standing, values, demand)
        yield from _of_members(values, lines)
        yield from _metrics(trial, lines)
    if values.lan is not None:
        yield from _of_lan(demand)
    if demand.calls and demand.has_rtcp:
        yield "the class of calls has 5 % for their RTCP (RFC 3550)"
    if demand.contract_bytes:
        yield from _of_contract(values, demand)
    for wanted in demand.classes:
        own = next(
            queue_class
            for queue_class in values.classes
            if queue_class.name == values.named(wanted.name)
        )
        if own.kbps is not None and wanted.assumed:
            yield f"{own.name} has {own.kbps} kb/s by assumption: --data states another share"


def of_rollback(rollback: Sequence[str]) -> Iterator[str]:
    """Name the losses of the way back on a router that is not bare: its own settings and names."""
    heads = [line.removeprefix("no ") for line in rollback if line.startswith("no ")]
    lines = (line.strip() for line in rollback if line.startswith(" "))
    words = [line.removeprefix("no ").split()[0] for line in lines if line.startswith("no ")]
    settings = dict.fromkeys(f"`{word}`" for word in words if word != "service-policy")
    destroys = [f"deletes {', '.join(heads)}"] if heads else []
    if settings:
        destroys.append(f"sets {', '.join(settings)} to the default")
    if destroys:
        yield (
            f"the rollback is that of a bare router: it {' and '.join(destroys)}. On a router with "
            "a configuration design with --on: its rollback brings back what was there"
        )


def of_wrapping(outlet: Outlet, demand: EdgeDemand) -> Iterator[str]:
    """How the packets of calls leave, where a tunnel or a crypto map makes them larger."""
    around = outlet.wrapping
    if demand.wrapping is not None:
        yield f"calls are counted {demand.wrapping}: the lines of the tunnel are not of this design"
    if not demand.calls or around is None:
        return
    if isinstance(around, Unknown):
        yield f"calls leave in larger packets, which are not counted: {around.reason}"
    else:
        yield f"calls are counted as they leave, at both ends: {around}"


def _of_contract(values: EdgeLines, demand: EdgeDemand) -> Iterator[str]:
    """How the shaper keeps what the carrier counts within the contract."""
    counted = f"the carrier counts {demand.contract_bytes} bytes of a frame more than IOS"
    if values.account_bytes:
        yield f"{counted}: `account user-defined {values.account_bytes}` counts them too"
    else:
        cir, own = (kbps_from_bps(item) for item in (demand.link_bps, values.shape_bps or 0))
        yield (
            f"{counted}: the shaper leaves room for them, {rate_text(own)} of {rate_text(cir)} "
            f"kb/s, for calls and data in packets of {SMALLEST_DATA_BYTES} bytes"
        )


def _of_port(trial: Device, values: EdgeLines, demand: EdgeDemand) -> Iterator[str]:
    """The speed that a port must run at: its figures are of no other."""
    port = trial.facts.interface(values.interface)
    most_bps = None if port is None else port_bps(port)
    if most_bps is None or demand.line_bps >= most_bps:
        return
    speed = f"{values.interface} must run at {mbps(demand.line_bps)} Mb/s: negotiated, or by"
    yield f"{speed} `speed {mbps(demand.line_bps)}` and `duplex full` at both ends"
    if not demand.is_shaped:
        cir, most = (rate_text(kbps_from_bps(item)) for item in (demand.line_bps, most_bps))
        yield (
            f"a port of {most} kb/s that the provider limits needs a shaper: "
            f"`advisor design shape --cir {cir}k --port {most}k`"
        )


def _on_config(
    trial: Device, standing: StandingPlace, values: EdgeLines, demand: EdgeDemand
) -> Iterator[str]:
    used = [f"class-map {name}" for _, name in values.reused]
    made = (values.policy_map, values.parent, values.map_class)
    used += sorted(
        {f"policy-map {name}" for name in made[:2] if trial.facts.policy_map(name) is not None}
    )
    if used:
        yield f"{', '.join(used)}: in the configuration with the same content, used as it is"
    reused = {name for name, _ in values.reused}
    names = [name for name in design_names(demand) if name not in reused]
    taken = ", ".join(taken_among(trial.facts.tree, names))
    if taken and any(name.endswith(values.suffix) for name in made):
        yield f"{taken}: taken in the configuration; new names of the design end in {values.suffix}"
    fragment = standing.place.fragment_bytes
    if fragment is not None and values.fragment_bytes == fragment:
        yield f"FRF.12 of {fragment} bytes stays on this circuit: the other end has fragments too"
    elif fragment is None and values.fragment_bytes is not None:
        yield (
            "FRF.12 is new on this circuit: change both ends together, an end without it drops "
            "fragments"
        )
    if any(item.startswith(KEEPALIVE) for item in values.kept):
        yield "the end-to-end keepalive stays: an end that gets no answer takes the circuit down"
    yield "the lines of the far end are for a bare router: design it with --on its configuration"


def _of_members(values: EdgeLines, lines: Sequence[str]) -> Iterator[str]:
    """Name the steps that a bundle that is up needs for new fragments."""
    if values.form is Form.BUNDLE and any(line.startswith(_AGREED) for line in lines):
        yield (
            "MLPPP agrees on interleaving and fragments when its members join: `shutdown` and "
            f"`no shutdown` {', '.join(values.members)} after the lines, at both ends together; "
            "the figures hold from then on, and the bundle is down for a moment"
        )


def _metrics(trial: Device, lines: Sequence[str]) -> Iterator[str]:
    """The routing protocols whose metric the design changes."""
    routers = sorted(
        {other_route.value for other_route in trial.facts.other_routes} & _BY_BANDWIDTH
    )
    if routers and any(line.startswith(" bandwidth ") for line in lines):
        yield f"{', '.join(routers)}: the metric changes with `bandwidth` of the interface"


def _of_lan(demand: EdgeDemand) -> Iterator[str]:
    if any(
        queue_class.kind is MatchKind.DSCP and not queue_class.is_signalling
        for queue_class in demand.classes
    ):
        yield "data keeps the DSCP that it comes with: which packets are which is not stated"
