"""Conversations of WFQ: as configured, else by the bandwidth of the interface."""

import pytest

from advisor.ground.quantity import Basis, Input
from advisor.outlet.excess import conversations_of, dynamic_queues
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.settings import PacketShare, Traffic
from tests.support.devices import device_read

CONFIG = """\
hostname R
version 12.4(25)
policy-map P
 class VOICE
  priority 64
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 256
 clock rate 256000
 encapsulation ppp
 service-policy output P
"""


@pytest.mark.parametrize(
    ("kbps", "queues"), [(64, 16), (65, 32), (128, 32), (256, 64), (512, 128), (513, 256)]
)
def test_dynamic_queues_of_the_command_reference(kbps: float, queues: int) -> None:
    assert dynamic_queues(kbps * 1000) == queues


def conversations(config: str) -> Input | None:
    device = device_read(config, file="r.cfg")
    outlet = outlets(device)[0]
    return conversations_of(outlet, device.platform, offers_of(outlet, ()))


def test_where_the_streams_are_not_known_there_are_one_to_all_queues() -> None:
    found = conversations(CONFIG)

    assert found is not None
    assert (found.low, found.high, found.basis) == (1, 64, Basis.DEFAULT)


def test_a_configured_number_wins() -> None:
    found = conversations(CONFIG.replace("fair-queue", "fair-queue 32"))

    assert found is not None
    assert (found.high, found.basis) == (32, Basis.CONFIGURED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("  fair-queue\n", "", id="class-default without fair-queue"),
        pytest.param("version 12.4(25)", "version 15.1", id="HQF"),
        pytest.param("  fair-queue\n", "  no fair-queue\n", id="fair-queue turned off"),
    ],
)
def test_elsewhere_nothing_is_counted(old: str, new: str) -> None:
    assert conversations(CONFIG.replace(old, new)) is None


@pytest.mark.parametrize(
    ("streams", "conversations", "basis", "source"),
    [
        pytest.param(3, 3, Basis.CONFIGURED, "3 streams, less than 64 dynamic queues; t.toml:1",
                     id="fewer streams than queues"),
        pytest.param(100, 64, Basis.DEFAULT, "64 dynamic queues at 256 kb/s",
                     id="more streams than queues"),
    ],
)  # fmt: skip
def test_the_source_is_that_of_the_number(
    streams: int, conversations: int, basis: Basis, source: str
) -> None:
    shares = (PacketShare(500, 1.0),)
    stated = Traffic("*", "*", "class-default", shares, None, streams, "saturated", "t.toml:1")
    device = device_read(CONFIG, file="r.cfg")
    outlet = outlets(device)[0]
    known = conversations_of(outlet, device.platform, offers_of(outlet, (stated,)))

    assert known is not None
    assert (known.value, known.basis) == (conversations, basis)
    assert known.source.startswith(source)
