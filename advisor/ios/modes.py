"""Which command opens which configuration mode, and which words a mode knows.

IOS ignores indentation: what a line means hangs on the mode that the lines before it opened. The
words here are those of the command references of IOS 12.0-15.x and IOS XE, first word only. The
table is no grammar: it says where a line belongs, not whether it is right.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GLOBAL: Final = "global"

# mode -> lines of "opening words : mode that they open"; `*` is any one word, `|` separates
# alternatives of one word, `#` a word that starts with a digit. The longest match decides, and
# `-` says that the words open nothing.
_OPENERS: Final[Mapping[str, str]] = {
    GLOBAL: """
        interface * : interface
        class-map * : class-map
        policy-map * : policy-map
        policy-map type control|inspect|control-plane : policy-map
        map-class * * : map-class
        vc-class atm * : vc-class
        random-detect-group * : random-detect-group
        table-map * : table-map
        router * : router
        ipv6 router * : router
        key chain * : key-chain
        line * : line
        ip access-list standard|extended|role-based|resequence|logging * : access-list
        ip access-list resequence|log-update|logging|persistent|helper : -
        ipv6 access-list * : access-list
        ipv6 access-list log-update : -
        mac access-list * : access-list
        mac access-list extended * : access-list
        arp access-list * : access-list
        object-group * * : object-group
        route-map * : route-map
        ip vrf * : vrf
        vrf definition * : vrf
        vrf * : -
        controller * : controller
        dial-peer voice * : dial-peer
        dial-peer cor custom : dial-peer-cor
        dial-peer cor list * : dial-peer-cor
        voice-port * : voice-port
        voice-card * : voice-card
        voice class * * : voice-class
        voice service * : voice-service
        voice translation-rule * : voice-translation
        voice translation-profile * : voice-translation
        voice register global|dn|pool|template : voice-register
        voice hunt-group * : voice-class
        telephony-service : telephony-service
        call-manager-fallback : telephony-service
        ephone # : ephone
        ephone-dn # : ephone
        ephone-template # : ephone
        sip-ua : sip-ua
        gatekeeper : gatekeeper
        gateway : gatekeeper
        dspfarm profile * : dspfarm
        sccp ccm group * : dspfarm
        application : application
        ip sla # : ip-sla
        ip sla monitor # : ip-sla
        ip sla auto * * : ip-sla
        rtr # : ip-sla
        track # : track
        track # stub-object|list|interface|ip|rtr : track
        crypto isakmp policy|profile|peer * : crypto
        crypto isakmp client configuration group * : crypto
        crypto ipsec transform-set * : crypto
        crypto ipsec profile * : crypto
        crypto ipsec client ezvpn * : crypto
        crypto keyring * : crypto
        crypto ikev2 proposal|policy|profile|keyring * : crypto
        crypto ikev2 authorization|client|name-mangler * : crypto
        crypto map * # : crypto
        crypto dynamic-map * # : crypto
        crypto gdoi group * : crypto
        crypto pki|ca trustpoint|profile|server|token * : crypto
        crypto pki|ca certificate map * : crypto
        crypto pki|ca certificate chain * : certificate-chain
        crypto ca identity * : crypto
        crypto key pubkey-chain rsa : pubkey-chain
        aaa group server * * : aaa-group
        aaa server radius dynamic-author : aaa-group
        aaa attribute list * : aaa-group
        radius server * : aaa-group
        tacacs server * : aaa-group
        ldap server * : aaa-group
        archive : archive
        event manager applet * : applet
        vlan # : vlan
        vlan access-map * : vlan
        vlan configuration # : vlan
        vpdn-group * : vpdn-group
        l2tp-class * : l2tp-class
        pseudowire-class * : l2tp-class
        ip dhcp pool * : dhcp-pool
        ipv6 dhcp pool * : dhcp-pool
        ip dhcp class * : dhcp-pool
        ip nat pool * prefix-length # : nat-pool
        ip nat pool * netmask * : nat-pool
        ip nat pool # : -
        ip explicit-path * * : explicit-path
        control-plane : control-plane
        control-plane * : control-plane
        zone security * : zone
        zone-pair security * : zone
        parameter-map type * : parameter-map
        redundancy : redundancy
        spanning-tree mst configuration : mst
        time-range * : time-range
        flow record|exporter|monitor * : flow
        sampler * : flow
        flow-sampler-map * : flow
        ip flow-top-talkers : flow
        template * : template
        service-template * : template
        bfd-template * * : template
        call-home : call-home
        kron policy-list * : kron
        kron occurrence * : kron
        monitor session # type * : monitor-session
        l2 vfi * : vfi
        bridge-domain # : bridge-domain
        frame-relay vc-bundle * : pvc-bundle
        ip ssh pubkey-chain : ssh-pubkey-chain
        fr-atm connect * : connect
        ethernet evc * : ethernet-evc
        ethernet cfm domain * : ethernet-evc
        stcapp port * : application
    """,
    "interface": """
        pvc * : pvc
        svc * : pvc
        vc-group * : -
        bundle * : pvc-bundle
        range pvc * : pvc-range
        range * pvc * : pvc-range
        pvp * : pvp
        frame-relay interface-dlci * : frame-relay-dlci
        frame-relay vc-bundle * : pvc-bundle
        service instance # : service-instance
        xconnect * * : xconnect
        tx-queue # : tx-queue
        cts manual : cts
        vrrp # address-family * : vrrp
    """,
    "policy-map": """
        class * : policy-map-class
        class type * * : policy-map-class
        # class * : policy-map-class
        event * : policy-map-event
    """,
    "policy-map-event": "# class * : policy-map-event-class",
    # The one-line forms name their actions on the line and open nothing.
    "policy-map-class": """
        police * : police
        police # : -
        police # conform-burst|pir|# : police
        police # # # : police
    """,
    "pvc-bundle": """
        pvc-bundle * : pvc
        pvc * : pvc
    """,
    "pvc-range": "pvc-in-range * : pvc",
    "router": """
        address-family * : address-family
        service-family * : address-family
        template * : router-template
        topology * : topology
        scope * : address-family
    """,
    "address-family": """
        topology * : topology
        af-interface * : af-interface
        sf-interface * : af-interface
    """,
    "vrf": "address-family * : vrf-address-family",
    "key-chain": "key # : key",
    "archive": "log config : archive-log",
    "ip-sla": """
        icmp-echo * : ip-sla-operation
        icmp-jitter * : ip-sla-operation
        path-echo * : ip-sla-operation
        path-jitter * : ip-sla-operation
        udp-echo * : ip-sla-operation
        udp-jitter * : ip-sla-operation
        tcp-connect * : ip-sla-operation
        http * : ip-sla-operation
        ftp * : ip-sla-operation
        dns * : ip-sla-operation
        dhcp : ip-sla-operation
        dhcp * : ip-sla-operation
        dlsw * : ip-sla-operation
        frame-relay * : ip-sla-operation
        voip * : ip-sla-operation
        ethernet * : ip-sla-operation
        mpls * : ip-sla-operation
        type * : ip-sla-operation
    """,
    "certificate-chain": "",
    "pubkey-chain": """
        named-key * : pubkey
        addressed-key * : pubkey
    """,
    "ssh-pubkey-chain": """
        username * : pubkey
        server * : pubkey
    """,
    "service-instance": "xconnect * * : xconnect",
    "voice-service": """
        sip : voice-service-protocol
        h323 : voice-service-protocol
        stun : voice-service-protocol
        ip address trusted list : voice-service-protocol
    """,
    "vpdn-group": """
        accept-dialin : vpdn-dial
        accept-dialout : vpdn-dial
        request-dialin : vpdn-dial
        request-dialout : vpdn-dial
    """,
    "application": """
        service * : application-service
        global : application-service
        package * : application-service
    """,
    "controller": "vdsl : -",
    "redundancy": """
        main-cpu : redundancy-unit
        linecard-group * : redundancy-unit
    """,
    "call-home": "profile * : call-home-profile",
    "applet": "",
    "l2tp-class": "",
}
