"""Hubs: configurations whose interfaces, with all that each alone uses, stand there several times."""

import re
from collections.abc import Iterable

from advisor.ios.edit.likeness import Names, likeness, numbered_line
from advisor.ios.edit.reach import Reach
from advisor.ios.syntax import Line
from advisor.ios.syntax.reader import parse_config

_PORT = re.compile(r"([A-Za-z]+)(\d+)(.*)")


def hub_of(text: str, copies: int) -> str | None:
    """The configuration with copies of each unit under other names; None where it has no unit."""
    tree = parse_config(text, "hub")
    reach = Reach(tree)
    more: list[str] = []
    taken = set(re.findall(r"[\w/.-]+", text))
    for number, unit in enumerate(reach.units()):
        lines = [tree.lines[place] for place in unit.own]
        alike = likeness(lines, frozenset(), lambda _: True)
        if alike is not None:
            numbers = range(10 * number + 20, 10 * number + 20 + copies)
            more += (_copied(lines, alike.names, each, taken) for each in numbers)
    if not more:
        return None
    ends = [line for line in tree.lines if line.text == "end"]
    body = "".join(each.raw for line in tree.lines if line not in ends for each in line.walk())
    return "".join((body if body.endswith("\n") else f"{body}\n", *more, "end\n" if ends else ""))


def _copied(lines: Iterable[Line], own: Names, number: int, taken: set[str]) -> str:
    names = _other_names(own, number)
    spelled = (
        f"Multilink{name}" if kind == "bundle" else name for (kind, _), name in names.items()
    )
    assert taken.isdisjoint(spelled)
    tops = (numbered_line(line, names, 0) for line in lines)
    text = "".join(each.raw for top in tops for each in top.walk())
    return text if text.endswith("\n") else f"{text}\n"


def _other_names(names: Names, number: int) -> dict[tuple[str, str], str]:
    found = {("policy", name): f"{name}-{number}" for name in names.of("policy")}
    found |= {("map", name): f"{name}-{number}" for name in names.of("map")}
    found |= {("bundle", name): f"{int(name) + number}" for name in names.of("bundle")}
    for name in names.of("port"):
        port = _PORT.fullmatch(name)
        assert port is not None
        found["port", name] = f"{port[1]}{number + int(port[2])}{port[3]}"
    for place, name in enumerate(names.of("address")):
        found["address", name] = f"10.{100 + number}.{place}.{name.rpartition('.')[2]}"
    return found
