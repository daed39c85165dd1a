"""Predictions without a configuration: `predict --scenario`, and the lesson of `demo`."""

import re
from pathlib import Path
from typing import Final

from advisor.cli.endings import WrongUseError
from advisor.cli.options import view_of
from advisor.cli.output import manner_of, show, style_of
from advisor.cli.predict_jobs import show_shares
from advisor.cli.predict_options import Demo, Predict
from advisor.cli.process import Code, say
from advisor.cli.workers import bar_of
from advisor.data import read_text
from advisor.predict.what_if.lesson import Lesson, NoLessonError, lesson
from advisor.predict.what_if.scenario_answers import (
    ScenarioClass,
    ScenarioGroup,
    answer_scenario,
)
from advisor.predict.what_if.subject import rate_bps
from advisor.predict.what_if.sweeps import axes_of, sweep_scenarios
from advisor.report import json_report, lesson_text
from advisor.report.formats import SCENARIOS
from advisor.report.printable import printable
from advisor.report.scenarios import Answered
from advisor.settings.read_scenarios import read_scenarios
from advisor.settings.traffic_keys import CodecError, load_codecs
from advisor.units import kbps_from_bps, whole

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
        if options.simulate:
            raise WrongUseError(
                "--simulate: a point of a sweep is not simulated; leave out --sweep"
            )
        scenarios = read_scenarios(read_text(file), str(file))
        return show_shares(sweep_scenarios(scenarios, str(file), axes_of(options.sweep)), view)
    if view.form in ("csv", "plot"):
        raise WrongUseError(f"--format {view.form}: goes with --sweep where --scenario is given")
    if view.form in ("html", "svg"):
        raise WrongUseError(f"--format {view.form}: does not go with --scenario")
    classes: list[ScenarioClass | ScenarioGroup] = []
    code = Code.CLEAN
    for scenario in read_scenarios(read_text(file), str(file)):
        if scenario.not_read:
            say(
                printable(
                    f"{file}: scenario {scenario.id}: not read: {', '.join(scenario.not_read)}"
                )
            )
        answer = answer_scenario(scenario, simulated=options.simulate)
        if answer.not_predicted is not None:
            code = Code.INCOMPLETE
            say(printable(f"{file}: scenario {scenario.id}: not predicted: {answer.not_predicted}"))
        if answer.not_simulated is not None:
            say(printable(f"scenario {scenario.id}: not simulated: {answer.not_simulated}"))
        classes += answer.rows
    answered = Answered(tuple(classes), options.simulate)
    show(SCENARIOS.render(answered, view.form, manner_of(view)), view)
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
    elif view.form == "svg":
        show(lesson_text.svg(asked, points), view)
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
