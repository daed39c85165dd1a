"""A log of one branch router, composed: its configuration, and three outputs."""

from typing import Final

CONFIG: Final = """\
Building configuration...

Current configuration : 501 bytes
!
version 12.4
!
hostname kiel-1
!
class-map match-any CALLS
 match ip dscp ef
!
policy-map UPLINK
 class CALLS
  priority 96
 class class-default
  fair-queue
!
interface Loopback0
 ip address 198.51.100.9 255.255.255.255
!
interface Serial0/1/0
 bandwidth 384
 ip address 203.0.113.9 255.255.255.252
 encapsulation ppp
 tx-ring-limit 12
 service-policy output UPLINK
!
end
"""
POLICY: Final = """\
 Serial0/1/0

  Service-policy output: UPLINK

    Class-map: CALLS (match-any)
      9120 packets, 583680 bytes
      5 minute offered rate 74000 bps, drop rate 2000 bps
      Match: ip dscp ef (46)
        9120 packets, 583680 bytes
        5 minute rate 74000 bps
      Queueing
        Strict Priority
        Output Queue: Conversation 72
        Bandwidth 96 (kbps) Burst 2400 (Bytes)
        (pkts matched/bytes matched) 7200/460800
        (total drops/bytes drops) 1542/98688

    Class-map: class-default (match-any)
      51200 packets, 40960000 bytes
      5 minute offered rate 290000 bps, drop rate 0 bps
      Match: any
      Queueing
        Flow Based Fair Queueing
        Maximum Number of Hashed Queues 64
        (total queued/total drops/no-buffer drops) 3/81/0
"""
CPU: Final = """\
CPU utilization for five seconds: 9%/6%; one minute: 8%; five minutes: 8%
 PID Runtime(ms)   Invoked      uSecs   5Sec   1Min   5Min TTY Process
   1           8         311         25  0.00%  0.00%  0.00%   0 Chunk Manager
  41      210011     1911001        109  0.80%  0.70%  0.71%   0 IP Input
"""
INTERFACE: Final = """\
Serial0/1/0 is up, line protocol is up
  Hardware is GT96K Serial
  Internet address is 203.0.113.9/30
  MTU 1500 bytes, BW 384 Kbit, DLY 20000 usec,
     reliability 255/255, txload 240/255, rxload 20/255
  Encapsulation PPP, LCP Open
  Last input 00:00:00, output 00:00:00, output hang never
  Last clearing of "show interface" counters 01:02:03
  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: 1623
  5 minute input rate 31000 bits/sec, 60 packets/sec
  5 minute output rate 362000 bits/sec, 120 packets/sec
     120332 packets input, 8012399 bytes, 0 no buffer
     98382 packets output, 77832100 bytes, 0 underruns
"""
OUTPUTS: Final = {
    "show running-config": CONFIG,
    "show policy-map interface": POLICY,
    "show interfaces Serial0/1/0": INTERFACE,
    "show processes cpu": CPU,
}


def log_with(heading: str, gap: str = "") -> str:
    """The outputs behind a heading each, in which `%s` stands for the command."""
    return "".join(
        f"{heading.replace('%s', command)}\n{gap}{output}{gap}"
        for command, output in OUTPUTS.items()
    )


LOG: Final = log_with("kiel-1#%s")
