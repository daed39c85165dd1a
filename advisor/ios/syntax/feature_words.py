"""The first words of the sub-commands of access, service and management modes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

FEATURE_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "aaa-accounting": "action-type broadcast group",
        "adapter": "adapter lan llc2 locaddr-priority sap-priority source-bridge",
        "attachment-circuit": """
            autodiscovery control-word description encapsulation evc extended-vlan interworking
            member mode mpls mtu protocol rd redundancy replication-type route-target router-id
            signaling source ve vpls-id vpn
        """,
        "bba-group": """
            ac circuit-id control description mac-address max-bandwidth nas-port-id pado
            remote-id sessions tag vendor-tag virtual-template
        """,
        "cem": "class control-word dejitter-buffer emulation idle-pattern payload-size xconnect",
        "ddns-update": "ddns http interval internal add remove",
        "device-policy": """
            data-glean destination-glean device-role drop-unsecure enforcement hop-limit limit
            managed-config-flag match medium-type-wireless origin other-config-flag permit
            preference prefix-glean protocol router-preference sec-level security-level server
            tracking trusted-port validate vlan
        """,
        "dns-view": "dns domain logging match restrict view",
        "dot11-ssid": """
            accounting admit-traffic admission-traffic authentication dot1x guest-mode
            information-element infrastructure-ssid ip max-associations mbssid mobility vlan
            wpa-psk
        """,
        "flow-aggregation": "cache enabled export mask",
        "ikev2-peer": "address description hostname identity pre-shared-key",
        "iphc-profile": "feedback maximum non-tcp recoverable-loss refresh rtp tcp",
        "ips-category": "category",
        "ips-category-actions": "alert-severity enabled event-action retired",
        "ipc-zone": "association local-ip local-port protocol remote-ip remote-port shutdown",
        "lsp-attributes": """
            affinity auto-bw bandwidth list lockdown priority protection record-route
        """,
        "map-list": "appletalk bridge clns decnet ip ipx vines xns",
        "mgcp-profile": "call-agent description max1 max2 package timeout tdisconnect-ack voip",
        "monitor-end": "erspan-id interface ip ipv6 mtu origin vlan vrf",
        "parser-view": "commands secret view",
        "policy-list": "match",
        "service-list": "match service-instance",
        "slb": """
            advertise bindid client delay faildetect idle inservice interval maxconns nat
            predictor probe real reassign retry serverfarm service synguard timer virtual weight
        """,
        "slot": "slot",
        "stcapp-feature": """
            activation-key call cancel cptone do-not-disturb fallback-dn feature-dial hold-resume
            pickup port prefix redial ringing-timeout speed-dial timeout voicemail
        """,
        "stcapp-port": "cptone fallback-dn",
        "switch-domain": "dual-active mac-address router-mac switch timer",
        "telemetry": """
            encoding filter receiver source-address source-vrf stream update-policy
        """,
        "traffic-export": "bidirectional incoming interface length mac-address outgoing",
        "transceiver": "monitoring",
        "transport-map": """
            authentication-retries banner connection rsa time-out transport vty
        """,
        "trunk-group": """
            carrier-id default description exit hunt-scheme max-calls max-retry
            translation-profile xsvc
        """,
        "webvpn": """
            aaa acl default-group-policy functions gateway gw http-redirect inservice ip logging
            login-message max-users policy port-forward secondary-color ssl svc text-color title
            title-color url-list vrf-name
        """,
        "wlan": """
            aaa-override accounting-list band-select broadcast-ssid ccx channel-scan client
            dtim exclusionlist ip ipv6 local-auth mac-filtering mfp mobility no-shutdown nac
            peer-blocking profiling radio security service-policy session-timeout shutdown wmm
        """,
    }
)
