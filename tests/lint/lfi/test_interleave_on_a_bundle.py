"""LFI001 on a bundle: what the fragments are made of, and what IOS needs beside them."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Level, Remedy
from advisor.lint.run import review
from advisor.settings import Settings

RULES = load_rules(Settings().budgets)
HEAD = """\
version 12.3
hostname R1
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 100
 class class-default
  fair-queue
interface Multilink1
 ppp multilink
{}\
 ppp multilink group 1
 service-policy output EDGE
"""
MEMBER = """\
interface Serial0/{}
{} encapsulation ppp
 tx-ring-limit 1
 ppp multilink
 ppp multilink group 1
"""
CLOCK, LABEL = " clock rate 512000\n", " bandwidth 512\n"


def remedy(bundle: str, *members: str) -> Remedy:
    text = HEAD.format(bundle) + "".join(
        MEMBER.format(number, lines) for number, lines in enumerate(members)
    )
    verdict = review([Source("r1.ios", text.encode())], RULES, Settings())
    (found,) = (finding for finding in verdict.findings if finding.rule == "LFI001")
    assert found.remedy is not None
    return found.remedy


@pytest.mark.parametrize(
    ("bundle", "members", "lines"),
    [
        pytest.param("", (CLOCK + LABEL,), (), id="a member with its bandwidth stays"),
        pytest.param("", (CLOCK,), ("interface Serial0/0", " bandwidth 512"),
                     id="IOS would take 1544 kb/s of a member without bandwidth"),
        pytest.param(" ppp multilink fragment disable\n", (CLOCK + LABEL,),
                     (" no ppp multilink fragment disable",), id="fragments are not disabled"),
        pytest.param("", (CLOCK + LABEL, CLOCK + LABEL), (" ppp multilink multiclass",),
                     id="several links interleave by multiclass"),
    ],
)  # fmt: skip
def test_lines_beside_delay_and_interleave(
    bundle: str, members: tuple[str, ...], lines: tuple[str, ...]
) -> None:
    pasted = remedy(bundle, *members).lines

    always = {"interface Multilink1", " ppp multilink fragment delay 10",
              " ppp multilink interleave"}  # fmt: skip
    assert set(pasted) == always | set(lines)


def test_a_bundle_needs_a_window_and_says_what_stops() -> None:
    found = remedy("", CLOCK + LABEL)

    assert found.level is Level.NEEDS_WINDOW
    assert found.advice is not None
    assert "; interrupts: all traffic of the link" in found.notes
