"""Runs of the kernel side by side: Python is free for others while one of them is under way."""

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from advisor.theory.kernel import machine

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
    """Cores that this process may use."""
    with suppress(AttributeError):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
