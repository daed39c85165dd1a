"""Jobs of `predict` and `demo`: of a file, a link, a path of hops or a scenario."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor import api
from advisor.cli.endings import WrongUseError
from advisor.cli.options import View, flags_of, render_options_of, show, style_of, view_of
from advisor.cli.predict_options import Demo, Predict
from advisor.cli.process import Code, say
from advisor.cli.workers import bar_of
from advisor.device.device import Device
from advisor.ground.data import read_text
from advisor.ground.quantity import number
from advisor.ground.records import picked
from advisor.ground.units import kbps_from_bps, whole
from advisor.predict.comparison import sampled, with_compared
from advisor.predict.what_if import InputError, NotIosError
from advisor.predict.what_if.lesson import Lesson, NoLessonError, lesson
from advisor.predict.what_if.moves import RING, Moves, is_of_wred
from advisor.predict.what_if.path import predict_path, with_calls
from advisor.predict.what_if.path_hops import incomplete_of, read_path
from advisor.predict.what_if.prediction import Prediction, Unpredicted, figures_of, with_caution
from advisor.predict.what_if.predictions import notes_of, predict_device
from advisor.predict.what_if.scenario_answers import ScenarioRow, answer_scenario
from advisor.predict.what_if.subject import (
    DEFAULT_ENCAPSULATION,
    StatedLink,
    Subject,
    only_source,
    subject_of,
    subjects_in,
)
from advisor.predict.what_if.sweeps import (
    Axis,
    Point,
    SharesPoint,
    axes_of,
    shares_points,
    sweep,
    sweep_scenarios,
)
from advisor.report import json_report, lesson_text, printable
from advisor.report.formats import PATHS, PREDICTIONS, SCENARIOS, SHARES, SWEEPS
from advisor.report.scenarios import Answered
from advisor.report.sweeps import Swept
from advisor.settings.rates import rate_bps
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.tables import settings_of
from advisor.settings.traffic_keys import CodecError, load_codecs

_NARROWED: Final = ("full", "json")  # forms that show what narrows a figure

# Runs `predict` on a file, a link or a path of hops.


def predict(options: Predict) -> Code:
    """Print the predictions of one file, of a link, of a path of hops, or of scenarios."""
    link = _link_of(options)
    if options.scenario is not None:
        refuse_beside("--scenario", {"--link": link, "--hops": options.hops})
        of_configs = {
            "PATH": options.path,
            "--interface": options.interface,
            "--set": options.overrides,
            "--traffic": options.traffic,
        }
        refuse_beside("--scenario", of_configs)
        return predict_scenarios(options, options.scenario)
    view = view_of(options, form=options.form or "full")
    for flag, is_set in (("--simulate", options.simulate), ("--check", options.is_checked)):
        if is_set:
            _refuse_beside(flag, options, view)
    if options.hops is not None:
        return _along(options, options.hops, view)
    if options.path is not None and link is None:
        in_folder = subjects_in(options.path, flags_of(options))
        if in_folder is not None:
            return _of_folder(options, in_folder, view)
    subject = subject_of(
        options.path,
        flags_of(options),
        link=link,
        interface=options.interface,
        overrides=options.overrides,
    )
    try:
        if options.sweep:
            _refuse_swept_sets(subject.moves[-1], axes_of(options.sweep))
            return _swept(subject, options.sweep, view)
        return _predicted(options, subject, view)
    except NotIosError:
        if view.form == "json":  # a program reads a list, whatever the exit code
            show("[]\n", view)
        raise


def _predicted(options: Predict, subject: Subject, view: View) -> Code:
    incomplete = subject.reading.incomplete
    device, rates = sampled(subject.reading.device)
    for statement in subject.settings.traffic:
        if statement not in device.traffic:
            say(printable(f"{statement.source}: is of {statement.device}, not of {device.name}"))
    for note in () if view.quiet else notes_of(device, with_operations=view.verbose):
        say(printable(note))
    predictions = predict_device(
        device,
        subject.file,
        subject.settings,
        subject.interface,
        subject.moves,
        simulated=options.simulate,
        checked=options.is_checked,
        narrowed=view.form in _NARROWED,
    )
    if options.overrides and not options.simulate and _is_unmoved(device, subject, predictions):
        say(printable(f"--set {', '.join(options.overrides)}: changes no figure here"))
    if not options.overrides:  # a measurement is of the device as it is
        predictions = with_compared(device, subject.settings, predictions, rates)
    predictions = with_caution(with_calls(device, predictions), incomplete)
    show(_text(device, predictions, subject, view), view)
    return _completeness(incomplete)


def _of_folder(options: Predict, subjects: Iterable[Subject], view: View) -> Code:
    """Print the predictions of the devices in a folder; what is no configuration is named."""
    flags = [
        name
        for name, is_set in (
            ("--interface", options.interface is not None),
            ("--set", bool(options.overrides)),
            ("--sweep", bool(options.sweep)),
            ("--simulate", options.simulate),
            ("--check", options.is_checked),
        )
        if is_set
    ]
    if flags or view.form not in PREDICTIONS:
        what = flags[0] if flags else f"--format {view.form}"
        raise WrongUseError(f"{what}: goes with one device; {options.path} is a folder")
    predictions: list[Prediction] = []
    incomplete: list[str] = []
    for subject in subjects:
        reading, file = subject.reading, subject.file
        try:
            device, rates = sampled(reading.device)
            found = predict_device(device, file, subject.settings, None, subject.moves)
        except InputError as error:
            say(printable(str(error)))
            continue
        incomplete += reading.incomplete
        found = with_compared(device, subject.settings, found, rates)
        predictions += with_caution(with_calls(device, found), reading.incomplete)
    show(PREDICTIONS.render(predictions, view.form, render_options_of(view)), view)
    return _completeness(incomplete)


def _link_of(options: Predict) -> StatedLink | None:
    """The link that options describe; None without --link.

    Raises
    ------
    WrongUseError
        If an option that goes with --link stands without it.
    """
    if options.link is not None:
        return picked(StatedLink, options, encap=options.encap or DEFAULT_ENCAPSULATION)
    for name in StatedLink.__struct_fields__:
        if getattr(options, name, None) is not None:
            flag = f"--{name.replace('_', '-')}"
            raise WrongUseError(f"{flag}: needs --link; for a config use --set or --traffic")
    return None


def refuse_beside(flag: str, values: Mapping[str, object]) -> None:
    """Refuse options that are given beside one that stands alone.

    Raises
    ------
    WrongUseError
        If one of them has a value.
    """
    names = [name for name, value in values.items() if value]
    if names:
        raise WrongUseError(f"{flag}: stands alone; leave out {', '.join(names)}")


def _refuse_beside(flag: str, options: Predict, view: View) -> None:
    values = {"--sweep": options.sweep, "--hops": options.hops}
    flags = [name for name, value in values.items() if value]
    if flags:
        raise WrongUseError(f"{flag}: goes with one prediction; leave out {flags[0]}")
    if view.form not in ("full", "json"):
        raise WrongUseError(f"{flag}: goes with --format full or json, not {view.form}")


def _completeness(incomplete: Iterable[str]) -> Code:
    """Say why what was read is incomplete; the figures are of the rest."""
    reasons = tuple(dict.fromkeys(incomplete))
    for reason in reasons:
        say(printable(f"incomplete: {reason}"))
    return Code.INCOMPLETE if reasons else Code.CLEAN


def _is_unmoved(device: Device, subject: Subject, moved: Sequence[Prediction]) -> bool:
    """Whether the figures are those of the device as it is."""
    file, settings = subject.file, subject.settings
    try:
        plain = predict_device(device, file, settings, subject.interface, subject.moves[:-1])
    except InputError:
        return False
    return [figures_of(item) for item in plain] == [figures_of(item) for item in moved]


def _text(device: Device, predictions: tuple[Prediction, ...], subject: Subject, view: View) -> str:
    if view.form == "html":
        from advisor.cli.html_jobs import device_page  # noqa: PLC0415 -- one form is enough

        return device_page(device, predictions, subject.settings)
    if view.form not in PREDICTIONS:
        raise WrongUseError(f"--format {view.form}: goes with --sweep")
    return PREDICTIONS.render(predictions, view.form, render_options_of(view))


def _swept(subject: Subject, texts: Sequence[str], view: View) -> Code:
    axes = axes_of(texts)
    points, incomplete = sweep(subject, axes), subject.reading.incomplete
    if any(is_of_wred(axis.key) for axis in axes) and view.form != "json":
        return max(show_shares(shares_points(points), view), _completeness(incomplete))
    for said in _refused(points):
        say(printable(said))
    text = SWEEPS.render(
        Swept(points, _budget_ms(subject, axes)), view.form, render_options_of(view)
    )
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
        whys = {
            prediction.why
            for prediction in point.predictions
            if isinstance(prediction, Unpredicted)
        }
        if all(isinstance(prediction, Unpredicted) for prediction in point.predictions):
            at = ", ".join(f"{setting.key} {number(setting.value)}" for setting in point.settings)
            places.setdefault("; ".join(sorted(whys)), []).append(at)
    for why, left_out in places.items():
        yield f"--sweep: left out {'; '.join(left_out)}: {why}"


def _budget_ms(subject: Subject, axes: Sequence[Axis]) -> float | None:
    """The budget of the ring, where the ring is what is swept."""
    if axes[0].key != RING:
        return None
    return settings_of(subject.settings, subject.reading.device.name).budgets.ring_wait_ms


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
    show(SHARES.render(points, view.form, render_options_of(view)), view)
    return Code.CLEAN


def _along(options: Predict, file: Path, view: View) -> Code:
    refuse_beside(
        "--hops",
        {
            "PATH": options.path,
            "--link": options.link is not None,
            "--sweep": options.sweep,
            "--set": options.overrides,
            "--interface": options.interface,
        },
    )
    settings = api.settings_of(flags_of(options), (str(file),))
    path = read_path(file)
    prediction = predict_path(path, settings, only_source)
    if view.form not in PATHS:
        raise WrongUseError(f"--format {view.form}: does not go with --hops")
    show(PATHS.render(prediction, view.form, render_options_of(view)), view)
    return _completeness(incomplete_of(path, settings, only_source))


# Predictions without a configuration: `predict --scenario`, and the lesson of `demo`.

_RANGE: Final = re.compile(r"([0-9]{1,4})(?:\.\.([0-9]{1,4}))?")
_MOST_RINGS: Final = 64
_MOST_LIMIT: Final = 500


def predict_scenarios(options: Predict, file: Path) -> Code:
    """Print predictions of the scenarios of a file, beside their simulation where asked.

    Incomplete where the model has no answer to one: the others are printed all the same. With
    `--sweep` the shares of TCP groups over thresholds or flows.

    Raises
    ------
    WrongUseError
        If a sweep should be simulated, or a format is that of sweeps alone.
    """
    view = view_of(options, form=options.form or "json")
    if options.sweep:
        if options.simulate or options.is_checked:
            flag = "--simulate" if options.simulate else "--check"
            raise WrongUseError(f"{flag}: does not go with a sweep; leave out --sweep")
        scenarios = read_scenarios(read_text(file), str(file))
        return show_shares(sweep_scenarios(scenarios, str(file), axes_of(options.sweep)), view)
    if view.form in ("csv", "plot"):
        raise WrongUseError(f"--format {view.form}: goes with --sweep where --scenario is given")
    if view.form in ("html", "svg"):
        raise WrongUseError(f"--format {view.form}: does not go with --scenario")
    classes: list[ScenarioRow] = []
    code = Code.CLEAN
    for scenario in read_scenarios(read_text(file), str(file)):
        if scenario.not_read:
            say(
                printable(
                    f"{file}: scenario {scenario.id}: not read: {', '.join(scenario.not_read)}"
                )
            )
        answer = answer_scenario(scenario, simulated=options.simulate, checked=options.is_checked)
        if answer.not_predicted is not None:
            code = Code.INCOMPLETE
            say(printable(f"{file}: scenario {scenario.id}: not predicted: {answer.not_predicted}"))
        if answer.not_simulated is not None:
            say(printable(f"scenario {scenario.id}: not simulated: {answer.not_simulated}"))
        classes += answer.rows
    answered = Answered(tuple(classes), options.simulate, options.is_checked)
    show(SCENARIOS.render(answered, view.form, render_options_of(view)), view)
    return code


def demo(options: Demo) -> Code:
    """Predict and simulate voice behind rings, and print both.

    Raises
    ------
    WrongUseError
        If the range or the codec is not understood, or the calls overfill the link.
    """
    view = view_of(options)
    try:
        known, packet = load_codecs().packet(options.codec)
    except CodecError as error:
        raise WrongUseError(f"--{error.key}: {error}") from error
    rate_kbps = kbps_from_bps(rate_bps(options.link, "--link"))
    asked = Lesson(rate_kbps, options.calls, known.name, _rings(options.rings), options.seed)
    try:
        with bar_of(view) as bar:
            points = lesson(asked, packet, bar)
    except NoLessonError as error:
        raise WrongUseError(f"--calls: {error}") from error
    if view.form == "json":
        show(json_report.encoded(points), view)
    else:
        show(lesson_text.render(asked, points, style_of(view)), view)
    return Code.CLEAN


def _rings(text: str) -> tuple[int, ...]:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise WrongUseError(f"--rings {text!a}: write one ring or a range, like 1..40")
    first = whole(match[1])
    last = first if match[2] is None else whole(match[2])
    if not 1 <= first <= last <= _MOST_LIMIT or last - first >= _MOST_RINGS:
        limits = f"at most {_MOST_RINGS} rings, of 1 to {_MOST_LIMIT} packets, the shorter first"
        raise WrongUseError(f"--rings {text}: {limits}")
    return tuple(range(first, last + 1))
