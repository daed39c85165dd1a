"""What `predict` does."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from advisor.cli.errors import Code, say
from advisor.cli.manner import manner_of
from advisor.cli.output import show
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.device.coverage import platform_notes
from advisor.device.device import Device
from advisor.device.inputs import first_folder
from advisor.device.reading import read_source
from advisor.outlet.operations import unknown_operations
from advisor.outlet.unused import unused_notes
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.incomplete import with_caution
from advisor.predict.what_if.moves import RING, Moves, is_of_wred
from advisor.predict.what_if.path import predict_path, with_calls
from advisor.predict.what_if.path_file import read_path
from advisor.predict.what_if.path_hops import incomplete_of
from advisor.predict.what_if.prediction import Prediction, Unpredicted, figures_of
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.scenario_sweep import SharesPoint, shares_points
from advisor.predict.what_if.stated_link import DEFAULT_ENCAPSULATION, StatedLink
from advisor.predict.what_if.subject import Subject, only_source, subject_of
from advisor.predict.what_if.sweep import Axis, Point, axes_of, sweep
from advisor.quantity import number
from advisor.report.formats import PATHS, PREDICTIONS, SHARES, SWEEPS
from advisor.report.printable import printable
from advisor.report.sweeps import Swept
from advisor.settings.in_force import settings_of
from advisor.settings.load import load_settings
from advisor.settings.values import Flags


class PredictOptions(Struct, frozen=True):
    """What the command line asks to be predicted: a file, a link of flags, or hops of a path."""

    path: str | None = None
    interface: str | None = None
    overrides: Sequence[str] = ()
    sweeps: Sequence[str] = ()
    link: StatedLink | None = None
    hops: Path | None = None
    simulated: bool = False


def link_of(  # noqa: PLR0917 -- the flags, in the order of `predict --help`
    link: str | None,
    encap: str | None,
    llq: str | None,
    tx_ring_limit: int | None,
    calls: int | None,
    codec: str | None,
    background: int | None,
) -> StatedLink | None:
    """The link that flags describe; None without --link.

    Raises
    ------
    WrongUseError
        If a flag that goes with --link stands without it.
    """
    if link is not None:
        return StatedLink(
            link, encap or DEFAULT_ENCAPSULATION, llq, tx_ring_limit, calls, codec, background
        )
    link_flags = {
        "--encap": encap,
        "--llq": llq,
        "--tx-ring-limit": tx_ring_limit,
        "--calls": calls,
        "--codec": codec,
        "--background": background,
    }
    flags = [name for name, value in link_flags.items() if value is not None]
    if flags:
        raise WrongUseError(f"{flags[0]}: needs --link; for a config use --set or --traffic")
    return None


def refuse_beside_scenario(options: PredictOptions) -> None:
    """Refuse --link and --hops beside a scenario, which states its own.

    Raises
    ------
    WrongUseError
        If one of them is given.
    """
    values = {"--link": options.link, "--hops": options.hops}
    flags = [name for name, value in values.items() if value]
    if flags:
        raise WrongUseError(f"--scenario: stands alone; leave out {', '.join(flags)}")


def _refuse_beside_simulation(options: PredictOptions, view: View) -> None:
    values = {"--sweep": options.sweeps, "--hops": options.hops}
    flags = [name for name, value in values.items() if value]
    if flags:
        raise WrongUseError(f"--simulate: goes with one prediction; leave out {flags[0]}")
    if view.form not in ("full", "json"):
        raise WrongUseError(f"--simulate: goes with --format full or json, not {view.form}")


def predict(options: PredictOptions, flags: Flags, view: View) -> Code:
    """Print the predictions of one file, of a link or of a path of hops."""
    if options.simulated:
        _refuse_beside_simulation(options, view)
    if options.hops is not None:
        return _along(options, options.hops, flags, view)
    subject = subject_of(
        options.path,
        flags,
        link=options.link,
        interface=options.interface,
        overrides=options.overrides,
    )
    if options.sweeps:
        _refuse_swept_sets(subject.moves[-1], axes_of(options.sweeps))
        return _swept(subject, options.sweeps, view)
    reading = read_source(subject.source, subject.settings)
    device = reading.device
    for statement in subject.settings.traffic:
        if statement not in device.traffic:
            say(printable(f"{statement.source}: is of {statement.device}, not of {device.name}"))
    for note in () if view.quiet else _notes(device, view):
        say(printable(note))
    predictions = predict_device(
        device,
        subject.source.name,
        subject.settings,
        subject.interface,
        subject.moves,
        simulated=options.simulated,
    )
    if options.overrides and not options.simulated and _is_unmoved(device, subject, predictions):
        say(printable(f"--set {', '.join(options.overrides)}: changes no figure here"))
    predictions = with_caution(with_calls(predictions), reading.incomplete)
    show(_text(device, predictions, subject, view), view)
    return _completeness(reading.incomplete)


def _notes(device: Device, view: View) -> Iterator[str]:
    yield from platform_notes(device)
    yield from unused_notes(device)
    if view.verbose:
        yield from unknown_operations(device)


def _completeness(incomplete: Iterable[str]) -> Code:
    """Say why what was read is incomplete; the figures are of the rest."""
    reasons = tuple(dict.fromkeys(incomplete))
    for reason in reasons:
        say(printable(f"incomplete: {reason}"))
    return Code.INCOMPLETE if reasons else Code.CLEAN


def _is_unmoved(device: Device, subject: Subject, moved: Sequence[Prediction]) -> bool:
    """Whether the figures are those of the device as it is."""
    source, settings = subject.source.name, subject.settings
    try:
        plain = predict_device(device, source, settings, subject.interface, subject.moves[:-1])
    except InputError:
        return False
    return [figures_of(each) for each in plain] == [figures_of(each) for each in moved]


def _text(device: Device, predictions: tuple[Prediction, ...], subject: Subject, view: View) -> str:
    if view.form == "html":
        from advisor.cli.html_jobs import device_page  # noqa: PLC0415 -- one form is enough

        return device_page(device, predictions, subject.settings)
    if view.form not in PREDICTIONS:
        raise WrongUseError(f"--format {view.form}: goes with --sweep")
    return PREDICTIONS.render(predictions, view.form, manner_of(view))


def _swept(subject: Subject, texts: Sequence[str], view: View) -> Code:
    axes = axes_of(texts)
    points = sweep(subject.source, subject.settings, subject.interface, subject.moves, axes)
    incomplete = read_source(subject.source, subject.settings).incomplete
    if any(is_of_wred(axis.key) for axis in axes) and view.form != "json":
        return max(show_shares(shares_points(points), view), _completeness(incomplete))
    for said in _refused(points):
        say(printable(said))
    text = SWEEPS.render(Swept(points, _budget_ms(subject, axes)), view.form, manner_of(view))
    if not text:
        raise WrongUseError(f"--format {view.form}: no class has a delay at several points")
    show(text, view)
    return _completeness(incomplete)


def _refuse_swept_sets(moves: Moves, axes: Sequence[Axis]) -> None:
    held = {key for key, _ in moves.values}
    for axis in axes:
        if axis.key in held:
            raise WrongUseError(f"--sweep {axis.key}: is set by --set too; leave out one of them")


def _refused(points: Sequence[Point]) -> Iterator[str]:
    """Points at which no output can be predicted, by reason."""
    places: dict[str, list[str]] = {}
    for point in points:
        whys = {each.why for each in point.predictions if isinstance(each, Unpredicted)}
        if all(isinstance(each, Unpredicted) for each in point.predictions):
            at = ", ".join(f"{setting.key} {number(setting.value)}" for setting in point.settings)
            places.setdefault("; ".join(sorted(whys)), []).append(at)
    for why, left_out in places.items():
        yield f"--sweep: left out {'; '.join(left_out)}: {why}"


def _budget_ms(subject: Subject, axes: Sequence[Axis]) -> float | None:
    """The budget of the ring, where the ring is what is swept."""
    if axes[0].key != RING:
        return None
    device = read_source(subject.source, subject.settings).device
    return settings_of(subject.settings, device.name).budgets.ring_wait_ms


def show_shares(points: Sequence[SharesPoint], view: View) -> Code:
    """Print a sweep of shares.

    Raises
    ------
    WrongUseError
        If no class has any.
    """
    if not any(point.classes for point in points):
        raise WrongUseError("--sweep: no class has TCP groups: state them in [[traffic]]")
    if view.form not in SHARES:
        raise WrongUseError(
            f"--format {view.form}: shows no shares of TCP groups; take plot, csv or json"
        )
    show(SHARES.render(points, view.form, manner_of(view)), view)
    return Code.CLEAN


def _along(options: PredictOptions, file: Path, flags: Flags, view: View) -> Code:
    values = {"PATH": options.path, "--link": options.link, "--sweep": options.sweeps}
    clashes = [name for name, value in values.items() if value]
    if clashes or options.overrides or options.interface:
        names = [*clashes, *(["--set"] if options.overrides else [])]
        names += ["--interface"] if options.interface else []
        raise WrongUseError(f"--hops: stands alone; leave out {', '.join(names)}")
    settings = load_settings(first_folder([str(file)]), flags)
    path = read_path(file)
    prediction = predict_path(path, settings, only_source)
    if view.form not in PATHS:
        raise WrongUseError(f"--format {view.form}: does not go with --hops")
    show(PATHS.render(prediction, view.form, manner_of(view)), view)
    return _completeness(incomplete_of(path, settings, only_source))
