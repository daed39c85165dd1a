"""`advisor design llq`, `lfi`, `shape` and `edge`: their options. A body is a call, as in `app`."""

# ruff: noqa: PLC0415 -- `--help` and completion must not wait for the parser and the rules
# ruff: noqa: PLR0917 -- typer gives every option by its name
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.choices import DesignFormat, MarkingName
from advisor.cli.design import design_app
from advisor.cli.options import Config, NoColor, Output, Profile, flags_of, view_of

Link = Annotated[str, typer.Option(metavar="RATE", help="Rate of the line, like 512k or 2M.")]
SomeLink = Annotated[
    str | None, typer.Option("--link", metavar="RATE", help="Rate of the line, like 512k or 2M.")
]
Encap = Annotated[
    str | None,
    typer.Option(
        metavar="L2",
        help="ppp, hdlc, mlppp, frame-relay, aal5snap or arpa [default: ppp, or that of --on].",
    ),
]
Links = Annotated[int, typer.Option(metavar="N", help="Lines of a bundle (mlppp).")]
Cir = Annotated[
    str | None, typer.Option(metavar="RATE", help="Contracted rate, where less than the line.")
]
Port = Annotated[str | None, typer.Option(metavar="RATE", help="Speed of an Ethernet port.")]
Calls = Annotated[int, typer.Option(metavar="N", help="Calls at once.")]
Codec = Annotated[str, typer.Option(metavar="NAME", help="Codec of the calls.")]
Signalling = Annotated[bool, typer.Option("--signalling", help="A class for call signalling.")]
Data = Annotated[
    list[str],
    typer.Option(
        metavar="CODE=PERCENT[:MS]",
        help="Classes, in percent of the link, and how long a full queue may take: af21=30%:300ms",
    ),
]
Dlsw = Annotated[bool, typer.Option("--dlsw", help="A class for DLSw+.")]
Platform = Annotated[
    str | None, typer.Option(metavar="MODEL", help="Model, like 2811 or ISR4331 [default: 2811].")
]
Release = Annotated[
    str | None, typer.Option("--ios", metavar="RELEASE", help="12.4(15)T, 16.9 [default: 15.1].")
]
Interface = Annotated[
    str | None, typer.Option(metavar="NAME", help="Interface of the line; of a bundle the first.")
]
On = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Configuration that takes the lines.")
]
Budget = Annotated[
    float | None, typer.Option(metavar="MS", help="Time of a fragment on the line [default: 10].")
]
Lan = Annotated[
    str | None, typer.Option(metavar="NAME", help="Interface of the LAN, for --mark acl and nbar.")
]
Mark = Annotated[
    MarkingName, typer.Option(help="Who marks voice: the LAN (trust), or the router and by what.")
]
Templates = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Jinja2 templates of your own in place of some of ours."),
]
FarPlatform = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="Model of the far end [default: that of this end]."),
]
FarRelease = Annotated[
    str | None,
    typer.Option("--far-ios", metavar="RELEASE", help="Release of the far end [default: same]."),
]
Format = Annotated[DesignFormat, typer.Option("--format")]


@design_app.command("llq")
def design_llq(
    link: Link,
    calls: Calls,
    encap: Encap = None,
    codec: Codec = "g729",
    platform: Platform = None,
    release: Release = None,
    interface: Interface = None,
    design_format: Format = DesignFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
) -> None:
    """Design a priority queue for calls: its rate and burst, the ring, and fragments if needed."""
    from advisor.cli import design_edge_jobs
    from advisor.design.edge_demand import EdgeFlags

    flags = EdgeFlags(
        link=link,
        encap=encap,
        calls=calls,
        codec=codec,
        platform=platform,
        release=release,
        interface=interface,
    )
    view = view_of(design_format, output, no_color)
    raise typer.Exit(design_edge_jobs.edge(flags, flags_of(config, profile), view))


@design_app.command("lfi")
def design_lfi(
    link: Link,
    budget: Budget = None,
    encap: Encap = None,
    cir: Cir = None,
    calls: Calls = 1,
    codec: Codec = "g729",
    platform: Platform = None,
    release: Release = None,
    interface: Interface = None,
    design_format: Format = DesignFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
) -> None:
    """Design fragments and interleaving: Multilink PPP or FRF.12, with the LLQ that needs them."""
    from advisor.cli import design_edge_jobs
    from advisor.design.edge_demand import EdgeFlags

    flags = EdgeFlags(
        link=link,
        encap=encap,
        cir=cir,
        calls=calls,
        codec=codec,
        platform=platform,
        release=release,
        interface=interface,
        fragment_ms=budget,
        must_fragment=True,
    )
    view = view_of(design_format, output, no_color)
    raise typer.Exit(design_edge_jobs.edge(flags, flags_of(config, profile), view))


@design_app.command("shape")
def design_shape(
    cir: Annotated[str, typer.Option(metavar="RATE", help="Contracted rate, like 20m.")],
    port: Annotated[str, typer.Option(metavar="RATE", help="Speed of the port, like 1g.")],
    calls: Calls = 0,
    codec: Codec = "g729",
    signalling: Signalling = False,
    data: Data = [],  # noqa: B006
    platform: Platform = None,
    release: Release = None,
    interface: Interface = None,
    design_format: Format = DesignFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
) -> None:
    """Design a shaper of a port that is faster than its contract: Tc 10 ms, Be 0, nested policy."""
    from advisor.cli import design_edge_jobs
    from advisor.cli.selection import words
    from advisor.design.edge_demand import EdgeFlags

    flags = EdgeFlags(
        cir=cir,
        port=port,
        calls=calls,
        codec=codec,
        signalling=signalling,
        data=words(data),
        platform=platform,
        release=release,
        interface=interface,
    )
    view = view_of(design_format, output, no_color)
    raise typer.Exit(design_edge_jobs.edge(flags, flags_of(config, profile), view))


@design_app.command("edge")
def design_edge(
    link: SomeLink = None,
    encap: Encap = None,
    links: Links = 1,
    cir: Cir = None,
    port: Port = None,
    calls: Calls = 0,
    codec: Codec = "g729",
    signalling: Signalling = False,
    data: Data = [],  # noqa: B006
    dlsw: Dlsw = False,
    platform: Platform = None,
    release: Release = None,
    interface: Interface = None,
    on: On = None,
    lan: Lan = None,
    mark: Mark = MarkingName.TRUST,
    far_platform: FarPlatform = None,
    far_release: FarRelease = None,
    templates: Templates = None,
    design_format: Format = DesignFormat.FULL,
    output: Output = None,
    no_color: NoColor = False,
    profile: Profile = None,
    config: Config = None,
) -> None:
    """Design a whole WAN edge: classes, policy, shaper, ring, fragments, with their prediction."""
    from advisor.cli import design_edge_jobs
    from advisor.cli.selection import words
    from advisor.design.edge_demand import EdgeFlags

    flags = EdgeFlags(
        link=link,
        encap=encap,
        links=links,
        cir=cir,
        port=port,
        calls=calls,
        codec=codec,
        signalling=signalling,
        data=words(data),
        dlsw=dlsw,
        platform=platform,
        release=release,
        interface=interface,
        lan=lan,
        mark=mark,
        far_platform=far_platform,
        far_release=far_release,
        templates=templates,
    )
    view = view_of(design_format, output, no_color)
    raise typer.Exit(design_edge_jobs.edge(flags, flags_of(config, profile), view, on))


def add_to(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(design_app, name="design")
