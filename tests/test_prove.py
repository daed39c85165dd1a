"""A remedy is printed as lines only if it holds; nothing in a config can add a line to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.device.reading import Source
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import load_rules
from advisor.lint.checks.base import Hit
from advisor.lint.checks.txr import RingPlace
from advisor.lint.checks.txr.size import UselessRing
from advisor.lint.findings import Confidence, Finding, Level, Severity
from advisor.lint.run import review
from advisor.lint.sandbox import UnsafeValueError
from advisor.lint.site import remedy_lines
from advisor.settings import Settings

SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)

TEMPLATE = """\
hostname r1
class-map match-all VOICE
 match ip dscp ef
class-map match-all DATA
 match ip precedence 3
policy-map {name}
 class VOICE
  priority 64
 class DATA
  bandwidth 128
  random-detect
  random-detect precedence 3 20 30 10
 class class-default
  fair-queue
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 10
 service-policy output {name}
interface FastEthernet0/0
 service-policy input {name}
"""


def findings(text: str) -> dict[str, Finding]:
    verdict = review([Source("r1.ios", text.encode())], RULES, SETTINGS)
    return {each.rule: each for each in verdict.findings}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("A!B", id="a comment mark"),
        pytest.param("{{7*7}}", id="a template expression"),
        pytest.param("{%raw%}", id="a template statement"),
        pytest.param("A?", id="the help key"),
        pytest.param("A\u2028reload", id="a Unicode line separator"),
        pytest.param("A\u202eB", id="a direction override"),
    ],
)
def test_a_hostile_name_gets_advice_in_place_of_lines(name: str) -> None:
    found = findings(TEMPLATE.format(name=name))["WRD002"]
    assert found.remedy is not None
    assert found.remedy.level is Level.MANUAL
    assert found.remedy.lines == ()


@pytest.mark.parametrize("residue", ["\x1b[2J", "\x1b[31m", "\b", "\r"])
def test_terminal_residue_in_a_name_never_reaches_a_snippet(residue: str) -> None:
    for found in findings(TEMPLATE.format(name=f"A{residue}B")).values():
        assert found.remedy is not None
        assert all(line.isprintable() for line in (*found.remedy.lines, *found.remedy.rollback))


@pytest.mark.parametrize("name", ["A!B", "{{7*7}}", "A\x1b[2JB"])
def test_a_remedy_that_does_not_hold_the_name_is_still_given(name: str) -> None:
    remedy = findings(TEMPLATE.format(name=name))["TXR001"].remedy
    assert remedy is not None
    assert remedy.lines == ("interface Serial0/0", " tx-ring-limit 1")


@given(st.text(min_size=1, max_size=30))
def test_no_value_can_add_a_line_to_a_snippet(name: str) -> None:
    evidence = UselessRing(
        limit=1,
        unit="packets",
        place=RingPlace("ATM0/0", circuit=name),
    )
    hit = Hit("interface ATM0/0", (), evidence, Confidence.CERTAIN)
    try:
        lines = remedy_lines("no-tx-ring-limit.j2", hit)
    except UnsafeValueError:
        return
    assert len(lines) == 3
    tree = parse_config("".join(f"{line}\n" for line in lines))
    assert sum(line.is_command for line in tree.walk()) == 3


def test_every_remedy_with_lines_carries_a_rollback_and_what_was_proven() -> None:
    for found in findings(TEMPLATE.format(name="EDGE")).values():
        remedy = found.remedy
        assert remedy is not None
        if remedy.level is Level.MANUAL:
            assert remedy.advice
        else:
            assert remedy.rollback
            assert any(said.startswith("rolled back") for said in remedy.proof)
            assert any(said.startswith("re-linted") for said in remedy.proof)


def test_the_prediction_is_made_anew_on_the_cured_config() -> None:
    remedy = findings(TEMPLATE.format(name="EDGE"))["TXR001"].remedy
    assert remedy is not None
    assert any(said.startswith("re-predicted") for said in remedy.proof)


def test_findings_come_worst_first() -> None:
    verdict = review([Source("r1.ios", TEMPLATE.format(name="EDGE").encode())], RULES, SETTINGS)
    by_gain = [each for each in verdict.findings if each.severity is not Severity.ERROR]
    assert verdict.findings[-len(by_gain) :] == tuple(by_gain)  # errors come first
    gains = [each.prediction.gain if each.prediction else 0.0 for each in by_gain]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 100


def test_selecting_a_rule_does_not_weaken_its_proof() -> None:
    only = Settings(select=("TXR001",))
    verdict = review([Source("r1.ios", TEMPLATE.format(name="EDGE").encode())], RULES, only)
    (found,) = verdict.findings
    assert found.remedy == findings(TEMPLATE.format(name="EDGE"))["TXR001"].remedy
