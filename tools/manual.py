"""Writes the manual page and the completions of shells from the command line itself.

Run ``python -m tools.manual``; with ``--check`` it compares the files. The wheel installs them
where `man` and the shells look.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer
from typer._completion_shared import get_completion_script

from advisor import __version__
from advisor.cli.app import all_commands

FOLDER: Final = Path(__file__).parents[1] / "docs/manual"
SHELLS: Final = ("bash", "zsh", "fish")
_VARIABLE: Final = "_ADVISOR_COMPLETE"
_EXIT_CODES: Final = (
    ("0", "clean"),
    ("1", "findings at or above --fail-on"),
    ("2", "wrong use: an option, a path, a settings file"),
    ("3", "incomplete: a part was not read or not understood, the rest is judged"),
    ("4", "a defect of advisor; a crash report names no input"),
)


def page() -> str:
    """The manual page in the language of man(7)."""
    return "\n".join(_lines()) + "\n"


def completion(shell: str) -> str:
    """The script that completes commands and options in a shell."""
    script = get_completion_script(prog_name="advisor", complete_var=_VARIABLE, shell=shell)
    return f"{script.strip()}\n"


def files() -> dict[Path, str]:
    """All files with their texts."""
    scripts = {FOLDER / f"advisor.{shell}": completion(shell) for shell in SHELLS}
    return {FOLDER / "advisor.1": page(), **scripts}


def _lines() -> Iterator[str]:
    app: Any = typer.main.get_command(all_commands())
    yield f'.TH ADVISOR 1 "" "advisor {__version__}" "User Commands"'
    yield from (".SH NAME", "advisor \\- Cisco IOS config analyzer and advisor")
    yield from (".SH SYNOPSIS", ".B advisor", "COMMAND [OPTIONS] [PATH...]")
    yield from (".SH DESCRIPTION", _text(app.help))
    yield "Nothing is ever sent to a device but show commands, by collect and audit."
    yield ".SH COMMANDS"
    for name, command in _commands(app, ()):
        usage = " ".join(item.make_metavar(_context(command)) for item in _of(command, "argument"))
        yield from (
            f".SS advisor {_text(f'{name} [OPTIONS] {usage}'.strip())}",
            _text(command.help),
        )
        for option in _of(command, "option"):
            names, words = option.get_help_record(_context(command)) or ("", "")
            yield from (".TP", f".B {_text(names)}", _text(words))
    yield ".SH EXIT STATUS"
    for code, meaning in _EXIT_CODES:
        yield from (".TP", f".B {code}", _text(meaning))
    yield from (".SH FILES", ".TP", ".B advisor.toml", "settings: the nearest file upwards")


def _commands(group: Any, above: tuple[str, ...]) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, (*above, name))
        else:
            yield " ".join((*above, name)), command


def _context(command: Any) -> Any:  # noqa: ANN401 -- typer has no public name for it
    return command.context_class(command)


def _of(command: Any, kind: str) -> list[Any]:  # noqa: ANN401
    return [item for item in command.params if item.param_type_name == kind]


def _text(words: str) -> str:
    """Words as one line of man(7): no control line, no escape, hyphens of options kept."""
    line = re.sub(r"\s+", " ", words).strip().replace("\\", "\\e").replace("-", "\\-")
    line = line.replace("…", "...")
    return f"\\&{line}" if line.startswith((".", "'")) else line


def main() -> None:
    """Write the files, or say which ones are out of date."""
    stale = [path for path, text in files().items() if path.read_text("utf-8") != text]
    if sys.argv[1:] == ["--check"]:
        sys.exit(f"out of date: run python -m tools.manual: {stale}" if stale else 0)
    for path, text in files().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
