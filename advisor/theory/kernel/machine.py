"""The WebAssembly machines that the kernel runs in: one for each thread, of one compiled code.

The compiled code is kept in the user's cache folder (`~/.cache/ios-advisor`), by the bytes of the
kernel and the path of wasmtime. wasmtime refuses code of another version or processor; such code is
compiled and kept again. (To look up the version of wasmtime would take half as long as its import.)
In a browser, `browser.py` stands in wasmtime's place.
"""

# ruff: noqa: PLC0415 -- the import of wasmtime is half as long as that of numpy
from __future__ import annotations

import atexit
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock, local
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import astuple

from advisor.ground.assets import keep, read_kept
from advisor.theory.solution import TooLargeError

if TYPE_CHECKING:
    from wasmtime import Engine, Memory, Module

    from advisor.theory.kernel.browser import BrowserMemory

WASM = Path(__file__).with_name("kernel.wasm")
LONGER = 1.05  # numeric: times the length of the replication before
IS_BROWSER: Final = sys.platform == "emscripten"
RESERVED_BYTES = 2**26  # numeric: memory beyond it moves


class Extent(Struct, frozen=True):
    """How long an interface is run; fields in the order of `solve` in `source/run.c`.

    Each of the first `replications` warms up for `warm_ms` and measures for `measured_ms`. A step
    is a packet that comes or enters the ring. More replications, each `longer` than the last and
    with a window of three warm-ups at least, go on until the means are known to their
    targets; after `enough_steps`, to three times their targets; to `most_steps` at the latest. If
    the means of the first ones still move, those were a warm-up only, and longer ones begin.
    """

    replications: int
    warm_ms: float
    measured_ms: float
    enough_steps: int
    most_steps: int
    longer: float = LONGER


class _Machine(Struct, eq=False):
    """A kernel with a memory of its own, which one thread runs at a time."""

    store: Any  # of wasmtime; None in a browser
    memory: Memory | BrowserMemory
    functions: Mapping[str, Callable[..., Any]]
    room: int = 0  # where numbers are written
    numbers: int = 0  # for which there is memory


class _Held(local):
    """The machine of a thread: two threads would write into each other's memory."""

    machine: _Machine | None = None


_held: Final = _Held()
_FREE: Final[list[_Machine]] = []  # those of threads that have ended
_LOADING: Final = Lock()


def _machine() -> _Machine:
    if _held.machine is None:
        try:
            _held.machine = _FREE.pop()
        except IndexError:
            with _LOADING:  # the first one compiles, or reads what was compiled
                _held.machine = _new_machine()
    return _held.machine


def leave() -> None:
    """Release the machine of this thread, which ends, for another thread."""
    if _held.machine is not None:
        _FREE.append(_held.machine)
        _held.machine = None


def forget() -> None:
    """Drop all loaded machines, except those that other threads run."""
    _held.machine = None
    _FREE.clear()
    _loaded.cache_clear()


def _new_machine() -> _Machine:
    if IS_BROWSER:
        from advisor.theory.kernel.browser import instance

        return _Machine(None, *instance(WASM.read_bytes()))
    from wasmtime import WasmtimeError

    try:
        return _machine_of(*_loaded(is_small=False))
    except WasmtimeError:  # it reserves 4 GB of address space, which a limit may refuse
        return _machine_of(*_loaded(is_small=True))


@cache
def _loaded(*, is_small: bool) -> tuple[Engine, Module]:
    """The compiled kernel; small, its machines reserve memory for little, and it may move."""
    from wasmtime import Config, Engine

    atexit.register(forget)  # while wasmtime can still free its memory
    config = Config()
    if is_small:
        config.memory_reservation, config.memory_guard_size = RESERVED_BYTES, 0
    engine = Engine(config)
    return engine, _module_of(engine)


def _machine_of(engine: Engine, module: Module) -> _Machine:
    from wasmtime import Func, Instance, Memory, Store

    store = Store(engine)
    exports = dict(Instance(store, module, []).exports(store))
    memory = exports["memory"]
    assert isinstance(memory, Memory)  # noqa: S101 -- for the type checker
    functions = {name: item for name, item in exports.items() if isinstance(item, Func)}
    return _Machine(store, memory, functions)


def _module_of(engine: Engine) -> Module:
    """Load the compiled kernel, or compile it and keep it for the next run."""
    import wasmtime
    from wasmtime import Module, WasmtimeError

    source = WASM.read_bytes()
    name = f"kernel-{sha256(source + bytes(Path(wasmtime.__file__))).hexdigest()}"
    kept = read_kept(name)
    if kept is not None:
        with suppress(WasmtimeError):  # code for another processor, or for another memory
            return Module.deserialize(engine, kept)
    module = Module(engine, source)
    keep(name, bytes(module.serialize()))
    return module


def call(name: str, *arguments: float) -> int:
    """Call a function of the kernel; its number, or the place of what it has written.

    Raises
    ------
    TooLargeError
        If the kernel has no memory for the queues.
    """
    machine = _machine()
    try:
        return machine.functions[name](machine.store, *arguments) or 0
    except _trap() as error:
        _held.machine = None
        raise TooLargeError("queues: more packets than the kernel has memory for") from error


def _trap() -> type[Exception]:
    if IS_BROWSER:
        from advisor.theory.kernel.browser import Trap as BrowserTrap

        return BrowserTrap
    from wasmtime import Trap

    return Trap


def load(numbers: Sequence[float]) -> int:
    """Write numbers into the kernel's memory, in place of earlier ones; return their count."""
    count, machine = len(numbers), _machine()
    if count > machine.numbers:
        machine.room, machine.numbers = call("room", count), count
    machine.memory.write(machine.store, array("d", numbers).tobytes(), machine.room)
    return count


def read(place: int, count: int) -> Sequence[float]:
    """Copy numbers from the kernel's memory."""
    machine, out = _machine(), array("d")
    out.frombytes(machine.memory.read(machine.store, place, place + count * out.itemsize))
    return out


def run(numbers: Sequence[float], extent: Extent, results: int) -> Sequence[float]:
    """Run an interface; the first `results` numbers that the kernel writes.

    Raises
    ------
    TooLargeError
        If the kernel has no memory for the queues.
    """
    return read(call("solve", load([*astuple(extent), *numbers])), results)
