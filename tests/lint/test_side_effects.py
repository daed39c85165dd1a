"""What an edit makes worse: every class of every output that it touches, and what is not known."""

import pytest

from advisor.device.device import Device, with_tree
from advisor.lint.findings import Metric, Renamed
from advisor.lint.side_effects import SideEffects, side_effects
from advisor.lint.trial import applied
from advisor.settings import Budgets, Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read

CONFIG = """\
version 15.1
class-map match-all VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af11
policy-map WAN
 class VOICE
  priority 128
 class DATA
  bandwidth 256
 class class-default
interface Serial0/0
 bandwidth 768
 clock rate 768000
 encapsulation ppp
 tx-ring-limit 2
 service-policy output WAN
interface Serial0/1
 bandwidth 768
 clock rate 768000
 encapsulation ppp
 tx-ring-limit 2
 service-policy output WAN
interface FastEthernet0/0
 ip address 10.0.0.1 255.255.255.0
end
"""
SHAPED = """\
version 15.1
policy-map WAN
 class VOICE
  priority 512
 class class-default
policy-map OUT
 class class-default
  shape average 1500000 150000 0
  service-policy WAN
interface Serial0/0/0
 encapsulation ppp
 clock rate 2000000
 tx-ring-limit 64
 service-policy output OUT
"""
STATED = """
[[traffic]]
class = "VOICE"
calls = 2
codec = "g729"
[[traffic]]
class = "DATA"
packets_per_second = 20
packet_bytes = 1000
[[traffic]]
class = "class-default"
packets_per_second = 30
packet_bytes = 1000
"""
OUTPUT, OTHER = "interface Serial0/0", "interface Serial0/1"


def router(traffic: str = STATED) -> Device:
    return device_read(CONFIG, Settings(traffic=settings_of_text(traffic).traffic), file="r1.cfg")


def effects(*lines: str, traffic: str = STATED, budgets: Budgets | None = None) -> SideEffects:
    device = router(traffic)
    after = with_tree(device, applied(device.facts.tree, lines))
    return side_effects(device, after, budgets or Budgets())


SLOWER = ("interface Serial0/0", " clock rate 384000")
DEEPER = ("interface Serial0/0", " tx-ring-limit 16")
LESS = ("policy-map WAN", " class DATA", "  bandwidth 64")
SHORTER = ("policy-map WAN", " class DATA", "  queue-limit 1")


@pytest.mark.parametrize(
    ("lines", "worse"),
    [
        pytest.param(DEEPER, {(OUTPUT, "VOICE", Metric.DELAY)}, id="a deeper ring delays the LLQ"),
        pytest.param(
            SHORTER,
            {(OUTPUT, "DATA", Metric.LOSS), (OTHER, "DATA", Metric.LOSS)},
            id="a shorter queue loses packets, at both outputs of the policy",
        ),
        pytest.param(
            SLOWER,
            {
                (OUTPUT, "VOICE", Metric.DELAY),
                (OUTPUT, "DATA", Metric.DELAY),
                (OUTPUT, "class-default", Metric.DELAY),
            },
            id="a slower line delays every class",
        ),
    ],
)
def test_each_class_that_gets_worse_is_named_with_its_output(
    lines: tuple[str, ...], worse: set[tuple[str, str, Metric]]
) -> None:
    found = {(*effect.object.split(" > class "), effect.metric) for effect in effects(*lines).worse}

    assert worse <= found


def test_a_bound_that_is_lost_is_named() -> None:
    before = device_read(SHAPED, file="r1.cfg")
    lines = ("policy-map OUT", " class class-default", "  shape average 1500000 6000 0")
    after = with_tree(before, applied(before.facts.tree, lines))

    (lost,) = side_effects(before, after, Budgets()).worse

    assert (lost.object.split(" > ")[-1], lost.metric) == ("class VOICE", Metric.BOUND)
    assert lost.before.value > 0
    assert lost.after is None
    assert str(lost).endswith("ms to none that is derived")


CIRCUIT = """\
version 12.3
class-map match-all VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 64
 class class-default
  fair-queue
interface Serial0/0
 encapsulation frame-relay
 clock rate 256000
 frame-relay traffic-shaping
interface Serial0/0.16 point-to-point
 frame-relay interface-dlci 16
  class CUT
map-class frame-relay CUT
 frame-relay cir 256000
 frame-relay mincir 256000
 frame-relay fragment 80
 service-policy output WAN
"""


@pytest.mark.parametrize(
    ("size", "is_told"),
    [
        pytest.param(312, False, id="larger fragments carry more data, and less headers"),
        pytest.param(16, True, id="tiny fragments carry headers instead of data"),
    ],
)
def test_headers_of_fragments_are_no_goodput(size: int, is_told: bool) -> None:
    traffic = settings_of_text(STATED.replace('"DATA"', '"class-default"', 1)).traffic
    before = device_read(CIRCUIT, Settings(traffic=traffic[:2]), file="r1.cfg")
    lines = ("map-class frame-relay CUT", f" frame-relay fragment {size}")
    after = with_tree(before, applied(before.facts.tree, lines))

    worse = side_effects(before, after, Budgets()).worse

    assert (Metric.GOODPUT in {effect.metric for effect in worse}) is is_told


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(("interface Serial0/0", " tx-ring-limit 1"), id="a shorter ring"),
        pytest.param(("interface Serial0/0", " clock rate 1536000"), id="a faster line"),
        pytest.param(("interface FastEthernet0/0", " duplex full"), id="another interface"),
        pytest.param(("hostname r2",), id="no output at all"),
    ],
)
def test_what_makes_nothing_worse_names_nothing(lines: tuple[str, ...]) -> None:
    assert effects(*lines).worse == ()


def test_an_edit_that_no_figure_depends_on_leaves_nothing_open() -> None:
    assert effects("interface Serial0/0", " description x", traffic="") == SideEffects()


def test_traffic_that_nobody_stated_is_open() -> None:
    unknown = effects(*DEEPER, traffic="").unknown

    assert f"{OUTPUT}: DATA: its traffic is neither stated nor measured" in unknown


def test_thresholds_of_flows_that_nobody_stated_are_open() -> None:
    unknown = effects("policy-map WAN", " class DATA", "  random-detect").unknown

    assert f"{OUTPUT}: the TCP flows of DATA are not stated" in unknown


def test_packets_that_change_their_class_are_open() -> None:
    unknown = effects("class-map match-any DATA", " match ip dscp af21").unknown

    assert unknown == (
        f"{OUTPUT}: DATA then takes other packets, and what they are is not stated",
        f"{OTHER}: DATA then takes other packets, and what they are is not stated",
    )


def test_an_output_without_its_policy_is_open() -> None:
    unknown = effects("interface Serial0/0", " no service-policy output WAN").unknown

    assert f"{OUTPUT}: its queueing is another one" in unknown


@pytest.mark.parametrize(("budget_ms", "is_over"), [(1.0, True), (10_000.0, False), (None, False)])
def test_a_figure_is_over_its_budget_only_where_the_profile_has_one(
    budget_ms: float | None, is_over: bool
) -> None:
    worse = effects(*DEEPER, budgets=Budgets(priority_queue_ms=budget_ms)).worse
    (voice,) = (effect for effect in worse if effect.object.endswith("class VOICE"))

    assert voice.after is not None
    assert (voice.budget is not None and voice.after.value > voice.budget) is is_over


TO_A_BUNDLE = (
    *("interface Multilink1", " bandwidth 768", " ppp multilink", " ppp multilink group 1"),
    *(" ppp multilink fragment delay 10", " ppp multilink interleave"),
    *("interface Serial0/0", " no service-policy output WAN"),
    *("interface Multilink1", " service-policy output WAN"),
    *("interface Serial0/0", " ppp multilink", " ppp multilink group 1"),
)
MOVED = (Renamed(OUTPUT, "interface Multilink1"),)
FULL_OF_SMALL_PACKETS = STATED.replace(
    "packets_per_second = 30\npacket_bytes = 1000", "packets_per_second = 970\npacket_bytes = 64"
)


def moved(traffic: str, renamed: tuple[Renamed, ...]) -> SideEffects:
    device = router(traffic)
    after = with_tree(device, applied(device.facts.tree, TO_A_BUNDLE))
    return side_effects(device, after, Budgets(), renamed)


def test_a_policy_that_moves_to_a_bundle_is_compared_with_it() -> None:
    found = moved(FULL_OF_SMALL_PACKETS, MOVED)

    worse = {(each.object, each.metric) for each in found.worse}
    assert (f"{OUTPUT} > class class-default", Metric.LOSS) in worse
    assert not any("its queueing is another one" in each for each in found.unknown)


def test_without_its_names_a_moved_policy_has_no_figures() -> None:
    found = moved(FULL_OF_SMALL_PACKETS, ())

    assert found.worse == ()
    assert f"{OUTPUT}: its queueing is another one" in found.unknown


SHOWN = """\
 Serial0/0

  Service-policy output: WAN

    Class-map: VOICE (match-all)
      481100 packets, 30790400 bytes
      30 second offered rate 64000 bps, drop rate 0 bps
      Match: ip dscp ef
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 128 (kbps) Burst 3200 (Bytes)
        (pkts matched/bytes matched) 479000/30656000
        (total drops/bytes drops) 0/0

    Class-map: class-default (match-any)
      481100 packets, 307904000 bytes
      30 second offered rate 300000 bps, drop rate 0 bps
      Match: any
"""


def test_what_was_measured_before_the_move_is_carried_after_it() -> None:
    log = f"r1#show running-config\n{CONFIG}r1#show policy-map interface\n{SHOWN}r1#\n"
    device = device_read(log, file="r1.cfg")
    after = with_tree(device, applied(device.facts.tree, TO_A_BUNDLE))

    found = side_effects(device, after, Budgets(), MOVED)

    assert found.worse == ()
    assert found.unknown == (f"{OUTPUT}: DATA: its traffic is neither stated nor measured",)


SOLD = """\
version 15.1
class-map match-any VOICE
 match dscp ef
class-map match-any CRITICAL
 match dscp af21
policy-map WAN
 class VOICE
  priority percent 20
 class CRITICAL
  bandwidth percent 40
 class class-default
  fair-queue
policy-map FAST
 class class-default
  shape average 80000000
  service-policy WAN
interface GigabitEthernet0/1
{port}
 ip address 192.0.2.1 255.255.255.252
 service-policy output {policy}
end
"""
SHAPER = (
    *("policy-map SOLD", " class class-default", "  shape average 30000000 120000 0"),
    *("  service-policy WAN", "interface GigabitEthernet0/1"),
)


@pytest.mark.parametrize(
    ("port", "policy"),
    [
        pytest.param(" description 30M CIR, policed", "WAN", id="a description names it"),
        pytest.param(" bandwidth 30000", "WAN", id="`bandwidth` of an Ethernet is it"),
        pytest.param(
            " description 30 Mbps of ACME\n bandwidth 1000000", "WAN", id="it wins over `bandwidth`"
        ),
        pytest.param(" description 30M CIR", "FAST", id="a shaper lets more than it pass"),
    ],
)
def test_a_shaper_to_the_rate_that_is_sold_takes_no_goodput(port: str, policy: str) -> None:
    before = device_read(SOLD.format(port=port, policy=policy), file="r1.cfg")
    lines = (*SHAPER, f" no service-policy output {policy}", " service-policy output SOLD")
    after = with_tree(before, applied(before.facts.tree, lines))

    worse = side_effects(before, after, Budgets()).worse

    assert [str(effect) for effect in worse if effect.metric is Metric.GOODPUT] == []


def test_a_shaper_below_the_rate_that_is_sold_takes_goodput_from_that_rate_on() -> None:
    before = device_read(SOLD.format(port=" description 30M CIR", policy="WAN"), file="r1.cfg")
    lines = [line.replace("30000000 120000", "10000000 40000") for line in SHAPER]
    lines += [" no service-policy output WAN", " service-policy output SOLD"]
    after = with_tree(before, applied(before.facts.tree, lines))

    worse = side_effects(before, after, Budgets()).worse

    (default,) = (
        effect
        for effect in worse
        if effect.metric is Metric.GOODPUT and effect.object.endswith("class-default")
    )
    assert default.before.high < 30_000
