"""The WebAssembly machine that the kernel runs in; each thread loads it once.

The compiled code is kept in the user's cache folder (`~/.cache/ios-advisor`), by the bytes of the
kernel and the place of wasmtime, which itself refuses code of another version or processor: code
that it refuses is compiled and kept anew. To ask for its version takes half as long as its import.
"""

# ruff: noqa: PLC0415 -- the import of wasmtime is half as long as that of numpy
from __future__ import annotations

import atexit
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import astuple

from advisor.assets.kept import keep, read_kept
from advisor.theory.extent import TooLargeError

if TYPE_CHECKING:
    from wasmtime import Config, Engine, Func, Memory, Module, Store

WASM = Path(__file__).with_name("kernel.wasm")
RESERVED_BYTES = 2**26  # numeric: memory beyond it moves


class Extent(Struct, frozen=True):
    """How long an interface is run; fields in the order of `solve` in `source/run.c`.

    Each of the first `replications` warms up for `warm_ms` and measures for `measured_ms`. A step
    is a packet that comes or enters the ring. More replications, each a twentieth longer than the
    last and with a window of three warm-ups at least, go on until the means are known to their
    targets; after `enough_steps`, to three times their targets; to `most_steps` at the latest. If
    the means of the first ones still move, those were a warm-up only, and longer ones begin.
    """

    replications: int
    warm_ms: float
    measured_ms: float
    enough_steps: int
    most_steps: int


class _Machine(Struct, frozen=True, eq=False):
    store: Store
    memory: Memory
    functions: Mapping[str, Func]


class _Held(local):
    """The machine of a thread: two threads would write into each other's memory."""

    machine: _Machine | None = None
    room: int = 0  # where numbers are written
    numbers: int = 0  # for which there is memory

    def forget(self) -> None:
        self.machine, self.numbers = None, 0


_held = _Held()


def _machine() -> _Machine:
    if _held.machine is None:
        atexit.register(_held.forget)  # while wasmtime can still free its memory
        _held.machine = _new_machine()
    return _held.machine


def _new_machine() -> _Machine:
    from wasmtime import Config, WasmtimeError

    try:
        return _machine_of(Config())
    except WasmtimeError:  # it reserves 4 GB of address space, which a limit may refuse
        config = Config()
        config.memory_reservation, config.memory_guard_size = RESERVED_BYTES, 0
        return _machine_of(config)


def _machine_of(config: Config) -> _Machine:
    from wasmtime import Engine, Func, Instance, Memory, Store

    store = Store(Engine(config))
    module = _module_of(store.engine)
    exports = dict(Instance(store, module, []).exports(store))
    memory = exports["memory"]
    assert isinstance(memory, Memory)  # noqa: S101 -- for the type checker
    functions = {name: each for name, each in exports.items() if isinstance(each, Func)}
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
    from wasmtime import Trap

    machine = _machine()
    try:
        return machine.functions[name](machine.store, *arguments) or 0
    except Trap as error:
        _held.forget()
        raise TooLargeError("queues: more packets than the kernel has memory for") from error


def load(numbers: Sequence[float]) -> int:
    """Write numbers into the kernel's memory, where nothing else is then; how many they are."""
    count = len(numbers)
    if count > _held.numbers:
        _held.room, _held.numbers = call("room", count), count
    machine = _machine()
    machine.memory.write(machine.store, array("d", numbers).tobytes(), _held.room)
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
