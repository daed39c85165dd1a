"""Figures that a line of a configuration has a part in: of outputs, classes, and by which formula.

A hover of an editor asks for them. They are those of `predict`, and of `explain` for a formula.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax import ConfigTree, Line
from advisor.outlet.outlet import Outlet
from advisor.outlet.plain import queueing_outlets
from advisor.predict.what_if.formula_cases import formula_lines
from advisor.predict.what_if.prediction import Prediction
from advisor.predict.what_if.predictions import predict_outlets
from advisor.settings import Settings
from advisor.settings.tables import settings_of
from advisor.theory.formulas import Formula, formulas

_MOST_OUTPUTS: Final = 3  # with figures; a shared policy has hundreds, and they are alike
_OF_LLQ: Final = ("calls-delay", "shaper-delay", "calls-alone", "ring-delay")
# The formulas that a command has a part in, by its words; the first words that a line has decide.
_FORMULAS: Final[Mapping[str, tuple[str, ...]]] = {
    "tx-ring-limit": ("ring-bound", "class-bound", *_OF_LLQ),
    "priority": ("class-bound", *_OF_LLQ, "priority-rate", "priority-burst"),
    "random-detect": ("wred-shares", "lower-delay", "backlog-delay"),
    "shape": ("shaper-interval", "shaper-delay", "shaper-backlog"),
    "fragment": ("fragment-size", "serialization"),
    "interleave": ("fragment-size", "serialization"),
    "bandwidth": ("lower-delay", "backlog-delay", "shaper-backlog"),
    "service-policy": (),
    "class": (),
    "policy-map": (),
    "class-map": (),
}
_OF_A_LINE: Final = ("serialization",)  # of `bandwidth` at an interface: the rate of the line


class FormulaAt(Struct, frozen=True):
    """A formula with the numbers of an output, a line for each case."""

    formula: Formula
    lines: tuple[str, ...]


class FiguresAt(Struct, frozen=True):
    """The classes of one output that a line is about, predicted, and the formulas of the line."""

    object: str
    classes: tuple[Prediction, ...]
    formulas: tuple[FormulaAt, ...]


class LineFigures(Struct, frozen=True):
    """Figures of the first outputs that a line is about; `more` outputs are not predicted."""

    command: str
    outputs: tuple[FiguresAt, ...]
    more: int


def figures_at(device: Device, number: int, settings: Settings) -> LineFigures | None:
    """The figures that the line of a number has a part in; None where it has none."""
    path = path_to(device.facts.tree, number)
    command = _command(path[-1]) if path else None
    if command is None or not device.is_ios:
        return None
    chosen = _chosen(queueing_outlets(device), path)
    name, own = _class_of(path), settings_of(settings, device.name)
    outputs = tuple(
        FiguresAt(
            outlet.label,
            _of_class(predict_outlets(device, [outlet], settings), name),
            tuple(_formulas(_named(command, path), device, outlet, own)),
        )
        for outlet in chosen[:_MOST_OUTPUTS]
    )
    return LineFigures(command, outputs, len(chosen) - len(outputs)) if outputs else None


def path_to(tree: ConfigTree, number: int) -> tuple[Line, ...]:
    """The commands that lead to the line of a number, and itself; () where no command has it."""
    path: list[Line] = []
    lines: Sequence[Line] = tree.lines
    while lines:
        above = [line for line in lines if line.number <= number]
        if not above:
            break
        line = max(above, key=lambda item: item.number)
        path.append(line)
        lines = line.children
    if not path or path[-1].number != number or not path[-1].is_command:
        return ()
    return tuple(path)


def _command(line: Line) -> str | None:
    words = line.words
    return next((word for word in _FORMULAS if word in words), None)


def _class_of(path: Sequence[Line]) -> str | None:
    """The class that a line is about; None where it is about all classes of an output."""
    for line in reversed(path):
        words = line.words
        if words[0] in ("class", "class-map") and len(words) > 1:
            return words[1] if words[0] == "class" else words[-1]
    return None


def _of_class(predictions: Sequence[Prediction], name: str | None) -> tuple[Prediction, ...]:
    own = tuple(item for item in predictions if item.class_name in (name, None))
    return own or tuple(predictions)


def _chosen(outputs: Sequence[Outlet], path: Sequence[Line]) -> Sequence[Outlet]:
    """The outputs that a line is about; of a circuit its own, where it attaches the policy."""
    line = path[-1]
    if line.words[0] == "service-policy" and path[0].words[0] != "policy-map":
        return [outlet for outlet in outputs if outlet.at.line == line.number]
    chosen = [outlet for outlet in outputs if _is_of(outlet, path[0])]
    inner = [outlet for outlet in chosen if len(path) > 2 and _holds(path[1], outlet)]  # noqa: PLR2004
    return inner or chosen


def _is_of(outlet: Outlet, section: Line) -> bool:
    """Whether a section has a part in an output."""
    head, name = section.words[0], section.words[-1]
    match head:
        case "interface":
            own = {outlet.interface.name, outlet.attached_to}
            own |= {part.split()[-1] for part in outlet.ring_section[:1]}
            return section.words[1] in own
        case "policy-map":
            return name in (outlet.policy.name, outlet.queueing.name)
        case "class-map":
            return outlet.class_named(name) is not None
        case _:
            return outlet.map_class == name or _holds(section, outlet)


def _holds(section: Line, outlet: Outlet) -> bool:
    """Whether a section attaches the policy of an output."""
    return section.number <= outlet.at.line <= max(line.number for line in section.walk())


def _named(command: str, path: Sequence[Line]) -> tuple[str, ...]:
    is_of_line = command == "bandwidth" and path[0].words[0] == "interface"
    return _OF_A_LINE if is_of_line else _FORMULAS[command]


def _formulas(
    names: Sequence[str], device: Device, outlet: Outlet, settings: Settings
) -> Iterator[FormulaAt]:
    """Formulas with their numbers; of two that say the same the first."""
    told: set[tuple[str, ...]] = set()
    for name in names:
        lines = formula_lines(name, device, outlet, settings)
        if lines and lines not in told:
            told.add(lines)
            yield FormulaAt(formulas()[name], lines)
