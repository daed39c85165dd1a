"""An output with settings moved: its figures, and the findings and the plan of its device."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.reading import Reading
from advisor.lint.cards import Rule
from advisor.lint.findings import Finding
from advisor.lint.plan import DevicePlan, all_of, concerns, plan_reading
from advisor.lint.prove import rollback_of
from advisor.lint.trial import RollbackError, pasted
from advisor.outlet.outlet import Outlet
from advisor.outlet.plain import queueing_outlets
from advisor.predict.what_if import InputError, chosen_outlets
from advisor.predict.what_if.levers import Lever, is_stated, levers_of, lines_of, stated_on
from advisor.predict.what_if.moves import Moves, checked_value, moves_of
from advisor.predict.what_if.path import with_calls
from advisor.predict.what_if.prediction import Prediction, with_caution
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import Settings

_NONE: Final = Moves()
_FLAG: Final = "moved"  # what moves these settings is no flag of a command: "moved shape"


class OutputInputs(Struct, frozen=True):
    """An output of a device that was read, and what can be moved there."""

    reading: Reading
    outlet: Outlet
    levers: tuple[Lever, ...]


class MovedFigures(Struct, frozen=True):
    """The classes of an output as it is configured and as it is moved: those of `predict --set`."""

    device: str
    object: str
    configured: tuple[Prediction, ...]
    moved: tuple[Prediction, ...]
    is_moved: bool
    incomplete: tuple[str, ...]


class Followed(StrEnum):
    """How findings and plan follow a moved setting."""

    LINE = "line"
    STATED = "stated"  # as the user may state it; no line sets it
    NOTHING = "nothing"


class MovedSetting(Struct, frozen=True):
    """A setting as it is moved, and how findings and plan follow it."""

    lever: Lever
    value: float
    followed: Followed


class MovedPlan(Struct, frozen=True):
    """Findings of a device, and the plan of an output, with settings moved there.

    The plan begins where `lines` lead, which set what a line can set; `back` takes them
    back, None where no lines do. `elsewhere` are the findings that concern neither the `interface`
    nor a policy that is attached to it; no plan is made of them.
    """

    moved: tuple[MovedSetting, ...]
    lines: tuple[str, ...]
    back: tuple[str, ...] | None
    interface: str
    findings: tuple[Finding, ...]
    elsewhere: tuple[Finding, ...]
    plan: DevicePlan


def outputs_of(readings: Sequence[Reading]) -> tuple[OutputInputs, ...]:
    """The outputs of devices whose queueing is known.

    Raises
    ------
    InputError
        If there is none; it says why.
    """
    found = tuple(
        OutputInputs(reading, outlet, levers_of(reading.device, outlet))
        for reading in readings
        if reading.device.is_ios
        for outlet in queueing_outlets(reading.device)
    )
    if found:
        return found
    for reading in readings:
        chosen_outlets(reading.device, reading.coverage[0].file, None)
    raise InputError("no configuration is in this text")


def moves_at(asked: OutputInputs, moved: Mapping[str, float]) -> Moves:
    """Moves of an output.

    Raises
    ------
    InputError
        If the output has no such setting, or cannot have a value.
    """
    known = {lever.key: f"{lever.title} {lever.of}".rstrip() for lever in asked.levers}
    for key, value in moved.items():
        if key not in known:
            raise InputError(f"{key}: cannot be moved at {asked.outlet.label}")
        checked_value(key, value, f"{known[key]} {value:.10g}")
    return replace(moves_of({key: f"{value:.10g}" for key, value in moved.items()}), flag=_FLAG)


def moved_figures(asked: OutputInputs, moves: Moves, settings: Settings) -> MovedFigures:
    """Predict an output as it is, and with settings moved.

    Raises
    ------
    InputError
        If nothing can be predicted.
    """
    configured = _predicted(asked, _NONE, settings)
    moved = _predicted(asked, moves, settings) if moves.values else configured
    reading = asked.reading
    return MovedFigures(
        reading.device.name,
        asked.outlet.label,
        configured,
        moved,
        bool(moves.values),
        reading.incomplete,
    )


def moved_plan(
    asked: OutputInputs, moves: Moves, rules: Sequence[Rule], settings: Settings
) -> MovedPlan:
    """Judge a device, and plan for an output, with settings moved there.

    Raises
    ------
    InputError
        If the output cannot have a value.
    """
    device, outlet = asked.reading.device, asked.outlet
    lines = lines_of(device, outlet, moves)
    after = stated_on(device, outlet, moves)
    if after is not device or lines:
        after = pasted(after, lines)
    reading, interface = replace(asked.reading, device=after), outlet.attached_to
    selection = replace(all_of(rules), interface=interface)
    plan = plan_reading(reading, rules, settings, selection, is_guarded=True)
    found = [each for each in plan.verdict.findings if each.suppressed is None]
    here = tuple(each for each in found if concerns(after, interface, each))
    elsewhere = tuple(each for each in found if each not in here)
    moved = tuple(_settings(asked, after, moves))
    back = _way_back(device, after, lines)
    return MovedPlan(moved, lines, back, interface, here, elsewhere, plan)


def _predicted(asked: OutputInputs, moves: Moves, settings: Settings) -> tuple[Prediction, ...]:
    """The classes of the output alone; an interface may have several outputs."""
    device, outlet = asked.reading.device, asked.outlet
    found = predict_device(
        device, device.facts.tree.file, settings, outlet.attached_to, (moves,), narrowed=False
    )
    own = tuple(each for each in found if each.object == outlet.label)
    return with_caution(with_calls(device, own), asked.reading.incomplete)


def _way_back(device: Device, after: Device, lines: Sequence[str]) -> tuple[str, ...] | None:
    try:
        return rollback_of(device, after.facts.tree) if lines else ()
    except RollbackError:
        return None


def _settings(asked: OutputInputs, after: Device, moves: Moves) -> Iterator[MovedSetting]:
    """Moved settings; findings follow those that the device shows on which they are moved."""
    label, levers = asked.outlet.label, {lever.key: lever for lever in asked.levers}
    here = next((each for each in queueing_outlets(after) if each.label == label), None)
    known = () if here is None else levers_of(after, here)
    shown = {lever.key: lever.value for lever in known}
    for key, value in moves.values:
        followed = Followed.STATED if is_stated(key) else Followed.LINE
        is_shown = _is_near(shown.get(key), value)
        yield MovedSetting(levers[key], value, followed if is_shown else Followed.NOTHING)


def _is_near(shown: float | None, value: float) -> bool:
    return shown is not None and abs(shown - value) <= 1e-6 * abs(value)
