"""Shares of WRED groups of a config: what is stated, what is an interval, which regime it is."""

import pytest

from advisor.device.device import Device
from advisor.ground.quantity import Basis, Unknown
from advisor.model import Framing
from advisor.outlet.outlets import outlets
from advisor.outlet.wred_rows import Defaults, row_of
from advisor.predict.classes import Question
from advisor.predict.classes.solved import solved
from advisor.predict.what_if.device_moves import DEVICE_MOVES
from advisor.predict.wred import wred_request
from advisor.predict.wred.drop_counters import WredSeen, wred_seen
from advisor.predict.wred.input_ends import InputEnds, model_of
from advisor.predict.wred.shares import WredShares, wred_shares
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from advisor.theory.wred import Regime
from tests.support.devices import device_read
from tests.support.platforms import platform_named

CONFIG = """\
version {version}
class-map match-any DATA
 match ip dscp af11
 match ip dscp af12
class-map match-all VOICE
 match ip dscp ef
policy-map P
{llq} class DATA
  bandwidth 1500
  random-detect dscp-based
  random-detect dscp af11 {af11}
  random-detect dscp af12 {af12}
  random-detect exponential-weighting-constant {n}
{limit} class class-default
  bandwidth 300
interface Serial0/0
 clock rate 2048000
 encapsulation ppp
 tx-ring-limit 2
 service-policy output P
end
"""
FLOWS = """
[[traffic]]
class = "DATA"
dscp = "{code}"
tcp_flows = {flows}
{more}
"""
KNOWN = "rtt_ms = 50\nreceiver_window_bytes = 65535\npacket_bytes = 1500"
UDP = '[[traffic]]\nclass = "class-default"\npacket_bytes = 576\nrate_kbps = 900\n'


def router(
    traffic: str,
    *,
    llq: str = "",
    limit: str = "",
    version: str = "15.1",
    af11: str = "5 15 10",
    af12: str = "5 15 5",
    n: int = 5,
) -> Device:
    text = CONFIG.format(version=version, llq=llq, limit=limit, af11=af11, af12=af12, n=n)
    return device_read(text, Settings(traffic=settings_of_text(traffic).traffic), file="r1.ios")


def two(more: str = KNOWN, af11: int = 4, af12: int = 4) -> str:
    return FLOWS.format(code="af11", flows=af11, more=more) + FLOWS.format(
        code="af12", flows=af12, more=more
    )


def answer(of: Device, flows: dict[str, int] | None = None) -> WredShares | Unknown:
    asked = wred_request(of, outlets(of)[0], 100.0, flows)
    said = asked if isinstance(asked, Unknown) else wred_shares(asked)
    return said if isinstance(said, Unknown) else said[0]


def shares(of: Device, flows: dict[str, int] | None = None) -> WredShares:
    said = answer(of, flows)
    assert isinstance(said, WredShares), said
    return said


def estimates(of: WredShares) -> list[float]:
    return [group.share.value for group in of.groups if group.share is not None]


def names(of: WredShares) -> list[Regime]:
    return [regime.name for regime in of.regimes if regime.certain]


def test_shares_sum_to_all_of_tcp_and_lie_in_their_intervals() -> None:
    found = shares(router(two() + UDP))
    assert sum(estimates(found)) == pytest.approx(100)
    assert all(
        figure.low <= figure.value <= figure.high
        for group in found.groups
        for figure in (group.share, group.drops, group.delay)
        if figure is not None
    )


def test_groups_of_two_classes_may_have_one_name() -> None:
    one = 'group = "bulk"\n' + KNOWN
    other = f'[[traffic]]\nclass = "class-default"\ntcp_flows = 2\n{one}'
    asked = wred_request(
        router(FLOWS.format(code="af11", flows=4, more=one) + other), outlets(router(""))[0], 100.0
    )
    assert not isinstance(asked, Unknown)
    found = wred_shares(asked)
    assert not isinstance(found, Unknown)

    assert [[each.name for each in of.groups] for of in found] == [
        ["bulk"],
        ["bulk (class-default)"],
    ]
    assert sum(sum(estimates(of)) for of in found) == pytest.approx(100)


def test_the_rule_of_thumb_stands_beside() -> None:
    rules = [group.share_by_flows_over_p for group in shares(router(two() + UDP)).groups]
    assert rules == pytest.approx([100 * 10 / 15, 100 * 5 / 15])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "name", "ends"),
    [
        pytest.param("packet_bytes = 1500\nreceiver_window_bytes = 65535", "rtt_ms", (25, 200),
                     id="a round trip: the profile's, a quarter to twice"),
        pytest.param("packet_bytes = 1500\nrtt_ms = 50", "receiver_window_bytes", (17520, 65535),
                     id="a window: to the most without scaling"),
        pytest.param("rtt_ms = 50", "packet_bytes in DATA", (576, 1500),
                     id="a packet: data packets"),
    ],
)  # fmt: skip
def test_what_is_not_stated_is_an_assumed_interval(
    more: str, name: str, ends: tuple[float, float]
) -> None:
    found = {each.name: each for each in shares(router(two(more) + UDP)).inputs}
    assert (found[name].low, found[name].high, found[name].basis) == (*ends, Basis.ASSUMED)


def test_an_unknown_round_trip_widens_the_share() -> None:
    unknown = two("packet_bytes = 1500\nreceiver_window_bytes = 65535")
    wide, narrow = (shares(router(text + UDP)).groups[0].share for text in (unknown, two()))
    assert wide is not None
    assert narrow is not None
    assert wide.high - wide.low > narrow.high - narrow.low


@pytest.mark.parametrize(
    ("of", "regime", "said"),
    [
        pytest.param(router(two() + UDP), Regime.DIFFERENTIATION, "drops of af11",
                     id="between the thresholds"),
        pytest.param(router(two() + UDP, limit="  queue-limit 12\n", n=7),
                     Regime.TAIL_DROP_FIRST, "queue-limit 12", id="a queue-limit under max"),
        pytest.param(
            router(two(KNOWN.replace("65535", "5840")) + UDP, af11="40 60 10", af12="40 60 5"),
            Regime.WINDOWS_END_FIRST, "minimum is 40", id="small windows, high minima"),
        pytest.param(router(two(KNOWN.replace("= 50", "= 300"), 1, 1) + UDP,
                            af11="1 3 10", af12="1 3 5"),
                     Regime.UNDER_USE, "% of what it could",
                     id="thresholds far under the pipe"),
        pytest.param(router(two() + UDP, n=1),
                     Regime.SYNCHRONIZATION,
                     "time constant 14 ms", id="n of 1 follows each burst"),
    ],
)  # fmt: skip
def test_the_regime_is_named_with_the_figure_that_shows_it(
    of: Device, regime: Regime, said: str
) -> None:
    found = {each.name: each.said for each in shares(of).regimes}
    assert said in found[regime]


def test_an_average_too_slow_for_many_flows_is_near_collapse() -> None:
    found = shares(router(two(af11=60, af12=60) + UDP, n=9))
    assert Regime.COLLAPSE in names(found)


def test_udp_in_the_same_class_takes_from_tcp() -> None:
    udp = '[[traffic]]\nclass = "DATA"\ndscp = "af12"\ngroup = "video"\n'
    udp += "packet_bytes = 500\nrate_kbps = 600\n"
    found = shares(router(two() + udp + UDP))
    video = next(group for group in found.groups if group.name == "video")
    alone = shares(router(two() + UDP))
    assert video.share is None
    assert video.drops.value > 0
    assert found.groups[0].drops.value > alone.groups[0].drops.value


def test_other_classes_of_which_nothing_is_known_are_busy_or_idle() -> None:
    found = shares(router(two()))
    load = next(each for each in found.inputs if each.name == "load of class-default")
    assert (load.low, load.high) == (0, 1)
    busy = shares(router(two() + UDP)).groups[0].delay
    assert found.groups[0].delay.low < busy.low


def test_what_the_llq_takes_is_between_nothing_and_its_priority() -> None:
    found = shares(router(two() + UDP, llq=" class VOICE\n  priority 200\n"))
    llq = next(each for each in found.inputs if each.name == "offered_kbps of VOICE")
    assert llq.low == 0
    assert llq.high == pytest.approx(200)


def test_flows_in_a_class_without_wred_share_as_flows_do() -> None:
    text = CONFIG.replace("  random-detect dscp-based\n", "").format(
        version="15.1", llq="", limit="", af11="", af12="", n=""
    )
    lines = "".join(f"{line}\n" for line in text.splitlines() if "random-detect" not in line)
    stated = settings_of_text(two(af11=3, af12=6) + UDP).traffic
    found = shares(device_read(lines, Settings(traffic=stated), file="r1.ios"))
    assert estimates(found) == pytest.approx([33.3, 66.7], abs=1)
    assert found.aqs is None


@pytest.mark.parametrize(
    ("traffic", "said"),
    [
        pytest.param(FLOWS.format(code="af31", flows=3, more=""),
                     "settings:1: class DATA does not match dscp af31", id="another class's packets"),
        pytest.param('[[traffic]]\nclass = "DATA"\ntcp_flows = 3\n',
                     "settings:1: states no dscp or precedence, and class DATA has a row for each",
                     id="packets of any row"),
    ],
)  # fmt: skip
def test_a_group_without_a_row_says_why(traffic: str, said: str) -> None:
    assert answer(router(traffic)) == Unknown(said)


def test_moving_the_lowest_minimum_moves_all_thresholds() -> None:
    device = router(two() + UDP)
    moved_device = DEVICE_MOVES["wred-min"](device, outlets(device)[0], 10, "--set wred-min")
    moved = shares(moved_device)
    assert [group.row for group in moved.groups] == [
        "dscp af11 10 30 10 (configured)",
        "dscp af12 10 30 5 (configured)",
    ]


def test_moving_the_flows_of_a_group_is_stating_them() -> None:
    moved = shares(router(two() + UDP), {"AF12": 9})
    assert estimates(moved) == estimates(shares(router(two(af12=9) + UDP)))


@pytest.mark.parametrize(
    ("scheme", "dscp", "platform", "low", "basis"),
    [
        pytest.param("precedence", 40, "pre-hqf", 31, Basis.DEFAULT, id="12.x: 5 is 31"),
        pytest.param("precedence", 40, "hqf", 30, Basis.DEFAULT, id="15.x: 5 is 30"),
        pytest.param("precedence", 46, "hqf", 30, Basis.DEFAULT, id="EF by precedence"),
        pytest.param("dscp", 10, "pre-hqf", 33, Basis.DEFAULT, id="AF11 of 12.x"),
        pytest.param("dscp", 12, "pre-hqf", 28, Basis.DEFAULT, id="AF12 of 12.x"),
        pytest.param("dscp", 38, "pre-hqf", 24, Basis.DEFAULT, id="AF43 of 12.x"),
        pytest.param("dscp", 46, "pre-hqf", 37, Basis.ASSUMED, id="EF: sources differ"),
        pytest.param("dscp", 24, "pre-hqf", 26, Basis.ASSUMED, id="CS3 is recalled"),
        pytest.param("dscp", 1, "pre-hqf", 20, Basis.ASSUMED, id="others are recalled"),
        pytest.param("dscp", 24, "hqf", 26, Basis.ASSUMED, id="CS3 of 15.x"),
        pytest.param("dscp", 10, "hqf", None, None, id="AF11 of 15.x is not known"),
        pytest.param("precedence", 40, "xe-without-qfp", None, None, id="of IOS XE none is known"),
    ],
)
def test_default_rows_by_generation(
    scheme: str, dscp: int, platform: str, low: float | None, basis: Basis | None
) -> None:
    text = f"policy-map P\n class DATA\n  random-detect {scheme}-based\n"
    facts = device_read(text, file="r1.ios").facts
    wred = facts.policy_maps[0].classes[0].wred
    assert wred is not None
    row = row_of(wred, dscp, Defaults(platform_named(platform)))
    assert (row and row.min_threshold, row and row.basis) == (low, basis)


SHOWN = """\
r1#show running-config
class-map match-all DATA
 match access-group 101
policy-map EDGE
 class DATA
  bandwidth 128
  random-detect
interface Serial0/1/0
 bandwidth 512
 encapsulation ppp
 service-policy output EDGE
end
r1#show policy-map interface Serial0/1/0
 Serial0/1/0

  Service-policy output: EDGE

    Class-map: DATA (match-all)
      420000 packets, 378000000 bytes
      30 second offered rate 100000 bps, drop rate 2000 bps
      Match: access-group 101
      Queueing
        Output Queue: Conversation 265
        Bandwidth 128 (kbps)
        (pkts matched/bytes matched) 410000/369000000
        (depth/total drops/no-buffer drops) 12/1000/0
         exponential weight: 9
         mean queue depth: 30

    class    Transmitted      Random drop      Tail drop    Minimum Maximum  Mark
              pkts/bytes       pkts/bytes       pkts/bytes    thresh  thresh  prob
      0   950/855000          40/36000           10/9000          20      40  1/10
      1     0/0                0/0                0/0             22      40  1/10
r1#
"""


@pytest.fixture(scope="module")
def seen() -> WredSeen | None:
    of = device_read(SHOWN)
    return wred_seen(of, outlets(of)[0], "DATA")


def test_counted_drops_stand_beside_what_the_curve_gives_at_the_printed_average(
    seen: WredSeen | None,
) -> None:
    assert seen is not None
    (row,) = seen.rows  # a row that met no packet says nothing
    assert (row.name, row.offered_packets) == ("0", 1000)
    assert row.dropped_percent == pytest.approx(5.0)
    assert row.tail_dropped_percent == pytest.approx(1.0)
    assert row.curve_percent == pytest.approx(5.0)  # half way from 20 to 40: half of 1 in 10


QUEUEING = """\
r1#show running-config
policy-map EDGE
 class class-default
  bandwidth 128
  random-detect
interface Serial0/1/0
 bandwidth 512
 encapsulation ppp
 service-policy output EDGE
end
r1#show queueing random-detect
Current random-detect configuration:
  Serial0/1/0
    Queueing strategy:VIP-based fair queueing
    Exp-weight-constant:9 (1/512)
    Mean queue depth:30
  Class   Random       Tail    Minimum    Maximum       Mark       Output
           drop       drop   threshold  threshold  probability    packets
    0         40         10          20         40         1/10        950
    1          0          0          22         40         1/10          0
r1#
"""


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        pytest.param(QUEUEING, 1, id="the only class under WRED"),
        pytest.param(
            QUEUEING.replace("policy-map EDGE\n", "policy-map EDGE\n class A\n  bandwidth 9\n"
                             "  random-detect\n"),
            None, id="which of two classes it counts is not printed"),
    ],
)  # fmt: skip
def test_counters_of_show_queueing(text: str, rows: int | None) -> None:
    of = device_read(text)
    found = wred_seen(of, outlets(of)[0], "class-default")
    assert (None if found is None else len(found.rows)) == rows
    if found is not None:
        assert found.rows[0].curve_percent == pytest.approx(5.0)


def test_behind_a_shaper_packets_have_the_bytes_that_it_counts() -> None:
    config = CONFIG.format(version="15.1", llq="", limit="", af11="5 15 10", af12="5 15 5", n=5)
    parent = (
        "policy-map PARENT\n class class-default\n  shape average 1900000\n  service-policy P\n"
    )
    config = config.replace("interface Serial0/0", parent + "interface FastEthernet0/0")
    config = config.replace(" clock rate 2048000\n encapsulation ppp\n", "")
    config = config.replace("service-policy output P\n", "service-policy output PARENT\n")
    shaped = device_read(config, Settings(traffic=settings_of_text(two()).traffic), file="r1.ios")
    request = wred_request(shaped, outlets(shaped)[0], 100.0)

    assert not isinstance(request, Unknown)
    assert request.inputs["shaper_overhead_bytes"].value == 14
    line = model_of(request, InputEnds())
    assert line.rate_bps == 100_000_000
    assert line.shaper is not None
    assert (line.shaper.rate_bps, line.shaper.framing) == (1_900_000, Framing(14))


def test_tcp_meets_the_interface_of_the_other_predictions() -> None:
    voice = " class VOICE\n  priority 200\n"
    of = router(two() + UDP, llq=voice)
    outlet = outlets(of)[0]
    request = wred_request(of, outlet, 100.0)
    assert not isinstance(request, Unknown)
    line = model_of(request, InputEnds())

    solution = solved(Question(outlet, request.question.offers, of.platform))
    assert not isinstance(solution, Unknown)
    theirs = solution.corners[0].interface
    queues = {queue.name: queue for queue in theirs.queues}
    llq = next(queue for queue in line.queues if queue.name == "VOICE")
    assert llq == queues["VOICE"]
    assert line.offered_to(llq) == theirs.offered_to(llq)
    other = next(queue for queue in line.queues if queue.name == "class-default")
    assert other == queues["class-default"]
    assert (line.rate_bps, line.excess, line.shaper) == (
        theirs.rate_bps,
        theirs.excess,
        theirs.shaper,
    )


def test_a_class_without_a_queueing_action_sends_through_the_queue_of_class_default() -> None:
    bulk = '[[traffic]]\nclass = "VOICE"\npacket_bytes = 200\nrate_kbps = 100\n'
    of = router(two() + UDP + bulk, llq=" class VOICE\n  set ip dscp cs1\n")
    request = wred_request(of, outlets(of)[0], 100.0)
    assert not isinstance(request, Unknown)
    line = model_of(request, InputEnds())

    queue = next(queue for queue in line.queues if queue.name == "class-default")
    assert {traffic.packet_bytes for traffic in line.offered_to(queue)} == {200, 576}
    assert all(line.offered_to(queue) for queue in line.queues)


STARVED = """\
version 12.4
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af21
policy-map P
 class VOICE
  priority 128
 class DATA
  bandwidth 96
  random-detect
 class class-default
  fair-queue
  random-detect
interface Serial0/0
 clock rate 1024000
 encapsulation frame-relay
 frame-relay traffic-shaping
interface Serial0/0.1 point-to-point
 frame-relay interface-dlci 100
  class FR
map-class frame-relay FR
 frame-relay cir 512000
 frame-relay bc 5120
 frame-relay mincir 512000
 service-policy output P
end
"""


def test_a_class_that_sends_nothing_has_no_time_constant() -> None:
    traffic = (
        '[[traffic]]\nclass = "VOICE"\npacket_bytes = 60\nrate_kbps = 2710\n'
        '[[traffic]]\nclass = "DATA"\npacket_bytes = 1000\nrate_kbps = 50\n'
    )
    stated = Settings(traffic=settings_of_text(traffic).traffic)
    of = device_read(STARVED, stated, file="r1.cfg")
    request = wred_request(of, outlets(of)[0], 100.0)
    assert not isinstance(request, Unknown)

    answer = wred_shares(request)
    assert not isinstance(answer, Unknown)
    (shares,) = answer

    assert shares.time_constant_ms is None
