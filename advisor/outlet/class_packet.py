"""The mean IP packet of a class: measured, stated, else assumed from the kind of its traffic."""

from collections.abc import Sequence

from advisor.outlet.offer import Offer, background_packet
from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis, Input

SPARSE_LOW_BYTES, SPARSE_HIGH_BYTES = 60, 200  # G.729 and G.711 at 20 ms
SMALLEST_DATA_BYTES, LARGEST_DATA_BYTES = 576, 1500  # TCP under WRED, if not known


def class_packet(outlet: Outlet, offers: Sequence[Offer], name: str) -> Input:
    """Mean IP packet of a class in bytes.

    Parameters
    ----------
    outlet : Outlet
        The output.
    offers : sequence of Offer
        The measured or stated traffic of its classes.
    name : str
        The class.

    Returns
    -------
    Input
        Exact where sizes are measured or stated. Else 60 to 200 bytes for an LLQ (the value is the
        smallest: a call of G.729) with its header under FRF.12, 576 to 1500 for a class under
        WRED, and the packet of `background_packet` for all other classes. A queue holds whole
        packets: LFI cuts them when they leave it.
    """
    label = f"mean_ip_bytes of {name}"
    own = [offer for offer in offers if offer.class_name == name]
    known = [offer for offer in own if offer.sizes]
    if known and not any(offer.lacks_sizes for offer in own):
        mean_bytes = _mean_ip_bytes(known)
        first = known[0]
        return Input(label, mean_bytes, mean_bytes, mean_bytes, first.basis, first.source)
    policy_class = outlet.class_named(name)
    if policy_class is not None and policy_class.priority is not None:
        more = outlet.llq_header_bytes
        around = outlet.known_wrapping
        low, high = (float(each + more) for each in sparse_ends(outlet))
        source = "voice: G.729 to G.711 at 20 ms"
        source += f", in {around.through}" if around else ""
        source += f", with {more} bytes of FRF.12" if more else ""
        return Input(label, low, low, high, Basis.ASSUMED, source)
    if policy_class is not None and policy_class.wred is not None:
        return data_packet(label, outlet.mtu.value)
    background = background_packet(outlet)
    low, high = background.low, background.high
    return Input(label, background.value, low, high, background.basis, background.source)


def sparse_ends(outlet: Outlet) -> tuple[int, int]:
    """IP bytes of the packets of voice whose sizes nobody states: of G.729 and of G.711."""
    ends, around = (SPARSE_LOW_BYTES, SPARSE_HIGH_BYTES), outlet.known_wrapping
    return ends if around is None else (around.outside(ends[0]), around.outside(ends[1]))


def _mean_ip_bytes(offers: Sequence[Offer]) -> float:
    """Mean packet of the offers of a class: by their rates where all are known, else alike."""
    rates = [offer.packets_per_second for offer in offers]
    known = [rate for rate in rates if rate is not None]
    weights = known if len(known) == len(rates) and sum(known) > 0 else [1.0] * len(rates)
    pairs = zip(weights, offers, strict=True)
    return sum(weight * offer.mean_ip_bytes for weight, offer in pairs) / sum(weights)


def data_packet(label: str, largest_ip_bytes: float = LARGEST_DATA_BYTES) -> Input:
    """Mean packet of unknown TCP data, never larger than the MTU."""
    high = min(float(LARGEST_DATA_BYTES), float(largest_ip_bytes))
    low = min(float(SMALLEST_DATA_BYTES), high)
    source = "TCP: 576 to full-size packets"
    return Input(label, (low + high) / 2, low, high, Basis.ASSUMED, source)
