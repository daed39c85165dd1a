"""LFI009: RTP headers compressed at one end of a link."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Confidence, Finding
from advisor.lint.run import review
from advisor.settings import Settings

RULES = [rule for rule in load_rules(Settings().budgets) if rule.card.id == "LFI009"]
CRTP = " ip rtp header-compression\n"
QUEUES = (
    "class-map match-all VOICE\n match ip dscp ef\n"
    "policy-map LLQ\n class VOICE\n  priority 128\n"
    "policy-map EDGE\n class VOICE\n  priority 128\n  compression header ip rtp\n"
)
LLQ = " service-policy output LLQ\n"


def end(address: int, lines: str = LLQ, encapsulation: str = "ppp") -> str:
    return (
        f"{QUEUES}interface Serial0/0\n ip address 10.0.0.{address} 255.255.255.252\n"
        f" encapsulation {encapsulation}\n clock rate 512000\n{lines}"
    )


def found(*texts: str) -> tuple[Finding, ...]:
    sources = [
        Source(f"r{number}.ios", f"version 12.4\nhostname r{number}\n{text}end\n".encode())
        for number, text in enumerate(texts, 1)
    ]
    return tuple(review(sources, RULES, Settings()).findings)


@pytest.mark.parametrize(
    ("texts", "devices"),
    [
        pytest.param((end(1, CRTP), end(2)), ["r1"], id="one end"),
        pytest.param((end(1), end(2, CRTP)), ["r2"], id="the other end"),
        pytest.param((end(1, CRTP), end(2, CRTP)), [], id="both ends"),
        pytest.param(
            (end(1, CRTP), end(2, " ip rtp header-compression passive\n")), [], id="passive there"
        ),
        pytest.param((end(1), end(2)), [], id="neither end"),
        pytest.param((end(1, CRTP), end(5)), [], id="another link"),
        pytest.param((end(1, CRTP),), [], id="the other end is not in the run"),
        pytest.param((end(1, CRTP), end(2, " service-policy output EDGE\n")), [], id="in a class"),
        pytest.param(
            (end(1, CRTP, "frame-relay"), end(2, LLQ, "frame-relay")), [], id="Frame Relay"
        ),
    ],
)
def test_compression_at_one_end(texts: tuple[str, ...], devices: list[str]) -> None:
    assert [finding.device for finding in found(*texts)] == devices


@pytest.mark.parametrize(
    ("encapsulation", "confidence", "words"),
    [
        pytest.param("ppp", Confidence.LIKELY, "neither end compresses", id="PPP agrees on none"),
        pytest.param("hdlc", Confidence.POSSIBLE, "cannot read", id="HDLC does not agree"),
    ],
)
def test_what_follows_hangs_on_the_encapsulation(
    encapsulation: str, confidence: Confidence, words: str
) -> None:
    (finding,) = found(
        end(1, CRTP, encapsulation=encapsulation), end(2, encapsulation=encapsulation)
    )

    assert finding.confidence is confidence
    assert words in finding.message
    assert "14-15 kb/s more" in finding.message
