"""The first words of the sub-commands of access, service, management and voice modes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# The first words of the sub-commands of access, service and management modes.

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


# The first words of the sub-commands of the voice, dial-in and application modes.

VOICE_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "application": "global package param paramspace service",
        "application-service": "param paramspace service",
        "call-home": """
        alert-group contact contact-email-addr contract-id copy-profile customer-id
        destination-profile email-contact http-proxy http-resolve-hostname-ipv6-first mail-server
        phone-contact phone-number profile rate-limit sender service site-id source-interface
        source-ip-address street-address streetaddress syslog-throttling
    """,
        "call-home-profile": """
        active anonymous-reporting-only destination reporting subscribe-to-alert-group
    """,
        "dial-peer": """
        aaa acc-qos answer-address application authentication bandwidth bind call call-block
        call-waiting caller-id cause-rates clid codec conference connections corlist default
        description destination destination-pattern digit-strip digit_strip direct-inward-dial
        dtmf-interworking dtmf-relay emergency expect-factor fallback fax fax-relay forward-digits
        header-passing history-info hopcounter huntstop icpif image incoming information-type ip
        isdn loop mailbox max-conn max-redirects media mmoip modem mwi notify nts num-exp
        numbering-type param paramspace permission playout-delay port preference prefix
        progress_ind proxy redirect redirection reg-e164 register req-qos resource roaming rtp
        security sequence-numbers service session settle-call shutdown signal signal-type
        signaling srtp srtp-crypto subaddress supplementary-service tech-prefix tgrep tone
        transaction-id translate-outgoing translation-profile trunk-group-label trunkgroup url vad
        video vofr voice voice-class
    """,
        "dial-peer-cor": "member name",
        "dspfarm": """
        associate bind codec conference-join conference-leave custom-cptone description keepalive
        max-participants maximum registration rsvp shutdown switchback switchover timeout tone
        transport video
    """,
        "ephone": """
        after-hour after-hours anonymous application authenticate auto-answer auto-line
        bulk-speed-dial busy-trigger-per-button button call-forward call-waiting caller-id
        calling-number capf-auth-str cert-oper codec conference cor corlist create credential
        default description device-security-mode dialplan dnd dtmf-relay emergency ephone-template
        fastdial feature-button file forwarding hold-alert huntstop id intercom keep-conference
        keepalive keypad label load logo logout-profile loopback-dn mac-address mailbox-selection
        max-calls-per-button max-conference max-dn max-pool mobility mode moh mtp multicast-moh
        mwi name network-locale night night-message night-service number offhook-guard
        olsontimezone paging paging-dn park-slot phone-redirect-limit pickup-call pickup-group pin
        preference presence privacy proxy registration-timer reset restart ring session-server
        session-transport shared-line snr softkeys source-address speed-dial ssh ssl sta text
        tftp-path time-format timeouts timezone transfer transfer-mode transfer-park
        transfer-pattern translate translation-profile trunk type url user-locale username vad
        video vpn-group watch whisper-intercom xml
    """,
        "gatekeeper": """
        accounting alias arq bandwidth emulate endpoint gw-type-prefix h323-gateway lrq resource
        security send shutdown timer use-proxy zone zone-prefix
    """,
        "sip-ua": """
        aaa authentication calling-info connection-reuse credentials crypto default
        disable-early-media g729-annexb handle-replaces host-registrar keepalive max-forwards
        max-redirects mwi-server nat notify offer outbound-proxy permit presence privacy protocol
        reason-header redirection registrar remote-party-id reset retry set sip-server srtp srv
        suspend-resume timers transport url warn-header xfer
    """,
        "telephony-service": """
        access-code access-digit admin-password admin-username after-hours alias application
        authentication auto auto-reg-ephone call-forward call-park calling-number cnf-file
        conference cor create default default-destination dialplan-pattern directory dn-webedit
        dss dst emergency ephone-reg ext extension-assigner fac feature-system fxo group
        headset-connect hunt-group huntstop internal-call ip keepalive keypad limit-dn live-record
        load log login logo max-conferences max-dn max-ephones max-redirect mode moh multicast mwi
        name network-locale night-service number-translate olsontimezone pickup pin preference
        protocol pstn regular-service reset restart sast1 sdspfarm secondary-dialtone
        server-security-mode service shared-line srst srv ssh standby system telnet-support
        tftp-server-credentials time-format time-webedit time-zone timeouts transfer-digit-collect
        transfer-pattern transfer-system translation-profile trunk upgrade url user-locale video
        vm-device-id vm-integration voicemail vpn web xfer xml xmlschema
    """,
        "voice-card": """
        codec conference cptone dsp dsp-reserved dspfarm local-bypass outgoing shutdown watchdog
    """,
        "voice-class": """
        allow associate bind call codec condition cpa cptone default description dial-peer
        disconnect dualtone e164 e2e-t38 early-offer final freq-max freq-pair fxo-anyway group
        h225 h323 hops host hosts-url huntstop ipv4 ipv6 list max-redirect media membership mwi
        name options-keepalive options-ping outbound-proxy pattern phone-context pilot preference
        present-call privacy progress-tone req-uri request response router rule sip sip-server
        statistics telephony-service threshold timeout transport trigger url user-id
    """,
        "voice-port": """
        alarm-trunk auto-cut-through battery-reversal bearer-cap bootup busyout call-waiting
        caller-id calling-number comfort-noise compand-type condition connection cptone crosstone
        default define description dial-tone dial-type disc_pi_off disconnect-ack dscp dtmf-relay
        ec echo-cancel fax flash-override fwd-disc-alerting ground-start group hunt-scan-random
        idle-voltage impedance incoming input isdn local-alerting loop-length loss-plan lrq
        mean-media modem music-threshold mwi non-linear number operation output plar playout-delay
        port ring rtp shutdown signal snmp snr-threshold squelch station-id supervisory
        tbct-max-call-duration threshold timeouts timer timing translate translation-profile trunk
        trunk-group type vad voice-class
    """,
        "voice-service": """
        address-hiding allow-connections anat asserted-id asymmetric bandwidth bind call
        calling-info callmonitor capability cause-code clid conn-reuse cpa default default-gw
        dscp-profile dtmf-interworking early-offer emergency encap error-passthru fax fax-relay
        g729 gcid gtd h323 handle-replaces header-passing history-info
        host-registrar ip ipv4 ipv6 listen-port localhost longpound max-conn media
        media-inactivity midcall-signaling min-se mode modem nat notify options-keepalive
        options-ping outbound-proxy pass-thru privacy probing qos random-contact reason-header
        redirect redundancy-group refer referto-passing registrar rel1xx req-uri requri-passing
        reset rtcp rtp-media-loop rtp-port rtp-ssrc send-comfort-noise session shutdown signaling
        sip sip-profiles srtp srtp-auth sse stun stun-flowdata supplementary-service tel-config
        telephony-service timeout trace transport update-callerid url vad video xfer
    """,
        "voice-service-protocol": """
        asserted-id asymmetric audio bind block call calling-info conn-reuse dtmf-interworking
        early-offer emptycapability encap error-passthru ext g729 h225 h245 h450 handle-replaces
        header-passing history-info ip listen-port max-conn midcall-signaling min-se
        nat options-ping outbound-proxy pass-thru privacy random-contact random-request-uri
        reason-header
        referto-passing registrar rel1xx req-uri requri-passing rtcp session sip-profiles
        srtp-auth stun telephony-service timeout transport update-callerid url xfer ccm-compatible
    """,
        "trusted-list": "ipv4 ipv6",
        "vpdn-dial": "dialer pool-member protocol rotary-group virtual-template",
        "voice-translation": "description rule translate",
        "vpdn-group": """
        accept-dialin accept-dialout accounting authen-before-forward backup bearer-type default
        description dialer dnis domain force-local-chap initiate-to ip l2f l2tp lcp limit
        loadsharing local multihop multilink pool-member pptp priority protocol radius redirect
        relay request-dialin request-dialout rotary-group session-limit source source-ip sso
        substitute terminate-from tunnel virtual-template vpn
    """,
    }
)
