"""Checks of how whole a capture is, and whether it is of one state."""

from datetime import datetime
from typing import Final

from msgspec import Struct

from advisor.capture.masking import mask_captured
from advisor.capture.sections import GapKind
from advisor.device.device import Device
from advisor.ground.quantity import Basis, duration, exact, point
from advisor.lint.checks.base import Found, Hit
from advisor.lint.findings import Confidence, Forecast
from advisor.shows.observations import TakenOutput
from advisor.shows.output import Declined, OutputPart

# A requested command is missing, or its output is not complete.


class IncompleteOutput(Struct, frozen=True):
    """The command, and the fault of its output."""

    command: str
    kind: str
    detail: str


_AS_PRINTED: Final = (
    "nothing, where the line is of a command that is not read: to capture it again gives the same; "
    "else give the lines as the device prints them, behind the prompt of their command"
)


def find_capture_incomplete(device: Device) -> Found[IncompleteOutput]:
    """Yield a hit for each command that the capture lacks in whole or in part."""
    taken_at = {taken.command: taken.at for taken in device.seen.taken}
    for gap in dict.fromkeys(device.gaps):
        if gap.kind is GapKind.PARTIAL:
            continue  # privilege-too-low reports it
        command = mask_captured(gap.command)
        evidence = IncompleteOutput(command, gap.kind, gap.reason)
        advice = _AS_PRINTED if gap.kind is GapKind.UNREADABLE else None
        at = taken_at.get(gap.command, device.at)
        yield Hit(f"command {command}", (at,), evidence, Confidence.CERTAIN, advice=advice)
    for command, part in _ends_early(device).items():
        where = "early" if part.part is OutputPart.LINES else f"inside {part.label}"
        evidence = IncompleteOutput(command, GapKind.CUT, f"it ends {where}")
        yield Hit(f"command {command}", (part.at, part.start), evidence, Confidence.CERTAIN)


def _ends_early(device: Device) -> dict[str, Declined]:
    """By command, the first part that its output ends inside; a gap has said it already."""
    reported = {mask_captured(gap.command) for gap in device.gaps}
    early: dict[str, Declined] = {}
    for taken in device.seen.taken:
        command = mask_captured(taken.command)
        part = next((part for part in taken.declined if part.is_cut), None)
        if part is not None and command not in reported:
            early.setdefault(command, part)
    return early


# Outputs of one device from different times: their rates and depths do not belong together.

_TIME_LENGTH = len("2008-04-18 13:15:22")


class FarApartParams(Struct, frozen=True):
    """Longest time between outputs that are still compared, in minutes."""

    apart_min: float


class FarApart(Struct, frozen=True):
    """The first and the last output and the time between them."""

    first: str
    last: str
    apart: str  # "12 minutes", "893 days"
    limit_min: float


class _Timed(Struct, frozen=True):
    taken: TakenOutput
    at: datetime
    clock: str  # zone and source: times of two clocks are not compared


def find_captures_far_apart(device: Device, params: FarApartParams) -> Found[FarApart]:
    """Yield one hit where outputs that carry a time of the same clock are too far apart."""
    by_clock: dict[str, list[_Timed]] = {}
    for taken in device.seen.taken:
        timed = _timed(taken)
        if timed is not None:
            by_clock.setdefault(timed.clock, []).append(timed)
    spans = [_span(outputs) for outputs in by_clock.values()]
    widest = max(spans, key=lambda span: span[1].at - span[0].at, default=None)
    if widest is None:
        return
    first, last = widest
    apart_min = (last.at - first.at).total_seconds() / 60
    if apart_min <= params.apart_min:
        return
    times = tuple(str(output.at) for output in widest)
    figure = point(apart_min, "min")
    yield Hit(
        "capture",
        (last.taken.at, first.taken.at),
        FarApart(
            f"{mask_captured(first.taken.command)} ({times[0]})",
            f"{mask_captured(last.taken.command)} ({times[1]})",
            duration(apart_min),
            params.apart_min,
        ),
        Confidence.CERTAIN,
        Forecast(
            "time between outputs",
            figure,
            None,
            (exact("apart_min", apart_min, Basis.MEASURED, last.clock.strip(", ")),),
        ),
    )


def _timed(taken: TakenOutput) -> _Timed | None:
    if taken.time is None:
        return None
    at = datetime.fromisoformat(taken.time[:_TIME_LENGTH])
    return _Timed(taken, at, taken.time[_TIME_LENGTH:])


def _span(outputs: list[_Timed]) -> tuple[_Timed, _Timed]:
    return min(outputs, key=lambda output: output.at), max(outputs, key=lambda output: output.at)


# A running-config that the privilege of the session cut down: it looks whole and is not.


class PartialConfig(Struct, frozen=True):
    """The command, and why its output is a part."""

    command: str
    detail: str


def find_privilege_too_low(device: Device) -> Found[PartialConfig]:
    """Yield a hit for a configuration that shows only what the account may change."""
    for gap in dict.fromkeys(device.gaps):
        if gap.kind is GapKind.PARTIAL:
            command = mask_captured(gap.command)
            evidence = PartialConfig(command, gap.reason)
            yield Hit(f"command {command}", (device.at,), evidence, Confidence.CERTAIN)


# Outputs that contradict the configuration of the same capture: the router runs another one.

_MOST_SHOWN: Final = 4
_AGAIN: Final = (
    "capture the configuration and the outputs again, one after the other; if they still differ, "
)


class OtherState(Struct, frozen=True):
    """Shown values of an interface or a policy, beside those that the configuration states."""

    interface: str
    differences: str


def find_outputs_differ(device: Device) -> Found[OtherState]:
    """Yield a hit for each object whose outputs are of another state than its configuration."""
    if not device.seen.taken:
        return
    from advisor.outlet.contradictions import (  # noqa: PLC0415 -- of outputs alone
        contradictions,
        words_of,
    )

    for label, found in contradictions(device).items():
        said = words_of(found, _MOST_SHOWN)
        mends = dict.fromkeys(item.mend for item in found if item.mend is not None)
        is_of_policy = any(item.mend is None for item in found)
        yield Hit(
            label,
            tuple(dict.fromkeys(at for item in found for at in (item.stated_at, item.seen_at))),
            OtherState(label.removeprefix("interface "), said),
            Confidence.LIKELY,
            advice=None if is_of_policy else f"{_AGAIN}{'; '.join(mends)}",
        )
