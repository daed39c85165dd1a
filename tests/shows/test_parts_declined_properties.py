"""Any one unknown line or cut in a policy: the classes that are still read are those of the whole."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.capture.transcript import transcript
from advisor.shows.output import LayoutError
from advisor.shows.policy_map.counted import read_policy_map_interface

SHOW = Path(__file__).parents[2] / "fixtures" / "show"
POLICIES = [
    pytest.param(transcript(path.read_text("utf-8")), id=path.stem)
    for path in sorted((SHOW / "policy_map_interface").glob("*.txt"))
]
UNKNOWN = "frobnication of nine colours"
quickly = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def with_unknown_line(text: str, data: st.DataObject) -> str:
    """The text with one unknown line, as far right as one of its lines or at the margin."""
    lines = text.splitlines(keepends=True)
    position = data.draw(st.integers(0, len(lines)))
    near = lines[min(position, len(lines) - 1)]
    column = data.draw(st.sampled_from((0, 2, 6, len(near) - len(near.lstrip()))))
    lines.insert(position, f"{' ' * column}{UNKNOWN}\n")
    return "".join(lines)


def without_places(record: object) -> Any:
    """The values of a record, without its line numbers."""
    plain = msgspec.to_builtins(record)

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: strip(member)
                for key, member in value.items()
                if key != "at" and not key.endswith("_at")
            }
        return [strip(member) for member in value] if isinstance(value, list | tuple) else value

    return strip(plain)


def classes(policies: Any, above: tuple[object, ...] = ()) -> dict[tuple[object, ...], Any]:
    """Each class by its place, without its nested policy."""
    places: dict[tuple[object, ...], Any] = {}
    for policy in policies:
        place = (*above, policy.get("interface"), policy["policy"])
        for shown in policy["classes"]:
            name = (*place, shown["name"], shown.get("in_hardware"))
            places[name] = {key: value for key, value in shown.items() if key != "child"}
            if shown.get("child"):
                places |= classes([shown["child"]], name)
    return places


@pytest.mark.parametrize("text", POLICIES)
@quickly
@given(st.data())
def test_one_unknown_line_moves_no_class_to_another_policy(text: str, data: st.DataObject) -> None:
    whole = classes(without_places(read_policy_map_interface(text, "f").records))
    broken = with_unknown_line(text, data)
    try:
        reading = read_policy_map_interface(broken, "f")
    except LayoutError:
        return
    left = classes(without_places(reading.records))
    assert {name: shown for name, shown in left.items() if whole.get(name) != shown} == {}
    assert len(reading.declined) > 0


@pytest.mark.parametrize("text", POLICIES)
@quickly
@given(st.data())
def test_a_cut_policy_is_said_to_be_cut(text: str, data: st.DataObject) -> None:
    whole = read_policy_map_interface(text, "f")
    lines = text.splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if "ervice-policy" in line)
    cut = "".join(lines[: data.draw(st.integers(first + 1, len(lines)))])
    try:
        reading = read_policy_map_interface(cut, "f")
    except LayoutError:
        return
    every_class = classes(without_places(whole.records))
    left = classes(without_places(reading.records))
    is_short = len(left) < len(every_class)
    says_so = bool(reading.declined) or any(name[-2] == "class-default" for name in list(left)[-1:])
    assert says_so or not is_short
