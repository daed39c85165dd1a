"""COL004: outputs of another state than the configuration of the same capture."""

import pytest
from msgspec.structs import replace

from advisor.device.device import Device, with_tree
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from tests.support.devices import device_read
from tests.support.verdicts import hits_of

OUTPUTS_DIFFER = CHECKS["outputs-differ"]

CONFIG = """\
version 12.4
hostname R1
class-map match-any VOICE
 match ip dscp ef
class-map match-any BULK
 match ip dscp af11
policy-map WAN
 class VOICE
  priority 96
 class BULK
  bandwidth 128
 class class-default
  fair-queue
policy-map SHAPED
 class class-default
  shape average 512000
  service-policy WAN
interface Serial0/0/0
 bandwidth 1544
 encapsulation ppp
 service-policy output WAN
end
"""
VOICE = """\
    Class-map: VOICE (match-any)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 96 (kbps) Burst 2400 (Bytes)
        (pkts matched/bytes matched) 0/0
        (total drops/bytes drops) 0/0

"""
BULK = """\
    Class-map: BULK (match-any)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: ip dscp af11 (10)
      Queueing
        Output Queue: Conversation 265
        Bandwidth 128 (kbps) Max Threshold 64 (packets)
        (pkts matched/bytes matched) 0/0
        (depth/total drops/no-buffer drops) 0/0/0

"""
DEFAULT = """\
    Class-map: class-default (match-any)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: any
"""
HEAD = " Serial0/0/0\n\n  Service-policy output: WAN\n\n"
COUNTERS = f"{HEAD}{VOICE}{BULK}{DEFAULT}"
INTERFACE = """\
Serial0/0/0 is up, line protocol is up
  Hardware is GT96K Serial
  MTU 1500 bytes, BW 1544 Kbit/sec, DLY 20000 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  Encapsulation PPP, LCP Open, loopback not set
  Queueing strategy: Class-based queueing
     100 packets output, 10000 bytes, 0 underruns
     0 output errors, 0 collisions, 0 interface resets
"""


def router(config: str, counters: str, interface: str) -> Device:
    text = f"R1#show running-config\n{config}"
    if counters:
        text += f"R1#show policy-map interface\n{counters}"
    if interface:
        text += f"R1#show interfaces\n{interface}"
    return device_read(f"{text}R1#\n")


def said(config: str = CONFIG, counters: str = COUNTERS, interface: str = INTERFACE) -> list[str]:
    hits = hits_of(OUTPUTS_DIFFER.find(router(config, counters, interface), NoParams()))
    return [hit.evidence.differences for hit in hits]


def test_outputs_of_the_same_state_are_silent() -> None:
    assert said() == []


@pytest.mark.parametrize(
    ("was", "now", "difference"),
    [
        pytest.param(
            "Bandwidth 96 (kbps)", "Bandwidth 64 (kbps)", "priority 64 in class VOICE for 96",
            id="another rate of priority",
        ),
        pytest.param(
            "Bandwidth 128 (kbps)", "Bandwidth 64 (kbps)", "bandwidth 64 in class BULK for 128",
            id="another bandwidth",
        ),
        pytest.param(BULK, "", "no class BULK in WAN", id="a class that is not there"),
        pytest.param(
            "BULK", "OTHER", "no class BULK in WAN; class OTHER, which WAN lacks",
            id="a class more",
        ),
        pytest.param(
            "output: WAN", "output: OLD", "policy OLD for `service-policy output WAN`",
            id="another policy",
        ),
    ],
)  # fmt: skip
def test_counters_of_another_policy(was: str, now: str, difference: str) -> None:
    assert said(counters=COUNTERS.replace(was, now)) == [difference]


def test_counters_of_another_port_and_of_one_that_is_not_configured() -> None:
    assert said(counters=COUNTERS.replace("Serial0/0/0", "Serial0/0/1")) == [
        "`show policy-map interface` shows no policy there",
        "policy WAN, and no such interface",
    ]


@pytest.mark.parametrize(
    ("was", "now", "differences"),
    [
        pytest.param(
            " service-policy output WAN\n", "",
            ["policy WAN, where no `service-policy output` is"], id="of a port",
        ),
        pytest.param(
            " service-policy output WAN\n", " ppp multilink group 1\n", [],
            id="a member shows the policy of its bundle",
        ),
        pytest.param(
            " service-policy output WAN\n", " service-policy outputs WAN\n", [],
            id="a line that is not understood may attach it",
        ),
        pytest.param("version 12.4\nhostname R1\n", "", [], id="of a part of a configuration"),
    ],
)  # fmt: skip
def test_a_policy_that_runs_and_is_not_configured(
    was: str, now: str, differences: list[str]
) -> None:
    assert said(CONFIG.replace(was, now), interface="") == differences


@pytest.mark.parametrize(
    ("was", "now", "differences"),
    [
        pytest.param("BW 1544", "BW 512", ["BW 512 kb/s for `bandwidth 1544`"], id="another rate"),
        pytest.param("BW 1544", "BW 1536", [], id="a rate that a platform rounds"),
        pytest.param(
            "is up, line protocol is up", "is administratively down, line protocol is down",
            ["administratively down for no `shutdown`"], id="shut down",
        ),
        pytest.param("is up, line protocol is up", "is down, line protocol is down", [],
                     id="a line that is down"),
        pytest.param("MTU 1500", "MTU 1400", ["MTU 1400 for 1500 by default"], id="another MTU"),
    ],
)  # fmt: skip
def test_an_interface_of_another_state(was: str, now: str, differences: list[str]) -> None:
    assert said(interface=INTERFACE.replace(was, now)) == differences


def test_a_speed_that_a_port_does_not_run_at_is_named() -> None:
    lines = "interface FastEthernet0/1\n speed 100\n mtu 1500\ninterface Serial0/0/0\n"
    shown = INTERFACE.replace("Serial0/0/0", "FastEthernet0/1").replace(
        "  Queueing strategy", "  Full-duplex, 10Mb/s\n  Queueing strategy"
    )
    config = CONFIG.replace("interface Serial0/0/0\n", lines)

    assert said(config, COUNTERS, shown) == ["a speed of 10000 kb/s for `speed` 100000 kb/s"]
    assert said(
        config, COUNTERS, shown.replace("10Mb", "100Mb").replace("MTU 1500", "MTU 1400")
    ) == ["MTU 1400 for `mtu 1500`"]


def test_a_fifo_where_a_policy_should_queue() -> None:
    image = "boot system flash c2800nm-ipbase-mz.124-24.T4.bin\n"
    fifo = INTERFACE.replace("Class-based queueing", "fifo")
    config = CONFIG.replace("hostname R1\n", f"hostname R1\n{image}")

    assert said(config, "", fifo) == ["queueing strategy fifo, with a policy that queues"]
    assert said(config, COUNTERS, fifo) == []


def test_a_nested_policy_is_compared_too() -> None:
    shaped = CONFIG.replace("service-policy output WAN", "service-policy output SHAPED")
    outer = (
        " Serial0/0/0\n\n  Service-policy output: SHAPED\n\n"
        + DEFAULT
        + "      Traffic Shaping\n"
        + "           Target/Average   Byte   Sustain   Excess    Interval  Increment\n"
        + "             Rate           Limit  bits/int  bits/int  (ms)      (bytes)\n"
        + "           256000/256000    1984   7936      7936      31        992\n\n"
        + "      Service-policy : WAN\n\n"
    )
    inner = "".join(f"    {line}\n" if line else "\n" for line in (VOICE + DEFAULT).split("\n"))

    assert said(shaped, outer + inner) == [
        "shape average 256000 in class class-default for 512000; no class BULK in WAN"
    ]


def test_a_draft_is_to_be_another_state() -> None:
    device = router(CONFIG, COUNTERS.replace("output: WAN", "output: OLD"), INTERFACE)
    draft = with_tree(device, replace(device.facts.tree, is_capture=False))

    assert hits_of(OUTPUTS_DIFFER.find(device, NoParams()))
    assert not hits_of(OUTPUTS_DIFFER.find(draft, NoParams()))


CIRCUITS = """\
version 12.4
hostname R1
interface Multilink1
 ip address 192.0.2.1 255.255.255.252
 ppp multilink
 ppp multilink group 1
interface Serial0/0/0
 encapsulation ppp
 ppp multilink group 1
interface Serial0/0/1
 encapsulation ppp
 ppp multilink group 1
interface ATM1/0.1 point-to-point
 pvc 1/32
  vbr-nrt 2000 2000
interface Serial2/0.1 point-to-point
 frame-relay interface-dlci 100
  class FR
map-class frame-relay FR
 frame-relay cir 512000
 frame-relay fragment 640
end
"""
BUNDLE = """\
Multilink1
  Bundle name: R2
  Bundle up for 2d03h, total bandwidth 1544, load 200/255
  Member links: 2 active, 0 inactive (max not set, min not set)
    Se0/0/0, since 2d03h
    Se0/0/1, since 2d03h
"""
ONE_DOWN = BUNDLE.replace("2 active, 0", "1 active, 1").replace(
    "Se0/0/1, since 2d03h", "Se0/0/1 (inactive)"
)
LONE = (
    BUNDLE.replace("Multilink1", "Multilink2")
    .replace("2 active", "1 active")
    .replace("    Se0/0/1, since 2d03h\n", "")
)
LESS = "member Serial0/0/1 is down (show ppp multilink), figures are of 1 of 2 members"
VBR = """\
ATM1/0.1: VCD: 3, VPI: 1, VCI: 32
VBR-NRT, PeakRate: {rate}, Average Rate: {rate}, Burst Cells: 64
AAL5-LLC/SNAP, etype:0x0, Flags: 0x20, VCmode: 0x0
InPkts: 100, OutPkts: 2000, InBytes: 100, OutBytes: 200000
Status: UP
"""
PVC = """\
DLCI = 100, DLCI USAGE = LOCAL, PVC STATUS = ACTIVE, INTERFACE = Serial2/0.1
  input pkts 10            output pkts 9000         in bytes 4000
  pvc create time 1d02h, last time pvc status changed 1d01h
  fragment type end-to-end         fragment size 640
  cir 512000    bc 5120      be 0         limit 640    interval 10
  mincir 256000    byte increment 640   BECN response no  IF_CONG no
  shaping inactive
  traffic shaping drops 0
"""
FRAGMENTS = """\
interface              dlci frag-type size in-frag out-frag dropped-frag
Se2/0.1                100  end-to-end {size} 1000    1000     0
"""


@pytest.mark.parametrize(
    ("command", "shown", "differences"),
    [
        pytest.param("show ppp multilink", BUNDLE, [], id="all members carry"),
        pytest.param(
            "show ppp multilink",
            ONE_DOWN,
            [LESS],
            id="a bundle that lost a member",
        ),
        pytest.param("show atm pvc 1/32", VBR.format(rate=2000), [], id="the rate of a PVC"),
        pytest.param(
            "show atm pvc 1/32",
            VBR.format(rate=512),
            ["an average of 512 kb/s on pvc 1/32 for 2000"],
            id="another rate of a PVC",
        ),
        pytest.param("show frame-relay fragment", FRAGMENTS.format(size=640), [], id="fragments"),
        pytest.param(
            "show frame-relay fragment",
            FRAGMENTS.format(size=80),
            ["fragments of 80 bytes on DLCI 100 for 640"],
            id="other fragments",
        ),
        pytest.param(
            "show frame-relay fragment",
            FRAGMENTS.format(size=80).replace("0.1  ", "0.2  "),
            ["fragments of 80 bytes on DLCI 100, and no such interface"],
            id="fragments of a subinterface that is not configured",
        ),
        pytest.param("show frame-relay pvc", PVC, [], id="a circuit in force"),
        pytest.param(
            "show frame-relay pvc",
            PVC.replace("cir 512000", "cir 256000"),
            ["DLCI 100 shaped to 256 kb/s for 512"],
            id="another CIR",
        ),
        pytest.param(
            "show frame-relay pvc",
            PVC.replace("= ACTIVE", "= DELETED"),
            ["DLCI 100 is deleted and carries nothing"],
            id="a circuit that the network deleted",
        ),
        pytest.param(
            "show frame-relay pvc",
            PVC.replace("fragment size 640", "fragment size 320"),
            ["fragments of 320 bytes on DLCI 100 for 640"],
            id="other fragments of a circuit",
        ),
        pytest.param(
            "show ppp multilink",
            LONE,
            ["a member of Multilink2, without `ppp multilink group 2`"],
            id="a bundle that is not configured",
        ),
    ],
)
def test_outputs_of_circuits_and_bundles_are_compared(
    command: str, shown: str, differences: list[str]
) -> None:
    device = device_read(f"R1#show running-config\n{CIRCUITS}R1#{command}\n{shown}R1#\n")
    hits = hits_of(OUTPUTS_DIFFER.find(device, NoParams()))
    assert [hit.evidence.differences for hit in hits] == differences


def test_fragments_that_are_not_configured_are_named() -> None:
    config = CIRCUITS.replace(" frame-relay fragment 640\n", "")
    shown = f"R1#show frame-relay fragment\n{FRAGMENTS.format(size=640)}"
    device = device_read(f"R1#show running-config\n{config}{shown}R1#\n")
    (hit,) = hits_of(OUTPUTS_DIFFER.find(device, NoParams()))
    assert hit.evidence.differences == (
        "fragments of 640 bytes on DLCI 100, where none are configured"
    )


@pytest.mark.parametrize(
    ("rate", "differences"),
    [
        pytest.param(256_000, [], id="the rate of the line"),
        pytest.param(128_000, ["shaped to 128 kb/s for 256"], id="another rate"),
    ],
)
def test_generic_traffic_shaping_is_compared(rate: int, differences: list[str]) -> None:
    config = (
        "version 12.3\nhostname R1\ninterface Ethernet0/1\n traffic-shape rate 256000 8000 8000\n"
        " traffic-shape group 101 64000\nend\n"
    )
    shown = (
        "Interface   Et0/1\n"
        "       Access Target    Byte   Sustain   Excess    Interval  Increment Adapt\n"
        "VC     List   Rate      Limit  bits/int  bits/int  (ms)      (bytes)   Active\n"
        "-      101    64000     2000   8000      8000      125       1000      -\n"
        f"-             {rate}    2000   8000      8000      31        1000      -\n"
    )
    device = device_read(f"R1#show running-config\n{config}R1#show traffic-shape\n{shown}R1#\n")
    hits = hits_of(OUTPUTS_DIFFER.find(device, NoParams()))
    assert [hit.evidence.differences for hit in hits] == differences


HUB = """\
version 15.4
hostname R1
policy-map SPOKE
 class class-default
  shape average 2000000
interface Tunnel5
 ip nhrp map group SMALL service-policy output SPOKE
end
"""
PEER = """\
Interface Tunnel5 <--> 198.51.100.3

  Service-policy output: SPOKE

    Class-map: class-default (match-any)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: any
      Queueing
      queue limit 64 packets
      (queue depth/total drops/no-buffer drops) 0/0/0
      (pkts output/bytes output) 10/1000
      shape (average) cir 2000000, bc 8000, be 8000
      target shape rate 2000000
"""


@pytest.mark.parametrize(
    ("command", "shown", "differences"),
    [
        pytest.param("multipoint", PEER, [], id="the policy of the group of a spoke"),
        pytest.param(
            "multipoint",
            PEER.replace("output: SPOKE", "output: OTHER"),
            ["policy OTHER on peer 198.51.100.3, where no `service-policy output` is"],
            id="another policy of a spoke",
        ),
        pytest.param(
            "target service-group 7",
            PEER.replace("Interface Tunnel5 <--> 198.51.100.3", "Tunnel5: Service Group 7"),
            [],
            id="the policy of a service group",
        ),
    ],
)
def test_policies_of_spokes_and_service_groups_are_compared(
    command: str, shown: str, differences: list[str]
) -> None:
    text = f"R1#show running-config\n{HUB}R1#show policy-map {command}\n{shown}R1#\n"
    hits = hits_of(OUTPUTS_DIFFER.find(device_read(text), NoParams()))
    assert [hit.evidence.differences for hit in hits] == differences


@pytest.mark.parametrize(
    ("rate", "differences"),
    [
        pytest.param(256_000, [], id="the rate of the line"),
        pytest.param(128_000, ["policed to 128 kb/s for 256"], id="another rate"),
    ],
)
def test_committed_access_rate_is_compared(rate: int, differences: list[str]) -> None:
    config = (
        "version 12.3\nhostname R1\ninterface Ethernet0/1\n"
        " rate-limit output 256000 8000 8000 conform-action transmit exceed-action drop\nend\n"
    )
    shown = (
        "Ethernet0/1\n  Output\n    matches: all traffic\n"
        f"      params:  {rate} bps, 8000 limit, 8000 extended limit\n"
        "      conformed 9 packets, 900 bytes; action: transmit\n"
        "      exceeded 0 packets, 0 bytes; action: drop\n"
        "      last packet: 12ms ago, current burst: 0 bytes\n"
        "      last cleared 02:11:40 ago, conformed 0 bps, exceeded 0 bps\n"
    )
    text = f"R1#show running-config\n{config}R1#show interfaces rate-limit\n{shown}R1#\n"
    hits = hits_of(OUTPUTS_DIFFER.find(device_read(text), NoParams()))
    assert [hit.evidence.differences for hit in hits] == differences


MAPPED = """\
crypto ipsec transform-set TS esp-3des esp-sha-hmac
crypto map CM 10 ipsec-isakmp
 set transform-set TS
interface Serial0/0/0
 ip address 192.0.2.1 255.255.255.252
 crypto map CM
end
"""
PROTECTED = """\
crypto ipsec transform-set TS esp-3des esp-sha-hmac
crypto ipsec profile P
 set transform-set TS
interface Serial0/0/0
 ip address 192.0.2.1 255.255.255.252
interface Tunnel0
 tunnel source Serial0/0/0
 tunnel protection ipsec profile P
end
"""


@pytest.mark.parametrize(
    ("config", "place", "words", "differences"),
    [
        pytest.param(MAPPED, "Serial0/0/0", "esp-3des esp-sha-hmac", [], id="as configured"),
        pytest.param(
            MAPPED, "Serial0/0/0", "esp-3des esp-md5-hmac", [], id="a check of as many bytes"
        ),
        pytest.param(
            MAPPED, "Serial0/0/0", "esp-256-aes esp-sha-hmac",
            ["IPsec with esp-aes esp-sha-hmac for transform-set TS"], id="another cipher",
        ),
        pytest.param(
            PROTECTED, "Tunnel0", "esp-aes esp-sha-hmac",
            ["IPsec with esp-aes esp-sha-hmac for transform-set TS"], id="of a tunnel",
        ),
        pytest.param(
            MAPPED.replace("set TS esp", "set T2 esp"), "Serial0/0/0", "esp-aes esp-sha-hmac", [],
            id="a transform set that is not in the text",
        ),
    ],
)  # fmt: skip
def test_associations_of_another_transform_set_are_named(
    config: str, place: str, words: str, differences: list[str]
) -> None:
    device = device_read(
        f"r1#show running-config\nversion 12.4\nhostname r1\n{config}r1#show crypto ipsec sa\n"
        f"interface: {place}\n     outbound esp sas:\n        transform: {words} ,\n"
        "        in use settings ={Tunnel, }\n     outbound pcp sas:\nr1#\n"
    )
    hits = hits_of(OUTPUTS_DIFFER.find(device, NoParams()))
    assert [hit.evidence.differences for hit in hits] == differences


# Settings of classes, beside their counters and in `show policy-map`.

RICH = """\
version 15.1
hostname R1
class-map match-all VOICE
 match dscp ef
class-map match-any DATA
 match dscp af21
 match access-group 101
class-map match-all BULK
 match dscp af11
policy-map INNER
 class BULK
  bandwidth 64
policy-map WAN
 class VOICE
  priority percent 20
 class DATA
  bandwidth remaining percent 40
  queue-limit 96
  random-detect dscp-based
  random-detect dscp 18 20 40 10
 class BULK
  police cir 500000 bc 15625
   conform-action transmit
   exceed-action drop
 class class-default
  fair-queue
interface Serial0/0/0
 encapsulation ppp
 clock rate 2000000
 service-policy output WAN
end
"""
COUNTED = """\
 Serial0/0/0

  Service-policy output: WAN

    Class-map: VOICE (match-all)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: dscp ef (46)
      Priority: 20% (400 kbps), burst bytes 10000, b/w exceed drops: 0

    Class-map: DATA (match-any)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: dscp af21 (18)
      Match: access-group 101
      Queueing
      queue limit 96 packets
      (queue depth/total drops/no-buffer drops) 0/0/0
      (pkts output/bytes output) 10/1000
      bandwidth remaining 40%
        Exp-weight-constant: 9 (1/512)
        Mean queue depth: 0 packets
        dscp     Transmitted       Random drop      Tail drop          Minimum        Maximum     Mark
                  pkts/bytes     pkts/bytes       pkts/bytes          thresh         thresh     prob
        af21           10/1000            0/0              0/0                 20            40  1/10

    Class-map: BULK (match-all)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: dscp af11 (10)
      police:
          cir 500000 bps, bc 15625 bytes
        conformed 10 packets, 1000 bytes; actions:
          transmit
        exceeded 0 packets, 0 bytes; actions:
          drop
        conformed 1000 bps, exceed 0 bps

    Class-map: class-default (match-any)
      10 packets, 1000 bytes
      5 minute offered rate 1000 bps, drop rate 0 bps
      Match: any
      Queueing
      queue limit 64 packets
      (queue depth/total drops/no-buffer drops/flowdrops) 0/0/0/0
      (pkts output/bytes output) 10/1000
      Fair-queue: per-flow queue limit 16 packets
"""
WRED_LINES = COUNTED[
    COUNTED.index("        Exp-weight") : COUNTED.index("\n    Class-map: BULK (match-all)")
]


@pytest.mark.parametrize(
    ("was", "now", "difference"),
    [
        pytest.param("", "", None, id="the same settings"),
        pytest.param(
            "20% (400 kbps), burst bytes 10000", "10% (200 kbps), burst bytes 5000", "priority percent 10 in class VOICE for 20",
            id="priority in percent",
        ),
        pytest.param(
            "burst bytes 10000", "burst bytes 4000",
            "a burst of 4000 bytes in class VOICE for 10000 by default",
            id="a burst that no line states",
        ),
        pytest.param(
            "remaining 40%", "remaining 20%", "bandwidth remaining percent 20 in class DATA for 40",
            id="bandwidth remaining",
        ),
        pytest.param(
            "bandwidth remaining 40%", "bandwidth 400 kbps",
            "bandwidth 400 in class DATA for `bandwidth remaining percent 40`",
            id="bandwidth of another kind",
        ),
        pytest.param(
            "      bandwidth remaining 40%\n", "", "no `bandwidth` in class DATA", id="no bandwidth"
        ),
        pytest.param(
            "queue limit 96", "queue limit 48", "queue-limit 48 packets in class DATA for 96",
            id="a queue limit",
        ),
        pytest.param(
            "20            40  1/10", "28            32  1/10",
            "random-detect dscp af21 28 32 10 in class DATA for 20 40 10",
            id="thresholds of WRED",
        ),
        pytest.param(WRED_LINES, "", "no `random-detect` in class DATA", id="no WRED"),
        pytest.param(
            "cir 500000", "cir 250000", "police 250000 in class BULK for 500000", id="a policer"
        ),
        pytest.param(
            "          drop\n", "          transmit\n",
            "exceed-action transmit in class BULK for drop",
            id="what a policer does",
        ),
        pytest.param(
            "dscp ef (46)", "dscp cs5 (40)", "class VOICE matches dscp cs5 for dscp ef",
            id="what a class matches",
        ),
        pytest.param(
            "      Match: access-group 101\n", "",
            "class DATA does not match access-group 101",
            id="a criterion less",
        ),
        pytest.param(
            "      Fair-queue: per-flow queue limit 16 packets\n", "",
            "no `fair-queue` in class class-default",
            id="no fair queueing",
        ),
        pytest.param(
            "      police:\n", "      bandwidth 64 kbps\n      police:\n",
            "bandwidth 64 in class BULK, which states none",
            id="a setting more",
        ),
    ],
)  # fmt: skip
def test_settings_of_classes_are_compared_with_their_counters(
    was: str, now: str, difference: str | None
) -> None:
    assert was in COUNTED
    shown = COUNTED.replace(was, now, 1) if was else COUNTED
    assert said(RICH, shown, "") == ([] if difference is None else [difference])


def test_a_policy_on_the_other_side_is_named() -> None:
    shown = COUNTED.replace("policy output", "policy input")
    assert said(RICH, shown, "") == [
        "`show policy-map interface` shows no policy there; policy WAN, where no `service-policy input` is"
    ]


DEFINED = """\
  Policy Map WAN
    Class VOICE
      priority 20 (%)
    Class DATA
      bandwidth remaining 40 (%)
      queue-limit 96 packets
      packet-based wred, exponential weight 9

      dscp    min-threshold    max-threshold    mark-probablity
      ----------------------------------------------------------
      af21    20               40               1/10
      default (0)   -                -                1/10
    Class BULK
     police cir 500000 bc 15625
       conform-action transmit
       exceed-action drop
    Class class-default
      fair-queue
"""


@pytest.mark.parametrize(
    ("was", "now", "difference"),
    [
        pytest.param("", "", None, id="the same settings"),
        pytest.param(
            "bandwidth remaining 40 (%)", "bandwidth 400 (kbps)",
            "bandwidth 400 in class DATA for `bandwidth remaining percent 40`",
            id="bandwidth of another kind",
        ),
        pytest.param(
            "priority 20 (%)", "priority 30 (%)", "priority percent 30 in class VOICE for 20",
            id="priority in percent",
        ),
        pytest.param(
            "      bandwidth remaining 40 (%)\n", "", "no `bandwidth` in class DATA",
            id="no bandwidth",
        ),
        pytest.param(
            "      fair-queue\n", "", "no `fair-queue` in class class-default",
            id="no fair queueing",
        ),
        pytest.param(
            "      priority 20 (%)\n", "      priority 20 (%)\n      service-policy INNER\n",
            "`service-policy INNER` in class VOICE, which states none", id="a nested policy",
        ),
        pytest.param(
            "Class BULK", "Class OTHER", "no class BULK in WAN; class OTHER, which WAN lacks",
            id="another class",
        ),
    ],
)  # fmt: skip
def test_show_policy_map_is_compared_with_the_configuration(
    was: str, now: str, difference: str | None
) -> None:
    assert was in DEFINED
    shown = DEFINED.replace(was, now, 1) if was else DEFINED
    device = device_read(f"R1#show running-config\n{RICH}R1#show policy-map\n{shown}R1#\n")
    hits = hits_of(OUTPUTS_DIFFER.find(device, NoParams()))

    found = [(hit.object, hit.evidence.differences) for hit in hits]
    assert found == ([] if difference is None else [("policy-map WAN", difference)])


@pytest.mark.parametrize(
    ("percent", "differences"),
    [
        pytest.param(20, [], id="as configured"),
        pytest.param(
            30, ["priority percent 30 in class VOICE for 20"], id="another rate of the one class"
        ),
    ],
)
def test_show_policy_map_of_one_class_says_nothing_of_the_others(
    percent: int, differences: list[str]
) -> None:
    shown = f"    Class VOICE\n      priority {percent} (%)\n"
    text = f"R1#show running-config\n{RICH}R1#show policy-map WAN class VOICE\n{shown}R1#\n"
    device = device_read(text)
    hits = hits_of(OUTPUTS_DIFFER.find(device, NoParams()))

    assert all(taken.understood for taken in device.seen.taken)
    assert [hit.evidence.differences for hit in hits] == differences


def test_show_class_map_is_compared_with_the_configuration() -> None:
    shown = " Class Map match-all VOICE (id 1)\n   Match   dscp cs5 (40)\n\n"
    device = device_read(f"R1#show running-config\n{RICH}R1#show class-map\n{shown}R1#\n")
    (hit,) = hits_of(OUTPUTS_DIFFER.find(device, NoParams()))

    assert hit.object == "class-map VOICE"
    assert hit.evidence.differences == "class VOICE matches dscp cs5 for dscp ef"


# Peers of DLSw+.

DLSW = """\
version 12.4
hostname R1
dlsw local-peer peer-id 10.1.1.9
dlsw remote-peer 0 tcp 10.1.1.1
dlsw remote-peer 0 tcp 10.1.1.2 backup-peer 10.1.1.1
interface Serial0/0/0
 encapsulation ppp
end
"""
PEERS = """\
Peers:                state     pkts_rx   pkts_tx  type  drops ckts TCP   uptime
 TCP 10.1.1.1        CONNECT      121220    120110  conf      0    2   0    3d04h
 TCP 10.1.1.2        DISCONN           0         0  conf      0    0   -        -
 TCP 10.1.1.7        CONNECT          20        10  prom      0    0   0    1d02h
Total number of connected peers: 2
Total number of connections:     2
"""


@pytest.mark.parametrize(
    ("was", "now", "command", "differences"),
    [
        pytest.param("", "", "", [], id="the configured peers, and one that came by itself"),
        pytest.param(
            "10.1.1.1  ", "10.1.1.3  ", "",
            [("no peer 10.1.1.1, which `dlsw remote-peer` names; "
             "peer 10.1.1.3, which no `dlsw remote-peer` names")],
            id="another peer",
        ),
        pytest.param("10.1.1.1  ", "10.1.1.3  ", " ip-address 10.1.1.3", [], id="of one peer alone"),
        pytest.param("10.1.1.1        CONNECT", "10.1.1.1        CONNE#T", "", [], id="a row cut"),
    ],
)  # fmt: skip
def test_peers_of_dlsw_are_compared(
    was: str, now: str, command: str, differences: list[str]
) -> None:
    shown = PEERS.replace(was, now) if was else PEERS
    text = f"R1#show running-config\n{DLSW}R1#show dlsw peers{command}\n{shown}R1#\n"
    hits = hits_of(OUTPUTS_DIFFER.find(device_read(text), NoParams()))
    assert [hit.evidence.differences for hit in hits] == differences
