"""Cuts captures into sections. Here: how a show output begins, what reads it, what may be sent."""

from typing import Final

from msgspec import Struct


class Read(Struct, frozen=True):
    """The part of an output that fills a field of the observations, and the function that reads it.

    `reader` is `module:function` below `advisor.shows`: a function of the text, the file and the
    number of its first line, that returns one observation, a tuple of them, or None for nothing.
    `by_line` where each line tells its part by itself: then the lines that a filter left are read
    as well. `mark` must be in the output.
    """

    field: str
    reader: str
    by_line: bool = False
    mark: str = ""


class Sent(Struct, frozen=True):
    """The command may be sent to a device, letter by letter as it stands in its record.

    `is_heavy` where IOS walks all interfaces or writes the whole configuration for it: held back
    while the CPU is busy. `counts` where its counters make rates of two samples. `older` are the
    names of the same output in older trains, tried where the image does not know the command.
    `beside` are asked too where this one is: they tell the same of another time. `forms` may be
    sent too: the command with arguments, letter by letter.
    """

    is_heavy: bool = False
    counts: bool = False
    older: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()


class ShowOutput(Struct, frozen=True):
    """A command whose output has a layout of its own, spelled out and without arguments.

    `opens` are regular expressions of its first lines. `opens_as` are commands whose outputs may
    begin as this one does: then the name of the file decides. `other_layouts` are arguments that
    turn the command into one with another layout. Without `sent` it is never sent. `prints` are
    beginnings of its lines in the notation of `masking/printed.txt`, beside the rows of that file:
    such lines and their words are no secrets. `is_foreign` where the layout is only told apart from
    ours: the command counts as any other.
    """

    command: str
    opens: tuple[str, ...] = ()
    opens_as: tuple[str, ...] = ()
    other_layouts: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()
    sent: Sent | None = None
    prints: tuple[str, ...] = ()
    is_foreign: bool = False


# Show outputs that are known by name and not read: how they begin.


def _named(command: str, *opens: str) -> ShowOutput:
    return ShowOutput(command, opens, is_foreign=True)


# Tried before all others: the output repeats what another device says of itself.
REPEATING: Final = (_named("show lldp neighbors detail", r"Local Intf: \S", r"Chassis id: \S"),)

# Tried after all that are read.
FOREIGN: Final = (
    _named("show lldp neighbors", r"Device ID\s+Local Intf\s+Hold-time\s", r"Capability codes:$"),
    _named("show cdp neighbors", r"Capability Codes: R - Router", r"Device ID\s+Local Intrfce\s"),
    _named(
        "show ip route", r"Codes: L - local, C - connected", r"Codes: C - connected, S - static"
    ),
    _named("show ipv6 route", r"IPv6 Routing Table - "),
    _named("show logging", r"Syslog logging: (?:en|dis)abled"),
    _named("show ip interface brief", r"Interface\s+IP-Address\s+OK\? Method Status"),
    _named("show ip prefix-list", r"ip(?:v6)? prefix-list \S+: \d+ entries$"),
    _named(
        "show access-lists", r"(?:Standard|Extended) IP(?:v6)? access list \S", r"IPv6 access list "
    ),
    _named("show ip bgp summary", r"BGP router identifier \S+, local AS number \d"),
    _named("show ip bgp", r"BGP table version is \d+, local router ID is "),
    _named("show ip ospf neighbor", r"Neighbor ID\s+Pri\s+State\s+Dead Time\s"),
    _named("show ip eigrp neighbors", r"(?:EIGRP-IPv4|IP-EIGRP) [Nn]eighbors for "),
    _named("show ip protocols", r'Routing Protocol is "'),
    _named("show ip cef", r"Prefix\s+Next Hop\s+Interface$"),
    _named("show ip arp", r"Protocol\s+Address\s+Age \(min\)\s+Hardware Addr\s"),
    _named("show spanning-tree", r"Spanning tree enabled protocol "),
    _named("show mac address-table", r"Mac Address Table$", r"vlan\s+mac address\s+type\s"),
    _named("show interfaces status", r"Port\s+Name\s+Status\s+Vlan\s+Duplex\s+Speed\s+Type$"),
    _named("show interfaces trunk", r"Port\s+Mode\s+Encapsulation\s+Status\s+Native vlan$"),
    _named("show interfaces switchport", r"Switchport: (?:En|Dis)abled$"),
    _named("show etherchannel summary", r"Number of channel-groups in use:"),
    _named("show standby", r"State is (?:Active|Standby|Init|Listen|Speak)$"),
    _named("show module", r"Mod\s+Ports\s+Card Type\s+Model\s"),
    _named("show platform", r"Chassis type: \S", r"Slot\s+Type\s+State\s+Insert time"),
    _named("show redundancy", r"Redundant System Information :$"),
    _named("show users", r"Line\s+User\s+Host\(s\)\s+Idle\s+Location$"),
    _named("show processes cpu platform", r"CPU utilization for five seconds:\s+\d+%, one minute"),
    _named("show controllers ethernet-controller", r"Transmit\s+\S+\d/\d\S*\s+Receive$"),
)
