"""The rollback of an edit: its lines, in an order that IOS takes."""

import pytest

from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.edit.undo import undo_commands
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config

QOS = """\
class-map match-any VOICE
 match ip dscp ef
class-map match-all DATA
 match access-group 101
class-map match-all BULK
 match access-group 102
policy-map CHILD
 class VOICE
  priority 64
policy-map EDGE
 class VOICE
  priority 128
 class DATA
  bandwidth 64
  random-detect
  random-detect precedence 3 15 30 10
 class BULK
  bandwidth 32
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 tx-ring-limit 10
 ip address 10.0.0.1 255.255.255.252
 ip address 10.0.1.1 255.255.255.0 secondary
 service-policy output EDGE
interface Multilink9
 ppp multilink fragment-delay 20
interface ATM0/0.1 point-to-point
 pvc voice 1/35
  vbr-nrt 1000 1000
  tx-ring-limit 40
interface Serial0/2
 encapsulation frame-relay
interface Serial0/2.7 point-to-point
 frame-relay interface-dlci 7
  class FR
map-class frame-relay FR
 frame-relay cir 64000
 service-policy output CHILD
ip access-list extended WEB
 permit tcp any any eq www
 deny tcp any any
 permit ip any any
access-list 101 permit tcp any any eq www
access-list 101 deny ip any any
"""


def config(text: str) -> ConfigTree:
    return parse_config(text, "r1.ios")


# id, edit, rollback
ROLLBACKS = [
    ("nothing for an edit that changes nothing", "interface Serial0/0\n tx-ring-limit 10\n", ""),
    (
        "the old value",
        "interface Serial0/0\n tx-ring-limit 2\n",
        "interface Serial0/0\n tx-ring-limit 10\n",
    ),
    (
        "the old value in its own spelling",
        "interface Multilink9\n ppp multilink fragment delay 10\n",
        "interface Multilink9\n ppp multilink fragment-delay 20\n",
    ),
    (
        "the setting that was removed",
        "interface Serial0/0\n no tx-ring-limit\n",
        "interface Serial0/0\n tx-ring-limit 10\n",
    ),
    (
        "no of what was added",
        "interface Serial0/0\n load-interval 30\n",
        "interface Serial0/0\n no load-interval 30\n",
    ),
    (
        "the PVC inside its interface",
        "interface ATM0/0.1\n pvc 1/35\n  tx-ring-limit 5\n",
        "interface ATM0/0.1 point-to-point\n pvc voice 1/35\n  tx-ring-limit 40\n",
    ),
    (
        "the positive of a stored no that is on by default",
        "interface Serial0/0\n no keepalive\n",
        "interface Serial0/0\n keepalive\n",
    ),
    (
        "default of a stored no whose default is not known",
        "interface Serial0/0\n no fair-queue\n",
        "interface Serial0/0\n default fair-queue\n",
    ),
    (
        "the settings of a new physical interface one by one",
        "interface FastEthernet0/1\n speed 100\n duplex full\n",
        "interface FastEthernet0/1\n no duplex full\n no speed 100\n",
    ),
    (
        "no of a new logical interface",
        "interface Multilink1\n ppp multilink\n",
        "interface Multilink1\n shutdown\nno interface Multilink1\n",
    ),
    (
        "the policy detached before it is deleted, the old one attached at the end",
        (
            "class-map NEW\n match any\npolicy-map NEW\n class NEW\n  bandwidth 8\n"
            "interface Serial0/0\n no service-policy output EDGE\n service-policy output NEW\n"
        ),
        (
            "interface Serial0/0\n no service-policy output NEW\n service-policy output EDGE\n"
            "no policy-map NEW\nno class-map NEW\n"
        ),
    ),
    (
        "a policy made again before it is attached",
        "interface Serial0/0\n no service-policy output EDGE\nno policy-map EDGE\n",
        (
            "policy-map EDGE\n class VOICE\n  priority 128\n class DATA\n  bandwidth 64\n"
            "  random-detect\n  random-detect precedence 3 15 30 10\n class BULK\n  bandwidth 32\n"
            " class class-default\n  fair-queue\ninterface Serial0/0\n service-policy output EDGE\n"
        ),
    ),
    (
        "a removed class with the classes below it, for a new class is the last",
        "policy-map EDGE\n no class DATA\n",
        (
            "policy-map EDGE\n no class BULK\n class DATA\n  bandwidth 64\n  random-detect\n"
            "  random-detect precedence 3 15 30 10\n class BULK\n  bandwidth 32\n"
        ),
    ),
    (
        "priority removed before bandwidth is given",
        "policy-map EDGE\n class BULK\n  no bandwidth\n  priority 32\n",
        "policy-map EDGE\n class BULK\n  no priority 32\n  bandwidth 32\n",
    ),
    (
        "WRED with the rows that its no took along",
        "policy-map EDGE\n class DATA\n  no random-detect\n",
        "policy-map EDGE\n class DATA\n  random-detect\n  random-detect precedence 3 15 30 10\n",
    ),
    (
        "one row of WRED",
        "policy-map EDGE\n class DATA\n  random-detect precedence 4 20 40 10\n",
        "policy-map EDGE\n class DATA\n  no random-detect precedence 4 20 40 10\n",
    ),
    (
        "a nested policy detached first",
        "policy-map EDGE\n class class-default\n  no fair-queue\n  service-policy CHILD\n",
        "policy-map EDGE\n class class-default\n  no service-policy CHILD\n  fair-queue\n",
    ),
    (
        "a numbered list written anew, for no of an entry takes it all",
        "access-list 101 permit icmp any any\n",
        (
            "no access-list 101\naccess-list 101 permit tcp any any eq www\n"
            "access-list 101 deny ip any any\n"
        ),
    ),
    (
        "entries of a named list from the first that differs",
        "ip access-list extended WEB\n no deny tcp any any\n",
        (
            "ip access-list extended WEB\n no permit ip any any\n deny tcp any any\n"
            " permit ip any any\n"
        ),
    ),
    (
        "only the entry that was put in",
        "ip access-list extended WEB\n 15 permit udp any any\n",
        "ip access-list extended WEB\n no permit udp any any\n",
    ),
    (
        "secondaries removed before the primary",
        (
            "interface Serial0/1\n ip address 10.9.0.1 255.255.255.0\n"
            " ip address 10.8.0.1 255.255.255.0 secondary\n"
        ),
        (
            "interface Serial0/1\n no ip address 10.8.0.1 255.255.255.0 secondary\n"
            " no ip address 10.9.0.1 255.255.255.0\n"
        ),
    ),
    (
        "a named list after the class-map that names it",
        (
            "ip access-list extended SNA\n permit tcp any any eq 2065\nclass-map SNA\n"
            " match access-group name SNA\npolicy-map EDGE\n class SNA\n  bandwidth 16\n"
        ),
        "policy-map EDGE\n no class SNA\nno class-map SNA\nno ip access-list extended SNA\n",
    ),
    (
        "a numbered list after the interface and the class-map that name it",
        (
            "access-list 130 permit ip any any\nclass-map ALL\n match access-group 130\n"
            "interface Serial0/0\n ip access-group 130 in\n"
        ),
        "interface Serial0/0\n no ip access-group 130 in\nno class-map ALL\nno access-list 130\n",
    ),
    (
        "a list before the class-map that names it",
        "policy-map EDGE\n no class DATA\nno class-map DATA\nno access-list 101\n",
        (
            "access-list 101 permit tcp any any eq www\naccess-list 101 deny ip any any\n"
            "class-map match-all DATA\n match access-group 101\n"
            "policy-map EDGE\n no class BULK\n class DATA\n  bandwidth 64\n  random-detect\n"
            "  random-detect precedence 3 15 30 10\n class BULK\n  bandwidth 32\n"
        ),
    ),
    (
        "a map-class before the circuit that names it, its policy last",
        (
            "interface Serial0/2.7\n frame-relay interface-dlci 7\n  no class FR\n"
            "no map-class frame-relay FR\n"
        ),
        (
            "map-class frame-relay FR\n frame-relay cir 64000\n"
            "interface Serial0/2.7 point-to-point\n frame-relay interface-dlci 7\n  class FR\n"
            "map-class frame-relay FR\n service-policy output CHILD\n"
        ),
    ),
    (
        "the match type of a class-map",
        "class-map match-all VOICE\n",
        "class-map match-any VOICE\n",
    ),
    (
        "matches in their order",
        "class-map VOICE\n no match ip dscp ef\n match ip precedence 5\n match ip dscp ef\n",
        "class-map match-any VOICE\n no match ip precedence 5\n",
    ),
]


@pytest.mark.parametrize(
    ("edit", "rollback"),
    [pytest.param(edit, rollback, id=f"rollback is {name}") for name, edit, rollback in ROLLBACKS],
)
def test_rollback(edit: str, rollback: str) -> None:
    before = config(QOS)
    applied = apply(before, config(edit))
    assert not applied.refused
    lines = undo_commands(before, applied.tree)
    assert lines is not None
    assert "".join(f"{line}\n" for line in lines) == rollback
    assert same_config(apply(applied.tree, config(rollback)).tree, before)


def test_units_of_bandwidth_are_cleared_before_another_is_given() -> None:
    text = "version 12.3\n" + QOS
    edit = (
        "policy-map EDGE\n class DATA\n  no bandwidth\n class BULK\n  no bandwidth\n"
        " class DATA\n  bandwidth percent 20\n class BULK\n  bandwidth percent 10\n"
    )
    before = config(text)
    applied = apply(before, config(edit))
    assert not applied.refused
    assert undo_commands(before, applied.tree) == (
        "policy-map EDGE",
        " class DATA",
        "  no bandwidth percent 20",
        " class BULK",
        "  no bandwidth percent 10",
        " class DATA",
        "  bandwidth 64",
        " class BULK",
        "  bandwidth 32",
    )


def test_a_banner_comes_back_with_its_body() -> None:
    before = config("hostname R1\nbanner motd ^C\n  keep out \n\n^C\n")
    after = apply(before, config("no banner motd\n")).tree
    assert undo_commands(before, after) == ("banner motd ^C", "  keep out ", "", "^C")


NO_WAY_BACK = [
    (
        "a policy that was attached and never defined",
        "interface Serial0/0\n service-policy output NONE\n",
        "interface Serial0/0\n no service-policy output NONE\n",
    ),
    (
        "a class that never had a class-map",
        "policy-map P\n class NONE\n  bandwidth 8\n",
        "policy-map P\n no class NONE\n",
    ),
    (
        "a stored no of a command whose default is not known",
        "no feature quux\n",
        "feature quux\n",
    ),
]


@pytest.mark.parametrize(
    ("before", "edit"),
    [pytest.param(before, edit, id=f"no way back to {name}") for name, before, edit in NO_WAY_BACK],
)
def test_no_rollback(before: str, edit: str) -> None:
    tree = config(before)
    assert undo_commands(tree, apply(tree, config(edit)).tree) is None
