"""LFI005: fragments of MLPPP between which nothing goes."""

import pytest

from advisor.lint.checks.base import Hit
from advisor.lint.checks.lfi import serialization_over_budget as over_budget
from advisor.lint.checks.lfi.multilink_without_interleave import CHECK, Evidence, Params
from advisor.lint.findings import Severity
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

PARAMS = Params(serialization_ms=10.0)
DELAY, SIZE = " ppp multilink fragment delay 10\n", " ppp multilink fragment size 400\n"
CLOCK, LABEL = " clock rate 512000\n", " bandwidth 512\n"


def bundle(lines: str, *members: str, priority: str = "priority 64") -> str:
    text = (
        "version 12.4\nclass-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n"
        f" class VOICE\n  {priority}\n class class-default\n  fair-queue\n"
        f"interface Multilink1\n ppp multilink\n{lines} ppp multilink group 1\n"
        " service-policy output EDGE\n"
    )
    for number, line in enumerate(members):
        text += (
            f"interface Serial0/{number}\n{line} encapsulation ppp\n ppp multilink\n"
            " ppp multilink group 1\n"
        )
    return text


def found(text: str) -> list[Hit[Evidence]]:
    return hits_of(CHECK.find(device_of(text), PARAMS))


@pytest.mark.parametrize(
    ("lines", "is_found"),
    [
        pytest.param(DELAY, True, id="a delay alone"),
        pytest.param(SIZE, True, id="a size alone"),
        pytest.param(DELAY + " ppp multilink interleave\n", False, id="with interleaving"),
        pytest.param(DELAY + " no ppp multilink interleave\n", True, id="switched off"),
        pytest.param(" ppp multilink interleave\n", False, id="interleaving alone has a delay"),
        pytest.param("", False, id="no fragments: LFI001 judges the bundle"),
        pytest.param(DELAY + " shutdown\n", False, id="shut down"),
    ],
)
def test_fragments_without_interleaving(lines: str, is_found: bool) -> None:
    assert bool(found(bundle(lines, CLOCK + LABEL))) is is_found


@pytest.mark.parametrize(
    ("priority", "severity"),
    [
        pytest.param("priority 64", None, id="voice waits"),
        pytest.param("bandwidth 64", Severity.WARNING, id="nothing that should go between"),
    ],
)
def test_how_bad_it_is(priority: str, severity: Severity | None) -> None:
    text = bundle(DELAY, CLOCK + LABEL, priority=priority)

    assert hit_of(CHECK.find(device_of(text), PARAMS)).severity is severity


def test_it_stands_alone_for_the_packet_that_is_too_long() -> None:
    device = device_of(bundle(DELAY, CLOCK + LABEL))

    assert hits_of(over_budget.CHECK.find(device, over_budget.Params(10.0, 768))) == []


@pytest.mark.parametrize(
    ("text", "delay_ms", "members", "multiclass"),
    [
        pytest.param(bundle(DELAY, CLOCK + LABEL), None, [], False, id="the delay is right"),
        pytest.param(bundle(DELAY.replace("10", "30"), CLOCK + LABEL), 10, [], False,
                     id="the delay is too long"),
        pytest.param(bundle(DELAY, CLOCK), None, ["Serial0/0"], False,
                     id="a member without bandwidth"),
        pytest.param(bundle(DELAY, CLOCK + LABEL, CLOCK + LABEL), None, [], True,
                     id="two members"),
    ],
)  # fmt: skip
def test_what_the_lines_set_beside_interleaving(
    text: str, delay_ms: int | None, members: list[str], multiclass: bool
) -> None:
    evidence = hit_of(CHECK.find(device_of(text), PARAMS)).evidence

    names = [member.name for member in evidence.members]
    assert (evidence.delay_ms, names, evidence.multiclass) == (delay_ms, members, multiclass)


def test_a_member_of_an_unknown_rate_has_to_be_stated_first() -> None:
    hit = hit_of(CHECK.find(device_of(bundle(DELAY, "")), PARAMS))

    assert "`bandwidth` of each member" in (hit.advice or "")


@pytest.mark.parametrize(
    ("kbps", "lines", "needless"),
    [
        pytest.param(1536, DELAY, "ppp multilink fragment delay 10", id="a T1: 7.9 ms"),
        pytest.param(1536, SIZE, SIZE.strip(), id="a size, on a T1"),
        pytest.param(1000, DELAY, None, id="1 Mb/s: 12 ms"),
    ],
)
def test_fragments_that_no_packet_needs_are_taken_away(
    kbps: int, lines: str, needless: str | None
) -> None:
    port = f" clock rate {kbps}000\n bandwidth {kbps}\n"
    evidence = hit_of(CHECK.find(device_of(bundle(lines, port)), PARAMS)).evidence

    assert evidence.needless == needless
