"""`advisor size`: its options. A body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser
# ruff: noqa: PLR0917 -- typer gives every option by its name
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import Lan, SizeFormat, Wan
from advisor.cli.commands import Commands
from advisor.cli.options import Config, Output

_MOST_BYTES, _MOST_RU_BYTES, _MOST_FRAME_BYTES = 100_000_000, 65_535, 17_800
_MOST_TPS, _MOST_PEERS, _MOST_UNITS = 1_000_000, 100_000, 100_000

size_app = Commands(
    help="Size routers: CPU, head room and smallest platform.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@size_app.callback()
def _size() -> None:
    pass


@size_app.command()
def dlsw(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Configs with show outputs, bundles or folders."),
    ] = None,
    platform: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Platform, like 3640, NPE-300, RSP4 [default: that of `show version`].",
        ),
    ] = None,
    tps: Annotated[
        float | None,
        typer.Option(min=0, max=_MOST_TPS, metavar="N", help="Peak transactions/s of the router."),
    ] = None,
    pus: Annotated[
        int | None,
        typer.Option(min=1, max=_MOST_UNITS, metavar="N", help="SNA physical units, for --tps."),
    ] = None,
    lus: Annotated[
        int | None,
        typer.Option(
            min=1, max=_MOST_UNITS, metavar="N", help="Logical units of each PU [default: 1]."
        ),
    ] = None,
    lu_tps: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=_MOST_TPS,
            metavar="N",
            help="Transactions/s of each LU [default: 1, as in Cisco's tests].",
        ),
    ] = None,
    out_bytes: Annotated[
        int | None,
        typer.Option(min=0, max=_MOST_BYTES, metavar="BYTES", help="Bytes out of a transaction."),
    ] = None,
    in_bytes: Annotated[
        int | None,
        typer.Option(min=0, max=_MOST_BYTES, metavar="BYTES", help="Bytes in of a transaction."),
    ] = None,
    ru: Annotated[
        int | None,
        typer.Option(min=1, max=_MOST_RU_BYTES, metavar="BYTES", help="SNA response unit."),
    ] = None,
    lf: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=_MOST_FRAME_BYTES,
            metavar="BYTES",
            help="Largest frame [default: that of the config].",
        ),
    ] = None,
    peers: Annotated[
        int | None, typer.Option(min=0, max=_MOST_PEERS, metavar="N", help="Peers of the router.")
    ] = None,
    redundant: Annotated[
        bool,
        typer.Option(
            "--redundant",
            help="The router is one of a pair and carries both loads after a failure.",
        ),
    ] = False,
    domain: Annotated[
        int | None,
        typer.Option(
            "--fault-domain",
            min=1,
            max=_MOST_PEERS,
            metavar="PEERS",
            help="Peers that one failure may take down.",
        ),
    ] = None,
    survivor_limit: Annotated[
        float | None,
        typer.Option(
            min=1,
            max=100,
            metavar="PERCENT",
            help="CPU limit of the survivor of a pair [default: 50].",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="CSV of sites: site,tps,out_bytes,in_bytes,ru[,lf][,host]."
        ),
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TOML file of measurements that replace the estimate."),
    ] = None,
    lan: Annotated[
        Lan | None, typer.Option(help="LAN medium, for a remark [default: config].")
    ] = None,
    wan: Annotated[
        Wan | None, typer.Option(help="WAN medium, for a remark [default: config].")
    ] = None,
    config: Config = None,
    size_format: Annotated[SizeFormat, typer.Option("--format")] = SizeFormat.FULL,
    output: Output = None,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="Print without color; NO_COLOR does the same.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no notes.")] = False,
) -> None:
    """Size DLSw+ routers: CPU load now and after a failover."""
    from advisor.cli import size_jobs
    from advisor.cli.view import View
    from advisor.size.answer import Media
    from advisor.size.device import Profile

    options = size_jobs.SizeOptions(
        paths=tuple(paths or ()),
        table=table,
        platform=platform,
        profile=Profile(tps, out_bytes, in_bytes, ru, lf, peers),
        stations=size_jobs.Stations(pus, lus, lu_tps),
        media=Media((lan,) if lan else (), (wan,) if wan else ()),
        is_redundant=redundant,
        domain_peers=domain,
        survivor_percent=survivor_limit,
        calibration=calibration,
        config=config,
    )
    view = View(size_format, output, no_color, quiet)
    raise typer.Exit(size_jobs.size_dlsw(options, view))


def add_to(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(size_app, name="size")
