"""What `diff` and `baseline` do."""

import os
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor import __version__
from advisor.bounded import STDIN
from advisor.cli import crash
from advisor.cli.baseline_file import is_baseline, read_baseline
from advisor.cli.crew import Execution, crew_of
from advisor.cli.errors import Code, say
from advisor.cli.exit_code import NEVER
from advisor.cli.git_tree import Tree, two_trees
from advisor.cli.judge_jobs import exit_code, say_what_is_misstated
from advisor.cli.manner import manner_of
from advisor.cli.output import say_what_is_not_read, show
from advisor.cli.progress import bar_of
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.device.inputs import Inputs, first_folder
from advisor.faults import Guard
from advisor.lint.cards import Rule
from advisor.lint.change.changes import Gate
from advisor.lint.change.compare import compared, without_folder
from advisor.lint.change.snapshot import SNAPSHOT_SCHEMA, Snapshot, Taken, take
from advisor.lint.findings import Severity
from advisor.lint.moved import Tolerance
from advisor.lint.rulebook import resolved, rules_of
from advisor.quantity import count
from advisor.report.change import snapshot_of
from advisor.report.formats import COMPARISONS
from advisor.report.json_report import encoded
from advisor.report.printable import printable
from advisor.settings.load import load_settings
from advisor.settings.values import Flags, Settings
from advisor.units import NumeralError, decimal, ratio_from_percent

_SIDES: Final = 2


class States(Struct, frozen=True):
    """What the command line compares, two paths or paths at two revisions, and tolerates."""

    paths: tuple[str, ...]
    git: str | None = None
    worse_by: str = ""


class _Judging(Struct, frozen=True):
    """Rules and settings for both states, and how they are judged."""

    rules: Sequence[Rule]
    settings: Settings
    view: View
    execution: Execution


class _State(Struct, frozen=True):
    """A state, and the exit code that it would have where no finding failed it."""

    snapshot: Snapshot
    code: Code = Code.CLEAN


def diff(states: States, flags: Flags, view: View, execution: Execution) -> Code:
    """Print what differs between two states.

    Raises
    ------
    WrongUseError
        If there are not two states to compare.
    """
    tolerance = tolerance_of(states.worse_by)
    if states.git is None and len(states.paths) != _SIDES:
        raise WrongUseError("diff: takes OLD and NEW, or --git BASE..HEAD")
    start = first_folder(states.paths[-1:])
    settings = load_settings(start, flags)
    rules = rules_of(settings)
    judging = _Judging(rules, resolved(rules, settings), view, execution)
    with _both(states, judging) as (old, new):
        gate = Gate(
            tolerance,
            None if settings.fail_on == NEVER else Severity(settings.fail_on),
            tuple(rule.card.id for rule in rules if rule.card.incomplete),
        )
        comparison = compared(old.snapshot, new.snapshot, gate)
    show(COMPARISONS.render(comparison, view.form, manner_of(view)), view)
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
def _both(states: States, judging: _Judging) -> Iterator[tuple[_State, _State]]:
    if states.git is None:
        old, new = states.paths
        if is_baseline(old):  # its files have the names that they had on the command line
            known = _State(read_baseline(Path(old), judging.settings))
            yield known, _taken_state((new,), judging)
        else:
            yield _below_its_folder(old, judging), _below_its_folder(new, judging)
        return
    with two_trees(states.git, states.paths) as trees:
        for line in (*trees.unread, *(() if judging.view.quiet else trees.notes)):
            say(printable(line))
        is_whole = not trees.unread
        yield (
            _of_tree(trees.old, judging, is_whole=is_whole),
            _of_tree(trees.new, judging, is_whole=is_whole),
        )


def _below_its_folder(path: str, judging: _Judging) -> _State:
    """A state whose files have the names that they have below the folder of the path."""
    taken = _taken_state((path,), judging)
    return replace(taken, snapshot=without_folder(taken.snapshot, _folder(path)))


def _of_tree(tree: Tree, judging: _Judging, *, is_whole: bool) -> _State:
    """A revision; its names are those of the repository. An empty one has nothing."""
    if not tree.paths:
        return _State(Snapshot(SNAPSHOT_SCHEMA, __version__, complete=is_whole))
    with chdir(tree.folder):
        state = _taken_state(tree.paths, judging)
    complete = state.snapshot.complete and is_whole
    return replace(state, snapshot=replace(state.snapshot, complete=complete))


def _taken_state(paths: Sequence[str], judging: _Judging) -> _State:
    taken, inputs, guard = _taken(paths, judging)
    code = exit_code(replace(taken.verdict, misstated=()), judging.rules, NEVER, inputs, guard)
    return _State(snapshot_of(taken), code)


def _folder(path: str) -> str:
    """The start of the names of files below a path; devices without a name have these."""
    if path == STDIN:
        return ""
    folder = path if os.path.isdir(path) else os.path.dirname(path)  # noqa: PTH112, PTH120
    return os.path.join(folder, "")  # noqa: PTH118


def _taken(paths: Sequence[str], judging: _Judging) -> tuple[Taken, Inputs, Guard]:
    guard = Guard()
    inputs = Inputs(paths, guard)
    view = judging.view
    with crew_of(judging.execution, paths) as run, bar_of(view) as bar:
        taken = take(inputs, judging.rules, judging.settings, guard, run=run, tell=bar)
    say_what_is_not_read(inputs, view)
    unread = (*inputs.unreadable, *inputs.declined)
    failed = crash.reasons(guard.faults)
    for reason in (*failed, *taken.verdict.incomplete):
        say(printable(reason))
    incomplete = (*failed, *taken.verdict.incomplete, *unread)
    return replace(taken, verdict=replace(taken.verdict, incomplete=incomplete)), inputs, guard


def baseline(paths: Sequence[str], flags: Flags, view: View, execution: Execution) -> Code:
    """Write the findings and the figures of today."""
    settings = load_settings(first_folder(paths), flags)
    rules = rules_of(settings)
    judging = _Judging(rules, resolved(rules, settings), view, execution)
    taken, inputs, guard = _taken(paths, judging)
    snapshot = snapshot_of(taken)
    show(encoded(snapshot), view)
    if not view.quiet and view.output is not None:
        findings = count(len(snapshot.findings), "finding")
        figures = count(len(snapshot.classes), "predicted class", "predicted classes")
        say(f"{findings} and {figures} written to {view.output}")
    say_what_is_misstated(taken.verdict)
    return exit_code(taken.verdict, rules, NEVER, inputs, guard)
