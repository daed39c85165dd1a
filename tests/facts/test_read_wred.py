"""`random-detect` in all its forms."""

import pytest

from advisor.facts.policy import Unit, Wred
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def wred_of(lines: str) -> Wred:
    body = "".join(f"  {line.strip()}\n" for line in lines.split(";"))
    facts = read_facts(parse_config(f"policy-map P\n class C\n  bandwidth 64\n{body}", "r1.cfg"))
    assert facts.unread == ()
    wred = facts.policy_maps[0].classes[0].wred
    assert wred is not None
    return wred


@pytest.mark.parametrize(
    ("lines", "scheme"),
    [
        pytest.param("random-detect", "precedence", id="bare: precedence is IOS's default"),
        pytest.param("random-detect dscp-based", "dscp", id="dscp-based"),
        pytest.param("random-detect prec-based", "precedence", id="prec-based"),
        pytest.param("random-detect precedence-based", "precedence", id="precedence-based"),
        pytest.param("random-detect discard-class-based", "discard-class", id="discard-class"),
        pytest.param("random-detect dscp-based aggregate", "dscp", id="aggregate"),
        pytest.param("random-detect; random-detect dscp-based", "dscp", id="the later scheme"),
        pytest.param("random-detect dscp ef 20 40 10", "dscp", id="a row shows what is meant"),
    ],
)
def test_scheme(lines: str, scheme: str) -> None:
    assert wred_of(lines).scheme == scheme


ROWS: list[tuple[str, tuple[object, ...]]] = [
    ("precedence 3 15 30 2", ("precedence", "3", 3, 15, 30, 2, Unit.PACKETS)),
    ("precedence flash 15 30 2", ("precedence", "flash", 3, 15, 30, 2, Unit.PACKETS)),
    ("precedence 3 15 30", ("precedence", "3", 3, 15, 30, None, Unit.PACKETS)),
    ("precedence rsvp 37 40 10", ("precedence", "rsvp", None, 37, 40, 10, Unit.PACKETS)),
    ("dscp af11 32 40 10", ("dscp", "af11", 10, 32, 40, 10, Unit.PACKETS)),
    ("dscp 46 20 40 10", ("dscp", "46", 46, 20, 40, 10, Unit.PACKETS)),
    ("dscp rsvp 20 40 10", ("dscp", "rsvp", None, 20, 40, 10, Unit.PACKETS)),
    ("dscp 8 10 ms 20 ms 10", ("dscp", "8", 8, 10, 20, 10, Unit.MS)),
    ("dscp 8 8000 bytes 16000 bytes", ("dscp", "8", 8, 8000, 16000, None, Unit.BYTES)),
    ("discard-class 2 20 40 10", ("discard-class", "2", 2, 20, 40, 10, Unit.PACKETS)),
]


@pytest.mark.parametrize(("row", "expected"), [pytest.param(*case, id=case[0]) for case in ROWS])
def test_row(row: str, expected: tuple[object, ...]) -> None:
    (profile,) = wred_of(f"random-detect {row}").profiles
    assert (
        profile.scheme, profile.key, profile.code, profile.min_threshold, profile.max_threshold,
        profile.mark_probability_denominator, profile.unit,
    ) == expected  # fmt: skip


def test_an_aggregate_row_gives_one_profile_per_value() -> None:
    profiles = wred_of(
        "random-detect dscp-based aggregate;"
        "random-detect dscp values 10 12 minimum-thresh 20 maximum-thresh 40 mark-prob 10"
    ).profiles
    assert [(each.code, each.min_threshold, each.max_threshold) for each in profiles] == [
        (10, 20, 40),
        (12, 20, 40),
    ]


def test_a_later_row_replaces_and_no_removes() -> None:
    profiles = wred_of(
        "random-detect dscp-based; random-detect dscp af11 20 40; random-detect dscp af12 18 40;"
        "random-detect dscp af11 30 60; no random-detect dscp af12"
    ).profiles
    assert [(each.key, each.min_threshold) for each in profiles] == [("af11", 30)]


def test_exponent_and_ecn() -> None:
    wred = wred_of(
        "random-detect; random-detect exponential-weighting-constant 7; random-detect ecn"
    )
    assert wred.exponent is not None
    assert wred.ecn is not None
    assert (wred.exponent.value, wred.ecn.value) == (7, True)


def test_wred_stands_at_its_first_line() -> None:
    assert wred_of("random-detect dscp-based; random-detect dscp ef 20 40").at.line == 4
