"""Priority classes with a rate, at each output, and the calls that they carry."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.matched_packets import Matched, packets_of_classes
from advisor.facts.policy import PolicyClass
from advisor.ios.syntax.names import dscp_code
from advisor.ios.syntax.tree import Location
from advisor.outlet.class_bandwidth import at_link_rate
from advisor.outlet.framing import CallRate, call_rate, calls_within
from advisor.outlet.outlet import Outlet, police_rate_bps
from advisor.outlet.outlets import policies_out
from advisor.settings.traffic_keys import load_codecs

_VOICE: Final = frozenset({dscp_code("ef"), dscp_code("cs5")})


class RatedClass(Struct, frozen=True):
    """A priority class with a rate at one output; `may_be_voice` unless its match proves not."""

    outlet: Outlet
    llq_class: PolicyClass
    rate_bps: float
    may_be_voice: bool

    @property
    def at(self) -> Location:
        """The line that states the rate."""
        priority, police = self.llq_class.priority, self.llq_class.police
        if priority is not None and priority.amount is not None and not self.reserved_in_vain_bps:
            return priority.at
        return police.at if police is not None else self.outlet.at

    @property
    def places(self) -> tuple[Location, ...]:
        """The line that states the rate, and the `priority` that states a larger one."""
        priority = self.llq_class.priority
        if priority is None or not self.reserved_in_vain_bps:
            return (self.at,)
        return self.at, priority.at

    @property
    def reserved_in_vain_bps(self) -> float:
        """Rate of `priority` that the `police` of the class lets no packet use."""
        return (self.outlet.priority_bps(self.llq_class) or self.rate_bps) - self.rate_bps

    def is_policed_below(self, rate_bps: float) -> bool:
        """Whether the `police` of the class drops at this rate, whatever its `priority` is."""
        police = self.llq_class.police
        if police is None or not police.drops:
            return False
        policed_bps = police_rate_bps(police, self.outlet.admission_bps)
        return policed_bps is not None and policed_bps < rate_bps

    @property
    def place(self) -> str:
        """The object path of the class at its output."""
        return f"{self.outlet.policy_label} > class {self.llq_class.name}"

    @property
    def around(self) -> str:
        """What is around each packet of a call; "" where nothing is."""
        return f"; {self.outlet.wrapping}" if self.outlet.known_wrapping is not None else ""

    def calls(self, codec: str) -> int:
        """Calls of the codec's default packets that the policer lets pass and the line carries."""
        call, link = self.call(codec), self.outlet.link
        by_rate = calls_within(self.rate_bps, call.counted_bps)
        if link is None:
            return by_rate
        return min(by_rate, calls_within(link.value, call.wire_high_bps))

    def call(self, codec: str, *, compressed: bool = False) -> CallRate:
        """Rate of one call; see `call_rate`.

        Raises
        ------
        CodecError
            If the codec is not in the table.
        """
        _, packet = load_codecs().packet(codec)
        encapsulation, header_bytes = self.outlet.encapsulation, self.outlet.llq_header_bytes
        return call_rate(
            packet,
            encapsulation,
            compressed=compressed,
            header_bytes=header_bytes,
            wrapping=self.outlet.known_wrapping,
        )


def rated_classes(device: Device) -> Iterator[RatedClass]:
    """Every priority class with a rate, where its policy queues; percentages are of the link."""
    packets = packets_of_classes(device.facts)
    for outlet in map(at_link_rate, policies_out(device)):
        for llq_class in outlet.llq_classes:
            rate_bps = outlet.llq_rate_bps(llq_class)
            if rate_bps is not None:
                matched = packets.of(llq_class.name)
                yield RatedClass(outlet, llq_class, rate_bps, _may_be_voice(matched))


def _may_be_voice(matched: Matched) -> bool:
    if matched.most is None:
        return True
    return any(box.dscps & _VOICE and box.protocol in (None, "udp") for box in matched.most)
