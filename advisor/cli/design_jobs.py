"""Jobs of the designs and of `advisor size`."""

from msgspec.structs import replace

from advisor import api
from advisor.cli import endings
from advisor.cli.endings import WrongUseError
from advisor.cli.options import render_options_of, say_what_is_not_read, show, view_of
from advisor.cli.predict_options import (
    DesignEdge,
    DesignLfi,
    DesignLlq,
    DesignShape,
    DesignWred,
    SizeDlsw,
)
from advisor.cli.process import Code, say
from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.reading import Reading
from advisor.device.sources import source_of
from advisor.ground.data import read_text
from advisor.ground.faults import Guard
from advisor.ground.quantity import Unknown
from advisor.ground.records import picked
from advisor.predict.size import SizingError, loads_by_host, read_traffic_table, stated_load
from advisor.predict.size.answer import (
    Media,
    Profile,
    RouterToSize,
    answer,
    line_of_device,
    links_of,
    load_of,
    media_of,
)
from advisor.predict.size.platform_line import Calibration, line_of, read_calibration
from advisor.predict.size.seen import has_dlsw, seen_load
from advisor.predict.size.sizing import Limits
from advisor.predict.what_if import refuse_wrong_statements
from advisor.report import printable
from advisor.report.formats import EDGE_DESIGNS, SIZINGS, WRED_DESIGNS
from advisor.settings import Flags, Settings
from advisor.settings.rates import rate_bps

# Jobs of `advisor size`.

_OF_A_LOAD = {
    "--tps": "tps",
    "--out-bytes": "out_bytes",
    "--in-bytes": "in_bytes",
    "--ru": "ru_bytes",
}


def size_dlsw(options: SizeDlsw) -> Code:
    """Print the size of routers; incomplete where one shows no rate of frames."""
    _refuse_what_clashes(options)
    calibration = None if options.calibration is None else read_calibration(options.calibration)
    guard = Guard()
    subjects, code = _subjects(options, calibration, guard)
    is_domain = options.domain_peers is not None
    sizing = answer(
        subjects,
        Limits(survivor_percent=options.survivor_percent or Limits().survivor_percent),
        is_redundant=options.redundant or is_domain,
        domain_peers=options.domain_peers,
        calibration=calibration,
    )
    view = view_of(options)
    show(SIZINGS.render(sizing, view.form, render_options_of(view)), view)
    for reason in endings.report_faults(guard.faults):
        say(reason)
    if guard.faults:
        return Code.INTERNAL
    return Code.INCOMPLETE if any(router.missing for router in sizing.routers) else code


def _refuse_what_clashes(options: SizeDlsw) -> None:
    load_flags = [flag for flag, name in _OF_A_LOAD.items() if getattr(options, name) is not None]
    if options.table is not None and options.paths:
        raise WrongUseError("--table: replaces PATH; leave out one of them")
    if options.table is not None and (load_flags or options.peers is not None):
        raise WrongUseError(
            f"--table: its file states what {(*load_flags, '--peers')[0]} states; leave out one"
        )
    if (
        options.survivor_percent is not None
        and not options.redundant
        and options.domain_peers is None
    ):
        raise WrongUseError("--survivor-limit: needs --redundant or --fault-domain")
    if options.model is not None and not options.model.strip():
        raise WrongUseError("--platform: is empty")
    missing_flags = [flag for flag in _OF_A_LOAD if flag not in load_flags]
    is_of_flags = options.table is None and not options.paths
    is_domain_only = not load_flags and options.domain_peers is not None and options.model is None
    if is_of_flags and missing_flags and not is_domain_only:
        raise WrongUseError(
            f"size dlsw: takes PATH, --table FILE, or {', '.join(_OF_A_LOAD)}; "
            f"{missing_flags[0]} is missing"
        )


def _subjects(
    options: SizeDlsw, calibration: Calibration | None, guard: Guard
) -> tuple[list[RouterToSize], Code]:
    if options.paths:
        return _of_paths(options, calibration, guard)
    transactions = picked(Profile, options).transactions()
    if options.table is not None:
        name = str(options.table)
        loads = loads_by_host(read_traffic_table(read_text(options.table), name), name)
    elif transactions is not None:
        loads = (stated_load("router", [transactions], "flags", options.peers),)
    else:
        return [], Code.CLEAN  # a fault domain alone
    platform_line = line_of(options.model, calibration)
    return [
        RouterToSize(load.router, load, platform_line, _media(options)) for load in loads
    ], Code.CLEAN


def _media(options: SizeDlsw) -> Media:
    return Media((options.lan,) if options.lan else (), (options.wan,) if options.wan else ())


def _of_paths(
    options: SizeDlsw, calibration: Calibration | None, guard: Guard
) -> tuple[list[RouterToSize], Code]:
    stated = Flags(config=options.config, exclude=options.exclude)
    settings = api.settings_of(stated, options.paths)
    inputs = Inputs(options.paths, guard, settings.exclude)
    readings = list(read_devices(inputs, settings, guard))
    say_what_is_not_read(inputs, view_of(options))
    if inputs.unreadable and not guard.faults:
        raise WrongUseError("size dlsw: not every PATH could be read")
    refuse_wrong_statements(reading.device for reading in readings)
    ios_readings = [reading for reading in readings if reading.device.is_ios]
    other_readings = [reading for reading in readings if not reading.device.is_ios]
    for reading in other_readings:
        for reason in reading.incomplete:
            say(printable(reason))
    chosen = _with_dlsw(ios_readings)
    if not chosen and not other_readings and not guard.faults:
        raise WrongUseError(f"size dlsw: no device with DLSw+ ({len(readings)} read)")
    subjects: list[RouterToSize] = []
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


def _of_device(
    reading: Reading, options: SizeDlsw, calibration: Calibration | None
) -> RouterToSize:
    observed = seen_load(reading.device)
    stated_media, observed_media = _media(options), media_of(observed)
    try:
        platform_line = line_of_device(observed, options.model, calibration)
    except SizingError as error:
        raise SizingError(f"{observed.router}: {error}") from error
    profile = _profile(reading.device, picked(Profile, options))
    load = load_of(observed, profile)
    return RouterToSize(
        router=observed.router,
        load=load,
        platform_line=platform_line,
        media=Media(stated_media.lan or observed_media.lan, stated_media.wan or observed_media.wan),
        cpu=observed.cpu,
        links=links_of(reading.device, observed, profile, load),
        remarks=(*observed.remarks, *reading.incomplete),
    )


# Jobs of the commands `design …`.


def wred(options: DesignWred) -> Code:
    """Print the settings of a class with WRED; exit code 1 where it is poor or a demand unmet."""
    design = api.designed_wred(
        _settings(options),
        rate_bps=rate_bps(options.rate, "--rate"),
        target_ms=options.target_ms,
        packet_bytes=options.packet_bytes,
        dscps=options.dscps,
        flows=options.flows,
        shares=options.shares,
        rtt_ms=options.rtt_ms,
        release=options.release,
        basis=options.basis,
    )
    if isinstance(design, Unknown):
        say(f"no lines to paste: {design.reason}")
        return Code.FINDINGS
    view = view_of(options)
    show(WRED_DESIGNS.render(design, view.form, render_options_of(view)), view)
    return Code.FINDINGS if design.unmet or design.poor else Code.CLEAN


def edge(options: DesignLlq | DesignLfi | DesignShape | DesignEdge) -> Code:
    """Print a designed edge; exit code 1 where no design meets the requirements."""
    requirements = picked(api.Requirements, options)
    if isinstance(options, DesignLfi):
        requirements = replace(requirements, must_fragment=True)
    on = options.on if isinstance(options, DesignEdge) else None
    source = source_of(str(on), read_text(on).encode()) if on is not None else None
    design = api.designed(requirements, _settings(options), source)
    view = view_of(options)
    show(EDGE_DESIGNS.render(design, view.form, render_options_of(view)), view)
    return Code.FINDINGS if isinstance(design, api.RefusedDemand) else Code.CLEAN


def _settings(options: DesignWred | DesignLlq | DesignLfi | DesignShape | DesignEdge) -> Settings:
    """The settings of a design: the platform that it names is that of the design alone."""
    return api.settings_of(Flags(config=options.config, profile=options.profile))
