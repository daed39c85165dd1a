"""Lists the known show outputs: one `ShowOutput` record each, with how it begins and its readers.

Nothing else lists commands: what is recognised, read and sent follows from these records.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import Struct

from advisor.capture import FOREIGN, REPEATING, Read, Sent, ShowOutput

RUNNING_CONFIG: Final = "show running-config"
RUNNING_CONFIG_OF_VIEWS: Final = "show running-config view full"
STARTUP_CONFIG: Final = "show startup-config"
CLOCK: Final = "show clock"
PRIVILEGE: Final = "show privilege"
VERSION: Final = "show version"
CPU: Final = "show processes cpu"
CPU_HISTORY: Final = "show processes cpu history"


_LISTS: Final = ("show queueing interface", "show queueing random-detect", "show queueing")
_PROBES: Final = (
    *("show rtr operational-state", "show rtr collection-statistics", "show ip sla statistics"),
    *("show ip sla statistics aggregated", "show ip sla monitor statistics"),
)
_SLA: Final = (Read("sla", "sla.reader:read_sla"),)
_POLICIES: Final = (Read("policies", "policy_map.counted:read_policy_map_interface"),)
_ATM: Final = (Read("atm_circuits", "atm:read_atm_circuits"),)

# The first record whose opening fits tells what a text is. Commands are sent in this order, too.
OUTPUTS: Final = (
    *REPEATING,
    ShowOutput(PRIVILEGE, (r"Current privilege level is \d+",), sent=Sent()),
    ShowOutput(
        CPU,
        (r"(?:Core \d+: )?CPU utilization for five seconds:[^,]*;",),
        other_layouts=("platform", "detailed", "extended", "autoprofile", "threshold"),
        reads=(
            Read("cpu", "cpu:read_head", by_line=True),
            Read("cpu_tables", "cpu:read_cpu_processes", mark="PID"),
        ),
        sent=Sent(),
    ),
    ShowOutput(
        CPU_HISTORY,
        (r"\S+ +\d+:\d\d:\d\d [AP]M \w+ \w{3} \d+ \d{4}", r"CPU% per (?:second|minute|hour)"),
        opens_as=(CPU,),
    ),
    ShowOutput(
        "show dlsw capabilities",
        (r"DLSw: Capabilities for",),
    ),
    ShowOutput(
        "show cdp neighbors detail",
        (r"Device ID:",),
        reads=(Read("neighbors", "neighbors:read_cdp_neighbors"),),
    ),
    ShowOutput(
        "show inventory",
        (r'NAME: ".*", DESCR: ',),
        reads=(Read("inventory", "version:read_inventory"),),
    ),
    ShowOutput(
        VERSION,
        (r"Cisco (?:IOS(?! XR)|Internetwork Operating System)|IOS \(tm\) ",),
        reads=(Read("versions", "version:read_version", by_line=True),),
        sent=Sent(),
    ),
    ShowOutput(
        "show policy-map type inspect zone-pair", (r"Zone-pair(?:: | name)",), is_foreign=True
    ),
    ShowOutput(
        "show policy-map control-plane",
        (r"Control Plane$",),
        opens_as=("show policy-map interface",),
        reads=_POLICIES,
        sent=Sent(),
    ),
    ShowOutput(
        "show policy-map interface",
        (
            r"[Ss]ervice-policy (?:\(?\w+\)? )?(?:input|output) ?:",
            r"[Cc]lass-map ?: ?\S+ \(match-",
        ),
        opens_as=("show policy-map control-plane",),
        other_layouts=("brief",),
        reads=_POLICIES,
        sent=Sent(is_heavy=True, counts=True),
    ),
    ShowOutput("show policy-map type", (r"Policy Map type \S+",), is_foreign=True),
    ShowOutput(
        "show policy-map",
        (r"Policy Map \S+",),
        other_layouts=("type", "session", "target", "multipoint"),
        reads=(Read("shown_policies", "policy_map.shown_lines:read_policy_map"),),
        sent=Sent(),
    ),
    ShowOutput("show class-map", (r"Class Map match-",), other_layouts=("type",), sent=Sent()),
    ShowOutput(
        "show queueing random-detect",
        (r"Current random-detect configuration",),
        reads=(Read("random_detect", "queueing:read_random_detect"),),
        sent=Sent(is_heavy=True),
    ),
    ShowOutput(
        "show queueing fair",
        opens_as=_LISTS,
        reads=(Read("fair_queueing", "queueing:read_fair_queueing"),),
        sent=Sent(is_heavy=True),
    ),
    ShowOutput("show queueing priority", opens_as=_LISTS),
    ShowOutput("show queueing custom", opens_as=_LISTS),
    ShowOutput(
        "show queueing",
        (r"Current [\w ]*queue configuration",),
        opens_as=_LISTS,
        reads=(
            Read("fair_queueing", "queueing:read_fair_queueing"),
            Read("random_detect", "queueing:read_random_detect"),
        ),
        sent=Sent(is_heavy=True),
    ),
    ShowOutput(
        "show ip interface",
        (r"Broadcast address is |Internet protocol processing",),
        is_foreign=True,
    ),
    ShowOutput(
        "show interfaces",
        (r"\S.{0,60}? is .*, line protocol is ",),
        other_layouts=(
            *("accounting", "capabilities", "counters", "crb", "debounce", "description"),
            *("dampening", "etherchannel", "fair-queue", "flowcontrol", "history", "irb", "link"),
            *("mac-accounting", "mpls-exp", "mtu", "precedence", "private-vlan", "pruning"),
            *("random-detect", "rate-limit", "shape", "stats", "status", "summary", "switchport"),
            *("te_account", "transceiver", "trunk", "vlan"),
        ),
        reads=(Read("interfaces", "interfaces.reader:read_interfaces"),),
        sent=Sent(is_heavy=True, counts=True),
    ),
    ShowOutput(
        "show queueing interface",
        (r"Interface \S+ queueing strategy:", r"Interface \S+ VC \d+/\d+"),
        opens_as=_LISTS,
        reads=(Read("queueing", "queueing:read_queueing_interface"),),
        sent=Sent(is_heavy=True),
    ),
    ShowOutput(
        "show queue",
        (r"Input queue: \d+/\d+/\d+|Output queue for |Packet \d+, linktype|'Show queue' not",),
        opens_as=("show queueing interface",),
        reads=(Read("queues", "queueing.show_queue:read_queue"),),
    ),
    ShowOutput(
        "show controllers",
        (
            r"\S+ Slot \d+, Port \d+, Controller|tx_limited ?= ?\d",
            r"Interface \S+$|Hardware is \S",
        ),
        other_layouts=(
            *("ethernet-controller", "cellular", "utilization", "power", "t1", "e1", "t3", "e3"),
            *("vdsl", "dsl", "sonet", "voice", "cbus"),
        ),
        reads=(Read("controllers", "controllers:read_controllers", by_line=True),),
        sent=Sent(is_heavy=True),
    ),
    ShowOutput("show atm pvc", opens_as=("show atm vc",), reads=_ATM, sent=Sent(is_heavy=True)),
    ShowOutput(
        "show atm vc",
        (r"Interface\s+(?:VCD|Name)\s+VPI\s+VCI\b|VCD /\s|\S+: VCD: \d+",),
        reads=_ATM,
        sent=Sent(is_heavy=True),
    ),
    ShowOutput(
        "show rtr operational-state",
        (r"Current Operational State",),
        opens_as=_PROBES,
        reads=_SLA,
        sent=Sent(),
    ),
    ShowOutput(
        "show rtr collection-statistics",
        (r"Collected Statistics",),
        opens_as=_PROBES,
        reads=_SLA,
        sent=Sent(),
    ),
    ShowOutput(
        "show ip sla statistics aggregated",
        (r"IPSLAs? [Aa]ggregated|Start Time Index:",),
        opens_as=_PROBES,
        reads=_SLA,
        sent=Sent(
            older=("show ip sla monitor statistics aggregated", "show rtr collection-statistics")
        ),
    ),
    ShowOutput(
        "show ip sla statistics",
        (
            r"Round [Tt]rip [Tt]ime \(RTT\)(?: for)?\s+Index",
            r"IPSLAs? (?:Latest|operation|Infrastructure)",
        ),
        opens_as=_PROBES,
        reads=_SLA,
        sent=Sent(
            older=("show ip sla monitor statistics", "show rtr operational-state"),
            beside=("show ip sla statistics aggregated",),
        ),
    ),
    ShowOutput(
        "show ip sla monitor statistics",
        (r"Entry [Nn]umber: \d+",),
        opens_as=_PROBES,
        reads=_SLA,
        sent=Sent(),
    ),
    ShowOutput(
        "show ip sla monitor statistics aggregated", opens_as=_PROBES, reads=_SLA, sent=Sent()
    ),
    ShowOutput("show ip sla monitor collection-statistics", opens_as=_PROBES, reads=_SLA),
    ShowOutput(
        "show dlsw peers",
        (r"Peers:\s+state",),
        reads=(Read("dlsw_peers", "dlsw.peers:read_dlsw_peers"),),
        sent=Sent(counts=True),
    ),
    ShowOutput(
        "show dlsw circuits",
        (r"Index\s+local addr\(lsap\)",),
        other_layouts=("history",),
        reads=(Read("dlsw_circuits", "dlsw.circuits:read_dlsw_circuits"),),
        sent=Sent(is_heavy=True),
    ),
    ShowOutput(
        "show dlsw statistics",
        (r"\d+\s+frames processed via \w+ cache",),
        other_layouts=("border-peers",),
        reads=(Read("dlsw_statistics", "dlsw.peers:read_dlsw_statistics"),),
        sent=Sent(),
    ),
    ShowOutput(
        "show dlsw reachability",
        (r"DLSw (?:Local|Remote) \w+ \w+ reachability",),
    ),
    ShowOutput(
        "show ppp multilink",
        (r"Multilink\d+(?:, bundle name is |$)|Bundle name: ",),
        reads=(Read("bundles", "bundles:read_multilink"),),
    ),
    ShowOutput(
        "show frame-relay fragment",
        (r"interface\s+dlci\s+frag-type\s",),
        reads=(Read("fragmentation", "bundles:read_fragments"),),
    ),
    ShowOutput(CLOCK, (r"[*.]?\d\d:\d\d:\d\d\.\d{3} \S+ \w{3} \w{3} \d+ \d{4}$",)),
    ShowOutput(STARTUP_CONFIG),
    ShowOutput(RUNNING_CONFIG, sent=Sent(is_heavy=True, forms=(RUNNING_CONFIG_OF_VIEWS,))),
    *FOREIGN,
)


class Opening(Struct, frozen=True):
    """First line of an output. Commands in `also` begin alike: the file's name decides."""

    pattern: re.Pattern[str]
    command: str
    also: frozenset[str]


@cache
def outputs() -> Mapping[str, ShowOutput]:
    """The outputs that are not foreign, by command; longer commands first."""
    ours = (output for output in OUTPUTS if not output.is_foreign)
    return {
        output.command: output for output in sorted(ours, key=lambda output: -len(output.command))
    }


@cache
def openings() -> tuple[Opening, ...]:
    """First lines of all outputs, in the order in which they are tried."""
    return tuple(
        Opening(
            re.compile(pattern),
            output.command,
            frozenset(other.command for other in OUTPUTS if output.command in other.opens_as),
        )
        for output in OUTPUTS
        for pattern in output.opens
    )


@cache
def any_opening() -> re.Pattern[str]:
    """Whether a line begins any output."""
    return re.compile("|".join(f"(?:{pattern})" for output in OUTPUTS for pattern in output.opens))
