"""Shapers that outputs show in force: the rate of a circuit, and signs of its congestion."""

import pytest

from advisor.device.device import Device
from advisor.outlet.congestion import congestion_of
from advisor.outlet.outlets import policies_out
from advisor.outlet.plain import plain_outlets
from tests.support.devices import device_read

LOAD_PERCENT = 70.0
POLICY = "policy-map P\n class class-default\n  fair-queue\n"
CONFIG = """\
version 12.3
hostname r1
{head}interface Serial0/0
 encapsulation frame-relay
 clock rate 1536000
{shaping}interface Serial0/0.2 point-to-point
 frame-relay interface-dlci 200
{own}{more}end
"""
SHAPING = " frame-relay traffic-shaping\n"
PVC = """\
DLCI = 200, DLCI USAGE = LOCAL, PVC STATUS = ACTIVE, INTERFACE = Serial0/0.2
  input pkts 10            output pkts 9000         in bytes 4000
  out bytes 900000         dropped pkts {drops}     in FECN pkts 0
  30 second output rate {rate} bits/sec, 6 packets/sec
  pvc create time 1d02h, last time pvc status changed 1d01h
  cir {cir}    bc {bc}      be 0         limit 320    interval 10
  mincir {minimum}    byte increment 320   BECN response no  IF_CONG no
  pkts 9000      bytes 900000    pkts delayed 10        bytes delayed 900
  shaping active
  traffic shaping drops {drops}
"""


def shown(cir: int = 256_000, drops: int = 0, rate: int = 1000) -> str:
    return PVC.format(cir=cir, bc=cir // 100, minimum=cir // 2, drops=drops, rate=rate)


def read(
    output: str, *, head: str = "", shaping: str = SHAPING, own: str = "", more: str = ""
) -> Device:
    config = CONFIG.format(head=head, shaping=shaping, own=own, more=more)
    text = f"r1#show running-config\n{config}r1#show frame-relay pvc\n{output}r1#\n"
    return device_read(text)


@pytest.mark.parametrize(
    ("device", "rate_bps"),
    [
        pytest.param(read(shown()), 256_000, id="where no map-class is"),
        pytest.param(
            read(shown(), own="  class LOST\n"), 256_000, id="where the text lacks the map-class"
        ),
        pytest.param(
            read(
                shown(),
                own="  class M\n",
                more="map-class frame-relay M\n frame-relay cir 128000\n",
            ),
            256_000,
            id="where a line ahead of the output states another CIR",
        ),
    ],
)
def test_a_circuit_is_held_to_the_shaper_in_force(device: Device, rate_bps: float) -> None:
    (outlet,) = plain_outlets(device)
    assert outlet.shaper_bps == rate_bps


def test_a_policy_is_admitted_against_the_least_rate_in_force() -> None:
    device = read(shown(), head=POLICY, own="  class M\n", more="map-class frame-relay M\n"
                  " service-policy output P\n")  # fmt: skip
    (outlet,) = policies_out(device)
    assert (outlet.shaper_bps, outlet.admission_bps) == (256_000, 128_000)
    assert outlet.circuit_bc_bits is not None
    assert (outlet.circuit_bc_bits.value, str(outlet.circuit_bc_bits.at)) == (2560, "r1.txt:18")


def test_a_circuit_that_nothing_shapes_keeps_its_line() -> None:
    device = read(shown(), head=POLICY, shaping="", own="  class M\n",
                  more="map-class frame-relay M\n service-policy output P\n")  # fmt: skip
    assert [outlet.shaper_bps for outlet in policies_out(device)] == []
    (circuit,) = device.facts.interfaces[1].circuits
    assert circuit.cir_bps is None


STATISTICS = """\
                  Acc. Queue Packets   Bytes     Packets   Bytes     Shaping
I/F               List Depth                     Delayed   Delayed   Active
Se0/0.2                 {depth}     1000      900000    940       850000    {active}
"""
QUEUE = """\
Traffic queued in shaping queue on Serial0/0 dlci 200
  Queueing strategy: weighted fair
  Queueing Stats: 14/600/64/{drops} (size/max total/threshold/drops)
"""


@pytest.mark.parametrize(
    ("command", "output", "signs"),
    [
        pytest.param(
            "statistics",
            STATISTICS.format(depth=14, active="yes"),
            "14 packets waiting in its shaper, which delayed 94 % of all",
            id="packets wait",
        ),
        pytest.param("statistics", STATISTICS.format(depth=0, active="yes"), None, id="none waits"),
        pytest.param("statistics", STATISTICS.format(depth=0, active="no"), None, id="inactive"),
        pytest.param(
            "queue", QUEUE.format(drops=9), "9 packets dropped by its shaper", id="a queue drops"
        ),
        pytest.param(
            "queue", QUEUE.format(drops=0), "14 packets waiting in its shaper", id="a queue"
        ),
    ],
)
def test_traffic_shaping_shows_congestion(command: str, output: str, signs: str | None) -> None:
    more = (
        f"map-class frame-relay M\n service-policy output P\nend\nr1#show traffic-shape {command}\n"
    )
    config = CONFIG.format(head=POLICY, shaping=SHAPING, own="  class M\n", more=more)
    device = device_read(
        f"r1#show running-config\n{config.removesuffix('end' + chr(10))}{output}r1#\n"
    )
    (outlet,) = policies_out(device)
    found = congestion_of(device.seen, outlet, LOAD_PERCENT)
    assert (found.signs if found is not None else None) == signs


@pytest.mark.parametrize(
    ("output", "signs"),
    [
        pytest.param(shown(), None, id="idle"),
        pytest.param(shown(drops=418), "418 packets dropped by its shaper", id="drops"),
        pytest.param(shown(rate=180_000), "a load of 70 % of its shaper", id="a load at the limit"),
        pytest.param(shown(rate=179_000), None, id="a load below it"),
        pytest.param(
            shown()
            .replace(
                "shaping active", "shaping active\n  Output queue size 2/max total 600/drops 0"
            )
            .replace(
                "  pkts 9000      bytes 900000    pkts delayed 10 ",
                "  frags 120100   bytes 900000    frags delayed 88000 ",
            ),
            "2 packets waiting in its shaper, which delayed 73 % of all",
            id="delayed fragments are a part of the fragments",
        ),
        pytest.param(
            shown()
            .replace("dropped pkts 0  ", "dropped pkts 77 ")
            .replace(
                "  30 second",
                "  out pkts dropped 77               out bytes dropped 61600\n  30 second",
            ),
            "77 packets dropped by its shaper",
            id="drops of its queue, where the shaper itself drops nothing",
        ),
    ],
)
def test_a_circuit_shows_congestion(output: str, signs: str | None) -> None:
    device = read(output, head=POLICY, own="  class M\n", more="map-class frame-relay M\n"
                  " service-policy output P\n")  # fmt: skip
    (outlet,) = policies_out(device)
    found = congestion_of(device.seen, outlet, LOAD_PERCENT)
    assert (found.signs if found is not None else None) == signs
