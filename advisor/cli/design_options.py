"""Options of the designs; those of an edge are named like the fields of its requirements."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec import Struct

from advisor.cli.options import WORDS, Config, NoColor, Output, Profile
from advisor.report.formats import EDGE_DESIGNS, WRED_DESIGNS

Link = Annotated[str, typer.Option(metavar="RATE", help="Rate of the line, like 512k or 2M.")]
Encap = Annotated[
    str | None,
    typer.Option(
        metavar="L2",
        help="ppp, hdlc, mlppp, frame-relay, aal5snap or arpa [default: ppp, or that of --on].",
    ),
]
Cir = Annotated[
    str | None, typer.Option(metavar="RATE", help="Contracted rate, where less than the line.")
]
Calls = Annotated[int, typer.Option(metavar="N", help="Calls at once.")]
Codec = Annotated[str, typer.Option(metavar="NAME", help="Codec of the calls.")]
Signalling = Annotated[bool, typer.Option("--signalling", help="A class for call signalling.")]
Routing = Annotated[
    bool, typer.Option("--routing", help="A class for routing and network management: CS6, CS2.")
]
Scavenger = Annotated[bool, typer.Option("--scavenger", help="A class below all others: CS1.")]
ContractCounts = Annotated[
    Literal["layer2", "fcs", "wire"],
    typer.Option(help="What the carrier counts of a frame: as IOS, with the FCS, or all."),
]
Data = Annotated[
    tuple[str, ...],
    typer.Option(
        metavar="CODE=PERCENT[:MS]",
        help="Classes, in percent of the link, and how long a full queue may take: af21=30%:300ms",
    ),
    WORDS,
]
Model = Annotated[
    str | None, typer.Option(metavar="MODEL", help="Model, like 2811 or ISR4331 [default: 2811].")
]
Release = Annotated[
    str | None, typer.Option("--ios", metavar="RELEASE", help="12.4(15)T, 16.9 [default: 15.1].")
]
Interface = Annotated[
    str | None, typer.Option(metavar="NAME", help="Interface of the line; of a bundle the first.")
]
Format = Annotated[str, typer.Option("--format"), EDGE_DESIGNS.renderers]


class DesignWred(Struct, frozen=True):
    """Options of `design wred`."""

    rate: Annotated[str, typer.Option(metavar="RATE", help="Rate of the class, like 512k or 2M.")]
    target_ms: Annotated[
        float | None,
        typer.Option(
            "--target-delay",
            metavar="MS",
            help="Queueing delay at the maximum threshold [default: 100].",
        ),
    ] = None
    packet_bytes: Annotated[
        int | None,
        typer.Option("--packet", metavar="BYTES", help="Mean IP packet size [default: 1500]."),
    ] = None
    dscps: Annotated[
        tuple[str, ...],
        typer.Option("--dscp", metavar="CODES", help="DSCPs of the class, like af11,af12,af13."),
        WORDS,
    ] = ("af11,af12,af13",)
    flows: Annotated[
        tuple[str, ...],
        typer.Option(metavar="CODE=N", help="TCP flows of each code, like af11=3,af12=20."),
        WORDS,
    ] = ()
    shares: Annotated[
        tuple[str, ...],
        typer.Option(
            "--share", metavar="CODE=PERCENT", help="Least share of a code, like af11=20%."
        ),
        WORDS,
    ] = ()
    rtt_ms: Annotated[
        float | None,
        typer.Option("--rtt", metavar="MS", help="Round trip without queueing [default: 100]."),
    ] = None
    release: Annotated[
        str, typer.Option(metavar="RELEASE", help="IOS release, like 12.2 or 15.1, or xe.")
    ] = "15.1"
    basis: Annotated[
        Literal["dscp", "precedence"], typer.Option(help="Marking that WRED reads.")
    ] = "dscp"
    form: Annotated[str, typer.Option("--format"), WRED_DESIGNS.renderers] = "full"
    output: Output = None
    no_color: NoColor = False
    profile: Profile = None
    config: Config = None


class _OfLine(Struct, frozen=True, kw_only=True):
    """Options of the designs of a line: its router, and how the design is written."""

    platform: Model = None
    release: Release = None
    interface: Interface = None
    form: Format = "full"
    output: Output = None
    no_color: NoColor = False
    profile: Profile = None
    config: Config = None


class DesignLlq(_OfLine, frozen=True):
    """Options of `design llq`."""

    link: Link
    calls: Calls
    encap: Encap = None
    codec: Codec = "g729"


class DesignLfi(_OfLine, frozen=True):
    """Options of `design lfi`."""

    link: Link
    fragment_ms: Annotated[
        float | None,
        typer.Option(
            "--budget", metavar="MS", help="Time of a fragment on the line [default: 10]."
        ),
    ] = None
    encap: Encap = None
    cir: Cir = None
    calls: Calls = 1
    codec: Codec = "g729"


class DesignShape(_OfLine, frozen=True):
    """Options of `design shape`."""

    cir: Annotated[str, typer.Option(metavar="RATE", help="Contracted rate, like 20m.")]
    port: Annotated[str, typer.Option(metavar="RATE", help="Speed of the port, like 1g.")]
    calls: Calls = 0
    codec: Codec = "g729"
    signalling: Signalling = False
    routing: Routing = False
    scavenger: Scavenger = False
    contract_counts: ContractCounts = "layer2"
    data: Data = ()


class DesignEdge(_OfLine, frozen=True):
    """Options of `design edge`."""

    link: Annotated[
        str | None,
        typer.Option("--link", metavar="RATE", help="Rate of the line, like 512k or 2M."),
    ] = None
    encap: Encap = None
    links: Annotated[int, typer.Option(metavar="N", help="Lines of a bundle (mlppp).")] = 1
    cir: Cir = None
    port: Annotated[str | None, typer.Option(metavar="RATE", help="Speed of an Ethernet port.")] = (
        None
    )
    calls: Calls = 0
    codec: Codec = "g729"
    signalling: Signalling = False
    routing: Routing = False
    scavenger: Scavenger = False
    rtcp: Annotated[bool, typer.Option("--rtcp", help="Room for RTCP, 5 % of the calls.")] = False
    gre: Annotated[bool, typer.Option("--gre", help="Calls leave in GRE.")] = False
    gre_key: Annotated[
        bool, typer.Option("--gre-key", help="Calls leave in GRE with a key, as in DMVPN.")
    ] = False
    ipsec: Annotated[
        tuple[str, ...],
        typer.Option(metavar="SET", help="Transform set around them: esp-aes,esp-sha-hmac"),
        WORDS,
    ] = ()
    contract_counts: ContractCounts = "layer2"
    data: Data = ()
    dlsw: Annotated[bool, typer.Option("--dlsw", help="A class for DLSw+.")] = False
    on: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Configuration that takes the lines.")
    ] = None
    lan: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Interface of the LAN, for --mark acl and nbar."),
    ] = None
    mark: Annotated[
        Literal["trust", "acl", "nbar"],
        typer.Option(help="Who marks voice: the LAN (trust), or the router and by what."),
    ] = "trust"
    far_platform: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Model of the far end [default: that of this end]."),
    ] = None
    far_release: Annotated[
        str | None,
        typer.Option(
            "--far-ios", metavar="RELEASE", help="Release of the far end [default: same]."
        ),
    ] = None
