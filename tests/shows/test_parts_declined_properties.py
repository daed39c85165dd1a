"""Any one unknown line, anywhere: what is still read is what was read without it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.capture.outputs import outputs
from advisor.capture.transcript import transcript
from advisor.shows.controllers import read_controllers
from advisor.shows.interfaces.reader import read_interfaces
from advisor.shows.neighbors import read_cdp_neighbors
from advisor.shows.observe import reader_of
from advisor.shows.output import LayoutError, OutputReading
from advisor.shows.policy_map.counted import read_policy_map_interface
from advisor.shows.queueing import read_fair_queueing, read_queueing_interface, read_random_detect
from advisor.shows.sla.reader import read_sla
from tests.shows.test_every_reader import by_folder

Read = Callable[..., OutputReading[Any]]

SHOW = Path(__file__).parents[2] / "fixtures" / "show"
# Properties of their own, or no parts that are read without the others.
WITHOUT_PARTS = {
    *("show policy-map interface", "show policy-map", "show queueing", "show queue"),
    *("show policy-map multipoint", "show policy-map target", "show interfaces rate-limit"),
    "show platform hardware qfp active feature qos queue output",
    *("show interfaces", "show processes cpu", "show version"),
}
READERS: dict[str, Read] = {
    "interfaces/1*": read_interfaces,
    "interfaces/xe*": read_interfaces,
    "controllers_serial/*": read_controllers,
    "queueing/*-interface-*": read_queueing_interface,
    "queueing/12.4-fair": read_fair_queueing,
    "queueing/*random-detect*": read_random_detect,
    "ip_sla/*": read_sla,
    "cdp_neighbors/*": read_cdp_neighbors,
    # an output in a folder of the name of its command
    **{
        f"{file.partition('/')[0]}/*": reader_of(outputs()[command].reads[0])
        for command, (file, _) in by_folder().items()
        if command not in WITHOUT_PARTS
    },
}
OUTPUTS = [
    pytest.param(read, transcript(path.read_text("utf-8")), id=f"{path.parent.name}/{path.stem}")
    for pattern, read in READERS.items()
    for path in sorted(SHOW.glob(f"{pattern}.txt"))
]
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


@pytest.mark.parametrize(("read", "text"), OUTPUTS)
@quickly
@given(st.data())
def test_one_unknown_line_costs_one_part_at_most(
    read: Read, text: str, data: st.DataObject
) -> None:
    whole = [without_places(record) for record in read(text, "f").records]
    try:
        left = [
            without_places(record) for record in read(with_unknown_line(text, data), "f").records
        ]
    except LayoutError:
        assert len(whole) <= 1
        return
    lost = [record for record in whole if record not in left]
    assert [record for record in left if record not in whole] == []
    # An aggregated operation has a record for each hour.
    assert len({record.get("number", index) for index, record in enumerate(lost)}) <= 1


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
