"""The commands whose output is read, and which of them a spelled-out command is."""

from enum import StrEnum
from functools import lru_cache
from typing import Final

from msgspec import Struct


class ShowCommand(StrEnum):
    """A command whose output has a layout of its own, spelled out and without arguments."""

    VERSION = "show version"
    RUNNING_CONFIG = "show running-config"
    STARTUP_CONFIG = "show startup-config"
    CLOCK = "show clock"
    PRIVILEGE = "show privilege"
    POLICY_MAP_INTERFACE = "show policy-map interface"
    POLICY_MAP_CONTROL_PLANE = "show policy-map control-plane"
    POLICY_MAP = "show policy-map"
    CLASS_MAP = "show class-map"
    QUEUEING_INTERFACE = "show queueing interface"
    QUEUEING_RANDOM_DETECT = "show queueing random-detect"
    QUEUEING_FAIR = "show queueing fair"
    QUEUEING_PRIORITY = "show queueing priority"
    QUEUEING_CUSTOM = "show queueing custom"
    QUEUEING = "show queueing"
    QUEUE = "show queue"
    INTERFACES = "show interfaces"
    CONTROLLERS = "show controllers"
    ATM_PVC = "show atm pvc"
    ATM_VC = "show atm vc"
    CPU_HISTORY = "show processes cpu history"
    CPU = "show processes cpu"
    SLA_AGGREGATED = "show ip sla statistics aggregated"
    SLA_STATISTICS = "show ip sla statistics"
    SLA_MONITOR_AGGREGATED = "show ip sla monitor statistics aggregated"
    SLA_MONITOR_STATISTICS = "show ip sla monitor statistics"
    SLA_MONITOR_COLLECTION = "show ip sla monitor collection-statistics"
    RTR_OPERATIONAL_STATE = "show rtr operational-state"
    RTR_COLLECTION = "show rtr collection-statistics"
    DLSW_PEERS = "show dlsw peers"
    DLSW_CIRCUITS = "show dlsw circuits"
    DLSW_STATISTICS = "show dlsw statistics"
    DLSW_CAPABILITIES = "show dlsw capabilities"
    DLSW_REACHABILITY = "show dlsw reachability"


class Asked(Struct, frozen=True):
    """A spelled-out command in its parts; `line_filter` is what stands after the bar."""

    output: ShowCommand | None
    arguments: tuple[str, ...]
    line_filter: str | None


# Words that turn a command into one with another layout, wherever they stand after it.
_OTHERWISE: Final = {
    ShowCommand.POLICY_MAP: ("type", "session", "target", "multipoint"),
    ShowCommand.POLICY_MAP_INTERFACE: ("brief",),
    ShowCommand.CLASS_MAP: ("type",),
    ShowCommand.CPU: ("platform", "detailed", "extended", "autoprofile", "threshold"),
    ShowCommand.INTERFACES: (
        *("accounting", "capabilities", "counters", "crb", "debounce", "description", "dampening"),
        *("etherchannel", "fair-queue", "flowcontrol", "history", "irb", "link", "mac-accounting"),
        *("mpls-exp", "mtu", "precedence", "private-vlan", "pruning", "random-detect"),
        *("rate-limit", "shape", "stats", "status", "summary", "switchport", "te_account"),
        *("transceiver", "trunk", "vlan"),
    ),
    ShowCommand.CONTROLLERS: (
        *("ethernet-controller", "cellular", "utilization", "power", "t1", "e1", "t3", "e3"),
        *("vdsl", "dsl", "sonet", "voice", "cbus"),
    ),
    ShowCommand.DLSW_CIRCUITS: ("history",),
    ShowCommand.DLSW_STATISTICS: ("border-peers",),
}
_SHORTEST_ABBREVIATION: Final = 3
_BY_LENGTH: Final = tuple(sorted(ShowCommand, key=len, reverse=True))


@lru_cache(maxsize=1024)
def asked(command: str) -> Asked:
    """Take a spelled-out command apart.

    Examples
    --------
    >>> parts = asked("show processes cpu sorted 5min | include CPU")
    >>> parts.output, parts.arguments, parts.line_filter
    (<ShowCommand.CPU: 'show processes cpu'>, ('sorted', '5min'), 'include CPU')
    >>> asked("show interfaces status").output is None
    True
    """
    typed, bar, line_filter = command.partition("|")
    name = " ".join(typed.split())
    rest = line_filter.strip() if bar else None
    for output in _BY_LENGTH:
        if name == output or name.startswith(f"{output} "):
            arguments = tuple(name[len(output) :].split())
            if _reads_otherwise(output, arguments):
                break
            return Asked(output, arguments, rest)
    return Asked(None, (), rest)


def _reads_otherwise(output: ShowCommand, arguments: tuple[str, ...]) -> bool:
    others = _OTHERWISE.get(output, ())
    return any(
        argument.lower() in others
        or (
            len(argument) >= _SHORTEST_ABBREVIATION
            and any(other.startswith(argument.lower()) for other in others)
        )
        for argument in arguments
    )
