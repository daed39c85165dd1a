"""WRD007, WRD008, WRD014: WRED beside the queue-limit and what else a class has, by generation."""

from typing import Any

import pytest

from advisor.lint.cards import load_rules
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Severity
from advisor.lint.judge import judge
from advisor.settings import Settings
from tests.support.devices import device_of
from tests.support.verdicts import hits_of, skip_of
from tests.support.wred import wred_lines

WRED_ABOVE_QUEUE_LIMIT = CHECKS["wred-above-queue-limit"]
WRED_AND_QUEUE_LIMIT = CHECKS["wred-and-queue-limit"]
WRED_REFUSED_COMBINATION = CHECKS["wred-refused-combination"]

ABOVE, BOTH = WRED_ABOVE_QUEUE_LIMIT, WRED_AND_QUEUE_LIMIT
REFUSED = WRED_REFUSED_COMBINATION
ROW = "random-detect precedence 3 {} {} 10"


def config(*lines: str, version: str = "15.1", name: str = "DATA", before: str = "") -> str:
    body = "".join(f"  {line}\n" for line in lines)
    class_map = "" if name == "class-default" else f"class-map {name}\n match ip precedence 3\n"
    head = f"version {version}\n" if version else ""
    return (
        f"{head}hostname r1\n{class_map}policy-map P\n class {name}\n{body}"
        f"interface Serial0/0\n bandwidth 4000\n{before} service-policy output P\nend\n"
    )


def results(check: AnyCheck, text: str) -> list[Hit[Any] | Skip]:
    return list(check.find(device_of(text), NoParams()))


def hits(check: AnyCheck, text: str) -> list[Hit[Any]]:
    return hits_of(results(check, text))


@pytest.mark.parametrize(
    ("version", "lines", "statement"),
    [
        pytest.param("15.1", ("random-detect", ROW.format(10, 64)), None, id="64 of 64 by default"),
        pytest.param("15.1", ("random-detect", ROW.format(10, 65)), "queue-limit 130 packets",
                     id="65 is over the default of HQF"),
        pytest.param("12.3", ("random-detect", ROW.format(10, 65)), None,
                     id="before HQF the default does not apply"),
        pytest.param("16.9", ("random-detect", ROW.format(10, 65), "queue-limit 60 packets"),
                     "queue-limit 130 packets", id="IOS XE with a limit"),
        pytest.param("15.1", ("random-detect", ROW.format(10, 30), "queue-limit 30"), None,
                     id="30 of 30"),
        pytest.param("15.1", ("random-detect", ROW.format(10, 40), "queue-limit 30 packets"),
                     "queue-limit 80 packets", id="a limit that is configured"),
        pytest.param("15.1", ("random-detect", ROW.format("10 ms", "90 ms"),
                     "queue-limit 60 ms"), "queue-limit 180 ms", id="both in ms"),
    ],
)  # fmt: skip
def test_above_queue_limit(version: str, lines: tuple[str, ...], statement: str | None) -> None:
    found = hits(ABOVE, config("bandwidth 3500", *lines, version=version))

    said = [wred_lines(hit) for hit in found]
    assert said == ([] if statement is None else [(statement,)])


def test_no_limit_of_twice_a_threshold_that_is_far_too_long() -> None:
    text = config("bandwidth percent 5", "random-detect", ROW.format(100, 400), "queue-limit 200")
    slower = "interface Serial0/1\n bandwidth 1000\n service-policy output P\nend\n"
    (hit,) = hits(ABOVE, text.replace("end\n", slower))

    assert not hit.curable
    assert "thresholds to the target delay first" in (hit.advice or "")


@pytest.mark.parametrize(
    ("kbps", "room"),
    [
        pytest.param(3500, "; 140 packets leaves room", id="a longer queue-limit"),
        pytest.param(200, "", id="thresholds that come down leave the limit as it is"),
    ],
)
def test_the_message_names_a_limit_only_where_one_is_advised(kbps: int, room: str) -> None:
    (hit,) = hits(ABOVE, config(f"bandwidth {kbps}", "random-detect", ROW.format(10, 70)))

    assert hit.evidence.room == room


@pytest.mark.parametrize(
    ("version", "row", "reason"),
    [
        pytest.param("16.9", ROW.format(10, 65), "the default queue-limit of IOS XE on unknown hardware is not known",
                     id="the default of IOS XE is not known"),
        pytest.param("15.1", ROW.format("10 ms", "90 ms"),
                     "precedence 3: not in the unit of the queue-limit, packets",
                     id="ms against packets"),
    ],
)  # fmt: skip
def test_a_limit_that_cannot_be_compared_is_not_judged(version: str, row: str, reason: str) -> None:
    skip = skip_of(results(ABOVE, config("bandwidth 500", "random-detect", row, version=version)))

    assert skip == Skip("policy-map P > class DATA", reason)


@pytest.mark.parametrize(
    ("version", "lines", "earlier"),
    [
        pytest.param("12.3", ("random-detect", "queue-limit 40"), "random-detect", id="12.3"),
        pytest.param("12.3", ("queue-limit 40", "random-detect"), "queue-limit 40", id="reversed"),
        pytest.param("12.3", ("random-detect",), None, id="WRED alone"),
        pytest.param("12.3", ("queue-limit 40",), None, id="queue-limit alone"),
        pytest.param("15.1", ("random-detect", "queue-limit 40"), None, id="HQF takes both"),
        pytest.param("16.9", ("random-detect", "queue-limit 40"), None, id="so does IOS XE"),
    ],
)
def test_wred_and_queue_limit(version: str, lines: tuple[str, ...], earlier: str | None) -> None:
    found = hits(BOTH, config("bandwidth 500", *lines, version=version))

    said = [hit.evidence.earlier for hit in found]
    assert said == ([] if earlier is None else [earlier])


@pytest.mark.parametrize(
    ("lines", "refused_by"),
    [
        pytest.param(("priority 64", "random-detect"), "12.2 15.1 16.9", id="a priority class"),
        pytest.param(("random-detect",), "12.2", id="nothing but WRED"),
        pytest.param(("police 64000", "random-detect"), "12.2", id="a policer gives no queue"),
        pytest.param(("bandwidth 64", "random-detect"), "", id="bandwidth"),
        pytest.param(("bandwidth percent 5", "random-detect"), "", id="bandwidth percent"),
        pytest.param(("fair-queue", "random-detect"), "", id="fair-queue"),
        pytest.param(("shape average 64000", "random-detect"), "", id="a shaper"),
        pytest.param(("bandwidth 64", "random-detect dscp-based",
                      "random-detect precedence 3 5 15 10"), "12.2 15.1 16.9",
                     id="rows of precedence in a class by DSCP"),
        pytest.param(("bandwidth 64", "random-detect", "random-detect dscp 10 5 15 10",
                      "random-detect precedence 3 5 15 10"), "12.2 15.1 16.9",
                     id="rows of both"),
        pytest.param(("bandwidth 64", "random-detect dscp-based",
                      "random-detect dscp 10 5 15 10"), "", id="rows of the scheme"),
        pytest.param(("bandwidth 64",), "", id="no WRED"),
    ],
)  # fmt: skip
def test_refused_combination(lines: tuple[str, ...], refused_by: str) -> None:
    found = [
        version
        for version in ("12.2", "15.1", "16.9")
        if hits(REFUSED, config(*lines, version=version))
    ]

    assert " ".join(found) == refused_by


def test_class_default_needs_no_bandwidth() -> None:
    assert hits(REFUSED, config("random-detect", version="12.2", name="class-default")) == []


@pytest.mark.parametrize(
    ("version", "refused"),
    [
        pytest.param("12.2", True, id="before HQF"),
        pytest.param("15.1", False, id="with HQF nothing is known of it"),
    ],
)
def test_wred_of_an_interface_beside_a_policy_that_queues(version: str, refused: bool) -> None:
    text = config("bandwidth 64", version=version, before=" random-detect\n")

    assert bool(hits(REFUSED, text)) == refused


def test_wred_of_an_interface_beside_a_policy_that_only_marks_is_taken() -> None:
    text = config("set ip dscp af11", version="12.2", before=" random-detect\n")

    assert hits(REFUSED, text) == []


@pytest.mark.parametrize(
    ("version", "lines", "refused"),
    [
        pytest.param("12.1", ("random-detect", "fair-queue"), True, id="12.1: fair-queue after"),
        pytest.param("12.1", ("fair-queue", "random-detect"), False, id="12.1: fair-queue first"),
        pytest.param("12.2", ("random-detect", "fair-queue"), False, id="12.2 takes any order"),
        pytest.param("12.1", ("fair-queue", "random-detect", "random-detect ecn"), True,
                     id="12.1 has no ECN"),
        pytest.param("12.4", ("random-detect", "random-detect ecn"), False, id="12.4 has ECN"),
    ],
)  # fmt: skip
def test_what_only_the_first_trains_refuse(
    version: str, lines: tuple[str, ...], refused: bool
) -> None:
    text = config(*lines, version=version, name="class-default")

    assert bool(hits(REFUSED, text)) == refused


@pytest.mark.parametrize(
    ("version", "lines", "refused"),
    [
        pytest.param("12.2", "random-detect\n fair-queue", True, id="WFQ"),
        pytest.param("12.2", "random-detect\n no fair-queue", False, id="no WFQ"),
        pytest.param("12.2", "random-detect\n priority-group 1", True, id="PQ"),
        pytest.param("15.1", "random-detect\n custom-queue-list 1", True, id="CQ, 15.1"),
        pytest.param("16.9", "random-detect\n fair-queue", False, id="IOS XE is not known"),
        pytest.param("12.2", "random-detect", False, id="alone"),
    ],
)
def test_wred_of_an_interface_beside_its_other_queueing(
    version: str, lines: str, refused: bool
) -> None:
    text = f"version {version}\ninterface Serial0/0\n {lines}\nend\n"

    assert bool(hits(REFUSED, text)) == refused


def test_a_7500_takes_distributed_wred_beside_distributed_wfq() -> None:
    text = (
        "!Chassis type: 7507\n!\nversion 12.2\n"
        "interface Serial0/0\n random-detect\n fair-queue\nend\n"
    )

    assert hits(REFUSED, text) == []


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        pytest.param(config("random-detect", version="12.2"), Confidence.CERTAIN, id="a draft"),
        pytest.param(config("random-detect", version=""), Confidence.POSSIBLE,
                     id="a draft of an unknown release"),
        pytest.param(config("priority 64", "random-detect", version=""), Confidence.CERTAIN,
                     id="what every release refuses"),
        pytest.param("Building configuration...\n\n" + config("random-detect", version="12.2"),
                     Confidence.POSSIBLE, id="a capture"),
        pytest.param("Building configuration...\n\n" + config("priority 64", "random-detect"),
                     Confidence.POSSIBLE, id="a capture of what every release refuses"),
    ],
)  # fmt: skip
def test_confidence_that_ios_refuses(text: str, confidence: Confidence) -> None:
    (hit,) = hits(REFUSED, text)

    assert hit.confidence is confidence
    assert hit.severity is None  # the card's: error


@pytest.mark.parametrize(
    ("lines", "doubts_generation"),
    [
        pytest.param(("random-detect",), True, id="what one generation refuses"),
        pytest.param(("priority 64", "random-detect"), False, id="what each of them refuses"),
    ],
)
def test_a_capture_doubts_the_generation_where_another_one_takes_the_line(
    lines: tuple[str, ...], *, doubts_generation: bool
) -> None:
    text = "Building configuration...\n\n" + config(*lines, version="12.2")
    (hit,) = hits(REFUSED, text)

    assert hit.evidence.doubt.startswith(", yet the device printed this line")
    assert ("may be wrong" in hit.evidence.doubt) is doubts_generation


def test_a_priority_class_gets_no_other_finding_of_wred() -> None:
    rules = load_rules(Settings().budgets)
    text = config("priority 64", "random-detect", "queue-limit 10", version="12.2")
    found = {rule.card.id for rule, _ in judge(device_of(text), rules).pairs}

    assert {each for each in found if each.startswith("WRD")} == {"WRD008"}
    severities = {rule.card.id: rule.card.severity for rule in rules}
    assert severities["WRD008"] is Severity.ERROR


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            config("random-detect", ROW.format(30, 40), version="12.3"), id="class without a rate"
        ),
        pytest.param(
            config("bandwidth 400", version="12.3", before=" random-detect\n"),
            id="interface beside a policy that queues",
        ),
        pytest.param(
            config("bandwidth 400", "random-detect dscp-based", ROW.format(30, 40)),
            id="rows of two schemes",
        ),
    ],
)
def test_no_other_rule_judges_wred_that_is_refused(text: str) -> None:
    rules = [rule for rule in load_rules(Settings().budgets) if rule.card.id.startswith("WRD")]
    assert {rule.card.id for rule, _ in judge(device_of(text), rules).pairs} == {"WRD008"}
