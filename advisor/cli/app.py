"""The commands and their options. A body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from advisor import __version__
from advisor.cli.choices import (
    DesignFormat,
    FailOn,
    FixLevel,
    InspectionFormat,
    PredictionFormat,
    ReportFormat,
    Shown,
    SnippetFormat,
    WredBasisName,
)
from advisor.cli.fleet_commands import add_to as add_fleet_commands
from advisor.cli.size import size_app

if TYPE_CHECKING:
    from advisor.cli.view import View
    from advisor.settings import Flags


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
    bool, typer.Option("--simulate", help="Simulate the same beside the prediction.")
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
NoColor = Annotated[bool, typer.Option("--no-color", help="Plain text; so does NO_COLOR.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Findings alone; no notes.")]

app = typer.Typer(
    name="advisor",
    help="Cisco IOS QoS: predicts delay, finds what is wrong, prints remedies that are proven.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
rules_app = typer.Typer(help="The rule catalogue.", no_args_is_help=True, rich_markup_mode=None)
config_app = typer.Typer(help="Settings in force.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(size_app, name="size")
app.add_typer(rules_app, name="rules")
app.add_typer(config_app, name="config")
design_app = typer.Typer(
    help="Settings from requirements, proven.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(design_app, name="design")
add_fleet_commands(app)


def command() -> Callable[..., Any]:
    """Return the whole command line, to be called with the arguments."""
    return get_command(app)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"advisor {__version__}")
        raise typer.Exit


@app.callback()
def _advisor(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def _flags(
    config: Path | None,
    profile: str | None,
    traffic: Path | None = None,
    select: list[str] | None = None,
    ignore: list[str] | None = None,
    fail_on: str | None = None,
) -> "Flags":
    from advisor.cli.selection import words
    from advisor.settings import Flags

    return Flags(config, profile, words(select or ()), words(ignore or ()), fail_on, traffic)


def _view(
    form: str = "full",
    output: Path | None = None,
    no_color: bool = False,
    quiet: bool = False,
    severity: str = "info",
    verbose: bool = False,
) -> "View":
    from advisor.cli.view import View

    return View(form, output, no_color, quiet, severity, verbose)


@app.command()
def lint(
    paths: Paths,
    traffic: Traffic = None,
    report_format: Annotated[ReportFormat, typer.Option("--format")] = ReportFormat.FULL,
    output: Output = None,
    select: Select = [],  # noqa: B006 -- how typer spells a repeatable option
    ignore: Ignore = [],  # noqa: B006
    fail_on: Annotated[
        FailOn | None, typer.Option(help="The mildest severity that exits 1 [default: warning].")
    ] = None,
    severity: Annotated[Shown, typer.Option(help="The mildest severity shown.")] = Shown.INFO,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
    quiet: Quiet = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say what each part of a file was taken for.")
    ] = False,
) -> None:
    """Judge configs and show outputs; print findings, worst first."""
    from advisor.cli import judge_jobs

    flags = _flags(config, profile, traffic, select, ignore, fail_on)
    view = _view(report_format, output, no_color, quiet, severity, verbose)
    raise typer.Exit(judge_jobs.lint(paths, flags, view))


@app.command()
def fix(
    paths: Paths,
    rule: Only = [],  # noqa: B006
    level: Annotated[FixLevel | None, typer.Option(help="The most a remedy may ask for.")] = None,
    snippet_format: Annotated[SnippetFormat, typer.Option("--format")] = SnippetFormat.IOS,
    output: Output = None,
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    quiet: Quiet = False,
) -> None:
    """Print remedies with their rollback and proof. Nothing is sent to a device."""
    from advisor.cli import fix_jobs
    from advisor.cli.selection import words

    flags = _flags(config, profile, traffic)
    view = _view(snippet_format, output, quiet=quiet)
    raise typer.Exit(fix_jobs.fix(paths, flags, view, words(rule), level))


@app.command()
def predict(
    path: OnePath = None,
    interface: Annotated[
        str | None, typer.Option(metavar="NAME", help="This interface alone, like Serial0/0.")
    ] = None,
    assign: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="What if: tx-ring-limit, bandwidth (kb/s), mtu, fragment (bytes), load (percent), "
            "wred-min (packets), flows.GROUP.",
        ),
    ] = [],  # noqa: B006
    sweep: Annotated[
        list[str],
        typer.Option(metavar="KEY=A..B[:STEP]", help="Move one or two of these over a range."),
    ] = [],  # noqa: B006
    link: Annotated[
        str | None, typer.Option(metavar="RATE", help="A link without a config, like 512k.")
    ] = None,
    encap: Annotated[str, typer.Option(help="Of --link: ppp, frame-relay, aal5snap, …")] = "ppp",
    llq: Annotated[
        str | None, typer.Option(metavar="RATE", help="Of --link: rate of the priority class.")
    ] = None,
    tx_ring_limit: Annotated[
        int | None, typer.Option(min=1, max=32767, help="Of --link: the transmit ring.")
    ] = None,
    calls: Annotated[int | None, typer.Option(help="Of --link: calls in the LLQ.")] = None,
    codec: Annotated[str | None, typer.Option(help="Of --calls [default: g729].")] = None,
    background: Annotated[
        int | None, typer.Option(metavar="BYTES", help="Of --link: IP packets of other traffic.")
    ] = None,
    hops: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Hops of a path: end to end, R and MOS.")
    ] = None,
    traffic: Traffic = None,
    scenario: ScenarioFile = None,
    simulate: Simulate = False,
    prediction_format: Annotated[
        PredictionFormat | None,
        typer.Option("--format", help="[default: full; json for scenarios]"),
    ] = None,
    output: Output = None,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
) -> None:
    """Predict delay, jitter, loss and throughput of every class of each output."""
    from advisor.cli import predict_jobs, scenario_jobs

    stated = predict_jobs.link_of(link, encap, llq, tx_ring_limit, calls, codec, background)
    asked = predict_jobs.Asked(path, interface, assign, sweep, stated, hops, simulate)
    if scenario is not None:
        predict_jobs.refuse_beside_scenario(asked)
        scenario_jobs.refuse_beside(path, interface, assign, traffic)
        view = _view(prediction_format or PredictionFormat.JSON, output, no_color)
        raise typer.Exit(
            scenario_jobs.predict_scenarios(scenario, view, simulated=simulate, sweeps=sweep)
        )
    view = _view(prediction_format or PredictionFormat.FULL, output, no_color)
    flags = _flags(config, profile, traffic)
    raise typer.Exit(predict_jobs.predict(asked, flags, view))


@app.command()
def inspect(
    paths: Paths,
    show_command: Annotated[
        str | None,
        typer.Option("--command", metavar="COMMAND", help="This output alone, like `sh pol int`."),
    ] = None,
    inspection_format: Annotated[
        InspectionFormat, typer.Option("--format")
    ] = InspectionFormat.TREE,
    output: Output = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> None:
    """Print what was understood: facts, observations and coverage, each with its line."""
    from advisor.cli import inspect_jobs

    view = _view(inspection_format, output, no_color, quiet)
    raise typer.Exit(inspect_jobs.inspect(paths, view, show_command))


@app.command()
def explain(
    rule: RuleName,
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="A config whose numbers a formula is given."),
    ] = None,
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    no_color: NoColor = False,
) -> None:
    """Print why a rule exists, its parameters, examples, remedy and sources; or a formula."""
    from advisor.cli import rule_jobs

    flags = _flags(config, profile, traffic)
    raise typer.Exit(rule_jobs.explain(rule, path, flags, _view(no_color=no_color)))


@app.command()
def schema(output: Output = None, check: Against = None) -> None:
    """Print the JSON Schema of `lint --format json`."""
    from advisor.cli import rule_jobs

    raise typer.Exit(rule_jobs.schema(output, check))


@app.command("demo-router")
def demo_router(
    bundle: Annotated[
        Path | None, typer.Option(metavar="DIR", help="What it answers [default: one of ours].")
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Of the first; 0 for any that is free.")
    ] = 0,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 1,
    fault: Annotated[
        list[str], typer.Option(metavar="NAME", help="What goes wrong; `list` prints the names.")
    ] = [],  # noqa: B006
    username: Annotated[
        str | None, typer.Option(help="Of the login; else ADVISOR_USERNAME or advisor.")
    ] = None,
    write_inventory: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write hosts.yaml and known_hosts there.")
    ] = None,
) -> None:
    """Run IOS-like SSH servers on loopback, to try collect and audit without hardware."""
    from advisor.cli import demo_jobs

    asked = demo_jobs.Asked(bundle, port, count, fault, username, write_inventory)
    raise typer.Exit(demo_jobs.demo_router(asked))


@rules_app.command("list")
def rules_list(no_color: NoColor = False) -> None:
    """Print a line for each rule."""
    from advisor.cli import rule_jobs

    raise typer.Exit(rule_jobs.list_rules(_view(no_color=no_color)))


@rules_app.command("test")
def rules_test(rule: Only = []) -> None:  # noqa: B006
    """Run the examples of the cards: found, cured, rolled back."""
    from advisor.cli import rule_jobs
    from advisor.cli.selection import words

    raise typer.Exit(rule_jobs.test_rules(words(rule)))


@rules_app.command("docs")
def rules_docs(output: Output = None, check: Against = None) -> None:
    """Print the catalogue as Markdown."""
    from advisor.cli import rule_jobs

    raise typer.Exit(rule_jobs.rule_docs(output, check))


@config_app.command("show")
def config_show(profile: Profile = None, config: Config = None, traffic: Traffic = None) -> None:
    """Print the settings in force as TOML."""
    from advisor.cli import predict_jobs

    raise typer.Exit(predict_jobs.show_settings(_flags(config, profile, traffic)))


@design_app.command("wred")
def design_wred(
    rate: Annotated[str, typer.Option(metavar="RATE", help="Of the class, like 512k or 2M.")],
    target_delay: Annotated[
        float, typer.Option(metavar="MS", help="Queueing delay at the maximum threshold.")
    ] = 100.0,
    packet: Annotated[int, typer.Option(metavar="BYTES", help="Mean IP packet.")] = 1500,
    dscp: Annotated[
        list[str], typer.Option(metavar="CODES", help="DSCPs of the class, like af11,af12,af13.")
    ] = ["af11,af12,af13"],  # noqa: B006
    flows: Annotated[
        list[str], typer.Option(metavar="CODE=N", help="TCP flows, like af11=3,af12=20.")
    ] = [],  # noqa: B006
    share: Annotated[
        list[str], typer.Option(metavar="CODE=PERCENT", help="Least share, like af11=20%.")
    ] = [],  # noqa: B006
    rtt: Annotated[
        float | None, typer.Option(metavar="MS", help="Round trip without queueing [default: 100].")
    ] = None,
    release: Annotated[str, typer.Option(help="IOS release, like 12.2 or 15.1, or xe.")] = "15.1",
    basis: Annotated[
        WredBasisName, typer.Option(help="What tells packets apart.")
    ] = WredBasisName.DSCP,
    design_format: Annotated[DesignFormat, typer.Option("--format")] = DesignFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
) -> None:
    """WRED of a class: thresholds, denominators, weight, and the shares that they give."""
    from advisor.cli import design_jobs
    from advisor.cli.selection import words

    asked = design_jobs.WredAsked(
        rate, target_delay, packet, words(dscp), words(flows), words(share), rtt, release, basis
    )
    view = _view(design_format, output, no_color)
    raise typer.Exit(design_jobs.wred(asked, _flags(config, profile), view))
