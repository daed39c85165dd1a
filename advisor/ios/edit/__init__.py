"""Which command replaces which: the words of a command that name its setting."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.ios.syntax.modes import GLOBAL

# The data follow the command references of IOS 12.0-15.x. A command outside the tables can occur
# many times with different words, and only an exact repeat of it changes nothing.

Key = tuple[str, ...]

INTERFACE: Final = "interface"
PVC: Final = "pvc"
POLICY_MAP: Final = "policy-map"
POLICY_CLASS: Final = "policy-map-class"
CLASS_MAP: Final = "class-map"
ACCESS_LIST: Final = "access-list"
CLASS_DEFAULT: Final[Key] = ("class", "class-default")

# Queueing rows that interface, PVC, class and random-detect-group share.
_RANDOM_DETECT = """
        random-detect $;
        random-detect =dscp-based|prec-based|precedence-based|discard-class-based;
        random-detect exponential-weighting-constant; random-detect precedence ?;
        random-detect dscp ?; random-detect discard-class ?; random-detect attach
    """

# A row names one setting; `;` separates rows. A word stands for itself, and `a|b` for either word;
# both are part of the name of the setting. `?` is any word of the name. `*` and `=a|b` are words of
# the value. `$` is the end of the command. `> x` names a setting that several commands share. The
# words after the row are the value. The row with the most words decides.
_SINGLE: Final[Mapping[str, str]] = {
    GLOBAL: """
        hostname; version; policy-map ?; policy-map type ? ?; ip access-list ? ?; banner ?;
        buffers ? ?; clock timezone; clock summer-time; dlsw local-peer;
        dlsw remote-peer ? tcp ?; dlsw remote-peer ? fst ?; dlsw timer ?; dlsw tos;
        enable secret; enable password; ip default-gateway; ip domain name;
        ip host ?; ip http port; ip tcp path-mtu-discovery; ip tcp synwait-time;
        ip tcp window-size; ip tcp mss; ip tcp queuemax; ip ftp username; ip ftp password;
        ip prefix-list ? seq ?; ipv6 prefix-list ? seq ?; logging buffered; logging console;
        logging facility; logging history; logging monitor; logging source-interface;
        logging trap; memory-size iomem; ntp clock-period; ntp source; scheduler allocate;
        scheduler interval; scheduler max-task-time; service timestamps ?;
        snmp-server chassis-id; snmp-server community ?; snmp-server contact;
        snmp-server location; snmp-server trap-source; spanning-tree mode; username ?;
        vtp domain; vtp mode
    """,
    INTERFACE: f"""
        {_RANDOM_DETECT}; arp timeout; bandwidth; bandwidth inherit; bandwidth receive;
        bandwidth qos-reference; carrier-delay; channel-group; clock rate;
        clock source; crc; crypto map; custom-queue-list; delay; description; dialer pool;
        dsu bandwidth; duplex; encapsulation; fair-queue; framing;
        frame-relay adaptive-shaping; frame-relay class; frame-relay fragment;
        frame-relay intf-type; frame-relay lmi-type; hold-queue * in|out; hold-queue in|out;
        ip access-group * in|out; ip access-group in|out; ip address; ip address ? ? secondary;
        ip flow ?; ip mtu; ip nat ?; ip nhrp group; ip nhrp map group ?; ip ospf cost;
        ip ospf dead-interval; ip ospf hello-interval; ip ospf network; ip ospf priority;
        ip policy route-map; ip rsvp bandwidth; ip tcp adjust-mss; ip tcp header-compression;
        ip unnumbered; ip vrf forwarding; ipv6 mtu;
        keepalive; linecode; load-interval; max-reserved-bandwidth; media-type; mtu;
        nhrp group; nhrp map group ?; ppp authentication;
        ppp multilink fragment delay;
        ppp multilink fragment size; ppp multilink fragment disable; ppp multilink group;
        ppp multilink links maximum; ppp multilink links minimum; priority-group;
        service-policy input|output; service-policy type ? input|output; service-policy type ?;
        service-policy; source template; speed; standby ? ip; standby ? preempt; standby ? priority;
        standby ? timers; standby ip; standby preempt; standby priority; standby timers;
        switchport access vlan; switchport mode; switchport trunk encapsulation;
        switchport trunk native; switchport voice vlan; traffic-shape group ?;
        traffic-shape rate; tunnel destination; tunnel key; tunnel mode; tunnel source;
        tx-queue-limit; tx-ring-limit; vrf forwarding
    """,
    PVC: f"""
        {_RANDOM_DETECT}; =vbr-nrt|vbr-rt|cbr|abr|ubr|ubr+ > atm-service; bandwidth; class-vc;
        encapsulation; fair-queue; max-reserved-bandwidth; oam ac; oam retry; oam-pvc;
        queue-depth; queue-limit; service-policy input|output;
        service-policy type ? input|output; tx-ring-limit; vc-hold-queue
    """,
    POLICY_MAP: """
        class type ? ?; class ?; description
    """,
    POLICY_CLASS: f"""
        {_RANDOM_DETECT}; bandwidth; compression; estimate; fair-queue; police; priority;
        queue-limit; queue-limit cos|dscp|precedence|qos-group|discard-class ?; service-policy;
        service-policy type ?; set atm-clp; set cos; set discard-class; set dscp; set fr-de;
        set ip dscp; set ip precedence; set mpls experimental ?; set precedence; set qos-group;
        shape $; shape =average|peak; shape adaptive; shape max-buffers
    """,
    "police": """
        conform-action $; conform-action =transmit|drop; conform-action ?;
        exceed-action $; exceed-action =transmit|drop; exceed-action ?;
        violate-action $; violate-action =transmit|drop; violate-action ?
    """,
    CLASS_MAP: "description",
    "map-class": """
        frame-relay adaptive-shaping; frame-relay bc; frame-relay bc in|out; frame-relay be;
        frame-relay be in|out; frame-relay cir; frame-relay cir in|out; frame-relay fair-queue;
        frame-relay fragment; frame-relay holdq; frame-relay ip rtp priority;
        frame-relay mincir; frame-relay mincir in|out; frame-relay tc;
        frame-relay traffic-rate; frame-relay voice bandwidth; service-policy input|output
    """,
    "random-detect-group": """
        exponential-weighting-constant; precedence ?; dscp ?
    """,
    "frame-relay-dlci": "class; service-policy input|output",
    "control-plane": "service-policy input|output",
    "template": "service-policy input|output",
    "zone": "description; service-policy type ?",
    "router": """
        auto-summary; default-information originate; default-metric; distance; maximum-paths;
        neighbor ? description; neighbor ? ebgp-multihop; neighbor ? peer-group $;
        neighbor ? remote-as; neighbor ? route-map * in|out; neighbor ? update-source;
        router-id; bgp router-id; synchronization; timers ?; variance
    """,
    "route-map": "description",
    "line": """
        access-class * in|out; access-class in|out; exec-timeout; flowcontrol; length;
        location; login; password; privilege level; session-timeout; speed; stopbits;
        transport input; transport output; transport preferred; width
    """,
    "ip-sla": "frequency; owner; tag; threshold; timeout; tos; request-data-size",
    "ip-sla-operation": "frequency; owner; tag; threshold; timeout; tos; request-data-size",
}

# A mode with the settings of another mode.
_SAME_AS: Final[Mapping[str, str]] = {
    "vc-class": PVC,
    "pvc-range": PVC,
    "address-family": "router",
}

# Older spellings of a command and the one it is known by: a line of either replaces the other.
# Source: Cisco IOS command references of 12.0-12.4.
_SPELLINGS: Final[Mapping[str, str]] = {
    GLOBAL: """
        ip domain-lookup > ip domain lookup; ip domain-name > ip domain name
    """,
    INTERFACE: """
        clockrate > clock rate; multilink-group > ppp multilink group;
        ppp multilink fragment-delay > ppp multilink fragment delay;
        ppp multilink max-links > ppp multilink links maximum;
        ppp multilink min-links > ppp multilink links minimum
    """,
}

# `no` or `default` of exactly these words removes every setting that starts with them.
_FAMILIES: Final[Mapping[str, str]] = {
    GLOBAL: """
        access-list ?; ip prefix-list ?; ipv6 prefix-list ?; ip as-path access-list ?;
        ip community-list ?; ip community-list standard|expanded ?; route-map ?
    """,
    INTERFACE: "ip address; random-detect",
    PVC: "random-detect",
    POLICY_CLASS: "random-detect",
}

# On by default and then not printed. IOS stores their `no`; the positive command removes it.
_ON: Final[Mapping[str, str]] = {
    GLOBAL: """
        cdp run; ip bootp server; ip domain lookup; ip gratuitous-arps;
        ip source-route; logging console; logging monitor; service dhcp; service pad;
        service password-recovery
    """,
    INTERFACE: """
        cdp enable; ip mroute-cache; ip proxy-arp; ip redirects; ip route-cache;
        ip split-horizon; ip unreachables; keepalive; lldp receive; lldp transmit;
        peer neighbor-route; snmp trap link-status
    """,
}

# The default depends on platform, rate or train (`fair-queue` is on for a serial line of 2.048 Mb/s
# or less, see the facts of WFQ), or IOS prints both forms: the entered form is stored.
_EITHER: Final[Mapping[str, str]] = {
    GLOBAL: """
        aaa new-model; ip cef; ip classless; ip http server; ip http secure-server; ip routing;
        ip subnet-zero; ipv6 cef; scheduler allocate; service password-encryption;
        service timestamps debug; service timestamps log
    """,
    INTERFACE: """
        atm ilmi-keepalive; autostate; fair-queue; ip directed-broadcast; ip route-cache cef;
        ip route-cache flow; ip route-cache same-interface; mop enabled; mop sysid;
        negotiation auto; switchport
    """,
    "line": "exec-timeout; login",
    "router": """
        auto-summary; bgp default ipv4-unicast; bgp log-neighbor-changes; synchronization
    """,
}

# Off by default and without a value, although configs print the `no`: the `no` changes nothing.
_OFF: Final[Mapping[str, str]] = {
    INTERFACE: "shutdown",
}


def _entries(text: str) -> list[str]:
    return [entry for entry in text.replace("\n", ";").split(";") if entry.strip()]


Row = tuple[tuple[str, ...], Key | None]


def _rows(source: Mapping[str, str]) -> Mapping[str, Mapping[str, tuple[Row, ...]]]:
    tables: dict[str, dict[str, list[Row]]] = {}
    for mode, text in source.items():
        rows = tables.setdefault(mode, {})
        for entry in _entries(text):
            words, _, shared = entry.partition(">")
            tokens = tuple(words.split())
            for word in tokens[0].lstrip("=").split("|"):
                rows.setdefault(word, []).append((tokens, tuple(shared.split()) or None))
    for mode, other in _SAME_AS.items():
        if other in tables:
            tables[mode] = tables[other]
    return {
        mode: {
            word: tuple(sorted(rows, key=lambda row: len(row[0]), reverse=True))
            for word, rows in table.items()
        }
        for mode, table in tables.items()
    }


def _keys(table: Mapping[str, str]) -> Mapping[str, frozenset[Key]]:
    modes = {
        mode: frozenset(tuple(entry.split()) for entry in _entries(text))
        for mode, text in table.items()
    }
    return modes | {mode: modes[other] for mode, other in _SAME_AS.items() if other in modes}


def _spelled(table: Mapping[str, str]) -> Mapping[str, Mapping[Key, Key]]:
    pairs = {
        mode: [tuple(entry.split(">")) for entry in _entries(text)] for mode, text in table.items()
    }
    return {
        mode: {tuple(old.split()): tuple(known.split()) for old, known in spellings}
        for mode, spellings in pairs.items()
    }


ROWS: Final = MappingProxyType(_rows(_SINGLE))
FAMILIES: Final = MappingProxyType(_rows(_FAMILIES))
ON_BY_DEFAULT: Final = MappingProxyType(_keys(_ON))
STORED_EITHER_WAY: Final = MappingProxyType(_keys(_EITHER))
SPELLINGS: Final = MappingProxyType(_spelled(_SPELLINGS))
OFF_BY_DEFAULT: Final = MappingProxyType(_keys(_OFF))
