"""Options of the commands that answer with figures: `predict`, `size dlsw` and `demo`."""

from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from msgspec import Struct

from advisor.cli.options import (
    Config,
    Exclude,
    NoColor,
    Output,
    Platform,
    Profile,
    Quiet,
    Rates,
    Traffic,
)
from advisor.report.formats import SIZINGS, SWEEPS

_MOST_BYTES: Final = 100_000_000
_MOST_RU_BYTES: Final = 65_535
_MOST_FRAME_BYTES: Final = 17_800
_MOST_TPS: Final = 1_000_000
_MOST_PEERS: Final = 100_000


class Predict(Struct, frozen=True):
    """Options of `predict`."""

    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]", help="A config, a bundle or a folder; - is standard input."
        ),
    ] = None
    interface: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this interface, like Serial0/0.")
    ] = None
    overrides: Annotated[
        tuple[str, ...],
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a setting: tx-ring-limit, bandwidth, shape, priority (kb/s), bc (bits), "
            "mtu, fragment (bytes), queue-limit (packets), calls, load (percent), "
            "wred-min (packets), flows.GROUP.",
        ),
    ] = ()
    sweep: Annotated[
        tuple[str, ...],
        typer.Option(
            metavar="KEY=A..B[:STEP]", help="Predict over a range of one or two settings."
        ),
    ] = ()
    link: Annotated[
        str | None, typer.Option(metavar="RATE", help="Predict a link without a config, like 512k.")
    ] = None
    encap: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Encapsulation of --link: ppp, frame-relay, aal5snap, … [default: ppp]",
        ),
    ] = None
    llq: Annotated[
        str | None, typer.Option(metavar="RATE", help="Rate of the priority class of --link.")
    ] = None
    tx_ring_limit: Annotated[
        int | None, typer.Option(min=1, max=32767, metavar="N", help="Transmit ring of --link.")
    ] = None
    calls: Annotated[int | None, typer.Option(metavar="N", help="Calls in the LLQ of --link.")] = (
        None
    )
    codec: Annotated[
        str | None, typer.Option(metavar="NAME", help="Codec of --calls [default: g729].")
    ] = None
    background: Annotated[
        int | None,
        typer.Option(metavar="BYTES", help="IP packet size of the other traffic of --link."),
    ] = None
    hops: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="TOML file of the hops of a path: end to end, R and MOS."
        ),
    ] = None
    traffic: Traffic = None
    scenario: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="JSON file of interfaces and their traffic, in place of PATH."
        ),
    ] = None
    simulate: Annotated[
        bool,
        typer.Option(
            "--simulate", help="Also simulate, and print the result beside the prediction."
        ),
    ] = False
    is_checked: Annotated[
        bool,
        typer.Option(
            "--check", help="Set formulas beside a run of the kernel, and print if they agree."
        ),
    ] = False
    form: Annotated[
        str | None,
        typer.Option("--format", help="[default: full; json for scenarios]"),
        SWEEPS.renderers,
    ] = None
    output: Output = None
    no_color: NoColor = False
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print regimes, percentiles and inputs too.")
    ] = False
    profile: Profile = None
    config: Config = None
    platform: Platform = None
    rates: Rates = ()


class Demo(Struct, frozen=True):
    """Options of `demo`."""

    link: Annotated[str, typer.Option(metavar="RATE", help="Rate of the link.")] = "512k"
    calls: Annotated[int, typer.Option(min=1, max=1_000, metavar="N", help="Calls.")] = 3
    codec: Annotated[str, typer.Option(metavar="NAME", help="Codec of the calls.")] = "g729"
    rings: Annotated[
        str, typer.Option(metavar="A..B", help="Rings to predict and to simulate.")
    ] = "1..40"
    seed: Annotated[int, typer.Option(metavar="N", help="Of the draws of the simulation.")] = 1
    form: Annotated[Literal["full", "json"], typer.Option("--format")] = "full"
    output: Output = None
    no_color: NoColor = False
    quiet: Quiet = False


class SizeDlsw(Struct, frozen=True):
    """Options of `size dlsw`."""

    paths: Annotated[
        tuple[str, ...],
        typer.Argument(metavar="[PATH]...", help="Configs with show outputs, bundles or folders."),
    ] = ()
    exclude: Exclude = ()
    model: Annotated[
        str | None,
        typer.Option(
            "--platform",
            metavar="NAME",
            help="Platform, like 3640, NPE-300, RSP4 [default: that of `show version`].",
        ),
    ] = None
    tps: Annotated[
        float | None,
        typer.Option(min=0, max=_MOST_TPS, metavar="N", help="Peak transactions/s of the router."),
    ] = None
    out_bytes: Annotated[
        int | None,
        typer.Option(min=0, max=_MOST_BYTES, metavar="BYTES", help="Bytes out of a transaction."),
    ] = None
    in_bytes: Annotated[
        int | None,
        typer.Option(min=0, max=_MOST_BYTES, metavar="BYTES", help="Bytes in of a transaction."),
    ] = None
    ru_bytes: Annotated[
        int | None,
        typer.Option("--ru", min=1, max=_MOST_RU_BYTES, metavar="BYTES", help="SNA response unit."),
    ] = None
    largest_frame_bytes: Annotated[
        int | None,
        typer.Option(
            "--lf",
            min=1,
            max=_MOST_FRAME_BYTES,
            metavar="BYTES",
            help="Largest frame [default: that of the config].",
        ),
    ] = None
    peers: Annotated[
        int | None, typer.Option(min=0, max=_MOST_PEERS, metavar="N", help="Peers of the router.")
    ] = None
    redundant: Annotated[
        bool,
        typer.Option(
            "--redundant",
            help="The router is one of a pair and carries both loads after a failure.",
        ),
    ] = False
    domain_peers: Annotated[
        int | None,
        typer.Option(
            "--fault-domain",
            min=1,
            max=_MOST_PEERS,
            metavar="PEERS",
            help="Peers that one failure may take down.",
        ),
    ] = None
    survivor_percent: Annotated[
        float | None,
        typer.Option(
            "--survivor-limit",
            min=1,
            max=100,
            metavar="PERCENT",
            help="CPU limit of the survivor of a pair [default: 50].",
        ),
    ] = None
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="CSV of sites: site,tps,out_bytes,in_bytes,ru[,lf][,host]."
        ),
    ] = None
    calibration: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TOML file of measurements that replace the estimate."),
    ] = None
    lan: Annotated[
        Literal["ethernet", "token-ring"] | None,
        typer.Option(help="LAN medium, for a remark [default: config]."),
    ] = None
    wan: Annotated[
        Literal["serial", "ethernet", "token-ring"] | None,
        typer.Option(help="WAN medium, for a remark [default: config]."),
    ] = None
    config: Config = None
    form: Annotated[str, typer.Option("--format"), SIZINGS.renderers] = "full"
    output: Output = None
    no_color: NoColor = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no notes.")] = False
