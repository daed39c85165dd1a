"""What IOS refuses makes findings void: they stand below the refusal, say so, and have no lines."""

import pytest

from advisor.api import in_force, judged, lint, of_texts, plan, predict
from advisor.lint.findings import Confidence, Finding
from advisor.lint.run import ranked
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.report import brief
from advisor.report.terminal import RenderOptions

IMAGE = "version 12.3\nboot system flash c3640-ik9o3s-mz.123-22.bin\n"
CLASSES = """hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af21
"""
POLICY = """policy-map WAN
 class VOICE
  priority 150
 class DATA
  bandwidth {data}
 class class-default
  fair-queue
"""
SERIAL = """interface Serial0/{port}
 bandwidth {rate}
 clock rate {rate}000
 encapsulation ppp
{more} service-policy output WAN
"""
FULL = SERIAL.format(port=0, rate=512, more=" tx-ring-limit 20\n")
OVER = f"{IMAGE}{CLASSES}{POLICY.format(data=300)}{FULL}"
FITS = f"{IMAGE}{CLASSES}{POLICY.format(data=200)}{FULL}"
ELSEWHERE = SERIAL.format(port=1, rate=1544, more=" tx-ring-limit 20\n")
TWO_KINDS = FITS.replace("  fair-queue\n", "  bandwidth percent 5\n")
ON_SUBINTERFACE = FITS.replace(
    FULL,
    "interface FastEthernet0/0.10\n encapsulation dot1Q 10\n service-policy output WAN\n",
)
PRINTED = f"Building configuration...\n\n{OVER}"


def found(config: str) -> tuple[Finding, ...]:
    return lint(of_texts({"r1.cfg": f"{config}end\n"})).findings


def rules(findings: tuple[Finding, ...]) -> list[str]:
    return [each.rule for each in findings]


def void(findings: tuple[Finding, ...]) -> list[Finding]:
    return [each for each in findings if each.void_by is not None]


def test_a_refused_policy_comes_first_and_its_figures_follow_it() -> None:
    findings = found(OVER)
    assert rules(findings)[:2] == ["LLQ002", "TXR001"]
    assert findings[1].void_by is not None
    assert findings[1].void_by.key == ("LLQ002", "interface Serial0/0")
    assert "void until LLQ002 of interface Serial0/0 is mended" in findings[1].message


def test_nothing_that_rests_on_a_refusal_is_certain_or_has_lines() -> None:
    assert found(FITS)[0].confidence is Confidence.CERTAIN
    for finding in void(found(OVER)):
        assert finding.confidence is Confidence.POSSIBLE
        assert finding.remedy is None or not finding.remedy.lines


@pytest.mark.parametrize(
    ("config", "steps"),
    [
        pytest.param(FITS, ["interface Serial0/0"], id="a policy that IOS takes"),
        pytest.param(OVER, [], id="a policy that IOS refuses"),
    ],
)
def test_a_plan_has_no_step_of_what_rests_on_a_refusal(config: str, steps: list[str]) -> None:
    (device,) = plan(of_texts({"r1.cfg": f"{config}end\n"}))
    assert [step.place for step in device.steps] == steps


def test_a_prediction_says_that_ios_refuses_its_policy_and_advises_nothing() -> None:
    voice = next(each for each in predict(of_texts({"r1.cfg": f"{OVER}end\n"})))
    assert isinstance(voice, ClassPrediction)
    assert voice.weak[0].startswith("IOS refuses WAN here")
    assert voice.advice == ()


def test_what_does_not_rest_on_the_policy_is_not_void() -> None:
    unused = "policy-map OLD\n class class-default\n  fair-queue\n"
    (finding,) = [each for each in found(f"{OVER}{unused}") if each.rule == "REF004"]
    assert finding.void_by is None


def test_a_line_that_the_device_printed_may_be_taken() -> None:
    ring = next(each for each in found(PRINTED) if each.rule == "TXR001")
    assert ring.void_by is not None
    assert not ring.void_by.is_sure
    assert "holds if the policy is in force: see LLQ002 of interface Serial0/0" in ring.message
    assert ring.remedy is not None
    assert ring.remedy.lines


def test_a_refused_policy_is_taken_off_the_ports_that_it_fits() -> None:
    findings = found(f"{OVER}{ELSEWHERE}")
    assert "IOS removes it from interface Serial0/1 too" in findings[0].message
    others = [each for each in findings if each.object.startswith("interface Serial0/1")]
    assert others
    assert all(each.void_by is not None for each in others)


def test_the_other_ports_of_a_refused_policy_are_counted_where_they_are_many() -> None:
    others = (ELSEWHERE.replace("Serial0/1", f"Serial0/{n}") for n in range(1, 9))
    findings = found(f"{OVER}{''.join(others)}")
    named = ", ".join(f"interface Serial0/{n}" for n in range(1, 6))
    assert f"IOS removes it from {named} and 3 more too" in findings[0].message


@pytest.mark.parametrize(
    ("config", "head", "rests"),
    [
        pytest.param(ON_SUBINTERFACE, "REF007", "LLQ003", id="a queue on a subinterface"),
        pytest.param(
            FITS.replace(" tx-ring", " random-detect\n tx-ring"),
            "WRD008",
            "TXR001",
            id="a policy after the WRED of its port",
        ),
    ],
)
def test_each_refusal_has_what_rests_on_it_below(config: str, head: str, rests: str) -> None:
    findings = found(config)
    assert findings[0].rule == head
    assert [each.rule for each in void(findings) if each.rule == rests]
    assert all(each.void_by is not None for each in findings[1 : len(void(findings)) + 1])


@pytest.mark.parametrize(
    "config",
    [
        pytest.param(TWO_KINDS, id="the second kind of bandwidth"),
        pytest.param(
            FITS.replace("  priority 150\n", "  priority 150\n  random-detect\n"),
            id="WRED of a priority class",
        ),
        pytest.param(
            FITS.replace("  bandwidth 200\n", "  random-detect\n"), id="WRED without a bandwidth"
        ),
    ],
)
def test_a_refused_line_that_the_ring_does_not_rest_on_leaves_its_remedy(config: str) -> None:
    ring = next(item for item in found(config) if item.rule == "TXR001")
    assert ring.void_by is None
    assert ring.remedy is not None
    assert ring.remedy.lines


def test_findings_are_ranked_alone_where_their_refusal_is_not_asked_for() -> None:
    rest = [each for each in found(OVER) if each.rule != "LLQ002"]
    assert rules(ranked(rest))[0] == "TXR001"


def test_what_may_be_no_error_is_a_check_and_what_rests_on_it_stands_below_it() -> None:
    run = of_texts({"r1.cfg": f"{PRINTED}end\n"})
    verdict = judged(run.sources, in_force(run.settings))
    first, second = verdict.findings[:2]
    assert (first.rule, second.rule, first.is_to_check) == ("LLQ002", "TXR001", True)
    assert first.remedy is not None
    assert (first.remedy.advice or "").startswith(
        "`show policy-map interface Serial0/0`; classes listed: the policy is in force, leave it; "
    )
    said = brief.render(verdict, RenderOptions())
    assert said.startswith("check[LLQ002] policy-map WAN reserves")
    assert "  check before anything else: `show policy-map" in said
    assert ": 0 errors, 1 to check, " in said


SITES = """class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 2000
 class class-default
  fair-queue
policy-map P40
 class class-default
  shape average 40000000
  service-policy WAN
policy-map P2
 class class-default
  shape average 2000000
  service-policy WAN
interface GigabitEthernet0/0
 no ip address
 speed 100
"""
SITE = """interface GigabitEthernet0/0.{number}
 encapsulation dot1Q {number}
 service-policy output {policy}
"""


@pytest.mark.parametrize(
    ("sites", "void_by", "confidence"),
    [
        pytest.param(("P40", "P40", "P40", "P2"), "holds without", Confidence.LIKELY,
                     id="too much without the refused site too"),
        pytest.param(("P40", "P40", "P20", "P2"), "void until", Confidence.POSSIBLE,
                     id="too much with the refused site alone"),
        pytest.param(("P40", "P40", "P40"), None, Confidence.LIKELY, id="nothing is refused"),
    ],
)  # fmt: skip
def test_a_sum_that_holds_without_the_refused_line_is_not_void(
    sites: tuple[str, ...], void_by: str | None, confidence: Confidence
) -> None:
    places = (SITE.format(number=n, policy=name) for n, name in enumerate(sites, start=10))
    p20 = "policy-map P20\n class class-default\n  shape average 19000000\n  service-policy WAN\n"
    head = "version 15.2\nlicense udi pid CISCO2911/K9 sn F1\n"
    findings = found(head + SITES.replace("interface", p20 + "interface") + "".join(places))
    sums = [each for each in findings if each.rule == "SHP007"]

    assert [each.confidence for each in sums] == [confidence]
    said = None if sums[0].void_by is None else str(sums[0].void_by)
    assert said is None if void_by is None else (said or "").startswith(void_by)


LEAF = """version 16.9
license udi pid ISR4331/K9 sn F1
class-map match-any VOICE
 match ip dscp ef
class-map match-any SITE
 match ip dscp af21
policy-map WAN
 class VOICE
  priority percent 20
policy-map MID
 class SITE
  {share}
  service-policy WAN
policy-map TOP
 class class-default
  shape average 20000000
  service-policy MID
interface GigabitEthernet0/0/0
 ip address 192.0.2.1 255.255.255.252
 service-policy output TOP
"""


@pytest.mark.parametrize(
    ("share", "is_void"),
    [
        pytest.param("bandwidth 5000", True, id="a rate: QFP takes no child"),
        pytest.param("bandwidth percent 25", True, id="a percentage: QFP takes no child"),
        pytest.param("bandwidth remaining percent 25", False, id="a part of the rest: it does"),
    ],
)
def test_calls_of_a_child_that_qfp_refuses_are_void(share: str, *, is_void: bool) -> None:
    calls = [each for each in found(LEAF.format(share=share)) if each.rule == "LLQ003"]

    assert [each.void_by is not None for each in calls] == [is_void]
