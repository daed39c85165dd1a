"""PLC004: a slow link of which one end puts voice first."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import Settings

RULES = [rule for rule in load_rules(Settings().budgets) if rule.card.id == "PLC004"]
POLICIES = (
    "class-map match-all VOICE\n match ip dscp ef\n"
    "policy-map EDGE\n class VOICE\n  priority percent 20\n class class-default\n  fair-queue\n"
    "policy-map DATA\n class class-default\n  fair-queue\n"
)


def end(address: int, policy: str = "", kbps: int = 512) -> str:
    attach = f" service-policy output {policy}\n" if policy else ""
    return (
        f"{POLICIES}interface Serial0/0\n ip address 10.0.0.{address} 255.255.255.252\n"
        f" encapsulation ppp\n clock rate {kbps}000\n{attach}"
    )


def found(*texts: str) -> list[str]:
    sources = [
        Source(f"r{number}.ios", f"version 15.1\nhostname r{number}\n{text}end\n".encode())
        for number, text in enumerate(texts, 1)
    ]
    return [finding.device for finding in review(sources, RULES, Settings()).findings]


@pytest.mark.parametrize(
    ("texts", "devices"),
    [
        pytest.param((end(1, "EDGE"), end(2)), ["r1"], id="the other end has no policy"),
        pytest.param((end(1, "DATA"), end(2, "EDGE")), ["r2"], id="it has a policy without an LLQ"),
        pytest.param((end(1, "EDGE", 2048), end(2, "", 2048)), ["r1"], id="an E1"),
        pytest.param((end(1, "EDGE", 2049), end(2, "", 2049)), [], id="faster than an E1"),
        pytest.param((end(1, "EDGE"), end(2, "EDGE")), [], id="both ends"),
        pytest.param((end(1), end(2, "DATA")), [], id="neither end"),
        pytest.param((end(1, "EDGE"), end(5)), [], id="another link"),
        pytest.param((end(1, "EDGE"),), [], id="the other end is not in the run"),
    ],
)
def test_one_end_puts_voice_first(texts: tuple[str, ...], devices: list[str]) -> None:
    assert found(*texts) == devices


def test_the_other_end_and_the_rate_are_named() -> None:
    sources = [
        Source(f"r{number}.ios", f"version 15.1\nhostname r{number}\n{text}end\n".encode())
        for number, text in enumerate((end(1, "EDGE"), end(2)), 1)
    ]
    (finding,) = review(sources, RULES, Settings()).findings

    assert "voice first on 512 kb/s, and r2 Serial0/0, the other end" in finding.message
