"""A counted policy with a class that is not understood gives a wider interval, never another."""

import pytest

from advisor.ground.quantity import Figure, Input
from advisor.outlet.outlets import outlets
from advisor.predict.classes.congested import CongestedCase, congested, solved_cases
from tests.support.devices import device_read

# Layout of a terminal log of a 2800 with 15.1(4)M and HQF.
_LOG = """r1#show running-config
version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-any BULK
 match ip dscp af11
policy-map WAN
 class VOICE
  priority 128
 class BULK
  bandwidth 100
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 10
 service-policy output WAN
end
r1#show policy-map interface
 Serial0/0

  Service-policy output: WAN

    Class-map: VOICE (match-any)
      5000 packets, 320000 bytes
      5 minute offered rate 48000 bps, drop rate 0 bps
      Match: ip dscp ef (46)
      Priority: 128 kbps, burst bytes 3200, b/w exceed drops: 12

    Class-map: BULK (match-any)
      900 packets, 900000 bytes
      5 minute offered rate 90000 bps, drop rate 0 bps
      Match: ip dscp af11 (10)
      Queueing
      bandwidth 100 kbps

    Class-map: class-default (match-any)
      7000 packets, 4200000 bytes
      5 minute offered rate 200000 bps, drop rate 0 bps
      Match: any
r1#
"""
_UNKNOWN_LINE = "      Frobnicate 12 units\n"
_HEADS = {
    name: f"    Class-map: {name} (match-any)\n" for name in ("VOICE", "BULK", "class-default")
}


def _log(unread: str | None) -> str:
    return _LOG if unread is None else _LOG.replace(_HEADS[unread], _HEADS[unread] + _UNKNOWN_LINE)


def _delay(unread: str | None) -> tuple[Figure, dict[str, Input]]:
    device = device_read(_log(unread))
    (case,) = solved_cases([congested(device, outlets(device)[0])])
    assert isinstance(case, CongestedCase)
    assert case.solved.first_priority is not None
    return case.solved.first_priority.mean, {known.name: known for known in case.solved.inputs}


@pytest.mark.parametrize("unread", _HEADS)
def test_the_interval_with_an_unread_class_contains_that_of_full_knowledge(unread: str) -> None:
    full, partial = _delay(None)[0], _delay(unread)[0]
    assert partial.low <= full.low
    assert partial.high >= full.high


@pytest.mark.parametrize("unread", _HEADS)
def test_no_class_of_a_policy_with_an_unread_class_counts_as_measured(unread: str) -> None:
    outlet = outlets(device_read(_log(unread)))[0]
    assert (outlet.measured, outlet.unread_classes) == ((), (unread,))


def test_the_inputs_name_the_class_that_is_not_understood() -> None:
    _, inputs = _delay("BULK")
    assert inputs["unread_classes"].source == (
        "not understood in show policy-map interface: BULK; no measured rate or packet size of "
        "policy WAN is used"
    )


def test_a_policy_of_which_all_classes_are_understood_is_used_as_measured() -> None:
    outlet = outlets(device_read(_LOG))[0]
    assert [known.name for known in outlet.measured] == ["VOICE", "BULK", "class-default"]
    assert "unread_classes" not in _delay(None)[1]
