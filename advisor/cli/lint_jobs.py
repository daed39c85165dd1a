"""Job of `lint`; notes and exit codes of verdicts, which other commands share."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from advisor import api
from advisor.cli import endings
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_options import Lint
from advisor.cli.options import (
    View,
    emit,
    flags_of,
    render_options_of,
    say_what_is_not_read,
    show,
    style_of,
    view_of,
)
from advisor.cli.process import Code, say
from advisor.cli.workers import judging
from advisor.device.inputs import STDIN_NAME, Inputs
from advisor.device.sources import matches
from advisor.ground.bounded import STDIN
from advisor.ground.faults import AdvisorError, Guard
from advisor.ground.quantity import count
from advisor.lint.findings import Finding, Severity, Verdict, tally_of
from advisor.lint.run import ranked
from advisor.report import printable
from advisor.report.formats import STATISTICS, STREAMS, VERDICTS
from advisor.report.mask import masked
from advisor.settings import Settings

# ruff: noqa: PLC0415 -- one file is linted in the time that the imports take


if TYPE_CHECKING:
    from advisor.cli.acceptance import Baseline
    from advisor.lint.cards import Rule
    from advisor.lint.coverage import KnownObject
    from advisor.predict.comparison import Compared

    _Accept = Callable[[Sequence[Finding], Sequence[KnownObject]], tuple[Finding, ...]]


_NARROWED: Final = ("full", "json", "jsonl")  # forms that show what narrows a figure
_NO_FAILURE: Final = (Code.FINDINGS, Code.INCOMPLETE)  # with --exit-zero
_LOOK_EVERY_S: Final = 0.5
_MOST_LOOKING: Final = 10  # a long look at many files is taken less often


def lint(options: Lint) -> Code:
    """Judge files and print the report; with `--watch` again whenever a file changes.

    Raises
    ------
    WrongUseError
        If nothing is named to read, or `--watch` or `--statistics` does not go with another option.
    """
    if not options.paths and options.git is None:
        raise WrongUseError("lint: names no PATH; name files or folders, or a repository by --git")
    if options.statistics and options.form not in STATISTICS:
        raise WrongUseError(f"--statistics: has the formats {' and '.join(STATISTICS)}")
    return _watch(options) if options.watch else _lint(options)


def _lint(options: Lint) -> Code:
    view = view_of(options)
    if view.output is not None and options.git is not None:
        view = replace(view, output=view.output.absolute())
    force = api.in_force(
        api.settings_of(flags_of(options), () if options.git is not None else options.paths)
    )
    guard = Guard()
    sink = FindingSink(force.settings, view)
    with _inputs_of(options, force.settings, guard) as (inputs, unread):
        code = _judged_and_shown(options, view, force, (inputs, unread, guard), sink)
    return Code.CLEAN if options.exit_zero and code in _NO_FAILURE else code


@contextmanager
def _inputs_of(
    options: Lint, settings: Settings, guard: Guard
) -> Iterator[tuple[Inputs, tuple[str, ...]]]:
    """The inputs, and what of a revision could not be read; a revision is the current folder."""
    if options.git is None:
        yield Inputs(options.paths, guard, settings.exclude), ()
        return
    from advisor.cli.git_tree import one_tree, repository_named

    with (
        repository_named(options.git) as (repository, revision),
        one_tree(repository, repository.commit(revision), options.paths) as read,
        chdir(read.tree.folder),
    ):
        for line in (*read.unread, *(() if options.quiet else read.notes)):
            say(line)
        yield Inputs(read.tree.paths, guard, settings.exclude), read.unread


def _judged_and_shown(
    options: Lint,
    view: View,
    force: api.InForce,
    read: tuple[Inputs, tuple[str, ...], Guard],
    sink: "FindingSink",
) -> Code:
    inputs, unread, guard = read
    with judging(options, view, guard, sink, inputs.paths) as run_options:
        if view.form == "html":
            plan = api.planned(inputs, force, run_options=run_options)
            verdict = plan.verdict
        else:
            plan = None
            verdict = api.judged(inputs, force, run_options)
    unreadable = (*inputs.unreadable, *inputs.declined)
    failed = endings.report_faults(guard.faults)
    verdict = replace(verdict, incomplete=(*failed, *verdict.incomplete, *unreadable, *unread))
    verdict = sink.verdict(verdict)
    report = replace(verdict, findings=shown(verdict.findings, view))
    if not options.statistics:
        asked = sink.narrowable(report)
        narrows = _with_narrowing(asked, inputs, force.settings, view, guard).narrows
        report = replace(report, narrows=narrows)
    if view.verbose:
        from advisor.cli.inspect_jobs import say_parts

        say_parts(inputs, guard)
    say_what_is_not_read(inputs, view)
    if not view.quiet:
        _say_what_baseline_lacks(report, sink, force.rules)
        _say_what_is_not_shown(verdict, report, view)
    if options.statistics:
        text = STATISTICS.render(report, view.form, render_options_of(view))
    elif plan is None:
        text = _report(report, view, force)
    else:
        from advisor.cli.html_jobs import PageInputs, lint_page

        text = lint_page(
            report, PageInputs(plan, inputs, force.settings, guard, force.rules[0].site)
        )
    if view.verbose and view.form == "full":
        text += _compared(inputs, force.settings, view, guard)
    show(text, view)
    say_what_is_misstated(verdict)
    return exit_code(verdict, force, force.settings.fail_on, inputs, guard)


def _watch(options: Lint) -> Code:
    """Judge now and after each change of a file, until Ctrl-C; return the last exit code."""
    if STDIN in options.paths or options.git is not None:
        raise WrongUseError("--watch: only files and folders can be watched, no - and no --git")
    code = Code.CLEAN
    with suppress(KeyboardInterrupt):
        while True:
            stamps, took_s = _stamps(options)
            try:
                code = _lint(options)
            except AdvisorError as error:  # a file half written, a setting half typed
                code = endings.code_of_error(error)
            say("watching; Ctrl-C ends")
            while stamps == _stamps(options)[0]:
                sleep(max(_LOOK_EVERY_S, _MOST_LOOKING * took_s))
            emit("\n", None)
    return code


def _stamps(options: Lint) -> tuple[frozenset[tuple[str, int, int]], float]:
    """Name, time and size of each file that decides the report; seconds that a look takes."""
    began = monotonic()
    stated = (options.config, options.traffic, options.baseline, *options.rules)
    names = (*options.paths, *(os.fspath(path) for path in stated if path is not None))
    found = (path for name in names for path in _files_of(name))
    stamps = set[tuple[str, int, int]]()
    for path in found:
        with suppress(OSError):  # gone since it was listed
            status = os.stat(path)  # noqa: PTH116 -- names stay as the user typed them
            stamps.add((path, status.st_mtime_ns, status.st_size))
    return frozenset(stamps), monotonic() - began


def _files_of(name: str) -> Iterator[str]:
    for path in (name, *matches(name)):
        yield path
        for folder, _, files in os.walk(path):
            yield from (os.path.join(folder, file) for file in files)  # noqa: PTH118


class FindingSink:
    """Takes the findings of each device once; the baseline of the user accepts some of them.

    In a format of lines they are written at once. Then only what counts of them is kept, so that
    memory does not grow with their number.

    Raises
    ------
    WrongUseError
        If the baseline cannot be read.
    """

    def __init__(self, settings: Settings, view: View) -> None:
        self._view, self._findings = view, list[Finding]()
        self._open: tuple[Finding, ...] = ()  # of a stream, those that inputs may narrow
        self._has_begun = False
        self._accept: _Accept = _as_they_are
        self.baseline: Path | None = settings.baseline if settings.suppresses else None
        self.accepted: Baseline | None = None
        if self.baseline is not None:
            from advisor.cli import acceptance

            self.accepted = acceptance.Baseline(self.baseline, settings)
            self._accept = self.accepted.accept

    def __call__(self, findings: Sequence[Finding], objects: Sequence["KnownObject"]) -> None:
        """Take the findings of one device, or those of the run as a whole."""
        accepted = self._accept(findings, objects)
        if not self._view.is_stream:
            self._findings += accepted
            return
        from advisor.report.findings import is_skipped_file

        self._write(shown(accepted, self._view))
        self._findings += (item if is_skipped_file(item) else tally_of(item) for item in accepted)

    def _write(self, findings: tuple[Finding, ...]) -> None:
        parts, options = STREAMS[self._view.form], render_options_of(self._view)
        written = Verdict(findings, (), ())
        if not self._has_begun and "start" in parts:
            show(parts.render(written, "start", options), self._view)
        self._has_begun = True
        if findings:
            show(parts.render(written, "findings", options), self._view)
        if self._view.form in _NARROWED and findings:
            from advisor.lint.narrow import narrowable

            self._open = narrowable((*self._open, *findings))

    def verdict(self, verdict: Verdict) -> Verdict:
        """The verdict of the run with what the baseline accepts; of a stream, with what counts."""
        found = self._findings
        return replace(verdict, findings=tuple(found) if self._view.is_stream else ranked(found))

    def narrowable(self, report: Verdict) -> Verdict:
        """A report with the findings that stated inputs may narrow, as they were found."""
        return replace(report, findings=self._open) if self._view.is_stream else report


def _as_they_are(
    findings: Sequence[Finding], objects: Sequence["KnownObject"]
) -> tuple[Finding, ...]:
    del objects
    return tuple(findings)


def shown(findings: Sequence[Finding], view: View) -> tuple[Finding, ...]:
    """Findings that are severe enough to be shown."""
    mildest = Severity(view.severity).rank
    return tuple(finding for finding in findings if finding.severity.rank <= mildest)


def _say_what_is_not_shown(verdict: Verdict, report: Verdict, view: View) -> None:
    if hidden_count := len(verdict.standing) - len(report.standing):
        say(f"{count(hidden_count, 'finding')} below {view.severity} not shown")


def _say_what_baseline_lacks(report: Verdict, sink: FindingSink, rules: "Sequence[Rule]") -> None:
    """Say which findings of the baseline are gone, and which are of rules newer than it."""
    if sink.accepted is None:
        return
    read = (file.device for file in report.coverage if file.device is not None)
    if gone_count := sink.accepted.left_count(read):
        say(f"{count(gone_count, 'finding')} of {sink.baseline} not found any more")
    found = {finding.rule for finding in report.standing}
    version, new = sink.accepted.newer(rule.card for rule in rules if rule.card.id in found)
    if new:
        say(printable(f"rules that {sink.baseline} of version {version} did not have: {new}"))


# Words of the outputs that are compared: without one of them, no file is read again.
_MEASURES: Final = (b"offered rate", b"RTT", b"five minutes:")


def _compared(inputs: Inputs, settings: Settings, view: View, guard: Guard) -> str:
    """Measured beside predicted values of each device with outputs that measure."""
    from advisor.device.index import read_devices
    from advisor.predict.comparison import compared, measured
    from advisor.report.compared import compared_text

    rows: list[Compared] = []
    for source in inputs:
        if source.is_bundle:
            with guard.around(source.name):
                rows += measured(source, settings)[0]
    loose = [source for source in inputs if not source.is_bundle]
    if any(mark in source.payload for source in loose for mark in _MEASURES):
        for reading in read_devices(loose, settings, guard):
            with guard.around(reading.device.name):
                rows += compared(reading.device, settings)
    return compared_text(rows, (), style_of(view)) if rows else ""


def _with_narrowing(
    verdict: Verdict, inputs: Inputs, settings: Settings, view: View, guard: Guard
) -> Verdict:
    """The verdict with the inputs to state, where the form shows them and a figure has a range."""
    if (
        view.quiet
        or view.form not in _NARROWED
        or not any(
            finding.prediction is not None and finding.prediction.has_range
            for finding in verdict.standing
        )
    ):
        return verdict
    from advisor.lint.narrow import with_narrowing

    narrows = None
    with guard.around(verdict.standing[0].device):
        narrows = with_narrowing(
            verdict, lambda files: inputs if STDIN_NAME in files else Inputs(files), settings
        ).narrows
    return replace(verdict, narrows=narrows)


def say_what_is_misstated(verdict: Verdict) -> None:
    """Say on standard error which statements name nothing that their device has."""
    for said in masked(verdict).misstated:
        say(printable(said))


def exit_code(
    verdict: Verdict, force: api.InForce, fail_on: str, inputs: Inputs, guard: Guard
) -> Code:
    """Exit code of a verdict over the inputs, by the cards of the rules."""
    return endings.code_of(
        verdict,
        force.incomplete,
        fail_on,
        bad_path=bool(inputs.unreadable),
        has_fault=bool(guard.faults),
    )


def say_notes(verdict: Verdict, view: View) -> None:
    """Say on standard error what `concise` leaves out: what is not judged, and the counts."""
    if view.form != "concise" or view.quiet:
        return
    from advisor.report import lint_text

    for line in lint_text.notes(verdict, is_verbose=view.verbose):
        say(line)


def _report(verdict: Verdict, view: View, force: api.InForce) -> str:
    say_notes(verdict, view)
    options = render_options_of(view, force.rules, force.settings.fail_on)
    if view.is_stream:
        parts = STREAMS[view.form]
        return parts.render(verdict, "end", options) if "end" in parts else ""
    return VERDICTS.render(verdict, view.form, options)
