"""WRD002 and WRD003: the two thresholds of a row, and the minimum that the remedy sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import api
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck, Hit, NoParams, Skip
from advisor.lint.checks.wrd.thresholds import WrongThresholds
from advisor.lint.findings import Confidence
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of
from tests.support.wred import wred_lines

WRED_MIN_NOT_BELOW_MAX = CHECKS["wred-min-not-below-max"]
WRED_MIN_OVER_HALF_MAX = CHECKS["wred-min-over-half-max"]

OVER_HALF, NOT_BELOW = WRED_MIN_OVER_HALF_MAX, WRED_MIN_NOT_BELOW_MAX


def config(match: str, *rows: str, version: str = "version 12.4") -> str:
    lines = "".join(f"  random-detect {row}".rstrip() + "\n" for row in rows)
    return (
        f"{version}\nclass-map match-any DATA\n match {match}\n"
        f"policy-map P\n class DATA\n  bandwidth 2000\n  random-detect\n{lines}end\n"
    )


def results(check: AnyCheck, text: str) -> list[Hit[WrongThresholds] | Skip]:
    return list(check.find(device_of(text), NoParams()))


def statements(check: AnyCheck, text: str) -> list[str]:
    found = hits_of(results(check, text))
    return [line for hit in found for line in wred_lines(hit)]


@pytest.mark.parametrize(
    ("row", "over_half", "not_below"),
    [
        pytest.param("precedence 3 15 30 2", "precedence 3 10 30 2", None, id="15 of 30: half"),
        pytest.param("precedence 3 14 30 2", None, None, id="14 of 30 is under half"),
        pytest.param("precedence 3 29 30 2", "precedence 3 10 30 2", None, id="29 of 30"),
        pytest.param("precedence 3 30 30 2", None, "precedence 3 10 30 2", id="30 of 30: no band"),
        pytest.param("precedence 3 40 30 2", None, "precedence 3 10 30 2", id="40 of 30"),
        pytest.param("precedence 3 20 40", "precedence 3 13 40", None, id="no denominator given"),
        pytest.param("precedence flash 20 40", "precedence flash 13 40", None, id="key as given"),
        pytest.param(
            "precedence 3 80 ms 150 ms 5", "precedence 3 50 ms 150 ms 5", None, id="unit is kept"
        ),
        pytest.param(
            "precedence 3 25000 bytes 30000 bytes", "precedence 3 10000 bytes 30000 bytes",
            None, id="large numbers stay whole",
        ),
        pytest.param("precedence rsvp 30 40 10", "precedence rsvp 13 40 10", None, id="RSVP row"),
    ],
)  # fmt: skip
def test_row(row: str, over_half: str | None, not_below: str | None) -> None:
    text = config("ip precedence 3", row, "precedence 3 1 30 2" if "rsvp" in row else "ecn")
    said = [statements(check, text) for check in (OVER_HALF, NOT_BELOW)]

    assert said == [[f"random-detect {line}"] if line else [] for line in (over_half, not_below)]


@pytest.mark.parametrize(
    ("match", "rows", "expected"),
    [
        pytest.param("ip precedence 4", ["precedence 3 15 30 2", "precedence 4 10 30 2"], 0,
                     id="a row that the match cannot select is not judged"),
        pytest.param("protocol http", ["precedence 3 15 30 2"], 1,
                     id="a match that says nothing of precedence may select any row"),
        pytest.param("protocol http", ["precedence 3 10 30 2"], 0,
                     id="default rows beside a configured one are unknown"),
        pytest.param("ip precedence 3 4", ["precedence 3 10 30 2"], 1,
                     id="the default row of a precedence that the match names counts"),
        pytest.param("protocol http", [], 8, id="all default rows count where none is configured"),
    ],
)  # fmt: skip
def test_rows_judged(match: str, rows: list[str], expected: int) -> None:
    assert len(statements(OVER_HALF, config(match, *rows))) == expected


def test_a_priority_class_is_left_to_the_rule_on_refused_combinations() -> None:
    text = config("ip precedence 3", "precedence 3 15 30 2").replace(
        "bandwidth 2000", "priority 64"
    )

    assert results(OVER_HALF, text) == []


def test_rows_of_a_class_are_one_finding_with_all_their_lines() -> None:
    rows = [f"precedence {n} 15 30 {n}" for n in (3, 4, 5)]
    hit = hit_of(results(OVER_HALF, config("ip precedence 3 4 5", *rows)))

    assert [at.line for at in hit.at] == [8, 9, 10]
    assert hit.evidence.rows == "precedence 3, precedence 4, precedence 5"
    assert (hit.evidence.min_threshold, hit.evidence.max_threshold) == ("15", "30")


@pytest.mark.parametrize(
    ("version", "confidence"),
    [
        pytest.param("version 12.3", Confidence.LIKELY, id="12.3: its defaults were captured"),
        pytest.param("version 12.4", Confidence.POSSIBLE, id="12.4: the generation is assumed"),
    ],
)
def test_defaults_are_never_certain(version: str, confidence: Confidence) -> None:
    hit = hit_of(results(OVER_HALF, config("any", version=version)))

    assert hit.confidence is confidence


def test_defaults_that_are_not_known_are_skipped() -> None:
    (skip,) = results(OVER_HALF, config("any", version="version 16.9"))

    assert skip == Skip(
        "policy-map P > class DATA",
        "default thresholds of precedence not known for IOS XE on unknown hardware",
    )


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            "precedence values 3 minimum-thresh 15 maximum-thresh 30", id="a line of several codes"
        ),
    ],
)
def test_no_lines_where_none_are_safe(row: str) -> None:
    hit = hit_of(results(OVER_HALF, config("ip precedence 3", row)))

    assert not hit.curable
    assert hit.advice


@given(st.integers(3, 4096))
def test_the_minimum_that_is_set_leaves_room_for_early_drops(max_threshold: int) -> None:
    row = f"precedence 3 {max_threshold} {max_threshold} 10"
    *_, line = statements(NOT_BELOW, config("ip precedence 3", row))
    low, high = (int(word) for word in line.split()[3:5])

    assert low >= 3
    assert high - low >= 6
    assert low < high / 2


def test_a_minimum_without_room_is_not_set_where_the_rate_is_not_known() -> None:
    text = config("ip precedence 3", "precedence 3 2 2 2").replace("bandwidth 2000", "fair-queue")
    hit = hit_of(results(NOT_BELOW, text))

    assert not hit.curable
    assert hit.advice == "Raise the maximum threshold, then set the minimum to a third of it"


@pytest.mark.parametrize(
    ("match", "rows", "curable"),
    [
        pytest.param("ip precedence 3 4", ["precedence 3 33 40", "precedence 4 14 30"], False,
                     id="a row of another maximum would be passed"),
        pytest.param("ip precedence 3 4", ["precedence 3 33 40", "precedence 4 9 30"], True,
                     id="a row of another maximum stays below"),
        pytest.param("protocol http", ["precedence 3 25 40"], False,
                     id="default rows that packets may meet would be passed"),
        pytest.param("protocol http", ["precedence 3 15 30"], True,
                     id="a row already below the default rows"),
    ],
)  # fmt: skip
def test_lines_only_where_the_order_of_the_drops_stays(
    match: str, rows: list[str], curable: bool
) -> None:
    assert hit_of(results(OVER_HALF, config(match, *rows))).curable is curable


def test_rows_that_ios_chose_are_counted_not_listed() -> None:
    config = """
policy-map WAN
 class DATA
  bandwidth 2000
  random-detect
class-map match-any DATA
 match ip precedence 0 1 2 3 4
interface FastEthernet0/0
 service-policy output WAN
"""
    report = api.lint(api.of_texts({"r1": f"version 12.4{config}"}, select=["WRD002"]))
    (finding,) = report.findings
    assert "40 (5 rows that IOS chose, up to 28 of 40)" in finding.message
    assert "precedence" not in finding.message


@pytest.mark.parametrize(
    ("class_kbps", "row", "over_half", "not_below"),
    [
        pytest.param(76, "dscp af21 400 500 10", [], [],
                     id="a class too slow for WRED: the delay of its maximum comes first"),
        pytest.param(76, "dscp af21 500 500 10", [], ["random-detect dscp af21 167 500 10"],
                     id="a minimum at the maximum is mended there too"),
        pytest.param(2560, "dscp af21 40 50 10", ["random-detect dscp af21 17 50 10"], [],
                     id="a class with room for WRED"),
    ],
)  # fmt: skip
def test_thirds_only_where_the_maximum_can_stay(
    class_kbps: int, row: str, over_half: list[str], not_below: list[str]
) -> None:
    text = (
        "version 12.4\nclass-map match-any D\n match dscp af21\npolicy-map P\n class D\n"
        f"  bandwidth {class_kbps}\n  random-detect dscp-based\n  random-detect {row}\n"
        "interface Serial0/0\n clock rate 8000000\n encapsulation ppp\n service-policy output P\n"
    )
    lines = {check: statements(check, text) for check in (OVER_HALF, NOT_BELOW)}

    assert lines == {OVER_HALF: over_half, NOT_BELOW: not_below}
