"""Largest frames and the CPU that they cost at the peak, and undefined references."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import peers_over_ip
from advisor.facts.config import Facts
from advisor.facts.dlsw import ListKind, PeerDefaults, RemotePeer
from advisor.facts.read_dlsw_peers import LARGEST_FRAMES
from advisor.ground.quantity import Basis, Unknown, exact, point
from advisor.ground.units import whole
from advisor.ios.syntax import ConfigTree, Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.dls import DesignParams, Peak, confidence_over, load_words, peak_of
from advisor.lint.checks.ref import ACCESS_LISTS, Name, missing
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.predict.size.platform_line import moving
from advisor.predict.size.seen import has_dlsw, seen_load
from advisor.settings import Transactions
from advisor.shows.cpu import CpuLoad
from advisor.theory.dlsw import frames_per_transaction

# A largest frame below the RU: each RU then takes more frames, and each frame costs CPU.

_ETHERNET = frozenset(("Ethernet", "FastEthernet", "GigabitEthernet"))
_ETHERNET_BYTES = 1500  # a larger frame does not fit the LAN, whatever `lf` allows

_LOCAL_PEER: Final = "dlsw local-peer"
_KEYWORDS: Final = 2  # `dlsw remote-peer`
_HELD: Final = (
    "together with `dlsw local-peer`: its lf {} holds every circuit down, so that a larger one of "
    "the peer alone brings nothing"
)
_LOCAL: Final = (
    "no source says whether `dlsw local-peer` can be entered again without losing all circuits"
)


class OtherWords(Struct, frozen=True):
    """The words of a peer's line before its `lf` and after the size, as they are."""

    before: str
    after: str


class SmallFrame(Struct, frozen=True):
    """The setting, the frames that it makes of a transaction, and those that are needed."""

    lf_bytes: int
    ru_bytes: int
    advised_bytes: int
    frames: int
    needed_frames: int
    at_peak: str
    line: OtherWords


class _Stated(Struct, frozen=True):
    """An `lf` and the statement that sets it."""

    label: str
    at: Location
    lf_bytes: int


def find_dlsw_largest_frame(device: Device) -> Found[SmallFrame]:
    """Yield a hit for each `lf` that splits the stated RU without need."""
    stated, peak = tuple(_stated(device.facts)), device.transactions
    if peak is None:
        if stated:
            yield Skip("dlsw lf", "the RU is not stated: [[traffic]] with peak_tps and ru_bytes")
        return
    hits = (_hit(device, setting, peak) for setting in stated)
    yield from (hit for hit in hits if hit is not None)


def _stated(facts: Facts) -> Iterator[_Stated]:
    local = facts.dlsw.local_peer
    if local is not None and local.lf_bytes is not None:
        yield _Stated(_LOCAL_PEER, local.at, local.lf_bytes)
    for peer in facts.dlsw.remote_peers:
        if peer.options.lf_bytes is not None:
            yield _Stated(f"dlsw peer {peer.peer}", peer.at, peer.options.lf_bytes)


def _hit(device: Device, stated: _Stated, peak: Transactions) -> Hit[SmallFrame] | None:
    advised = _advised(device, peak.ru_bytes)
    sizes = (peak.out_bytes, peak.in_bytes, peak.ru_bytes)
    frames = frames_per_transaction(*sizes, stated.lf_bytes)
    needed = frames_per_transaction(*sizes, advised)
    if needed >= frames:
        return None
    before, after = (
        point(fps, "frames/s") for fps in (peak.peak_tps * frames, peak.peak_tps * needed)
    )
    line = _words_of(device.facts.tree, stated)
    is_local = stated.label == _LOCAL_PEER
    local = device.facts.dlsw.local_peer
    local_bytes = None if is_local or local is None else local.lf_bytes
    is_held = local_bytes is not None and frames_per_transaction(*sizes, local_bytes) > needed
    advice = _by_hand(line, advised) if is_local and line is not None else None
    evidence = SmallFrame(
        stated.lf_bytes,
        peak.ru_bytes,
        advised,
        frames,
        needed,
        f"from {before.value:g} to {after.value:g} frames/s at the peak"
        + _cpu(device, before.value, after.value),
        line or OtherWords("", ""),
    )
    inputs = (
        exact("peak_tps", peak.peak_tps, Basis.CONFIGURED, peak.source),
        exact("ru_bytes", peak.ru_bytes, Basis.CONFIGURED, peak.source),
        exact("lf_bytes", stated.lf_bytes, Basis.CONFIGURED, str(stated.at)),
    )
    forecast = Forecast(
        "frames per second, if the whole peak takes this setting", before, None, inputs
    )
    return Hit(
        stated.label,
        (stated.at,),
        evidence,
        Confidence.LIKELY,
        forecast,
        curable=line is not None and not is_local and not is_held,
        advice=_HELD.format(local_bytes) if is_held else advice,
    )


def _advised(device: Device, ru_bytes: int) -> int:
    """The smallest `lf` that holds an RU, and no more than the LAN carries."""
    holds = next(
        (frame_bytes for frame_bytes in LARGEST_FRAMES if frame_bytes >= ru_bytes),
        LARGEST_FRAMES[-1],
    )
    on_ethernet = _ETHERNET & set(seen_load(device).lan)
    return min(holds, _ETHERNET_BYTES) if on_ethernet else holds


def _cpu(device: Device, fps: float, needed_fps: float) -> str:
    """The CPU of both rates in words; nothing where the platform has no line."""
    peak = peak_of(device)
    if not isinstance(peak, Peak):
        return ""
    before, after = peak.cpu(fps), peak.cpu(needed_fps)
    return (
        f", from {before.value:.0f} % CPU ({before.low:.0f} to {before.high:.0f}) to "
        f"{after.value:.0f} % ({after.low:.0f} to {after.high:.0f}), {peak.line.basis}"
    )


def _by_hand(line: OtherWords, lf_bytes: int) -> str:
    statement = f"{_LOCAL_PEER} {line.before} lf {lf_bytes} {line.after}".rstrip()
    return f"in a window enter `{statement}`: {_LOCAL}"


def _words_of(tree: ConfigTree, stated: _Stated) -> OtherWords | None:
    """The other words of a statement, after its two keywords.

    In an edited config two lines may share a number: the words identify the line.
    """
    name = stated.label.split()[-1]
    for line in tree.lines:
        words = line.text.split()
        keywords = line.text.lower().split()
        if tree.at(line) == stated.at and name in keywords and "lf" in keywords:
            lf = keywords.index("lf")
            return OtherWords(" ".join(words[_KEYWORDS:lf]), " ".join(words[lf + 2 :]))
    return None


# More CPU for DLSw+ at the peak than its design rule allows.

_CPU = "dlsw cpu"


class DesignLoad(Struct, frozen=True):
    """The load and its basis."""

    cpu: str
    at_peak: str
    design_percent: float


def find_dlsw_cpu_over_design(device: Device, params: DesignParams) -> Found[DesignLoad]:
    """Yield one hit for a steady load over the design rule, else for a predicted one."""
    if not has_dlsw(device):
        return
    steady = [load for load in device.seen.cpu if moving(load) is None]
    loads_over = [load for load in steady if load.one_minute_percent > params.design_percent]
    if loads_over:
        yield _measured(max(loads_over, key=lambda load: load.one_minute_percent), params)
        return
    peak = peak_of(device)
    if peak is None:
        return
    if isinstance(peak, Unknown):
        yield Skip(_CPU, peak.reason + _could_have(steady))
        return
    figure = peak.cpu()
    confidence = confidence_over(figure, params.design_percent, peak.line)
    if confidence is not None:
        yield _predicted(device, peak, confidence, params)


def _could_have(steady: list[CpuLoad]) -> str:
    """A steady load in words: without frame counts, DLSw+ has at most its process level."""
    if not steady:
        return ""
    last = steady[-1]
    process = last.process_percent
    sentence = f"; {last.one_minute_percent} % CPU over one minute is steady ({last.at})"
    if process is None:
        return sentence
    return f"{sentence}, and the {process} % of it at process level is the most that DLSw+ can use"


def _measured(load: CpuLoad, params: DesignParams) -> Hit[DesignLoad]:
    percent = load.one_minute_percent
    evidence = DesignLoad(
        f"{percent} %", "measured over one minute and steady", params.design_percent
    )
    measured = exact("one_minute_percent", percent, Basis.MEASURED, str(load.at))
    forecast = Forecast("cpu", point(percent, "%"), None, (measured,))
    return Hit(_CPU, (load.at,), evidence, Confidence.CERTAIN, forecast)


def _predicted(
    device: Device, peak: Peak, confidence: Confidence, params: DesignParams
) -> Hit[DesignLoad]:
    figure = peak.cpu()
    evidence = DesignLoad(
        load_words(figure),
        f"{peak.line.basis} at {peak.load.fps:.0f} frames/s",
        params.design_percent,
    )
    return Hit(
        _CPU,
        (_place_of(device),),
        evidence,
        confidence,
        Forecast("cpu at the peak", figure, None, (peak.fps, peak.slope)),
        severity=Severity.INFO if confidence is Confidence.POSSIBLE else None,
        advice=_smaller_load(device),
    )


def _smaller_load(device: Device) -> str | None:
    """Advise larger frames ahead of a purchase; None where `lf` splits no RU."""
    found = (hit.evidence for hit in find_dlsw_largest_frame(device) if isinstance(hit, Hit))
    frame = next(found, None)
    if frame is None:
        return None
    return (
        f"first, in a window as circuits may be lost, set lf to {frame.advised_bytes} (DLS007): "
        f"{frame.at_peak}; for what remains move peers to another router, or take a faster one: "
        "advisor size dlsw names the smallest that carries the peak"
    )


def _place_of(device: Device) -> Location:
    """The statement of the local peer, else the line that names the device."""
    local = device.facts.dlsw.local_peer
    return local.at if local is not None else device.at


# DLSw+ statements that name a list, a local peer or a bridge group that is not defined.

_LOCAL_HEADS: Final = ("dlsw local-peer",)
_LISTS: Final = ("dlsw ring-list", "dlsw bgroup-list", "dlsw port-list")


class MissingReference(Struct, frozen=True):
    """The missing definition and the statement that names it."""

    statement: str
    target: str


class _Reference(Struct, frozen=True):
    """A statement and the command that it misses; `words` where other commands serve too.

    `heads` are the commands that define what it names.
    """

    statement: str
    target: str
    at: Location
    defined: Collection[object]
    heads: tuple[str, ...]
    words: str | None = None


def find_dlsw_undefined_reference(device: Device) -> Found[MissingReference]:
    """Yield a hit for each reference without its definition."""
    for reference in _undefined(device.facts):
        evidence = MissingReference(reference.statement, reference.words or reference.target)
        defined = [str(name) for name in reference.defined]
        label = f"dlsw > {reference.target}"
        name = Name(reference.target, reference.heads, defined, label, reference.at)
        yield missing(device, name, evidence)


def _undefined(facts: Facts) -> Iterator[_Reference]:
    yield from _without_local_peer(facts)
    lists = {peer_list.number for peer_list in facts.dlsw.lists}
    targets: set[str] = set()
    for reference in (*_of_peers(facts.dlsw.remote_peers, lists), *_of_options(facts)):
        if reference.target not in targets:
            targets.add(reference.target)
            yield reference
    yield from _groups(facts)


def _without_local_peer(facts: Facts) -> Iterator[_Reference]:
    """Every peer needs a local peer; a peer over IP also needs the address of it."""
    local, peers = facts.dlsw.local_peer, facts.dlsw.remote_peers
    over_ip = next(peers_over_ip(peers), None)
    if peers and local is None:
        target = "dlsw local-peer"
        yield _Reference(_statement(peers[0]), target, peers[0].at, (), _LOCAL_HEADS)
    elif over_ip is not None and local is not None and local.peer_id is None:
        target = "dlsw local-peer peer-id"
        yield _Reference(
            _statement(over_ip),
            target,
            over_ip.at,
            ("local-peer",),
            _LOCAL_HEADS,
        )


def _of_peers(peers: Iterable[RemotePeer], lists: set[int]) -> Iterator[_Reference]:
    for peer in peers:
        if peer.list_number != 0 and peer.list_number not in lists:
            number = peer.list_number
            words = f"ring-list, bgroup-list or port-list {number}"
            target = f"dlsw ring-list {number}"
            yield _Reference(_statement(peer), target, peer.at, lists, _LISTS, words)


def _of_options(facts: Facts) -> Iterator[_Reference]:
    """Lists that the options of peers name, and the defaults of peers that are not configured."""
    dlsw, access_lists = facts.dlsw, facts.access_list_names
    ports = {peer_list.number for peer_list in dlsw.lists if peer_list.kind is ListKind.PORTS}
    stated: list[tuple[str, RemotePeer | PeerDefaults]] = [
        *((_statement(peer), peer) for peer in dlsw.remote_peers),
        *(("dlsw prom-peer-defaults", defaults) for defaults in dlsw.promiscuous_defaults),
        *(("dlsw peer-on-demand-defaults", defaults) for defaults in dlsw.on_demand_defaults),
    ]
    for words, line in stated:
        lsap, port = line.options.lsap_output_list, line.options.port_list
        if lsap is not None and str(lsap) not in access_lists:
            statement, target = f"{words} lsap-output-list {lsap}", f"access-list {lsap}"
            yield _Reference(statement, target, line.at, access_lists, ACCESS_LISTS)
        if port and port not in ports:  # 0 is all ports
            statement, target = f"{words} port-list {port}", f"dlsw port-list {port}"
            yield _Reference(statement, target, line.at, ports, _LISTS)


def _groups(facts: Facts) -> Iterator[_Reference]:
    bridges = {bridge.value for bridge in facts.dlsw.bridges}
    used = {group.number for group in facts.dlsw.bridge_groups}
    for group in facts.dlsw.bridge_groups:
        if group.number not in bridges:
            statement = f"dlsw bridge-group {group.number}"
            target = f"bridge {group.number} protocol"
            yield _Reference(statement, target, group.at, bridges, ("bridge ",))
    for peer_list in facts.dlsw.lists:
        members = peer_list.members if peer_list.kind is ListKind.BRIDGE_GROUPS else ()
        for number in (whole(member) for member in members):
            if number not in used:
                statement = f"dlsw bgroup-list {peer_list.number}"
                target = f"dlsw bridge-group {number}"
                yield _Reference(statement, target, peer_list.at, used, ("dlsw bridge-group",))


def _statement(peer: RemotePeer) -> str:
    return f"dlsw remote-peer {peer.list_number} {peer.transport} {peer.peer}"
