"""The commands and their options. A body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.main import get_command, get_command_name

from advisor import __version__
from advisor.cli.choices import (
    FailOn,
    FixLevel,
    InspectionFormat,
    PredictionFormat,
    ReportFormat,
    Shown,
    SnippetFormat,
)
from advisor.cli.commands import Commands
from advisor.cli.design_edge import design_app
from advisor.cli.diff_command import add_diff
from advisor.cli.fleet_commands import add_to as add_fleet_commands
from advisor.cli.lesson_command import add_demo
from advisor.cli.options import (
    Against,
    Config,
    Devices,
    Ignore,
    NoColor,
    NoSuppress,
    OnePath,
    Only,
    Output,
    Paths,
    Platform,
    Profile,
    Quiet,
    RuleName,
    Rules,
    ScenarioFile,
    Scheduler,
    Select,
    Simulate,
    Traffic,
    Workers,
    execution_of,
    flags_of,
    unless_stdout,
    view_of,
)
from advisor.cli.rules import rules_app
from advisor.cli.size import size_app
from advisor.cli.suppress_command import add_suppress

app = Commands(
    name="advisor",
    help="Cisco IOS QoS: predict delay, find faults, print proven remedies.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
config_app = typer.Typer(
    help="Show the settings in force.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(size_app, name="size")
app.add_typer(design_app, name="design")
app.add_typer(rules_app, name="rules")
app.add_typer(config_app, name="config")
add_fleet_commands(app)
add_suppress(app)
add_diff(app)
add_demo(app)


def command(first: str | None) -> Callable[..., Any]:
    """Return the command line, to be called with the arguments, of which `first` is the first.

    Where that is a command it stands alone: typer looks at every option of all commands that it
    is given, which takes as long as a short lint needs to read its file.
    """
    alone = copy(app)
    for each in app.registered_commands:
        if each.callback and first == (each.name or get_command_name(each.callback.__name__)):
            alone.registered_commands, alone.registered_groups = [each], []
    return get_command(alone)


def _version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"advisor {__version__}")
        raise typer.Exit


@app.callback()
def _advisor(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command()
def lint(
    paths: Paths,
    traffic: Traffic = None,
    report_format: Annotated[ReportFormat, typer.Option("--format")] = ReportFormat.FULL,
    output: Output = None,
    select: Select = [],  # noqa: B006 -- how typer spells a repeatable option
    ignore: Ignore = [],  # noqa: B006
    device: Devices = [],  # noqa: B006
    rules: Rules = [],  # noqa: B006
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="Lowest severity that gives exit code 1 [default: warning]."),
    ] = None,
    severity: Annotated[Shown, typer.Option(help="Lowest severity to show.")] = Shown.INFO,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
    quiet: Quiet = False,
    platform: Platform = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print how each part of a file was recognised.")
    ] = False,
    no_suppress: NoSuppress = False,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Report only what is not in this file of `advisor baseline`."
        ),
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> None:
    """Check configs and show outputs; print findings, worst first."""
    from advisor.cli import judge_jobs

    flags = flags_of(
        config,
        profile,
        traffic,
        select,
        ignore,
        fail_on,
        platform,
        no_suppress,
        baseline,
        device,
        rules,
    )
    view = view_of(report_format, output, no_color, quiet, severity, verbose)
    raise typer.Exit(judge_jobs.lint(paths, flags, view, execution_of(workers, scheduler)))


@app.command()
def fix(
    paths: Paths,
    rule: Only = [],  # noqa: B006
    device: Devices = [],  # noqa: B006
    rules: Rules = [],  # noqa: B006
    level: Annotated[FixLevel | None, typer.Option(help="Most intrusive remedy to print.")] = None,
    interface: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only what concerns this interface and its policies."),
    ] = None,
    guard: Annotated[
        int | None,
        typer.Option(
            min=1, max=999, metavar="MINUTES", help="Add what takes the change back by itself."
        ),
    ] = None,
    snippet_format: Annotated[SnippetFormat, typer.Option("--format")] = SnippetFormat.IOS,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|DIR",
            help="Write to a file, or to a folder: what to paste and its rollback, by device.",
            callback=unless_stdout,
        ),
    ] = None,
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    platform: Platform = None,
    quiet: Quiet = False,
    no_suppress: NoSuppress = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> None:
    """Print one plan for each device with its rollback and proof. Nothing is sent to a device."""
    from msgspec.structs import replace

    from advisor.cli import fix_jobs
    from advisor.cli.selection import words
    from advisor.lint.findings import Level
    from advisor.lint.plan import RemedySelection

    flags = flags_of(
        config,
        profile,
        traffic,
        platform=platform,
        no_suppress=no_suppress,
        devices=device,
        rules=rules,
    )
    view = replace(view_of(snippet_format, output, quiet=quiet), guard_minutes=guard)
    most = Level(level) if level is not None else None
    selection = RemedySelection(words(rule), most, interface)
    execution = execution_of(workers, scheduler)
    raise typer.Exit(fix_jobs.fix(paths, flags, view, selection, execution))


@app.command()
def predict(
    path: OnePath = None,
    interface: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this interface, like Serial0/0.")
    ] = None,
    assign: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a setting: tx-ring-limit, bandwidth, shape, priority (kb/s), bc (bits), "
            "mtu, fragment (bytes), queue-limit (packets), calls, load (percent), "
            "wred-min (packets), flows.GROUP.",
        ),
    ] = [],  # noqa: B006
    sweep: Annotated[
        list[str],
        typer.Option(
            metavar="KEY=A..B[:STEP]", help="Predict over a range of one or two settings."
        ),
    ] = [],  # noqa: B006
    link: Annotated[
        str | None, typer.Option(metavar="RATE", help="Predict a link without a config, like 512k.")
    ] = None,
    encap: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Encapsulation of --link: ppp, frame-relay, aal5snap, … [default: ppp]",
        ),
    ] = None,
    llq: Annotated[
        str | None, typer.Option(metavar="RATE", help="Rate of the priority class of --link.")
    ] = None,
    tx_ring_limit: Annotated[
        int | None, typer.Option(min=1, max=32767, metavar="N", help="Transmit ring of --link.")
    ] = None,
    calls: Annotated[
        int | None, typer.Option(metavar="N", help="Calls in the LLQ of --link.")
    ] = None,
    codec: Annotated[
        str | None, typer.Option(metavar="NAME", help="Codec of --calls [default: g729].")
    ] = None,
    background: Annotated[
        int | None,
        typer.Option(metavar="BYTES", help="IP packet size of the other traffic of --link."),
    ] = None,
    hops: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="TOML file of the hops of a path: end to end, R and MOS."
        ),
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
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print regimes, percentiles and inputs too.")
    ] = False,
    profile: Profile = None,
    config: Config = None,
    platform: Platform = None,
) -> None:
    """Predict delay, jitter, loss and throughput of each class."""
    from advisor.cli import predict_jobs, scenario_jobs

    stated = predict_jobs.link_of(link, encap, llq, tx_ring_limit, calls, codec, background)
    options = predict_jobs.PredictOptions(path, interface, assign, sweep, stated, hops, simulate)
    if scenario is not None:
        predict_jobs.refuse_beside_scenario(options)
        scenario_jobs.refuse_beside(path, interface, assign, traffic)
        view = view_of(prediction_format or PredictionFormat.JSON, output, no_color)
        raise typer.Exit(
            scenario_jobs.predict_scenarios(scenario, view, simulated=simulate, sweeps=sweep)
        )
    view = view_of(prediction_format or PredictionFormat.FULL, output, no_color, verbose=verbose)
    flags = flags_of(config, profile, traffic, platform=platform)
    raise typer.Exit(predict_jobs.predict(options, flags, view))


@app.command()
def inspect(
    paths: Paths,
    show_command: Annotated[
        str | None,
        typer.Option(
            "--command", metavar="COMMAND", help="Only this show output, like `sh pol int`."
        ),
    ] = None,
    second_opinion: Annotated[
        bool,
        typer.Option(
            "--second-opinion",
            help="Compare the sections with those of ciscoconfparse2, which an extra installs.",
        ),
    ] = False,
    inspection_format: Annotated[
        InspectionFormat, typer.Option("--format")
    ] = InspectionFormat.TREE,
    output: Output = None,
    no_color: NoColor = False,
    config: Config = None,
    platform: Platform = None,
    device: Devices = [],  # noqa: B006
    quiet: Quiet = False,
) -> None:
    """Print what was read: facts, observations and coverage."""
    from advisor.cli import inspect_jobs

    view = view_of(inspection_format, output, no_color, quiet)
    flags = flags_of(config, None, platform=platform, devices=device)
    if second_opinion:
        raise typer.Exit(inspect_jobs.compare(paths, flags, view, show_command))
    raise typer.Exit(inspect_jobs.inspect(paths, flags, view, show_command))


@app.command()
def explain(
    rule: RuleName,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]", help="A config: its numbers are put in, its findings shown."
        ),
    ] = None,
    traffic: Traffic = None,
    profile: Profile = None,
    config: Config = None,
    rules: Rules = [],  # noqa: B006
    no_color: NoColor = False,
) -> None:
    """Explain a rule with its examples and sources, or a formula."""
    from advisor.cli import explain_jobs

    flags = flags_of(config, profile, traffic, rules=rules)
    raise typer.Exit(explain_jobs.explain(rule, path, flags, view_of(no_color=no_color)))


@app.command()
def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[OUTPUT]",
            help="Command of one output: lint, predict, …; or scenarios: the files it reads.",
        ),
    ] = None,
    output: Output = None,
    check: Against = None,
) -> None:
    """Print the JSON Schema of one or all JSON outputs, or of scenario files."""
    from advisor.cli import rule_jobs

    raise typer.Exit(rule_jobs.schema(name, output, check))


@app.command("demo-router")
def demo_router(
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Bundle with the answers [default: a built-in bundle]."),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            min=0, max=65535, metavar="PORT", help="Port of the first router; 0: any free port."
        ),
    ] = 0,
    count: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Number of routers.")
    ] = 1,
    fault: Annotated[
        list[str], typer.Option(metavar="NAME", help="Fault to simulate; `list` prints the names.")
    ] = [],  # noqa: B006
    username: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Login name [default: ADVISOR_USERNAME, or advisor]."),
    ] = None,
    write_inventory: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write hosts.yaml and known_hosts into this folder."),
    ] = None,
) -> None:
    """Run simulated routers on loopback, to try collect and audit."""
    from advisor.cli import demo_jobs

    options = demo_jobs.DemoOptions(bundle, port, count, fault, username, write_inventory)
    raise typer.Exit(demo_jobs.demo_router(options))


@config_app.command("show")
def config_show(
    profile: Profile = None,
    config: Config = None,
    traffic: Traffic = None,
    rules: Rules = [],  # noqa: B006
    device: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Settings in force for a device of this name."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print every parameter of every rule too.")
    ] = False,
) -> None:
    """Print the settings in force as TOML, with the place where each value is stated."""
    from advisor.cli import settings_jobs

    flags = flags_of(config, profile, traffic, rules=rules)
    raise typer.Exit(settings_jobs.show_settings(flags, device, is_verbose=verbose))
