"""The fuzz repeats itself, survives its workers, and makes what fails small."""

import sys

import pytest

from tests.fuzz.absurd import SECRET
from tests.fuzz.case import Case, make_case
from tests.fuzz.execution import Outcome, fault_of
from tests.fuzz.oracles import Fault
from tests.fuzz.pool import Pool
from tests.fuzz.report import Tally
from tests.fuzz.shrink import shrunk
from tests.fuzz.worker import Answer, Task

GROUP = ("ValueError", "advisor/x.py:1 in f")


def test_a_case_is_made_of_its_seed_and_index_alone() -> None:
    cases = [[make_case(3, index) for index in order] for order in (range(40), range(39, -1, -1))]
    assert cases[0] == cases[1][::-1]
    assert len({str(case) for case in cases[0]}) > 30


def outcome_where(case: Case, *, fails: bool) -> Outcome:
    faults = (Fault("read config", *GROUP, ""),) if fails else ()
    return Outcome(case.index, case.kind, faults, (), (), 0.0)


def test_what_fails_is_made_small() -> None:
    text = "".join(f"line {number}\n" for number in range(100))
    case = Case(1, 2, "config", "a", {"a": text.encode(), "b": b""}, ("config", "show"), ())

    def run(tried: Case) -> Outcome:
        fails = "config" in tried.readers and b"77" in tried.files["a"]
        return outcome_where(tried, fails=fails)

    small = shrunk(case, GROUP, run)
    assert (small.files, small.readers) == ({"a": b"77"}, ("config",))


def test_the_words_before_a_secret_are_not_shrunk_away() -> None:
    line = f"enable secret 0 {SECRET}\n".encode()
    case = Case(1, 2, "config", "a", {"a": b"version 12.4\n" + line}, ("redact",), ())

    def run(tried: Case) -> Outcome:
        return outcome_where(tried, fails=SECRET.encode() in tried.files["a"])

    assert shrunk(case, GROUP, run).files == {"a": line}


def kinds_of_faults(pool: Pool) -> list[list[str]]:
    outcomes = [answer.outcome for _, answer in pool.answers()]
    return [[fault.kind for fault in outcome.faults] for outcome in outcomes if outcome]


def test_a_worker_that_does_not_answer_costs_its_input_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.fuzz.pool._TICK_S", 0.0)  # looked at before it can have answered
    pool = Pool([Task(1, 0), Task(1, 1)], jobs=2, wall_s=0.0)
    assert kinds_of_faults(pool) == [["hang"], ["hang"]]


def test_a_worker_that_dies_costs_its_input_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    pool = Pool([Task(1, 0), Task(1, 1)], jobs=1)
    assert kinds_of_faults(pool) == [["worker died"], ["worker died"]]


def test_an_error_is_known_by_its_kind_and_the_last_line_of_ours() -> None:
    try:
        int("x")
    except ValueError as error:
        fault = fault_of("read config", error)
    assert (fault.kind, fault.place) == ("ValueError", "outside")


def test_faults_of_one_cause_are_counted_together() -> None:
    case = Case(1, 2, "config", "a", {}, (), ())
    tally = Tally()
    for index in range(3):
        tally.add(Task(1, index), Answer(outcome_where(case, fails=True)))
    tally.add(Task(1, 3), Answer())
    assert (tally.inputs, tally.skipped, len(tally.causes)) == (3, 1, 1)
    assert tally.first_tasks() == [Task(1, 0, GROUP)]
    assert any(line.startswith("1 skipped") for line in tally.lines(1, 1.0))
