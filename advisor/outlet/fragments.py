"""The fragment of LFI that an output needs, and the statement that sets it."""

from math import floor

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts import Stated
from advisor.facts.ranges import FRAGMENT_BYTES
from advisor.ground.units import bytes_in_ms, kbps_from_bps, serialization_ms
from advisor.model import AAL5_TRAILER_BYTES, CELL_BYTES, CELL_PAYLOAD_BYTES, Framing, wire_ms
from advisor.outlet.framing import Layer2, encapsulation_of
from advisor.outlet.link_rates import is_frame_relay
from advisor.outlet.outlet import Outlet
from advisor.outlet.parts import fragment_base_bps

_LEAST_BYTES = 60  # G.729 at 20 ms: LFI must not cut the voice packets


class Fragment(Struct, frozen=True):
    """A fragment in bytes of payload, and its time in ms with its overhead at a rate in bit/s."""

    size_bytes: int
    time_ms: float
    rate_bps: float

    @property
    def holds_voice(self) -> bool:
        """Whether the packets of a G.729 call stay whole."""
        return self.size_bytes >= _LEAST_BYTES


def fragment_for(outlet: Outlet, budget_ms: float, rate_bps: float | None = None) -> Fragment:
    """Fragment that a rate sends in a time: by default the slower one of wire and shaper.

    Frame Relay and ATM: the largest that keeps the time with its header, in whole cells, and of
    Frame Relay no smaller one than IOS takes. MLPPP:
    what IOS cuts by `ppp multilink fragment delay`, rate times delay; its header comes on top.
    Sources: Cisco document 24041; Cisco SRND.
    """
    framing = _framing(outlet)
    rate_bps = outlet.line_bps if rate_bps is None else rate_bps
    fits = int(bytes_in_ms(rate_bps, budget_ms))
    size = fits
    if framing.cells:
        cells = fits // CELL_BYTES
        size = cells * CELL_PAYLOAD_BYTES - AAL5_TRAILER_BYTES - framing.overhead_bytes
    elif is_frame_relay(outlet):
        size = max(fits - framing.overhead_bytes, FRAGMENT_BYTES.low if rate_bps else 0)
    size = max(0, size)
    time_ms = wire_ms(size, framing, rate_bps) if rate_bps and size else 0.0
    return Fragment(size, time_ms, rate_bps)


def _framing(outlet: Outlet) -> Framing:
    """Return the framing of a fragment: PPP or HDLC on a serial fragments as a bundle's member."""
    encapsulation = outlet.encapsulation
    if encapsulation is not None and encapsulation.kind in (Layer2.PPP, Layer2.HDLC):
        group = Stated(1, outlet.at)
        member = replace(
            outlet.interface, multilink=replace(outlet.interface.multilink, group=group)
        )
        encapsulation = encapsulation_of(member, None) if outlet.pvc is None else encapsulation
    return encapsulation.high if encapsulation is not None else Framing(0)


def how_to_fragment(outlet: Outlet, fragment: Fragment, delay_ms: float) -> str:
    """Name the command that sets the fragment; both ends of the link need it.

    Frame Relay: a map-class has its own form, and under Frame Relay traffic shaping IOS takes no
    other (recalled); else the form of the interface, which excludes a policy that shapes. Source:
    Cisco IOS Wide-Area Networking Command Reference, frame-relay fragment, and the FRF.12 guide.
    """
    size = fragment.size_bytes
    if is_frame_relay(outlet):
        return f"FRF.12 on both ends: `frame-relay fragment {size}{_where_of_frame_relay(outlet)}"
    if outlet.bundle is not None or outlet.fragment_bytes is not None:
        whole_ms = _whole_delay_ms(outlet, fragment, delay_ms)
        size = int(bytes_in_ms(fragment.rate_bps, whole_ms))
        home = outlet.bundle or outlet.session or outlet.interface
        command = f"`ppp multilink {home.multilink.delay_words} {whole_ms}`"
        where = f"on interface {outlet.attached_to}{_label(outlet)}"
        return f"{command} {where} and at the other end (fragments of {size} bytes)"
    if outlet.pvc is not None:
        return f"MLPPP over ATM on both ends, fragments of {size} bytes in whole cells"
    return (
        f"MLPPP with interleaving on both ends (fragments of {size} bytes), "
        "with the policy on the Multilink interface"
    )


def _where_of_frame_relay(outlet: Outlet) -> str:
    if outlet.map_class is not None:
        return f"` in map-class frame-relay {outlet.map_class}"
    if outlet.is_frame_relay_shaped:
        return "` in a map-class of the circuit"
    if outlet.interface.is_subinterface or outlet.shaper_bps is not None:
        moved = f"`service-policy output {outlet.policy.name}` there, not on the interface"
        return f"` in a map-class of the circuit, with {moved}"
    return " end-to-end`"


def _label(outlet: Outlet) -> str:
    """The `bandwidth` that a member needs: IOS takes the delay of it, not of the clock."""
    base_bps = fragment_base_bps(outlet.interface, outlet.wire)
    if outlet.bundle is None or base_bps == outlet.wire_bps or not outlet.wire_bps:
        return ""
    kbps = kbps_from_bps(outlet.wire_bps)
    return f", `bandwidth {kbps:.0f}` on {outlet.interface.name}"


def _whole_delay_ms(outlet: Outlet, fragment: Fragment, delay_ms: float) -> int:
    """The delay that IOS takes for a fragment, in whole ms.

    IOS cuts rate times delay; cells and their headers come on top, so in cells that delay is less
    than the time on the wire.
    """
    in_cells = outlet.encapsulation is not None and outlet.encapsulation.high.cells
    if in_cells and fragment.rate_bps:
        delay_ms = serialization_ms(fragment.size_bytes, fragment.rate_bps)
    return max(1, floor(delay_ms))
