"""Outputs with an LLQ that fragment: their fragments and whole packets in time on the link."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.stated import Stated
from advisor.lint.checks.base import Skip
from advisor.outlet.framing import Encapsulation
from advisor.outlet.link_rates import slowest_bps
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.quantity import Basis, Input, exact
from advisor.theory.interface import wire_ms


class CutLink(Struct, frozen=True):
    """An output that fragments, and the slowest rate that its fragments pass."""

    outlet: Outlet
    fragment: Stated[float]
    encapsulation: Encapsulation
    rate_bps: float

    @property
    def fragment_ms(self) -> float:
        """Time of the largest packet that leaves whole."""
        return self.time_ms(self.outlet.largest_ip_bytes)

    @property
    def whole_ms(self) -> float:
        """Time of a packet of the MTU, if nothing cut it."""
        return self.time_ms(int(self.outlet.mtu.value))

    def time_ms(self, size_bytes: int) -> float:
        """Time of a piece on the wire, with its headers and cells."""
        return wire_ms(size_bytes, self.encapsulation.high, self.rate_bps)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The fragment, the rate and the bytes around a packet."""
        at = self.fragment.at
        size = exact("fragment_bytes", self.fragment.value, Basis.CONFIGURED, f"fragment, {at}")
        wire = self.outlet.wire
        basis = wire.basis if wire is not None else Basis.CONFIGURED
        source = "the slowest of line, CIR, shaper and other end"
        rate = exact("slowest_rate_bps", self.rate_bps, basis, source)
        return (size, rate, *self.outlet.overhead_inputs)


def cut_links(device: Device, *, without_llq: bool = False) -> Iterator[CutLink | Skip]:
    """Outputs with an LLQ and fragments, the members of a bundle once: the one that cuts worst."""
    links: dict[tuple[str, ...], CutLink] = {}
    for outlet in outlets(device):
        if outlet.fragment_bytes is None or not (outlet.llq_classes or without_llq):
            continue
        if outlet.why_fragment_unknown is not None:
            yield Skip(outlet.label, outlet.why_fragment_unknown)
        elif outlet.wire is None or outlet.encapsulation is None:
            yield Skip(outlet.label, outlet.why_rate_unknown)
        else:
            rate_bps = slowest_bps(device, outlet)
            link = CutLink(outlet, outlet.fragment_bytes, outlet.encapsulation, rate_bps)
            known = links.get(outlet.section)
            if known is None or known.fragment_ms < link.fragment_ms:
                links[outlet.section] = link
    yield from links.values()
