"""Errors that a user can do something about, and defects, kept to where they show.

One guard stands around a device and the rules that judge it, another around the command. Nothing
else catches what it does not name.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import ClassVar, Final

from msgspec import Struct, field
from msgspec.structs import replace

_MOST_CAUSES: Final = 5
_MOST_TRACED: Final = 20  # faults of a run whose way is kept; of the others the kind
_MOST_FRAMES: Final = 30  # of an endless recursion the ends tell all


class AdvisorError(Exception):
    """Something that the user can do something about: a file, a flag, a setting, a device.

    The message says what is wrong, where, and what to do. Where nobody catches it, the command ends
    with this message as wrong use; `is_incomplete` where nothing is wrong but what was to be read.
    """

    is_incomplete: ClassVar[bool] = False


class ForeignError(Exception):
    """Code that the user brought, like the check of an own rule, failed.

    `place` is its file and line, `kind` the name of the error.
    """

    def __init__(self, place: str, kind: str) -> None:
        super().__init__(f"{kind} at {place}")


class Fault(Struct, frozen=True):
    """A defect that showed while `subject`, a file or a device, was read or judged.

    `rule` is the id of the rule that failed, None where it was none. `trace` is the way to the
    fault: lines of the program, neither messages nor values. `is_foreign` tells a defect of code
    that the user brought; `kind` then has its place.
    """

    subject: str
    rule: str | None
    kind: str
    trace: tuple[str, ...] = ()
    is_foreign: bool = False

    def __str__(self) -> str:
        where = self.subject if self.rule is None else f"{self.subject}: rule {self.rule}"
        if self.is_foreign:
            return f"{where}: its check failed ({self.kind})"
        return f"{where}: internal error ({self.kind})"


class Guard(Struct):
    """Keeps what fails to one device or rule, so that all others are still judged.

    An `AdvisorError` is no defect and passes.
    """

    _faults: dict[tuple[str, str | None], Fault] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Defects that showed, one for each device and rule."""
        return tuple(self._faults.values())

    def holds(self, subject: str, rule: str | None = None) -> bool:
        """Whether a defect showed there."""
        return (subject, rule) in self._faults

    @contextmanager
    def around(self, subject: str, rule: str | None = None) -> Iterator[None]:
        """Note a defect of what is done inside, and go on behind it."""
        try:
            yield
        except AdvisorError:
            raise
        except ForeignError as error:
            self.take((Fault(subject, rule, str(error), is_foreign=True),))
        except Exception as error:  # noqa: BLE001 -- the guard around a device
            trace = trace_of(error) if self._has_room else ()
            self.take((Fault(subject, rule, type(error).__name__, trace),))

    def take(self, faults: Iterable[Fault]) -> None:
        """Note defects that another guard kept, perhaps in another process."""
        for fault in faults:
            noted = fault if self._has_room else replace(fault, trace=())
            self._faults.setdefault((fault.subject, fault.rule), noted)

    @property
    def _has_room(self) -> bool:
        return len(self._faults) < _MOST_TRACED


def guarded(
    guard: Guard | None, subject: str, rule: str | None = None
) -> AbstractContextManager[None]:
    """Stand around one device or rule; without a guard a defect is raised."""
    return nullcontext() if guard is None else guard.around(subject, rule)


def faults_of(guard: Guard | None) -> tuple[Fault, ...]:
    """Defects that a guard kept; without one there are none."""
    return () if guard is None else guard.faults


def trace_of(error: BaseException) -> tuple[str, ...]:
    """Where it went wrong; messages are left out, as they may quote the input."""
    return tuple(_lines(error))


def _lines(error: BaseException) -> Iterator[str]:
    import traceback  # noqa: PLC0415 -- for a defect alone

    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen and len(seen) < _MOST_CAUSES:
        seen.add(id(cause))
        yield f"{type(cause).__module__}.{type(cause).__qualname__}"
        frames = traceback.extract_tb(cause.__traceback__)
        for place, frame in enumerate(frames):
            if place < _MOST_FRAMES or len(frames) - place <= _MOST_FRAMES:
                yield f"  {frame.filename}:{frame.lineno} in {frame.name}: {frame.line}"
            elif place == _MOST_FRAMES:
                yield f"  … {len(frames) - 2 * _MOST_FRAMES} more"
        cause = cause.__cause__ or cause.__context__
