"""What `advisor size` does."""

import math
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from advisor.cli import crash
from advisor.cli.errors import Code, say
from advisor.cli.files import text_of
from advisor.cli.output import say_what_is_not_read, show, style_of
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs, first_folder
from advisor.device.reading import Reading
from advisor.faults import Guard
from advisor.report import json_report, sizing_text
from advisor.report.printable import printable
from advisor.settings.load import load_settings
from advisor.size.answer import Media, Subject, answer, media_of
from advisor.size.calibration import Calibration, read_calibration
from advisor.size.device import Profile, line_of_device, load_of
from advisor.size.errors import SizingError
from advisor.size.load import stated_load
from advisor.size.platform_line import line_of
from advisor.size.seen import has_dlsw, seen_load
from advisor.size.sizing import Limits
from advisor.size.traffic_table import loads_by_host, read_traffic_table

_OF_A_LOAD = {
    "--tps": "tps",
    "--out-bytes": "out_bytes",
    "--in-bytes": "in_bytes",
    "--ru": "ru_bytes",
}


class SizeAsked(Struct, frozen=True):
    """What the command line asks to be sized: PATHs, a traffic table, or flags alone."""

    paths: tuple[str, ...]
    table: Path | None
    platform: str | None
    profile: Profile
    media: Media
    is_redundant: bool
    domain_peers: int | None
    survivor_percent: float | None
    calibration: Path | None


def size_dlsw(asked: SizeAsked, view: View) -> Code:
    """Print the size of routers; incomplete where one shows no rate of frames."""
    _refuse_what_clashes(asked)
    calibration = None if asked.calibration is None else read_calibration(asked.calibration)
    guard = Guard()
    subjects, code = _subjects(asked, calibration, view, guard)
    said = answer(
        subjects,
        Limits(survivor_percent=asked.survivor_percent or Limits().survivor_percent),
        is_redundant=asked.is_redundant or asked.domain_peers is not None,
        domain_peers=asked.domain_peers,
        calibration=calibration,
    )
    if view.form == "json":
        show(json_report.encoded(said), view)
    else:
        show(sizing_text.render(said, style_of(view)), view)
    for reason in crash.reasons(guard.faults):
        say(reason)
    if guard.faults:
        return Code.INTERNAL
    return Code.INCOMPLETE if any(each.missing for each in said.routers) else code


def _refuse_what_clashes(asked: SizeAsked) -> None:
    given = [flag for flag, name in _OF_A_LOAD.items() if getattr(asked.profile, name) is not None]
    if asked.table is not None and asked.paths:
        raise WrongUseError("--table: replaces PATH; leave out one of them")
    if asked.table is not None and (given or asked.profile.peers is not None):
        raise WrongUseError(
            f"--table: its file states what {(*given, '--peers')[0]} states; leave out one"
        )
    if asked.survivor_percent is not None and math.isnan(asked.survivor_percent):
        raise WrongUseError("--survivor-limit: is not a number")
    if asked.survivor_percent is not None and not asked.is_redundant and asked.domain_peers is None:
        raise WrongUseError("--survivor-limit: needs --redundant or --fault-domain")
    if asked.platform is not None and not asked.platform.strip():
        raise WrongUseError("--platform: is empty")
    missing = [flag for flag in _OF_A_LOAD if flag not in given]
    alone = asked.table is None and not asked.paths
    nothing = not given and asked.domain_peers is not None and asked.platform is None
    if alone and missing and not nothing:
        raise WrongUseError(
            f"size dlsw: takes PATH, --table FILE, or {', '.join(_OF_A_LOAD)}; "
            f"{missing[0]} is missing"
        )


def _subjects(
    asked: SizeAsked, calibration: Calibration | None, view: View, guard: Guard
) -> tuple[list[Subject], Code]:
    if asked.paths:
        return _of_paths(asked, calibration, view, guard)
    transactions = asked.profile.transactions()
    if asked.table is not None:
        name = str(asked.table)
        loads = loads_by_host(read_traffic_table(text_of(asked.table), name), name)
    elif transactions is not None:
        loads = (stated_load("router", [transactions], "flags", asked.profile.peers),)
    else:
        return [], Code.CLEAN  # a fault domain alone
    on = line_of(asked.platform, calibration)
    return [Subject(each.router, each, on, asked.media) for each in loads], Code.CLEAN


def _of_paths(
    asked: SizeAsked, calibration: Calibration | None, view: View, guard: Guard
) -> tuple[list[Subject], Code]:
    inputs = Inputs(asked.paths, guard)
    settings = load_settings(first_folder(asked.paths))
    readings = list(read_devices(inputs, settings, guard))
    say_what_is_not_read(inputs, view)
    if inputs.unreadable and not guard.faults:
        raise WrongUseError("size dlsw: not every PATH could be read")
    ours = [each for each in readings if each.device.is_ios]
    foreign = [each for each in readings if not each.device.is_ios]
    for each in foreign:
        say(printable("; ".join(each.incomplete)))
    chosen = _with_dlsw(ours)
    if not chosen and not foreign and not guard.faults:
        raise WrongUseError(f"size dlsw: no device with DLSw+ ({len(readings)} read)")
    subjects: list[Subject] = []
    for reading in chosen:
        with guard.around(reading.device.facts.tree.file):
            subjects.append(_of_device(reading, asked, calibration))
    incomplete = any(reading.incomplete for reading in readings) or bool(inputs.declined)
    return subjects, Code.INCOMPLETE if incomplete else Code.CLEAN


def _with_dlsw(readings: list[Reading]) -> list[Reading]:
    """Devices of a run that speak DLSw+; one device alone is taken for one."""
    speaking = [each for each in readings if has_dlsw(each.device)]
    return speaking if speaking or len(readings) > 1 else readings


def _profile(device: Device, flags: Profile) -> Profile:
    """The flags; where they say nothing of a load, the peak that the settings state."""
    stated = device.transactions
    if flags.is_of_a_load or stated is None:
        return flags
    return replace(
        flags,
        tps=stated.peak_tps,
        out_bytes=stated.out_bytes,
        in_bytes=stated.in_bytes,
        ru_bytes=stated.ru_bytes,
        source=stated.source,
    )


def _of_device(reading: Reading, asked: SizeAsked, calibration: Calibration | None) -> Subject:
    seen = seen_load(reading.device)
    stated, shown = asked.media, media_of(seen)
    try:
        on = line_of_device(seen, asked.platform, calibration)
    except SizingError as error:
        raise SizingError(f"{seen.router}: {error}") from error
    return Subject(
        router=seen.router,
        load=load_of(seen, _profile(reading.device, asked.profile)),
        on=on,
        media=Media(stated.lan or shown.lan, stated.wan or shown.wan),
        cpu=seen.cpu,
        remarks=(*seen.remarks, *reading.incomplete),
    )
