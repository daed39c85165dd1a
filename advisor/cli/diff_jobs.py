"""Jobs of `diff` and `baseline`."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path, PurePath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor import __version__, api
from advisor.cli import endings
from advisor.cli.acceptance import is_baseline, read_baseline
from advisor.cli.endings import NEVER, WrongUseError
from advisor.cli.git_tree import Tree, two_trees
from advisor.cli.lint_jobs import exit_code, say_what_is_misstated
from advisor.cli.lint_options import Diff, TakeBaseline, Trends
from advisor.cli.options import (
    View,
    flags_of,
    render_options_of,
    say_what_is_not_read,
    show,
    view_of,
)
from advisor.cli.process import Code, say
from advisor.cli.workers import judging
from advisor.device.inputs import Inputs
from advisor.device.sources import NO_CAPTURES
from advisor.ground.bounded import STDIN, read_regular
from advisor.ground.faults import Guard
from advisor.ground.quantity import count
from advisor.ground.units import NumeralError, decimal, ratio_from_percent
from advisor.lint.change import Gate
from advisor.lint.change.compare import compared, without_folder
from advisor.lint.change.snapshot import SNAPSHOT_SCHEMA, KnownFile, Snapshot, Taken
from advisor.lint.findings import Severity
from advisor.lint.output_figures import Tolerance
from advisor.report import printable
from advisor.report.change import snapshot_of
from advisor.report.formats import COMPARISONS
from advisor.report.json_report import encoded

_SIDES: Final = 2


class StateJudge(Struct, frozen=True):
    """Options, rules in force and view, with which a command judges a state."""

    options: Diff | TakeBaseline | Trends
    force: api.InForce
    view: View


class _State(Struct, frozen=True):
    """The snapshot of a state, and its exit code without regard to findings.

    `skipped` are links, documents and binary files: their names, and where they are.
    """

    snapshot: Snapshot
    code: Code = Code.CLEAN
    skipped: tuple[tuple[str, Path], ...] = ()


def diff(options: Diff) -> Code:
    """Print what differs between two states of the devices.

    Raises
    ------
    WrongUseError
        If there are not two states to compare.
    """
    tolerance = tolerance_of(options.worse_by)
    if options.git is None and len(options.paths) != _SIDES:
        raise WrongUseError("diff: takes OLD and NEW, or --git BASE..HEAD")
    force = api.in_force(api.settings_of(flags_of(options), options.paths[-1:]))
    view, fail_on = view_of(options), force.settings.fail_on
    with _both(options, StateJudge(options, force, view)) as (old, new):
        replaced = tuple(_replaced(old, new))
        for said in replaced:
            say(printable(said))
        snapshot = replace(new.snapshot, complete=new.snapshot.complete and not replaced)
        gate = Gate(tolerance, None if fail_on == NEVER else Severity(fail_on), force.incomplete)
        comparison = compared(old.snapshot, snapshot, gate)
    show(COMPARISONS.render(comparison, view.form, render_options_of(view)), view)
    known = {wrong.source for wrong in old.snapshot.misstated}
    misstated = [wrong.said for wrong in new.snapshot.misstated if wrong.source in known]
    for said in misstated:
        say(printable(said))
    codes = {old.code, new.code}
    if Code.INTERNAL in codes:
        return Code.INTERNAL
    if misstated or Code.WRONG_USE in codes:
        return Code.WRONG_USE
    if comparison.is_worse and gate.fail_on is not None:
        return Code.FINDINGS
    is_whole = comparison.complete and Code.INCOMPLETE not in codes
    return Code.CLEAN if is_whole else Code.INCOMPLETE


def tolerance_of(text: str) -> Tolerance:
    """Read limits like `5%`, `1ms` or `5%,1ms`; what is not stated is 0.

    Raises
    ------
    WrongUseError
        If a limit is no number with one of the two units.
    """
    limits = {"%": 0.0, "ms": 0.0}
    for word in text.split(","):
        unit = next((unit for unit in limits if word.strip().endswith(unit)), None)
        try:
            if unit is None:
                raise NumeralError(word)  # noqa: TRY301 -- one message for all of them
            limits[unit] = decimal(word.strip().removesuffix(unit).strip())
            if limits[unit] < 0:
                raise NumeralError(word)  # noqa: TRY301
        except NumeralError:
            raise WrongUseError(
                printable(f"--worse-by: {word!r} is no limit; say 5%, 1ms or 5%,1ms")
            ) from None
    return Tolerance(ratio_from_percent(limits["%"]), limits["ms"])


@contextmanager
def _both(options: Diff, asked: StateJudge) -> Iterator[tuple[_State, _State]]:
    if options.git is None:
        old, new = options.paths
        if is_baseline(old):  # its files have the names that they had on the command line
            known = _State(read_baseline(Path(old), asked.force.settings))
            yield known, _taken_state((new,), asked)
        else:
            yield _below_its_folder(old, asked), _below_its_folder(new, asked)
        return
    with two_trees(options.git, options.paths) as trees:
        for line in (*trees.unread, *(() if asked.view.quiet else trees.notes)):
            say(printable(line))
        is_whole = not trees.unread
        yield (
            _of_tree(trees.old, asked, is_whole=is_whole),
            _of_tree(trees.new, asked, is_whole=is_whole),
        )


def _below_its_folder(path: str, asked: StateJudge) -> _State:
    """A state whose files have the names that they have below the folder of the path."""
    taken, folder = _taken_state((path,), asked), _folder(path)
    skipped = tuple((name.removeprefix(folder), file) for name, file in taken.skipped)
    return replace(taken, snapshot=without_folder(taken.snapshot, folder), skipped=skipped)


def _of_tree(tree: Tree, asked: StateJudge, *, is_whole: bool) -> _State:
    """A revision; its names are those of the repository. An empty one has nothing."""
    passed = tuple((name, tree.folder / name) for name in tree.passed)
    if not tree.paths:
        snapshot = Snapshot(SNAPSHOT_SCHEMA, __version__, complete=is_whole)
        return _State(snapshot, skipped=passed)
    with chdir(tree.folder):
        state = _taken_state(tree.paths, asked)
    complete = state.snapshot.complete and is_whole
    snapshot = replace(state.snapshot, complete=complete)
    return replace(state, snapshot=snapshot, skipped=state.skipped + passed)


def _taken_state(paths: Sequence[str], asked: StateJudge) -> _State:
    taken, inputs, guard = taken_of(paths, asked)
    code = exit_code(replace(taken.verdict, misstated=()), asked.force, NEVER, inputs, guard)
    skipped = tuple((name, Path(name).absolute()) for name in inputs.skipped)
    return _State(snapshot_of(taken), code, skipped)


def _replaced(old: _State, new: _State) -> Iterator[str]:
    """Say which configurations of the old state stand in a file that the new one does not read."""
    files = {known.file for known in new.snapshot.files}
    fewer = Counter(known.device for known in old.snapshot.files)
    fewer -= Counter(known.device for known in new.snapshot.files)
    before = {name for name, _ in old.skipped}
    for known in old.snapshot.files:
        if known.file in files or not fewer[known.device]:
            continue
        for name, file in new.skipped:
            if name not in before and _stands_for(name, file, known):
                yield (
                    f"{name}: is not read (a link, a document, hidden or binary), and may be "
                    f"{known.file} of {known.device}, which is gone: store it as text, or name it"
                )
                break


def _stands_for(name: str, file: Path, known: KnownFile) -> bool:
    """Whether a file has the name of a configuration, or is a document that names its device."""
    stem, own = PurePath(known.file).stem, PurePath(name).name.lstrip(".")
    if own == stem or own.startswith(f"{stem}."):
        return True
    if not name.lower().endswith(NO_CAPTURES):
        return False
    try:
        return f"hostname {known.device}".encode() in read_regular(file)
    except OSError:
        return False


def _folder(path: str) -> str:
    """The start of the names of files below a path; devices without a name have these."""
    if path == STDIN:
        return ""
    folder = path if os.path.isdir(path) else os.path.dirname(path)  # noqa: PTH112, PTH120
    return os.path.join(folder, "")  # noqa: PTH118


def taken_of(
    paths: Sequence[str], asked: StateJudge, *, says_why: bool = True
) -> tuple[Taken, Inputs, Guard]:
    """Judge a state, and say its notes and why it is not complete; else only what failed."""
    guard = Guard()
    inputs = Inputs(paths, guard, asked.force.settings.exclude)
    view = asked.view
    with judging(asked.options, view, guard, paths=paths) as run_options:
        taken = api.taken(inputs, asked.force, run_options)
    say_what_is_not_read(inputs, view if says_why else replace(view, quiet=True))
    unread = (*inputs.unreadable, *inputs.declined)
    failed = endings.report_faults(guard.faults)
    for reason in (*failed, *(taken.verdict.incomplete if says_why else ())):
        say(printable(reason))
    incomplete = (*failed, *taken.verdict.incomplete, *unread)
    return replace(taken, verdict=replace(taken.verdict, incomplete=incomplete)), inputs, guard


def baseline(options: TakeBaseline) -> Code:
    """Write the findings and the figures of today; nothing if a path cannot be read."""
    force = api.in_force(api.settings_of(flags_of(options), options.paths))
    view = view_of(options, form="json")
    taken, inputs, guard = taken_of(options.paths, StateJudge(options, force, view))
    code = exit_code(taken.verdict, force, NEVER, inputs, guard)
    if code is Code.WRONG_USE and inputs.unreadable:
        return code
    snapshot = snapshot_of(taken)
    show(encoded(snapshot), view)
    if not view.quiet and view.output is not None:
        findings = count(len(snapshot.findings), "finding")
        figures = count(len(snapshot.classes), "predicted class", "predicted classes")
        say(f"{findings} and {figures} written to {view.output}")
    say_what_is_misstated(taken.verdict)
    return code
