"""Options that several commands have, and where their reports are written."""

import errno
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Struct

from advisor import DOCS_URL
from advisor.cli.endings import NEVER, WrongUseError
from advisor.cli.process import Code, say, without_logins
from advisor.device.inputs import Inputs
from advisor.device.sources import handle_of, is_named
from advisor.ground.bounded import STDIN, write_stream
from advisor.ground.data import read_text
from advisor.ground.records import picked
from advisor.report import printable
from advisor.report.formats import FOR_TERMINALS, STREAMS
from advisor.report.terminal import LEAST_WIDTH, Style

if TYPE_CHECKING:
    from advisor.lint.cards import Rule
    from advisor.report.terminal import RenderOptions


# How and where reports are shown: on standard output or, whole or not at all, in a file.

_INPUT: Final = 0  # the handle
# Terminals that follow the links of a text, by what they set.
_FOLLOWS: Final = ("iTerm.app", "WezTerm", "vscode", "Hyper", "ghostty", "rio", "Tabby")
_FOLLOWING: Final = (
    "VTE_VERSION",
    "WT_SESSION",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "FORCE_HYPERLINK",
)
_ADDRESS: Final = re.compile(r"(?:https?|file)://[!-~]+")
_WRITTEN: Final = ("output", "out")  # parameters that name what a command writes


class View(Struct, frozen=True):
    """Output options of a command; `severity` is the mildest that is shown."""

    form: str = "full"
    output: Path | None = None
    no_color: bool = False
    quiet: bool = False
    severity: str = "info"
    verbose: bool = False
    guard_minutes: int | None = None  # of `fix`: when the router takes the change back

    @property
    def is_stream(self) -> bool:
        """Whether a finding is written when its device is judged: a file is written as a whole."""
        return self.form in STREAMS and self.output is None


def is_plain(view: View) -> bool:
    """Whether the user or the terminal declines colour: --no-color, then NO_COLOR, FORCE_COLOR."""
    if view.no_color or os.environ.get("NO_COLOR"):
        return True
    return os.environ.get("TERM") == "dumb" and not os.environ.get("FORCE_COLOR")


def style_of(view: View) -> Style:
    """Colour for terminals, and where FORCE_COLOR asks for it, unless it is declined.

    The width is that of the terminal, or what COLUMNS says of it. A file or a pipe has none.
    """
    if view.output is not None:
        return Style()
    is_terminal = sys.stdout.isatty()
    color = (is_terminal or bool(os.environ.get("FORCE_COLOR"))) and not is_plain(view)
    pages = _pages() if color and is_terminal else None
    return Style(color, _width() if is_terminal else None, pages)


def _pages() -> str | None:
    """Address of the documentation, where one is known and the terminal follows links (OSC 8)."""
    url = os.environ.get("ADVISOR_DOCS_URL", DOCS_URL).rstrip("/")
    follows = os.environ.get("TERM_PROGRAM") in _FOLLOWS or any(map(os.environ.get, _FOLLOWING))
    return url if follows and _ADDRESS.fullmatch(url) else None


def render_options_of(
    view: View, rules: "Sequence[Rule]" = (), fail_on: str = NEVER
) -> "RenderOptions":
    """Render options of a report; rules and `--fail-on` are for reports of findings."""
    from advisor.lint.findings import Severity  # noqa: PLC0415 -- files are written without
    from advisor.report.terminal import RenderOptions  # noqa: PLC0415

    fails = None if fail_on == NEVER else Severity(fail_on)
    return RenderOptions(style_of(view), view.quiet, view.verbose, tuple(rules), fails)


def _width() -> int:
    from shutil import get_terminal_size  # noqa: PLC0415 -- a pipe does without

    return max(get_terminal_size().columns, LEAST_WIDTH)


def emit(text: str, output: Path | None, encoding: str | None = None) -> None:
    """Write a report to a file, or to standard output.

    Raises
    ------
    WrongUseError
        If the file cannot be written; a file that is there stays as it was.
    """
    text = without_logins(text)
    if output is None:
        _print(text, encoding or sys.stdout.encoding)
        return
    write_file(text, output)


def write_file(text: str, output: Path) -> None:
    """Write a text as it is into a file, whole or not at all.

    Raises
    ------
    WrongUseError
        If the file cannot be written; a file that is there stays as it was.
    """
    try:
        _write(text.encode("utf-8", "backslashreplace"), output)
    except OSError as error:
        raise WrongUseError(f"{output}: cannot be written: {error.strerror}") from error


def refuse_input(output: Path, parameters: Mapping[str, object]) -> None:
    """Refuse a file that the command reads: the report would replace it.

    Raises
    ------
    WrongUseError
        If one of the other parameters of the command names the file.
    """
    for name, value in parameters.items():
        for path in value if isinstance(value, list | tuple) else (value,):
            is_path = isinstance(path, str | Path) and name not in _WRITTEN
            if is_path and _is_named(output, os.fspath(path)):
                raise WrongUseError(
                    printable(f"--output {output}: is an input of the command; name another file")
                )


def _is_named(output: Path, path: str) -> bool:
    try:
        if path == STDIN:
            return output.is_file() and os.path.samestat(os.fstat(_INPUT), output.stat())
        return is_named(output, path)
    except (OSError, ValueError):  # what cannot be looked at cannot be read
        return False


def show(report: str, view: View) -> None:
    """Write a report where the view says, in UTF-8 unless it is for a terminal."""
    emit(report, view.output, None if view.form in FOR_TERMINALS else "utf-8")


def say_what_is_not_read(inputs: Inputs, view: View) -> None:
    """Say on standard error what was not read; notes only where the view is not quiet."""
    notes = () if view.quiet else inputs.notes
    for line in (*inputs.unreadable, *inputs.declined, *notes):
        say(printable(line))


def _print(text: str, encoding: str) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(encoding, "backslashreplace"))
    sys.stdout.buffer.flush()


def _write(payload: bytes, output: Path) -> None:
    handle = handle_of(output)
    if handle is not None:
        sys.stdout.flush()
        with os.fdopen(os.dup(handle), "wb") as stream:
            stream.write(payload)
        return
    target = Path(os.path.realpath(output))
    if target.is_symlink():  # it leads to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if target.exists() and not target.is_file():
        write_stream(target, payload)  # nothing to replace
        return
    import tempfile  # noqa: PLC0415 -- standard output does without

    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(payload)
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """Permissions of the file that is replaced, else what the user's umask leaves."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def check(text: str, file: Path, command: str) -> Code:
    """Compare a generated file with what would be generated now.

    Raises
    ------
    WrongUseError
        If the file cannot be read.
    """
    if read_text(file) == text:
        return Code.CLEAN
    say(f"{file} is out of date: run `{command} --output {file}`")
    return Code.FINDINGS


# The records that are made of options.

if TYPE_CHECKING:
    from advisor.settings import Flags

Words = Annotated[tuple[str, ...], "words"]  # a value may hold several words, with commas


def flags_of(options: Struct) -> "Flags":
    """The options that state settings."""
    from advisor.settings import Flags  # noqa: PLC0415 -- `--help` does without

    return picked(Flags, options)


def view_of(options: Struct, **others: Any) -> "View":  # noqa: ANN401
    """The options that say how and where a report is shown."""
    return picked(View, options, **others)
