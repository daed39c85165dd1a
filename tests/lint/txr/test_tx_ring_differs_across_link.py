"""TXR006: the times of the rings at the two ends of a link."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Confidence, Finding, Verdict
from advisor.lint.run import review
from advisor.settings import Settings

RULES = [rule for rule in load_rules(Settings().budgets) if rule.card.id == "TXR006"]
BOOT = "boot system flash c2800nm-advipservicesk9-mz.124-15.T14.bin\n"


def end(
    address: int,
    ring: int | None,
    priority: str = "priority 256",
    lines: str = "",
    boot: str = BOOT,
) -> str:
    stated = f" tx-ring-limit {ring}\n" if ring is not None else ""
    return (
        f"{boot}class-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n"
        f" class VOICE\n  {priority}\n class class-default\n  fair-queue\n"
        f"interface Serial0/0/0\n ip address 10.0.0.{address} 255.255.255.252\n"
        f" clock rate 1536000\n encapsulation ppp\n{stated}{lines} service-policy output EDGE\n"
    )


def run(one: str, other: str) -> Verdict:
    sources = [
        Source(f"r{number}.ios", f"version 12.4\nhostname r{number}\n{text}end\n".encode())
        for number, text in enumerate((one, other), 1)
    ]
    return review(sources, RULES, Settings())


def found(one: str, other: str) -> list[Finding]:
    return list(run(one, other).findings)


@pytest.mark.parametrize(
    ("one", "other", "devices"),
    [
        pytest.param(end(1, 20), end(2, 1), ["r1"], id="deep at r1"),
        pytest.param(end(1, 1), end(2, 20), ["r2"], id="deep at r2"),
        pytest.param(end(1, 20), end(2, 9), ["r1"], id="21 packets against 10"),
        pytest.param(end(1, 20), end(2, 10), [], id="21 packets against 11: under twice"),
        pytest.param(end(1, 20), end(2, 20), [], id="both are deep"),
        pytest.param(end(1, 2), end(2, 1), [], id="both are in the budget"),
        pytest.param(end(1, 20), end(2, None), ["r1"], id="the default of a 2811 is 2"),
        pytest.param(end(1, 20), end(2, 1, "bandwidth 256"), [], id="no voice from r2"),
        pytest.param(end(1, 20), end(6, 1), [], id="no link"),
    ],
)
def test_the_end_with_the_longer_ring(one: str, other: str, devices: list[str]) -> None:
    assert [finding.device for finding in found(one, other)] == devices


def test_both_directions_are_told() -> None:
    (finding,) = found(end(1, 20), end(2, 1))

    assert "from here by up to 165 ms, that of r2 Serial0/0/0 voice to here by up to 16 ms" in (
        finding.message
    )


def test_the_lines_are_those_of_the_budget() -> None:
    (finding,) = found(end(1, 20), end(2, 1))

    assert finding.remedy is not None
    assert finding.remedy.lines == ("interface Serial0/0/0", " tx-ring-limit 2")


def test_an_unknown_platform_is_possible() -> None:
    (finding,) = found(end(1, 20, boot=""), end(2, 1))

    assert finding.confidence is Confidence.POSSIBLE


def test_an_end_whose_packets_are_cut_is_not_judged() -> None:
    cut = " encapsulation frame-relay\n frame-relay fragment 640 end-to-end\n"

    skipped = run(end(1, 20), end(2, 1, lines=cut)).skipped
    assert [(each.device, each.reason) for each in skipped] == [
        ("r1", "r2 Serial0/0/0: one end of the link cuts its packets"),
        ("r2", "r1 Serial0/0/0: one end of the link cuts its packets"),
    ]
