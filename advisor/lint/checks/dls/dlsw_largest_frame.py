"""A largest frame below the RU: each RU then takes more frames, and each frame costs CPU."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.read_dlsw_peers import LARGEST_FRAMES
from advisor.ios.syntax.tree import ConfigTree, Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.dls.shared.load import Peak, peak_of
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.quantity import Basis, Figure, exact
from advisor.settings.values import Transactions
from advisor.size.seen import seen_load
from advisor.theory.dlsw import frames_per_transaction

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


class Evidence(Struct, frozen=True):
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


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each `lf` that splits the stated RU without need."""
    del params
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


def _hit(device: Device, stated: _Stated, peak: Transactions) -> Hit[Evidence] | None:
    advised = _advised(device, peak.ru_bytes)
    sizes = (peak.out_bytes, peak.in_bytes, peak.ru_bytes)
    frames = frames_per_transaction(*sizes, stated.lf_bytes)
    needed = frames_per_transaction(*sizes, advised)
    if needed >= frames:
        return None
    before, after = (
        Figure(fps, fps, fps, "frames/s")
        for fps in (peak.peak_tps * frames, peak.peak_tps * needed)
    )
    line = _words_of(device.facts.tree, stated)
    is_local = stated.label == _LOCAL_PEER
    local = device.facts.dlsw.local_peer
    local_bytes = None if is_local or local is None else local.lf_bytes
    is_held = local_bytes is not None and frames_per_transaction(*sizes, local_bytes) > needed
    advice = _by_hand(line, advised) if is_local and line is not None else None
    evidence = Evidence(
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


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
