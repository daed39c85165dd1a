"""True rates: counters of two samples over the time between them."""

from datetime import datetime, timedelta

import pytest

from advisor.capture.clock import CaptureTime, TimeSource
from advisor.capture.cuts import read_capture
from advisor.capture.sections import Capture, Section, answer
from advisor.predict.comparison import SampledRate, rates_of
from advisor.predict.comparison.samples import with_remarks
from advisor.shows.observe import observe, sample_pairs

START = datetime(2008, 4, 18, 13, 15, 22)  # noqa: DTZ001 -- a manifest's, in UTC
POLICY = """\
 Serial0/0

  Service-policy output: EDGE

    Class-map: VOICE (match-any)
      {packets} packets, {bytes} bytes
      30 second offered rate 51000 bps, drop rate 0 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Output Queue: Conversation 136
        Bandwidth 128 (kbps) Burst 3200 (Bytes)
        (pkts matched/bytes matched) 419100/26822400
        (total drops/bytes drops) {drops}/0
"""
PEERS = """\
Peers:                state     pkts_rx   pkts_tx  type  drops ckts TCP   uptime
 TCP 192.0.2.1       CONNECT      {received}      {sent}  conf      0    2   0 02:03:04
"""


def section(command: str, text: str, after_s: float) -> Section:
    at = CaptureTime(START + timedelta(seconds=after_s), "UTC", TimeSource.MANIFEST, None)
    return answer(command, text, time=at)


def capture(command: str, first: str, then: str, over_s: float = 30.0) -> Capture:
    return Capture(
        "r1", (section(command, then, over_s),), "r1", earlier=(section(command, first, 0),)
    )


def rates(samples: Capture) -> tuple[SampledRate, ...]:
    return rates_of("r1", sample_pairs(samples))


def policy(packets: int, size: int, drops: int) -> str:
    return POLICY.format(packets=packets, bytes=size, drops=drops)


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        pytest.param(
            (1000, 60_000, 0), (4000, 240_000, 0), (100, 48, 0), id="100 packets a second"
        ),
        pytest.param((1000, 60_000, 0), (1000, 60_000, 0), (0, 0, 0), id="nothing came"),
        pytest.param((1000, 60_000, 5), (4000, 240_000, 35), (100, 48, 1), id="one drop a second"),
        pytest.param((4000, 240_000, 9), (10, 600, 0), (None, None, None), id="cleared meanwhile"),
    ],
)
def test_class(
    first: tuple[int, int, int],
    then: tuple[int, int, int],
    expected: tuple[float | None, float | None, float | None],
) -> None:
    (rate,) = rates(capture("show policy-map interface", policy(*first), policy(*then)))
    assert (rate.packets_per_s, rate.kbps, rate.drops_per_s) == expected
    assert (rate.object, rate.class_name, rate.over_s) == (
        "interface Serial0/0 > output EDGE",
        "VOICE",
        30,
    )


def test_dlsw_peer_has_the_frames_of_both_directions() -> None:
    first, then = PEERS.format(received=1000, sent=2000), PEERS.format(received=1600, sent=2900)
    assert rates(capture("show dlsw peers", first, then)) == (
        SampledRate("r1", "dlsw peer 192.0.2.1", None, 30, 50, None, 0),
    )


@pytest.mark.parametrize(
    "samples",
    [
        pytest.param(Capture("r1", ()), id="one sample"),
        pytest.param(
            capture("show policy-map interface", policy(1, 60, 0), policy(2, 120, 0), 0.1),
            id="two samples at once",
        ),
    ],
)
def test_no_rates_are_made_of(samples: Capture) -> None:
    assert rates(samples) == ()


@pytest.mark.parametrize(
    ("kbps", "drops_per_s", "is_marked"),
    [
        pytest.param(500.0, 0.0, False, id="below the line"),
        pytest.param(530.0, 0.0, False, id="above it by the time between the outputs"),
        pytest.param(3060.0, 0.0, True, id="six times the line"),
        pytest.param(1000.0, 50.0, False, id="offered, and half of it dropped"),
    ],
)
def test_a_rate_above_that_of_the_line_is_marked(
    kbps: float, drops_per_s: float, *, is_marked: bool
) -> None:
    port = (
        "r1#show interfaces\nSerial0/0 is up, line protocol is up\n"
        "  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,\n"
        "     9 packets output, 900 bytes, 0 underruns\n"
    )
    seen = observe(read_capture(port, "r1.txt").sections, "r1.txt")
    counter = ("Serial0/0", None, "WAN", "DATA")
    rate = SampledRate("r1", "interface Serial0/0", "DATA", 5.0, 100.0, kbps, drops_per_s, counter)
    (marked,) = with_remarks([rate], seen)
    assert ("more than the 512 kb/s of the interface" in marked.remark) is is_marked
