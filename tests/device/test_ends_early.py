"""Counters that end ahead of what the configuration has in their class are of a cut output."""

import pytest

from advisor.device.reading import DeviceInputs, Source, read_device, read_source
from advisor.settings import Settings

CONFIG = """r1#show running-config
Building configuration...
!
version 12.4
hostname r1
!
class-map match-any CALLS
 match ip dscp ef
!
policy-map INSIDE
 class CALLS
  priority 64
 class class-default
  fair-queue
policy-map SHAPE
 class class-default
  shape average 1544000
  service-policy INSIDE
!
interface Serial0/0
 service-policy output SHAPE
!
end
"""
COUNTERS = """r1#show policy-map interface
 Serial0/0

  Service-policy output: SHAPE

    Class-map: class-default (match-any)
      9 packets, 900 bytes
      5 minute offered rate 8000 bps, drop rate 0 bps
      Match: any
      Queueing
      queue limit 64 packets
      (queue depth/total drops/no-buffer drops) 0/0/0
      shape (average) cir 1544000, bc 6176, be 6176

      Service-policy : INSIDE

        Class-map: CALLS (match-any)
          4 packets, 400 bytes
          5 minute offered rate 4000 bps, drop rate 0 bps
          Match: ip dscp ef (46)
          Priority: 64 kbps, burst bytes 1600, b/w exceed drops: 0

        Class-map: class-default (match-any)
          5 packets, 500 bytes
          5 minute offered rate 4000 bps, drop rate 0 bps
          Match: any
          Queueing
          queue limit 64 packets
          (queue depth/total drops/no-buffer drops) 0/0/0
"""


def ahead_of(text: str, line: str, times: int = 1) -> str:
    return "".join(part + line for part in text.split(line)[:times]).removesuffix(line)


OUTER = "class class-default of SHAPE without `service-policy INSIDE`"


@pytest.mark.parametrize(
    ("counters", "said"),
    [
        pytest.param(COUNTERS, "", id="a whole output"),
        pytest.param(ahead_of(COUNTERS, "\n      Service-policy : "), OUTER, id="ahead of the nested policy"),
        pytest.param(ahead_of(COUNTERS, "      shape "), OUTER, id="ahead of the shaper"),
        pytest.param(ahead_of(COUNTERS, "      Queueing"), OUTER, id="ahead of the queue of the outer class"),
        pytest.param(
            ahead_of(COUNTERS, "          Queueing"), "class class-default of INSIDE without its queue",
            id="ahead of the last queue",
        ),
        pytest.param(
            "".join(f"{line.strip()}\n" for line in ahead_of(COUNTERS, "      shape ").splitlines()), OUTER,
            id="without indentation",
        ),
        pytest.param(COUNTERS.replace("INSIDE", "OTHER"), "", id="another nested policy is another state"),
        pytest.param(COUNTERS.replace(": SHAPE", ": EDGE"), "", id="a policy that is not configured"),
    ],
)  # fmt: skip
def test_a_cut_inside_a_policy_is_said_by_its_configuration(counters: str, said: str) -> None:
    inputs = DeviceInputs(Source("r1.cfg", CONFIG.encode()), (Source("r1.log", counters.encode()),))

    for reading in (
        read_source(Source("r1.log", (CONFIG + counters).encode()), Settings()),
        read_device(inputs, Settings()),
    ):
        cuts = [reason for reason in reading.incomplete if "cut, or of another state" in reason]
        assert len(cuts) == bool(said)
        assert said in "".join(cuts)


CIRCUITS = """r1#show running-config
Building configuration...
!
version 12.3
hostname r1
!
class-map match-any CALLS
 match ip dscp ef
!
policy-map INSIDE
 class CALLS
  priority 64
!
interface Serial1/0
 encapsulation frame-relay
 frame-relay traffic-shaping
!
interface Serial1/0.7 point-to-point
 frame-relay interface-dlci 107
  class FRTS
!
map-class frame-relay FRTS
 frame-relay cir 128000
{policy}!
end
"""
CIRCUIT = """r1#show frame-relay pvc 107

PVC Statistics for interface Serial1/0 (Frame Relay DTE)

DLCI = 107, DLCI USAGE = LOCAL, PVC STATUS = ACTIVE, INTERFACE = Serial1/0.7

  input pkts 9             output pkts 9            in bytes 900
  out bytes 900            dropped pkts 0           in pkts dropped 0
  out pkts dropped 0                out bytes dropped 0
  in FECN pkts 0           in BECN pkts 0           out FECN pkts 0
  out BECN pkts 0          in DE pkts 0             out DE pkts 0
  out bcast pkts 1         out bcast bytes 10
  pvc create time 1d02h, last time pvc status changed 1d02h
"""
SHAPER = """  cir 128000    bc 1280      be 0         byte limit 160    interval 10
  mincir 64000     byte increment 160   Adaptive Shaping none
  pkts 9         bytes 900       pkts delayed 0         bytes delayed 0
  shaping inactive
  traffic shaping drops 0
"""
OF_CIRCUIT = """  service policy INSIDE

 Serial1/0.7: DLCI 107 -

  Service-policy output: INSIDE

    Class-map: CALLS (match-any)
      4 packets, 400 bytes
      5 minute offered rate 4000 bps, drop rate 0 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Output Queue: Conversation 24
        Bandwidth 64 (kbps) Burst 1600 (Bytes)
        (pkts matched/bytes matched) 0/0
        (total drops/bytes drops) 0/0

    Class-map: class-default (match-any)
      5 packets, 500 bytes
      5 minute offered rate 4000 bps, drop rate 0 bps
      Match: any
  Output queue size 0/max total 600/drops 0
"""
WITHOUT = "DLCI 107 of Serial1/0.7 without `service-policy output INSIDE`"


@pytest.mark.parametrize(
    ("policy", "shown", "said"),
    [
        pytest.param("INSIDE", SHAPER, WITHOUT, id="ahead of the policy"),
        pytest.param("INSIDE", SHAPER + OF_CIRCUIT, "", id="a whole output"),
        pytest.param("INSIDE", "", "", id="a circuit that no shaper holds has no policy"),
        pytest.param("", SHAPER, "", id="no policy is configured"),
    ],
)
def test_a_cut_behind_the_shaper_of_a_circuit_is_said(policy: str, shown: str, said: str) -> None:
    attached = f" service-policy output {policy}\n" if policy else ""
    text = CIRCUITS.format(policy=attached) + CIRCUIT + shown

    reading = read_source(Source("r1.log", text.encode()), Settings())

    cuts = [reason for reason in reading.incomplete if "cut, or of another state" in reason]
    assert len(cuts) == bool(said)
    assert said in "".join(cuts)
