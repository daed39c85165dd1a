"""The hops of a path: a TOML file, the config of each hop, and the prediction of its class."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from advisor.device.reading import Source, read_source
from advisor.ground.faults import AdvisorError
from advisor.ground.records import picked
from advisor.model import QueueKind
from advisor.predict.what_if import InputError
from advisor.predict.what_if.prediction import ClassPrediction, Unpredicted, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.subject import StatedLink, stated_source
from advisor.settings import Settings
from advisor.settings.document import TomlDocument, read_document

# The hops of a path, as a TOML file describes them.

_Ms = Annotated[float, Meta(ge=0, le=60_000)]
_Ring = Annotated[int, Meta(ge=1, le=32_767)]
_Number = Annotated[int, Meta(ge=1, le=100_000)]
_LINK_KEYS = ("encap", "llq", "tx-ring-limit", "calls", "background")


class _HopTable(Struct, frozen=True, forbid_unknown_fields=True):
    name: str | None = None
    delay_ms: _Ms = 0.0
    config: str | None = None
    interface: str | None = None
    class_name: str | None = field(name="class", default=None)
    link: str | None = None
    encap: str = "ppp"
    llq: str | None = None
    tx_ring_limit: _Ring | None = field(name="tx-ring-limit", default=None)
    calls: _Number | None = None
    background: _Number | None = None


class _PathTable(Struct, frozen=True, forbid_unknown_fields=True):
    hop: tuple[_HopTable, ...] = ()
    codec: str | tuple[str, ...] = ()
    packet_ms: _Number | None = None
    jitter_buffer_ms: _Ms | None = None


class Hop(Struct, frozen=True):
    """One hop: a config, a link of flags, or neither; `delay_ms` is added to either.

    `at` is its place in the file: "hops.toml:3".
    """

    name: str
    delay_ms: float
    config: str | None
    interface: str | None
    class_name: str | None
    link: StatedLink | None
    at: str


class PathOfHops(Struct, frozen=True):
    """A path with the codecs of its calls: calls use the first; without codecs all are rated."""

    hops: tuple[Hop, ...]
    codecs: tuple[str, ...]
    packet_ms: int | None
    jitter_buffer_ms: float | None


def read_path(path: Path) -> PathOfHops:
    """Read a file of `[[hop]]` tables; configs are named relative to it.

    Raises
    ------
    SettingsError
        If it is unreadable or describes a path that cannot exist.
    """
    document = read_document(path)
    table = document.whole(_PathTable)
    if not table.hop:
        raise document.error(("hop",), "holds no [[hop]] table")
    codecs = (table.codec,) if isinstance(table.codec, str) else table.codec
    offered = codecs[0] if codecs else None
    hops = tuple(
        _stated_hop(document, index, hop, path.parent, offered)
        for index, hop in enumerate(table.hop)
    )
    return PathOfHops(hops, codecs, table.packet_ms, table.jitter_buffer_ms)


def _stated_hop(
    document: TomlDocument, index: int, table: _HopTable, folder: Path, codec: str | None
) -> Hop:
    at = ("hop", index)
    if table.config is not None and table.link is not None:
        raise document.error((*at, "link"), "a hop has a config or a link, not both")
    if table.link is None:
        link_keys = [key for key in _LINK_KEYS if key in _written_keys(document, index)]
        if link_keys:
            raise document.error((*at, link_keys[0]), f"{link_keys[0]}: goes with link")
    if (
        table.config is None
        and table.link is None
        and "delay_ms" not in _written_keys(document, index)
    ):
        raise document.error(at, "is empty: give config, link or delay_ms")
    link = None
    if table.link is not None:
        codec = None if table.calls is None else codec
        link = picked(StatedLink, table, codec=codec, prefix="")
    config = None if table.config is None else str(folder / table.config)
    name = table.name or f"hop {index + 1}"
    place = document.place_of(at)
    return Hop(name, table.delay_ms, config, table.interface, table.class_name, link, place)


def _written_keys(document: TomlDocument, index: int) -> frozenset[str]:
    """Keys that the file writes in a hop."""
    tables = document.table.get("hop", [])
    hop = tables[index] if isinstance(tables, list) else {}
    return frozenset(hop) if isinstance(hop, dict) else frozenset()


# The hops of a path: the config of each, and the prediction of its class.


class HopPrediction(Struct, frozen=True):
    """One hop of the path; `predicted` is None for a hop with only a fixed delay."""

    name: str
    fixed_ms: float
    predicted: ClassPrediction | None


def incomplete_of(
    path: PathOfHops, settings: Settings, open_config: Callable[[str], Source]
) -> tuple[str, ...]:
    """Why the configs of the hops are incomplete; each config is read once."""
    configs = dict.fromkeys(hop.config for hop in path.hops if hop.config is not None)
    readings = (read_source(open_config(config), settings) for config in configs)
    return tuple(reason for reading in readings for reason in reading.incomplete)


def source_of(hop: Hop, open_config: Callable[[str], Source]) -> Source | None:
    """The config of a hop, or that of its link; None for a fixed delay."""
    with _named(hop):
        if hop.link is not None:
            return stated_source(hop.link, hop.name).source
        return None if hop.config is None else open_config(hop.config)


@contextmanager
def _named(hop: Hop) -> Iterator[None]:
    """Name the hop that an error is about, and its place in the file."""
    try:
        yield
    except AdvisorError as error:
        raise InputError(f"{hop.at}: hop {hop.name}: {error}") from error


def predicted_hop(
    hop: Hop, settings: Settings, open_config: Callable[[str], Source]
) -> HopPrediction:
    """Predict a hop.

    Raises
    ------
    InputError
        If it cannot be predicted, or its class does not exist there.
    """
    with _named(hop):
        return _hop(hop, settings, open_config)


def _hop(hop: Hop, settings: Settings, open_config: Callable[[str], Source]) -> HopPrediction:
    if hop.link is not None:
        stated = stated_source(hop.link, hop.name)
        settings = replace(settings, traffic=(*stated.traffic, *settings.traffic))
        source, moves = stated.source, [stated.moves]
    elif hop.config is not None:
        source, moves = open_config(hop.config), []
    else:
        return HopPrediction(hop.name, hop.delay_ms, None)
    device = read_source(source, settings).device
    predicted = predict_device(
        device, source.name, settings, hop.interface, tuple(moves), explained=False
    )
    classes = [prediction for prediction in predicted if isinstance(prediction, ClassPrediction)]
    for prediction in predicted:
        is_asked = prediction.class_name == hop.class_name or not classes
        if isinstance(prediction, UnstatedPrediction) and is_asked:
            why = prediction.delay.reason
            raise InputError(f"class {prediction.class_name}: {why}")
        is_idle = isinstance(prediction, Unpredicted) and prediction.is_idle
        if is_idle and prediction.class_name == hop.class_name:
            raise InputError(f"class {prediction.class_name}: carries nothing")
    chosen = [
        prediction for prediction in classes if hop.class_name in (None, prediction.class_name)
    ]
    if hop.class_name is None:
        chosen = [
            prediction for prediction in chosen if prediction.kind == QueueKind.PRIORITY
        ] or chosen
    if not chosen:
        known = ", ".join(prediction.class_name for prediction in classes)
        raise InputError(f"no class {hop.class_name}; it has {known}")
    if len({prediction.object for prediction in chosen}) > 1:
        known = ", ".join(dict.fromkeys(prediction.object for prediction in chosen))
        raise InputError(f"name the interface: {known}")
    return HopPrediction(hop.name, hop.delay_ms, chosen[0])
