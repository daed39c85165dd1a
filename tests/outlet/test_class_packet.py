"""The mean packet of a class: whole in its queue, in fragments only in the ring."""

import pytest

from advisor.outlet.background import background_input
from advisor.outlet.class_service import class_packet
from advisor.outlet.outlets import outlets
from tests.support.devices import device_of

BUNDLE = (
    "class-map VOICE\n match ip dscp ef\nclass-map DATA\n match ip dscp af21\n"
    "policy-map EDGE\n class VOICE\n  priority 64\n class DATA\n  bandwidth 100\n{wred}"
    " class class-default\n  fair-queue\n"
    "interface Multilink1\n ppp multilink\n ppp multilink group 1\n"
    " ppp multilink fragment delay 10\n ppp multilink interleave\n service-policy output EDGE\n"
    "interface Serial0/0\n clock rate 256000\n bandwidth 256\n encapsulation ppp\n"
    " ppp multilink\n ppp multilink group 1\n"
)


@pytest.mark.parametrize(
    ("wred", "ends"), [("  random-detect dscp-based\n", (576, 1500)), ("", (340, 1500))]
)
def test_a_queue_holds_whole_packets_where_lfi_cuts_them(wred: str, ends: tuple[int, int]) -> None:
    (outlet,) = outlets(device_of(BUNDLE.format(wred=wred)))
    packet = class_packet(outlet, (), "DATA")

    assert (packet.low, packet.high) == ends


def test_the_ring_holds_fragments() -> None:
    (outlet,) = outlets(device_of(BUNDLE.format(wred="")))
    piece = background_input(outlet)

    assert piece.high == 320
    assert piece.source.endswith("full-size fragments")
