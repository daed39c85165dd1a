"""Queueing at the rate of a port that is faster than what the provider sells on it."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.link_rates import unheld_rate
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.parts import is_virtual, policy_queues
from advisor.outlet.shaper import advised_bc_bits
from advisor.quantity import Figure, Input, RateKind, rate_text
from advisor.units import kbps_from_bps

_METRIC: Final = "rate from which on the policy queues"
_LONGEST_NAME: Final = 40  # characters of a policy-map; Cisco QoS command reference
_SHAPE_CIRCUITS: Final = (
    "`frame-relay traffic-shaping` on the main interface makes the CIR a shaper, but it shapes "
    "every circuit: one without a map-class gets 56 kb/s. Give all circuits a CIR first"
)
_NAME_THE_RATE: Final = (
    "`bandwidth` may be a metric of routing alone: if the provider sells this rate, name it in the "
    "description of the interface, and the lines of the shaper follow"
)
_ADVICE: Final[Mapping[RateKind, str]] = MappingProxyType(
    {RateKind.CIR: _SHAPE_CIRCUITS, RateKind.BANDWIDTH_LABEL: _NAME_THE_RATE}
)
_SIGNS: Final[Mapping[RateKind, str]] = MappingProxyType(
    {
        RateKind.DESCRIPTION: "the description names",
        RateKind.BANDWIDTH_LABEL: "`bandwidth` is",
        RateKind.CIR: "the CIR of the circuit, which nothing shapes to it, is",
    }
)


class Evidence(Struct, frozen=True):
    """The port, the rate that is sold on it and what says so, and the shaper to put around."""

    policy_map: str
    sign: str
    sold_kbps: str
    port_kbps: str
    rate_bps: int
    bc_bits: int
    parent: str
    interface: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each policy that queues at the rate of a port of which less is sold.

    A subinterface and the like is REF007's: IOS refuses the policy there.
    """
    del params
    for outlet in policies_out(device):
        sold = unheld_rate(device, outlet) if _queues_at_the_port(device, outlet) else None
        unread = device.facts.unread_in_policy(outlet.policy.name, "shape")
        if sold is not None and unread is not None:
            yield Skip(outlet.policy_label, f"{unread.at} is not understood: it may be the shaper")
            continue
        if sold is not None:
            yield _hit(device, outlet, sold)


def _queues_at_the_port(device: Device, outlet: Outlet) -> bool:
    is_refused = is_virtual(outlet.interface) and outlet.circuit is None
    is_shaped = outlet.shaper_bps is not None
    return not is_refused and not is_shaped and policy_queues(device.facts, outlet.queueing)


def _hit(device: Device, outlet: Outlet, sold: Input) -> Hit[Evidence]:
    port = outlet.bundle_wire or outlet.wire
    port_bps = port.value if port is not None else 0.0
    kind = sold.kind or RateKind.BANDWIDTH_LABEL
    rate_bps = int(sold.value)
    evidence = Evidence(
        policy_map=outlet.policy.name,
        sign=_SIGNS[kind],
        sold_kbps=rate_text(kbps_from_bps(sold.value)),
        port_kbps=rate_text(kbps_from_bps(port_bps)),
        rate_bps=rate_bps,
        bc_bits=advised_bc_bits(rate_bps, device.platform),
        parent=_free_name(device, f"{outlet.policy.name}-{rate_text(kbps_from_bps(rate_bps))}K"),
        interface=outlet.attached_to,
    )
    is_label = kind is RateKind.BANDWIDTH_LABEL
    return Hit(
        outlet.policy_label,
        (outlet.at,),
        evidence,
        Confidence.POSSIBLE if is_label else Confidence.LIKELY,
        Forecast(
            _METRIC,
            _figure(port_bps),
            None if kind in _ADVICE else _figure(rate_bps),
            (sold, *((port,) if port is not None else ())),
            is_felt=False,
        ),
        severity=Severity.INFO if is_label else None,
        curable=kind not in _ADVICE,
        advice=_ADVICE.get(kind),
    )


def _free_name(device: Device, wanted: str) -> str:
    """A name that no policy-map has, short enough for IOS."""
    names = (
        wanted[-_LONGEST_NAME:],
        *(f"{wanted[-_LONGEST_NAME + 3 :]}-{n}" for n in range(2, 99)),
    )
    return next(name for name in names if device.facts.policy_map(name) is None)


def _figure(rate_bps: float) -> Figure:
    rate_kbps = kbps_from_bps(rate_bps)
    return Figure(rate_kbps, rate_kbps, rate_kbps, "kb/s")


def measure(device: Device, label: str) -> Figure | None:
    """The rate from which on the policy with this label queues: of its shaper, else its port."""
    for outlet in policies_out(device):
        if outlet.policy_label == label and outlet.link is not None:
            return _figure(outlet.link.value)
    return None


CHECK = Check(NoParams, Evidence, find, measure)
