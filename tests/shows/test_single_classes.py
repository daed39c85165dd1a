"""`show policy-map interface … class NAME`: what is known of a policy is what its outputs add up to."""

import pytest

from advisor.lint.cards import load_rules
from advisor.lint.judge import judge
from advisor.settings import Budgets
from tests.support.devices import device_read

RULES = load_rules(Budgets())
CONFIG = """\
version 15.1
hostname R1
class-map match-all VOICE
 match dscp ef
class-map match-all DATA
 match dscp af21
policy-map WAN
 class VOICE
  priority 128
 class DATA
  bandwidth 400
 class class-default
  fair-queue
interface Serial0/0/0
 encapsulation ppp
 clock rate 1536000
 tx-ring-limit 2
 service-policy output WAN
end
"""
HEAD = " Serial0/0/0\n\n  Service-policy output: WAN\n\n"
VOICE = """\
    Class-map: VOICE (match-all)
      14056 packets, 1012032 bytes
      5 minute offered rate {rate} bps, drop rate 4000 bps
      Match: dscp ef (46)
      Priority: 128 kbps, burst bytes 3200, b/w exceed drops: 55

"""
DATA = """\
    Class-map: DATA (match-all)
      14056 packets, 10120320 bytes
      5 minute offered rate 141000 bps, drop rate 0 bps
      Match: dscp af21 (18)
      Queueing
      queue limit 64 packets
      (queue depth/total drops/no-buffer drops) 0/0/0
      (pkts output/bytes output) 14056/10120320
      bandwidth {kbps} kbps
"""
EVERYWHERE = "show policy-map interface serial0/0/0 output"
ONE = f"{EVERYWHERE} class "
FULL = HEAD + VOICE.format(rate=130_000) + DATA.format(kbps=400)


@pytest.mark.parametrize(
    ("outputs", "rates", "is_part", "contradiction"),
    [
        pytest.param(
            [(f"{ONE}VOICE", HEAD + VOICE.format(rate=141_000))],
            {"VOICE": 141_000},
            True,
            None,
            id="one class says nothing of the others",
        ),
        pytest.param(
            [
                (f"{ONE}VOICE", HEAD + VOICE.format(rate=141_000)),
                (f"{ONE}DATA", HEAD + DATA.format(kbps=400)),
            ],
            {"VOICE": 141_000, "DATA": 141_000},
            True,
            None,
            id="two classes, one after the other",
        ),
        pytest.param(
            [(EVERYWHERE, FULL), (f"{ONE}VOICE", HEAD + VOICE.format(rate=141_000))],
            {"VOICE": 141_000, "DATA": 141_000},
            False,
            None,
            id="a class behind the whole output is newer",
        ),
        pytest.param(
            [(f"{ONE}VOICE", HEAD + VOICE.format(rate=141_000)), (EVERYWHERE, FULL)],
            {"VOICE": 130_000, "DATA": 141_000},
            False,
            None,
            id="the whole output behind a class is newer",
        ),
        pytest.param(
            [(f"{ONE}DATA", HEAD + DATA.format(kbps=200))],
            {"DATA": 141_000},
            True,
            "bandwidth 200 in class DATA for 400",
            id="a class that is printed is compared",
        ),
        pytest.param(
            [(EVERYWHERE, HEAD + VOICE.format(rate=141_000))],
            {"VOICE": 141_000},
            False,
            "no class DATA in WAN",
            id="a whole output lacks a class",
        ),
    ],
)
def test_outputs_of_single_classes_add_up(
    outputs: list[tuple[str, str]],
    rates: dict[str, int],
    contradiction: str | None,
    *,
    is_part: bool,
) -> None:
    shown = "".join(f"R1#{command}\n{output}" for command, output in outputs)
    device = device_read(f"R1#show running-config\n{CONFIG}{shown}R1#\n")
    policy = device.seen.policy("Serial0/0/0", "output", None)

    assert policy is not None
    assert {item.name: item.offered_rate_bps for item in policy.classes} == rates
    assert policy.is_part is is_part
    found = [
        hit.evidence.differences
        for rule, hit in judge(device, RULES).pairs
        if rule.card.id == "COL004"
    ]
    assert found == ([] if contradiction is None else [contradiction])


def test_drops_of_a_class_are_found_whichever_class_comes_last() -> None:
    shown = f"R1#{ONE}VOICE\n{HEAD}{VOICE.format(rate=141_000)}R1#{ONE}DATA\n{HEAD}"
    text = f"R1#show running-config\n{CONFIG}{shown}{DATA.format(kbps=400)}R1#\n"
    rules = {rule.card.id for rule, _ in judge(device_read(text), RULES).pairs}

    assert {"LLQ003", "LLQ007"} <= rules
