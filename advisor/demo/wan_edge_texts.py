"""The show outputs of the demo router as IOS 12.4T prints them, with figures put in."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import fmean
from typing import Final

from msgspec import Struct

from advisor.demo.wan_link import Probe

CLASSES: Final = ("VOICE", "SIGNALING", "ORDERS", "class-default")
ROWS: Final = ("af21", "af22")
VOICE_PROBE: Final = """\
ip sla 20
 udp-jitter 172.16.7.1 16384
 request-data-size 32
 tos 184
 frequency 10
ip sla schedule 20 life forever start-time now
"""
_LEAST_LOAD, _FULL_LOAD = 1, 255
_MINUTE_S, _HOUR_S = 60, 3600


class ClassState(Struct, frozen=True):
    """Counters of a class; bytes with the layer 2 that IOS counts."""

    packets: int
    bytes: int
    rate_bps: int
    drop_rate_bps: int
    queued_packets: int
    queued_bytes: int
    dropped_packets: int
    dropped_bytes: int
    waiting: int
    mean_depth: int


class RowState(Struct, frozen=True):
    """`packets/bytes` of a row of WRED."""

    name: str
    transmitted: str
    at_random: str
    tail: str


class PortState(Struct, frozen=True):
    """Counters of a port in both directions."""

    in_packets: int
    in_bytes: int
    in_bps: int
    in_packets_per_s: int
    out_packets: int
    out_bytes: int
    out_bps: int
    out_packets_per_s: int
    waiting: int = 0
    drops: int = 0


class PrintedSpread(Struct, frozen=True):
    """Whole ms, as IP SLA prints them."""

    count: int
    text: str

    @classmethod
    def of(cls, times_ms: Sequence[float]) -> "PrintedSpread":
        """Minimum, mean and maximum of times."""
        figures = (min(times_ms), fmean(times_ms), max(times_ms)) if times_ms else (0.0, 0.0, 0.0)
        return cls(len(times_ms), "/".join(str(round(figure)) for figure in figures))


class ProbeFigures(Struct, frozen=True):
    """Round trips, and the variation of consecutive delays on the way there and back."""

    trips: PrintedSpread
    there: PrintedSpread
    back: PrintedSpread


def clock_text(at: datetime) -> str:
    """`14:20:02.851 UTC Fri Apr 18 2008`."""
    return f"{at:%H:%M:%S}.{at.microsecond // 1000:03} UTC {at:%a %b} {at.day} {at:%Y}"


def version(name: str, uptime: timedelta) -> str:
    """`show version`."""
    weeks, days = divmod(uptime.days, 7)
    hours, rest_s = divmod(uptime.seconds, _HOUR_S)
    parts = ((weeks, "week"), (days, "day"), (hours, "hour"), (rest_s // _MINUTE_S, "minute"))
    words = ", ".join(f"{count} {unit}{'s' * (count != 1)}" for count, unit in parts if count)
    return f"""\
Cisco IOS Software, 2800 Software (C2800NM-ADVENTERPRISEK9-M), Version 12.4(15)T9, \
RELEASE SOFTWARE (fc5)
Technical Support: http://www.cisco.com/techsupport
Copyright (c) 1986-2009 by Cisco Systems, Inc.
Compiled Tue 28-Apr-09 11:59 by prod_rel_team

ROM: System Bootstrap, Version 12.4(13r)T, RELEASE SOFTWARE (fc1)

{name} uptime is {words}
System returned to ROM by power-on
System image file is "flash:c2800nm-adventerprisek9-mz.124-15.T9.bin"

Cisco 2811 (revision 53.51) with 251904K/10240K bytes of memory.
Processor board ID FTX1000A0AA
2 FastEthernet interfaces
2 Serial(sync/async) interfaces
DRAM configuration is 64 bits wide with parity enabled.
239K bytes of non-volatile configuration memory.

Configuration register is 0x2102
"""


def cpu(five_seconds: float, minute: float, five_minutes: float, idle: float) -> str:
    """`show processes cpu`: interrupts, and what the processes take beside them."""
    total = [round(load + idle) for load in (five_seconds, minute, five_minutes)]
    return f"""\
CPU utilization for five seconds: {total[0]}%/{round(five_seconds)}%; one minute: {total[1]}%; \
five minutes: {total[2]}%
 PID Runtime(ms)     Invoked      uSecs   5Sec   1Min   5Min TTY Process
   1           4         151         26  0.00%  0.00%  0.00%   0 Chunk Manager
  64       41152      602110         68  1.12%  1.10%  1.11%   0 IP Input
 108        6204      210044         29  0.32%  0.31%  0.30%   0 IP SLAs XOS Event
"""


def _load(rate_bps: int, rate_kbps: float) -> str:
    share = round(rate_bps / 1000 / rate_kbps * _FULL_LOAD)
    return f"{min(max(share, _LEAST_LOAD), _FULL_LOAD)}/{_FULL_LOAD}"


def _since(age_s: int) -> str:
    hours, rest_s = divmod(age_s, _HOUR_S)
    return f"{hours:02}:{rest_s // _MINUTE_S:02}:{rest_s % _MINUTE_S:02}"


def interfaces(lan: PortState, wan: PortState, age_s: int, rate_kbps: float) -> str:
    """`show interfaces`."""
    return f"""\
FastEthernet0/0 is up, line protocol is up
  Hardware is MV96340 Ethernet, address is 0000.5e00.5307 (bia 0000.5e00.5307)
  Description: LAN with phones
  Internet address is 10.7.1.1/24
  MTU 1500 bytes, BW 100000 Kbit, DLY 100 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  Encapsulation ARPA, loopback not set
  Keepalive set (10 sec)
  Full-duplex, 100Mb/s, 100BaseTX/FX
  ARP type: ARPA, ARP Timeout 04:00:00
  Last input 00:00:00, output 00:00:00, output hang never
  Last clearing of "show interface" counters {_since(age_s)}
  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: 0
  Queueing strategy: fifo
  Output queue: 0/40 (size/max)
  5 minute input rate {lan.in_bps} bits/sec, {lan.in_packets_per_s} packets/sec
  5 minute output rate {lan.out_bps} bits/sec, {lan.out_packets_per_s} packets/sec
     {lan.in_packets} packets input, {lan.in_bytes} bytes
     Received 70 broadcasts, 0 runts, 0 giants, 0 throttles
     0 input errors, 0 CRC, 0 frame, 0 overrun, 0 ignored
     0 watchdog
     0 input packets with dribble condition detected
     {lan.out_packets} packets output, {lan.out_bytes} bytes, 0 underruns
     0 output errors, 0 collisions, 1 interface resets
     0 babbles, 0 late collision, 0 deferred
     0 lost carrier, 0 no carrier
     0 output buffer failures, 0 output buffers swapped out
Serial0/0/0 is up, line protocol is up
  Hardware is GT96K Serial
  Description: 512 kb/s to the head office
  Internet address is 172.16.7.2/30
  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,
     reliability 255/255, txload {_load(wan.out_bps, rate_kbps)}, \
rxload {_load(wan.in_bps, rate_kbps)}
  Encapsulation PPP, LCP Open
  Open: IPCP, CDPCP, loopback not set
  Keepalive set (10 sec)
  Last input 00:00:00, output 00:00:00, output hang never
  Last clearing of "show interface" counters {_since(age_s)}
  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: {wan.drops}
  Queueing strategy: Class-based queueing
  Output queue: {wan.waiting}/1000/64/{wan.drops} (size/max total/threshold/drops)
     Conversations  {min(wan.waiting, 3)}/9/128 (active/max active/max total)
     Reserved Conversations 2/2 (allocated/max allocated)
     Available Bandwidth 112 kilobits/sec
  30 second input rate {wan.in_bps} bits/sec, {wan.in_packets_per_s} packets/sec
  30 second output rate {wan.out_bps} bits/sec, {wan.out_packets_per_s} packets/sec
     {wan.in_packets} packets input, {wan.in_bytes} bytes, 0 no buffer
     Received 0 broadcasts, 0 runts, 0 giants, 0 throttles
     0 input errors, 0 CRC, 0 frame, 0 overrun, 0 ignored, 0 abort
     {wan.out_packets} packets output, {wan.out_bytes} bytes, 0 underruns
     0 output errors, 0 collisions, 1 interface resets
     0 output buffer failures, 0 output buffers swapped out
     0 carrier transitions
     DCD=up  DSR=up  DTR=up  RTS=up  CTS=up
"""


def policy(classes: Sequence[ClassState], rows: Sequence[RowState]) -> str:
    """`show policy-map interface`."""
    voice, signaling, orders, default = classes
    return f"""\
 Serial0/0/0

  Service-policy output: WAN-EDGE

    Class-map: VOICE (match-any)
{_counts(voice, "Match: ip dscp ef (46)")}
      Queueing
        Strict Priority
        Output Queue: Conversation 136
        Bandwidth 128 (kbps) Burst 3200 (Bytes)
        (pkts matched/bytes matched) {voice.queued_packets}/{voice.queued_bytes}
        (total drops/bytes drops) {voice.dropped_packets}/{voice.dropped_bytes}

    Class-map: SIGNALING (match-any)
{_counts(signaling, "Match: ip dscp cs3 (24)")}
      Queueing
        Output Queue: Conversation 137
        Bandwidth 16 (kbps) Max Threshold 64 (packets)
        (pkts matched/bytes matched) {signaling.queued_packets}/{signaling.queued_bytes}
        (depth/total drops/no-buffer drops) {signaling.waiting}/{signaling.dropped_packets}/0

    Class-map: ORDERS (match-any)
{_counts(orders, "Match: ip dscp af21 (18) af22 (20)")}
      Queueing
        Output Queue: Conversation 138
        Bandwidth 128 (kbps)
        (pkts matched/bytes matched) {orders.queued_packets}/{orders.queued_bytes}
        (depth/total drops/no-buffer drops) {orders.waiting}/{orders.dropped_packets}/0
         exponential weight: 9
         mean queue depth: {orders.mean_depth}

      dscp    Transmitted      Random drop      Tail drop    Minimum Maximum  Mark
              pkts/bytes       pkts/bytes       pkts/bytes    thresh  thresh  prob
{"".join(map(_row, rows))}
    Class-map: class-default (match-any)
      {default.packets} packets, {default.bytes} bytes
      30 second offered rate {default.rate_bps} bps, drop rate {default.drop_rate_bps} bps
      Match: any
      Queueing
        Flow Based Fair Queueing
        Maximum Number of Hashed Queues 128
        (total queued/total drops/no-buffer drops) {default.waiting}/{default.dropped_packets}/0
"""


def _counts(state: ClassState, match: str) -> str:
    return f"""\
      {state.packets} packets, {state.bytes} bytes
      30 second offered rate {state.rate_bps} bps, drop rate {state.drop_rate_bps} bps
      {match}
        {state.packets} packets, {state.bytes} bytes
        30 second rate {state.rate_bps} bps"""


def _row(row: RowState) -> str:
    columns = f"{row.transmitted:<16} {row.at_random:<16} {row.tail:<14}"
    return f"      {row.name}  {columns}  30      40  1/10\n"


LATEST: Final = "IPSLAs Latest Operation Statistics\n\n"


def latest(probe: Probe, figures: ProbeFigures, start: datetime, runs: int) -> str:
    """The part of `show ip sla statistics` of one operation."""
    trips, there, back = figures.trips, figures.there, figures.back
    return f"""\
IPSLA operation id: {probe.number}
Type of operation: {probe.operation}
        Latest RTT: {trips.text.split("/")[1]} milliseconds
Latest operation start time: {clock_text(start)}
Latest operation return code: OK
RTT Values:
        Number Of RTT: {trips.count}               RTT Min/Avg/Max: {trips.text} milliseconds
Latency one-way time:
        Number of Latency one-way Samples: 0
        Source to Destination Latency one way Min/Avg/Max: 0/0/0 milliseconds
        Destination to Source Latency one way Min/Avg/Max: 0/0/0 milliseconds
Jitter Time:
        Number of SD Jitter Samples: {there.count}
        Number of DS Jitter Samples: {back.count}
        Source to Destination Jitter Min/Avg/Max: {there.text} milliseconds
        Destination to Source Jitter Min/Avg/Max: {back.text} milliseconds
{_PACKETS[probe.operation]}Number of successes: {runs}
Number of failures: 0
Operation time to live: Forever
"""


_PACKETS: Final = {
    "icmp-jitter": """\
Packet Late Arrival: 0
Out Of Sequence: 0
        Source to Destination: 0        Destination to Source 0
        In both Directions: 0
Packet Skipped: 0
Packet Unprocessed: 0
Packet Loss: 0
        Loss Periods Number: 0
        Loss Period Length Min/Max: 0/0
        Inter Loss Period Length Min/Max: 0/0
""",
    "udp-jitter": """\
Packet Loss Values:
        Loss Source to Destination: 0           Loss Destination to Source: 0
        Out Of Sequence: 0      Tail Drop: 0
        Packet Late Arrival: 0  Packet Skipped: 0
""",
}


def hour(probe: Probe, figures: ProbeFigures, start: datetime) -> str:
    """The part of `show ip sla statistics aggregated` of one operation."""
    trips, there, back = figures.trips, figures.there, figures.back
    return f"""\

Round Trip Time (RTT) for       Index {probe.number}
Start Time Index: {clock_text(start)}
Type of operation: {"icmpJitter" if probe.operation == "icmp-jitter" else "udp-jitter"}
RTT Values:
        Number Of RTT: {trips.count}             RTT Min/Avg/Max: {trips.text}
Latency one-way time:
        Number of Latency one-way Samples: 0
        Source to Destination Latency one way Min/Avg/Max: 0/0/0
        Destination to Source Latency one way Min/Avg/Max: 0/0/0
Jitter Time:
        Number of Jitter Samples: {there.count}
        Source to Destination Jitter Min/Avg/Max: {there.text}
        Destination to Source Jitter Min/Avg/Max: {back.text}
"""
