"""Interfaces that are solved side by side have the answers that each has alone."""

from threading import Thread

import pytest
from msgspec.structs import replace

from advisor.model import (
    Framing,
    Interface,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.kernel import machine, threads
from advisor.theory.solution import ModelError
from advisor.theory.solver import solve, solve_all

CALL = Traffic("llq", "llq", Periodic(50.0), SizeMix(((60, 1.0),)))
DATA = Traffic("data", "data", Poisson(20.0), SizeMix(((700, 1.0),)))
LINK = Interface(
    256e3,
    Framing(7),
    TxRing(2),
    (Queue("llq", QueueKind.PRIORITY), Queue("data", QueueKind.BANDWIDTH, 100.0)),
    (CALL, DATA),
)
LINKS = tuple(replace(LINK, rate_bps=rate_kbps * 1e3) for rate_kbps in range(256, 272))
LOST = replace(LINK, traffic=(replace(DATA, queue="nowhere"),))


@pytest.fixture(params=[1, 2, 7])
def count(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(threads, "cores", lambda: request.param)
    return int(request.param)


def test_answers_do_not_depend_on_the_number_of_cores(count: int) -> None:
    assert solve_all(LINKS) == tuple(map(solve, LINKS)), count


def test_no_interfaces_have_no_answers(count: int) -> None:
    assert solve_all(()) == (), count


def test_the_first_fault_is_told(count: int) -> None:
    with pytest.raises(ModelError, match="nowhere"):
        solve_all((*LINKS[:3], LOST, *LINKS[3:], replace(LOST, traffic=(DATA, CALL, DATA))))
    assert solve_all(LINKS[:4]) == tuple(map(solve, LINKS[:4])), count


def test_a_machine_of_a_thread_that_ended_is_used_again() -> None:
    def work() -> None:
        solve(LINK)
        machine.leave()

    machine.forget()
    for _ in range(3):
        thread = Thread(target=work)
        thread.start()
        thread.join()

    assert len(machine._FREE) == 1
