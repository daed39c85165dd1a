"""An output with settings moved: its figures, and the findings and the plan of its device."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.reading import Reading
from advisor.lint.cards import Rule
from advisor.lint.findings import Finding
from advisor.lint.plan import DevicePlan, all_of, concerns, plan_reading
from advisor.lint.trial import pasted
from advisor.outlet.outlet import Outlet
from advisor.outlet.plain import queueing_outlets
from advisor.predict.what_if import InputError, chosen_outlets
from advisor.predict.what_if.levers import Lever, levers_of, lines_of, stated_on
from advisor.predict.what_if.moves import Moves, moves_of
from advisor.predict.what_if.path import with_calls
from advisor.predict.what_if.prediction import Prediction, with_caution
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import Settings

_NONE: Final = Moves()


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


class MovedPlan(Struct, frozen=True):
    """Findings of a device, and the plan of an output, with settings moved there.

    `lines` state the moved settings; `unfollowed` are the keys that findings and plan do not
    follow: nothing in a configuration states them. `elsewhere` are the findings that concern
    neither the `interface` nor a policy that is attached to it; no plan is made of them.
    """

    lines: tuple[str, ...]
    unfollowed: tuple[str, ...]
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
    known = {lever.key for lever in asked.levers}
    for key in moved:
        if key not in known:
            raise InputError(f"{key}: cannot be moved at {asked.outlet.label}")
    return moves_of({key: f"{value:.10g}" for key, value in moved.items()})


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
    return MovedPlan(lines, _unfollowed(after, outlet, moves), interface, here, elsewhere, plan)


def _predicted(asked: OutputInputs, moves: Moves, settings: Settings) -> tuple[Prediction, ...]:
    """The classes of the output alone; an interface may have several outputs."""
    device, outlet = asked.reading.device, asked.outlet
    found = predict_device(
        device, device.facts.tree.file, settings, outlet.attached_to, (moves,), narrowed=False
    )
    own = tuple(each for each in found if each.object == outlet.label)
    return with_caution(with_calls(device, own), asked.reading.incomplete)


def _unfollowed(after: Device, outlet: Outlet, moves: Moves) -> tuple[str, ...]:
    """Moved keys that the device on which they are moved does not show."""
    try:
        here = next(each for each in queueing_outlets(after) if each.label == outlet.label)
    except StopIteration:
        return tuple(key for key, _ in moves.values)
    shown = {lever.key: lever.value for lever in levers_of(after, here)}
    return tuple(key for key, value in moves.values if not _is_near(shown.get(key), value))


def _is_near(shown: float | None, value: float) -> bool:
    return shown is not None and abs(shown - value) <= 1e-6 * abs(value)
