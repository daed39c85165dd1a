"""Measurements of the user's own routers, as a TOML file, that replace the estimate.

platform = "3640"
lan = "token-ring"

[[sample]]
fps = 200
cpu = "CPU utilization for five seconds: 9%/2%; one minute: 9%; five minutes: 9%"
"""

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from advisor.settings.document import Document, read_document
from advisor.shows.cpu.load import CpuLoad, read_cpu
from advisor.theory.dlsw.fit import CalibrationError, Fit, Sample, fit
from advisor.theory.dlsw.steadiness import largest_movement
from advisor.units import NumeralError

# Those of CPU003: an engineering choice for "the averages have converged".
STEADY_POINTS, STEADY_PERCENT = 5.0, 25.0
LANS = ("ethernet", "token-ring")
WANS = ("serial", "ethernet", "token-ring")

_Fps = Annotated[float, Meta(ge=0, le=1e6)]


class _SampleTable(Struct, frozen=True, forbid_unknown_fields=True):
    fps: _Fps
    cpu: str


class _CalibrationTable(Struct, frozen=True, forbid_unknown_fields=True):
    platform: str
    sample: tuple[_SampleTable, ...] = ()
    lan: str | None = None
    wan: str | None = None


class Calibration(Struct, frozen=True):
    """Steady measurements of one platform. `line` is None if all were taken without frames.

    `base_percent` is the process-level load of those. `interrupt_percent` is the highest interrupt
    share of the samples; it is not part of the line.
    """

    platform: str
    samples: tuple[Sample, ...]
    line: Fit | None
    base_percent: float
    interrupt_percent: int
    lan: str | None
    wan: str | None
    source: str


def moving(load: CpuLoad) -> str | None:
    """Reason why no size may be derived from a load; None if it is steady by CPU003.

    >>> head = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: "
    >>> moving(read_cpu(head + "5%", "a1.txt"))
    >>> moving(read_cpu(head + "2%", "a1.txt"))
    'one minute and five minutes differ by 6 points: not a steady load'
    """
    movement = largest_movement(
        load.five_seconds_percent,
        load.one_minute_percent,
        load.five_minutes_percent,
        difference_points=STEADY_POINTS,
        difference_percent=STEADY_PERCENT,
    )
    if movement is None:
        return None
    return f"{movement.name} differ by {movement.points:g} points: not a steady load"


def read_calibration(path: Path) -> Calibration:
    """Read a file of measurements.

    Raises
    ------
    SettingsError
        If it is unreadable, has an impossible value, or holds a load that is not steady; with
        file, line and key.
    """
    document = read_document(path)
    table = document.whole(_CalibrationTable)
    for key, value, allowed in (("lan", table.lan, LANS), ("wan", table.wan, WANS)):
        if value is not None:
            document.one_of((key,), value, allowed)
    if not table.sample:
        raise document.error(("sample",), "holds no [[sample]] table")
    loads = [_load(document, place, sample.cpu) for place, sample in enumerate(table.sample)]
    samples = tuple(
        Sample(sample.fps, load.process_percent or 0)
        for sample, load in zip(table.sample, loads, strict=True)
    )
    return Calibration(
        platform=table.platform,
        samples=samples,
        line=_line(document, samples),
        base_percent=_base_percent(samples),
        interrupt_percent=max(load.interrupt_percent or 0 for load in loads),
        lan=table.lan,
        wan=table.wan,
        source=document.name,
    )


def _base_percent(samples: tuple[Sample, ...]) -> float:
    idle = [sample.process_percent for sample in samples if sample.fps == 0]
    return sum(idle) / len(idle) if idle else 0.0


def _line(document: Document, samples: tuple[Sample, ...]) -> Fit | None:
    if all(sample.fps == 0 for sample in samples):
        return None
    try:
        return fit(samples)
    except CalibrationError as error:
        raise document.error(("sample", 0), str(error)) from error


def _load(document: Document, place: int, text: str) -> CpuLoad:
    key = ("sample", place, "cpu")
    try:
        load = read_cpu(text, document.name, document.line_of(key))
    except NumeralError as error:
        raise document.error(key, f"cpu: {error}") from error
    if load is None:
        raise document.error(
            key, "cpu: is not the head line of `show processes cpu`: paste the whole line"
        )
    if load.interrupt_percent is None:
        raise document.error(key, "cpu: prints no interrupt share (8%/6%): it must be subtracted")
    if load.process_percent is None:
        raise document.error(key, "cpu: the interrupt share is above the total")
    reason = moving(load)
    if reason is not None:
        raise document.error(key, f"cpu: {reason}; keep it for seven minutes and read it again")
    return load
