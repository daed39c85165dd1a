"""`[[traffic]]` tables: the traffic offered to a class of an interface."""

import math

from msgspec import Struct

from advisor.ground.data import Key
from advisor.ground.units import bps_from_kbps, s_from_ms, serialization_ms
from advisor.settings import PacketShare, StatedOnOff, Traffic, Transactions
from advisor.settings.document import TomlDocument
from advisor.settings.tables import DlswTable
from advisor.settings.traffic_keys import (
    PATTERN_KEYS,
    CodecError,
    SizeRange,
    TrafficTable,
    arrivals_of,
    load_codecs,
    marking_of,
    pattern_of,
    refuse_beside_tcp,
    tcp_of,
)

_SHARE_TOLERANCE = 0.01
_MOST_SIZES = 64  # of a range: its mean is exact, its variance 3 % high
_PACKET_KEYS = tuple(
    (key, None)
    for key in (
        *("packet_bytes", "rate_kbps", "packets_per_second", "streams", "arrivals", "calls"),
        *("codec", "packet_ms", "conversations", "ip_sla", *PATTERN_KEYS),
    )
)
_TRANSACTION_KEYS = ("peak_tps", "out_bytes", "in_bytes", "ru_bytes")


class TrafficFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A --traffic file."""

    traffic: tuple[TrafficTable, ...] = ()
    dlsw: DlswTable = DlswTable()


class StatedTraffic(Struct, frozen=True):
    """The statements of the `[[traffic]]` tables of a file: classes and SNA transactions."""

    traffic: tuple[Traffic, ...] = ()
    transactions: tuple[Transactions, ...] = ()


def traffic_of(document: TomlDocument, tables: tuple[TrafficTable, ...]) -> StatedTraffic:
    """Statements of the `[[traffic]]` tables of a file, in their order.

    Raises
    ------
    SettingsError
        If keys of a table contradict each other, or a key is missing.
    """
    keyed_tables = [(("traffic", index), table) for index, table in enumerate(tables)]
    return StatedTraffic(
        tuple(
            _statement(document, key, table)
            for key, table in keyed_tables
            if not _stated_keys(table, *_TRANSACTION_KEYS)
        ),
        tuple(
            _transactions(document, key, table)
            for key, table in keyed_tables
            if _stated_keys(table, *_TRANSACTION_KEYS)
        ),
    )


def _transactions(document: TomlDocument, table_key: Key, table: TrafficTable) -> Transactions:
    """Read a table of transactions: it is about a device, not a class of an interface."""
    excess = [
        key
        for key, default in (("class_name", None), ("interface", "*"), *_PACKET_KEYS)
        if getattr(table, key) != default
    ]
    if excess:
        key = excess[0].removesuffix("_name")
        raise document.error((*table_key, key), f"peak_tps is for a whole device: remove {key}")
    tps, out_bytes, in_bytes = table.peak_tps, table.out_bytes, table.in_bytes
    if tps is None or out_bytes is None or in_bytes is None or table.ru_bytes is None:
        lacking = next(key for key in _TRANSACTION_KEYS if getattr(table, key) is None)
        message = f"{lacking} is missing: transactions need {', '.join(_TRANSACTION_KEYS)}"
        raise document.error((*table_key, lacking), message)
    source = f"{document.name}:{document.line_of(table_key)}"
    return Transactions(table.device, tps, out_bytes, in_bytes, table.ru_bytes, source)


def _statement(document: TomlDocument, key: Key, table: TrafficTable) -> Traffic:
    if table.class_name is None:
        raise document.error((*key, "class"), "class is missing")
    _no_contradiction(document, key, table)
    arrivals, pattern = arrivals_of(document, key, table), pattern_of(table)
    marking = marking_of(document, key, table.dscp, table.precedence)
    packets_per_second: float | None
    if table.calls is not None:
        sizes, packets_per_second = _calls(document, key, table)
        streams = max(table.calls, 1)
    else:
        sizes = _sizes(document, key, table)
        packets_per_second = _packets_per_second(document, key, table, sizes)
        streams = table.streams or 1
    if isinstance(pattern, StatedOnOff) and packets_per_second is not None:
        packets_per_second *= pattern.active_ratio
    return Traffic(
        table.device,
        table.interface,
        table.class_name,
        sizes,
        packets_per_second,
        streams,
        arrivals,
        f"{document.name}:{document.line_of(key)}",
        marking,
        table.group,
        tcp_of(document, key, table),
        pattern,
        table.conversations or 1,
        bool(table.ip_sla),
        of_calls=table.calls is not None,
    )


def _stated_keys(table: TrafficTable, *keys: str) -> list[str]:
    return [key for key in keys if getattr(table, key) is not None]


def _no_contradiction(document: TomlDocument, key: Key, table: TrafficTable) -> None:
    refuse_beside_tcp(document, key, table)
    described = [name for name, _ in _PACKET_KEYS if name != "ip_sla"]
    if table.ip_sla and (excess := _stated_keys(table, *described, "tcp_flows")):
        message = f"ip_sla takes sizes and rates from the config: drop {excess[0]}"
        raise document.error((*key, excess[0]), message)
    rates = _stated_keys(table, "rate_kbps", "packets_per_second")
    if len(rates) > 1:
        raise document.error((*key, rates[1]), "give rate_kbps or packets_per_second, not both")
    call_keys = _stated_keys(table, "codec", "packet_ms")
    if table.calls is None and call_keys:
        message = f"{call_keys[0]} goes with calls, which is missing"
        raise document.error((*key, call_keys[0]), message)
    clash = _stated_keys(table, "packet_bytes", "rate_kbps", "packets_per_second", "streams")
    if table.calls is not None and clash:
        raise document.error(
            (*key, clash[0]), f"calls and codec already determine {clash[0]}: drop one"
        )
    if table.arrivals == "saturated" and (excess := [*rates, *_stated_keys(table, "calls")]):
        message = f'arrivals = "saturated" means always packets waiting: drop {excess[0]}'
        raise document.error((*key, excess[0]), message)
    says = _stated_keys(
        table,
        *("packet_bytes", "rate_kbps", "packets_per_second", "calls", "arrivals", "streams"),
        *("tcp_flows", "conversations"),
    )
    if not says and not table.ip_sla:
        message = (
            f"says nothing about class {table.class_name}: give packet_bytes, rate_kbps, "
            'packets_per_second, calls with codec, tcp_flows, or arrivals = "saturated"'
        )
        raise document.error(key, message)


def _calls(
    document: TomlDocument, key: Key, table: TrafficTable
) -> tuple[tuple[PacketShare, ...], float]:
    if table.codec is None or table.calls is None:
        raise document.error((*key, "calls"), "calls needs codec")
    try:
        _, packet = load_codecs().packet(table.codec, table.packet_ms)
    except CodecError as error:
        raise document.error((*key, error.key), f"{error.key}: {error}") from None
    packets_per_second = table.calls / s_from_ms(packet.packet_ms)
    return (PacketShare(packet.ip_bytes, 1.0),), packets_per_second


def _sizes(document: TomlDocument, key: Key, table: TrafficTable) -> tuple[PacketShare, ...]:
    if table.packet_bytes is None:
        return ()
    if isinstance(table.packet_bytes, int):
        return (PacketShare(table.packet_bytes, 1.0),)
    if isinstance(table.packet_bytes, SizeRange):
        return _even_sizes(document, key, table.packet_bytes)
    total = math.fsum(size.share for size in table.packet_bytes)
    if abs(total - 1) > _SHARE_TOLERANCE:
        message = f"packet_bytes: the shares sum to {total:g}; they must sum to 1"
        raise document.error((*key, "packet_bytes"), message)
    return tuple(PacketShare(size.bytes, size.share / total) for size in table.packet_bytes)


def _even_sizes(document: TomlDocument, key: Key, sizes: SizeRange) -> tuple[PacketShare, ...]:
    """Sizes of a range; of a wide one, so many evenly spaced ones, its ends among them."""
    if sizes.min > sizes.max:
        message = f"packet_bytes: min {sizes.min} is above max {sizes.max}"
        raise document.error((*key, "packet_bytes"), message)
    span = sizes.max - sizes.min
    steps = min(span, _MOST_SIZES - 1)
    if steps == 0:
        return (PacketShare(sizes.min, 1.0),)
    ends = (sizes.min + round(span * step / steps) for step in range(steps + 1))
    return tuple(PacketShare(ip_bytes, 1 / (steps + 1)) for ip_bytes in ends)


def _packets_per_second(
    document: TomlDocument, key: Key, table: TrafficTable, sizes: tuple[PacketShare, ...]
) -> float | None:
    for rate in _stated_keys(table, "rate_kbps", "packets_per_second"):
        if getattr(table, rate) == 0:
            return 0.0
        if not sizes:
            raise document.error((*key, rate), f"{rate} needs packet_bytes")
    if table.rate_kbps is None:
        return table.packets_per_second
    mean_bytes = math.fsum(size.ip_bytes * size.share for size in sizes)
    return 1 / s_from_ms(serialization_ms(mean_bytes, bps_from_kbps(table.rate_kbps)))
