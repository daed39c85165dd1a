"""The keywords behind the first word of the commands that are read, mode by mode.

Source: the command references of IOS 12.0-15.x (Quality of Service, Wide-Area Networking, Dial,
Bridging and IBM Networking).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# mode -> rows of words from the left. `a|b` is either word, `*` any argument. Words behind `>`
# may stand anywhere behind the row, among arguments. A row ends where arguments stand alone.
_WRED: Final = """
    random-detect dscp-based|prec-based|precedence-based|discard-class-based|cos-based|ecn
    random-detect exponential-weighting-constant|aggregate|attach|flow
    random-detect dscp|precedence|discard-class|cos|clp > values minimum-thresh maximum-thresh
"""
_ATTACH: Final = "service-policy input|output|type|history"
_ACTIONS: Final = """
    transmit drop set-dscp-transmit set-prec-transmit set-qos-transmit set-mpls-exp-transmit
    set-discard-class-transmit set-cos-transmit set-clp-transmit set-frde-transmit
"""
_POLICE: Final = f"""
    cir pir bc be rate percent peak-rate peak-burst burst conform-action exceed-action
    violate-action {_ACTIONS}
"""
_ENTRY: Final = """
    any host eq gt lt neq range dscp precedence tos established fragments log tcp udp icmp
"""
_ACCESS: Final = f"permit|deny|remark > {' '.join(_ENTRY.split())}"
_PEERS: Final = """
    peer-id tcp fst frame-relay interface keepalive lf cost cluster linger backup-peer dynamic
    inactivity no-llc passive pass-thru priority rif-passthru timeout tcp-queue-max promiscuous
    border group circuit-weight dest-mac init-pacing-window max-pacing-window biu-segment
"""
_DLSW: Final = f"""
    dlsw remote-peer|local-peer|prom-peer-defaults|peer-on-demand-defaults > {" ".join(_PEERS.split())}
    dlsw bgroup-list|bridge-group|disable|duplicate-path-bias|explorerq-depth|group-cache
    dlsw icannotreach|icanreach|load-balance|mac-addr|max-multiple-rifs|multicast|netbios-cache
    dlsw netbios-cache-length|netbios-name|port-list|redundant-rings|ring-list|timer|tos
    dlsw transparent|udp-disable|allroute-netbios|allroute-sna|history-log|llc2|rsvp
    dlsw tos map|disable
"""  # noqa: E501 - one row
_RATES: Final = "cbr vbr-nrt vbr-rt abr ubr ubr+".replace(" ", "\n    ")
_CIRCUIT: Final = f"""
    {_ATTACH}
    {_WRED}
    {_RATES}
    encapsulation aal5snap|aal5mux|aal5nlpid|aal5autoppp|aal5ciscoppp
    encapsulation aal5mux ip|ppp|pppoe|bridge
    tx-ring-limit
    class-vc
    protocol ip|ppp|pppoe|bridge|ipx
    protocol ppp dialer|virtual-template
    dialer pool-member
    pppoe-client dial-pool-number
    pppoe max-sessions
    vc-hold-queue
    bandwidth
    fair-queue
    queue-depth
    max-reserved-bandwidth
"""
_IP_INTERFACE: Final = """
    access-group accounting address admission audit authentication authentication-proxy auth-proxy
    bandwidth-percent bgp bridging broadcast-address cef cgmp ddns dhcp directed-broadcast dvmrp
    flow flow-cache hello-interval helper-address hold-time icmp igmp inspect ips irdp
    load-sharing local-proxy-arp mask-reply mfib mobile mrm mroute-cache msdp mtu multicast nat
    nbar next-hop-self nhrp ospf pgm pim policy proxy-arp rarp-server redirects rgmp rip
    route-cache router rsvp rtp sap sdr security split-horizon sticky-arp summary-address tcp
    trigger-authentication tunnel unnumbered unreachables urd verify virtual-reassembly vrf wccp
"""
_IP_GLOBAL: Final = """
    access-list accounting accounting-list address admission alias arp as-path audit auth-proxy
    bgp bgp-community bootp cef classless community-list ddns default-gateway default-network dhcp
    device dfp dns domain domain-list domain-lookup domain-name drp dvmrp explicit-path
    extcommunity-list finger flow flow-cache flow-export flow-top-talkers forward-protocol ftp
    gdp gratuitous-arps gre host host-routing http icmp identd igmp inspect ips kerberos
    license local mfib mobile mroute mrm msdp mtag multicast multicast-routing multilayer
    name-server nat nbar netmask-format nhrp ospf pgm pim policy-list port-map prefix-list radius
    rcmd redirects reflexive-list route router routing rpf rsvp rtcp sap scp sdr sip sla slb
    source-route source-track split-horizon spd ssh sticky-arp subnet-zero tacacs tcp telnet tftp
    traceroute traffic-export trigger-authentication udptn urlfilter verify virtual-reassembly vrf
    wccp sockets scheduler load-sharing default-ttl
"""
_FRAME_RELAY_INTERFACE: Final = """
    accounting adaptive-shaping address bc be broadcast-queue cir class congestion
    congestion-management de-group end-to-end fair-queue fecn-adapt fragment fragmentation holdq
    ifmib-counter
    interface-dlci interface-queue intf-type inverse-arp ip ipx lapf link lmi-n391dte lmi-n392dce
    lmi-n392dte lmi-n393dce lmi-n393dte lmi-t391dte lmi-t392dce lmi-type local-dlci map mincir
    multilink payload-compression policing priority-dlci-group qos-autosense route svc tc
    traffic-shaping vc-bundle
"""


def _choice(words: str) -> str:
    return "|".join(words.split())


ROWS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "global": f"""
            access-list * {_ACCESS}
            access-list * dynamic|rate-limit
            auto qos
            bridge * protocol|route|address|priority|aging-time|domain|multicast-source
            bridge irb|crb|cmf
            class-map match-all|match-any|type|*
            control-plane
            controller
            {_DLSW}
            hostname
            interface
            ip {_choice(_IP_GLOBAL)}
            ip access-list extended|standard|resequence|logging|role-based|log-update
            ip cef distributed|load-sharing|accounting|linecard|traffic-statistics|table
            ip sla monitor|schedule|reaction-configuration|responder|logging|group|low-memory
            ip sla key-chain|restart|reset|enable|auto|*
            ip sla monitor schedule|reaction-configuration|responder|logging|*
            map-class frame-relay|atm|dialer
            mls qos
            policy-map type|*
            priority-list
            queue-list
            random-detect-group
            rtr schedule|reaction-configuration|responder|logging|key-chain|group|low-memory|*
            source-bridge ring-group|remote-peer|transparent|explorer-maxrate|explorerq-depth
            source-bridge cos-enable|enable-80d5|fst-peername|keepalive|largest-frame|passthrough
            source-bridge proxy-explorer|qllc-local-ack|sap-80d5|sdllc-local-ack|tcp-queue-max
            template
            vc-class atm
            version
        """,
        "access-list": f"""
            {_ACCESS}
        """,
        "class-map": """
            match access-group|any|atm|atm-clp|class-map|cos|destination-address|discard-class
            match dscp|precedence|fr-de|fr-dlci|input-interface|ip|mpls|not|packet|protocol
            match qos-group|source-address|tag|vlan|application|device-type|ethernet|media-type
            match metadata|user-group|atm-vci
            match access-group name
            match ip dscp|precedence|rtp
            match not access-group|any|atm|atm-clp|class-map|cos|destination-address|discard-class
            match not dscp|precedence|fr-de|fr-dlci|input-interface|ip|mpls|packet|protocol
            match not qos-group|source-address|tag|vlan
            match not ip dscp|precedence|rtp
            match not access-group name
            match mpls experimental
            match mpls experimental topmost
            match packet length > min max
            description
            rename
        """,
        "policy-map": """
            class type|*
            class * insert-before
            description
            parameter-map
        """,
        "policy-map-class": f"""
            {_WRED}
            account
            admit
            bandwidth percent|remaining
            bandwidth remaining percent|ratio
            compression
            drop
            estimate
            fair-queue queue-limit|individual-limit|aggregate-limit
            police > {" ".join(_POLICE.split())}
            priority percent|level
            priority level * percent
            queue-limit * packets|bytes|ms|us
            queue-limit cos|dscp|precedence|qos-group|discard-class
            service-policy input|output|type|*
            set dscp|precedence|cos|cos-inner|qos-group|discard-class|atm-clp|fr-de|mpls|ip|vlan
            set ip dscp|precedence|tos
            set mpls experimental
            set mpls experimental topmost|imposition
            shape average|peak|max-buffers|adaptive|fecn-adapt|fr-voice-adapt
            shape average|peak percent
        """,
        "police": f"""
            conform-action {_choice(_ACTIONS)}
            exceed-action {_choice(_ACTIONS)}
            violate-action {_choice(_ACTIONS)}
        """,
        "control-plane": _ATTACH,
        "template": f"""
            {_ATTACH}
            bandwidth
            load-interval
            hold-queue * in|out
        """,
        "map-class": f"""
            {_ATTACH}
            frame-relay {_choice(_FRAME_RELAY_INTERFACE)}
            frame-relay {_choice("idle-timer custom-queue-list priority-group traffic-rate voice")}
            frame-relay bc|be|cir|mincir in|out
            frame-relay fragment * switched|end-to-end
            frame-relay adaptive-shaping becn|foresight|interface-congestion
            frame-relay voice bandwidth
            dialer
        """,
        "frame-relay-dlci": f"""
            {_ATTACH}
            class
            vofr
        """,
        "pvc": _CIRCUIT,
        "pvc-range": f"""
            {_CIRCUIT}
            pvc-in-range
        """,
        "vc-class": _CIRCUIT,
        "controller": """
            channel-group * timeslots
            channel-group * timeslots * speed
            tdm-group
        """,
        "random-detect-group": """
            dscp
            precedence
            exponential-weighting-constant
        """,
        "interface": f"""
            {_ATTACH}
            {_WRED}
            atm pvc|pvp|ilmi-keepalive|vc-per-vp|route-bridged|scrambling|bandwidth
            auto qos
            bandwidth receive|inherit|qos-reference
            bridge-group * input-address-list|input-type-list|output-type-list|path-cost
            bridge-group * spanning-disabled|subscriber-loop-control|priority|circuit-group
            bridge-group * block-unknown-source|source-learning|unicast-flooding|port-protected
            channel-group * mode
            channel-group * mode active|passive|on|auto|desirable
            class-int
            clock rate|source
            clock rate network-clock|line
            clockrate
            custom-queue-list
            description
            dialer {_choice("callback-secure caller enable-timeout fast-idle group hold-queue")}
            dialer {_choice("idle-timeout in-band isdn load-threshold map max-call max-link")}
            dialer {_choice("pool pool-member persistent priority remote-name reserved-links")}
            dialer {_choice("rotary rotary-group rotor string vpdn wait-for-carrier-time aaa")}
            dialer {_choice("called dtr watch-disable watch-group wait-for-line-protocol order")}
            dialer {_choice("callback-server clid down-with-vInterface outgoing dnis")}
            dlsw transparent
            dsu bandwidth|mode|remote|scramble
            encapsulation {_choice("atm-dxi bstun dot1q dot1ad frame-relay hdlc isl lapb native")}
            encapsulation {_choice("ppp sdlc sdlc-primary sdlc-secondary slip smds sna ss7 stun")}
            encapsulation {_choice("transdecnet voice x25 sde tr-isl mpls untagged default")}
            encapsulation frame-relay ietf|mfr|*
            fair-queue
            frame-relay {_choice(_FRAME_RELAY_INTERFACE)}
            frame-relay fragment * end-to-end
            frame-relay ip rtp|tcp
            frame-relay ip rtp priority|header-compression
            hold-queue * in|out
            ip {_choice(_IP_INTERFACE)}
            ip access-group * in|out
            ip address dhcp|negotiated|pool|*
            ip address * * secondary
            ip nhrp {_choice("authentication holdtime interest map max-send network-id nhs")}
            ip nhrp {_choice("record redirect registration responder send server-only shortcut")}
            ip nhrp {_choice("trigger-svc use attribute cache group path event-publisher")}
            ip nhrp map multicast|group|*
            ip nhrp map group * service-policy
            ip nhrp map group * service-policy output
            ip rsvp {_choice("bandwidth aggregation authentication burst data-packet dsbm")}
            ip rsvp {_choice("flow-assist layer2 listener neighbor policy precedence")}
            ip rsvp {_choice("reservation resource-provider sender sender-host signalling")}
            ip rsvp svc-required
            ip rsvp {_choice("tos tunnel udp-multicasts atm-peak-rate-limit pq-profile dscp")}
            ip rsvp bandwidth percent|sub-pool|mam|rdm|ignore|*
            ip rtp priority|reserve|header-compression
            ip tcp adjust-mss|header-compression|compression-connections
            llc2
            load-interval
            max-reserved-bandwidth
            mls qos
            mtu
            multilink-group
            nhrp {_choice("authentication holdtime map network-id nhs record redirect group")}
            nhrp {_choice("registration responder server-only shortcut use attribute cache path")}
            nhrp map multicast|group|*
            nhrp map group * service-policy
            nhrp map group * service-policy output
            ppp {_choice("accm acfc accounting authentication authorization bap bcp bridge")}
            ppp {_choice("caller chap compression direction dnis eap encrypt event ipcp ipv6cp")}
            ppp {_choice("iphc lcp link loopback max-bad-auth max-configure max-failure")}
            ppp {_choice("max-terminate mppe ms-chap mru mtu multilink ncp negotiation")}
            ppp {_choice("negotiation-timeout pap pfc quality reliable-link reset source timeout")}
            ppp {_choice("unique")}
            ppp multilink {_choice("bap endpoint fragment fragment-delay fragmentation group")}
            ppp multilink {_choice("idle-link interleave links load-threshold max-fragments")}
            ppp multilink {_choice("max-links min-links mrru multiclass ncp queue slippage")}
            ppp multilink fragment delay|size|disable|maximum
            pppoe-client dial-pool-number|ppp-max-payload|control-packets|service-name
            priority-group
            priority-queue
            pvc
            qllc
            qos pre-classify
            rate-limit input|output > {" ".join(_POLICE.split())} access-group
            rcv-queue
            sdlc
            service-module t1|56k|ip|external|fail-open|heartbeat-reset
            shutdown
            source template
            source-bridge
            speed
            srr-queue
            timeslot
            traffic-shape rate|group|adaptive|fecn-adapt
            tx-limit
            tx-queue-limit
            tx-ring-limit
            wrr-queue
        """,
    }
)
# Words of the tables of modes that only other families know (Catalyst, 10000): they do not make
# an abbreviation ambiguous on a router.
OTHER_FAMILIES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "global": frozenset(("policy-manager", "interconnect")),
        "policy-map-class": frozenset(
            (
                *("police-map", "dbl", "queue-buffers", "pass", "conform-action", "mls"),
                *("exceed-action", "violate-action", "service", "bypass-accounting"),
            )
        ),
        "interface": frozenset(
            ("shape", "portchannel", "tx-queue", "tx-ring", "internal", "encryption")
        ),
    }
)
# Keywords that later trains only take in full, for old configurations.
OLD_SPELLINGS: Final = frozenset(
    ("clockrate", "fragment-delay", "fragmentation", "precedence-based", "tx-limit")
)
