"""Checks of users in Python: a file beside a card, or an installed entry point."""

import sys
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from io import StringIO
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from advisor.capture.masking import mask_quoted_line
from advisor.device.device import Device
from advisor.ground.faults import AdvisorError, ForeignError
from advisor.ground.quantity import Figure
from advisor.ios.syntax import Location
from advisor.lint.checks.base import AnyCheck, Check, Hit, Skip
from advisor.lint.findings import Confidence

T = TypeVar("T")

ENTRY_POINTS: Final = "advisor.checks"
_MOST_OUTCOMES: Final = 100_000  # of one device: more are those of a check that does not end


class OwnCheckError(AdvisorError):
    """A file holds no check that can be used; the message names file and line."""


class _MisuseError(Exception):
    """A check gives what no check may give. The message has no words of a configuration."""


class OwnCheck(Check[Any, Any], frozen=True, kw_only=True):
    """A check from a file; another process makes it again from its text."""

    file: str
    text: str

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return check_of_text, (self.file, self.text)


def check_of_file(path: Path) -> OwnCheck:
    """The check that a Python file defines: runs the file.

    Raises
    ------
    OwnCheckError
        If it cannot be read, fails when it is run, or defines no `CHECK`.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise OwnCheckError(f"{path}: cannot be read: {error}") from error
    return check_of_text(str(path), text)


@cache
def check_of_text(file: str, text: str) -> OwnCheck:
    """The check that the text of a Python file defines; see `check_of_file`."""
    digest = sha256(f"{file}\0{text}".encode()).hexdigest()[:16]
    module = ModuleType(f"advisor_own_check_{digest}")
    module.__file__ = file
    module.__dict__["print"] = _print_aside
    sys.modules[module.__name__] = module  # where structs and pickles look for what it defines
    try:
        exec(compile(text, file, "exec"), module.__dict__)  # noqa: S102 -- the user named the folder
    except SyntaxError as error:
        raise OwnCheckError(f"{file}:{error.lineno or 1}: {error.msg}") from error
    except AdvisorError:
        raise
    except (Exception, SystemExit) as error:  # whatever the code of a user raises
        raise OwnCheckError(f"{_place(error, file)}: {type(error).__name__}: {error}") from error
    check = getattr(module, "CHECK", None)
    if not isinstance(check, Check):
        raise OwnCheckError(f"{file}: holds no CHECK, the check of a rule")
    return OwnCheck(**_guarded(check, file), file=file, text=text)


def _print_aside(*words: object, **how: Any) -> None:  # noqa: ANN401 -- what `print` takes
    """`print` of a check: to stderr and masked, for a report may stand on stdout."""
    text = StringIO()
    print(*words, **{**how, "file": text, "flush": False})  # noqa: T201 -- into `text`
    sys.stderr.write("\n".join(map(mask_quoted_line, text.getvalue().split("\n"))))


def installed_check(name: str) -> AnyCheck | None:
    """The check of an entry point of this name, if a package has one.

    Raises
    ------
    OwnCheckError
        If it cannot be loaded, or is no check.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 -- only a card that asks waits

    for point in entry_points(group=ENTRY_POINTS, name=name):
        place = f"entry point {ENTRY_POINTS} {name}"
        try:
            check = point.load()
        except (Exception, SystemExit) as error:  # whatever the code of a package raises
            raise OwnCheckError(f"{place}: {type(error).__name__}: {error}") from error
        if not isinstance(check, Check):
            raise OwnCheckError(f"{place}: {point.value} is no Check")
        return Check(**_guarded(check, place))
    return None


def _guarded(check: AnyCheck, file: str) -> dict[str, Any]:
    """Fields of a check whose functions say where they fail.

    Raises
    ------
    OwnCheckError
        If a field is not what a check needs.
    """
    for name, is_right, expected in (
        ("params", _is_struct(check.params), "a Struct"),
        ("evidence", _is_struct(check.evidence), "a Struct"),
        ("find", callable(check.find), "a function"),
        ("measure", check.measure is None or callable(check.measure), "a function"),
        ("wants", _is_of_texts(check.wants), "a tuple of commands"),
    ):
        if not is_right:
            raise OwnCheckError(f"{file}: {name} of its CHECK is not {expected}")
    fields = {name: getattr(check, name) for name in Check.__struct_fields__}
    fields["find"] = _Find(check.find, check.evidence, file)
    if check.measure is not None:
        fields["measure"] = _Measure(check.measure, file)
    return fields


def _is_struct(shape: object) -> bool:
    return isinstance(shape, type) and issubclass(shape, Struct)


def _is_of_texts(names: object) -> bool:
    return isinstance(names, tuple) and all(isinstance(name, str) for name in names)


class _Find(Struct, frozen=True):
    find: Any
    evidence: type[Struct]
    file: str

    def __call__(self, device: Device, params: Any) -> Iterator[Hit[Any] | Skip]:  # noqa: ANN401
        return iter(_run(lambda: self._outcomes(device, params), self.file))

    def _outcomes(self, device: Device, params: Any) -> list[Hit[Any] | Skip]:  # noqa: ANN401
        outcomes = list(islice(self.find(device, params), _MOST_OUTCOMES + 1))
        if len(outcomes) > _MOST_OUTCOMES:
            raise _MisuseError(f"more than {_MOST_OUTCOMES} hits")
        for outcome in outcomes:
            _refuse_misuse(outcome, self.evidence)
        return outcomes


def _refuse_misuse(outcome: object, evidence: type[Struct]) -> None:
    """Refuse what a report could not print, where the check can still be named for it."""
    match outcome:
        case Hit():
            kinds: dict[str, type] = {"object": str, "evidence": evidence, "confidence": Confidence}
        case Skip():
            kinds = {"object": str, "reason": str}
        case _:
            raise _MisuseError(f"{_kind(outcome)} in place of Hit or Skip")
    for name, kind in kinds.items():
        if not isinstance(value := getattr(outcome, name), kind):
            raise _MisuseError(f"{name} is {_kind(value)}, not {kind.__name__}")
    if isinstance(outcome, Hit):
        at: object = outcome.at  # of code that no type checker saw
        if not (isinstance(at, tuple) and all(isinstance(item, Location) for item in at)):
            raise _MisuseError("at is no tuple of Location")
        _refuse_opaque(outcome.evidence)


def _refuse_opaque(evidence: object) -> None:
    """Refuse evidence that has no text of its own, which a message would need."""
    try:
        msgspec.to_builtins(evidence)
    except (TypeError, RecursionError):
        raise _MisuseError("evidence holds what is no text, number, tuple or Struct") from None


def _kind(value: object) -> str:
    return type(value).__name__


class _Measure(Struct, frozen=True):
    measure: Any
    file: str

    def __call__(self, device: Device, subject: str) -> Figure | None:
        return _run(lambda: self._figure(device, subject), self.file)

    def _figure(self, device: Device, subject: str) -> Figure | None:
        found = self.measure(device, subject)
        if not isinstance(found, Figure | None):
            raise _MisuseError(f"measure gives {_kind(found)}, not Figure")
        return found


def _run(code: Callable[[], T], file: str) -> T:
    """Run the code of a user; its SystemExit does not end the tool, Ctrl-C does."""
    try:
        return code()
    except AdvisorError:
        raise
    except _MisuseError as error:
        raise ForeignError(file, str(error)) from error
    except (Exception, SystemExit, GeneratorExit) as error:
        raise ForeignError(_place(error, file), type(error).__name__) from error


def _place(error: BaseException, file: str) -> str:
    frames = [item for item in traceback.extract_tb(error.__traceback__) if item.filename == file]
    return f"{file}:{frames[-1].lineno}" if frames else file
