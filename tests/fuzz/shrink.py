"""Makes a failing case small: one target, then fewer lines, then fewer characters."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from tests.fuzz.absurd import SECRET
from tests.fuzz.case import Case
from tests.fuzz.execution import Outcome

BUDGET_S: Final = 20.0
_FEW_BYTES: Final = 4000
Run = Callable[[Case], Outcome]


def shrunk(case: Case, group: tuple[str, str], run: Run, budget_s: float = BUDGET_S) -> Case:
    """The smallest case found in the time given that still shows a fault of the group."""
    deadline = time.monotonic() + budget_s

    def fails(candidate: Case) -> bool:
        if time.monotonic() > deadline:
            return False
        return any((fault.kind, fault.place) == group for fault in run(candidate).faults)

    for candidate in _of_one_target(case):
        if fails(candidate):
            case = candidate
            break
    case = _fewer_files(case, fails)
    payload = case.files[case.main]

    def is_enough(pieces: Sequence[bytes]) -> bool:
        return fails(_with(case, b"".join(pieces)))

    lines = _fewer(payload.splitlines(keepends=True), is_enough)
    payload = b"".join(lines)
    if len(payload) <= _FEW_BYTES:
        payload = b"".join(_fewer(_small_pieces(lines), is_enough))
    return _with(case, payload)


def _small_pieces(lines: Sequence[bytes]) -> list[bytes]:
    """Characters; a line with the secret stays whole, as its words say that it is one."""
    secret, pieces = SECRET.encode("ascii"), []
    for line in lines:
        if secret in line.replace(b"\0", b""):
            pieces.append(line)
        else:
            pieces += [line[place : place + 1] for place in range(len(line))]
    return pieces


def _of_one_target(case: Case) -> list[Case]:
    alone = [replace(case, readers=(), calls=(call,)) for call in case.calls]
    return [*(replace(case, readers=(name,), calls=()) for name in case.readers), *alone]


def _fewer_files(case: Case, fails: Callable[[Case], bool]) -> Case:
    for name in sorted(case.files):
        if name != case.main:
            left = {key: payload for key, payload in case.files.items() if key != name}
            candidate = replace(case, files=left)
            if fails(candidate):
                case = candidate
    return case


def _with(case: Case, payload: bytes) -> Case:
    return replace(case, files={**case.files, case.main: payload})


def _fewer(pieces: list[bytes], is_enough: Callable[[Sequence[bytes]], bool]) -> list[bytes]:
    """Leave out ever smaller runs of pieces while the rest is enough (delta debugging)."""
    size = max(1, len(pieces) // 2)
    while pieces:
        start, is_changed = 0, False
        while start < len(pieces):
            rest = pieces[:start] + pieces[start + size :]
            if is_enough(rest):
                pieces, is_changed = rest, True
            else:
                start += size
        if size == 1 and not is_changed:
            break
        size = max(1, size // 2)
    return pieces
