"""The share of a class without known traffic is that of the line that the classes divide."""

import pytest

from advisor.ground.wording import RemarkKind, remark_words
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question
from advisor.predict.classes.figures import UnstatedClass
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read

SILENT = Traffic("*", "*", "VOICE", (PacketShare(60, 1.0),), 0.0, 1, "periodic", "test")
CONFIG = """\
version 15.2
hostname EDGE
policy-map QUEUES
 class VOICE
  priority 96
 class class-default
policy-map SHAPED
 class class-default
  shape average 700000 7000 0
  service-policy QUEUES
"""
ACCOUNT = " account user-defined 60"
CELLS = " account dot1q aal5 snap-pppoe"
ETHERNET = "interface FastEthernet0/0\n speed 100\n duplex full\n service-policy output {}\n"
SERIAL = "interface Serial0/0\n clock rate 512000\n encapsulation ppp\n service-policy output {}\n"


def _rest(config: str) -> UnstatedClass:
    device = device_read(config, Settings(traffic=(SILENT,)))
    (outlet,) = outlets(device)
    question = Question(outlet, offers_of(outlet, device.traffic), device.platform, None)
    said = solved(question)
    assert isinstance(said, SolvedOutlet)
    (rest,) = said.unstated
    return rest


@pytest.mark.parametrize(
    ("interface", "policy"),
    [
        pytest.param(ETHERNET, "SHAPED", id="a shaper counts 14 of 38 bytes around a packet"),
        pytest.param(ETHERNET, "QUEUES", id="Ethernet"),
        pytest.param(SERIAL, "QUEUES", id="serial"),
    ],
)
def test_a_class_that_is_alone_takes_the_whole_line(interface: str, policy: str) -> None:
    rest = _rest(CONFIG + interface.format(policy))
    assert 94 < rest.share_percent.low <= rest.share_percent.high < 100.5  # a run is short


def test_bytes_that_a_shaper_counts_more_leave_less_for_ip() -> None:
    config = CONFIG + ETHERNET.format("SHAPED")
    rest, more = (_rest(config.replace("7000 0", f"7000 0{each}")) for each in ("", ACCOUNT))
    assert more.share_percent.high < 100.5
    assert more.goodput.low < 0.98 * rest.goodput.low  # the smallest packets


def test_cells_that_a_shaper_counts_are_a_caution() -> None:
    config = CONFIG + ETHERNET.format("SHAPED")
    cautions = [_rest(config.replace("7000 0", f"7000 0{each}")).weak for each in (ACCOUNT, CELLS)]
    assert [remark_words(RemarkKind.ACCOUNT) in each for each in cautions] == [False, True]
