"""REF006: what queues, where it is attached, and what a capture proves."""

import pytest

from advisor.lint.checks.base import Hit
from advisor.lint.checks.ref.places import (
    InputQueueing,
    find_queueing_policy_on_input,
)
from advisor.lint.findings import Confidence
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

CLASS_MAP = "class-map match-all DATA\n match ip dscp af21\n"
LEAF = CLASS_MAP + "policy-map P\n class DATA\n  {}\n"
INPUT = "interface FastEthernet0/0\n service-policy input P\n"
OUTPUT = "interface FastEthernet0/0\n service-policy output P\n"
NESTED = (
    "policy-map P\n class class-default\n  police 64000\n  service-policy CHILD\n"
    "policy-map CHILD\n class class-default\n  {}\n"
)
LOOP = "policy-map P\n class class-default\n  service-policy P\n"


def hits(text: str) -> list[Hit[InputQueueing]]:
    results = find_queueing_policy_on_input(device_of(text))
    return hits_of(results)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(LEAF.format("bandwidth 256") + INPUT, "bandwidth", id="bandwidth"),
        pytest.param(LEAF.format("priority 64") + INPUT, "priority", id="priority"),
        pytest.param(LEAF.format("shape average 64000") + INPUT, "shape", id="shape"),
        pytest.param(LEAF.format("random-detect") + INPUT, "random-detect", id="WRED"),
        pytest.param(LEAF.format("queue-limit 20") + INPUT, "queue-limit", id="queue-limit"),
        pytest.param(LEAF.format("fair-queue") + INPUT, "fair-queue", id="fair-queue"),
        pytest.param(LEAF.format("set ip dscp af11") + INPUT, None, id="marking is no queueing"),
        pytest.param(LEAF.format("police 64000") + INPUT, None, id="policing is no queueing"),
        pytest.param(LEAF.format("bandwidth 256") + OUTPUT, None, id="output is its place"),
        pytest.param(NESTED.format("fair-queue") + INPUT, "fair-queue", id="nested policy queues"),
        pytest.param(NESTED.format("set dscp ef") + INPUT, None, id="nested policy marks"),
        pytest.param(LOOP + INPUT, None, id="a policy nested in itself ends"),
        pytest.param(INPUT, None, id="an undefined policy-map is REF001's"),
        pytest.param(
            LEAF.format("bandwidth 256")
            + "interface ATM1/0.1 point-to-point\n pvc 0/100\n  service-policy input P\n",
            "bandwidth",
            id="on a PVC too",
        ),
    ],
)
def test_verdict(text: str, expected: str | None) -> None:
    actions = [hit.evidence.queueing.split()[0] for hit in hits(text)]

    assert actions == ([] if expected is None else [expected])


DRAFT = LEAF.format("bandwidth 256") + INPUT
CAPTURE = f"Building configuration...\n\nversion 12.4\nhostname R1\n{DRAFT}end\n"


def test_a_draft_is_certain() -> None:
    (hit,) = hits(DRAFT)

    assert (hit.confidence, hit.evidence.doubt) == (Confidence.CERTAIN, "")


def test_a_capture_is_only_possible_and_says_that_the_generation_may_be_wrong() -> None:
    (hit,) = hits(CAPTURE)

    assert hit.confidence is Confidence.POSSIBLE
    assert "pre-HQF, version 12.4) may be wrong" in hit.evidence.doubt


def test_the_attachment_is_marked_first_then_the_class_that_queues() -> None:
    (hit,) = hits(DRAFT)

    assert [at.line for at in hit.at] == [7, 5]
