"""CLS001: lines of one class that contradict each other; a class that drops all its packets."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.outlets import policies_out
from advisor.predict.classes.congested import congested_rate
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of

CLASS_LINES_CONTRADICT = CHECKS["class-lines-contradict"]


def router(data: str, default: str = "  fair-queue\n", version: str = "15.1") -> str:
    return (
        f"version {version}\nhostname R1\nclass-map match-all DATA\n match dscp af21\n"
        f"policy-map WAN\n class DATA\n{data} class class-default\n{default}"
        "interface Serial0/0/0\n bandwidth 1000\n clock rate 1000000\n encapsulation ppp\n"
        " service-policy output WAN\nend\n"
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(router("  drop\n"), [], id="drop alone"),
        pytest.param(router("  bandwidth 300\n"), [], id="a guarantee alone"),
        pytest.param(
            router("  bandwidth 300\n  drop\n"), ["`drop` beside `bandwidth`"], id="drop, bandwidth"
        ),
        pytest.param(
            router("  drop\n  set dscp cs1\n  police 64000\n"),
            ["`drop` beside `police` and `set`"],
            id="drop, police and set",
        ),
        pytest.param(
            router("  priority 100\n  bandwidth 100\n"),
            ["`bandwidth` beside `priority`"],
            id="two kinds of guarantee",
        ),
        pytest.param(
            router("  drop\n", "  priority 100\n"),
            ["`priority` in class-default"],
            id="an LLQ of class-default",
        ),
        pytest.param(
            router("  priority 100\n  police 100000\n"), [], id="a policer of an LLQ is allowed"
        ),
        pytest.param(router("  priority 100\n  police 96000\n"), [], id="in steps of 8 kb/s"),
        pytest.param(
            router("  priority 100\n  police 94000\n"),
            ["`police` below its `priority`"],
            id="a policer below its priority",
        ),
        pytest.param(
            router("  priority percent 30\n  police cir percent 10\n"),
            ["`police` below its `priority`"],
            id="both as percentages",
        ),
        pytest.param(
            router(
                "  priority 100\n  police 64000 8000 conform-action transmit"
                " exceed-action set-dscp-transmit 0\n"
            ),
            [],
            id="a policer that marks",
        ),
        pytest.param(
            router("  bandwidth 300\n  shape average 300000\n"), [], id="a shaper at the guarantee"
        ),
        pytest.param(
            router("  bandwidth 300\n  shape average 280000\n"),
            ["`bandwidth` above its `shape`"],
            id="a guarantee above the shaper",
        ),
        pytest.param(
            router("  bandwidth percent 40\n  shape average 280000\n"),
            [],
            id="rates of two units are not compared",
        ),
        pytest.param(
            router("  set dscp af21\n  queue-limit 40\n"),
            ["`queue-limit` without `bandwidth`, `shape` or `priority`"],
            id="a limit of no queue",
        ),
        pytest.param(
            router("  bandwidth 300\n  queue-limit 40\n", "  queue-limit 60\n"),
            [],
            id="limits of queues",
        ),
    ],
)
def test_lines_that_do_not_stand_together(text: str, lines: list[str]) -> None:
    found = hits_of(CLASS_LINES_CONTRADICT.find(device_read(text), NoParams()))
    assert [hit.evidence.lines for hit in found] == lines


def leveled(voice: str, video: str, head: str = "version 15.2") -> str:
    return (
        f"{head}\nhostname R1\nclass-map match-all VOICE\n match dscp ef\n"
        "class-map match-all VIDEO\n match dscp af41\npolicy-map WAN\n"
        f" class VOICE\n  {voice}\n class VIDEO\n  {video}\n class class-default\n"
        "  bandwidth remaining percent 50\ninterface GigabitEthernet0/0/0\n"
        " service-policy output WAN\nend\n"
    )


XE = "version 16.9\nlicense udi pid ISR4331/K9 sn F1"
PLAIN, LEVEL = "priority percent 20", "priority level {} percent 10"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(
            leveled(PLAIN, LEVEL.format(2)),
            ["`priority level` beside `priority` of class VOICE"],
            id="a level below a plain one",
        ),
        pytest.param(
            leveled(LEVEL.format(1), PLAIN),
            ["`priority` beside `priority level` of class VOICE"],
            id="a plain one below a level",
        ),
        pytest.param(
            leveled(PLAIN, LEVEL.format(2), XE),
            ["`priority level` beside `priority` of class VOICE"],
            id="on IOS XE",
        ),
        pytest.param(
            leveled("priority", "priority level 2"),
            ["`priority level` beside `priority` of class VOICE"],
            id="without rates",
        ),
        pytest.param(leveled(LEVEL.format(1), LEVEL.format(2)), [], id="two levels"),
        pytest.param(leveled(PLAIN, PLAIN), [], id="two plain ones"),
        pytest.param(leveled(LEVEL.format(1), "bandwidth remaining percent 30"), [], id="one"),
    ],
)
def test_a_policy_has_levels_or_none(text: str, lines: list[str]) -> None:
    found = hits_of(CLASS_LINES_CONTRADICT.find(device_read(text), NoParams()))
    assert [hit.evidence.lines for hit in found] == lines


def test_the_later_kind_of_priority_is_the_refused_line() -> None:
    text = leveled(PLAIN, LEVEL.format(2))
    hit = hit_of(CLASS_LINES_CONTRADICT.find(device_read(text), NoParams()))
    assert [at.line for at in hit.refused] == [
        text.splitlines().index("  priority level 2 percent 10") + 1
    ]


def test_a_shaper_beside_priority_is_open() -> None:
    text = router("  priority 128\n  shape average 64000\n")
    hit = hit_of(CLASS_LINES_CONTRADICT.find(device_read(text), NoParams()))
    assert (hit.severity, hit.confidence) == (Severity.INFO, Confidence.POSSIBLE)


NESTED = (
    "policy-map CHILD\n class DATA\n  priority 100\npolicy-map WAN\n class class-default\n"
    "  shape average 500000\n  service-policy CHILD\n  police {}\n"
    "interface Serial0/0/0\n clock rate 1000000\n encapsulation ppp\n"
    " service-policy output WAN\nend\n"
)


@pytest.mark.parametrize(
    ("police", "is_found"),
    [
        pytest.param("256000", True, id="below the shaper"),
        pytest.param("cir percent 10", True, id="a percentage of the line"),
        pytest.param("800000", False, id="above the shaper"),
        pytest.param(
            "256000 conform-action transmit exceed-action transmit", False, id="it drops nothing"
        ),
    ],
)
def test_a_policer_below_the_shaper_of_a_nested_policy_has_no_figures(
    police: str, *, is_found: bool
) -> None:
    device = device_read(f"hostname R1\n{NESTED.format(police)}")
    (outlet,) = policies_out(device)
    assert (congested_rate(device, outlet, "class-default") is None) is is_found


def test_a_policer_below_the_shaper_of_a_nested_policy_is_a_warning() -> None:
    device = device_read(f"hostname R1\n{NESTED.format('256000')}")
    hit = hit_of(CLASS_LINES_CONTRADICT.find(device, NoParams()))
    assert (hit.severity, hit.confidence) == (Severity.WARNING, Confidence.LIKELY)


def test_what_a_device_printed_was_taken() -> None:
    config = router("  bandwidth 300\n  drop\n")
    text = f"R1#show running-config\n{config}R1#\n"
    hit = hit_of(CLASS_LINES_CONTRADICT.find(device_read(text), NoParams()))
    assert hit.confidence is Confidence.POSSIBLE


@pytest.mark.parametrize(
    ("data", "kbps"),
    [
        pytest.param("  drop\n", 1000, id="drop alone leaves all to class-default"),
        pytest.param("  bandwidth 300\n", 700, id="a class that sends"),
        pytest.param("  bandwidth 300\n  drop\n", 700, id="drop is refused there"),
    ],
)
def test_a_class_that_drops_all_carries_nothing(data: str, kbps: float) -> None:
    device = device_read(router(data))
    (outlet,) = policies_out(device)

    rate = congested_rate(device, outlet, "class-default")

    assert rate is not None
    assert rate.value == pytest.approx(kbps)


LIMIT = router("  set dscp af21\n  queue-limit 40\n")
XE = LIMIT.replace("version 15.1\n", "version 16.9\nlicense udi pid ISR4331/K9 sn FDO00000000\n")


@pytest.mark.parametrize(
    ("text", "severity", "confidence"),
    [
        pytest.param(XE, None, Confidence.LIKELY, id="IOS XE refuses it"),
        pytest.param(LIMIT, Severity.WARNING, Confidence.POSSIBLE, id="of other IOS it is recalled"),
        pytest.param(LIMIT.replace("version 15.1\n", ""), Severity.WARNING, Confidence.POSSIBLE,
                     id="which IOS it is, is not known"),
    ],
)  # fmt: skip
def test_a_limit_without_a_queue(
    text: str, severity: Severity | None, confidence: Confidence
) -> None:
    hit = hit_of(CLASS_LINES_CONTRADICT.find(device_read(text), NoParams()))
    assert (hit.severity, hit.confidence) == (severity, confidence)


def test_a_priority_that_ios_refuses_in_class_default_is_in_no_figure() -> None:
    (outlet,) = policies_out(device_read(router("  bandwidth 300\n", "  priority 60\n")))

    assert "class-default" not in [llq_class.name for llq_class in outlet.llq_classes]
