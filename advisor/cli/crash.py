"""What is left of an internal error: a report that holds no input and no secret."""

import os
import platform
import tempfile
import traceback
from collections.abc import Iterator

from advisor import __version__
from advisor.cli.errors import Code, say


def report(error: Exception) -> Code:
    """Write a crash report, readable by its owner alone, and say in a line where it lies."""
    kind = type(error).__name__
    try:
        handle, name = tempfile.mkstemp(prefix="advisor-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in _lines(error))
    except OSError:
        name = "could not be written"
    say(f"internal error ({kind}); this is a defect of advisor, not of your input")
    say(f"crash report, without any input text: {name}")
    return Code.INTERNAL


def _lines(error: BaseException) -> Iterator[str]:
    """Where it went wrong; messages are left out, as they may quote the input."""
    yield f"advisor {__version__}, Python {platform.python_version()}, {platform.system()}"
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield ""
        yield f"{type(cause).__module__}.{type(cause).__qualname__}"
        for frame in traceback.extract_tb(cause.__traceback__):
            yield f"  {frame.filename}:{frame.lineno} in {frame.name}: {frame.line}"
        cause = cause.__cause__ or cause.__context__
