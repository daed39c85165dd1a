"""CBW001 and CBW002: kinds of `bandwidth` in one policy-map, and what class-default is left with."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence, Severity
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

CLASS_DEFAULT_UNMANAGED = CHECKS["class-default-unmanaged"]
MIXED_BANDWIDTH_UNITS = CHECKS["mixed-bandwidth-units"]

XE = "version 16.9\nhostname r1\nlicense udi pid ISR4331/K9 sn FDO00000000\n"
CLASSES = "class-map match-any A\n match ip dscp af21\nclass-map match-any B\n match ip dscp af11\n"


def policy(first: str, second: str, head: str = "version 12.3\nhostname r1\n") -> str:
    return f"{head}{CLASSES}policy-map P\n class A\n  {first}\n class B\n  {second}\nend\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(policy("bandwidth 64", "bandwidth percent 10"),
                     ["kbps (class A) and percent (class B)"], id="kb/s and percent"),
        pytest.param(policy("bandwidth percent 10", "bandwidth remaining percent 10"),
                     ["percent (class A) and remaining percent (class B)"], id="two percentages"),
        pytest.param(policy("bandwidth 64", "bandwidth 128"), [], id="one kind"),
        pytest.param(policy("priority percent 10", "bandwidth 128"), [], id="priority may differ"),
        pytest.param(policy("bandwidth 64", "bandwidth percent 10", XE), [],
                     id="IOS XE takes them in different classes"),
        pytest.param(policy("bandwidth 64\n  bandwidth remaining percent 10", "bandwidth 64", XE),
                     ["kbps (class A) and remaining percent (class A)"], id="IOS XE, in one class"),
    ],
)  # fmt: skip
def test_kinds_of_bandwidth(text: str, expected: list[str]) -> None:
    said = hits_of(MIXED_BANDWIDTH_UNITS.find(device_of(text), NoParams()))
    assert [hit.evidence.kinds for hit in said] == expected


def test_hqf_is_not_judged() -> None:
    text = policy("bandwidth 64", "bandwidth percent 10", "version 15.1\nhostname r1\n")
    said = skip_of(MIXED_BANDWIDTH_UNITS.find(device_of(text), NoParams()))
    assert said.reason == "whether HQF takes several kinds of bandwidth is not known"


@pytest.mark.parametrize(
    ("head", "severity", "confidence"),
    [
        pytest.param("version 12.3\n", None, Confidence.CERTAIN, id="before HQF"),
        pytest.param("version 12.4\n", Severity.INFO, Confidence.POSSIBLE, id="open generation"),
        pytest.param("Building configuration...\n\nversion 12.3\nhostname r1\n", None,
                     Confidence.POSSIBLE, id="a capture"),
    ],
)  # fmt: skip
def test_a_refusal_is_as_sure_as_its_generation(
    head: str, severity: Severity | None, confidence: Confidence
) -> None:
    hit = hit_of(
        MIXED_BANDWIDTH_UNITS.find(
            device_of(policy("bandwidth 64", "bandwidth percent 10", head)), NoParams()
        )
    )
    assert (hit.severity, hit.confidence) == (severity, confidence)


def attached(voice: str, default: str, direction: str = "output") -> str:
    return (
        f"version 12.3\n{CLASSES}policy-map P\n class A\n  {voice}\n{default}"
        f"interface Serial0/0\n service-policy {direction} P\nend\n"
    )


DEFAULT = " class class-default\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(attached("priority 64", DEFAULT), True, id="beside priority"),
        pytest.param(attached("bandwidth 64", DEFAULT), True, id="beside a guarantee"),
        pytest.param(attached("bandwidth 64", ""), True, id="class-default is not written"),
        pytest.param(attached("bandwidth 64", DEFAULT + "  police 64000\n"), True, id="policed"),
        pytest.param(attached("bandwidth 64", DEFAULT + "  fair-queue\n"), False, id="fair-queue"),
        pytest.param(attached("bandwidth 64", DEFAULT + "  bandwidth 64\n"), False, id="bandwidth"),
        pytest.param(attached("set ip dscp 0", DEFAULT), False, id="nothing is guaranteed"),
        pytest.param(attached("shape average 64000", DEFAULT), False, id="a shaper guarantees nothing"),
        pytest.param(attached("bandwidth 64", DEFAULT, "input"), False, id="not attached outbound"),
    ],
)  # fmt: skip
def test_class_default_beside_guarantees(text: str, *, found: bool) -> None:
    assert bool(hits_of(CLASS_DEFAULT_UNMANAGED.find(device_of(text), NoParams()))) is found


def test_a_policy_of_two_outputs_is_found_once() -> None:
    text = attached("priority 64", DEFAULT).replace(
        "end\n", "interface Serial0/1\n service-policy output P\nend\n"
    )
    hit = hit_of(CLASS_DEFAULT_UNMANAGED.find(device_of(text), NoParams()))
    assert hit.object == "policy-map P > class class-default"


def test_a_class_default_with_wred_gets_no_fair_queue() -> None:
    hit = hit_of(
        CLASS_DEFAULT_UNMANAGED.find(
            device_of(attached("priority 64", DEFAULT + "  random-detect\n")), NoParams()
        )
    )
    assert not hit.curable


@pytest.mark.parametrize("line", ["fair-queue {{ queues }}", "bandwidth <removed>"])
def test_a_class_default_with_a_line_that_is_not_understood_may_be_managed(line: str) -> None:
    text = (
        f"{CLASSES}policy-map P\n class A\n  bandwidth 64\n class class-default\n  {line}\n"
        "interface Serial0/0\n bandwidth 512\n service-policy output P\n"
    )
    said = skip_of(CLASS_DEFAULT_UNMANAGED.find(device_of(text), NoParams()))
    assert said.object == "policy-map P > class class-default"
    assert said.reason == "what manages it is not known: r1.ios:9 is not understood"
