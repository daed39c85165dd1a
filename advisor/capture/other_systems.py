"""Outputs of systems that are not IOS: what they call themselves, and layouts of theirs alone."""

from collections.abc import Sequence
from typing import Final

from advisor.ios.patterns import pattern
from advisor.ios.syntax.dialect import Dialect

_ROWS_OF_A_NAME: Final = 8
_ROWS_OF_A_LAYOUT: Final = 16
MOST_ROWS: Final = max(_ROWS_OF_A_NAME, _ROWS_OF_A_LAYOUT)

# How `show version` of other systems begins.
_NAMES: Final = (
    ("Cisco Nexus Operating System", Dialect.NXOS),
    ("Cisco IOS XR Software", Dialect.IOS_XR),
    ("Cisco Adaptive Security Appliance Software", Dialect.ASA),
    ("Arista ", Dialect.EOS),
    ("Junos: ", Dialect.JUNOS),
    ("JUNOS ", Dialect.JUNOS),
)
_ALL_NAMES: Final = tuple(start for start, _ in _NAMES)
# Lines of `show interfaces`, `show policy-map [interface]` and `show processes cpu` that IOS never
# prints.
_LAYOUTS: Final = (
    (
        pattern(
            r"Interface state transitions: \d+$|Classification statistics\s+\(packets/bytes\)"
            r"|CPU utilization for one minute: \d"
        ),
        Dialect.IOS_XR,
    ),
    (
        pattern(
            r"admin state is (?:up|down)\b|Global statistics status :|Type \S+ policy-maps$"
            r"|PID\s+Runtime\(ms\)\s+Invoked\s+uSecs\s+1Sec\s+Process"
        ),
        Dialect.NXOS,
    ),
)
# They repeat what other devices say of themselves.
_OF_NEIGHBORS: Final = ("show cdp ", "show lldp ")


def other_system(command: str | None, lines: Sequence[str]) -> Dialect | None:
    """The system other than IOS that printed these lines; None if nothing tells one."""
    if command is not None and command.startswith(_OF_NEIGHBORS):
        return None
    for line in map(str.lstrip, lines[:_ROWS_OF_A_NAME]):
        if line.startswith(_ALL_NAMES):
            return next(dialect for start, dialect in _NAMES if line.startswith(start))
    if command is None or not command.startswith("show "):
        return None
    for line in lines[:_ROWS_OF_A_LAYOUT]:
        for layout, dialect in _LAYOUTS:
            if layout.match(line.strip()):
                return dialect
    return None
