"""Counters of a PPPoE session stand on its Virtual-Access, and are those of its Dialer."""

import pytest

from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from tests.support.devices import device_read

CONFIG = """\
version 12.4
hostname R1
class-map match-all VOICE
 match ip dscp ef
policy-map CHILD
 class VOICE
  priority 200
 class class-default
  fair-queue
policy-map UP
 class class-default
  shape average 700000
  service-policy CHILD
interface FastEthernet0/1
 no ip address
 pppoe enable group global
 pppoe-client dial-pool-number 1
interface Dialer1
 mtu 1492
 ip address negotiated
 encapsulation ppp
 dialer pool 1
 service-policy output UP
{more}end
"""
SECOND = """\
interface Dialer2
 ip address negotiated
 encapsulation ppp
 dialer pool 2
 service-policy output UP
"""
COUNTED = """\
 {place}

  Service-policy output: UP

    Class-map: class-default (match-any)
      {packets} packets, {octets} bytes
      5 minute offered rate {rate} bps, drop rate 0 bps
      Match: any
      Traffic Shaping
           Target/Average   Byte   Sustain   Excess    Interval  Increment
             Rate           Limit  bits/int  bits/int  (ms)      (bytes)
           700000/700000    4375   17500     17500     25        2187

        Adapt  Queue     Packets   Bytes     Packets   Bytes     Shaping
        Active Depth                         Delayed   Delayed   Active
        -      0         0         0         0         0         no

      Service-policy : CHILD

        Class-map: VOICE (match-all)
          {packets} packets, {octets} bytes
          5 minute offered rate {rate} bps, drop rate 0 bps
          Match: ip dscp ef (46)
          Queueing
            Strict Priority
            Output Queue: Conversation 24
            Bandwidth 200 (kbps) Burst 5000 (Bytes)
            (pkts matched/bytes matched) 0/0
            (total drops/bytes drops) 0/0

        Class-map: class-default (match-any)
          {packets} packets, {octets} bytes
          5 minute offered rate {rate} bps, drop rate 0 bps
          Match: any
          Queueing
            Flow Based Fair Queueing
            Maximum Number of Hashed Queues 32
            (total queued/total drops/no-buffer drops) 0/0/0

"""


def counted(place: str, packets: int = 0) -> str:
    return COUNTED.format(place=place, packets=packets, octets=200 * packets, rate=80 * packets)


@pytest.mark.parametrize(
    ("shown", "more", "packets"),
    [
        pytest.param(
            counted("Dialer1") + counted("Virtual-Access2", 1000), "", 1000, id="one session"
        ),
        pytest.param(counted("Virtual-Access2", 1000), "", 1000, id="the session alone is shown"),
        pytest.param(counted("Dialer1"), "", 0, id="no session is shown"),
        pytest.param(
            counted("Dialer1") + counted("Virtual-Access2", 1000) + counted("Virtual-Access3", 500),
            "",
            0,
            id="two sessions: whose are the counters",
        ),
        pytest.param(
            counted("Dialer1") + counted("Virtual-Access2", 1000),
            SECOND,
            0,
            id="two dialers with the policy",
        ),
        pytest.param(
            counted("Dialer1", 700) + counted("Virtual-Access2", 1000),
            "",
            700,
            id="a dialer that counts itself",
        ),
    ],
)
def test_counters_of_the_one_session_are_those_of_its_dialer(
    shown: str, more: str, packets: int
) -> None:
    config = CONFIG.format(more=more)
    device = device_read(
        f"R1#show running-config\n{config}R1#show policy-map interface\n{shown}R1#\n"
    )
    policy = device.seen.policy("Dialer1", "output", None)

    assert policy is not None
    assert policy.classes[0].seen is not None
    assert policy.classes[0].seen.packets == packets


def test_the_llq_is_offered_what_its_session_counted() -> None:
    shown = counted("Dialer1") + counted("Virtual-Access2", 1000)
    text = f"R1#show running-config\n{CONFIG.format(more='')}R1#show policy-map interface\n{shown}R1#\n"
    (outlet,) = outlets(device_read(text))
    offers = {offer.class_name: offer.packets_per_second for offer in offers_of(outlet, ())}

    assert offers["VOICE"] == pytest.approx(50.0)
