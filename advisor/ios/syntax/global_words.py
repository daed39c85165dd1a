"""The first words of the commands of global configuration mode."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_WORDS: Final = """
    aaa aal2-profile access-expression access-list access-session address-family-list alarm
    alarm-contact alias alps ap apollo app-hosting appletalk application application-priority
    archive arp async async-bootp atm authentication auto autonomic avc backhaul-session-manager
    banner bba-group bfd bfd-template boot boot-end-marker boot-start-marker bootflash bridge
    bridge-domain bsc bstun buffer-manager buffers busy-message cable call call-history-mib
    call-home call-manager-fallback card carrier-id ccm-manager cdp chat-script class-map clid
    clns clock cns config-register configuration connect control-plane controller cpd cpu
    credentials crypto csdb csim csna cts ctunnel cwmp dampening decnet default default-value
    define-mode device-role device-sensor device-tracking diagnostic diagnostic-signature
    dial-control-mib dial-peer dialer dialer-list diffserv dlsw dmvpn dnsix-dmdp dnsix-nat do
    domain domain-name dot11 dot1x downward-compatible-config dsp dspfarm dspu dss dual-active
    dying-gasp eap ecfm-action enable end energywise ephone ephone-dn ephone-dn-template
    ephone-hunt ephone-template ephone-type epm errdisable errmsg esmc et-analytics ethernet event
    evpn exception exclude exec exit fabric facility-alarm fax fhrp file flow flow-sampler-map
    format fr-atm frame-relay fras-host ftp-server gatekeeper gateway global global-address-family
    gnxi gw-accounting hardware help hostname http hw-module ida-client identity interface iox ip
    ipc iphc-profile ipv6 ipx isdn isis ivr kerberos key kron l2 l2-router l2protocol-tunnel
    l2tp-class l2vpn l3-iif l3vpn lacp lane lat ldap level-config license line link lisp lldp lnm
    load-interval locaddr-priority-list location logging login mab mac mac-address-table macro
    map-class map-list media media-proxy mediatrace memory memory-size menu metadata mgcp
    microcode mka mls mmi mmoip modem modemcap module monitor mop mpls mta multicast multilink mvr
    nat64 ncia netbios netconf netconf-yang netflow-sampler netmap network-clock
    network-clock-participate network-clock-select network-clocks nls nlsp nmsp nmt ntp num-exp
    object-group onep ospfv3 otv parameter-map parser partition password performance persona
    platform pnp policy-manager policy-map port-channel power power-supply ppp pppoe presence
    printer priority-list privilege process process-max-time prompt proxy-arp pseudowire-class ptp
    pxf qos queue-list radius radius-server random-detect-group redundancy regexp remote-span rep
    resource resource-pool restconf resume-string rif rlm rlogin rmon route-map route-target-list
    router router-isis rsh-disable rsrb rtr sampler sccp scheduler scripting sdlc sdm secure
    security segment-routing service service-family-list service-insertion service-list
    service-module service-routing service-template sgbp sip-ua smrp sna snapshot snasw snmp
    snmp-server sntp software source-bridge spanning-tree spe srst stack-mib stack-power
    stackwise-virtual standby state-machine statistics stcapp stun subscriber supplementary switch
    switch-profile system table-map tacacs tacacs-server tag-switching tcp telemetry
    telephony-service template terminal terminal-queue tftp tftp-server time-range tn3270 track
    transceiver translate translation-rule transport transport-map trunk ttl ttycap tunnel udld
    uid unidirectional upgrade username utd vc-class version vines virtual-profile virtual-service
    virtual-template vlan vlan-configuration vnet voice voice-card voice-port vpdn vpdn-group
    vpdn-template vrf vrf-list vstack vtp vty-async wccp webvpn wireless wlan wlccp wrr-queue wsma
    x25 x28 x29 xconnect xdr xns xot xremote zone zone-pair
"""

GLOBAL_WORDS: Final = frozenset(_WORDS.split())

# Second words that make a command global, even if a mode also knows its first word.
GLOBAL_PHRASES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        word: frozenset(seconds.split())
        for word, seconds in {
            "arp": "access-list vrf",
            "appletalk": "event-logging routing static virtual-net",
            "bfd": "map slow-timers",
            "bridge": "irb crb cmf",
            "cdp": "advertise-v2 holdtime run source-interface timer",
            "clock": "calendar-valid initialize save summer-time timezone",
            "cts": "authorization credentials logging role-based sxp",
            "dialer": "watch-list",
            "dot1x": "critical logging system-auth-control test",
            "ethernet": "cfm evc lmi",
            "event": "manager",
            "flow": "exporter record",
            "frame-relay": "switching vc-bundle",
            "ip": """
                access-list accounting-list accounting-threshold accounting-transits admission
                as-path
                audit auth-proxy bgp-community bootp cef classless community-list default-gateway
                default-network device domain domain-list domain-lookup domain-name domain-retry
                drp dvmrp explicit-path extcommunity-list finger flow-aggregation flow-cache
                flow-export flow-top-talkers forward-protocol ftp gdp gratuitous-arps host
                host-routing
                hp-host http icmp identd large-community-list local msdp multicast-routing
                name-server nbar-custom
                options policy-list port-map prefix-list radius rcmd reflexive-list route
                routing scp sdr sla slb source-route spd ssh sticky-arp subnet-zero tacacs
                telnet tftp tftp-server
            """,
            "ip arp": "gratuitous incomplete inspection poll proxy queue",
            "ip dhcp": """
                binding bootp class compatibility conflict database excluded-address limit ping
                pool use
            """,
            "ip igmp": "profile snooping ssm-map",
            "ip inspect": """
                L2-transparent alert-off audit-trail dns-timeout hashtable-size log max-incomplete
                name one-minute tcp udp
            """,
            "ip multicast": "limit route-limit rpf vrf",
            "ip nat": "create log pool service settings translation",
            "ip nbar": "custom pdlm port-map resources",
            "ip ospf": "name-lookup",
            "ip pim": """
                accept-register accept-rp autorp bsr-candidate log-neighbor-changes
                register-rate-limit register-source rp-address rp-announce-filter rp-candidate
                send-rp-announce send-rp-discovery spt-threshold ssm vrf
            """,
            "ip tcp": """
                chunk-size ecn mss path-mtu-discovery queuemax selective-ack synwait-time timestamp
                window-size
            """,
            "ipv6": """
                access-list cef general-prefix hop-limit host icmp local multicast-routing
                neighbor prefix-list route source-route unicast-routing
            """,
            "ipx": "access-list internal-network maximum-paths route router routing sap",
            "isdn": "gateway-max-interworking leased-line",
            "key": "chain config-key",
            "l2protocol-tunnel": "cos global",
            "lacp": "system-priority",
            "lldp": "holdtime reinit run timer tlv-select",
            "logging": """
                alarm buffered buginf cns-events console count discriminator esm exception
                facility file
                history host hostname monitor on origin-id persistent queue-limit rate-limit
                reload server-arp snmp-authfail snmp-trap source-interface system trap userinfo
            """,
            "login": "block-for delay on-failure on-success quiet-mode",
            "mac": "access-list address-table",
            "macro": "global name",
            "mls": """
                aclmerge aging cef flow ip ipv6 netflow nde rate-limit sampling
            """,
            "monitor": "session",
            "mpls": "ldp traffic-eng oam",
            "ntp": """
                access-group allow authenticate authentication-key clock-period logging master
                max-associations peer server source trusted-key update-calendar
            """,
            "port-channel": "load-balance",
            "power": "redundancy-mode supply",
            "ppp": "hold-queue lcp-session",
            "privilege": "configure exec interface",
            "qos": "pre-classify-global",
            "router": "bgp eigrp isis mobile odr ospf ospfv3 rip",
            "service": """
                compress-config config dhcp disable-ip-fast-frag exec-callback exec-wait
                finger linenumber nagle old-slip-prompts password-encryption password-recovery
                prompt pt-vty-logging sequence-numbers slave-log tcp-keepalives-in
                tcp-keepalives-out tcp-small-servers telnet-zeroidle timestamps
                udp-small-servers unsupported-transceiver call-home counters internal
            """,
            "spanning-tree": """
                backbonefast etherchannel extend logging loopguard mode mst pathcost transmit
                uplinkfast
            """,
            "standby": "redirect",
            "switch": "virtual",
            "tag-switching": "advertise-tags tdp",
            "vlan": """
                access-map accounting configuration database dot1q filter internal
            """,
            "voice": """
                call card class hunt hunt-group iec register rtp service translation-profile
                translation-rule
            """,
            "vrf": "definition list",
            "vtp": "domain file interface mode password pruning version",
            "x25": "host hunt-group profile route routing",
            "xconnect": "logging",
            "zone": "security",
        }.items()
        if seconds
    }
)
