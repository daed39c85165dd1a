"""LLQ007 and CBW003: what classes dropped, beside what they are offered."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.llq.drops import find_llq_drops_observed
from advisor.lint.findings import Confidence
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of

CLASS_STARVED_OBSERVED = CHECKS["class-starved-observed"]

OLD = """\
 Serial0/1/0

  Service-policy output: EDGE

    Class-map: VOICE (match-all)
      481100 packets, 30790400 bytes
      30 second offered rate {offered} bps, drop rate 0 bps
      Match: ip dscp ef
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 64 (kbps) Burst 1600 (Bytes)
        (pkts matched/bytes matched) 479000/30656000
        (total drops/bytes drops) {drops}/117760
"""
HQF = """\
 GigabitEthernet0/1

  Service-policy output: WAN

    queue stats for all priority classes:
      Queueing
      queue limit 64 packets
      (queue depth/total drops/no-buffer drops) 0/{queue}/0
      (pkts output/bytes output) 240/48000

    Class-map: VOICE (match-any)
      240000 packets, 48000000 bytes
      5 minute offered rate {offered} bps, drop rate 0 bps
      Match:  dscp ef (46)
      Priority: 10% (2000 kbps), burst bytes 50000, b/w exceed drops: {drops}

    Class-map: class-default (match-any)
      9 packets, 900 bytes
      Match: any
"""
_LEVELS = """\
 GigabitEthernet0/0/1

  Service-policy output: WAN

    queue stats for all priority classes:
      Queueing
      priority level 1
      queue limit 512 packets
      (queue depth/total drops/no-buffer drops) 0/{first}/0
      (pkts output/bytes output) 20000/1280000

    queue stats for all priority classes:
      Queueing
      priority level 2
      queue limit 512 packets
      {second}

    Class-map: VOICE (match-any)
      20000 packets, 1280000 bytes
      5 minute offered rate 64000 bps, drop rate 0000 bps
      Match:  dscp ef (46)
      Priority: 10% (1000 kbps), burst bytes 25000, b/w exceed drops: 0

      Priority Level: 1

    Class-map: VIDEO (match-any)
      20000 packets, 1280000 bytes
      5 minute offered rate 64000 bps, drop rate {rate} bps
      Match:  dscp af41 (34)
      Priority: 20% (2000 kbps), burst bytes 50000, b/w exceed drops: 0

      Priority Level: {level}

    Class-map: class-default (match-any)
      9 packets, 900 bytes
      Match: any
"""


def levels(
    first: int = 0, second: int = 0, rate: str = "0000", level: int = 2, *, of_switch: bool = False
) -> str:
    counters = f"(queue depth/total drops/no-buffer drops) 0/{second}/0"
    counters = f"(total drops) {second}" if of_switch else counters
    return _LEVELS.format(first=first, second=counters, rate=rate, level=level)


UNREAD = HQF.replace("      9 packets, 900 bytes\n", "      colour nine\n")
DATA = """\
 Serial0/1/0

  Service-policy output: EDGE

    Class-map: {name} (match-all)
      420000 packets, 378000000 bytes
      30 second offered rate {offered} bps, drop rate {drop_rate} bps
      Match: access-group 101
      Queueing
        Output Queue: Conversation 265
        {bandwidth}
        (pkts matched/bytes matched) 410000/369000000
        (depth/total drops/no-buffer drops) 0/{drops}/0
"""


def router(output: str, config: str = "") -> Device:
    before = f"r1#show running-config\n{config}end\n" if config else ""
    text = f"{before}r1#show policy-map interface\n{output}r1#\n"
    return device_read(text)


@pytest.mark.parametrize(
    ("output", "drops"),
    [
        pytest.param(OLD.format(offered=96000, drops=1840), 1840, id="before HQF"),
        pytest.param(HQF.format(offered=2100000, queue=0, drops=7), 7, id="exceed drops of HQF"),
        pytest.param(HQF.format(offered=1000, queue=9, drops=0), 9, id="the queue of all priority"),
        pytest.param(
            UNREAD.format(offered=1000, queue=9, drops=0),
            None,
            id="the queue of all priority, which an unknown class may share",
        ),
        pytest.param(OLD.format(offered=96000, drops=0), None, id="none"),
        pytest.param(HQF.format(offered=2100000, queue=0, drops=0), None, id="none with HQF"),
    ],
)
def test_drops_of_the_llq(output: str, drops: int | None) -> None:
    found = [each.evidence.drops for each in hits_of(find_llq_drops_observed(router(output)))]

    assert found == ([] if drops is None else [drops])


@pytest.mark.parametrize(
    ("output", "found"),
    [
        pytest.param(levels(first=7), [("VOICE", "7")], id="the first level"),
        pytest.param(levels(second=9), [("VIDEO", "9")], id="the second level"),
        pytest.param(levels(3, 9), [("VOICE", "3"), ("VIDEO", "9")], id="both levels"),
        pytest.param(
            levels(second=9, of_switch=True), [("VIDEO", "9")], id="the lone counter of a switch"
        ),
        pytest.param(levels(rate="9000"), [("VIDEO", "9 kb/s")], id="no counter, but a rate"),
        pytest.param(
            levels(first=7, level=1),
            [("VOICE and VIDEO", "7")],
            id="a level that two classes share",
        ),
        pytest.param(
            levels(first=7).replace("      priority level 1\n", ""),
            [("VOICE and VIDEO", "7")],
            id="one queue for both levels",
        ),
        pytest.param(
            levels(first=7).replace("      Priority Level: 1\n", ""),
            [("VOICE", "7")],
            id="a class without a level is of the first",
        ),
        pytest.param(levels(), [], id="no level"),
    ],
)
def test_drops_of_a_priority_level(output: str, found: list[tuple[str, str]]) -> None:
    hits = hits_of(find_llq_drops_observed(router(output)))

    assert [(each.evidence.class_name, each.evidence.counted) for each in hits] == found


@pytest.mark.parametrize(
    ("offered_bps", "needed_kbps", "confidence"),
    [
        pytest.param(
            96400, 103.0, Confidence.CERTAIN, id="more offered than the rate: whole calls"
        ),
        pytest.param(
            40000, None, Confidence.LIKELY, id="a mean that fits: what is needed is unknown"
        ),
    ],
)
def test_the_rate_needed_is_what_is_offered_where_that_is_more(
    offered_bps: int, needed_kbps: float | None, confidence: Confidence
) -> None:
    hit = hit_of(find_llq_drops_observed(router(OLD.format(offered=offered_bps, drops=5))))

    assert hit.forecast is not None
    after = hit.forecast.after
    assert (after.value if after is not None else None) == needed_kbps
    assert hit.confidence is confidence


@pytest.mark.parametrize(
    ("output", "need", "advice"),
    [
        pytest.param(
            OLD.format(offered=96400, drops=5),
            "103 kb/s needed at least for whole calls of its packets",
            "raise `priority` to 103 kb/s or more",
            id="more offered than the rate: the rate",
        ),
        pytest.param(
            OLD.format(offered=40000, drops=5).replace("drop rate 0", "drop rate 1000"),
            "the mean rate fits, bursts do not",
            "enter `priority 64 3200` in class VOICE (its burst is 1600 bytes now)",
            id="less offered, and drops now: twice the burst",
        ),
        pytest.param(
            HQF.format(offered=1000, queue=0, drops=7),
            "the mean rate fits, but bursts or an earlier peak did not",
            "enter `priority percent 10 100000` in class VOICE (its burst is 50000 bytes now)",
            id="a rate in percent stays in percent",
        ),
        pytest.param(
            HQF.format(offered=1000, queue=9, drops=0),
            "no policer drops them, their queue was full",
            "neither rate nor burst is short",
            id="the queue drops, not the policer",
        ),
        pytest.param(
            OLD.format(offered=96000, drops=5).replace(
                "Bandwidth 64 (kbps) Burst 1600 (Bytes)", "Bandwidth 64 (%)"
            ),
            "whether the rate fits is not known",
            None,
            id="a rate that is not printed",
        ),
    ],
)
def test_the_advice_raises_what_is_short(output: str, need: str, advice: str | None) -> None:
    hit = hit_of(find_llq_drops_observed(router(output)))

    assert hit.evidence.need == need
    assert (hit.advice or "").startswith(advice or "")
    assert (hit.advice is None) is (advice is None)


def test_the_marked_line_counts_the_drops() -> None:
    output = OLD.format(offered=40000, drops=5).replace("drop rate 0", "drop rate 1000")
    device = router(output)
    lines = f"r1#show policy-map interface\n{output}".splitlines()

    at = hit_of(find_llq_drops_observed(device)).at

    assert [lines[place.line - 1].strip() for place in at] == [
        "(total drops/bytes drops) 5/117760",
        "30 second offered rate 40000 bps, drop rate 1000 bps",
        "Class-map: VOICE (match-all)",
    ]


def test_a_wrapped_counter_of_drops_is_not_judged() -> None:
    said = list(find_llq_drops_observed(router(OLD.format(offered=96000, drops=-17))))

    assert [type(each) for each in said] == [Skip]


def test_the_object_is_the_class_where_it_is_attached() -> None:
    (hit,) = find_llq_drops_observed(router(OLD.format(offered=96000, drops=5)))

    assert hit.object == "interface Serial0/1/0 > policy EDGE > class VOICE"


KBPS = "Bandwidth 128 (kbps)Max Threshold 64 (packets)"
PERCENT = "Bandwidth 25 (%)Max Threshold 64 (packets)"
CONFIG = """\
policy-map EDGE
 class DATA
  bandwidth percent 25
interface Serial0/1/0
 bandwidth 512
 encapsulation ppp
 service-policy output EDGE
"""


@pytest.mark.parametrize(
    ("offered", "drops", "drop_rate", "found"),
    [
        pytest.param(192000, 5, 0, True, id="1.5 times the guarantee, and drops"),
        pytest.param(192000, 0, 900, True, id="a rate of drops counts"),
        pytest.param(191000, 5, 0, False, id="less than 1.5 times"),
        pytest.param(260000, 0, 0, False, id="no drops: the others left enough"),
    ],
)
def test_a_starved_class(offered: int, drops: int, drop_rate: int, *, found: bool) -> None:
    output = DATA.format(
        name="DATA", offered=offered, drops=drops, drop_rate=drop_rate, bandwidth=KBPS
    )
    said = list(
        CLASS_STARVED_OBSERVED.find(router(output), CLASS_STARVED_OBSERVED.params(1.5, 5.0))
    )

    assert [isinstance(each, Hit) for each in said] == [True] * found


@pytest.mark.parametrize(
    ("config", "kinds"),
    [
        pytest.param(CONFIG, [Hit], id="a percentage of the bandwidth that the config has"),
        pytest.param("", [Skip], id="of an unknown bandwidth it is not judged"),
    ],
)
def test_a_guarantee_in_percent(config: str, kinds: list[type]) -> None:
    output = DATA.format(name="DATA", offered=200000, drops=5, drop_rate=0, bandwidth=PERCENT)
    known = router(output, config)

    said = list(CLASS_STARVED_OBSERVED.find(known, CLASS_STARVED_OBSERVED.params(1.5, 5.0)))

    assert [type(each) for each in said] == kinds


@pytest.mark.parametrize(
    ("drops", "drop_rate", "dropped"),
    [
        pytest.param(
            42000,
            0,
            "42000 packets dropped, 10 % since the counters were cleared",
            id="since clearing",
        ),
        pytest.param(
            420, 100000, "100 kb/s dropped now, 50 %; 420 packets", id="half of what is offered now"
        ),
        pytest.param(420, 0, None, id="a loss by which transfers find their rate"),
    ],
)
def test_class_default_is_starved_by_what_it_loses(
    drops: int, drop_rate: int, dropped: str | None
) -> None:
    output = DATA.format(
        name="class-default", offered=200000, drops=drops, drop_rate=drop_rate, bandwidth=""
    )
    said = list(
        CLASS_STARVED_OBSERVED.find(router(output), CLASS_STARVED_OBSERVED.params(1.5, 5.0))
    )
    told = [hit.evidence.dropped for hit in said if isinstance(hit, Hit)]
    assert len(told) == (dropped is not None)
    assert all(str(dropped) in text for text in told)


ATTACHED = """\
r1#show running-config
version 15.1
hostname r1
class-map match-all VOICE
 match dscp ef
policy-map WAN
 class VOICE
  priority {kbps}
interface Serial0/0/0
 encapsulation ppp
 clock rate 768000
 service-policy output WAN
end
r1#show policy-map interface
 Serial0/0/0

  Service-policy output: {policy}

    Class-map: VOICE (match-all)
      14056 packets, 1012032 bytes
      5 minute offered rate 71000 bps, drop rate 4000 bps
      Match: dscp ef (46)
      Priority: 64 kbps, burst bytes 1600, b/w exceed drops: 55

r1#
"""


@pytest.mark.parametrize(
    ("kbps", "policy", "words"),
    [
        pytest.param(64, "WAN", "raise `priority` to", id="the policy that runs is too small"),
        pytest.param(128, "OLD", "of WAN, which the configuration attaches", id="another runs"),
        pytest.param(128, "WAN", "has `priority 128`, which is enough", id="an older state runs"),
        pytest.param(72, "OLD", "raise `priority` to", id="neither has enough"),
    ],
)
def test_advice_names_the_policy_that_has_enough(kbps: int, policy: str, words: str) -> None:
    device = device_read(ATTACHED.format(kbps=kbps, policy=policy))
    hit = hit_of(find_llq_drops_observed(device))

    assert words in (hit.advice or "")


ALONE = """\
 Serial0/1/0

  Service-policy output: SHAPE

    Class-map: class-default (match-any)
      100000 packets, 100000000 bytes
      5 minute offered rate 4310000 bps, drop rate 320000 bps
      Match: any
      Queueing
      queue limit 64 packets
      (queue depth/total drops/no-buffer drops) 0/7000/0
      (pkts output/bytes output) 93000/93000000
{shaper}"""
SHAPED = "      shape (average) cir 4000000, bc 16000, be 16000\n      target shape rate 4000000\n"


@pytest.mark.parametrize(
    ("shaper", "beyond"),
    [
        pytest.param(SHAPED, "more than its shaper of 4000 kb/s passes", id="a shaper"),
        pytest.param("", "more than its output sends", id="no shaper"),
    ],
)
def test_a_class_default_without_others_is_held_by_no_other(shaper: str, beyond: str) -> None:
    device = router(ALONE.format(shaper=shaper))
    said = CLASS_STARVED_OBSERVED.find(device, CLASS_STARVED_OBSERVED.params(1.5, 5.0))

    assert hit_of(said).evidence.beyond == beyond
