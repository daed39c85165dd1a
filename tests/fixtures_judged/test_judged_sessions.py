"""Terminal logs and bundles: beside their findings (expected_sessions.toml), what they rest on."""

from pathlib import Path

import pytest

from advisor.capture.read_bundle import read_bundle
from advisor.device.reading import Source
from advisor.ground.quantity import Basis
from advisor.lint.cards import load_rules
from advisor.lint.findings import Finding, Verdict
from advisor.lint.run import review
from advisor.settings import Settings

FIXTURES = Path(__file__).parents[2] / "fixtures"
SESSIONS = FIXTURES / "show" / "sessions"
RULES = load_rules(Settings().budgets)


def session(name: str) -> Verdict:
    return review([Source(name, (SESSIONS / name).read_bytes())], RULES, Settings())


def bundle(name: str) -> Verdict:
    folder = FIXTURES / "bundles" / name
    return review([Source(str(folder), b"", read_bundle(folder))], RULES, Settings())


def finding(verdict: Verdict, rule: str) -> Finding:
    (found,) = (each for each in verdict.findings if each.rule == rule)
    return found


def bases(found: Finding) -> dict[str, Basis]:
    assert found.prediction is not None
    return {each.name: each.basis for each in found.prediction.inputs}


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.txt")), ids=lambda path: path.name)
def test_every_output_of_a_session_is_understood(path: Path) -> None:
    verdict = session(path.name)

    lacking = [each for each in verdict.findings if each.rule in {"COL001", "COL002"}]
    assert len(verdict.incomplete) == len(lacking)


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.txt")), ids=lambda path: path.name)
def test_a_session_says_on_its_first_line_which_layout_it_follows(path: Path) -> None:
    assert path.read_text("utf-8").startswith("! Layout: ")


@pytest.mark.parametrize("rule", ["SLA001", "SLA002", "SLA003", "CPU001", "CPU002", "CPU003"])
def test_the_printouts_of_the_ring_test_agree_with_the_model(rule: str) -> None:
    assert rule not in {each.rule for each in session("seed-000-a1-512k.txt").findings}


def test_the_probe_of_the_ring_test_was_compared_not_skipped() -> None:
    assert not [each for each in session("seed-000-a1-512k.txt").skipped if each.rule == "SLA001"]


@pytest.mark.parametrize(
    ("name", "rule", "reason"),
    [
        pytest.param("15.1-hqf-shaped.txt", "SLA001", "shaper", id="the queue is in the shaper"),
        pytest.param("12.4-sla-probes.txt", "SLA001", "class-default", id="not in the LLQ"),
    ],
)
def test_what_is_not_judged_says_why(name: str, rule: str, reason: str) -> None:
    said = [each.reason for each in session(name).skipped if each.rule == rule]

    assert len(said) == 1
    assert reason in said[0]


def test_the_tool_shows_what_is_measured_beside_what_it_predicts() -> None:
    found = bases(finding(bundle("a1"), "TXR001"))

    assert found["tx_ring_limit_packets"] is Basis.MEASURED
    assert found["mean_ip_bytes of Echo"] is Basis.MEASURED
    assert found["mean_ip_bytes of class-default"] is Basis.MEASURED
    assert "background_mean_ip_bytes" not in found


def test_a_platform_and_a_ring_that_were_seen_make_the_verdict_certain() -> None:
    alone = finding(session("seed-000-a1-512k.txt"), "TXR001")
    seen = finding(bundle("a1"), "TXR001")

    assert (alone.confidence.value, seen.confidence.value) == ("possible", "certain")


def test_the_commands_that_a_bundle_lacks_are_findings() -> None:
    found = {each.object for each in bundle("head1-incomplete").findings if each.rule == "COL001"}

    assert found == {"command show running-config", "command show dlsw circuits"}


def test_fair_queueing_on_the_slow_link_is_proven() -> None:
    remedy = finding(session("12.3-fifo-branch.txt"), "QLM004").remedy

    assert remedy is not None
    assert remedy.lines == ("interface Serial0", " fair-queue")
    assert remedy.proof


def test_a_ring_that_did_not_take_is_not_cured_by_a_longer_one() -> None:
    remedy = finding(session("12.2-atm-ring.txt"), "TXR001").remedy

    assert remedy is not None
    assert remedy.lines == ()
    assert "the driver has another" in (remedy.advice or "")
