"""A text is read once: how often expressions look at its lines, and readers at its sections."""

import re
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from advisor.device.reading import Source, read_source
from advisor.facts.read_interfaces import read_interface
from advisor.ground.questions import forget
from advisor.ios.syntax import Line
from advisor.lint.cards import Rule, is_selected, load_rules
from advisor.lint.run import review
from advisor.settings import Settings

SETTINGS = Settings()
LOOKS_AT_A_LINE = 0.4  # on average, in all stages from the file to its facts
SEARCHES_OF_A_TEXT = 55  # and looks at its first lines
INTERFACE = (
    "interface Serial{0}/{1}\n bandwidth 2048\n ip address 10.{1}.{0}.1 255.255.255.0\n"
    " encapsulation ppp\n no ip redirects\n!\n"
)
LINES_OF_AN_INTERFACE = INTERFACE.count("\n")
PROVEN = (
    "interface Serial{0}/0\n bandwidth 768\n clock rate 768000\n encapsulation ppp\n"
    " tx-ring-limit 64\n service-policy output WAN\n"
)
POLICY = (
    "hostname hub\nclass-map match-all VOICE\n match ip dscp ef\n"
    "policy-map WAN\n class VOICE\n  priority 128\n class class-default\n  fair-queue\n"
)


def plain(interfaces: int, network: int) -> Source:
    sections = (INTERFACE.format(number, network) for number in range(interfaces))
    return Source("r1.cfg", f"version 12.4\nhostname r1\n{''.join(sections)}end\n".encode())


def looks(work: Callable[[], object]) -> int:
    """How often expressions are asked while something is done."""
    asked = 0

    def count(_: FrameType, event: str, called: Any) -> None:
        nonlocal asked
        asked += event == "c_call" and isinstance(getattr(called, "__self__", None), re.Pattern)

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return asked


def test_a_line_of_a_plain_config_is_looked_at_by_few_expressions() -> None:
    few, many = plain(200, network=1), plain(400, network=2)
    read_source(plain(10, network=3), SETTINGS)  # patterns and tables are made
    before, after = (looks(lambda: read_source(source, SETTINGS)) for source in (few, many))  # noqa: B023

    lines = 200 * LINES_OF_AN_INTERFACE
    assert after - before <= LOOKS_AT_A_LINE * lines
    assert before - (after - before) <= SEARCHES_OF_A_TEXT


def test_rules_are_chosen_once_for_all_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, asked = load_rules(SETTINGS.budgets), Counter[str]()

    def choosing(rule: Rule, settings: Settings) -> bool:
        asked[rule.card.id] += 1
        return is_selected(rule, settings)

    monkeypatch.setattr("advisor.lint.run.is_selected", choosing)
    review([plain(2, network=network) for network in (4, 5, 6)], rules, SETTINGS)

    assert set(asked.values()) == {1}


def test_a_section_is_read_into_facts_once_in_a_lint_with_proofs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forget()
    text = POLICY + "".join(PROVEN.format(number) for number in range(4)) + "end\n"
    reads: Counter[Line] = Counter()

    def reading(line: Line, *others: object) -> None:
        reads[line] += 1
        read_interface(line, *others)  # type: ignore[arg-type]

    monkeypatch.setattr("advisor.facts.read_config.read_interface", reading)
    findings = review([Source("hub.ios", text.encode())], load_rules(SETTINGS.budgets), SETTINGS)

    assert any(finding.remedy and finding.remedy.lines for finding in findings.findings)
    assert set(reads.values()) == {1}
