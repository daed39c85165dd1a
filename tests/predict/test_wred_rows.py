"""Default rows count where the match names their code, or where no row is configured."""

import pytest

from advisor.facts.read_config import read_facts
from advisor.facts.selectable import selectable_by_class
from advisor.ground.quantity import Basis
from advisor.ios.syntax.reader import parse_config
from advisor.outlet.wred_rows import Defaults, WredRows, wred_rows
from tests.support.platforms import platform_named

PRE_HQF, HQF, XE = "pre-hqf", "hqf", "xe-without-qfp"


def rows_of(match: str, wred: str, platform: str) -> WredRows:
    lines = "".join(f"  random-detect {line}\n".replace(" \n", "\n") for line in wred.split(","))
    text = f"class-map DATA\n match {match}\npolicy-map P\n class DATA\n  bandwidth 64\n{lines}"
    facts = read_facts(parse_config(text, "r1.ios"))
    found = facts.policy_maps[0].classes[0].wred
    assert found is not None
    return wred_rows(found, selectable_by_class(facts)("DATA"), Defaults(platform_named(platform)))


@pytest.mark.parametrize(
    ("match", "wred", "platform", "minima"),
    [
        pytest.param(
            "any", "", PRE_HQF, [20, 22, 24, 26, 28, 31, 33, 35], id="12.x: eight rows up to 35"
        ),
        pytest.param("any", "", HQF, [20, 22, 24, 26, 28, 30, 32, 34], id="15.x: up to 34"),
        pytest.param("any", "", XE, [], id="IOS XE: not known"),
        pytest.param("ip precedence 3", "", PRE_HQF, [26], id="only the row that can be met"),
        pytest.param(
            "ip dscp af11 af13", "dscp-based", PRE_HQF, [33, 24], id="AF rows of 12.x by DSCP"
        ),
        pytest.param("ip dscp af11 af13", "dscp-based", HQF, [], id="AF rows of 15.x: not known"),
        pytest.param(
            "ip precedence 3 4", ",precedence 3 9 30 5", PRE_HQF, [9, 28], id="named and not given"
        ),
        pytest.param(
            "any", ",precedence 3 9 30 5", PRE_HQF, [9], id="not named and another row is given"
        ),
        pytest.param(
            "ip precedence 3", ",precedence 3 9 30 5,precedence 4 9 30 5", PRE_HQF, [9],
            id="a configured row that no packet of the class can meet is left out",
        ),
        pytest.param(
            "ip dscp af31", ",precedence 3 9 30 5", PRE_HQF, [9], id="AF31 meets precedence 3"
        ),
    ],
)  # fmt: skip
def test_minimum_thresholds_in_force(
    match: str, wred: str, platform: str, minima: list[int]
) -> None:
    assert [row.min_threshold for row in rows_of(match, wred, platform).rows] == minima


@pytest.mark.parametrize(
    ("match", "wred", "platform", "unknown"),
    [
        pytest.param("any", "", XE, ["precedence"], id="no row known at all"),
        pytest.param("ip dscp ef", "dscp-based", HQF, ["dscp ef"], id="EF of 15.x"),
        pytest.param(
            "any", "dscp-based,dscp af11 9 30 5", HQF, [], id="what the match does not name"
        ),
    ],
)
def test_rows_that_are_not_known(match: str, wred: str, platform: str, unknown: list[str]) -> None:
    assert list(rows_of(match, wred, platform).unknown) == unknown


@pytest.mark.parametrize(
    ("match", "rows", "unnamed"),
    [
        pytest.param(
            "ip dscp default", [("dscp default", 20, Basis.ASSUMED)], 0, id="a code of the match"
        ),
        pytest.param("ip dscp ef", [("dscp ef", 37, Basis.ASSUMED)], 0, id="EF: sources differ"),
        pytest.param(
            "ip precedence 1",
            [("dscp af11", 33, Basis.DEFAULT), ("dscp af12", 28, Basis.DEFAULT),
             ("dscp af13", 24, Basis.DEFAULT)],
            5, id="codes that the match allows without their name",
        ),
    ],
)  # fmt: skip
def test_rows_that_are_only_recalled_count_where_the_match_names_them(
    match: str, rows: list[tuple[str, int, Basis]], unnamed: int
) -> None:
    of_class = rows_of(match, "dscp-based", PRE_HQF)

    assert [(row.label, row.min_threshold, row.basis) for row in of_class.rows] == rows
    assert len(of_class.unnamed) == unnamed


@pytest.mark.parametrize(
    ("row", "unknown"),
    [
        pytest.param("precedence <removed>", ("precedence 2",), id="it may be the masked row"),
        pytest.param("precedence 2 20 99999 10", (), id="IOS refuses the row: the default stays"),
        pytest.param("precedence 3 20 40 10", (), id="a row of another code"),
    ],
)
def test_a_row_that_is_not_understood_leaves_the_defaults_unknown(
    row: str, unknown: tuple[str, ...]
) -> None:
    found = rows_of("ip precedence 2", f",{row}", PRE_HQF)

    assert found.unknown == unknown
    assert [each.key for each in found.rows] == ([] if unknown else ["2"])
