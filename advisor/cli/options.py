"""Options that several commands have, and the records that are made of options.

An annotation states the type of an option, its name, help and limits. Behind them "words" says that
a value may hold several words, with commas; a table of formats says which words are possible.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import typer
from msgspec import Struct

if TYPE_CHECKING:
    from advisor.cli.output import View
    from advisor.settings.values import Flags

WORDS: Final = "words"
_Record = TypeVar("_Record", bound=Struct)


def unless_stdout(output: Path | None) -> Path | None:
    """The file to write; None where `-` asks for standard output."""
    return None if output == Path("-") else output


def picked(kind: type[_Record], options: Struct, **others: Any) -> _Record:  # noqa: ANN401
    """Make a record of the options with the names of its fields; the others keep their defaults."""
    names = set(kind.__struct_fields__) & set(options.__struct_fields__) - others.keys()
    return kind(**{name: getattr(options, name) for name in names}, **others)


def flags_of(options: Struct) -> "Flags":
    """The options that state settings."""
    from advisor.settings.values import Flags  # noqa: PLC0415 -- `--help` does without

    return picked(Flags, options)


def view_of(options: Struct, **others: Any) -> "View":  # noqa: ANN401
    """The options that say how and where a report is shown."""
    from advisor.cli.output import View  # noqa: PLC0415 -- `--help` does without

    return picked(View, options, **others)


_PATHS = "Configs, show outputs, bundles, folders or globs; - is standard input."
Paths = Annotated[tuple[str, ...], typer.Argument(metavar="PATH...", help=_PATHS)]
Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Settings file. Default: the nearest advisor.toml or pyproject.toml, upwards.",
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Set of budgets: voice, video, data, dlsw or strict."),
]
Traffic = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="TOML file of [[traffic]] tables: the load of the classes."),
]
Platform = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Model or family of devices that do not show theirs: 2811, qfp, …"
    ),
]
Select = Annotated[
    tuple[str, ...],
    typer.Option(metavar="RULES", help="Run only these rules: ids, names or prefixes."),
    WORDS,
]
Ignore = Annotated[
    tuple[str, ...], typer.Option(metavar="RULES", help="Do not run these rules."), WORDS
]
Devices = Annotated[
    tuple[str, ...],
    typer.Option("--device", metavar="NAME", help="Only devices of these names; br-* is possible."),
    WORDS,
]
RuleFolders = Annotated[
    tuple[Path, ...],
    typer.Option("--rules", metavar="DIR", help="Folder of your own rules; runs their Python."),
]
OnlyRules = Annotated[
    tuple[str, ...],
    typer.Option("--rule", metavar="RULE", help="Use only these rules."),
    WORDS,
]
FailOn = Annotated[
    Literal["error", "warning", "info", "never"] | None,
    typer.Option(help="Lowest severity that gives exit code 1 [default: warning]."),
]
Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write to a file, not to an input; - prints. An error leaves the old file.",
        callback=unless_stdout,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=512,
        metavar="N",
        help="Number of processes [default: 1; one for each core for folders].",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Use a Dask cluster, like tcp://host:8786."),
]
NoColor = Annotated[
    bool, typer.Option("--no-color", help="Print without color; NO_COLOR does the same.")
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print no notes; lint prints only findings.")
]
NoSuppress = Annotated[
    bool,
    typer.Option("--no-suppress", help="Report what comments and [[suppress]] tables accept."),
]
