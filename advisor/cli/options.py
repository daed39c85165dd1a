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

_PATHS = "Configs, show outputs, bundles, folders or globs; - is standard input."
Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help=_PATHS)]
OnePath = Annotated[
    str | None,
    typer.Argument(metavar="[PATH]", help="A config or a bundle; - is standard input."),
]
ScenarioFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="JSON file of interfaces and their traffic, in place of PATH."
    ),
]
Simulate = Annotated[
    bool,
    typer.Option("--simulate", help="Also simulate, and print the result beside the prediction."),
]
RuleName = Annotated[
    str,
    typer.Argument(
        metavar="RULE",
        help="Id, name or prefix of a rule; name of a formula; `formulas` lists them.",
    ),
]
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
    list[str], typer.Option(metavar="RULES", help="Run only these rules: ids, names or prefixes.")
]
Ignore = Annotated[list[str], typer.Option(metavar="RULES", help="Do not run these rules.")]
Devices = Annotated[
    list[str],
    typer.Option("--device", metavar="NAME", help="Only devices of these names; br-* is possible."),
]
Rules = Annotated[
    list[Path],
    typer.Option("--rules", metavar="DIR", help="Folder of your own rules; runs their Python."),
]
Only = Annotated[list[str], typer.Option("--rule", metavar="RULE", help="Use only these rules.")]


def unless_stdout(output: Path | None) -> Path | None:
    """The file to write; None where `-` asks for standard output."""
    return None if output == Path("-") else output


Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write to a file, not to an input; - prints. An error leaves the old file.",
        callback=unless_stdout,
    ),
]
Against = Annotated[
    Path | None,
    typer.Option("--check", metavar="FILE", help="Compare with this file; exit 1 if it differs."),
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


def flags_of(
    config: Path | None,
    profile: str | None,
    traffic: Path | None = None,
    select: list[str] | None = None,
    ignore: list[str] | None = None,
    fail_on: str | None = None,
    platform: str | None = None,
    no_suppress: bool = False,
    baseline: Path | None = None,
    devices: list[str] | None = None,
    rules: list[Path] | None = None,
) -> "Flags":
    """What the options say of the settings."""
    from advisor.cli.selection import words
    from advisor.settings.values import Flags

    return Flags(
        config,
        profile,
        words(select or ()),
        words(ignore or ()),
        fail_on,
        traffic,
        platform,
        no_suppress,
        baseline,
        words(devices or ()),
        tuple(rules or ()),
    )


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
