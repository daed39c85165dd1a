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
