"""Keys of a `[[traffic]]` table about how packets arrive: jitter, bursts, talk spurts, backlog."""

from advisor.data import Key
from advisor.settings.document import Document
from advisor.settings.traffic_table import TrafficTable
from advisor.settings.values import (
    Pattern,
    StatedBacklog,
    StatedBursts,
    StatedJitter,
    StatedOnOff,
)

BURSTS, ON_OFF, PERIODIC, SATURATED = "bursts", "on-off", "periodic", "saturated"
ARRIVALS = (PERIODIC, "poisson", BURSTS, ON_OFF, SATURATED)
_ARRIVALS_OF_KEY = {
    "jitter_ms": PERIODIC,
    "burst_packets": BURSTS,
    "burst_spacing_ms": BURSTS,
    "on_ms": ON_OFF,
    "off_ms": ON_OFF,
    "backlog_packets": SATURATED,
}
PATTERN_KEYS = tuple(_ARRIVALS_OF_KEY)
_NEEDED = {BURSTS: ("burst_packets",), ON_OFF: ("on_ms", "off_ms")}


def arrivals_of(document: Document, key: Key, table: TrafficTable) -> str:
    """Arrivals of a table: those that it states, else the usual ones of what it describes.

    Raises
    ------
    SettingsError
        If the arrivals are unknown, or lack a key, or a key is of other arrivals.
    """
    if table.arrivals is not None:
        document.one_of((*key, "arrivals"), table.arrivals, ARRIVALS)
    default = PERIODIC if table.calls is not None else "poisson"
    arrivals = table.arrivals or (default if table.tcp_flows is None else SATURATED)
    for name, of in _ARRIVALS_OF_KEY.items():
        if getattr(table, name) is not None and arrivals != of:
            message = f'{name} goes with arrivals = "{of}"; the arrivals here are "{arrivals}"'
            raise document.error((*key, name), message)
    for name in _NEEDED.get(arrivals, ()):
        if getattr(table, name) is None:
            raise document.error((*key, "arrivals"), f'arrivals = "{arrivals}" needs {name}')
    if arrivals == BURSTS and table.calls is not None:
        message = 'calls send no bursts: write arrivals = "periodic" or "on-off"'
        raise document.error((*key, "arrivals"), message)
    return arrivals


def pattern_of(table: TrafficTable) -> Pattern | None:
    """How the packets of a table arrive beyond their mean rate; None if nothing more is stated."""
    if table.burst_packets is not None:
        return StatedBursts(table.burst_packets, table.burst_spacing_ms or 0.0)
    if table.on_ms is not None and table.off_ms is not None:
        return StatedOnOff(table.on_ms, table.off_ms)
    if table.jitter_ms is not None:
        return StatedJitter(table.jitter_ms)
    if table.backlog_packets is not None:
        return StatedBacklog(table.backlog_packets)
    return None
