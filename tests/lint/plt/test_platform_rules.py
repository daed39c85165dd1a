"""Rules hold for families: what a platform does not have is never judged by values of another."""

from pathlib import Path
from typing import get_args

import pytest

from advisor.device.platform import FamilyName
from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Confidence, Severity, Verdict
from advisor.lint.run import review
from advisor.settings import Budgets, Settings, StatedPlatform

RULES = load_rules(Budgets())
SHOW = Path(__file__).parents[3] / "fixtures/show"
LLQ_BEHIND_A_DEEP_RING = """\
class-map match-all VOICE
 match dscp ef
policy-map WAN
 class VOICE
  priority 128
 class class-default
  fair-queue
interface Serial0/0/0
 bandwidth 512
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 64
 service-policy output WAN
"""
HEADS = {
    "pre-hqf": "version 12.3\n",
    "hqf": "version 15.1\nlicense udi pid CISCO2911/K9 sn F1\n",
    "unknown": "",
    "qfp": "version 16.9\nlicense udi pid ISR4331/K9 sn F1\n",
    "xe": "version 16.9\n",
    "xe-without-qfp": "version 16.6\nlicense udi pid ASR-920-24SZ-M sn C1\n",
    "mls": "version 15.0\nmls qos\n",
    "mqc": "version 17.3\nswitch 1 provision c9300-48p\n",
    "lab": "version 15.1\nlicense udi pid CISCO2911/K9 sn FTX1524PNC4-\n",
}


def verdict_of(text: str, settings: Settings | None = None) -> Verdict:
    return review([Source("r1.cfg", text.encode())], RULES, settings or Settings())


def lines_of(verdict: Verdict) -> list[str]:
    remedies = (finding.remedy for finding in verdict.findings)
    return [line for remedy in remedies if remedy is not None for line in remedy.lines]


@pytest.mark.parametrize(
    ("head", "confidence"),
    [
        pytest.param("pre-hqf", Confidence.POSSIBLE, id="12.3: a software router, its kind open"),
        pytest.param("hqf", Confidence.CERTAIN, id="a 2911: its rings are known"),
        pytest.param("unknown", Confidence.POSSIBLE, id="no version: it may be IOS XE"),
        *(
            pytest.param(head, None, id=f"{head}: no ring of a software router")
            for head in ("qfp", "xe", "xe-without-qfp", "mls", "mqc", "lab")
        ),
    ],
)
def test_a_deep_ring_is_judged_on_software_routers_alone(
    head: str, confidence: Confidence | None
) -> None:
    verdict = verdict_of(HEADS[head] + LLQ_BEHIND_A_DEEP_RING)
    found = [finding.confidence for finding in verdict.findings if finding.rule == "TXR001"]
    assert found == ([confidence] if confidence is not None else [])


@pytest.mark.parametrize("head", ["qfp", "xe", "xe-without-qfp", "mls", "mqc", "lab"])
def test_no_remedy_sets_a_ring_there(head: str) -> None:
    verdict = verdict_of(HEADS[head] + LLQ_BEHIND_A_DEEP_RING)
    assert [line for line in lines_of(verdict) if "tx-ring-limit" in line] == []


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        pytest.param("qfp", "not known for IOS XE on QFP", id="QFP"),
        pytest.param("lab", "not known for lab image", id="a lab image"),
        pytest.param("mls", "not known for Catalyst with mls qos", id="a switch"),
    ],
)
def test_what_is_not_judged_says_for_which_platform(head: str, reason: str) -> None:
    verdict = verdict_of(HEADS[head] + LLQ_BEHIND_A_DEEP_RING)
    assert [skip.reason for skip in verdict.skipped if skip.rule == "LFI001"] == (
        [] if head == "qfp" else [reason]
    )
    assert {skip.reason for skip in verdict.skipped if skip.rule == "TXR001"} == {reason}


def test_a_switch_with_mls_qos_is_named_counted_and_not_judged() -> None:
    text = "version 15.0\nhostname sw1\nmls qos\npolicy-map P\n class GONE\n  police 8000\nend\n"
    verdict = verdict_of(text)
    assert [finding.rule for finding in verdict.findings] == ["PLT001"]
    assert [(file.qos_lines, file.qos_lines_understood) for file in verdict.coverage] == [(4, 4)]
    assert verdict.coverage[0].platform == (
        "platform: Catalyst with mls qos, by mls qos, r1.cfg:3",
        "not judged: the QoS of Catalyst with mls qos",
    )
    assert verdict.incomplete == ()


def test_the_counters_of_a_switch_are_named_and_cost_no_completeness() -> None:
    counters = (SHOW / "mls_qos_interface/12.2SE-statistics.txt").read_text().partition("\n")[2]
    shown = f"sw1#show mls qos interface FastEthernet0/1 statistics\n{counters}sw1#\n"
    config = "version 12.2\nhostname sw1\nmls qos\ninterface FastEthernet0/1\nend\n"
    verdict = verdict_of(f"sw1#show running-config\n{config}{shown}")
    (finding,) = verdict.findings
    assert "and the counters of 1 port with 4028 dropped packets were read" in finding.message
    assert verdict.incomplete == ()


def test_a_switch_without_qos_is_complete() -> None:
    verdict = verdict_of("version 15.0\nhostname sw1\nswitch 1 provision ws-c2960s-24ts-l\nend\n")
    assert (verdict.findings, verdict.incomplete) == ((), ())


def test_a_lab_image_is_said_once() -> None:
    verdict = verdict_of(HEADS["lab"] + LLQ_BEHIND_A_DEEP_RING)
    assert [finding.object for finding in verdict.findings if finding.rule == "PLT001"] == [
        "device"
    ]


def test_a_stated_platform_is_judged_by() -> None:
    stated = Settings(platforms=(StatedPlatform("r*", "ISR4331", "advisor.toml:2"),))
    verdict = verdict_of("hostname r1\n" + LLQ_BEHIND_A_DEEP_RING, stated)
    assert [finding.rule for finding in verdict.findings] == [
        "LFI001",
        "LLQ003",
        "LLQ011",
        "PLT002",
    ]


def test_a_stated_platform_that_is_contradicted_is_said() -> None:
    stated = Settings(platforms=(StatedPlatform("*", "2811", "--platform"),))
    verdict = verdict_of(HEADS["qfp"] + "hostname r1\n", stated)
    assert verdict.coverage[0].platform[1:] == (
        "platform: --platform: platform 2811 contradicts licence ISR4331/K9, r1.cfg:2 and is not used",
    )


def test_commands_of_older_routers_on_ios_xe() -> None:
    verdict = verdict_of(HEADS["xe"] + LLQ_BEHIND_A_DEEP_RING)
    found = [finding for finding in verdict.findings if finding.rule == "PLT002"]
    assert [(finding.object, finding.severity, finding.confidence) for finding in found] == [
        ("interface Serial0/0/0", Severity.INFO, Confidence.POSSIBLE)
    ]


def test_a_card_names_families_that_exist() -> None:
    names = {name for rule in RULES for name in rule.card.families}
    assert names == set(get_args(FamilyName))


def test_each_command_has_the_advice_that_fits_it() -> None:
    text = (
        "policy-map LEAF\n class class-default\n  fair-queue\n"
        "policy-map TREE\n class DATA\n  bandwidth 2000\n  service-policy LEAF\n"
        "class-map match-all DATA\n match dscp af21\n"
        "interface GigabitEthernet0/0/0\n tx-ring-limit 5\n service-policy output TREE\n"
    )
    findings = [one for one in verdict_of(HEADS["qfp"] + text).findings if one.rule == "PLT002"]
    advice = {one.object: one.remedy.advice for one in findings if one.remedy is not None}
    assert advice == {
        "interface GigabitEthernet0/0/0": (
            "take the line out: what it was meant for decides whether a policy-map replaces it"
        ),
        "policy-map TREE > class DATA": (
            "convert `bandwidth` to `bandwidth remaining`, or take the child policy out"
        ),
    }


def test_the_lines_that_are_kept_are_counted_as_in_coverage() -> None:
    text = HEADS["mls"] + "interface GigabitEthernet0/1\n mls qos trust dscp\n tx-ring-limt 5\n"
    verdict = verdict_of(text)
    (finding,) = [one for one in verdict.findings if one.rule == "PLT001"]
    assert "2 of 3 QoS lines were read" in finding.message
    assert verdict.coverage[0].qos_lines_understood == 2


QUEUES_OUT = (
    "policy-map OUT\n class class-default\n  bandwidth percent 20\n"
    "interface GigabitEthernet1/0/1\n service-policy output OUT\n"
)


@pytest.mark.parametrize(
    ("model", "text", "objects"),
    [
        pytest.param("ws-c3750g-24ps", QUEUES_OUT, ["interface GigabitEthernet1/0/1"], id="a 3750"),
        pytest.param("ws-c2960s-24ts-l", QUEUES_OUT, ["interface GigabitEthernet1/0/1"], id="2960"),
        pytest.param("me-c3750-24te", QUEUES_OUT, [], id="a 3750 Metro"),
        pytest.param("c9300-48p", QUEUES_OUT, [], id="a switch with MQC"),
        pytest.param(
            "ws-c3750g-24ps",
            QUEUES_OUT.replace("bandwidth percent 20", "set dscp ef"),
            [],
            id="it only marks",
        ),
        pytest.param("ws-c3750g-24ps", QUEUES_OUT.replace(" output ", " input "), [], id="inbound"),
    ],
)
def test_a_switch_that_schedules_by_port_has_no_queueing_policy(
    model: str, text: str, objects: list[str]
) -> None:
    verdict = verdict_of(f"version 12.2\nhostname sw1\nswitch 1 provision {model}\n{text}end\n")
    found = [finding for finding in verdict.findings if finding.rule == "PLT002"]
    assert [finding.object for finding in found] == objects
    assert all(finding.confidence is Confidence.POSSIBLE for finding in found)


BY_LIST = "class-map match-any WEB\n match access-group name WEB-ACL\n"
BY_NBAR = "class-map match-any WEB\n match protocol http\n"
BY_FIELDS = (
    "class-map match-any WEB\n match dscp af21\n match ip precedence 2\n match cos 2\n"
    " match qos-group 4\n"
)
NESTED = BY_LIST.replace("WEB", "INNER", 1) + "class-map match-any WEB\n match class-map INNER\n"
WEB_OUT = (
    "policy-map OUT\n class WEB\n  bandwidth remaining percent 30\n class class-default\n"
    "  bandwidth remaining percent 70\ninterface GigabitEthernet1/0/1\n service-policy output OUT\n"
)


@pytest.mark.parametrize(
    ("model", "text", "objects"),
    [
        pytest.param(
            "ws-c3850-24t", BY_LIST + WEB_OUT, ["policy-map OUT > class WEB"], id="by access list"
        ),
        pytest.param(
            "ws-c3850-24t", BY_NBAR + WEB_OUT, ["policy-map OUT > class WEB"], id="by NBAR"
        ),
        pytest.param(
            "ws-c3850-24t", NESTED + WEB_OUT, ["policy-map OUT > class WEB"], id="by a class-map"
        ),
        pytest.param("ws-c3850-24t", BY_FIELDS + WEB_OUT, [], id="by markings"),
        pytest.param(
            "ws-c3850-24t",
            BY_LIST + WEB_OUT.replace("bandwidth remaining percent 30", "set dscp af21"),
            [],
            id="a class that does not queue",
        ),
        pytest.param(
            "ws-c3850-24t", BY_LIST + WEB_OUT.partition("interface")[0], [], id="on no port"
        ),
        pytest.param("c9300-48p", BY_LIST + WEB_OUT, [], id="of a 9300 nothing is known"),
    ],
)
def test_a_switch_that_queues_by_markings_refuses_a_class_by_list(
    model: str, text: str, objects: list[str]
) -> None:
    verdict = verdict_of(f"version 16.3\nhostname sw1\nswitch 1 provision {model}\n{text}end\n")
    found = [finding for finding in verdict.findings if finding.rule == "PLT002"]
    assert [finding.object for finding in found] == objects
    assert all(finding.severity is Severity.WARNING for finding in found)


@pytest.mark.parametrize(
    ("head", "mode", "objects"),
    [
        pytest.param("qfp", "peak", ["policy-map OUT > class class-default"], id="peak on QFP"),
        pytest.param("xe", "peak", ["policy-map OUT > class class-default"], id="on IOS XE"),
        pytest.param("qfp", "average", [], id="average"),
        pytest.param("hqf", "peak", [], id="peak on IOS"),
    ],
)
def test_ios_xe_shapes_to_an_average_alone(head: str, mode: str, objects: list[str]) -> None:
    text = (
        f"policy-map OUT\n class class-default\n  shape {mode} 2000000\n"
        "interface GigabitEthernet0/0/1\n service-policy output OUT\n"
    )
    found = [one for one in verdict_of(HEADS[head] + text).findings if one.rule == "PLT002"]
    assert [one.object for one in found] == objects
    assert all(
        (one.severity, one.confidence) == (Severity.INFO, Confidence.POSSIBLE) for one in found
    )


FAIR_CLASS = """\
class-map match-all DATA
 match ip dscp af21
policy-map WAN
 class DATA
  bandwidth 64
  fair-queue
 class class-default
  fair-queue
"""
FRTS = "interface Serial0/0/0\n encapsulation frame-relay\n frame-relay traffic-shaping\n"


@pytest.mark.parametrize(
    ("head", "text", "objects"),
    [
        pytest.param("version 12.3\n", FAIR_CLASS, ["policy-map WAN > class DATA"],
                     id="fair-queue of a class before HQF"),
        pytest.param(HEADS["hqf"], FAIR_CLASS, [], id="fair-queue of a class of HQF"),
        pytest.param("version 12.3\nboot system slot0:rsp-jsv-mz.bin\n", FAIR_CLASS, [],
                     id="fair-queue of a class on VIPs"),
        pytest.param("version 12.3\nboot system slot0:rsp-jsv-mz.bin\n", FRTS,
                     ["interface Serial0/0/0"], id="FRTS on a 7500"),
        pytest.param("version 12.0\nboot system slot0:rsp-jsv-mz.bin\n", FRTS, [],
                     id="FRTS on a 7500 of 12.0"),
        pytest.param("version 12.3\n", FRTS, [], id="FRTS on a router of any name"),
    ],
)  # fmt: skip
def test_what_classic_ios_refuses_by_platform_and_generation(
    head: str, text: str, objects: list[str]
) -> None:
    found = [one for one in verdict_of(head + text).findings if one.rule == "PLT002"]

    assert [one.object for one in found] == objects
