"""Which command opens which configuration mode."""

from collections.abc import Mapping
from typing import Final

# mode -> lines of "opening words > mode that they open". `*` is any one word, `#` a word that
# starts with a digit, `a|b` either word; more words may follow. `-` says that these words open no
# mode, `$` that no more words may follow. The most specific line decides.
OPENERS: Final[Mapping[str, str]] = {
    "global": """
        aaa accounting * * $ > aaa-accounting
        aaa accounting * * * $ > aaa-accounting
        aaa attribute list * > aaa-group
        aaa group server * * > aaa-group
        aaa server radius dynamic-author > aaa-group
        app-hosting appid * > application-service
        application $ > application
        archive $ > archive
        arp access-list * > access-list
        bba-group pppoe * > bba-group
        bfd-template * * > template
        bridge-domain # > bridge-domain
        call-home $ > call-home
        call-manager-fallback $ > telephony-service
        class-map * > class-map
        control-plane > control-plane
        controller * * > controller
        crypto ca|pki authenticate|enroll|export|import|certificate * > -
        crypto ca|pki certificate chain * > certificate-chain
        crypto ca|pki certificate map * # > crypto
        crypto ca|pki trustpoint|profile|server|token|identity * > crypto
        crypto dynamic-map * # > crypto
        crypto gdoi group * > crypto
        crypto identity * > crypto
        crypto ikev2 authorization|client|keyring|policy|profile|proposal * > crypto
        crypto ipsec client ezvpn * > crypto
        crypto ipsec profile|transform-set * > crypto
        crypto isakmp client configuration group * > crypto
        crypto isakmp peer address|hostname * > crypto
        crypto isakmp policy|profile * > crypto
        crypto key pubkey-chain rsa > pubkey-chain
        crypto keyring * > crypto
        crypto map * # > crypto
        crypto ssl authorization|policy|profile|proposal * > crypto
        device-tracking policy * > device-policy
        dial-peer cor custom > dial-peer-cor
        dial-peer cor list * > dial-peer-cor
        dial-peer voice * > dial-peer
        dot11 ssid * > dot11-ssid
        dspfarm profile * > dspfarm
        ephone # > ephone
        ephone-dn # > ephone
        ephone-dn-template|ephone-hunt|ephone-type * > ephone
        ephone-template # > ephone
        ethernet cfm domain * > ethernet-evc
        ethernet evc * > ethernet-evc
        event manager applet * > applet
        flow exporter|monitor|record * > flow
        flow-sampler-map * > flow
        frame-relay vc-bundle * > pvc-bundle
        gatekeeper $ > gatekeeper
        gateway $ > gatekeeper
        interface * > interface
        ip access-list extended|role-based|standard * > access-list
        ip ddns update method * > ddns-update
        ip dhcp class|pool * > dhcp-pool
        ip dns view|view-list * > dns-view
        ip explicit-path identifier|name * > explicit-path
        ip flow-aggregation cache * > flow-aggregation
        ip flow-top-talkers > flow
        ip ips signature-category > ips-category
        ip nat pool * netmask # > nat-pool
        ip nat pool * prefix-length # > nat-pool
        ip policy-list * * > policy-list
        ip sla # > ip-sla
        ip sla monitor # > ip-sla
        ip slb probe|serverfarm|vserver * > slb
        ip ssh pubkey-chain > pubkey-chain
        ip traffic-export profile * > traffic-export
        ip vrf * > vrf
        ip vrf forwarding|receive|select|sitemap * > -
        ipc zone default > ipc-zone
        iphc-profile * * > iphc-profile
        ipv6 access-list * > access-list
        ipv6 access-list log-update > -
        ipv6 destination-guard|snooping|source-guard policy * > device-policy
        ipv6 dhcp guard policy * > device-policy
        ipv6 dhcp pool * > dhcp-pool
        ipv6 nd inspection|raguard|suppress policy * > device-policy
        ipv6 router eigrp|ospf|rip * > router
        key chain * > key-chain
        kron occurrence|policy-list * > kron
        l2 vfi * > vfi
        l2tp-class * > l2tp-class
        l2vpn evpn $ > attachment-circuit
        l2vpn evpn instance * > attachment-circuit
        l2vpn vfi|xconnect context * > attachment-circuit
        ldap server * > aaa-group
        line * > line
        mac access-list extended * > access-list
        map-class * * > map-class
        map-list * > map-list
        media class|profile * > voice-class
        mgcp profile * > mgcp-profile
        module provision switch # > slot
        monitor session # type * > monitor-session
        mpls traffic-eng lsp attributes * > lsp-attributes
        object-group * * > object-group
        object-group security * > object-group
        parameter-map type * > parameter-map
        parser view * > parser-view
        policy-map * > policy-map
        pseudowire-class * > l2tp-class
        radius server * > aaa-group
        random-detect-group * > random-detect-group
        redundancy $ > redundancy
        redundancy inter-device > redundancy
        route-map * > route-map
        router * > router
        rtr # > ip-sla
        sampler * > flow
        sccp ccm group * > dspfarm
        service-list mdns-sd * * > service-list
        service-template * > template
        sip-ua $ > sip-ua
        spanning-tree mst configuration > mst
        stcapp feature access-code|callback|speed-dial > stcapp-feature
        stcapp port * > application
        stcapp supplementary-services > stcapp-feature
        switch virtual domain # > switch-domain
        table-map * > table-map
        tacacs server * > aaa-group
        telemetry ietf subscription # > telemetry
        telephony-service $ > telephony-service
        template * > template
        template peer-policy|peer-session * > -
        time-range * > time-range
        track # > track
        transceiver type * > transceiver
        transport-map type * * > transport-map
        trunk group * > trunk-group
        vc-class atm * > vc-class
        vlan # > vlan
        vlan access-map * > vlan
        vlan configuration * > vlan
        voice class * * > voice-class
        voice hunt-group * > voice-class
        voice logout-profile|moh-group|user-profile * > ephone
        voice register global|dn|pool|template > ephone
        voice service * > voice-service
        voice translation-profile|translation-rule * > voice-translation
        voice-card * > voice-card
        voice-port * > voice-port
        vpdn-group * > vpdn-group
        vpdn-template * > vpdn-group
        vrf definition * > vrf
        webvpn context|gateway * > webvpn
        wlan * # * > wlan
        zone security * > zone
        zone-pair security * > zone
    """,
    "crypto": "peer * > ikev2-peer",
    "interface": """
        bundle * > pvc-bundle
        cem # > cem
        cts dot1x|manual > cts
        frame-relay interface-dlci * > frame-relay-dlci
        frame-relay vc-bundle * > pvc-bundle
        pvc * > pvc
        pvp * > pvp
        range * > pvc-range
        service instance # > service-instance
        svc * > pvc
        tx-queue # > tx-queue
        vrrp # address-family * > vrrp
        xconnect * # > xconnect
    """,
    "address-family": """
        af-interface * > af-interface
        sf-interface * > af-interface
        topology * > topology
    """,
    "application": """
        global > application-service
        package * > application-service
        service * > application-service
    """,
    "archive": "log config > archive-log",
    "call-home": "profile * > call-home-profile",
    "controller": "vdsl # > -",
    "ips-category": "category * > ips-category-actions",
    "ip-sla": """
        dhcp > ip-sla-operation
        dhcp|dlsw|dns|ethernet|frame-relay|ftp|http * > ip-sla-operation
        icmp-echo|icmp-jitter|mpls|path-echo|path-jitter|tcp-connect|type * > ip-sla-operation
        udp-echo|udp-jitter|voip * > ip-sla-operation
    """,
    "key-chain": "key # > key",
    "monitor-session": "destination|source $ > monitor-end",
    "policy-map": """
        # class * > policy-map-class
        class * > policy-map-class
        event * > policy-map-event
    """,
    "policy-map-class": "police * > police",
    "policy-map-event": "# class * > policy-map-event",
    "pubkey-chain": """
        addressed-key|named-key|server|username * > pubkey
        key-string > pubkey
    """,
    "pvc-bundle": """
        pvc * > pvc
        pvc-bundle * > pvc
    """,
    "pvc-range": "pvc-in-range * > pvc",
    "redundancy": """
        linecard-group * > redundancy-group
        main-cpu > redundancy-main-cpu
    """,
    "router": """
        address-family * > address-family
        scope * > address-family
        service-family * > address-family
        template * * > router-template
        topology * > topology
    """,
    "service-instance": "xconnect * # > xconnect",
    "stcapp-feature": "port * > stcapp-port",
    "voice-service": """
        h323|sip|stun > voice-service-protocol
        ip address trusted list > trusted-list
    """,
    "vpdn-group": "accept-dialin|accept-dialout|request-dialin|request-dialout > vpdn-dial",
    "vrf": "address-family * > address-family",
}
