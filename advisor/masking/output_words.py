"""The words that IOS prints in the outputs that are read here, in lower case.

A word of such an output that is not here, no number, address or interface, and no name where IOS
prints names, may be something that a person typed.
"""

from typing import Final

_WORDS: Final = """
    1000baselx 1000basesx 1000baset 100basefx 100basetx 10baset 1min 5min 5sec aa aaa aal aal1
    aal5 aal5auto aal5mux aal5snap abnormal abort aborts abr absent ac access account acct ack
    ackrcvd acksent action actions active adapt adapter adaptive adapts addr address addresses
    adds adjacency administratively administrator adsl advanced adventerprise adventerprisek
    advipservices advipservicesk af after agent ager agg aggregate aggregated ago agree alarms
    alcatel all allocated alone am ambiguous amcc ami an analog and another ansi answers any api
    applicable apps apr are args arp arpa arrival as assistance async at ata atm attempted aug
    authority authorization auto autocommand autonegotiation available average avg b8zs babbles
    background backup bad bandwidth base based basetx bc bd be becn been before behind best bgp
    bia bin bits biu block board boot bootflash bootstrap border both bound bps br brackets
    branch bri bridging broadcast broadcasts broken bst buffer buffered buffers building bulk
    bundle burst bursty bus busies busy bw bx by byte bytes ca cable cache calculated cap
    capabilities capable card carrier cbr cbwfq ccp cd cd2430 cdp cdpcp cdt cef cell cells
    cellular cest change channel chassis check checking checksumming child chip chunk cir
    circuit circuits cisco ckt ckt_established ckts class classes clearing clock clockrate
    clocks closed clp cluster code codec cold coll collected collection collector collision
    collisions column columns com command commands comments compactflash compiled compliance
    comply condition conf config configuration configured conform conformed congested congestion
    connect connected connection connections constant cont contact contains contr control
    controller controllers conversation conversations copp copper copyright core cos cost count
    count1 count2 counter counters country counts cpu crash crc crc16 crc32 crc4 crcerrors
    critical crypto cryptographic cs csma cst cts current custom cw dac data day days dcd dce
    deactivation dec default deferred defined degraded delayed delivery deployment depth
    description descriptor destination detail detect detected detection development dhcp dhcpd
    dialer did digital direction directions disabled discard discards disconn disconnect disk
    distribute distributions distributors dlc dlci dlsw dly dns document does domain down dram
    dribble driver drop dropped drops ds dsap dscp dslsar dsr dte dtr due duplex dynamic e1 earl
    early echo echopriority ecn edge edt ef effort eigrp email embedded enabled encaps
    encapsulation encryption end engine enq enterprise entity entries entry erp err errata19
    error errored errors esf esp est established ethernet etype evaluation even event ex exceed
    exceeded exception excess excl exclusive exec exg exp expected explicit exponential export
    exporters extended external factor failed failures fair false fast fastethernet fc fdo
    feature features feb fecn ffca fib fiber fifo file five flag flags flash flat flow flowdrops
    flushes fn for force forced forever form forty forward forwarded found four fpc fr frame
    frames framing frde free frequency frf11 frf12 frf9 fri friday fst ftx fuji full further fx
    g703 g704 g711alaw g711ulaw g729 g729a g826 gb gbit gbps ge general giants gigabit
    gigabitethernet global gmt governing granted gre group gsm gsmr gt half hang hardware has
    hashed hc hd hd64570 hdb3 hdlc head heap heaps hello help high history holding holdq
    hostname hour hours hpr hqf hspa hssi html http https hundred hwidb hyper ibm icanreach icmp
    icmpjitter icpif id idb idle ids ieee ietf if ifs ignored ik ilmi image immediately
    impairment impl implementation imply import importers in inactive inais inarp inas inbytes
    inc include incomplete increment index inendloop infast info init initialisation
    initialization inpktdrops inpkts inproc input inrdi insegloop inserted inside int inter
    interarrival interface interfaces interleaves internal internalerror internet internetwork
    interrupt interval invalid invoked io ios iosd ip ipbase ipcp ipservices ipsla ipslas
    ipspace is isdn isis isp isr it its itu jad jan jitter jitterin jitterout jobs js jsv jul
    jun junk kb kbit kbps keepalive keeps kept key kilobits known kpma lan lapf largest last
    late latency latest laws layout lcp left length level levels lf lh license life limit
    limited limits line lines link linktype linux list listening live llc lldp llq lmi load
    loader loc local log loop loopback looped loss lost low lower lowest lsap ltd lte lx mac
    main managed management manager map mar mark marked marker master match matched max maximum
    maxoficpif maxofmos maxofnegativesds maxofnegativessd maxofpositivesds maxofpositivessd may
    mb mbit mbits mbps mdt mean media medium member memory meter mgr mhz microseconds midplane
    milliseconds min minimum minoficpif minofmos minofnegativesds minofnegativessd
    minofpositivesds minofpositivessd mins minute minutes mips mmcr mode modem modification
    module mon monitor monitoring more mos mpc mpc860 mpcr mplscp mpsc ms msec msg msk mst mtu
    multicast multicasts multilink mux mv mv96340 mz name namecache named names nat native nbar
    nbf negativesds negativessd net netbios netflow netops network networking never next nm no
    noconnection non none normal not notification nov npe nrt ntp num number numofjittersamples
    numofnegativesds numofnegativessd numofow numofpositivesds numofpositivessd numofrtt nvram
    oam occurred oct octeon of off offered ok on one op open operating operation operational
    operations operator opinion or osicp ospf other otherwise oui out outas outbytes outendloop
    outfast outpktdrops outpkts outproc output outputq outputs outrdi outsegloop over overhead
    overrun oversizedsdus owmaxds owmaxsd owminds owminsd owsum owsum2 owsum2ds owsum2sd owsumds
    owsumsd pa pacing package packages packet packetlatearrival packetlossds packetlosssd
    packetmia packetoutofsequence packets pager parameter parent parity part particles parts
    party path pause pc pcep pdt peak peakrate peer peers pending per percent percentage period
    periodic periods permanent permitted physical pid pir pkts plane planning platform please
    point pol police policed policer policies policing policy pool port ports pos positivesds
    positivessd power powerpc powerquicc ppp pre prec precedence present prevent pri primary
    priority privilege prob probability probablity proc process processed processes processor
    prod product prom prompt prot protocol psmr pst public pulsed pvc q933a qos queue queued
    queueing queues queuing quicc r4700 r5000 r527x radio radius radix ram random rate rates
    ratio rbase rdr reachability reachable realtime reason reboot rebooted recalled receive
    received receiving recvd red redundancy reference register registers regulations rel relay
    release reliability reliable reload rely remaining remote repeat repeated reqsent require
    reserved reset resets responder responsible restarted restarts retry return returned rev
    revision rfcr rfoc rif ring rip rir risr rj rmd rom rommon round router routing rows rp
    rpilr rpm rs232 rsp rsp4 rsvp rtp rtr rts rtt rttavg rttmax rttmin rttsum rttsum2 ru run
    running runtime runts rx rxboot rxload rxtr s saa saal same samples saps sartimeouts sat sb
    sc scan scanner scavenger scc score scores sd sdlc sdma se searching sec second secondary
    seconds secs security seed seen segment send sending sent sep seq sequence sequencing serial
    server service services session sessions set severely sf sfp sfp+ sh shadow shape shaper
    shaping shared show shutdown signal signaling signalling since sip size skipped sla slas
    slave slip slot snap snapshot snmp software sorted source spa specific srv ssh standby start
    stat state states statistics stats status stopped stqrg strategy strength strict string
    structure sts sub subcommands subif subject successes successful sum sum2 sum2negativesds
    sum2negativessd sum2positivesds sum2positivessd summary sumofnegativesds sumofnegativessd
    sumofpositivesds sumofpositivessd sun supp support supported sustain svc swapped swidb
    switched sx sync synchronous system systems t1 table tabs tacacs+ tail take target task tcp
    team technical technology techsupport telnet ten terminal terms test text that the them
    third this three thresh threshold thresholds throttles thu time timeout timer timers
    timestamp titles tm tmd to tokenring tool tos total totals traffic train transceiver
    transfer transitions translating transmit transmitted transport traps trip ttl tty tue
    tunnel tunneling two tx txload txringlimit type ubr uc ucep ucode udp uinfo unable unavail
    unavailable under underruns unicast united units universal universalk unknown unprocessed
    unrecognized unsupported up upd uplink uptime us use usec usecs used user users using utc
    utilization valid values vbr vc vccs vcd vci vcmode vcs vendor ver verify version via video
    violate violated violations vip virtual vlan vmac voice voip volatile vp vpi vpn vrf
    vtemplate vxr wan wan_busy warm was watchdog way web wed week weeks weight weighted wfq what
    whose wic wide wider wifi window wireless with within without words worker wred wwl www x25
    xa xd xe xfp xid xos year yes yet you zx
"""
OUTPUT_WORDS: Final = frozenset(_WORDS.split())
