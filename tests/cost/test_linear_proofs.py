"""Proofs cost what they touch: work is counted, not timed, and is linear in interfaces."""

from collections import Counter

import pytest

from advisor.device.reading import Source
from advisor.facts.read_interfaces import read_interface
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.predict.classes import solutions
from advisor.questions import Together, forget
from advisor.settings.values import Settings

SETTINGS = Settings()
RULES = [rule for rule in load_rules(SETTINGS.budgets) if rule.card.id[:3] in ("TXR", "WRD", "LFI")]
HEAD = "hostname hub\nclass-map match-all VOICE\n match ip dscp ef\n"
SITE = (
    "policy-map WAN{0}\n class VOICE\n  priority 128\n class class-default\n  random-detect\n"
    "interface Serial{0}/0\n bandwidth {1}\n clock rate {1}000\n encapsulation ppp\n"
    " tx-ring-limit 64\n service-policy output WAN{0}\n"
)


class Work(Counter[str]):
    """How often a function did something."""


def counted(sites: int, rates_kbps: int, patched: pytest.MonkeyPatch) -> Work:
    """Sections of interfaces that are read, and interfaces of the model that are solved."""
    work = Work()
    forget()
    solve = solutions._solved

    def reading(*given: object) -> None:
        work["sections"] += 1
        read_interface(*given)  # type: ignore[arg-type]

    def solving(interfaces: object) -> object:
        work["solved"] += len(interfaces)  # type: ignore[arg-type]
        return solve(interfaces)  # type: ignore[arg-type]

    with patched.context() as patch:
        patch.setattr("advisor.facts.read_config.read_interface", reading)
        patch.setattr(solutions, "_SOLUTIONS", Together(solving, 4096))  # type: ignore[arg-type]
        text = HEAD + "".join(SITE.format(n, 512 + 8 * (n % rates_kbps)) for n in range(sites))
        findings = review([Source("hub.ios", text.encode())], RULES, SETTINGS).findings
    work["remedies"] = sum(1 for each in findings if each.remedy and each.remedy.lines)
    return work


@pytest.mark.parametrize(("few", "many"), [(8, 16), (16, 32)])
def test_sections_are_read_in_proportion_to_the_interfaces(
    few: int, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = counted(few, 1, monkeypatch), counted(many, 1, monkeypatch)

    assert after["remedies"] == many / few * before["remedies"] > 0
    assert after["sections"] <= 1.1 * many / few * before["sections"]


def test_outputs_that_are_alike_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one, alike = counted(1, 1, monkeypatch), counted(12, 1, monkeypatch)

    assert alike["solved"] == one["solved"] > 0
