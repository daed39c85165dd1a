"""What `advisor size` does."""

import math
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from advisor.cli import crash
from advisor.cli.errors import Code, say
from advisor.cli.manner import manner_of
from advisor.cli.output import say_what_is_not_read, show
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.data import read_text
from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs, first_folder
from advisor.device.reading import Reading
from advisor.faults import Guard
from advisor.predict.what_if.stated import refuse_wrong_statements
from advisor.quantity import count
from advisor.report.formats import SIZINGS
from advisor.report.printable import printable
from advisor.settings.load import load_settings
from advisor.settings.values import Flags
from advisor.size.answer import Media, Subject, answer, media_of
from advisor.size.calibration import Calibration, read_calibration
from advisor.size.device import Profile, line_of_device, links_of, load_of
from advisor.size.errors import SizingError
from advisor.size.load import Population, stated_load
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


class Stations(Struct, frozen=True):
    """The flags of SNA stations as they are given: they state the transactions per second."""

    pus: int | None = None
    lus: int | None = None
    lu_tps: float | None = None

    @property
    def population(self) -> Population | None:
        if self.pus is None:
            return None
        known = Population(self.pus, 1 if self.lus is None else self.lus)
        return known if self.lu_tps is None else replace(known, tps_per_lu=self.lu_tps)


class SizeOptions(Struct, frozen=True):
    """What the command line asks to be sized: PATHs, a traffic table, or flags alone."""

    paths: tuple[str, ...]
    table: Path | None
    platform: str | None
    profile: Profile
    stations: Stations
    media: Media
    is_redundant: bool
    domain_peers: int | None
    survivor_percent: float | None
    calibration: Path | None
    config: Path | None = None


def size_dlsw(options: SizeOptions, view: View) -> Code:
    """Print the size of routers; incomplete where one shows no rate of frames."""
    options = _with_stations(options)
    _refuse_what_clashes(options)
    calibration = None if options.calibration is None else read_calibration(options.calibration)
    guard = Guard()
    subjects, code = _subjects(options, calibration, view, guard)
    sizing = answer(
        subjects,
        Limits(survivor_percent=options.survivor_percent or Limits().survivor_percent),
        is_redundant=options.is_redundant or options.domain_peers is not None,
        domain_peers=options.domain_peers,
        calibration=calibration,
    )
    show(SIZINGS.render(sizing, view.form, manner_of(view)), view)
    for reason in crash.reasons(guard.faults):
        say(reason)
    if guard.faults:
        return Code.INTERNAL
    return Code.INCOMPLETE if any(router.missing for router in sizing.routers) else code


def _with_stations(options: SizeOptions) -> SizeOptions:
    """The options with the transactions per second of the stations.

    Raises
    ------
    WrongUseError
        If `--tps` states them as well, or a flag of the LUs stands without the PUs.
    """
    stations, population = options.stations, options.stations.population
    if population is None:
        for flag, value in (("--lus", stations.lus), ("--lu-tps", stations.lu_tps)):
            if value is not None:
                raise WrongUseError(f"{flag}: needs --pus")
        return options
    if options.profile.tps is not None:
        raise WrongUseError("--pus: states the transactions/s that --tps states; leave out one")
    return replace(options, profile=replace(options.profile, tps=population.tps))


def _stations_remark(options: SizeOptions) -> tuple[str, ...]:
    population = options.stations.population
    if population is None:
        return ()
    rate = "stated" if options.stations.lu_tps is not None else "assumed, as in Cisco's tests"
    units = f"{count(population.pus, 'PU')} x {count(population.lus_per_pu, 'LU')}"
    each = f"{population.tps_per_lu:g}/s ({rate})"
    return (f"{population.tps:g} transactions/s are {units} x {each}",)


def _refuse_what_clashes(options: SizeOptions) -> None:
    load_flags = [
        flag for flag, name in _OF_A_LOAD.items() if getattr(options.profile, name) is not None
    ]
    if options.table is not None and options.paths:
        raise WrongUseError("--table: replaces PATH; leave out one of them")
    if options.table is not None and (load_flags or options.profile.peers is not None):
        raise WrongUseError(
            f"--table: its file states what {(*load_flags, '--peers')[0]} states; leave out one"
        )
    if options.survivor_percent is not None and math.isnan(options.survivor_percent):
        raise WrongUseError("--survivor-limit: is not a number")
    if (
        options.survivor_percent is not None
        and not options.is_redundant
        and options.domain_peers is None
    ):
        raise WrongUseError("--survivor-limit: needs --redundant or --fault-domain")
    if options.platform is not None and not options.platform.strip():
        raise WrongUseError("--platform: is empty")
    missing_flags = [flag for flag in _OF_A_LOAD if flag not in load_flags]
    is_of_flags = options.table is None and not options.paths
    is_domain_only = (
        not load_flags and options.domain_peers is not None and options.platform is None
    )
    if is_of_flags and missing_flags and not is_domain_only:
        raise WrongUseError(
            f"size dlsw: takes PATH, --table FILE, or {', '.join(_OF_A_LOAD)}; "
            f"{missing_flags[0]} is missing"
        )


def _subjects(
    options: SizeOptions, calibration: Calibration | None, view: View, guard: Guard
) -> tuple[list[Subject], Code]:
    if options.paths:
        return _of_paths(options, calibration, view, guard)
    transactions = options.profile.transactions()
    if options.table is not None:
        name = str(options.table)
        loads = loads_by_host(read_traffic_table(read_text(options.table), name), name)
    elif transactions is not None:
        loads = (stated_load("router", [transactions], "flags", options.profile.peers),)
    else:
        return [], Code.CLEAN  # a fault domain alone
    platform_line = line_of(options.platform, calibration)
    remarks = _stations_remark(options)
    return [
        Subject(load.router, load, platform_line, options.media, remarks=remarks) for load in loads
    ], Code.CLEAN


def _of_paths(
    options: SizeOptions, calibration: Calibration | None, view: View, guard: Guard
) -> tuple[list[Subject], Code]:
    inputs = Inputs(options.paths, guard)
    settings = load_settings(first_folder(options.paths), Flags(config=options.config))
    readings = list(read_devices(inputs, settings, guard))
    say_what_is_not_read(inputs, view)
    if inputs.unreadable and not guard.faults:
        raise WrongUseError("size dlsw: not every PATH could be read")
    refuse_wrong_statements(reading.device for reading in readings)
    ios_readings = [reading for reading in readings if reading.device.is_ios]
    other_readings = [reading for reading in readings if not reading.device.is_ios]
    for reading in other_readings:
        say(printable("; ".join(reading.incomplete)))
    chosen = _with_dlsw(ios_readings)
    if not chosen and not other_readings and not guard.faults:
        raise WrongUseError(f"size dlsw: no device with DLSw+ ({len(readings)} read)")
    subjects: list[Subject] = []
    for reading in chosen:
        with guard.around(reading.device.facts.tree.file):
            subjects.append(_of_device(reading, options, calibration))
    incomplete = any(reading.incomplete for reading in readings) or bool(inputs.declined)
    return subjects, Code.INCOMPLETE if incomplete else Code.CLEAN


def _with_dlsw(readings: list[Reading]) -> list[Reading]:
    """Devices of a run that speak DLSw+; one device alone is taken for one."""
    speakers = [reading for reading in readings if has_dlsw(reading.device)]
    return speakers if speakers or len(readings) > 1 else readings


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


def _of_device(reading: Reading, options: SizeOptions, calibration: Calibration | None) -> Subject:
    observed = seen_load(reading.device)
    stated_media, observed_media = options.media, media_of(observed)
    try:
        platform_line = line_of_device(observed, options.platform, calibration)
    except SizingError as error:
        raise SizingError(f"{observed.router}: {error}") from error
    profile = _profile(reading.device, options.profile)
    load = load_of(observed, profile)
    return Subject(
        router=observed.router,
        load=load,
        platform_line=platform_line,
        media=Media(stated_media.lan or observed_media.lan, stated_media.wan or observed_media.wan),
        cpu=observed.cpu,
        links=links_of(reading.device, observed, profile, load),
        remarks=(*_stations_remark(options), *observed.remarks, *reading.incomplete),
    )
