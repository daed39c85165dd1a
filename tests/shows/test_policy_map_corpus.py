"""Policies of real routers: each output is read, or declined with its line and reason."""

import re
from pathlib import Path

import pytest

from advisor.shows.output import LayoutError
from tests.support.outside import CORPUS, needs
from tests.support.readers import read_policy_map, read_policy_map_interface

SHOW = CORPUS / "show"
ATTACHED = sorted(
    path
    for folder in SHOW.glob("show_policy*")
    for path in folder.glob("*.txt")
    if folder.name not in ("show_policy-map", "show_policy_map_type_queueing_policyname")
)
CONFIGURED = sorted(
    path
    for name in ("show_policy-map", "show_policy_map_type_queueing_policyname")
    for path in (SHOW / name).glob("*.txt")
)
needs_corpus = needs(SHOW)

NO_POLICY = "there is no Service-policy line above"
NOT_MQC = "queues nothing"
# Folder of the command and number of the output -> (line, part of the reason).
DECLINED = {
    "show_policy-map_control-plane 2": (1, NO_POLICY),
    "show_policy-map_control-plane 3": (1, NO_POLICY),
    "show_policy-map_interface 6": (24, "policy wred-policy"),  # a config pasted into the output
    "show_policy-map_type_access-control_interface_input 1": (3, NOT_MQC),
    "show_policy-map_type_access-control_parent 1": (2, "Policy Map type access-control"),
    "show_policy-map_type_inspect_pmap 0": (1, "Policy Map type inspect"),
    "show_policy-map_type_inspect_zone-pair 15": (2, NOT_MQC),
    "show_policy-map_type_inspect_zone-pair 9": (1, NOT_MQC),
    "show_policy-map_type_inspect_zone-pair_session 2": (2, NOT_MQC),
    "show_policy-map_type_inspect_zone-pair_sessions 1": (2, NOT_MQC),
    "show_policy-map_type_inspect_zone-pair_sessions 3": (1, NOT_MQC),
    "show_policy-map_type_queueing_interface_output 10": (1, "no interface is named above"),
    "show_policy_map_type_control_subscriber_binding_policy_name 1": (1, NOT_MQC),
    "show_policy_map_type_inspect_zone_pair 2": (1, NOT_MQC),
}


def key(path: Path) -> str:
    number = re.search(r"(\d+)$", path.stem)
    return f"{path.parent.name} {number[1] if number else 0}"


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@needs_corpus
@pytest.mark.parametrize("path", ATTACHED, ids=key)
def test_attached_policies_are_read_or_declined_by_name(path: Path) -> None:
    if key(path) not in DECLINED:
        assert read_policy_map_interface(text_of(path), path.name)
        return
    line, reason = DECLINED[key(path)]
    with pytest.raises(LayoutError) as refusal:
        read_policy_map_interface(text_of(path), path.name)
    assert refusal.value.at.line == line
    assert re.search(reason, f"{refusal.value.text} {refusal.value}")


@needs_corpus
@pytest.mark.parametrize("path", CONFIGURED, ids=key)
def test_configured_policies_are_read(path: Path) -> None:
    assert all(policy.classes for policy in read_policy_map(text_of(path), path.name))
