"""The lines that tell the configuration of one system from that of another."""

import re
from enum import StrEnum
from typing import Final

from msgspec import Struct


class Dialect(StrEnum):
    """The system that a text configures, by the name that a user knows."""

    IOS = "Cisco IOS / IOS XE"
    NXOS = "Cisco NX-OS"
    ASA = "Cisco ASA"
    IOS_XR = "Cisco IOS XR"
    EOS = "Arista EOS"
    JUNOS = "Juniper JunOS"
    OTHER = "configuration of another system"
    NOT_A_CONFIG = "no configuration"
    EMPTY = "empty"


class Sign(Struct, frozen=True):
    """A line that is evidence for a dialect; the weight says how strong."""

    dialect: Dialect
    weight: int
    line: re.Pattern[str]


DECISIVE: Final = 10  # no other system prints this line
STRONG: Final = 5  # enough alone if there is no sign of IOS
SUGGESTIVE: Final = 4
WEAK: Final = 2

# A pattern matches at the start of a line without its indentation. Its first word must be literal,
# or alternatives of literals, because it is the key of the lookup.
_PATTERNS: Final = {
    Dialect.IOS: {
        DECISIVE: r"""
            Current configuration ?: \d+ bytes
            version 1[0-7]\.\d+$
            tx-ring-limit \d+
            ip cef distributed
        """,
        STRONG: r"""
            boot-start-marker
            service timestamps (?:log|debug) (?:uptime|datetime)
            (?:no )?ip (?:cef|classless|subnet-zero)$
            (?:no )?ip http (?:secure-)?server$
            (?:no )?aaa new-model
            line con 0
            !RANCID-CONTENT-TYPE: cisco$
            ntp clock-period
            interface (?:FastEthernet|Serial|ATM|Dialer|Virtual-Template|BRI)\d
            ip address \d[\d.]+ 2\d\d\.[\d.]+
            no ip domain[ -]lookup
            address-family ipv4 vrf \S+$
            service-policy (?:input|output) \S+$
            encapsulation dot1Q \d+
        """,
        WEAK: r"""
            line vty \d
            class-map (?:match-all|match-any) \S+$
            access-list \d+ (?:permit|deny)
            ip access-list (?:extended|standard)
            network \d[\d.]+ (?:0\.[\d.]+ area|mask)
            router ospf \d+$
            neighbor \d[\d.]+ (?:remote-as|activate)
            vrf definition
            spanning-tree mode (?:pvst|rapid-pvst)$
        """,
    },
    Dialect.NXOS: {
        DECISIVE: r"""
            version \d+\.\d+\(\w+\)
            vdc \S+ id \d+
            boot (?:nxos|kickstart)
            !Running configuration last done at
            !Startup config saved at
            copp profile
            install feature-set
            switchname
        """,
        STRONG: r"""
            !Command: show
            feature \S+
            limit-resource
            vrf context
            vpc domain
            system default switchport
            fabric forwarding
            nxapi
        """,
        WEAK: r"""
            ip address \d[\d.]+/\d+
            interface Ethernet\d+/\d+$
            interface mgmt0
            vn-segment
        """,
    },
    Dialect.ASA: {
        DECISIVE: r"""
            ASA Version
            PIX Version
            FWSM Version
            xlate per-session
            same-security-traffic
            nat \([^\s,]+,\S+\)
            asdm image
        """,
        STRONG: r"""
            : Saved
            nameif \S+
            security-level \d+
            access-group \S+ (?:in|out|global)(?: interface|$)
            fixup protocol
            names$
        """,
        SUGGESTIVE: r"""
            access-list \S+ extended
        """,
    },
    Dialect.IOS_XR: {
        DECISIVE: r"""
            !! IOS XR
            interface MgmtEth
            telnet vrf \S+ ipv[46] server
            end-policy
            end-set
            ipv4 access-list
            segment-routing mpls
        """,
        STRONG: r"""
            route-policy
            prefix-set
            router static
            ipv4 address
            ipv4 unnumbered
            interface Bundle-Ether
            interface (?:GigabitEthernet|TenGigE|FortyGigE|HundredGigE)\d+/\d+/\d+/\d+
            l2vpn
            root
        """,
    },
    Dialect.EOS: {
        DECISIVE: r"""
            ! device: .*EOS
            ! boot system flash:.*\.swi
            boot system flash.*\.swi
            !RANCID-CONTENT-TYPE: arista
            service routing protocols model
            daemon TerminAttr
            management api
            vrf instance
            mlag configuration
        """,
        STRONG: r"""
            spanning-tree mode mstp
            transceiver qsfp
            interface Vxlan\d
            vxlan
            management (?:ssh|console|telnet)
            ip virtual-router
            interface Management\d
        """,
        SUGGESTIVE: r"""
            ip address \d[\d.]+/\d+
        """,
        WEAK: r"""
            interface Ethernet\d+$
            ! Command: show
        """,
    },
    Dialect.JUNOS: {
        DECISIVE: r"""
            ## Last (?:commit|changed)
            version "?\d+\.\d+[RXSIB].*;$
            host-name \S+;$
            set system host-name
            set version \d+\.\d+[RXSIB]
        """,
        STRONG: r"""
            set (?:interfaces|protocols|routing-options|policy-options|firewall|groups|vlans)
            (?:interfaces|protocols|routing-options|policy-options|firewall|groups) \{$
        """,
    },
    Dialect.NOT_A_CONFIG: {
        DECISIVE: r"""
            from \S+ import
            def \w+\(
            \#include
            \#!/
            <!DOCTYPE
            <html
        """,
    },
    Dialect.OTHER: {
        DECISIVE: r"""
            \#TMSH-VERSION
            ltm (?:node|pool|virtual|rule|monitor|profile)
            mgt-config \{
            set deviceconfig
            frr (?:version|defaults)
            ZEBRA:
            iface \S+
            sysname
            ; J\w+ Configuration Editor
            config system (?:global|interface)
            !\s+Copyright \(c\) Ruckus
            lag "\S+" (?:dynamic|static)
            system-max
            ver \d+\.\d
            <\?xml
        """,
        STRONG: r"""
            config \{$
            no dual-mode-default-vlan
            default-max-frame-size
            auto \S+$
        """,
    },
}


def _first_words(pattern: str) -> list[str]:
    head = pattern.removeprefix("(?:no )?")
    if head.startswith("(?:"):
        return re.sub(r"[\\$]", "", head[3 : head.index(")")]).split("|")
    return [re.sub(r"\\([#?])", r"\1", re.split(r" |\\s|\$", head)[0])]


def _indexed() -> dict[str, tuple[Sign, ...]]:
    signs: dict[str, list[Sign]] = {}
    for dialect, by_weight in _PATTERNS.items():
        for weight, patterns in by_weight.items():
            for pattern in patterns.strip().split("\n"):
                sign = Sign(dialect, weight, re.compile(pattern.strip()))
                for word in _first_words(pattern.strip()):
                    signs.setdefault(word, []).append(sign)
    return {word: tuple(word_signs) for word, word_signs in signs.items()}


SIGNS: Final = _indexed()
