"""The commands of IOS whose words may be shown, and in which words.

Taken from the command references of IOS 12.0-15.x and IOS XE. A command that is not here keeps the
words of `HEADS` that start it and loses the rest, so a row that is missing costs a reader some text
and never a secret.
"""

from typing import Final

_CODES: Final = """
    # default ef cs0 cs1 cs2 cs3 cs4 cs5 cs6 cs7 af11 af12 af13 af21 af22 af23 af31 af32 af33 af41
    af42 af43 routine priority immediate flash flash-override critical internet network rsvp
"""
_ENTRY: Final = f"""
    {_CODES} @ permit deny evaluate any host ip tcp udp icmp igmp ahp esp gre ipinip nos ospf eigrp
    pcp pim rsvp sctp ipv6 icmpv6 eq neq gt lt range dscp precedence tos established fragments log
    log-input ack fin psh rst syn urg reflect= time-range= object-group= dynamic= addrgroup=
    max-reliability max-throughput min-delay min-monetary-cost normal option ttl match-all match-any
    +ack +fin +psh +rst +syn +urg -ack -fin -psh -rst -syn -urg
    bgp biff bootpc bootps chargen cmd daytime discard dnsix domain drip echo exec finger ftp
    ftp-data gopher hostname ident irc isakmp klogin kshell login lpd mobile-ip msrpc nameserver
    netbios-dgm netbios-ns netbios-ss nntp non500-isakmp ntp onep-plain onep-tls pim-auto-rp pop2
    pop3 rip smtp snmp snmptrap sunrpc syslog tacacs talk telnet tftp time uucp who whois www xdmcp
    echo-reply unreachable host-unreachable net-unreachable port-unreachable packet-too-big
    administratively-prohibited redirect ttl-exceeded time-exceeded traceroute source-quench
    parameter-problem timestamp-request timestamp-reply router-advertisement router-solicitation
    nd-na nd-ns mld-query mld-report undetermined-transport sequence remark!
"""
_LIST_NAME: Final = "# permit deny @ host any rate-limit compiled"
_OPTIONS_OF_PEERS: Final = """
    # @ % tcp fst frame-relay interface llc2 lf keepalive cost cluster linger backup-peer dynamic
    inactivity no-llc passive pass-thru priority rif-passthru rsvp global default tcp-queue-max
    timeout bytes-netbios-out= circuit-weight dest-mac dmac-output-list host-netbios-out=
    lsap-output-list port-list peer-id group border promiscuous biu-segment init-pacing-window
    max-pacing-window
"""
_TARGET: Final = "input output type= history queueing qos access-control inspect control"
_ACTION: Final = f"""
    {_CODES} transmit drop set-dscp-transmit set-prec-transmit set-precedence-transmit
    set-qos-transmit set-mpls-exp-transmit set-mpls-exp-imposition-transmit
    set-mpls-exp-topmost-transmit set-discard-class-transmit set-cos-transmit set-clp-transmit
    set-frde-transmit set-dscp-tunnel-transmit set-prec-tunnel-transmit policed-dscp-transmit
    continue table=
"""
_POLICE: Final = f"""
    {_ACTION} cir pir bc be rate burst peak-rate peak-burst conform-burst excess-burst percent bps
    kbps mbps gbps pps cps bytes byte packets packet ms us conform-action exceed-action
    violate-action account user-defined aggregate flow peak
"""
_WRED: Final = f"""
    {_CODES} dscp-based prec-based precedence-based discard-class-based cos-based atm-clp-based
    clp-based ecn exponential-weighting-constant exponential-weight dscp precedence discard-class
    clp cos aggregate time-based values minimum-thresh maximum-thresh mark-prob mark-probability
    packets bytes ms us flow
"""
_SLA_SETTINGS: Final = "# @ %"
_SLA: Final = """
    # @ % source-ip source-interface source-ipaddr source-addr source-port dest-ipaddr dest-addr
    dest-port target-addr num-packets interval codec g711alaw g711ulaw g729a advantage-factor
    codec-interval codec-numpackets codec-size control enable disable protocol ipIcmpEcho
    ipUdpEchoAppl ipTcpConn dhcp dns echo icmp-echo pathecho jitter udpecho udpjitter tcpconnect
    tcp-connect udp-echo udp-jitter udpEcho pathEcho tcpConnect http get! raw! url! name-server
    operation peer frame-relay dlsw path-echo icmp-jitter udp-plus
"""

# `words : items`. An item is a word that may follow anywhere behind the words; `#` a number, `@` an
# address, `%` an interface, `~` the name of an image, `*` one name right behind the words, `word=`
# the word and one name behind it, `word!` the word and nothing behind it. The longest row decides.
# Names are those that IOS itself treats as names.
COMMANDS: Final = f"""
    aaa new-model :
    aaa session-id : common unique
    address-family ipv4 : unicast multicast
    address-family ipv6 : unicast multicast
    access-class : # * in out vrf-also
    access-list : {_ENTRY}
    access-list rate-limit : # @ mask
    arp : # @ arpa timeout
    atm : # pvp ilmi-keepalive vc-per-vp route-bridged ip scrambling cell-payload
    atm pvc : # @ aal5snap aal5mux ip inarp abr cbr ubr vbr-nrt ilmi qsaal oam
    auto-summary :
    auto qos : voip trust cisco-phone
    auto qos voip : # trust
    bandwidth : # percent remaining ratio receive inherit qos-reference account user-defined qinq
        dot1q aal5 snap kbps
    bgp : # @ log-neighbor-changes router-id dampening default ipv4-unicast always-compare-med
        deterministic-med bestpath
    boot system : ~ flash # tftp rom slot0: slot1: disk0: disk1: flash: bootflash:
    boot-end-marker :
    boot-start-marker :
    bridge : # irb crb protocol ieee dec ibm vlan-bridge route ip priority hello-time forward-time
    bridge-group : # spanning-disabled path-cost priority subscriber-loop-control
        block-unknown-source source-learning unicast-flooding
    bump : explicit implicit traffic
    cablelength : # long short -7.5db -15db -22.5db 0db 133 266 399 533 655
    cbr : #
    abr : #
    ubr : #
    ubr+ : #
    vbr-nrt : #
    vbr-rt : #
    cdp : # run enable timer holdtime advertise-v2
    channel-group : # timeslots speed 56 64 mode active passive on auto desirable
    class : * insert-before= type=
    class type : inspect= access-control=
    class-int : *
    class-vc : *
    class-map : * match-all match-any type= queueing= inspect= access-control= network-qos= qos=
    class-map match-all : *
    class-map match-any : *
    clock : # source internal line network loop free-running participate wic slot network-module
    clock rate : # line network-clock auto
    clock source : # line internal primary secondary bits loop independent
    clock timezone : * #
    clock summer-time : * # recurring date
    clockrate : # line
    compress : predictor stac mppc
    compression : header ip rtp tcp
    config-register : #
    control-plane : host transit cef-exception
    controller : # % t1 e1 t3 e3 vdsl sonet atm dsl j1 shdsl voip
    crc : #
    crypto isakmp policy : #
    diagnostic bootup level : minimal complete bypass
    exit-af-interface :
    exit-af-topology :
    exit-class :
    exit-vrf :
    custom-queue-list : #
    default-router : @
    delay : # tens-of-milliseconds
    dialer pool : #
    dialer-group : #
    dlsw : # % @ enable
    dlsw bgroup-list : # bgroups
    dlsw bridge-group : # llc2 locaddr-priority sap-priority N1 N2 ack-delay-time ack-max idle-time
        local-window t1-time tbusy-time tpf-time trej-time txq-max xid-neg-val-time xid-retry-time
    dlsw disable :
    dlsw duplicate-path-bias : load-balance
    dlsw icannotreach : # saps sap
    dlsw icanreach : # @ mac-address mac-exclusive mask remote saps sap netbios-exclusive
        netbios-name!
    dlsw load-balance : # round-robin circuit-count
    dlsw local-peer : {_OPTIONS_OF_PEERS}
    dlsw mac-addr : @ # ring interface % remote-peer ip-address rif
    dlsw max-multiple-rifs : #
    dlsw netbios-cache-length : #
    dlsw peer-on-demand-defaults : {_OPTIONS_OF_PEERS}
    dlsw port-list : # %
    dlsw prom-peer-defaults : {_OPTIONS_OF_PEERS}
    dlsw remote-peer : {_OPTIONS_OF_PEERS}
    dlsw ring-list : # rings
    dlsw timer : # connect-timeout explorer-delay-time explorer-wait-time icannotreach-block-time
        local-verify-interval netbios-cache-timeout netbios-explorer-timeout
        netbios-group-cache netbios-retry-interval netbios-verify-interval sna-cache-timeout
        sna-explorer-timeout sna-group-cache sna-retry-interval sna-verify-interval
    dlsw tos : # map disable high medium normal low
    dlsw udp-disable :
    dlsw explorerq-depth : #
    dlsw group-cache : # max-entries disable
    dlsw redundant-rings : #
    dlsw transparent : # @ % switch-support redundancy-enable master-priority timers netbios sna
        map local-mac remote-mac neighbor
    drop :
    dsu bandwidth : #
    dsu mode : #
    duplex : auto full half
    encapsulation : # % ppp hdlc frame-relay ietf cisco dot1q dot1ad native isl x25 lapb sdlc
        sdlc-primary sdlc-secondary atm-dxi smds slip bstun stun aal5snap aal5nlpid aal5ciscoppp
        aal5mux aal5auto aal1 aal0 ip ppp ppp-over-ethernet default untagged second-dot1q
        Virtual-Template qllc mfr
    end :
    estimate bandwidth : # drop-one-in delay-one-in milliseconds
    exec-timeout : #
    exit :
    exit-address-family :
    fair-queue : # queue-limit individual-limit aggregate-limit tos qos-group weight limit
    frame-relay : # traffic-shaping broadcast-queue inverse-arp
    frame-relay adaptive-shaping : # becn foresight interface-congestion
    frame-relay bc : # in out
    frame-relay be : # in out
    frame-relay cir : # in out
    frame-relay class : *
    frame-relay custom-queue-list : #
    frame-relay end-to-end : # keepalive mode
    frame-relay fair-queue : #
    frame-relay fecn-adapt :
    frame-relay fragment : # switched end-to-end
    frame-relay fragmentation : # voice-adaptive deactivation
    frame-relay holdq : #
    frame-relay idle-timer : # in out
    frame-relay interface-dlci : # ietf cisco switched protocol ip @ ppp % voice-encap
    frame-relay interface-queue : # priority high medium normal low
    frame-relay intf-type : dce dte nni
    frame-relay ip : # rtp tcp header-compression priority connections passive active
        periodic-refresh
    frame-relay lmi-type : ansi cisco q933a
    frame-relay lmi-n391dte : #
    frame-relay map : # @ ip bridge dlsw llc2 ipx broadcast ietf cisco payload-compression
        packet-by-packet frf9 stac data-stream
        rtp tcp header-compression compress nocompress active passive connections
    frame-relay mincir : # in out
    frame-relay priority-group : #
    frame-relay switching :
    frame-relay tc : #
    frame-relay traffic-rate : #
    frame-relay voice bandwidth : # queue
    framing : esf sf crc4 no-crc4 unframed australia c-bit m23 g751 g832 adm sdh sonet bypass
    frequency : #
    full-duplex :
    half-duplex :
    header-compression :
    hold-queue : # in out
    hostname : *
    history : # size buckets-kept lives-kept filter none all failures overThreshold hours-of-statistics-kept
        distributions-of-statistics-kept statistics-distribution-interval enhanced interval buckets
    ignore-dcd :
    interface : # % - , range point-to-point multipoint l2transport
    invert : txclock data
    ip : routing cef classless subnet-zero
    ip access-group : # * in out
    ip access-list : # * extended standard resequence
    ip access-list extended : *
    ip access-list standard : *
    ip address : # @ secondary dhcp negotiated pool
    ip bgp-community new-format :
    ip cef : distributed load-sharing accounting
    ip classless :
    ip default-gateway : @
    ip directed-broadcast : #
    ip domain lookup :
    ip domain-lookup :
    ip flow : ingress egress monitor= sampler= input output
    ip flow-export : # @ version destination source %
    ip forward-protocol : # nd udp
    ip helper-address : @ global
    ip http : server secure-server
    ip http authentication : local aaa enable
    ip http server :
    ip http secure-server :
    ip load-sharing : per-packet per-destination
    ip mroute-cache :
    ip mtu : #
    ip multicast-routing : distributed
    ip name-server : @
    ip nat : inside outside
    ip nbar protocol-discovery :
    ip ospf : # cost network point-to-point broadcast point-to-multipoint non-broadcast priority
        hello-interval dead-interval area mtu-ignore
    ip pim : sparse-mode dense-mode sparse-dense-mode
    ip policy route-map : *
    ip prefix-list : # @ * seq permit deny ge le
    ip proxy-arp :
    ip redirects :
    ip route : # @ % global track permanent vrf=
    ip route-cache : policy flow cef same-interface
    ip router : isis
    ip routing :
    ip rsvp : # bandwidth signalling dscp sub-pool
    ip rtp : # header-compression priority reserve compression-connections passive iphc-format
        ietf-format periodic-refresh
    ip sla : # monitor
    ip sla monitor : #
    ip sla monitor responder :
    ip sla monitor schedule : # life forever start-time now pending after ageout recurring
    ip sla responder :
    ip sla schedule : # life forever start-time now pending after ageout recurring
    ip sla reaction-configuration : #
    ip source-route :
    ip split-horizon : eigrp #
    ip ssh : # version time-out authentication-retries
    ip subnet-zero :
    ip tcp : # adjust-mss header-compression path-mtu-discovery synwait-time window-size mss
        queuemax selective-ack timestamp passive iphc-format ietf-format compression-connections
        intercept
    ip unnumbered : %
    ip unreachables :
    ip virtual-reassembly : in out
    ip vrf forwarding : *
    ip vrf : *
    ipv6 : enable unicast-routing cef
    ipv6 access-list : *
    ipv6 address : @ autoconfig eui-64 link-local
    ipv6 cef : distributed
    ipv6 enable :
    ipv6 mtu : #
    ipv6 traffic-filter : * in out
    ipv6 unicast-routing :
    keepalive : #
    length : #
    license udi pid : * sn!
    line : # con console aux vty tty
    linecode : ami b8zs hdb3 b3zs
    lldp : run transmit receive
    llc2 : # N1 N2 ack-delay-time ack-max dynwind idle-time local-window nw dwc t1-time tbusy-time
        tpf-time trej-time txq-max xid-neg-val-time xid-retry-time
    load-interval : #
    log config :
    login : local
    logging : # @ on trap console buffered monitor rate-limit synchronous facility host
        source-interface % informational warnings notifications errors critical alerts emergencies
        debugging local0 local1 local2 local3 local4 local5 local6 local7 event link-status
        dlci-status-change
    mac access-list extended : *
    mac-address : @
    map-class : # atm dialer
    map-class frame-relay : *
    match : # {_CODES} not any cos inner vlan dlci fr-dlci fr-de qos-group discard-class atm-clp atm
        vci oam clp tag mpls experimental topmost dscp precedence ip rtp packet length min max
        packet-length access-group= class-map= protocol= input-interface % community=
        source-address! destination-address! mac! metadata! application! media-type! device-type!
        user-group! ethernet! tag! as-path! interface address prefix-list=
    match access-group : # * name=
    match not access-group : # * name=
    match access-group name : *
    match ip : # {_CODES} dscp precedence rtp address= next-hop=
    match ip address : # @ * prefix-list=
    match not ip : # {_CODES} dscp precedence rtp
    match protocol : * url! host! mime! header! c-header-field! s-header-field! server! user-agent!
        referer! from! location! content-encoding! attribute! dscp file-transfer= audio video
        payload-type #
    match not protocol : * url! host! mime! header! c-header-field! s-header-field!
    max-reserved-bandwidth : #
    maximum-paths : #
    media-type : rj45 sfp gbic auto-select 100basex 10baset mii
    memory-size iomem : #
    mls qos : # trust dscp cos device cisco-phone vlan-based
    mop enabled :
    mop sysid :
    mtu : #
    multilink bundle-name authenticated :
    multilink-group : #
    negotiation : auto
    neighbor : @ # remote-as activate next-hop-self soft-reconfiguration inbound send-community both
        extended standard update-source % ebgp-multihop shutdown version timers
        description! password! key! peer-group! route-map! prefix-list!
    network : # @ mask area
    no-llc :
    nrzi-encoding :
    ntp : # clock-period
    oam-pvc : # manage
    oam retry : #
    passive-interface : % default
    peer : default ip
    permit : {_ENTRY}
    deny : {_ENTRY}
    physical-layer : sync async
    police : {_POLICE}
    conform-action : {_ACTION}
    exceed-action : {_ACTION}
    violate-action : {_ACTION}
    conform-color :
    policy-map : * type= queueing= inspect= access-control= network-qos= qos= control-plane
    port-channel : # load-balance src-dst-ip src-dst-mac
    power : inline auto never static # max
    ppp authentication : chap pap ms-chap ms-chap-v2 eap callin
    ppp multilink : # group interleave fragment fragment-delay fragmentation delay size disable
        links maximum minimum load-threshold endpoint mrru multiclass queue slippage idle-link ncp
        max-fragments max-links min-links hostname ip local remote depth fifo fair outbound inbound
        either bytes msec mandatory sequence encap negotiated
    ppp multilink endpoint : string! mac % hostname ip none @
    pppoe-client : # dial-pool-number
    pppoe : enable
    privilege level : #
    precedence : {_WRED}
    dscp : {_WRED}
    exponential-weighting-constant : #
    pri-group : # timeslots nfas_d
    priority : # percent level kbps
    priority-group : #
    priority-list : # protocol ip ipx dlsw bridge cdp llc2 rsrb snapshot stun interface default
        queue-limit high medium normal low tcp udp gt lt list %
    priority-queue : # out in cos-map
    protocol ip : @ # broadcast inarp no
    protocol ppp : % dialer
    protocol pppoe : group= %
    pvc : # * ilmi qsaal ces l2transport
    qllc : # @ dlsw partner accept-all-calls sap dst srb subnet vmacaddr pcep
    qos pre-classify :
    queue-depth : #
    queue-limit : # packets packet bytes ms us cos dscp precedence qos-group discard-class percent
        {_CODES} values
    queue-list : # protocol ip ipx dlsw bridge cdp interface default queue byte-count limit
        lowest-custom tcp udp gt lt list %
    random-detect : {_WRED}
    random-detect-group : * dscp-based prec-based
    random-detect attach : *
    range : # pvc
    rate-limit : # input output access-group dscp qos-group conform-action exceed-action rate-limit
        {_ACTION} set-prec-continue set-dscp-continue set-qos-continue
    rcv-queue : # bandwidth cos-map queue-limit threshold
    redistribute : # % connected static rip subnets metric metric-type bgp ospf eigrp
    remark :
    request-data-size : #
    request-size : #
    response-data-size : #
    ring-speed : #
    route-map : * # permit deny
    router : # % rip bgp eigrp ospf isis odr
    router-id : @
    rtr : # responder
    rtr schedule : # life forever start-time now pending after ageout recurring
    rtr responder :
    scheduler allocate : #
    scheduler interval : #
    scramble :
    sdlc : # @ % role primary secondary prim-xid-poll none address xid partner dlsw vmac k N1 N2
        poll-limit-value poll-pause-timer t1 slow-poll cts-delay rts-delay line-speed hdx
        seconds fair-poll-timer simultaneous saddr-priority test serial xid-poll echo xid-passthru
        outgoing sdlc-largest-frame
    serial restart-delay : #
    service : password-encryption password-recovery config pad dhcp compress-config
        internal sequence-numbers tcp-keepalives-in tcp-keepalives-out tcp-small-servers
        udp-small-servers timestamps debug log datetime msec localtime show-timezone year uptime
        nagle linenumber prompt unsupported-transceiver counters max age #
    service instance : # ethernet
    service-module : # t1 56k timeslots speed clock source clock-rate line internal framing esf sf
        linecode ami b8zs data-coding inverted normal fdl both ansi att remote-loopback full payload
        lbo none -7.5db -15db -22.5db rate auto switched ip @
    service-policy : * {_TARGET}
    service-policy input : *
    service-policy output : *
    service-policy type : {_TARGET} access-control= inspect= queueing= qos= control= network-qos=
    set : # {_CODES} % ip dscp precedence cos cos-inner qos-group discard-class atm-clp fr-de
        fr-fecn-becn mpls experimental imposition topmost tos vlan dscp-transmit traffic-class
        metric local-preference weight origin igp incomplete next-hop default interface @ table=
        metric-type type-1 type-2 additive no-export tunnel max-reliability max-throughput min-delay
        min-monetary-cost normal
    shape : # average peak percent max-buffers adaptive fecn-adapt fr-voice-adapt ms account
        user-defined qinq dot1q aal5 snap bps kbps mbps gbps
    shutdown :
    snmp trap : link-status
    snmp-server ifindex persist :
    source-bridge : # ring-group spanning explorer-maxrate explorer-dup-ARE-filter explorerq-depth
        fast-switch transparent largest-frame proxy-explorer max-hops enable-80d5 remote-peer tcp
        @ lf
    spanning-tree : # mode pvst rapid-pvst mst extend system-id portfast bpduguard bpdufilter enable
        disable vlan priority cost loopguard default etherchannel guard misconfig edge network
        trunk
    speed : # auto nonegotiate
    srr-queue : # bandwidth share shape limit input output cos-map dscp-map queue threshold
    standby : # @ ip preempt priority timers track % decrement delay minimum reload version msec
        authentication! name!
    stopbits : #
    switchport : # mode access trunk vlan voice encapsulation dot1q isl native allowed nonegotiate
        dynamic auto desirable add remove except none all host port-security
    synchronization :
    t1 : # timeslots framing clock source linecode channel-group
    tcp-connect : {_SLA}
    threshold : #
    timeout : #
    timers : # basic bgp spf throttle lsa
    timeslot : # speed
    tos : #
    traffic-class : #
    traffic-shape : # adaptive fecn-adapt
    traffic-shape group : # *
    traffic-shape rate : #
    transport : input output preferred all none ssh telnet rlogin lapb-ta mop pad udptn v120
    trust : dscp cos device cisco-phone ip-precedence
    tunnel : # @ % mode gre ip ipip multipoint ipsec ipv4 ipv6 source destination path-mtu-discovery
        key! ttl tos bandwidth transmit receive checksum
    tunnel protection : ipsec profile!
    tx-limit : #
    tx-queue-limit : #
    tx-ring-limit : # receive
    type : {_SLA}
    icmp-echo : {_SLA}
    icmp-jitter : {_SLA}
    path-echo : {_SLA}
    path-jitter : {_SLA}
    udp-echo : {_SLA}
    udp-jitter : {_SLA}
    mpls : # ip label protocol ldp tdp mtu traffic-eng tunnels
    vc-class atm : *
    vc-class frame-relay : *
    vc-hold-queue : #
    verify-data :
    buckets-of-history-kept : #
    lives-of-history-kept : #
    samples-of-history-kept : #
    hours-of-statistics-kept : #
    distributions-of-statistics-kept : #
    statistics-distribution-interval : #
    version : #
    vlan : #
    voice-card : #
    vrf definition : *
    vrf forwarding : *
    vtp mode : transparent server client off
    width : #
    wrr-queue : # bandwidth cos-map queue-limit random-detect dscp-map min-threshold max-threshold
        threshold
    write-memory :
    xconnect : @ # encapsulation mpls l2tpv3
    zone-member security : *
"""

# The words of other commands that say what was removed.
HEADS: Final = """
    aaa accounting; aaa authentication; aaa authentication banner; aaa authentication fail-message;
    aaa authorization; aaa group server; aaa session-id; address-family ipv4; address-family ipv6;
    address-family vpnv4; app-hosting; archive; authentication; banner exec; banner incoming;
    banner login; banner motd; banner prompt-timeout; banner slip-ppp; boot config; call-home;
    certificate self-signed; certificate ca; certificate; cns config; cns event; cns id;
    cns password; crypto ca trustpoint; crypto ca certificate chain; crypto ikev2 keyring;
    crypto ipsec transform-set; crypto ipsec client ezvpn; crypto ipsec profile; crypto isakmp key;
    crypto isakmp policy; crypto isakmp profile; crypto isakmp client configuration group;
    crypto key; crypto keyring; crypto map; crypto dynamic-map; crypto pki certificate chain;
    crypto pki trustpoint; crypto pki server; cts credentials; dot1x credentials; dot11 ssid;
    dial-peer voice; diagnostic; eap profile; enable password; enable secret; enable view;
    event manager applet; event manager environment; event manager policy; flow monitor;
    flow exporter; flow record; ip dhcp pool; ip domain name; ip domain-name; ip ftp password;
    ip ftp username; ip host; ip http client; ip nhrp authentication; ip nhrp map;
    ip ospf authentication-key; ip ospf message-digest-key; ip rip authentication; ip scp;
    ip tacacs; ip tftp; ip wccp; isis password; kerberos srvtab entry; key chain; key-string;
    kron occurrence; kron policy-list; l2tp-class; l2tp tunnel password; ldap server; license smart;
    line-protocol; login authentication; login local; macro name; mab request; menu; monitor session;
    mpls ldp neighbor; mpls ldp password; ntp authentication-key; ntp server; ntp trusted-key;
    object-group network; object-group service; parameter-map type; ppp chap hostname;
    ppp chap password; ppp pap sent-username; pre-shared-key; privilege exec;
    pseudowire-class; radius server; radius-server host; radius-server key; rmon event;
    server-private; sip-ua; snmp-server community; snmp-server contact; snmp-server enable traps;
    snmp-server group; snmp-server host; snmp-server location; snmp-server user; snmp-server view;
    spanning-tree mst configuration; subscriber templating; tacacs server; tacacs-server host;
    tacacs-server key; template; time-range; track; username; voice service; voice register;
    vpdn-group; vrrp; wpa-psk; zone security; zone-pair security
"""
