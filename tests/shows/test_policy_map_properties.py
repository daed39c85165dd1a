"""Cut and mutated outputs: an error that names a line, or a reading; never anything else."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.capture.transcript import transcript
from advisor.shows.output import LayoutError
from tests.support.readers import read_policy_map, read_policy_map_interface

pytestmark = pytest.mark.slow


SHOW = Path(__file__).parents[2] / "fixtures" / "show"
ATTACHED = [
    transcript(path.read_text()) for path in sorted((SHOW / "policy_map_interface").glob("*.txt"))
]
CONFIGURED = [transcript(path.read_text()) for path in sorted((SHOW / "policy_map").glob("*.txt"))]

Policies = tuple[object, ...]

READERS: list[tuple[Callable[[str, str], Policies], list[str]]] = [
    (read_policy_map_interface, ATTACHED),
    (read_policy_map, CONFIGURED),
]
both = pytest.mark.parametrize(
    ("read", "outputs"), READERS, ids=["show policy-map interface", "show policy-map"]
)
NOISE = st.text(alphabet="0123456789abcxyz-/(): %\t", min_size=1, max_size=30)


def content(text: str) -> list[str]:
    """Lines that are neither blank, comments, prompts nor what IOS XE prints above."""
    around = ("!", "Load for", "Time source")
    lines = [line.strip() for line in text.split("\n")]
    return [line for line in lines if line and not line.startswith(around) and "#" not in line]


def outcome_of(
    read: Callable[[str, str], Policies], text: str
) -> tuple[Policies | None, LayoutError | None]:
    """What was read, or the refusal."""
    try:
        return read(text, "f"), None
    except LayoutError as refusal:
        return None, refusal


def breaches(read: Callable[[str, str], Policies], text: str) -> list[str]:
    """What is wrong with the reading of a text: a refusal that names no line of it, or no reason."""
    _, refusal = outcome_of(read, text)
    lines = text.count("\n") + 1
    if refusal is None or (1 <= refusal.at.line <= lines and refusal.text):
        return []
    return [f"refused at line {refusal.at.line} of {lines}: {refusal.text!r}"]


@both
@settings(max_examples=150, deadline=None)
@given(draw=st.data())
def test_a_cut_output_is_never_silently_empty(
    read: Callable[[str, str], Policies], outputs: list[str], draw: st.DataObject
) -> None:
    text = draw.draw(st.sampled_from(outputs))
    start = draw.draw(st.integers(0, len(text)))
    end = draw.draw(st.integers(start, len(text)))
    part = text[start:end]
    assert breaches(read, part) == []
    if outcome_of(read, part)[0] == ():
        assert not [line for line in content(part) if not line.startswith("sh")]


@both
@settings(max_examples=150, deadline=None)
@given(draw=st.data())
def test_a_mutated_output_is_read_or_refused(
    read: Callable[[str, str], Policies], outputs: list[str], draw: st.DataObject
) -> None:
    text = draw.draw(st.sampled_from(outputs))
    at = draw.draw(st.integers(0, len(text)))
    gone = draw.draw(st.integers(0, 40))
    assert breaches(read, text[:at] + draw.draw(NOISE) + text[at + gone :]) == []


@both
@settings(max_examples=100, deadline=None)
@given(draw=st.data())
def test_lines_in_any_order_are_read_or_refused(
    read: Callable[[str, str], Policies], outputs: list[str], draw: st.DataObject
) -> None:
    lines = draw.draw(st.sampled_from(outputs)).split("\n")
    assert breaches(read, "\n".join(draw.draw(st.permutations(lines)))) == []


def test_policies_nested_without_end_are_read() -> None:
    depth = 3000
    lines = [" Serial0/0", "  Service-policy output: p", "   Class-map: c (match-any)"]
    for level in range(1, depth):
        lines.append(" " * (2 * level + 2) + f"Service-policy : p{level}")
        lines.append(" " * (2 * level + 3) + "Class-map: c (match-any)")
    lines.append(" " * (2 * depth + 2) + "Match: any")
    policies = read_policy_map_interface("\n".join(lines), "f")
    seen, found = 1, policies[0].classes[0]
    while found.child is not None:
        seen, found = seen + 1, found.child.classes[0]
    assert seen == depth
