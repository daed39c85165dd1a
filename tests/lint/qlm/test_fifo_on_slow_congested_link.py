"""QLM004: one queue on a slow line that is full."""

import pytest

from advisor.lint.checks.base import Hit, LoadParams
from advisor.lint.checks.qlm.interfaces import find_fifo_on_slow_congested_link
from tests.support.devices import device_read
from tests.support.verdicts import hits_of

SHOWN = """\
Serial0 is up, line protocol is up
  Hardware is PowerQUICC Serial
  MTU 1500 bytes, BW 256 Kbit, DLY 20000 usec,
     reliability 255/255, txload {load}/255, rxload 3/255
  Encapsulation PPP, LCP Open
  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: {drops}
  Queueing strategy: {strategy}
"""
POLICY = "policy-map EDGE\n class class-default\n  fair-queue\n"


def hits(lines: str, *, load: int = 1, drops: int = 0, strategy: str = "fifo") -> list[Hit[object]]:
    text = (
        f"r1#show running-config\n{POLICY}interface Serial0\n{lines}end\n"
        f"r1#show interfaces\n{SHOWN.format(load=load, drops=drops, strategy=strategy)}r1#\n"
    )
    device = device_read(text)
    return hits_of(find_fifo_on_slow_congested_link(device, LoadParams(70.0)))


SLOW, E1, FAST = " clock rate 256000\n", " clock rate 2048000\n", " clock rate 4000000\n"


@pytest.mark.parametrize(
    ("lines", "load", "drops", "found"),
    [
        pytest.param(SLOW, 1, 5, 1, id="drops on a slow line"),
        pytest.param(SLOW, 179, 0, 1, id="a load of 70 %"),
        pytest.param(SLOW, 178, 0, 0, id="a load under it, no drops"),
        pytest.param(E1, 1, 5, 1, id="an E1 is slow"),
        pytest.param(FAST, 250, 5, 0, id="4 Mb/s is not"),
        pytest.param(SLOW + " service-policy output EDGE\n", 250, 5, 0, id="a policy queues"),
        pytest.param(SLOW + " priority-group 1\n", 250, 5, 0, id="priority queueing is no FIFO"),
        pytest.param(SLOW + " ppp multilink group 1\n", 250, 5, 0, id="a bundle queues for it"),
        pytest.param(SLOW + " shutdown\n", 250, 5, 0, id="shut down"),
    ],
)
def test_a_slow_full_fifo(lines: str, load: int, drops: int, found: int) -> None:
    assert len(hits(lines, load=load, drops=drops)) == found


@pytest.mark.parametrize(
    ("peers", "is_named"),
    [
        pytest.param("dlsw remote-peer 0 tcp 192.0.2.1\n", True, id="a branch with DLSw+"),
        pytest.param("", False, id="a branch without"),
    ],
)
def test_the_sessions_of_dlsw_are_named_with_their_queue(peers: str, *, is_named: bool) -> None:
    (hit,) = hits(f"{SLOW}{peers}", drops=5)

    assert ("DLSw+" in hit.evidence.sessions) is is_named  # type: ignore[attr-defined]


def test_weighted_fair_queueing_is_no_fifo() -> None:
    assert hits(SLOW, drops=5, strategy="weighted fair") == []


@pytest.mark.parametrize(
    ("lines", "has_lines"),
    [
        pytest.param("", True, id="HDLC"),
        pytest.param(" encapsulation ppp\n", True, id="PPP"),
        pytest.param(" encapsulation frame-relay IETF\n", True, id="Frame Relay"),
        pytest.param(" encapsulation frame-relay\n frame-relay traffic-shaping\n", False,
                     id="traffic shaping queues in the circuits"),
        pytest.param(" encapsulation ppp\n compress stac\n", False, id="compressed PPP"),
        pytest.param(" encapsulation ppp\n no compress stac\n", True, id="no compression"),
        pytest.param(" encapsulation x25\n", False, id="X.25"),
        pytest.param(" encapsulation stun\n", False, id="STUN carries SDLC"),
        pytest.param(" encapsulation bstun\n", False, id="BSTUN carries SDLC"),
    ],
)  # fmt: skip
def test_fair_queueing_is_offered_where_it_is_to_be_had(lines: str, *, has_lines: bool) -> None:
    (hit,) = hits(SLOW + lines, drops=5)

    assert hit.curable is has_lines
