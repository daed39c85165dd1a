"""The first words of the sub-commands of each IOS configuration mode.

Source: the command references of IOS 12.0-15.x and IOS XE. The first words are enough to say
where an unindented line belongs.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.ios.syntax.feature_words import FEATURE_WORDS, VOICE_WORDS
from advisor.ios.syntax.global_words import GLOBAL_WORDS

_QUEUEING: Final = """
        bandwidth compress compression drop fair-queue netflow-sampler police priority queue-limit
        random-detect service-policy set shape
    """
_ACL: Final = "permit deny remark evaluate dynamic sequence statistics"
_ATM_VC: Final = """
        aal5mux abr bre-connect bridge-dot1q broadcast bump cbr cem class-vc create description
        dialer dscp encapsulation exit-vc exp ilmi inarp inarp-vc management
        max-reserved-bandwidth oam oam-bundle oam-pvc ppp pppoe pppoe-client precedence protect
        protocol queue-depth random-detect service-policy shutdown snmp transmit-priority
        tx-ring-limit ubr ubr+ vbr-nrt vbr-rt vc-hold-queue vcci xconnect
    """
_ROUTING: Final = """
        additional-paths adjacency-check advertise aggregate-address area area-password
        authentication auto-cost auto-summary autonomous-system bfd bgp capability compatible
        default default-information default-metric discard-route distance distribute-list
        domain-id domain-password domain-tag eigrp fast-flood fast-reroute flash-update-threshold
        graceful-restart hello ignore ignore-attached-bit input-queue is-type isis ispf
        log-adj-changes log-adjacency-changes lsp-full lsp-gen-interval lsp-mtu
        lsp-refresh-interval max-area-addresses max-lsp-lifetime max-metric maximum-paths
        maximum-prefix metric metric-rollover metric-style microloop mpls neighbor net network nsf
        nsr offset-list ospfv3 output-delay partition passive-interface prc-interval
        prefix-priority prefix-suppression priority protocol protocol-topology queue-depth
        redistribute router-id segment-routing set-attached-bit set-overload-bit shutdown snmp
        spf-interval stub summary-address summary-prefix synchronization table-map timers topology
        traffic-share ttl-security update-source validate-update-source variance version
    """

_WORDS: Final[Mapping[str, str]] = {
    **VOICE_WORDS,
    **FEATURE_WORDS,
    "aaa-group": """
        accounting address attribute auth-type authentication authorization automate-tester
        backoff base-dn bind cache client deadtime directed-request domain dtls ignore ip ipv4
        ipv6 key key-wrap load-balance mac-delimiter non-standard pac port retransmit retry secure
        server server-key server-private single-connection subscriber throttle timeout tls
        transport
    """,
    "access-list": _ACL,
    "address-family": _ROUTING
    + """
        advertise-labels af-interface export import inter-as-hybrid label-allocation maximum mdt
        rd remote-neighbors remote-policy route-target send-community sf-interface
        soft-reconfiguration
    """,
    "af-interface": """
        add-paths authentication bandwidth-percent dampening-change dampening-interval
        hello-interval hold-time next-hop-self no-next-hop-self passive-interface shutdown
        split-horizon stub-site summary-address
    """,
    "applet": "action correlate description event set trigger exit-event",
    "archive": "log maximum path rollback time-period write-memory",
    "archive-log": "hidekeys logging notify record",
    "bridge-domain": "bridge mac member remote-circuit",
    "certificate-chain": "certificate",
    "class-map": "description match rename",
    "control-plane": "service-policy management-interface",
    "controller": """
        ami-hdb3 annexure ansi atm aug bert bitswap br cablelength capability cas-custom cas-group
        cbl cem-group channel-group channelized clock crc delta description diagnostics ds0
        ds0-group dsl-group e1 e3 equipment fdl firmware framing idle international invert iub
        line-mode line-term linecode link-group loopback mdl mode modem national nfas_d operating
        overhead path pri-group protection rtp shutdown snmp-trap snr sra sts-1 sync t1 t3
        tdm-group termination threshold training tug-2 tug-3 vdsl vtg
    """,
    "crypto": """
        aaa accounting acl addr-policy address address-family aggregate antireplay anyconnect
        authentication authorization auto-enroll auto-rollover backup-gateway banner ca cdp chain
        chain-validation client config-exchange config-mode-client configuration connect crl
        database default default-router description dhcp dialer dn dns domain dpd eckeypair email
        encr encryption enrollment exit firewall fqdn grant group hash hostname identity
        include-local-lan initial-contact initiate integrity interface ip-address ip-extension
        isakmp issuer-name ivrf keepalive key keypair keyring lifetime local local-address
        local-lifetime match max-logins max-users mode name-value nat netmask nickname ocsp on
        parameters password peer pfs pool pre-shared-key prf primary proposal proxy qos query quit
        reconnect redirect regenerate rekey remote-peer responder-only reverse-route
        revocation-check root rsa-pubkey rsakeypair save-password self-identity serial-number set
        show source split-dns ssh storage subject-alt-name subject-name subnet-acl url usage user
        username virtual-interface virtual-template vpn vrf wins xauth
    """,
    "cts": "default policy propagate sap timer",
    "dhcp-pool": """
        accept address bootfile bootp class client-identifier client-name default-router
        dns-server domain-name hardware-address host import lease link-address netbios-name-server
        netbios-node-type network next-server nis option origin override prefix-delegation relay
        reserved-only server sip sntp subnet update utilization vendor-specific vrf
    """,
    "ethernet-evc": "continuity-check ethernet level mep mip oam service uni",
    "explicit-path": "append-after exclude-address index list next-address",
    "flow": """
        cache cache-timeout collect description destination dscp export-protocol exporter match
        mode option output-features record sort-by source statistics template top transport ttl
    """,
    "frame-relay-dlci": "class protocol ppp vc-bundle crypto description fair-queue match",
    "interface": """
        aal5snap access-expression access-group access-session adapter adsl-group agent alias
        analysis antenna apollo appletalk aps arp asp async atm authentication auto autobaud
        autodetect autostate backup bandwidth beacon bfd bgp-policy bridge-group broadcast-key bsc
        bstun bundle cable cablelength carrier-delay cdp cell-packing cem channel channel-group
        channel-protocol class-int claw clid clns clock clockrate compress config cost
        countermeasure crb crc crypto csim cts custom-queue-list cwmp dampening datalink
        dce-terminal-timing-enable decnet default delay description destination device-tracking
        dfs dialer dialer-group dlsw dmrp dot11 dot1q dot1x down-when-looped dsl dspu dsu
        dte-invert-txc duplex dxi eapol early-token-release encapsulation encryption energywise
        esmc ethernet evaluate exit-vrf fair-queue fddi fdl flow flow-sampler flow-sampling
        flowcontrol fragment-threshold frame-relay framing fras fras-host full-duplex gfp glbp
        group-range guard-interval guest-mode h323-gateway half-duplex header-compression help
        hold-queue host-reachability hssi hub idle-character idsl-group ignore-dcd ignore-error
        ignore-hw ima ima-group infrastructure-client internal interworking inverse-mask invert ip
        ip-address iphc-profile ipv6 ipx isdn isis isl keepalive l2-filter l2protocol
        l2protocol-tunnel lacp lan lan-name lane lapb lat line-code linecode link lisp llc2 lldp
        lmi load-balancing load-interval locaddr-priority local-lnm logging loopback mab mac
        mac-address macro macsec map-group max-llc2-sessions max-reserved-bandwidth mcast-group
        mdix media-type medium member mka mls mobile monitor mop mpls mtu multilink
        multilink-group multiring mvr mvrp name nat nat64 negotiation netbios network-clock
        network-clock-priority nhrp nmsp no-arp-filter nrzi-encoding ntp offload ospfv3 otv packet
        packet-class pagp parent pathway payload-compression payload-encapsulation peer
        physical-layer pim platform pm-agent port port-channel port-type portchannel pos power
        power-saving ppp pppoe pppoe-client preamble-short pri-group priority-group priority-queue
        private-vlan probe-response profile protocol ptp pulse-time pvc pvp ql-enabled qllc qos
        queue-set radio random-detect range rate-limit rcv-queue redundancy remote-alarm-enable
        rep ring-speed rj45-auto-detect-polarity rmon rmt routing rts rx-speed sap-priority scr
        scramble scrambling script sdlc serial service service-insertion service-module
        service-policy session shape short-slot-time shutdown smds sna snapshot snmp source
        source-bridge source-interface source-template spanning-tree speed srp srr-queue sscop
        ssid stackwise-virtual standby station-role storm-control stun subslot-link svc switch
        switchport synchronous t1 tag-switching tarp tcpip test timeout timeslot tn3270-server
        traffic-shape transceiver transmit-buffers transmit-clock-internal transmit-interface
        transmitter-delay trust tunnel tx-limit tx-queue tx-queue-limit tx-ring tx-ring-limit
        txspeed udld ukm uni-version unidirectional upgrade vbr-nrt vc-group vc-hold-queue vines
        virtual-profile virtual-template vlan vlan-id vlan-range voice vpdn vpls vrf vrrp vtp wccp
        web-auth wlan world-mode wrr-queue x25 xconnect xns yellow zone-member
    """,
    "ip-sla": """
        buckets-of-history-kept data-pattern dhcp distributions-of-statistics-kept dlsw dns
        enhanced-history ethernet filter-for-history flow-label frame-relay frequency ftp history
        hours-of-statistics-kept http icmp-echo icmp-jitter lives-of-history-kept lsr-path mpls
        owner path-echo path-jitter paths-of-statistics-kept request-data-size response-data-size
        samples-of-history-kept statistics-distribution-interval tag tcp-connect threshold timeout
        tos traffic-class type udp-echo udp-jitter verify-data voip vrf
    """,
    "key": """
        accept-lifetime cryptographic-algorithm include-tcp-options key-string recv-id send-id
        send-lifetime
    """,
    "key-chain": "description key",
    "kron": "cli policy-list",
    "l2tp-class": """
        accounting authentication control-word cookie digest encapsulation hello hidden hostname
        interworking ip ipv6 l2tp monitor password preferred-path protocol pseudowire
        receive-window retransmit sequencing status switching timeout tunnel vccv
    """,
    "line": """
        absolute-timeout access-class accounting activation-character authorization autobaud
        autocommand autocommand-options autohangup autoselect buffer-length callback
        data-character-bits databits disconnect-character dispatch-character dispatch-machine
        dispatch-timeout domain-lookup editing enable-prompt-timeout escape-character exec
        exec-banner exec-character-bits exec-prompt exec-timeout exit-character flowcontrol
        flush-at-activation full-help help history hold-character insecure international ip ipv6
        length location lockable logging login logout-warning media-type modem monitor motd-banner
        notify padding parity password private privilege refuse-message rotary rxspeed script
        session-disconnect-warning session-limit session-timeout special-character-bits speed
        start-character stop-character stopbits telnet terminal-queue terminal-type timeout
        transport transport-map tx-ring txspeed usb-inactivity-timeout vacant-message vrf-also
        width x25
    """,
    "map-class": """
        atm bandwidth bump cdp class dialer fair-queue frame-relay hold-queue idle-timeout ip
        keepalive ppp random-detect service-policy voice
    """,
    "monitor-session": """
        description destination erspan-id filter header-type ip mtu origin shutdown source vlan
        vrf
    """,
    "mst": "instance name private-vlan revision",
    "nat-pool": "address range",
    "object-group": """
        ahp any description eigrp eq esp gre group-object gt host host-info icmp igmp ip ipinip lt
        neq network-object nos object-group ospf pcp pim port-object protocol protocol-object
        range range-port security-group service-object tag tcp tcp-udp udp
    """,
    "parameter-map": """
        alert allow-mode audit-trail automatic banner cache consent-email custom-page dns-timeout
        dns-timeout-interval drop-only exclusive gtp icmp instance log logging match
        max-header-length max-incomplete one-minute pattern port-map redirect server sessions
        source-interface src-dst tcp threat timeout timer type udp url urlf-server-log urlfilter
        virtual-ip webauth-http-enable
    """,
    "police": """
        conform conform-action conform-color exceed exceed-action violate violate-action
    """,
    "policy-map": "class description event parameter rename sequence-interval",
    "policy-map-class": _QUEUEING
    + """
        account account-loss admit bypass-accounting conform-action congestion-control dbl
        description estimate exceed-action execute exit-class feature inspect log measure-once mls
        pass police-map queue-buffers reset tail-drop trust urlfilter vcci violate-action
    """,
    "policy-map-event": "class activate authenticate authorize pause resume terminate",
    "pubkey": "address key-hash key-string serial-number exit quit",
    "pubkey-chain": "addressed-key key-string named-key server username exit quit",
    "pvc": _ATM_VC,
    "pvc-bundle": _ATM_VC + " match pvc pvc-bundle",
    "pvc-range": _ATM_VC + " pvc-in-range",
    "pvp": "xconnect l2transport cbr",
    "random-detect-group": "dscp exponential-weighting-constant precedence",
    "redundancy-group": "member mode revertive rf-switch",
    "redundancy-main-cpu": "auto-sync",
    "redundancy": """
        application associate convergence crypto history inter-device interchassis
        keepalive-enable linecard-group main-cpu maintenance-mode mode notification-timer policy
        protocol scheme timers
    """,
    "route-map": "continue description match route set",
    "router": _ROUTING + " address-family scope service-family template",
    "router-template": """
        advertise-map advertisement-interval allowas-in as-override bmp-activate capability
        cluster-id default default-originate description disable-connected-check distribute-list
        dmzlink-bw ebgp-multihop fall-over filter-list ha-mode inherit local-as maximum-prefix
        next-hop-self next-hop-unchanged password path-attribute prefix-list remote-as
        remove-private-as route-map route-reflector-client send-community send-label shutdown
        slow-peer soft-reconfiguration soo timers translate-update transport ttl-security
        unsuppress-map update-source validation version weight
    """,
    "service-instance": """
        bridge-domain cfm description encapsulation errdisable ethernet group ip ipv6 l2protocol
        mac rewrite service-policy shutdown snmp storm-control weight xconnect
    """,
    "table-map": "default description map from",
    "template": """
        aaa absolute-timer access-group access-session authentication bfd cts dampening
        description dot1x echo inactivity-timer interface-template interval ip keepalive linksec
        load-interval mab mpls peer ppp radius-server redirect service-policy source spanning-tree
        storm-control subscriber switchport tag tunnel vlan voice
    """,
    "time-range": "absolute periodic",
    "topology": _ROUTING + " summary-metric",
    "track": """
        carrier-delay default delay description ip object resolution threshold
    """,
    "tx-queue": "bandwidth priority shape",
    "vc-class": _ATM_VC + " ethernet idle-timeout",
    "vfi": "bridge-domain forward l2 mtu neighbor vpn",
    "vlan": """
        action are backupcrf bridge ip match media member mtu name parent private-vlan remote-span
        ring said shutdown state ste stp tb-vlan1 tb-vlan2 type uni-vlan vn-segment
    """,
    "vrf": """
        address-family bgp context description export import inter-as-hybrid ipv4 ipv6 maximum mdt
        rd route-replicate route-target routing-context vnet vpn
    """,
    "vrrp": """
        address description exit-vrrp match-address preempt priority shutdown timers track vrrpv2
    """,
    "xconnect": "backup encapsulation ip monitor mtu remote sequencing",
    "zone": "description protection service-policy",
}

# Commands that set what a packet meets on its way out: the verdict rests on them.
_JUDGED: Final = """
        access-list bandwidth cbr class class-bundle class-map class-range class-vc clock compress
        compression deny dlsw drop
        encapsulation fair-queue frame-relay hold-queue interface keepalive map-class match
        max-reserved-bandwidth mtu multilink permit police policy-map ppp priority pvc queue-limit
        random-detect rate-limit service-policy set shape shutdown speed traffic-shape
        tunnel tx-queue-limit tx-ring-limit ubr ubr+ vbr-nrt vbr-rt vc-class version
    """
JUDGED: Final = frozenset(_JUDGED.split())

_SHARED: Final = frozenset({"exit"})  # known to every mode

SUBCOMMANDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {mode: _SHARED | frozenset(words.split()) for mode, words in _WORDS.items()}
    | {"global": GLOBAL_WORDS}
)
