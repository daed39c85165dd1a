"""A router with an LLQ, and outputs of it: counters of its classes, results of its probe."""

ROUTER = """\
version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-all DATA
 match ip dscp af21
policy-map WAN
 class VOICE
  priority 128
 class DATA
  bandwidth 128
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 tx-ring-limit 4
 service-policy output WAN
ip sla 10
 udp-jitter 192.0.2.2 16384
 tos 184
ip sla schedule 10 life forever start-time now
end
"""
_CLASS = """\
    Class-map: {name} ({kind})
      {packets} packets, {octets} bytes
      {interval} offered rate {offered_bps} bps, drop rate {dropped_bps} bps
      Match: any
      Queueing
      queue limit 64 packets
      (queue depth/total drops/no-buffer drops) {depth}/0/0
      (pkts output/bytes output) {packets}/{octets}

"""


def counted_class(
    name: str,
    offered_bps: int,
    *,
    dropped_bps: int = 0,
    packets: int = 20_000,
    packet_bytes: int = 504,
    interval: str = "30 second",
    depth: int = 0,
) -> str:
    """One class of `show policy-map interface`, in the layout of 15.x."""
    return _CLASS.format(
        name=name,
        kind="match-all" if name == "DATA" else "match-any",
        packets=packets,
        octets=packets * packet_bytes,
        interval=interval,
        offered_bps=offered_bps,
        dropped_bps=dropped_bps,
        depth=depth,
    )


def counters(
    data: str | None = None,
    *,
    default_bps: int = 200_000,
    packets: int = 20_000,
    interval: str = "30 second",
    head: str = "",
    way: str = "output",
    port: str = "Serial0/0",
) -> str:
    """`show policy-map interface` of the router; `packets` and `interval` are of all but DATA."""
    voice = counted_class("VOICE", 26_000, packets=packets, packet_bytes=66, interval=interval)
    data = (
        counted_class("DATA", 100_000, packets=packets, interval=interval) if data is None else data
    )
    default = counted_class(
        "class-default", default_bps, packets=packets, packet_bytes=756, interval=interval
    )
    return (
        f"r1#show policy-map interface {port}\n {port}\n\n  Service-policy {way}: WAN\n{head}\n"
        f"{voice}{data}{default}"
    )


def latest_operation(
    *,
    rtt_ms: int = 9,
    jitter_ms: int = 2,
    latency_ms: int = 0,
    packets: int = 1000,
    successes: int = 6,
    failures: int = 0,
    code: str = "OK",
) -> str:
    """`show ip sla statistics` of operation 10, in the layout of 15.x."""
    samples = packets if latency_ms else 0
    return f"""\
r1#show ip sla statistics 10
IPSLAs Latest Operation Statistics

IPSLA operation id: 10
Type of operation: udp-jitter
        Latest RTT: {rtt_ms} milliseconds
Latest operation start time: 13:15:22 UTC Fri Apr 18 2008
Latest operation return code: {code}
RTT Values:
        Number Of RTT: {packets}               RTT Min/Avg/Max: {rtt_ms}/{rtt_ms}/{rtt_ms} milliseconds
Latency one-way time:
        Number of Latency one-way Samples: {samples}
        Source to Destination Latency one way Min/Avg/Max: {latency_ms}/{latency_ms}/{latency_ms} milliseconds
        Destination to Source Latency one way Min/Avg/Max: {latency_ms}/{latency_ms}/{latency_ms} milliseconds
Jitter Time:
        Number of SD Jitter Samples: {packets}
        Number of DS Jitter Samples: {packets}
        Source to Destination Jitter Min/Avg/Max: {jitter_ms}/{jitter_ms}/{jitter_ms} milliseconds
        Destination to Source Jitter Min/Avg/Max: {jitter_ms}/{jitter_ms}/{jitter_ms} milliseconds
Number of successes: {successes}
Number of failures: {failures}
Operation time to live: Forever

"""
