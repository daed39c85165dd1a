"""The lines that tell the configuration of one system from that of another."""

import re
from functools import cache
from typing import Final

from msgspec import Struct

from advisor.ios.syntax.other_signs import DECISIVE, OTHER_SIGNS, STRONG, WEAK, Dialect


class DialectSign(Struct, frozen=True):
    """A line that is evidence for a dialect; the weight says how strong."""

    dialect: Dialect
    weight: int
    pattern: str

    @property
    def line(self) -> re.Pattern[str]:
        return _compiled(self.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a text has the first word: of some 300 patterns a text needs a few."""
    return re.compile(pattern)


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
            ntp clock-period
            interface (?:FastEthernet|Serial|ATM|Dialer|Virtual-Template|BRI)\d
            ip address \d[\d.]+ 2\d\d\.[\d.]+
            no ip domain[ -]lookup
            address-family ipv4 vrf \S+$
            service-policy (?:input|output) \S+$
            encapsulation dot1Q \d+
            mac access-list extended \S+$
        """,
        WEAK: r"""
            !RANCID-CONTENT-TYPE: cisco$
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
            vrf member
            role name
            system qos$
            class type (?:network-qos|qos|queuing)
            policy-map type (?:network-qos|queuing)
            spanning-tree port type
            ip access-list [^\d\s]\S*$
            hsrp \d+
            fex associate
        """,
        WEAK: r"""
            ip address \d[\d.]+/\d+
            interface Ethernet\d+/\d+$
            interface mgmt0
            ip route \d[\d.]+/\d+
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
            object network \S+$
            access-list \S+ (?:extended|standard) (?:permit|deny)
            class-map inspection_default
            service-policy \S+ (?:global|interface \S+)$
            crypto map \S+ interface \S+$
            crypto ikev[12] enable \S+
            tunnel-group \S+ (?:type|general-attributes|ipsec-attributes|webvpn-attributes)
            group-policy \S+ (?:internal|external|attributes)
            dynamic-access-policy-record
            aaa-server \S+ (?:protocol|\()
            threat-detection
            failover (?:lan|link|interface|key)
            timeout (?:xlate|conn|uauth)
            (?:global|static) \(\w+
            route \S+ \d[\d.]+ \d[\d.]+ \d[\d.]+
            mtu [a-z]\S* \d+$
            (?:ssh|telnet|http) \d[\d.]+ \d[\d.]+ \S+$
            (?:no )?logging asdm
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
            interface \w*(?:GigabitEthernet|GigE)\d+/\d+/\d+/\d+
            interface Bundle-Ether
            l2vpn$
            as-set
            community-set
            ipv4 (?:access-group|icmp|point-to-point|unreachables|virtual)
            tcp selective-ack$
            root
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
}


def _first_words(pattern: str) -> list[str]:
    head = pattern.removeprefix("(?:no )?")
    if head.startswith("(?:"):
        return re.sub(r"[\\$]", "", head[3 : head.index(")")]).split("|")
    return [re.sub(r"\\([#?])", r"\1", re.split(r" |\\s|\$", head)[0])]


def _indexed() -> dict[str, tuple[DialectSign, ...]]:
    signs: dict[str, list[DialectSign]] = {}
    for dialect, by_weight in (_PATTERNS | OTHER_SIGNS).items():
        for weight, patterns in by_weight.items():
            for pattern in patterns.strip().split("\n"):
                sign = DialectSign(dialect, weight, pattern.strip())
                for word in _first_words(pattern.strip()):
                    signs.setdefault(word, []).append(sign)
    return {word: tuple(word_signs) for word, word_signs in signs.items()}


SIGNS: Final = _indexed()


@cache
def any_sign(word: str) -> re.Pattern[str]:
    """Matches a line that shows any of the signs with this first word: most lines show none."""
    return re.compile("|".join(f"(?:{sign.pattern})" for sign in SIGNS[word]))
