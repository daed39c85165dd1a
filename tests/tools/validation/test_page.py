"""The model keeps its goals on the project's own scenarios, and the page says what is true."""

import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import median

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.support.outside import needs
from tools.validation import __main__ as validation
from tools.validation.__main__ import (
    PAGE,
    TUNING,
    evidence,
    ip_sla_runs,
    own_rows,
    scenarios_named,
    wred_rows,
)
from tools.validation.errors import (
    GOALS,
    INTERVALS,
    Compared,
    Goal,
    bound_ratios,
    inside_share,
    reached,
)
from tools.validation.ip_sla import Run
from tools.validation.kept import computed, kept, model_of
from tools.validation.page import Evidence
from tools.validation.set_page import Sets
from tools.validation.wred_errors import wred_goals

pytestmark = pytest.mark.slow


RUNS = [scenario.id for scenario in scenarios_named("ip_sla")]
FIXED, VARIABLE = RUNS[::2], RUNS[1::2]


@pytest.fixture
def run(name: str) -> Run:
    return next(run for run in ip_sla_runs() if run.measured.scenario == name)


@pytest.fixture(scope="module")
def rows() -> list[Compared]:
    return own_rows()


@pytest.mark.parametrize("goal", [pytest.param(goal, id=goal.title) for goal in GOALS])
def test_the_goal_is_reached_on_the_reference_scenarios(rows: list[Compared], goal: Goal) -> None:
    found = reached(goal, rows)
    assert found is not None
    assert found.holds, found


def test_no_bound_is_broken(rows: list[Compared]) -> None:
    assert [row.name for row in rows if row.breaks_bound] == []


def test_bounds_of_the_llq_are_close(rows: list[Compared]) -> None:
    assert median(bound_ratios(rows)) <= INTERVALS[False].bound_ratio


def test_true_means_lie_within_low_and_high(rows: list[Compared]) -> None:
    assert inside_share(rows) >= INTERVALS[False].inside


def test_there_are_scenarios_of_every_kind(rows: list[Compared]) -> None:
    assert {row.family for row in rows} == {f"D{kind}" for kind in range(1, 14)}


@pytest.mark.parametrize("name", RUNS)
def test_the_average_round_trip_is_within_10_percent_or_5_ms(run: Run) -> None:
    off_ms = abs(run.rtt_ms - run.measured.rtt.avg_ms)
    assert off_ms <= 5.05 or abs(run.rtt_error) <= 0.10  # averages are printed in whole ms


@pytest.mark.parametrize("name", FIXED)
def test_the_longest_round_trip_of_fixed_packets_is_the_bound(run: Run) -> None:
    assert run.rtt_bound_ms == pytest.approx(run.measured.rtt.max_ms, abs=1.5)


@pytest.mark.parametrize("name", VARIABLE[1:])  # ring 1 at 128 kb/s: the page says the miss
def test_mean_jitter_of_variable_packets_is_within_25_percent(run: Run) -> None:
    assert abs(run.jitter_error) <= 0.25


@pytest.mark.parametrize("name", VARIABLE)
def test_no_round_trip_of_variable_packets_is_longer_than_the_bound(run: Run) -> None:
    assert run.measured.rtt.max_ms <= run.rtt_bound_ms


def test_the_goals_are_reached_on_the_wred_scenarios() -> None:
    assert [goal.said for goal in wred_goals(wred_rows()) if not goal.holds] == []


def no_history() -> str:
    raise OSError("no history")


@cache
def computed_once() -> Evidence:
    """What the page shows, with the scenarios outside where they are here."""
    return evidence()


def without_outside(shown: Evidence) -> Evidence:
    none = Sets(wide=None, random=None, seed=None)
    return replace(shown, tuning=None, sets=none, wred=replace(shown.wred, tuning=None))


@pytest.fixture
def check(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str]]:
    """Checks a copy of both pages, changed or not, with or without the scenarios outside."""

    def run(*, change: tuple[str, str] = ("", ""), outside: bool = False) -> tuple[int, str]:
        page = tmp_path / "docs/validation.md"
        shutil.copytree(PAGE.with_suffix(""), page.with_suffix(""))
        texts = {name: PAGE.with_name(name).read_text("utf-8") for name in (PAGE.name, "seeds.md")}
        assert any(change[0] in text for text in texts.values())
        for name, text in texts.items():
            page.with_name(name).write_text(text.replace(*change, 1), "utf-8")
        monkeypatch.setattr(validation, "PAGE", page)
        # what was drawn for another model may lie about: the page keeps what it was written with
        monkeypatch.setattr(validation, "model_seed", no_history)
        shown = computed_once()
        if not outside:
            shown = without_outside(shown)
            none = tmp_path / "none.json"
            monkeypatch.setattr(validation, "TUNING", none)
            monkeypatch.setattr(validation, "WRED_TUNING", none)
            monkeypatch.setattr(validation, "files_of", lambda _: (none, none))
        monkeypatch.setattr(validation, "evidence", lambda: shown)
        monkeypatch.setattr(sys, "argv", ["validation", "--check"])
        return validation.main(), capsys.readouterr().err

    return run


def test_the_page_and_its_plots_are_up_to_date(check: Callable[..., tuple[int, str]]) -> None:
    code, said = check()
    assert code == 0, said


def test_what_cannot_be_computed_is_named(check: Callable[..., tuple[int, str]]) -> None:
    _, said = check()
    assert [line.partition(": ")[2] for line in said.splitlines()] == [
        "tuning scenarios: not computed here",
        "WRED tuning scenarios: not computed here",
        "wide scenarios: not computed here",
        "WRED wide scenarios: not computed here",
    ]


@needs(TUNING)
def test_the_sections_of_scenarios_outside_are_up_to_date(
    check: Callable[..., tuple[int, str]],
) -> None:
    assert check(outside=True) == (0, "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(("| D1-a voice | 54.3", "| D1-a voice | 54.4"), "is out of date", id="own"),
        pytest.param(("| C15 |", "| C51 |"), "is out of date", id="a claim"),
        pytest.param(("| D1-02 voice | 35.7", "| D1-02 voice | 35.8"), "was edited", id="tuning"),
        pytest.param(("| W4-05 x | 39.3", "| W4-05 x | 39.4"), "was edited", id="WRED tuning"),
        pytest.param(("<!-- tuning begins -->\n", ""), "is missing", id="a section that is gone"),
        pytest.param(
            ("tuning ends; model ", "tuning ends; model 0"), "is out of date", id="an older model"
        ),
    ],
)
def test_a_changed_figure_fails_the_check(
    check: Callable[..., tuple[int, str]], change: tuple[str, str], said: str
) -> None:
    code, error = check(change=change)
    assert code in {1, 2}
    assert said in error


@needs(TUNING)
def test_a_changed_figure_of_the_tuning_scenarios_fails_where_they_are_here(
    check: Callable[..., tuple[int, str]],
) -> None:
    code, error = check(change=("| D1-02 voice | 35.7", "| D1-02 voice | 35.8"), outside=True)
    assert (code, "is out of date" in error) == (1, True)


class Answer(Struct, frozen=True):
    mean_ms: float | None
    source: str = "bandwidth"


MODEL = model_of([Answer(12.5)])
SECTION = computed("x", "| a | 1 |", MODEL)


@pytest.mark.parametrize(
    ("answer", "same"),
    [
        pytest.param(Answer(12.5, source="in other words"), True, id="words do not count"),
        pytest.param(Answer(12.5 + 1e-9), True, id="nor does the ninth digit"),
        pytest.param(Answer(12.501), False, id="a number does"),
        pytest.param(Answer(None), False, id="so does one that is no longer known"),
    ],
)
def test_a_model_is_known_by_its_numbers(answer: Answer, *, same: bool) -> None:
    assert (model_of([answer]) == MODEL) is same


def test_a_section_that_is_kept_says_when_the_model_is_another() -> None:
    assert kept("x", SECTION, MODEL) == SECTION
    older = kept("x", SECTION, model_of([Answer(13.0)]))
    assert older.startswith("**The figures are those of an older model**")
    assert kept("x", older, MODEL) == SECTION
