"""Priority classes with a rate, at each output, and the calls that they carry."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.facts.traffic_kinds import may_be_for_voice
from advisor.ground.quantity import Input, Unknown, rate_words, span
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax import Location
from advisor.outlet.class_bandwidth import (
    PEAK_BASE,
    at_link_rate,
    at_stated_rate,
    in_force,
    wrong_base,
)
from advisor.outlet.framing import CallRate, call_rate, calls_within
from advisor.outlet.link_rates import service_rate
from advisor.outlet.outlet import Outlet, police_rate_bps
from advisor.outlet.outlets import at_rate, policies_out
from advisor.outlet.wrapping import CRTP
from advisor.settings.traffic_keys import load_codecs


class RatedClass(Struct, frozen=True):
    """A priority class with a rate at one output; `may_be_voice` unless its match proves not.

    Where a provider carries `sold` alone, and nothing in the router holds the packets to it, the
    output is judged at that rate.
    """

    outlet: Outlet
    llq_class: PolicyClass
    rate_bps: float
    may_be_voice: bool
    sold: Input | None = None
    least_bps: float | None = None  # where the rate may be less: a percentage below `shape peak`

    @property
    def least(self) -> "RatedClass | None":
        """The class at the least rate that it may have; None where the rate is one."""
        if self.least_bps is None or self.least_bps >= self.rate_bps:
            return None
        return replace(self, rate_bps=self.least_bps)

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
        """Name the sold rate that counts, and the headers around each packet; "" without any."""
        outside, framing = self.outlet.around(self.llq_class.name), self.outlet.encapsulation
        wrapping = f"; {outside}" if outside is not None else ""
        if self.least is not None:
            wrapping = f"; {PEAK_BASE}{wrapping}"
        if framing is not None and framing.open_count is not None:
            wrapping += f"; {framing.open_count}"
        if self.sold is None:
            return wrapping
        sold = rate_words(kbps_from_bps(self.sold.value))
        return f"; at the {sold} of the {self.sold.kind}{wrapping}"

    def calls(self, codec: str) -> tuple[int, int]:
        """The fewest and the most calls that the policer lets pass and the line carries.

        They are of the codec's default packets, and differ where not all around them is known.
        """
        call, link = self.call(codec), self.outlet.link
        fewest, most = (
            calls_within(rate_bps, rate)
            for rate_bps, rate in (
                (self.least_bps or self.rate_bps, call.counted_bps),
                (self.rate_bps, call.counted_low_bps),
            )
        )
        if link is None:
            return fewest, most
        on_line = calls_within(link.value, call.wire_high_bps)
        around = self.outlet.around(self.llq_class.name)
        if around is None or around.least is None:
            return min(fewest, on_line), min(most, on_line)
        return min(fewest, on_line), min(most, calls_within(link.value, call.wire_low_bps))

    def call(self, codec: str, *, compressed: bool = False) -> CallRate:
        """Rate of one call; see `call_rate`. `compressed`: by cRTP, wherever no tunnel hides it.

        Raises
        ------
        CodecError
            If the codec is not in the table.
        """
        _, packet = load_codecs().packet(codec)
        around = self.outlet.around(self.llq_class.name) or (CRTP if compressed else None)
        return call_rate(packet, self.outlet.encapsulation, wrapping=around)


def rated_classes(device: Device) -> Iterator[RatedClass]:
    """Every priority class with a rate, where its policy queues."""
    for outlet in policies_out(device):
        yield from rated_classes_of(device, outlet)


def rated_classes_of(device: Device, stated: Outlet) -> Iterator[RatedClass]:
    """The priority classes of an output with a rate; percentages are of the rate that IOS takes.

    A percentage of a wrong `bandwidth` is no rate where no packet waits for it: LLQ008 has it.
    """
    sold = service_rate(device, stated)
    outlet = in_force(stated) if sold is None else at_rate(device, stated, sold)
    at_link = at_link_rate(outlet) if outlet.is_never_full else outlet
    for llq_class in outlet.llq_classes:
        rate_bps = outlet.llq_rate_bps(llq_class)
        if rate_bps is not None and rate_bps == at_link.llq_rate_bps(llq_class):
            is_open = may_be_for_voice(device.facts, llq_class.name)
            least_bps = at_stated_rate(outlet).llq_rate_bps(llq_class)
            yield RatedClass(outlet, llq_class, rate_bps, is_open, sold, least_bps)


def calls_at_link_rate(device: Device, stated: Outlet) -> str:
    """The calls that priority classes carry today and once `bandwidth` is the link's; "" if alike.

    A percentage is then of the link, and not of the `bandwidth` that contradicts it.
    """
    if stated.is_never_full or wrong_base(stated) is None or isinstance(stated.wrapping, Unknown):
        return ""  # no class meters calls at a place that is never full
    pairs = zip(
        rated_classes_of(device, stated),
        rated_classes_of(device, at_link_rate(stated)),
        strict=True,
    )
    words = [
        f"class {now.llq_class.name} carries {span(*now.calls(codec))} calls of {codec} today, "
        f"{span(*then.calls(codec))} with the `bandwidth` of the line"
        for now, then in pairs
        for codec in ("G.729",)
        if now.may_be_voice and now.calls(codec) != then.calls(codec)
    ]
    return ", ".join(words)
