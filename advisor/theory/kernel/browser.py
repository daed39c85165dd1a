"""The kernel in the WebAssembly of a browser, in wasmtime's place: the same bytes, the same digits.

Python itself runs there as WebAssembly (Pyodide), so the browser compiles the kernel beside it.
What `machine.py` asks of wasmtime is here: a memory, functions by name, and what a trap raises.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final

from msgspec import Struct

_JS: Final[Any] = import_module("js")  # of Pyodide; no other Python has it
Trap: Final[type[Exception]] = import_module("pyodide.ffi").JsException


class BrowserMemory(Struct, frozen=True, eq=False):
    """The memory of an instance; a view of it is made anew each time, because growing ends it."""

    memory: Any

    def write(self, _: object, numbers: bytes, place: int) -> None:
        """Write bytes at a place."""
        _JS.Uint8Array.new(self.memory.buffer, place, len(numbers)).assign(numbers)

    def read(self, _: object, begin: int, end: int) -> bytes:
        """Copy bytes from one place to another."""
        return bytes(_JS.Uint8Array.new(self.memory.buffer, begin, end - begin).to_bytes())


def instance(source: bytes) -> tuple[BrowserMemory, Mapping[str, Callable[..., int | None]]]:
    """Compile the kernel; its memory and its functions, which take the memory's owner first."""
    code = _JS.Uint8Array.new(len(source))
    code.assign(source)
    exports = _JS.WebAssembly.Instance.new(_JS.WebAssembly.Module.new(code)).exports
    names = (name for name in _JS.Object.keys(exports) if name != "memory")
    return BrowserMemory(exports.memory), {
        name: partial(_called, getattr(exports, name)) for name in names
    }


def _called(function: Any, _: object, *arguments: float) -> int | None:  # noqa: ANN401 -- of JavaScript
    found: int | None = function(*arguments)
    return found
