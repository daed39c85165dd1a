"""Numbers that IOS takes for a command, and names of protocols and ports."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.ground.units import whole
from advisor.ios.grammar import rows_of

# Numbers that IOS takes: for every command the widest range that a platform documents.
#
# IOS refuses a line with a number outside: the line is reported with its range and sets nothing.
# If references disagree, the widest range counts, so that no real line is refused.
#
# Sources: CR = Cisco IOS command reference of the feature (QoS, Interface, Wide-Area Networking,
# IP SLA) 12.0 to 15.x, recalled; 10000 = Cisco 10000 Series QoS Configuration Guide, OL-7433;
# 4500 = Catalyst 4500 command reference, IOS XE 3.9E; XE = IOS XE of ASR 1000 and ISR 4000,
# recalled. "port" stands for the rate of the fastest port, 400 Gbit/s: references end at the
# ports of their time.


class Range(Struct, frozen=True):
    """Least and largest value, both included."""

    low: int
    high: int


_PORT_KBPS: Final = 400_000_000

# Interfaces and circuits.
INTERFACE_KBPS: Final = Range(1, 1_000_000_000)  # CR 1-10,000,000; bundles of ports
CLOCK_BPS: Final = Range(1, 1_000_000_000)  # CR 300-8,064,000
MTU_BYTES: Final = Range(1, 65_535)  # CR 64-17,940; XE 9,216 and over
TX_RING: Final = Range(1, 65_535)  # CR 1-32,767
HOLD_QUEUE_PACKETS: Final = Range(0, 240_000)  # CR 0-65,535; XE
FRAGMENT_BYTES: Final = Range(16, 1_600)  # CR
MULTILINK_FRAGMENT_BYTES: Final = Range(1, 1_500)  # CR 42-1,500
FRAGMENT_DELAY_MS: Final = Range(0, 1_000)  # CR 1-1,000
LOAD_INTERVAL_S: Final = Range(1, 600)  # CR 30-600
ATM_KBPS: Final = Range(0, 10_000_000)  # CR: rate of the port
CIR_BPS: Final = Range(0, 10_000_000_000)  # CR 1-45,000,000
FRAME_RELAY_BURST_BITS: Final = Range(0, 2**31)  # CR 300-16,000,000
LEAST_FRAME_RELAY_BC_BITS: Final = 300  # CR: of a line to paste

RSVP_KBPS: Final = Range(1, 10_000_000)  # CR 1-10,000,000
RSVP_PERCENT: Final = Range(1, 1_000)  # XE

# Classes of a policy-map.
CLASS_KBPS: Final = Range(1, _PORT_KBPS)  # CR 1-2,000,000 and 1-2,480,000; XE: port
PRIORITY_BURST_BYTES: Final = Range(1, 512_000_000)  # CR 18-2,000,000; of policers 10000
PRIORITY_LEVEL: Final = Range(1, 8)  # CR 1-4; XE
REMAINING_RATIO: Final = Range(1, 65_536)  # CR 1-1,000; XE 1-65,536
PERCENT: Final = Range(1, 100)
SHAPE_BURST_BITS: Final = Range(0, 1_000 * _PORT_KBPS)  # CR 256-154,400,000; XE: port for 1 s
ACCOUNT_BYTES: Final = Range(-63, 63)  # XE: overhead accounting, user-defined
BURST_MS: Final = Range(0, 10_000)  # CR 10-2,000
QUEUE_LIMIT_PACKETS: Final = Range(1, 8_192_000)  # CR 1-4,096; 10000 128-64,000; XE
QUEUE_LIMIT_BYTES: Final = Range(1, 2**31)  # XE
QUEUE_LIMIT_MS: Final = Range(1, 10_000)  # XE 1-3,400
DYNAMIC_QUEUES: Final = Range(0, 4_096)  # CR 16-4,096
POLICE_BURST_BYTES: Final = Range(0, 2_596_929_536)  # CR 1,000-512,000,000; 4500
POLICE_PPS: Final = Range(1, 1_000_000_000)  # CR 1-2,000,000; port

# WRED.
WRED_THRESHOLD: Final = Range(0, 2**29)  # CR 1-4,096 packets; XE counts bytes too
WRED_DENOMINATOR: Final = Range(1, 65_536)  # CR
WRED_EXPONENT: Final = Range(1, 16)  # CR

# IP SLA.
SLA_MS: Final = Range(0, 604_800_000)  # CR
SLA_S: Final = Range(0, 604_800)  # CR
SLA_PACKETS: Final = Range(0, 60_000)  # CR 1-60,000


# Names of protocols and ports in access lists, as IOS 12.x-15.x prints them.

MAX_PORT: Final = 65535


def _numbers(section: str) -> Mapping[str, Mapping[str, int]]:
    return {
        kind: {name: whole(number) for name, number in (row.split() for row in rows)}
        for kind, rows in rows_of(section).items()
    }


PORTS: Final = MappingProxyType(_numbers("ports"))
# IOS prints the number of a protocol as its name if it has one; `ip` is any.
PROTOCOLS: Final[Mapping[str, int | None]] = MappingProxyType(
    {"ip": None, **_numbers("protocols")["ip"]}
)
PROTOCOL_NAMES: Final = MappingProxyType(
    {number: name for name, number in PROTOCOLS.items() if number is not None}
)
