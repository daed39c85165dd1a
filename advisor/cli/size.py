"""`advisor size`: its options. A body is a call: everything heavy is imported by it."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser
# ruff: noqa: PLR0917 -- typer gives every option by its name
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import Lan, SizeFormat, Wan

_MOST_BYTES, _MOST_RU_BYTES, _MOST_FRAME_BYTES = 100_000_000, 65_535, 17_800
_MOST_TPS, _MOST_PEERS = 1_000_000, 100_000

size_app = typer.Typer(
    help="CPU, head room and platform for what a router carries.",
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
        typer.Argument(metavar="[PATH]...", help="Configs with show outputs, bundles, folders."),
    ] = None,
    platform: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Like 3640, NPE-300, RSP4; else by `show version`."),
    ] = None,
    tps: Annotated[
        float | None,
        typer.Option(min=0, max=_MOST_TPS, help="Peak transactions/s of this router."),
    ] = None,
    out_bytes: Annotated[
        int | None, typer.Option(min=0, max=_MOST_BYTES, help="Of a transaction, one way.")
    ] = None,
    in_bytes: Annotated[
        int | None, typer.Option(min=0, max=_MOST_BYTES, help="Of a transaction, the other way.")
    ] = None,
    ru: Annotated[
        int | None, typer.Option(min=1, max=_MOST_RU_BYTES, help="SNA response unit, bytes.")
    ] = None,
    lf: Annotated[
        int | None,
        typer.Option(
            min=1, max=_MOST_FRAME_BYTES, help="Largest frame, bytes; else that of the config."
        ),
    ] = None,
    peers: Annotated[
        int | None, typer.Option(min=0, max=_MOST_PEERS, help="Peers of this router.")
    ] = None,
    redundant: Annotated[
        bool,
        typer.Option("--redundant", help="One of a pair: after a failure it carries both."),
    ] = False,
    domain: Annotated[
        int | None,
        typer.Option(
            "--fault-domain",
            min=1,
            max=_MOST_PEERS,
            metavar="PEERS",
            help="Peers that may be lost at once.",
        ),
    ] = None,
    survivor_limit: Annotated[
        float | None,
        typer.Option(
            min=1, max=100, metavar="PERCENT", help="CPU that the survivor may use [default: 50]."
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV: site,tps,out_bytes,in_bytes,ru[,lf][,host]."),
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TOML of measurements that replace the estimate."),
    ] = None,
    lan: Annotated[Lan | None, typer.Option(help="Noted; else by the config.")] = None,
    wan: Annotated[Wan | None, typer.Option(help="Noted; else by the config.")] = None,
    size_format: Annotated[SizeFormat, typer.Option("--format")] = SizeFormat.FULL,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to a file, whole or not at all.")
    ] = None,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="Plain text; so does NO_COLOR.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notes.")] = False,
) -> None:
    """Size DLSw+ routers: frames/s to CPU, now and after a failover."""
    from advisor.cli import size_jobs
    from advisor.cli.view import View
    from advisor.size.answer import Media
    from advisor.size.device import Profile

    options = size_jobs.SizeOptions(
        paths=tuple(paths or ()),
        table=table,
        platform=platform,
        profile=Profile(tps, out_bytes, in_bytes, ru, lf, peers),
        media=Media((lan,) if lan else (), (wan,) if wan else ()),
        is_redundant=redundant,
        domain_peers=domain,
        survivor_percent=survivor_limit,
        calibration=calibration,
    )
    view = View(size_format, output, no_color, quiet)
    raise typer.Exit(size_jobs.size_dlsw(options, view))
