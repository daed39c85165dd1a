"""Options that several commands have, and what they say together."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from advisor.cli.crew import Execution
    from advisor.cli.view import View
    from advisor.settings.values import Flags

_PATHS = "Configs, show outputs, bundles, folders of them, globs, or - for standard input."
Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help=_PATHS)]
OnePath = Annotated[
    str | None,
    typer.Argument(metavar="[PATH]", help="A config or bundle, or - for standard input."),
]
ScenarioFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="JSON of interfaces under traffic, in place of PATH."),
]
Simulate = Annotated[
    bool,
    typer.Option(
        "--simulate", help="Simulate the same traffic and print it beside the prediction."
    ),
]
RuleName = Annotated[
    str,
    typer.Argument(metavar="RULE", help="Id, name, or a prefix; a formula, or `formulas` for all."),
]
Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Settings; else advisor.toml or pyproject.toml, nearest upwards."
    ),
]
Profile = Annotated[
    str | None, typer.Option(metavar="NAME", help="Budgets: voice, video, data, dlsw or strict.")
]
Traffic = Annotated[
    Path | None, typer.Option(metavar="FILE", help="[[traffic]] tables: what classes are offered.")
]
Select = Annotated[
    list[str], typer.Option(metavar="RULES", help="Run these alone; ids, names or prefixes.")
]
Ignore = Annotated[list[str], typer.Option(metavar="RULES", help="Do not run these.")]
Only = Annotated[list[str], typer.Option("--rule", metavar="RULE", help="These rules alone.")]
Output = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write to a file, whole or not at all.")
]
Against = Annotated[
    Path | None, typer.Option("--check", metavar="FILE", help="Exit 1 where the file differs.")
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=512, help="Processes [default: one, of folders one for each core]."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="A Dask cluster in their place, like tcp://host:8786."),
]
NoColor = Annotated[bool, typer.Option("--no-color", help="Plain text; so does NO_COLOR.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes; of lint, findings alone.")]


def flags_of(
    config: Path | None,
    profile: str | None,
    traffic: Path | None = None,
    select: list[str] | None = None,
    ignore: list[str] | None = None,
    fail_on: str | None = None,
) -> "Flags":
    """What the options say of the settings."""
    from advisor.cli.selection import words
    from advisor.settings.values import Flags

    return Flags(config, profile, words(select or ()), words(ignore or ()), fail_on, traffic)


def execution_of(workers: int | None, scheduler: str | None) -> "Execution":
    """What the options say of the processes that work."""
    from advisor.cli.crew import Execution

    return Execution(workers, scheduler)


def view_of(
    form: str = "full",
    output: Path | None = None,
    no_color: bool = False,
    quiet: bool = False,
    severity: str = "info",
    verbose: bool = False,
) -> "View":
    """What the options say of the output."""
    from advisor.cli.view import View

    return View(form, output, no_color, quiet, severity, verbose)
