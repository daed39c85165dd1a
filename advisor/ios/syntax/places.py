"""Commands whose first word two modes share: which of the two modes has them.

Source: the command references of IOS 12.0-15.x and IOS XE, which name the mode of every command.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class WordPlace(StrEnum):
    """Where a command stands that begins with a word of two modes."""

    LOCAL = "local"  # in this mode only
    BOTH = "both"  # in this mode and in global configuration mode
    GLOBAL = "global"  # in global configuration mode only


# mode -> lines of "words > place", in the notation of `openers`. The most specific line decides; a
# command without a line is decided by `GLOBAL_PHRASES`.
PLACES: Final[Mapping[str, str]] = {
    "address-family": "table-map * > both",
    "crypto": "banner|username * > both",
    "device-policy": "vlan * > both",
    "dot11-ssid": "vlan * > both",
    "ikev2-peer": "hostname * > both",
    "l2tp-class": "hostname * > both",
    "monitor-end": "vlan * > both",
    "parameter-map": "banner * > both",
    "pubkey-chain": "username * > both",
    "router": """
        table-map * > both
        template peer-policy|peer-session * > local
    """,
    "router-template": "route-map * in|out > both",
    "service-instance": "bridge-domain * > both",
    "template": "vlan * > both",
    "topology": "table-map * > both",
    "traffic-export": "interface * > both",
    "transport-map": "banner * > both",
    "vfi": "bridge-domain * > both",
    "interface": """
        alias|rmon|snmp|upgrade|vpdn|redundancy|service * > global
        apollo network > local
        async default|dynamic|mode > local
        bfd interval|template > local
        bstun group|route > local
        bstun keepalive-count|lisnsap|peer-name|protocol-group|remote-peer-keepalive > global
        cdp enable|tlv > local
        cdp log > both
        clock rate|source > local
        crypto ipsec client ezvpn * > both
        crypto ipsec df-bit|fragmentation * > both
        crypto ipsec|isakmp|pki|ca|ikev2|key|keyring|dynamic-map|gdoi|identity * > global
        crypto map * $ > local
        crypto map * redundancy * > local
        cts dot1x|layer3|manual > local
        cts role-based enforcement $ > both
        decnet congestion-threshold|cost|encapsulation|hello-timer|router-priority > local
        decnet in-routing-filter|out-routing-filter|multicast-map > local
        decnet * > global
        device-tracking attach-policy > local
        dialer callback-secure|caller|enable-timeout|fast-idle|hold-queue|idle-timeout > local
        dialer in-band|isdn|load-threshold|map|max-call|max-link|persistent|pool > local
        dialer pool-member|priority|remote-name|rotary-group|string|vpdn > local
        dialer wait-for-carrier-time|watch-disable|watch-group > local
        dlsw transparent > both
        dlsw * > global
        dot11 adjacent-ap|extension|qos > local
        dot11 * > global
        dot1x host-mode|pae|port-control > local
        ethernet cfm interface > local
        ethernet cfm mep domain|level > local
        ethernet cfm mip level > local
        ethernet cfm * > global
        ethernet dot1ad|loopback|oam|udld|uni > local
        ethernet evc|ring * > global
        ethernet lmi ce-vlan|interface|n391|n393|t391|t392 > local
        ethernet lmi * > both
        frame-relay broadcast-queue|class|fragment|interface-dlci|interface-queue > local
        frame-relay intf-type|inverse-arp|ip|lmi-type|map|multilink|route > local
        frame-relay payload-compression|traffic-shaping > local
        ip access-group|accounting|address|authentication|bandwidth-percent > local
        ip broadcast-address|cgmp|directed-broadcast|flow|header-compression > local
        ip hello-interval|helper-address|hold-time|irdp|load-sharing|local-proxy-arp > local
        ip mask-reply|mroute-cache|mtu|policy|proxy-arp|redirects|rgmp|rip|route-cache > local
        ip router|rtp|security|split-horizon|subscriber|summary-address > local
        ip unnumbered|unreachables|urd|virtual-reassembly > local
        ip admission * $ > local
        ip admission auth-proxy-audit > global
        ip arp gratuitous > both
        ip arp inspection limit|trust > local
        ip audit|inspect|ips * in|out > local
        ip ips * > global
        ip auth-proxy * $ > local
        ip auth-proxy auth-proxy-audit > global
        ip cef accounting non-recursive > both
        ip ddns update method > global
        ip ddns update * > local
        ip device tracking maximum > both
        ip dhcp client > local
        ip dhcp limit lease # > local
        ip dhcp relay information check-reply|option-insert|policy-action|trusted > local
        ip dhcp relay * > both
        ip dhcp snooping limit|trust > local
        ip dhcp snooping $ > global
        ip dhcp snooping database|glean|information|verify|wireless > global
        ip dhcp snooping vlan > both
        ip dns view-group > local
        ip dns * > global
        ip dvmrp accept-filter|auto-summary|default-information|interoperability > local
        ip dvmrp metric|metric-offset|output-report-delay|reject-non-pruners > local
        ip dvmrp summary-address|unicast-routing > local
        ip igmp access-group|explicit-tracking|helper-address|immediate-leave > local
        ip igmp join-group|last-member-query-count|last-member-query-interval > local
        ip igmp mroute-proxy|proxy-service|querier-timeout|query-interval > local
        ip igmp query-max-response-time|static-group|unidirectional-link|v3lite|version > local
        ip igmp snooping tcn flood $ > both
        ip multicast boundary|helper-map|rate-limit|ttl-threshold > local
        ip nat allow-static-host|enable > local
        ip nat inside|outside $ > local
        ip nat * > global
        ip nbar protocol-discovery > local
        ip nhrp * > local
        ip ospf # area > local
        ip ospf authentication|authentication-key|bfd|cost|database-filter > local
        ip ospf dead-interval|demand-circuit|flood-reduction|hello-interval|lls > local
        ip ospf message-digest-key|mtu-ignore|multi-area|network|prefix-suppression > local
        ip ospf priority|retransmit-interval|resync-timeout|transmit-delay|ttl-security > local
        ip pim bsr-border|dense-mode|dr-priority|nbma-mode|neighbor-filter|passive > local
        ip pim query-interval|snooping|sparse-dense-mode|sparse-mode > local
        ip pim bidir-enable|bidir-rp-limit|dm-fallback|sg-expiry-timer > global
        ip rsvp bandwidth > local
        ip sdr listen > local
        ip sticky-arp > both
        ip tcp adjust-mss|compression-connections|header-compression > local
        ip traffic-export apply > local
        ip traffic-export profile > global
        ip verify source|unicast > local
        ip vrf autoclassify|forwarding|receive|select|sitemap * > local
        ip wccp * redirect|group-listen > local
        ip wccp redirect exclude > local
        ip wccp vrf * * redirect|group-listen > local
        ip wccp * > global
        ipv6 address|authentication|bandwidth-percent|eigrp|enable|hello-interval > local
        ipv6 hold-time|mtu|nhrp|policy|redirects|split-horizon|summary-address > local
        ipv6 traffic-filter|unnumbered|unreachables|verify > local
        ipv6 dhcp client > local
        ipv6 dhcp relay destination > local
        ipv6 inspect * in|out > local
        ipv6 inspect * > global
        ipv6 mld host-proxy|snooping|ssm-map|state-limit > global
        ipv6 multicast boundary > local
        ipv6 nd dad|managed-config-flag|ns-interval|other-config-flag|prefix > local
        ipv6 nd prefix-advertisement|ra|ra-interval|ra-lifetime|reachable-time > local
        ipv6 nd router-preference|suppress-ra > local
        ipv6 nd inspection|raguard attach-policy > local
        ipv6 ospf # > local
        ipv6 ospf authentication|bfd|cost|dead-interval|encryption|hello-interval > local
        ipv6 ospf mtu-ignore|network|priority > local
        ipv6 ospf name-lookup > global
        ipv6 pim accept-register|anycast-RP|register-source|rp|rp-address|spt-threshold > global
        ipv6 rip * default-information|enable|metric-offset|summary-address > local
        ipv6 router isis > local
        ipv6 snooping attach-policy > local
        ipx network > local
        isdn answer1|answer2|bchan-number-order|calling-number|fast-rollover-delay > local
        isdn incoming-voice|negotiate-bchan|overlap-receiving|protocol-emulate > local
        isdn send-alerting|sending-complete|spid1|spid2|supp-service|x25|tei > local
        isis authentication|bfd|circuit-type|hello-interval|hello-multiplier|metric > local
        isis network|password|priority|tag > local
        lacp fast-switchover|max-bundle|min-bundle|port-priority|rate > local
        lldp med-tlv-select|receive|transmit > local
        lldp tlv-select > both
        logging event|events > both
        logging * > global
        mac access-group > local
        macro auto port|processing > local
        macro apply > both
        macro description > local
        macro * > global
        mls qos bridged|channel-consistency|cos|dscp-mutation|exp-mutation|loopback > local
        mls qos marking|mpls|trust|vlan-based > local
        mls qos * > global
        mls qos $ > global
        mls ip multicast > both
        mls netflow sampling > both
        mls exclude * > global
        mop enabled|sysid > local
        mpls accounting|bgp|mtu|netflow > local
        mpls ip default-route|encapsulate-options|propagate-ttl > global
        mpls label range > global
        mpls ldp discovery transport-address > local
        mpls ldp igp autoconfig|sync > local
        mpls ldp igp sync holddown > global
        mpls static * > global
        mpls traffic-eng administrative-weight|attribute-flags|backup-path|flooding > local
        mpls traffic-eng nni|passive-interface|srlg > local
        mpls traffic-eng tunnels > both
        multilink load-threshold|max-fragments|max-links|min-links > local
        multilink bundle-name|virtual-template > global
        mvr immediate|type > local
        mvr * > global
        nat64 enable $ > local
        nat64 * > global
        ntp broadcast|disable|multicast > local
        ntp * > global
        ospfv3 # > local
        ospfv3 name-lookup > global
        platform console|hardware|punt-keepalive|punt-policer|qfp|trident > global
        port-channel min-links > both
        power inline > local
        power inline consumption|logging|priority|recovery > both
        ppp accm|accounting|authentication|authorization|bridge|callback|chap|compress > local
        ppp eap|encrypt|ipcp|lcp|lfi|link|max-bad-auth|max-configure|mru|ms-chap > local
        ppp multilink|pap|quality|reliable-link|timeout > local
        pppoe enable > local
        ptp clock|domain|mode|priority1|priority2|profile > global
        qos cos|pre-classify|trust|vlan-based > local
        qos * > global
        qos $ > global
        redundancy asymmetric-routing|group|rii > local
        rmon collection > local
        service instance # > local
        snapshot client|server > local
        snmp ifindex|trap > local
        source-bridge # > local
        source-bridge connection-timeout|cos-enable|fst-peername|largest-frame > global
        source-bridge passthrough|qllc-local-ack|remote-peer|ring-group > global
        source-bridge sdllc-local-ack|tcp-queue-max|transparent > global
        source-bridge max-hops|proxy-explorer|route-cache|spanning > local
        spanning-tree bpdufilter|bpduguard|cost|guard|link-type|port-priority > local
        spanning-tree mst * cost|port-priority > local
        spanning-tree mst pre-standard > local
        spanning-tree portfast > local
        spanning-tree portfast bpdufilter|bpduguard|default|normal > global
        spanning-tree portfast edge|network bpdufilter|bpduguard|default > global
        spanning-tree vlan * > global
        spanning-tree vlan * cost|port-priority > local
        standby # > local
        standby authentication|delay|follow|ip|mac-address|name|preempt|priority > local
        standby timers|track|use-bia|version > local
        standby bfd|redirect|redirects > both
        stun group|route > local
        stun peer-name|protocol-group|remote-peer-keepalive|schema > global
        switch virtual link > local
        tag-switching ip > both
        tag-switching mtu > local
        tunnel checksum|destination|key|mode|mpls|path-mtu-discovery|protection > local
        tunnel qos|sequence-datagrams|source|tos|ttl|vrf > local
        udld message|recovery > global
        udld port > local
        vines routing > global
        virtual-template * pre-clone > global
        vlan * > global
        vlan mapping|dot1q * > both
        vrf forwarding * > local
        vtp $ > local
        x25 address|default|htc|hic|hoc|idle|ips|lic|loc|ltc|map|modulo|nvc|ops > local
        x25 pvc|win|wout > local
        xconnect * # > local
    """,
}
