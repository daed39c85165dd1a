"""Options of the commands that judge devices, print what was read of them, or tell of rules."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec import Struct

from advisor.cli.options import (
    WORDS,
    Config,
    Devices,
    Exclude,
    FailOn,
    Ignore,
    NoColor,
    NoSuppress,
    OnlyRules,
    Output,
    Paths,
    Platform,
    Profile,
    Quiet,
    Rates,
    RuleFolders,
    Scheduler,
    Select,
    Traffic,
    Workers,
    unless_stdout,
)
from advisor.report.formats import COMPARISONS, INSPECTIONS, PLANS, VERDICTS

Against = Annotated[
    Path | None,
    typer.Option("--check", metavar="FILE", help="Compare with this file; exit 1 if it differs."),
]


class _JudgeOptions(Struct, frozen=True, kw_only=True):
    """Options of the commands that judge devices: which ones, by what, and how many at a time."""

    devices: Devices = ()
    exclude: Exclude = ()
    rules: RuleFolders = ()
    traffic: Traffic = None
    profile: Profile = None
    config: Config = None
    platform: Platform = None
    rates: Rates = ()
    quiet: Quiet = False
    workers: Workers = None
    scheduler: Scheduler = None


class Lint(_JudgeOptions, frozen=True):
    """Options of `lint`."""

    paths: Paths
    form: Annotated[str, typer.Option("--format"), VERDICTS.renderers] = "full"
    output: Output = None
    select: Select = ()
    ignore: Ignore = ()
    fail_on: FailOn = None
    severity: Annotated[
        Literal["error", "warning", "info"], typer.Option(help="Lowest severity to show.")
    ] = "info"
    no_color: NoColor = False
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print how each part of a file was recognised.")
    ] = False
    no_suppress: NoSuppress = False
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Report only what is not in this file of `advisor baseline`."
        ),
    ] = None


class Fix(_JudgeOptions, frozen=True):
    """Options of `fix`."""

    paths: Paths
    only: OnlyRules = ()
    level: Annotated[
        Literal["safe", "needs-window"] | None, typer.Option(help="Most intrusive remedy to print.")
    ] = None
    interface: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only what concerns this interface and its policies."),
    ] = None
    guard_minutes: Annotated[
        int | None,
        typer.Option(
            "--guard",
            min=1,
            max=999,
            metavar="MINUTES",
            help="Add what takes the change back by itself.",
        ),
    ] = None
    form: Annotated[str, typer.Option("--format"), PLANS.renderers] = "ios"
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|DIR",
            help="Write to a file, or to a folder: what to paste and its rollback, by device.",
            callback=unless_stdout,
        ),
    ] = None
    no_suppress: NoSuppress = False


class Diff(_JudgeOptions, frozen=True):
    """Options of `diff`."""

    paths: Annotated[
        tuple[str, ...],
        typer.Argument(
            metavar="OLD NEW",
            help="Files, folders or bundles; OLD may be a baseline. With --git: PATH..., what to "
            "compare of the repository [default: .].",
        ),
    ] = ()
    git: Annotated[
        str | None,
        typer.Option(metavar="BASE..HEAD", help="Compare two revisions; ... from where they part."),
    ] = None
    worse_by: Annotated[
        str,
        typer.Option(
            metavar="LIMITS",
            help="Largest rise of a prediction that is tolerated; of two limits the larger one.",
        ),
    ] = "5%,1ms"
    fail_on: Annotated[
        Literal["error", "warning", "info", "never"] | None,
        typer.Option(help="Lowest severity of a new finding that counts [default: warning]."),
    ] = None
    form: Annotated[str, typer.Option("--format"), COMPARISONS.renderers] = "full"
    output: Output = None
    select: Select = ()
    ignore: Ignore = ()
    no_color: NoColor = False
    no_suppress: NoSuppress = False


class TakeBaseline(_JudgeOptions, frozen=True):
    """Options of `baseline`."""

    paths: Paths
    output: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="File to write, like baseline.json; - prints.",
            callback=unless_stdout,
        ),
    ]
    select: Select = ()
    ignore: Ignore = ()


class Suppress(Struct, frozen=True):
    """Options of `suppress`."""

    paths: Paths
    accepted: Annotated[
        tuple[str, ...],
        typer.Option("--rule", metavar="RULE", help="Rules to accept: ids, names or prefixes."),
        WORDS,
    ]
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why they are accepted.")]
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Last day, like 2027-01-31.")
    ] = None
    object: Annotated[
        str,
        typer.Option("--object", metavar="PATH", help="Only of this, like 'interface Serial0/0'."),
    ] = ""
    traffic: Traffic = None
    profile: Profile = None
    config: Config = None
    platform: Platform = None
    rates: Rates = ()
    rules: RuleFolders = ()
    devices: Devices = ()
    exclude: Exclude = ()


class Inspect(Struct, frozen=True):
    """Options of `inspect`."""

    paths: Paths
    command: Annotated[
        str | None,
        typer.Option(
            "--command", metavar="COMMAND", help="Only this show output, like `sh pol int`."
        ),
    ] = None
    form: Annotated[str, typer.Option("--format"), INSPECTIONS.renderers] = "tree"
    output: Output = None
    no_color: NoColor = False
    config: Config = None
    platform: Platform = None
    rates: Rates = ()
    devices: Devices = ()
    exclude: Exclude = ()
    quiet: Quiet = False


class Explain(Struct, frozen=True):
    """Options of `explain`."""

    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE",
            help="Id, name or prefix of a rule; name of a formula; `formulas` lists them.",
        ),
    ]
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]", help="A config: its numbers are put in, its findings shown."
        ),
    ] = None
    traffic: Traffic = None
    profile: Profile = None
    config: Config = None
    rules: RuleFolders = ()
    no_color: NoColor = False


class Redact(Struct, frozen=True):
    """Options of `redact`."""

    path: Annotated[str, typer.Argument(metavar="PATH", help="A file, or - for standard input.")]
    output: Output = None


class ListRules(Struct, frozen=True):
    """Options of `rules list`."""

    rules: RuleFolders = ()
    config: Config = None
    no_color: NoColor = False


class TestRules(Struct, frozen=True):
    """Options of `rules test`."""

    only: OnlyRules = ()
    rules: RuleFolders = ()
    config: Config = None


class RuleDocs(Struct, frozen=True):
    """Options of `rules docs`."""

    rules: RuleFolders = ()
    config: Config = None
    output: Output = None
    reference: Against = None


class NewRule(Struct, frozen=True):
    """Options of `rules new`."""

    title: Annotated[str, typer.Argument(metavar="ID-NAME", help="Like X001-no-cdp-on-wan.")]
    folder: Annotated[
        Path, typer.Option("--rules", metavar="DIR", help="Folder that takes the files.")
    ] = Path()
    is_declared: Annotated[
        bool, typer.Option("--declared", help="A rule without Python: the card declares its lines.")
    ] = False


class Schema(Struct, frozen=True):
    """Options of `schema`."""

    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[OUTPUT]",
            help="Command of one output: lint, predict, …; or scenarios: the files it reads.",
        ),
    ] = None
    output: Output = None
    reference: Against = None


class ShowConfig(Struct, frozen=True):
    """Options of `config show`."""

    profile: Profile = None
    config: Config = None
    traffic: Traffic = None
    rules: RuleFolders = ()
    device: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Settings in force for a device of this name."),
    ] = None
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print every parameter of every rule too.")
    ] = False
