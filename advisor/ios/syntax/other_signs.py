"""The systems that are told from one another, and the lines of those that are not Cisco's."""

from enum import StrEnum
from typing import Final

# The systems whose configurations are told from one another.


class Dialect(StrEnum):
    """The system that a text configures, by the name that a user knows."""

    IOS = "Cisco IOS / IOS XE"
    NXOS = "Cisco NX-OS"
    ASA = "Cisco ASA"
    IOS_XR = "Cisco IOS XR"
    CATOS = "Cisco CatOS"
    AIREOS = "Cisco AireOS"
    SMALL_BUSINESS = "Cisco Small Business switch"
    EOS = "Arista EOS"
    JUNOS = "Juniper JunOS"
    AOS_CX = "Aruba AOS-CX"
    ARUBA_OS = "ArubaOS"
    PROCURVE = "HP ProCurve / ArubaOS-Switch"
    COMWARE = "HPE Comware / Huawei VRP"
    FASTPATH = "EFOS / FASTPATH"
    FASTIRON = "Ruckus FastIron / NetIron"
    DELL = "Dell OS9 / OS10"
    EXOS = "Extreme EXOS"
    ADTRAN = "Adtran AOS"
    ZYXEL = "Zyxel ZLD"
    TELDAT = "Teldat CIT"
    ALLIEDWARE = "AlliedWare Plus"
    SROS = "Nokia SR OS"
    V_SOL = "V-SOL OLT"
    A10 = "A10 ACOS"
    F5 = "F5 BIG-IP"
    FORTIOS = "FortiOS"
    PANOS = "Palo Alto PAN-OS"
    GAIA = "Check Point Gaia"
    TNSR = "Netgate TNSR"
    VYOS = "VyOS"
    ROUTEROS = "MikroTik RouterOS"
    FRR = "FRRouting"
    DEBIAN = "Linux /etc/network/interfaces"
    OTHER = "configuration of another system"
    MARKED_UP = "RTF, PDF or quoted-printable mail (save it as plain text)"
    NOT_A_CONFIG = "no configuration"
    EMPTY = "empty"


# How strong a sign is.
DECISIVE: Final = 10  # no other system prints this line
STRONG: Final = 5  # enough alone if there is no sign of IOS
SUGGESTIVE: Final = 4
WEAK: Final = 2


# The lines that tell the configuration of a system that is not Cisco's; see `signs`.
#
# Sources: the command references of the systems, and configurations that they print.

OTHER_SIGNS: Final = {
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
    Dialect.CATOS: {
        DECISIVE: r"""
            \#version \d
            set (?:cam|module|port|spantree|trunk|vtp) \S+
        """,
    },
    Dialect.AIREOS: {
        DECISIVE: r"""
            config (?:802\.11[abgh]?|advanced|ap|mobility|rfid|wlan) \S+
            config interface (?:address|create|vlan|port)
        """,
    },
    Dialect.SMALL_BUSINESS: {
        DECISIVE: r"""
            config-file-header
            unit-type-control-start
            ssd-control-start
        """,
    },
    Dialect.AOS_CX: {
        DECISIVE: r"""
            !Version ArubaOS-CX
            ! ArubaOS-CX
            !export-password:
            vsx$
        """,
        STRONG: r"""
            https-server vrf
            ssh server vrf
            vlan access \d
            vlan trunk (?:allowed|native)
            vsf member
            interface lag \d
            interface \d+/\d+/\d+$
        """,
    },
    Dialect.ARUBA_OS: {
        DECISIVE: r"""
            \# Aruba Operating System
            (?:virtual-controller-country|virtual-controller-key|virtual-controller-ip)
            wlan (?:access-rule|ssid-profile|virtual-ap|sensor|external-captive-portal) \S+
            aaa authentication-server (?:ldap|radius|tacacs)
            ap (?:regulatory-domain-profile|system-profile|wired-port-profile)
            mgmt-user \S+
            netdestination \S+
            netservice \S+
        """,
        STRONG: r"""
            ip access-list session
            user-role \S+
            rf (?:arm-profile|dot11a-radio-profile|dot11g-radio-profile)
            syslocation
            essid
            opmode \S+
            version 8\.\d+
        """,
    },
    Dialect.PROCURVE: {
        DECISIVE: r"""
            ; J\w+ Configuration Editor
            ; hpStack
            ;Ver
        """,
        STRONG: r"""
            snmp-server community "[^"]+" (?:unrestricted|operator|manager)
            include-credentials$
            oobm$
        """,
    },
    Dialect.COMWARE: {
        DECISIVE: r"""
            sysname
            ip route-static
            undo \S+
            interface (?:Vlanif|Vlan-interface)\d
        """,
        STRONG: r"""
            user-interface (?:con|vty|aux|console)
            port (?:link-type|trunk permit|access vlan|default vlan)
            traffic (?:behavior|classifier)
            local-user \S+
        """,
    },
    Dialect.FASTPATH: {
        DECISIVE: r"""
            !System (?:Description|Software Version) "
            serviceport (?:ip|protocol)
            network (?:mgmt_vlan|parms|protocol)
            vlan (?:participation|pvid|tagging) \S+
            classofservice \S+
            addport \d
            cos-queue \S+
        """,
        STRONG: r"""
            !Current Configuration:
            !Additional Packages
            line (?:ssh|telnet)$
            interface \d+/\d+$
            service-policy in \S+$
            assign-queue \d
            police-simple
        """,
    },
    Dialect.FASTIRON: {
        DECISIVE: r"""
            !\s+Copyright \(c\) Ruckus
            lag "\S+" (?:dynamic|static)
            system-max
            ver \d+\.\d+\.\d
            (?:tagged|untagged) ethe
            vlan \d+ (?:name \S+ )?by port
        """,
        STRONG: r"""
            no dual-mode-default-vlan
            default-max-frame-size
            stack unit \d
        """,
    },
    Dialect.ADTRAN: {
        DECISIVE: r"""
            ! ADTRAN, Inc\.
            qos map \S+ \d+$
            qos-policy (?:in|out) \S+$
        """,
    },
    Dialect.ZYXEL: {
        DECISIVE: r"""
            ! model: (?:USG|ZyWALL|ATP|VPN|NXC)
            bwm activate$
        """,
    },
    Dialect.TELDAT: {
        DECISIVE: r"""
            ; TELDAT
            log-command-errors$
        """,
    },
    Dialect.DELL: {
        DECISIVE: r"""
            ! Version \d+\.\d+\(\d
            policy-map-input \S
            policy-map-output \S
            qos-policy-input \S
            qos-policy-output \S
            stack-unit \d+ (?:provision|quad-port-profile|port)
            boot system stack-unit
            interface ManagementEthernet
            interface fortyGigE
            interface ethernet\d+/\d+/\d+
            interface mgmt\d+/\d+/\d+
            iscsi enable$
        """,
    },
    Dialect.EXOS: {
        DECISIVE: r"""
            \# Module \w+ configuration
            configure (?:vlan|snmp|sys-recovery-level|slot|stpd|timezone) \S+
            create (?:vlan|stpd) \S+
        """,
    },
    Dialect.ALLIEDWARE: {
        DECISIVE: r"""
            interface port\d+\.\d+\.\d+
            platform (?:hwfilter-size|jumboframe)
        """,
    },
    Dialect.SROS: {
        DECISIVE: r"""
            \# TiMOS-
            exit all$
            echo "
        """,
    },
    Dialect.V_SOL: {
        DECISIVE: r"""
            profile (?:alarm|dba|line|onu|srv) (?:id|name) \S+
            onu \d+ (?:ctc|gemport|portvlan|pri|profile|service|tcont|type) \S+
            onu (?:add|auto-learn|confirm)
        """,
        STRONG: r"""
            interface (?:epon|gpon|pon) ?\d+/\d+
        """,
    },
    Dialect.A10: {
        DECISIVE: r"""
            !64-bit Advanced Core OS
            slb (?:common|server|service-group|template|virtual-server)
            (?:vrrp-a|aflex|aflow-sensor)
            multi-config enable
        """,
        STRONG: r"""
            health monitor \S+
            web-service \S+
            system promiscuous-mode
        """,
    },
    Dialect.F5: {
        DECISIVE: r"""
            \#TMSH-VERSION
            ltm (?:monitor|node|persistence|policy|pool|profile|rule|virtual)
            net (?:route|self|trunk|vlan) \S+ \{
            sys (?:dns|global-settings|management-ip|ntp|provision) .*\{
        """,
    },
    Dialect.FORTIOS: {
        DECISIVE: r"""
            \#config-version
            config (?:firewall|router|system|user|vdom|vpn)
            edit "[^"]+"$
        """,
    },
    Dialect.PANOS: {
        DECISIVE: r"""
            mgt-config \{
            set (?:deviceconfig|mgt-config|rulebase|network interface|network virtual-router)
        """,
        STRONG: r"""
            config \{$
        """,
    },
    Dialect.GAIA: {
        DECISIVE: r"""
            \# Configuration of \S+
            set (?:installer|management interface|static-route|expert-password|clienv)
            set interface \S+ (?:state|link-speed|ipv4-address|auto-negotiation)
        """,
    },
    Dialect.TNSR: {
        DECISIVE: r"""
            dataplane (?:buffers|cpu|dpdk|ethernet|ip|memory|nat|statseg)
            nacm (?:enable|disable|exec-default|group|read-default|rule-list|write-default)
            nat global-options
            unbound server
            host (?:acl|interface) \S+
        """,
        STRONG: r"""
            configure history
            route (?:dynamic|table) \S+
            dhcp4 (?:enable|server)
        """,
    },
    Dialect.VYOS: {
        DECISIVE: r"""
            // vyos-config-version:
            ethernet eth\d+ \{
            set interfaces ethernet eth\d
            set service (?:dhcp-server|ssh)
            set nat (?:source|destination) rule
        """,
    },
    Dialect.ROUTEROS: {
        DECISIVE: r"""
            (?:/interface|/ip|/ipv6|/mpls|/port|/queue|/routing|/snmp|/system|/tool|/user)\b
            add (?:address|bridge|chain|dst-address|interface|list|name)=
        """,
    },
    Dialect.FRR: {
        DECISIVE: r"""
            frr (?:defaults|version)
            ZEBRA:
        """,
    },
    Dialect.DEBIAN: {
        DECISIVE: r"""
            iface \S+
            allow-hotplug \S+
        """,
        STRONG: r"""
            auto \S+$
        """,
    },
    Dialect.OTHER: {
        DECISIVE: r"""
            <\?xml
        """,
    },
}
