"""WRD012 and WRD013: what WRED was seen to do."""

import pytest

from advisor.device.device import Device
from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams
from advisor.lint.findings import Severity
from advisor.lint.run import review
from advisor.settings import PROFILES, Settings
from tests.support.devices import device_read

WRED_PER_PACKET_DELAY_OBSERVED = CHECKS["wred-per-packet-delay-observed"]
WRED_TAIL_DROPS_OBSERVED = CHECKS["wred-tail-drops-observed"]

CLASS = """\
 Serial0/1/0

  Service-policy output: EDGE

    Class-map: {name} (match-any)
      {packets} packets, {total} bytes
      30 second offered rate {offered} bps, drop rate 0 bps
      Match: any
      Queueing
{bandwidth}        (pkts matched/bytes matched) 410000/369000000
        (depth/total drops/no-buffer drops) 12/1000/0
         exponential weight: 9
         mean queue depth: {depth}

    class    Transmitted      Random drop      Tail drop    Minimum Maximum  Mark
              pkts/bytes       pkts/bytes       pkts/bytes    thresh  thresh  prob
      0   419000/377100000    {random}/900          {tail}/900           20      40  1/10
      1       0/0             {random}/900          {tail}/900           22      40  1/10
"""
GUARANTEE = "        Bandwidth 128 (kbps)\n"
INTERFACE = """\
Current random-detect configuration:
  Serial0/0
    Queueing strategy: random early detection (WRED)
    Exp-weight-constant: 9 (1/512)
    Mean queue depth: 0

  class          Random drop      Tail drop    Minimum Maximum  Mark
                  pkts/bytes       pkts/bytes    thresh  thresh  prob
      0      {random}/400              {tail}/600           20      40  1/10
"""
CONFIG = """\
policy-map EDGE
 class class-default
  fair-queue
  random-detect
interface Serial0/1/0
 encapsulation ppp
 clock rate 256000
 service-policy output EDGE
"""


def shown(  # a class of 900-byte packets under WRED
    *, name: str = "DATA", depth: int = 0, random: int = 0, tail: int = 0, offered: int = 0,
    packets: int = 420000, bandwidth: str = GUARANTEE,
) -> str:  # fmt: skip
    return CLASS.format(
        name=name, depth=depth, random=random, tail=tail, offered=offered, packets=packets,
        total=packets * 900, bandwidth=bandwidth,
    )  # fmt: skip


def router(command: str, output: str, config: str = "") -> Device:
    before = f"r1#show running-config\n{config}end\n" if config else ""
    text = f"{before}r1#{command}\n{output}r1#\n"
    return device_read(text)


@pytest.mark.parametrize(
    ("random", "tail", "found"),
    [
        pytest.param(4, 6, True, id="more at the maximum than early"),
        pytest.param(5, 5, True, id="as many"),
        pytest.param(6, 5, False, id="most are early"),
        pytest.param(0, 0, False, id="no drop at all"),
    ],
)
def test_tail_drops_of_a_class(random: int, tail: int, *, found: bool) -> None:
    known = router("show policy-map interface", shown(random=random, tail=tail))

    said = list(WRED_TAIL_DROPS_OBSERVED.find(known, NoParams()))

    assert [isinstance(each, Hit) for each in said] == [True] * found


def test_tail_drops_of_an_interface() -> None:
    known = router("show queueing random-detect", INTERFACE.format(random=4, tail=6))

    (hit,) = WRED_TAIL_DROPS_OBSERVED.find(known, NoParams())

    assert hit.object == "interface Serial0/0"


BUDGETS = WRED_PER_PACKET_DELAY_OBSERVED.params(200.0, 500.0)


def delays(output: str, config: str = "") -> list[str | None]:
    """Delay of each hit; None for what is not judged."""
    known = router("show policy-map interface", output, config)
    said = WRED_PER_PACKET_DELAY_OBSERVED.find(known, BUDGETS)
    return [each.evidence.delay_ms if isinstance(each, Hit) else None for each in said]


@pytest.mark.parametrize(
    ("output", "said"),
    [
        pytest.param(shown(depth=4), ["225"], id="4 of 900 bytes at 128 kb/s: 225 ms of 200"),
        pytest.param(shown(depth=3), [], id="3 of them: 169 ms"),
        pytest.param(shown(depth=4, offered=256000), [], id="the class gets 256 kb/s: 113 ms"),
        pytest.param(shown(depth=4, packets=90), [], id="too few for a mean: 144 ms of 576 bytes"),
        pytest.param(shown(depth=6, packets=90), ["216-562"], id="216 of 576, 562 of 1500"),
        pytest.param(shown(depth=0, bandwidth=""), [], id="an empty queue"),
        pytest.param(shown(depth=4, bandwidth=""), [None], id="a class without a known rate"),
    ],
)
def test_delay_of_the_average_queue(output: str, said: list[str | None]) -> None:
    assert delays(output) == said


def test_class_default_has_what_the_others_leave() -> None:
    output = shown(name="class-default", depth=20, bandwidth="")

    assert delays(output, CONFIG) == ["562"]


SHORT = """\
r1#show running-config
version 12.4
hostname r1
class-map match-all data
 match access-group 101
policy-map EDGE
 class data
  bandwidth percent 20
  random-detect
 class class-default
  fair-queue
interface Serial0/1/0
 bandwidth 512
 encapsulation ppp
 clock rate 512000
 service-policy output EDGE
access-list 101 permit udp any any range 5000 5999
end
r1#show policy-map interface Serial0/1/0
 Serial0/1/0

  Service-policy output: EDGE

    Class-map: data (match-all)
      42000 packets, 37800000 bytes
      30 second offered rate 96000 bps, drop rate 0 bps
      Match: access-group 101
      Queueing
        Output Queue: Conversation 137
        Bandwidth 20 (%)
        Bandwidth 102 (kbps)
        (pkts matched/bytes matched) 41200/37080000
        (depth/total drops/no-buffer drops) 2/7/0
         exponential weight: 9
         mean queue depth: {depth}

    class    Transmitted      Random drop      Tail drop    Minimum Maximum  Mark
              pkts/bytes       pkts/bytes       pkts/bytes    thresh  thresh  prob
      0   41993/37793700          7/6300            0/0           20      40  1/10
r1#
"""


@pytest.mark.parametrize(
    ("depth", "severity"),
    [
        pytest.param(2, Severity.INFO, id="2 packets, and WRED begins at 20"),
        pytest.param(25, Severity.WARNING, id="25 packets: WRED drops"),
    ],
)
def test_wred_of_a_queue_that_was_counted_short_is_no_first_step(
    depth: int, severity: Severity
) -> None:
    source = Source("r1.log", SHORT.format(depth=depth).encode())
    rules = [rule for rule in load_rules(PROFILES["voice"]) if rule.card.id in ("WRD001", "WRD009")]
    found = review([source], rules, Settings(budgets=PROFILES["voice"])).findings

    assert {item.rule: item.severity for item in found} == {
        "WRD009": severity
    }  # not WRD001 beside it


PRINTED = "        af21      900000/810000000  1200/1080000    40000/36000000  {}  40  1/10\n"


@pytest.mark.parametrize(
    ("low", "severity"),
    [pytest.param(32, Severity.INFO, id="32"), pytest.param(12, None, id="12")],
)
def test_rows_that_ios_chose_are_judged_as_it_printed_them(
    low: int, severity: Severity | None
) -> None:
    text = (
        "hostname r1\nversion 15.2\nclass-map match-any TX\n match ip dscp af21\npolicy-map WAN\n"
        " class TX\n  bandwidth 400\n  random-detect dscp-based\ninterface Serial0/0\n"
        " clock rate 2000000\n service-policy output WAN\nend\n"
        "r1#show policy-map interface Serial0/0\n Serial0/0\n\n  Service-policy output: WAN\n\n"
        "    Class-map: TX (match-any)\n      948800 packets, 853920000 bytes\n"
        "      5 minute offered rate 300000 bps, drop rate 0 bps\n      Match: ip dscp af21 (18)\n"
        "      Queueing\n      queue limit 64 packets\n"
        "      (queue depth/total drops/no-buffer drops) 0/41200/0\n"
        "      (pkts output/bytes output) 900000/810000000\n      bandwidth 400 kbps\n"
        "        Exp-weight-constant: 9 (1/512)\n        Mean queue depth: 3 packets\n"
        "        dscp     Transmitted       Random drop      Tail drop     Minimum   Maximum  Mark\n"
        "                 pkts/bytes        pkts/bytes       pkts/bytes    thresh    thresh   prob\n"
        f"\n{PRINTED.format(low)}r1#\n"
    )
    rules = [rule for rule in load_rules(PROFILES["voice"]) if rule.card.id == "WRD002"]
    verdict = review([Source("r1.log", text.encode())], rules, Settings(budgets=PROFILES["voice"]))

    assert [item.severity for item in verdict.findings] == ([] if severity is None else [severity])
    assert verdict.skipped == ()
