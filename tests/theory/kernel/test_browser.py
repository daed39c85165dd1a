"""The kernel in a browser: the objects of JavaScript are played by wasmtime, the digits are its own."""

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import wasmtime

from advisor.model import Framing, Interface, Periodic, Queue, QueueKind, SizeMix, Traffic, TxRing
from advisor.theory.flows import flows_of
from advisor.theory.kernel import machine
from advisor.theory.kernel.machine import Extent
from advisor.theory.kernel.threads import Measured, cores, measure
from advisor.theory.solution import TooLargeError

STORES: list[wasmtime.Store] = []  # that of a test; none is left at the end of Python
MODULE = "advisor.theory.kernel.browser"


class Uint8Array:
    """A view of a memory from a place, or bytes of its own."""

    def __init__(self, buffer: Any, place: int = 0, length: int = 0) -> None:
        self.memory, self.place, self.length = buffer, place, length
        self.own = bytearray(buffer) if isinstance(buffer, int) else None

    new = classmethod(lambda kind, *arguments: kind(*arguments))

    def assign(self, content: bytes) -> None:
        if self.own is not None:
            self.own[:] = content
            return
        self.memory.write(STORES[-1], content, self.place)

    def to_bytes(self) -> bytes:
        return bytes(self.memory.read(STORES[-1], self.place, self.place + self.length))


def module_of(code: Uint8Array) -> wasmtime.Module:
    return wasmtime.Module(STORES[-1].engine, bytes(code.own or b""))


def instance_of(module: wasmtime.Module) -> SimpleNamespace:
    exports = dict(wasmtime.Instance(STORES[-1], module, []).exports(STORES[-1]))
    functions = {
        name: (lambda *given, of=item: of(STORES[-1], *given))
        for name, item in exports.items()
        if isinstance(item, wasmtime.Func)
    }
    memory = SimpleNamespace(buffer=exports["memory"])
    return SimpleNamespace(exports=SimpleNamespace(memory=memory, **functions))


@pytest.fixture
def in_a_browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    js, ffi = ModuleType("js"), ModuleType("pyodide.ffi")
    vars(js).update(
        Uint8Array=Uint8Array,
        Object=SimpleNamespace(keys=lambda exports: list(vars(exports))),
        WebAssembly=SimpleNamespace(
            Module=SimpleNamespace(new=module_of), Instance=SimpleNamespace(new=instance_of)
        ),
    )
    vars(ffi).update(JsException=wasmtime.Trap)
    monkeypatch.setitem(sys.modules, "js", js)
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    monkeypatch.setattr(machine, "IS_BROWSER", True)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)  # what a search for doctests left of it
    machine.forget()
    STORES.append(wasmtime.Store())
    yield
    machine.forget()
    STORES.clear()
    sys.modules.pop(MODULE, None)


def measured(limit: int = 100) -> tuple[Measured, ...]:
    queue = Queue("data", QueueKind.BANDWIDTH, 100.0, limit)
    calls = Traffic("data", "data", Periodic(200.0), SizeMix(((100, 1.0),)))
    of = Interface(8000.0, Framing(0), TxRing(1), (queue,), (calls,))
    extent = Extent(4, 2_000.0, 8_000.0, 40_000, 40_000)
    return measure(of, flows_of(of), extent, [0.01], {})


def test_it_gives_the_digits_of_wasmtime(request: pytest.FixtureRequest) -> None:
    known = measured()
    request.getfixturevalue("in_a_browser")
    assert measured() == known


@pytest.mark.usefixtures("in_a_browser")
def test_a_trap_is_the_error_of_too_large_queues() -> None:
    with pytest.raises(TooLargeError, match="more packets than the kernel has memory for"):
        measured(2**30)


@pytest.mark.usefixtures("in_a_browser")
def test_python_has_no_threads_there() -> None:
    assert cores() == 1
