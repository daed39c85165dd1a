"""Parts of a configuration in one log: read as one, and what they lack is said and not judged."""

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Reading, Source
from advisor.outlet.outlet import Queueing
from advisor.outlet.outlets import outlets
from advisor.outlet.plain import plain_outlets, plain_outputs
from advisor.settings import Settings

INTERFACE = """\
r1#show running-config interface Serial0/0
Building configuration...

Current configuration : 96 bytes
!
interface Serial0/0
 bandwidth 512
 ip address 10.0.0.1 255.255.255.252
 no fair-queue
 service-policy output WAN
end

"""
POLICY = """\
r1#show running-config | section policy-map
policy-map WAN
 class V
  priority 64
"""
PARENT = """\
r1#show running-config | section policy-map
policy-map WAN
 class class-default
  shape average 256000
  service-policy CHILD
"""
UNREAD = "policy-map WAN of interface Serial0/0 is not in this text"


def read(text: str) -> Reading:
    (reading,) = read_devices([Source("r1.log", text.encode())], Settings())
    return reading


@pytest.mark.parametrize("log", [INTERFACE + POLICY, POLICY + INTERFACE])
def test_parts_in_either_order_are_one_configuration(log: str) -> None:
    reading = read(log)

    (outlet,) = outlets(reading.device)
    assert [each.name for each in outlet.policy.classes] == ["V"]
    assert reading.incomplete == ()
    assert log.splitlines()[outlet.at.line - 1].strip() == "service-policy output WAN"


def test_of_a_part_that_was_taken_twice_the_last_counts() -> None:
    reading = read(POLICY + INTERFACE + POLICY.replace("64", "128"))

    (outlet,) = outlets(reading.device)
    priority = outlet.policy.classes[0].priority
    assert priority is not None
    assert priority.amount == 128


WHOLE = """\
r1#show running-config
version 12.4
hostname r1
interface Serial0/0
 tx-ring-limit 30
 service-policy output WAN
interface Serial0/1
 tx-ring-limit 8
end

"""
AGAIN = """\
r1#show running-config interface Serial0/0
Building configuration...

interface Serial0/0
 tx-ring-limit 1
end

"""
CHANGED = """\
r1#conf t
r1(config)#int s0/0
r1(config-if)#tx-ring-limit 1
r1(config-if)#end
"""
CHANGED_ELSEWHERE = CHANGED.replace("s0/0", "s0/1")


def test_a_section_that_is_shown_again_counts_as_it_is_shown_last() -> None:
    reading = read(WHOLE + AGAIN + POLICY)

    rings = {each.name: each.tx_ring_limit for each in reading.device.facts.interfaces}
    assert {name: (ring.value, ring.at.line) for name, ring in rings.items() if ring} == {
        "Serial0/0": (1, 15),
        "Serial0/1": (8, 8),
    }
    assert [policy.name for policy in reading.device.facts.policy_maps] == ["WAN"]
    assert reading.incomplete == ()


def test_a_part_ahead_of_a_whole_configuration_is_said_and_not_judged() -> None:
    reading = read(AGAIN + WHOLE)

    said = "the configuration of r1.log:8 counts; r1.log:1 holds a part of one, which is not judged"
    assert said in reading.coverage[0].assumed


@pytest.mark.parametrize(
    ("log", "complete"),
    [
        pytest.param(WHOLE + CHANGED + AGAIN, True, id="shown again"),
        pytest.param(WHOLE + AGAIN + CHANGED, False, id="shown before"),
        pytest.param(WHOLE + CHANGED_ELSEWHERE + AGAIN, False, id="another one shown"),
        pytest.param(WHOLE + WHOLE.replace("end\n", ""), False, id="cut when it was shown again"),
    ],
)
def test_a_change_in_a_log_is_judged_where_its_section_is_shown_again(
    log: str, complete: bool
) -> None:
    policy = "policy-map WAN\n class class-default\n"
    assert (read(log.replace("end\n", policy + "end\n")).incomplete == ()) is complete


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        pytest.param(INTERFACE, UNREAD, id="an attached policy"),
        pytest.param(
            INTERFACE + PARENT,
            "policy-map CHILD of policy-map WAN > class class-default is not in this text",
            id="a nested policy",
        ),
        pytest.param(
            INTERFACE.replace("output WAN", "output WAN\n service-policy input LAN"),
            f"{UNREAD}, nor that of 1 more",
            id="two policies",
        ),
    ],
)
def test_a_policy_that_is_not_in_the_text_leaves_the_verdict_incomplete(
    log: str, reason: str
) -> None:
    (said,) = read(log).incomplete

    assert said.startswith(f"r1.log: {reason}")


def test_where_the_whole_configuration_lacks_a_policy_the_verdict_is_complete() -> None:
    whole = INTERFACE.replace("!\n", "!\nversion 12.4\nhostname r1\n")
    whole = whole.replace("running-config interface Serial0/0", "running-config")

    assert read(whole).incomplete == ()


@pytest.mark.parametrize(
    ("direction", "queueing"),
    [("output", Queueing.UNREAD), ("input", Queueing.FIFO)],
)
def test_what_queues_at_the_output_of_an_unread_policy(direction: str, queueing: Queueing) -> None:
    log = INTERFACE.replace("output WAN", f"{direction} WAN")
    device = read(log.replace("#show", "#show version\nCisco 2811 (revision 1)\nr1#show")).device

    (point,) = plain_outputs(device)
    assert point.queueing is queueing
    assert len(plain_outlets(device)) == (queueing is Queueing.FIFO)


SHOWN = "r1#show running-config\nhostname r1\ninterface Serial0/0\n tx-ring-limit 12\nend\n"
SESSION = "r1#configure terminal\nr1(config)#interface Serial0/0\nr1(config-if)#{}\nr1(config-if)#end\nr1#\n"


BY_DEFAULT = "r1#configure terminal\nr1(config)#default interface s0/0\nr1(config)#end\nr1#\n"


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (SHOWN + SESSION.format("tx-ring-limit 40"), ["r1.log:8: `tx-ring-limit 40`"]),
        (SHOWN + SESSION.format("no tx-ring"), ["r1.log:8: `no tx-ring`"]),
        (SHOWN + SESSION.format("default tx-ring-limit"), ["r1.log:8: `default tx-ring-limit`"]),
        (SHOWN + SESSION.format("shut"), ["r1.log:8: `shut`"]),
        (SHOWN + BY_DEFAULT, ["r1.log:7: `default interface s0/0`"]),
        (
            SHOWN + "r1#configure replace flash:x force\nr1#\n",
            ["r1.log:6: `configure replace flash:x force`"],
        ),
        (
            SHOWN + "r1#copy tftp://192.0.2.1/x run\nr1#\n",
            ["r1.log:6: `copy tftp://192.0.2.1/x run`"],
        ),
        (SHOWN + "r1#copy running-config startup-config\nr1#\n", []),
        (SHOWN + SESSION.format("desc to HQ"), []),
        (SESSION.format("tx-ring-limit 40") + SHOWN, []),
        (SHOWN + SESSION.format("tx-ring-limit 40") + SHOWN, []),
    ],
    ids=[
        *("a ring", "a ring taken back in short", "a ring by default", "a port shut in short"),
        *("a port by default", "another file instead", "another file on top", "kept in memory"),
        *("a text", "ahead of the configuration", "shown again"),
    ],
)
def test_change_behind_the_configuration_is_said(log: str, said: list[str]) -> None:
    reasons = [reason for reason in read(log).incomplete if "was configured after" in reason]
    assert [reason.partition(" was")[0] for reason in reasons] == said
