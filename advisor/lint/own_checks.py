"""Checks of users in Python: a file beside a card, or an installed entry point."""

import sys
import traceback
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from advisor.device.device import Device
from advisor.faults import AdvisorError, ForeignError
from advisor.lint.checks.base import AnyCheck, Check, Hit, Skip
from advisor.quantity import Figure

ENTRY_POINTS: Final = "advisor.checks"


class OwnCheckError(AdvisorError):
    """A file holds no check that can be used; the message names file and line."""


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
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OwnCheckError(f"{path}: cannot be read: {error}") from error
    return check_of_text(str(path), text)


@cache
def check_of_text(file: str, text: str) -> OwnCheck:
    """The check that the text of a Python file defines; see `check_of_file`."""
    digest = sha256(f"{file}\0{text}".encode()).hexdigest()[:16]
    module = ModuleType(f"advisor_own_check_{digest}")
    module.__file__ = file
    sys.modules[module.__name__] = module  # where structs and pickles look for what it defines
    try:
        exec(compile(text, file, "exec"), module.__dict__)  # noqa: S102 -- the user named the folder
    except SyntaxError as error:
        raise OwnCheckError(f"{file}:{error.lineno}: {error.msg}") from error
    except AdvisorError:
        raise
    except Exception as error:  # whatever the code of a user raises
        raise OwnCheckError(f"{_place(error, file)}: {type(error).__name__}: {error}") from error
    check = getattr(module, "CHECK", None)
    if not isinstance(check, Check):
        raise OwnCheckError(f"{file}: holds no CHECK, the check of a rule")
    return OwnCheck(**_guarded(check, file), file=file, text=text)


def installed_check(name: str) -> AnyCheck | None:
    """The check of an entry point of this name, if a package has one.

    Raises
    ------
    OwnCheckError
        If it cannot be loaded, or is no check.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 -- only a card that asks waits

    for point in entry_points(group=ENTRY_POINTS, name=name):
        try:
            check = point.load()
        except Exception as error:  # whatever the code of a package raises
            reason = f"{type(error).__name__}: {error}"
            raise OwnCheckError(f"entry point {ENTRY_POINTS} {name}: {reason}") from error
        if not isinstance(check, Check):
            raise OwnCheckError(f"entry point {ENTRY_POINTS} {name}: {point.value} is no Check")
        return check
    return None


def _guarded(check: AnyCheck, file: str) -> dict[str, Any]:
    fields = {name: getattr(check, name) for name in Check.__struct_fields__}
    fields["find"] = _Find(check.find, file)
    if check.measure is not None:
        fields["measure"] = _Measure(check.measure, file)
    return fields


class _Find(Struct, frozen=True):
    find: Any
    file: str

    def __call__(self, device: Device, params: Any) -> Iterator[Hit[Any] | Skip]:  # noqa: ANN401
        try:
            for outcome in self.find(device, params):
                if not isinstance(outcome, Hit | Skip):
                    raise TypeError(f"a check yields Hit or Skip, not {type(outcome).__name__}")  # noqa: TRY301
                if isinstance(outcome, Hit):
                    asdict(outcome.evidence)
                yield outcome
        except AdvisorError:
            raise
        except Exception as error:
            raise ForeignError(_place(error, self.file), type(error).__name__) from error


class _Measure(Struct, frozen=True):
    measure: Any
    file: str

    def __call__(self, device: Device, subject: str) -> Figure | None:
        try:
            found: Figure | None = self.measure(device, subject)
        except AdvisorError:
            raise
        except Exception as error:
            raise ForeignError(_place(error, self.file), type(error).__name__) from error
        return found


def _place(error: Exception, file: str) -> str:
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename == file]
    return f"{file}:{frames[-1].lineno}" if frames else file
