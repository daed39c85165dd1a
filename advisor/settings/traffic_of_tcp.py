"""Keys of a `[[traffic]]` table about TCP flows and the marking of packets."""

import re

from advisor.data import Key
from advisor.settings.document import Document
from advisor.settings.traffic_pattern import PATTERN_KEYS
from advisor.settings.traffic_table import TrafficTable
from advisor.settings.values import StatedTcp

_TCP_KEYS = ("rtt_ms", "receiver_window_bytes", "transfer_bytes", "target_share_percent")
_KEYS_WITHOUT_TCP = (
    *("rate_kbps", "packets_per_second", "streams", "conversations", "arrivals", "calls", "codec"),
    *PATTERN_KEYS,
)
_DSCP = re.compile(r"af[1-4][1-3]|cs[1-7]|ef|default|\d|[1-5]\d|6[0-3]")
_PRECEDENCE = re.compile(
    "[0-7]|routine|priority|immediate|flash|flash-override|critical|internet|network"
)


def refuse_beside_tcp(document: Document, table_key: Key, table: TrafficTable) -> None:
    """Refuse keys that TCP flows determine themselves, and TCP keys without TCP flows.

    Raises
    ------
    SettingsError
        If a table has such a key.
    """
    if table.tcp_flows is None:
        if excess := [key for key in _TCP_KEYS if getattr(table, key) is not None]:
            message = f"{excess[0]} goes with tcp_flows, which is missing"
            raise document.error((*table_key, excess[0]), message)
        return
    if excess := [key for key in _KEYS_WITHOUT_TCP if getattr(table, key) is not None]:
        message = f"tcp_flows send what the network lets them: drop {excess[0]}"
        raise document.error((*table_key, excess[0]), message)
    if not isinstance(table.packet_bytes, int | None):
        message = "packet_bytes: TCP flows of a table have one size; write one number"
        raise document.error((*table_key, "packet_bytes"), message)


def marking_of(
    document: Document, key: Key, dscp: int | str | None, precedence: int | str | None
) -> str | None:
    """Marking of the packets: "dscp af11", "precedence 5"; None if the table states none.

    Raises
    ------
    SettingsError
        If the table states both, or a value that is not a code.
    """
    if dscp is not None and precedence is not None:
        raise document.error((*key, "precedence"), "give dscp or precedence, not both")
    for name, value, pattern, choices in (
        ("dscp", dscp, _DSCP, "0 to 63, af11 to af43, cs1 to cs7, ef or default"),
        ("precedence", precedence, _PRECEDENCE, "0 to 7 or a name from routine to network"),
    ):
        if value is None:
            continue
        word = str(value).lower()
        if pattern.fullmatch(word) is None:
            raise document.error((*key, name), f"{name}: unknown {value!r}; it takes {choices}")
        return f"{name} {word}"
    return None


def tcp_of(document: Document, key: Key, table: TrafficTable) -> StatedTcp | None:
    """TCP flows of a table; None if it states none.

    Raises
    ------
    SettingsError
        If the round trip is neither a number nor an interval.
    """
    if table.tcp_flows is None:
        return None
    rtt_ms = table.rtt_ms
    ends = rtt_ms if isinstance(rtt_ms, tuple) else () if rtt_ms is None else (rtt_ms, rtt_ms)
    low, high = (ends[0], ends[1]) if len(ends) == 2 else (None, None)  # noqa: PLR2004
    if rtt_ms is not None and (low is None or high is None or low > high):
        message = "rtt_ms: takes a number, or minimum and maximum like [20, 80]"
        raise document.error((*key, "rtt_ms"), message)
    return StatedTcp(
        table.tcp_flows,
        low,
        high,
        table.receiver_window_bytes,
        table.transfer_bytes,
        table.target_share_percent,
    )
