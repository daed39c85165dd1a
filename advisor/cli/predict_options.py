"""Options of the commands that print figures; `design edge` has the names of its questions."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Struct

from advisor.cli.options import Words
from advisor.report.formats import EDGE_DESIGNS, SIZINGS, SWEEPS, WRED_DESIGNS


class Predict(Struct, frozen=True):
    """Options of `predict`."""

    path: str | None = None
    interface: str | None = None
    overrides: tuple[str, ...] = ()
    sweep: tuple[str, ...] = ()
    link: str | None = None
    encap: str | None = None
    llq: str | None = None
    tx_ring_limit: int | None = None
    calls: int | None = None
    codec: str | None = None
    background: int | None = None
    hops: Path | None = None
    traffic: Path | None = None
    scenario: Path | None = None
    simulate: bool = False
    is_checked: bool = False
    form: Annotated[str | None, SWEEPS.renderers] = None
    output: Path | None = None
    no_color: bool = False
    verbose: bool = False
    profile: str | None = None
    config: Path | None = None
    platform: str | None = None
    rates: tuple[str, ...] = ()


class Demo(Struct, frozen=True):
    """Options of `demo`."""

    link: str = "512k"
    calls: int = 3
    codec: str = "g729"
    rings: str = "1..40"
    seed: int = 1
    form: Literal["full", "json"] = "full"
    output: Path | None = None
    no_color: bool = False
    quiet: bool = False


class SizeDlsw(Struct, frozen=True):
    """Options of `size dlsw`."""

    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    model: str | None = None
    tps: float | None = None
    out_bytes: int | None = None
    in_bytes: int | None = None
    ru_bytes: int | None = None
    largest_frame_bytes: int | None = None
    peers: int | None = None
    redundant: bool = False
    domain_peers: int | None = None
    survivor_percent: float | None = None
    table: Path | None = None
    calibration: Path | None = None
    lan: Literal["ethernet", "token-ring"] | None = None
    wan: Literal["serial", "ethernet", "token-ring"] | None = None
    config: Path | None = None
    form: Annotated[str, SIZINGS.renderers] = "full"
    output: Path | None = None
    no_color: bool = False
    quiet: bool = False


class DesignWred(Struct, frozen=True):
    """Options of `design wred`."""

    rate: str
    target_ms: float | None = None
    packet_bytes: int | None = None
    dscps: Words = ("af11,af12,af13",)
    flows: Words = ()
    shares: Words = ()
    rtt_ms: float | None = None
    release: str = "15.1"
    basis: Literal["dscp", "precedence"] = "dscp"
    form: Annotated[str, WRED_DESIGNS.renderers] = "full"
    output: Path | None = None
    no_color: bool = False
    profile: str | None = None
    config: Path | None = None


class _OfLine(Struct, frozen=True, kw_only=True):
    """Options of the designs of a line: its router, and how the design is written."""

    platform: str | None = None
    release: str | None = None
    interface: str | None = None
    form: Annotated[str, EDGE_DESIGNS.renderers] = "full"
    output: Path | None = None
    no_color: bool = False
    profile: str | None = None
    config: Path | None = None


class DesignLlq(_OfLine, frozen=True):
    """Options of `design llq`."""

    link: str
    calls: int
    encap: str | None = None
    codec: str = "g729"


class DesignLfi(_OfLine, frozen=True):
    """Options of `design lfi`."""

    link: str
    fragment_ms: float | None = None
    encap: str | None = None
    cir: str | None = None
    calls: int = 1
    codec: str = "g729"


class _OfClasses(_OfLine, frozen=True, kw_only=True):
    """Options of the designs of several classes."""

    calls: int = 0
    codec: str = "g729"
    signalling: bool = False
    routing: bool = False
    scavenger: bool = False
    contract_counts: Literal["layer2", "fcs", "wire"] = "layer2"
    data: Words = ()


class DesignShape(_OfClasses, frozen=True):
    """Options of `design shape`."""

    cir: str
    port: str


class DesignEdge(_OfClasses, frozen=True):
    """Options of `design edge`."""

    link: str | None = None
    encap: str | None = None
    links: int = 1
    cir: str | None = None
    port: str | None = None
    rtcp: bool = False
    gre: bool = False
    gre_key: bool = False
    ipsec: Words = ()
    dlsw: bool = False
    on: Path | None = None
    lan: str | None = None
    mark: Literal["trust", "acl", "nbar"] = "trust"
    far_platform: str | None = None
    far_release: str | None = None
