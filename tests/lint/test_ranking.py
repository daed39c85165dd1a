"""Findings are ranked by what their remedies give back: ms, Mb/s or percent."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from advisor.api import lint, of_texts
from advisor.ground.quantity import Figure
from advisor.lint.findings import Confidence, Forecast
from advisor.lint.run import ranked


def exactly(value: float, unit: str, bound: float | None = None) -> Figure:
    return Figure(value, value, value, unit, bound)


@pytest.mark.parametrize(
    ("before", "after", "gain"),
    [
        pytest.param(exactly(60, "ms"), exactly(20, "ms"), 40, id="a delay"),
        pytest.param(exactly(60, "ms", 90), exactly(20, "ms", 25), 65, id="bounds"),
        pytest.param(exactly(5000, "kb/s"), exactly(2000, "kb/s"), 3, id="a rate counts in Mb/s"),
        pytest.param(exactly(3, "%"), exactly(1, "%"), 2, id="percent"),
        pytest.param(exactly(60, "ms"), None, 0, id="no remedy"),
    ],
)
def test_gain(before: Figure, after: Figure | None, gain: float) -> None:
    assert Forecast("metric", before, after, ()).gain == gain


def test_a_setting_that_no_traffic_feels_gives_nothing_back() -> None:
    assert Forecast("metric", exactly(60, "ms"), exactly(20, "ms"), (), is_felt=False).gain == 0


def test_a_time_constant_stands_behind_the_delay_of_voice() -> None:
    config = """version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-any GOLD
 match ip dscp af31
policy-map WAN
 class VOICE
  priority 500
 class GOLD
  bandwidth 1000
  random-detect dscp-based
  random-detect dscp af31 10 40 10
interface Serial0/1/0
 bandwidth 2048
 encapsulation ppp
 tx-ring-limit 20
 service-policy output WAN
"""
    rules = [finding.rule for finding in lint(of_texts({"r1.cfg": config})).findings]
    assert rules.index("TXR001") < rules.index("WRD006")


def test_an_error_that_is_only_possible_stands_behind_one_that_is_certain() -> None:
    config = """version 12.4
hostname r1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority percent 20
 class class-default
  bandwidth percent 70
interface Serial0/0/0
 bandwidth 512
 service-policy output WAN
interface Serial0/0/1
 bandwidth 512
 service-policy output WNA
end
"""
    findings = lint(of_texts({"r1.cfg": config})).findings
    assert [known.rule for known in findings if known.severity == "error"] == ["LLQ002", "REF001"]
    doubtful = [
        replace(known, confidence=Confidence.POSSIBLE) if known.rule == "LLQ002" else known
        for known in findings
    ]
    assert next(known.rule for known in ranked(doubtful)) == "REF001"


def test_a_remedy_says_by_how_much_it_shortens_the_delay_of_voice() -> None:
    text = Path("fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
    by_rule = {known.rule: known for known in lint(of_texts({"r1.ios": text})).findings}
    ring, fragments = by_rule["TXR001"].prediction, by_rule["LFI001"].remedy
    alone = by_rule["TXR001"].remedy
    assert ring is not None
    assert alone is not None
    assert fragments is not None
    (by_ring,), (by_fragments,) = alone.shorter, fragments.shorter
    assert (by_ring.before, by_ring.after) == (ring.before, ring.after)
    assert by_fragments.before == by_ring.before
    assert by_ring.after is not None
    assert by_fragments.after is not None
    assert by_fragments.after.value < by_ring.after.value


def test_lines_that_shorten_one_delay_tell_what_they_give_back_together() -> None:
    members = "".join(
        f"interface Serial0/{slot}/0\n bandwidth 256\n clock rate 256000\n encapsulation ppp\n"
        " ppp multilink\n ppp multilink group 1\n tx-ring-limit 64\n"
        for slot in range(3)
    )
    config = f"""version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 200
 class class-default
  fair-queue
interface Multilink1
 bandwidth 768
 ppp multilink
 ppp multilink group 1
 ppp multilink fragment delay 10
 service-policy output WAN
{members}end
"""
    findings = lint(of_texts({"r1.cfg": config})).findings
    by_rule = {known.rule: known for known in findings if known.together is not None}
    assert {"LFI005", "TXR001"} <= set(by_rule)
    joint = by_rule["TXR001"].together
    assert joint is not None
    assert joint == by_rule["LFI005"].together
    assert joint.effect.after is not None
    for rule in joint.rules:
        remedy = by_rule[rule].remedy
        assert remedy is not None
        assert all(
            one.after is not None and joint.effect.after.value <= one.after.value
            for one in remedy.shorter
        )
