"""Outputs without a policy as outlets: what queues there, and how much it holds."""

import pytest

from advisor.ground.quantity import Basis
from advisor.model import Framing, QueueKind
from advisor.outlet.outlet import Outlet, Queueing
from advisor.outlet.plain import plain_outlets
from advisor.outlet.scheduler import scheduler_of
from tests.support.devices import device_read

SERIAL = """\
version 12.4
hostname EDGE
interface Serial0/0
 ip address 10.0.0.1 255.255.255.252
 encapsulation ppp
 clock rate 512000
"""
CIRCUIT = """\
version 12.4
hostname EDGE
interface Serial0/0
 encapsulation frame-relay
 clock rate 512000
 frame-relay traffic-shaping
interface Serial0/0.1 point-to-point
 ip address 10.0.0.1 255.255.255.252
 frame-relay interface-dlci 100
  class BRANCH
map-class frame-relay BRANCH
"""


def plain(text: str) -> Outlet:
    (outlet,) = plain_outlets(device_read(text, file="r1.cfg"))
    return outlet


@pytest.mark.parametrize(
    ("lines", "kind", "packets", "basis"),
    [
        ("", Queueing.FAIR_QUEUE, 1000, Basis.DEFAULT),
        (" hold-queue 200 out\n", Queueing.FAIR_QUEUE, 200, Basis.CONFIGURED),
        (" no fair-queue\n", Queueing.FIFO, 40, Basis.DEFAULT),
        (" no fair-queue\n hold-queue 60 out\n", Queueing.FIFO, 60, Basis.CONFIGURED),
        (" bandwidth 4000\n", Queueing.FIFO, 40, Basis.DEFAULT),
    ],
)
def test_a_serial_without_a_policy(lines: str, kind: Queueing, packets: int, basis: Basis) -> None:
    outlet = plain(SERIAL + lines)

    assert outlet.kind is kind
    assert outlet.hold_queue is not None
    assert (outlet.hold_queue.value, outlet.hold_queue.basis) == (packets, basis)


@pytest.mark.parametrize(
    ("lines", "kind", "packets", "rate_bps", "tc_ms"),
    [
        ("", Queueing.FIFO, 40, 56_000, 125),
        (" frame-relay cir 128000\n frame-relay bc 1280\n", Queueing.FIFO, 40, 128_000, 10),
        (" frame-relay cir 64000\n frame-relay holdq 80\n", Queueing.FIFO, 80, 64_000, 125),
        (" frame-relay cir 64000\n frame-relay fair-queue\n", Queueing.FAIR_QUEUE, 600, 64_000,
         125),
    ],
)  # fmt: skip
def test_a_shaped_circuit_without_a_policy(
    lines: str, kind: Queueing, packets: int, rate_bps: float, tc_ms: float
) -> None:
    device = device_read(CIRCUIT + lines, file="r1.cfg")
    (outlet,) = plain_outlets(device)
    shaper = scheduler_of(outlet, device.platform)[0].buckets.line_shaper(Framing(7))

    assert (outlet.kind, outlet.hold_queue and outlet.hold_queue.value) == (kind, packets)
    assert shaper is not None
    assert shaper.rate_bps == rate_bps
    assert shaper.interval_ms == pytest.approx(tc_ms)


@pytest.mark.parametrize(("version", "by_precedence"), [("12.2", True), ("15.1", False)])
def test_fair_queueing_weighs_by_precedence_before_hqf(version: str, by_precedence: bool) -> None:
    device = device_read(SERIAL.replace("12.4", version), file="r1.cfg")
    (outlet,) = plain_outlets(device)
    scheduler = scheduler_of(outlet, device.platform)[0]
    (queue,) = scheduler.queues(["class-default"], Framing(7))

    assert (queue.kind, queue.by_precedence) == (QueueKind.FAIR, by_precedence)
    assert queue.flow_limit_packets == 64


def test_an_interface_of_ios_xe_has_no_queueing_that_is_known() -> None:
    assert not plain_outlets(device_read(SERIAL.replace("12.4", "16.9"), file="r1.cfg"))
