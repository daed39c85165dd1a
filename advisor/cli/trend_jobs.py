"""Job of `trends`: the states of devices over days, from dated folders or from git."""

import re
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from datetime import date
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from advisor import api
from advisor.cli.diff_jobs import StateJudge, taken_of
from advisor.cli.endings import NEVER, WrongUseError
from advisor.cli.git_tree import newest_of_days, one_tree, repository_named
from advisor.cli.lint_jobs import exit_code
from advisor.cli.lint_options import Trends
from advisor.cli.options import (
    flags_of,
    render_options_of,
    show,
    view_of,
)
from advisor.cli.process import Code, say
from advisor.lint.change.snapshot import Snapshot
from advisor.report import printable
from advisor.report.change import snapshot_of
from advisor.report.formats import TRENDS
from advisor.report.trends import TrendPoint, trend_points

_DATED: Final = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?!\d)")


def trends(options: Trends) -> Code:
    """Print findings and the longest delay of each device, day by day.

    Raises
    ------
    WrongUseError
        If no folder has a date for its name, or the repository cannot be read.
    """
    view = view_of(options)
    if view.output is not None:
        view = replace(view, output=view.output.absolute())
    force = api.in_force(api.settings_of(flags_of(options)))
    asked = StateJudge(options, force, view)
    states = _of_folders(options) if options.git is None else _of_git(options)
    points: list[TrendPoint] = []
    codes = {Code.CLEAN}
    for day, paths, folder in states:
        with chdir(folder):
            snapshot, code = _state(paths, asked)
        points += trend_points(day, snapshot)
        codes.add(code)
    show(TRENDS.render(points, view.form, render_options_of(view)), view)
    return next(code for code in _WORST_FIRST if code in codes)


_WORST_FIRST: Final = (Code.INTERNAL, Code.WRONG_USE, Code.INCOMPLETE, Code.CLEAN)


def _of_folders(options: Trends) -> Iterator[tuple[date, tuple[str, ...], Path]]:
    if len(options.paths) != 1:
        raise WrongUseError("trends: takes one folder of folders like 2026-11-30, or --git")
    top = Path(options.paths[0])
    if not top.is_dir():
        raise WrongUseError(printable(f"{top}: is no folder"))
    dated = [
        (day, path.absolute())
        for path in top.iterdir()
        if path.is_dir() and (day := _day(path.name)) is not None
    ]
    if not dated:
        raise WrongUseError(printable(f"{top}: holds no folder named by a day, like 2026-11-30"))
    newest = {day: path for day, path in sorted(dated)}  # noqa: C416 -- one of a day
    for day in sorted(newest)[-options.days :]:
        yield day, (".",), newest[day]


def _day(name: str) -> date | None:
    found = _DATED.match(name)
    try:
        return None if found is None else date(*map(int, found.groups()))
    except ValueError:
        return None


def _of_git(options: Trends) -> Iterator[tuple[date, tuple[str, ...], Path]]:
    with _history(options) as days:
        for number, (day, commit) in enumerate(days):
            # a repository is open for so many seconds: each day has its own
            with (
                repository_named(options.git or "") as (repository, _),
                one_tree(repository, commit, options.paths) as read,
            ):
                for line in (*read.unread, *(read.notes if number == 0 else ())):
                    say(printable(line))
                yield day, read.tree.paths, read.tree.folder


@contextmanager
def _history(options: Trends) -> Iterator[list[tuple[date, str]]]:
    with repository_named(options.git or "") as (repository, revision):
        newest = newest_of_days(repository.history(revision), options.days)
    yield [(day, found.commit) for day, found in newest]


def _state(paths: Sequence[str], asked: StateJudge) -> tuple[Snapshot, Code]:
    taken, inputs, guard = taken_of(paths, asked, says_why=False)
    verdict = replace(taken.verdict, misstated=())
    code = exit_code(verdict, asked.force, NEVER, inputs, guard)
    return snapshot_of(replace(taken, verdict=verdict)), code
