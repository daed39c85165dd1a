"""`predict`: its options. The body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import PredictionFormat
from advisor.cli.commands import Commands
from advisor.cli.options import (
    Config,
    NoColor,
    OnePath,
    Output,
    Platform,
    Profile,
    ScenarioFile,
    Simulate,
    Traffic,
    flags_of,
    view_of,
)


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


def add_to(app: Commands) -> None:
    """Add the command."""
    app.command()(predict)
