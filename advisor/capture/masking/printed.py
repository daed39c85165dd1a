"""Decides which words and lines of a show output IOS printed itself, so that masking keeps them.

A line of an output that begins as no known row may hold text that a person typed, even a secret:
it is masked. The rows are in `printed.txt`, whose head explains the notation; the words are here.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from advisor.capture.masking.words import REMOVED, is_address, is_interface
from advisor.capture.outputs import OUTPUTS

# The words that IOS prints in the outputs that are read here, in lower case.
#
# A word of such an output that is not here, no number, address or interface, and no name where
# IOS prints names, may be something that a person typed.

_WORDS: Final = """
    100basetx 10basetx aa aaa aal aal1 aal5 aal5auto aal5mux aal5snap abnormal abort aborts
    above abr absent absolute absolutely ac accept access accompanying account accounting acct
    ack ackrcvd acksent action actions active adapt adapter adaptive adapts addon addr address
    addresses adds adjacency administratively administrator adsl advanced advantage
    adventerprise adventerprisek advipservices advipservicesk af afd after agent ager agg
    aggregate aggregated ago agree air alarm alarms alcatel all allocated alone along am
    ambiguous amcc ami amount an analog and another ansi answers any ap api applicable apps apr
    are args arp arpa arrival as assembly assistance associated asymmetric async at ata atm
    attached attempted aug authority authorization auto autocommand autonegotiation autonomous
    autoselect autostate available average avg aware b8zs babble babbles background backup bad
    bandwidth base basecx based basefx baselr baselx basesr basesx baset basetx batch bay bays
    bc bd bdi be becn been before begin behind best bgp bia bin bits biu block board boot
    bootflash bootldr bootstrap border both bound bp bps br brackets branch bri bridged bridging
    broadcast broadcasts broken bst buffer buffered buffers building bulk bundle burned burst
    bursty bus busies busy bw bx by byte bytes ca cable cache calculated california calls can
    cap capabilities capable capacity card carrier catalyst cbr cbwfq cc ccp cd cd2430 cdp cdpcp
    cdt cef cell cells cellular certain ces cest change channel channels chassis check checking
    checksumming child chip chunk cir circuit circuits cisco ckt ckt_established ckts class
    classes clause clearing client clock clockrate clocks cloned closed clp cluster code codec
    cold coll collected collection collector collision collisions color column columns com comes
    command commands comments compactflash compiled completed completion compliance comply
    components compress compressed compression computer condition conf config configuration
    configured conform conformed congested congestion connect connected connection connections
    constant cont contact contains continue contr control controller controllers conversation
    conversations copies copp copper copyright core cos cost count count1 count2 counter
    counters country counts cps cpu crash crashinfo crc crc16 crc32 crc4 crcerrors creation
    critical crypto cryptographic cryptography cs csma csr cst ct cts current custom cw dac data
    date daughterboard day day0 days dbus dc dcd dce dci de deactivation deadt dec decap default
    defaults deferred defined degraded delay delayed delivery deny deployment depth description
    descriptor destination detail details detect detected detection determined development
    device dfars dhcp dhcpd diagnostics diags dial dialer dials did digital direction directions
    disabled discard discard2 discards disclosure disconn disconnect discs disk distribute
    distributions distributors dlc dlci dlsw dly dna dns document documentation does domain down
    dram dribble dribbles drive driver drop dropped drops ds ds0 dsap dscp dscp2discard dscp2tc
    dslsar dsr dte dtr due duplex duplication dynamic e1 each earl early echo echopriority ecn
    ed edge edt ef efficiency effort efm efp eigrp email embedded enabled encap encaps
    encapsulation encryption end engine engineering enq enqueued enterprise entity entries entry
    erp err errata19 errdisable error errored errors esf esp essentials est established
    etherchannel ethernet etype eval evaluation even event ex exceed exceeded exception excess
    excl exclusive exec exg exp expected experimental expired explicit explorers exponent
    exponential export exporters extended external fa factor failed failure failures fair false
    family fan far fast fastethernet fc fcs fdl fdo feature features feb fec fecn ffca fib fiber
    fifo file five flag flags flash flat flow flowdrops flushes flyer fn follows for force
    forced forever form forth forty forward forwarded found four fpc fpd fr fragmentation
    fragments frame frames framing frde free frequency frf11 frf12 frf9 fri friday frmr frmrs
    from front fsa fst ftx fuji full further fx g703 g704 g711alaw g711ulaw g729 g729a g826 gb
    gbe gbic gbit gbps ge general giants gigabit gigabitethernet global gmt gnu governing
    government gpl granted gre group gsm gsmr gt guaranteed guide half hang hard harddisk
    hardware has hashed hc hd hd64570 hdb3 hdlc head header heap heaps hello help high history
    hit hold holding holdq holds hostname hour hours hpr hqf hrpc hspa hssi html http https
    hundred hwidb hyper ibm icanreach icmp icmpjitter icmpv6 icpif id idb idle ids ieee ietf if
    iframes ifs igbe igmp ignored ik ilmi ima image ime immediately impairment impl
    implementation imply import importers imposition in inactive inais inarp inas inband inbound
    inbytes inc include includes incoming incomplete increment index inendloop infast info
    information infrastructure inherit init initialisation initialization inner inpktdrops
    inpkts inproc input inrdi insegloop inserted inside inspect install installation installed
    instance int inter interarrival interface interfaces interim interleaves internal
    internalerror internet internetwork interrupt interval interw invalid inverted invoked io
    ios iosd iosxe ip ipbase ipcp ipservices ipsla ipslas ipspace ipv ipv4 ipv6 is isdn isis isl
    isp isr it iterators its itu jad jan jitter jitterin jitterout jobs jose js jsv jul jun junk
    kb kbit kbps keepalive keeps kept key kickin kilobits kind kk known kpma l2 labels lacp lan
    lapb lapf largest last late latency latest laws layout lcp left legend length level levels
    lf lh license licensed licensing life limit limited limits line lines linestate link
    linktype linux list listen listening lists live llc llc2 lldp llq lmi load loader loc local
    localsoft log logger logical loop loopback looped loss lost low lower lowest lsap lsmpi ltd
    lte lx mac main major managed management manager manifest map mar mark marked marker master
    match matched max maximum maxof maxoficpif maxofmos maxofnegativesds maxofnegativessd
    maxofpositivesds maxofpositivessd may mb mbit mbits mbps mcast mcpre mdt mean media medium
    member members memory meter mfib mg mgr mhz mib microburst microseconds mid midplane
    milliseconds min minimum minof minoficpif minofmos minofnegativesds minofnegativessd
    minofpositivesds minofpositivessd minor mins minute minutes mips mmcr mode model modem modes
    modification modify modular module modulo mon monitor monitoring month months more mos
    motherboard mounted mpc mpc860 mpcr mpls mplscp mpsc mrib ms msec msg msk mst mtu multi
    multicast multicasts multigigabit multilink mux mv mv96340 mz name namecache named names nat
    native nbar nbf nd negatives negativesds negativessd negotiated neighbor neighbors net netbios
    netflow netops network networking never next nlpid nm nn no noconnection non none
    nonegotiate normal not notconnect notice notification nov npe nrm nrt ntp num number
    numof numofjittersamples numofnegativesds numofnegativessd numofow numofpositivesds
    numofpositivessd numofrtt nvram
    oam occurred oct octeon octets of off offered ok old on one only oob op open operating
    operation operational operations operator opinion or osicp ospf other otherwise oui out
    outage outas outbound outbytes outcome outendloop outer outfast outgoing outpktdrops outpkts
    outproc output outputq outputs outrdi outsegloop over overhead overrun overruns
    oversizedsdus ow owavg owmax owmaxds owmaxsd owmin owminds owminsd owner owsum owsum2
    owsum2ds owsum2sd owsumds owsumsd pa pacing package packages packet packetlatearrival
    packetlossds packetlosssd packetmia packetoutofsequence packets packing pager pagp pair
    panel parameter parent parity part partial particles parts party path pause pc pcep pci pdt
    peak peakrate peer peers pending per percent percentage period periodic periods permanent
    permit permitted perpetual phys physical physically pid pim pir pkt pkts plane planning
    platform please point points pol police policed policer policies policing policy poll pool
    port ports pos positives positivesds positivessd power poweron powerpc powerquicc ppp pppo
    pps pre prec precedence premier present prevent pri primary priority privilege prob
    probability probablity proc process processed processes processing processor prod product
    products prom prompt prot protocol provided proxy ps pseudowire pseudowires psmr pst ptm
    public pulsed punt put pvc q933a qlimit qllc qos queue queued queueing queues queuing quicc
    r4700 r5000 r527x radio radios radius radix ram random rate rates ratio rbase rc rcvd rd rdr
    reachability reachable read ready realtime reason reboot rebooted rebuild recalled receive
    received receiving recvd red redistribute redundancy reference register registered registers
    registration regulations rejs rel relay release reliability reliable reload rely remaining
    remote removable repeat repeated reqsent request require requiring reserved reset resets
    responder response responsible restart restarted restarts restricted restrictions
    retransmissions retries retry return returned retx rev revision rfcr rfoc rib rif rights
    rimr ring rip rir risr rj rmd rnrs role rom rommon round route router routing rows rp rpilr
    rpm rs232 rsp rsp4 rsvp rt rtp rtr rts rtt rttavg rttmax rttmin rttsum rttsum2 ru run
    running runtime runts rx rxboot rxbw rxload rxtr s saa saal sabm same samples san saps
    sartimeouts sat sata saved sb sc scale scan scanner scavenger scc score scores scramble sd
    sdlc sdma sdwan se searching sec second secondary seconds secs sector security see seed seen
    segment segmentation select send sending sent sep seq sequence sequenced sequencing serial
    series server service services session sessions set severely sf sfp sfp+ sh shadow shape
    shaper shaping shared shdsl sho shop show shown shutdown signal signaling signalling since
    single sip size sizes skipped sla slas slave slip slot slots slotted slow smart snap
    snapshot snmp software sorted source spa specific speed spoofing sr src srp srv ss sscop ssh
    stack stamp standby start started stat state states station statistics stats status stopped
    stqrg strategy strength strict string structure sts sub subblock subblocks subcommands subif
    subject subparagraph subscription subslot successes successful such suite sum sum2
    sum2negativesds sum2negativessd sum2positivesds sum2positivessd summary sumof
    sumofnegativesds sumofnegativessd sumofpositivesds sumofpositivessd sun supervisor supp
    supply support supported suspended sustain svc svi svl sw swapped swidb switch switched
    switches sx sync synchronous system systems t1 table tables tabs tacacs+ tail take taken
    target task tasman tcp tcpqueue team technical technology techsupport telnet templates ten
    tengigabit tengigabitethernet terminal terms test tests text that the them third this three
    thresh threshold thresholds throttle throttles throughput thu time timeout timer timers
    timeslot timestamp titles tm tmd to token tokenring tool top topmost topology tos total
    totals tr track tracking traffic traffic-class train transaction transceiver transfer
    transit transitions translating transmit transmitted transmitter transport traps tray trip
    ts tt ttl tty tue tunnel tunneling tunnels twentyfive two tx txload txringlimit type ubr uc
    ucast ucep ucode udp uinfo un unable unack unassigned unavail unavailable unconfirm
    unconfirmed under underruns uni unicast unit united units universal universalk universalk9
    unknown unnumbered unprocessed unrecognized unregistered unspecified unsupported up upd
    updated uplink uptime url urls us usa use usec usecs used user users using utc utf
    utilization uut vaccess valid values vbr vc vccs vcd vci vcmode vcs vdsl vendor ver verify
    version versions via video violate violated violations vip virtual virtual-template vlan
    vmac vnic voice voip volatile vp vpi vpn vrf vtemplate vxr wait wan wan_busy warm warranty
    was watchdog watchdogs way web webui wed week weeks weight weighted weights west wfq what
    whose wic wide wider wifi will window windowsize wireless with within without words worker
    wred write writer wwl www x25 xa xd xdr xe xfp xid xoff xon xos xr year years yes yet you yr
    zone zx
"""
# Lines about neighbors, hardware, bundles and fragments.
_WORDS_OF_LINKS: Final = """
    c10k disc discarded discriminator endpoint expected_seq_num frag fragment holdtime interleaving
    inventory links outgoing reassembly reordered send_seq_num sn vid vofr
"""
# Of `Match: protocol`, `compress:` and counters that are not read.
_WORDS_OF_CLASSES: Final = """
    acc adapts audio bcast bittorrent changed cifs citrix cuseeme directconnect edonkey exchange
    fasttrack finger ftp gnutella gopher h323 ihq imap improvement iqd irc kazaa2 kerberos l2tp
    ldap lockd mgcp mincir miss misses msgs napster nfs nntp notes novadigm ohq oqd payload
    pcanywhere pop3 pptp printer rsync rtcp rtsp rtspplayer rxbs rxps sccp skinny skype smtp
    socks sqlnet sqlserver streamwork sunrpc syslog tftp threshold1 threshold2 threshold3 trtl
    txbs txps usage vdolive video winmx xwindows
"""
_ROWS_OF_RECORDS: Final = tuple(row for output in OUTPUTS for row in output.prints)
OUTPUT_WORDS: Final = frozenset((
    *_WORDS.split(),
    *_WORDS_OF_LINKS.split(),
    *_WORDS_OF_CLASSES.split(),
    *(word.lower() for row in _ROWS_OF_RECORDS for word in re.findall(r"\w+", row)),
))  # fmt: skip


# Which lines begin as IOS begins the lines of the outputs that are read here.

_FILE: Final = Path(__file__).with_name("printed.txt")
_LONGEST_LINE: Final = 1024  # IOS prints none that is longer
_LONGEST_ROW: Final = 6
_END: Final = "$"
_EDGES: Final = "(),:;"
_NUMBER: Final = re.compile(
    r"[*.(\[]?(?:0x[0-9A-Fa-f]{1,8}|-?[0-9A-F]?\d[\d./:,()%*-]{0,60}[a-zA-Z%]{0,5})[)\],:]{0,2}",
    re.ASCII,
)


_SHORT_NUMBER: Final = re.compile(r"\(?\d{1,2}\)?|\d{1,9}/\d{1,9}", re.ASCII)


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


def _is_interface(word: str) -> bool:
    bare = word.strip(_EDGES)
    return any(char.isdigit() for char in bare) and is_interface(bare)


def _is_address(word: str) -> bool:
    return is_address(word.partition("(")[0].strip(_EDGES))


_SHAPES: Final[Mapping[str, Callable[[str], bool]]] = {
    "#": _is_number,
    "%": _is_interface,
    "@": _is_address,
    "&": lambda word: _SHORT_NUMBER.fullmatch(word) is not None,  # the rest of a wrapped line
    "?": bool,
}


class _MaskNode(Struct):
    """A node of the trie of rows: the possible next words; `is_end`: a row ends here."""

    words: dict[str, "_MaskNode"] = field(default_factory=dict)
    starts: dict[str, "_MaskNode"] = field(default_factory=dict)
    shapes: dict[str, "_MaskNode"] = field(default_factory=dict)
    is_end: bool = False

    @property
    def below(self) -> Iterator["_MaskNode"]:
        """Yield all children: a masked word may have been any of them."""
        for then in (self.words, self.starts, self.shapes):
            yield from then.values()


@lru_cache(maxsize=8192)
def is_printed(line: str) -> bool:
    """Say whether a line, as a terminal shows it, begins with a known row of an output.

    Examples
    --------
    >>> is_printed("  5 minute input rate 12000 bits/sec"), is_printed("ena sec 0 84736251")
    (True, False)
    """
    if len(line) > _LONGEST_LINE:
        return False
    words = line.split(None, _LONGEST_ROW)[:_LONGEST_ROW]
    return words[:1] != [REMOVED] and _runs(_rows(), words)


def _runs(node: _MaskNode, words: Sequence[str]) -> bool:
    if node.is_end:
        return True
    if not words:
        return _END in node.words
    word, rest = words[0], words[1:]
    exact = node.words.get(word)
    return (
        (exact is not None and _runs(exact, rest))
        or any(word.startswith(start) and _runs(then, rest) for start, then in node.starts.items())
        or any(_SHAPES[shape](word) and _runs(then, rest) for shape, then in node.shapes.items())
        or (word.strip(_EDGES) == REMOVED and any(_runs(then, rest) for then in node.below))
    )


@cache
def _rows() -> _MaskNode:
    root = _MaskNode()
    for row in (*_FILE.read_text("utf-8").splitlines(), *_ROWS_OF_RECORDS):
        if row and not row.startswith(";;"):
            _plant(root, row.split()[:_LONGEST_ROW])
    return root


def _plant(node: _MaskNode, words: Sequence[str]) -> None:
    if not words:
        node.is_end = True
        return
    for word in words[0].split("|"):
        then = node.shapes if word in _SHAPES else node.words
        start = word
        if word not in _SHAPES and len(word) > 1 and word.endswith("*"):
            then, start = node.starts, word[:-1]
        _plant(then.setdefault(start, _MaskNode()), words[1:])
