"""WRD005: the order of drop inside an AF class."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.wrd.rules import InvertedRows, find_wred_inverted
from advisor.lint.findings import Confidence
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of
from tests.support.wred import wred_lines


def results(match: str, *rows: str, version: str = "12.3") -> list[Hit[InvertedRows] | Skip]:
    lines = "".join(f"  random-detect {row}\n" for row in rows)
    text = (
        f"version {version}\nclass-map match-any DATA\n match {match}\npolicy-map P\n class DATA\n"
        f"  bandwidth 2000\n  random-detect dscp-based\n{lines}end\n"
    )
    return list(find_wred_inverted(device_of(text)))


def statements(match: str, *rows: str, version: str = "12.3") -> list[str]:
    found = hits_of(results(match, *rows, version=version))
    return [line.removeprefix("random-detect ") for hit in found for line in wred_lines(hit)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(["dscp af11 9 30 5", "dscp af13 9 30 5"], [], id="equal rows are in order"),
        pytest.param(["dscp af11 14 30 5", "dscp af13 9 30 5"], [], id="AF13 drops first"),
        pytest.param(
            ["dscp af11 9 30 5", "dscp af13 14 30 5"],
            ["dscp af11 14 30 5", "dscp af13 9 30 5"], id="minimum of AF13 is higher",
        ),
        pytest.param(
            ["dscp af11 9 30 5", "dscp af13 9 40 5"],
            ["dscp af11 9 40 5", "dscp af13 9 30 5"], id="maximum of AF13 is higher",
        ),
        pytest.param(
            ["dscp af11 9 30 5", "dscp af12 9 30 20"],
            ["dscp af11 9 30 20", "dscp af12 9 30 5"], id="denominator of AF12 is higher",
        ),
        pytest.param(
            ["dscp af11 9 30", "dscp af13 9 30 20"],
            ["dscp af11 9 30 20", "dscp af13 9 30 10"], id="no denominator is 10",
        ),
        pytest.param(
            ["dscp 10 9 30 5", "dscp 14 9 40 5"],
            ["dscp 10 9 40 5", "dscp 14 9 30 5"], id="DSCPs as numbers",
        ),
        pytest.param(["dscp af11 9 30 5", "dscp af23 14 40 5"], [], id="another AF class"),
        pytest.param(["dscp cs1 9 30 5", "dscp ef 14 40 5"], [], id="CS1 and EF have no order"),
        pytest.param(["precedence 3 9 30 5", "precedence 4 14 40 5"], [], id="nor precedences"),
    ],
)  # fmt: skip
def test_rows_put_in_order(rows: list[str], expected: list[str]) -> None:
    assert statements("protocol http", *rows) == expected


def test_rows_that_the_match_cannot_select_are_not_judged() -> None:
    assert results("ip dscp af11", "dscp af11 9 30 5", "dscp af13 14 30 5") == []


def test_a_default_row_counts_where_the_match_names_its_dscp() -> None:
    hit = hit_of(results("ip dscp af11 af13", "dscp af13 16 60 10"))

    assert hit.confidence is Confidence.LIKELY
    assert hit.evidence.better == "dscp af13 (16 to 60, 1 in 10)"
    assert hit.evidence.worse == "dscp af11 by default (33 to 40, 1 in 10)"


def test_ios_defaults_are_in_order() -> None:
    assert results("ip dscp af11 af12 af13") == []


def test_rows_in_different_units_are_not_compared() -> None:
    skip = skip_of(results("protocol http", "dscp af11 9 30 5", "dscp af13 14 ms 40 ms 5"))

    assert skip.reason == "thresholds in different units: dscp af11, dscp af13"


ROW = st.tuples(st.integers(1, 50), st.integers(1, 50), st.integers(1, 100)).map(
    lambda row: (row[0], row[0] + row[1], row[2])
)


@given(st.tuples(ROW, ROW, ROW))
def test_the_remedy_leaves_nothing_in_the_wrong_order(
    rows: tuple[tuple[int, int, int], ...],
) -> None:
    named = [f"dscp af1{n} {low} {high} {p}" for n, (low, high, p) in enumerate(rows, 1)]
    said = statements("protocol http", *named)
    lines = [line for line in said if line.startswith("dscp ")]
    cured = {line.split()[1]: line for line in (*named, *lines)}

    assert results("protocol http", *cured.values()) == []
    assert all(int(line.split()[2]) < int(line.split()[3]) for line in cured.values())


INVERTED_BULK = """\
version 12.4
class-map match-any BULK
 match ip dscp af11 af12 af13
policy-map WAN
 class BULK
  bandwidth {kbps}
  random-detect dscp-based
  random-detect dscp 10 10 32 10
  random-detect dscp 12 12 36 10
  random-detect dscp 14 14 40 10
interface Serial0/1/0
 clock rate 8000000
 encapsulation ppp
 service-policy output WAN
end
"""


@pytest.mark.parametrize("kbps", [128, 384, 400])
def test_inverted_rows_of_a_slow_class_change_places_and_wred_stays(kbps: int) -> None:
    hit = hit_of(list(find_wred_inverted(device_of(INVERTED_BULK.format(kbps=kbps)))))

    assert [line for line in wred_lines(hit) if "dscp" in line] == [
        "random-detect dscp 10 14 40 10",
        "random-detect dscp 14 10 32 10",
    ]
    assert hit.curable
