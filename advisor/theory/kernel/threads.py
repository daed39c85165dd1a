"""Runs of the kernel side by side, and what they have measured of every flow."""

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from msgspec import Struct

from advisor.model import Interface
from advisor.theory.flows import Flow
from advisor.theory.kernel import machine
from advisor.theory.kernel.layout import Start, numbers_of
from advisor.theory.kernel.machine import Extent, run

# Runs of the kernel side by side: Python is free for others while one of them is under way.

A = TypeVar("A")
B = TypeVar("B")


def together(function: Callable[[A], B], items: Sequence[A]) -> tuple[B, ...]:
    """Answers of a function that runs the kernel, in the order of the items.

    The answers do not depend on the number of cores, which is that of the threads at most.

    Raises
    ------
    Exception
        What the function raises for the first of the items that it fails for.
    """
    waiting = deque(enumerate(items))
    answers: dict[int, B] = {}
    faults: dict[int, Exception] = {}

    def answer_all() -> None:
        while waiting and not faults:
            try:
                number, item = waiting.popleft()
            except IndexError:  # another thread was sooner
                return
            try:
                answers[number] = function(item)
            except Exception as fault:  # noqa: BLE001 -- raised again where it is waited for
                faults[number] = fault
            except BaseException:  # Ctrl-C, in the main thread: the others are not waited for
                waiting.clear()
                raise

    def answer_and_leave() -> None:
        answer_all()
        machine.leave()

    count = min(cores(), len(items)) - 1
    threads = [Thread(target=answer_and_leave, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    answer_all()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[min(faults)]
    return tuple(answers[number] for number in range(len(items)))


def cores() -> int:
    """Cores that this process may use; a browser has no threads for Python."""
    if machine.IS_BROWSER:
        return 1
    with suppress(AttributeError):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# Measurements of every flow by the kernel.


class Measured(Struct, frozen=True):
    """Delays of the packets of a flow that were sent; fields in the order of `results_write`.

    `deviation_ms` is the standard error of the mean over independent replications. `early_ms` and
    `late_ms` are the means of the halves of the measured time. Percentiles have the ends of their
    sampling error, 95 % of Student's law over groups of replications; ipdv has a standard error.
    """

    packets: float
    mean_ms: float
    deviation_ms: float
    early_ms: float
    late_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    p50_low_ms: float
    p50_high_ms: float
    p95_low_ms: float
    p95_high_ms: float
    p99_low_ms: float
    p99_high_ms: float
    longest_ms: float
    ipdv_ms: float
    ipdv_deviation_ms: float
    pairs: float
    offered: float
    policed: float
    tail_dropped: float
    loss_ratio: float  # part of the packets that were dropped when they came
    unsent_ratio: float  # part of them that was not sent
    carried: float  # part of the time that the wire sends the flow
    replications: float


_FIELDS = len(Measured.__struct_fields__)


def measure(
    interface: Interface,
    flows: Sequence[Flow],
    extent: Extent,
    targets: Sequence[float],
    starts: Mapping[str, Start],
) -> tuple[Measured, ...]:
    """Run an interface; one row for each flow.

    Raises
    ------
    TooLargeError
        If the kernel has no memory for the queues.
    """
    numbers = run(numbers_of(interface, flows, targets, starts), extent, _FIELDS * len(flows))
    return tuple(
        Measured(*numbers[begin : begin + _FIELDS]) for begin in range(0, len(numbers), _FIELDS)
    )
