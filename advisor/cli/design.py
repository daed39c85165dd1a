"""`advisor design`: its options. A body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from typing import Annotated

import typer

from advisor.cli.choices import DesignFormat, WredBasisName
from advisor.cli.commands import Commands
from advisor.cli.options import Config, NoColor, Output, Profile, flags_of, view_of

design_app = Commands(
    help="Design settings from requirements, with proof.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@design_app.callback()
def _design() -> None:
    pass


@design_app.command("wred")
def design_wred(
    rate: Annotated[str, typer.Option(metavar="RATE", help="Rate of the class, like 512k or 2M.")],
    target_delay: Annotated[
        float | None,
        typer.Option(metavar="MS", help="Queueing delay at the maximum threshold [default: 100]."),
    ] = None,
    packet: Annotated[
        int | None, typer.Option(metavar="BYTES", help="Mean IP packet size [default: 1500].")
    ] = None,
    dscp: Annotated[
        list[str], typer.Option(metavar="CODES", help="DSCPs of the class, like af11,af12,af13.")
    ] = ["af11,af12,af13"],  # noqa: B006
    flows: Annotated[
        list[str],
        typer.Option(metavar="CODE=N", help="TCP flows of each code, like af11=3,af12=20."),
    ] = [],  # noqa: B006
    share: Annotated[
        list[str],
        typer.Option(metavar="CODE=PERCENT", help="Least share of a code, like af11=20%."),
    ] = [],  # noqa: B006
    rtt: Annotated[
        float | None, typer.Option(metavar="MS", help="Round trip without queueing [default: 100].")
    ] = None,
    release: Annotated[
        str, typer.Option(metavar="RELEASE", help="IOS release, like 12.2 or 15.1, or xe.")
    ] = "15.1",
    basis: Annotated[
        WredBasisName, typer.Option(help="Marking that WRED reads.")
    ] = WredBasisName.DSCP,
    design_format: Annotated[DesignFormat, typer.Option("--format")] = DesignFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
) -> None:
    """Design WRED of a class: thresholds, denominators, weight and shares."""
    from advisor.cli import design_jobs
    from advisor.cli.selection import words

    options = design_jobs.WredOptions(
        rate, target_delay, packet, words(dscp), words(flows), words(share), rtt, release, basis
    )
    view = view_of(design_format, output, no_color)
    raise typer.Exit(design_jobs.wred(options, flags_of(config, profile), view))
