"""What a config holds after commands were given, as IOS would have it."""

from textwrap import dedent

import pytest

from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import canonical, same_config
from advisor.ios.edit.keys import is_physical
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config


def config(text: str) -> ConfigTree:
    return parse_config(dedent(text), "r1.ios")


def lines(text: str) -> str:
    """A table's text: sub-commands after `/`, each deeper by one more."""
    rows = []
    for part in text.split("\n"):
        for row in part.split(" / "):
            depth = len(row) - len(row.lstrip(">"))
            rows.append(" " * depth + row.lstrip(">").strip())
    return "".join(f"{row}\n" for row in rows if row)


SERIAL = "interface Serial0/0 / >bandwidth 512 / >tx-ring-limit 10 / >service-policy output EDGE"
VOICE = "class-map match-any VOICE / >match ip dscp ef"
EDGE = "policy-map EDGE / >class VOICE / >>priority 128 / >class class-default / >>fair-queue"
THREE = "class-map A\nclass-map B\nclass-map C\n"
ABC = THREE + "policy-map P / >class A / >class B / >class C / >class class-default"
NAMED = "ip access-list extended WEB / >permit tcp any any / >deny ip any any"
PVC = "interface ATM0/0.1 point-to-point / >ip address 10.0.0.1 255.0.0.0 / >pvc voice 1/35"

# id, before, commands, after
EDITS = [
    # entering and making sections
    ("a setting is replaced in its place", SERIAL, "interface Serial0/0 / >tx-ring-limit 2",
     SERIAL.replace("limit 10", "limit 2")),
    ("a short interface name enters the interface", SERIAL, "int Se0/0 / >tx-ring-limit 2",
     SERIAL.replace("limit 10", "limit 2")),
    ("case and a blank in an interface name make no difference", SERIAL,
     "interface serial 0/0 / >tx-ring-limit 2", SERIAL.replace("limit 10", "limit 2")),
    ("the type word of a subinterface is no part of its name",
     "interface Serial0/0.1 point-to-point / >bandwidth 64",
     "interface Serial0/0.1 / >bandwidth 128",
     "interface Serial0/0.1 point-to-point / >bandwidth 128"),
    ("a short name is stored in full", "hostname R1", "int fa0/1 / >speed 100",
     "hostname R1\ninterface FastEthernet0/1 / >speed 100"),
    ("a new interface comes after the others and before the routing protocol",
     "interface Serial0/0 / >mtu 1500\nrouter ospf 1 / >network 10.0.0.0 0.0.0.255 area 0",
     "interface Multilink1 / >ppp multilink",
     ("interface Serial0/0 / >mtu 1500\ninterface Multilink1 / >ppp multilink\n"
     "router ospf 1 / >network 10.0.0.0 0.0.0.255 area 0")),
    ("a class-map comes before the policy-map and that before the interface",
     "hostname R1\ninterface Serial0/0 / >mtu 1500\nend",
     "policy-map EDGE / >class class-default / >>fair-queue\nclass-map DATA / >match any",
     ("hostname R1\nclass-map DATA / >match any\n"
     "policy-map EDGE / >class class-default / >>fair-queue\n"
     "interface Serial0/0 / >mtu 1500\nend")),
    ("a policy-map comes after a class-map that stands low", f"{SERIAL}\n{VOICE}",
     EDGE, f"{SERIAL}\n{VOICE}\n{EDGE}"),
    ("nothing is written after end", "hostname R1\nend", "ip route 0.0.0.0 0.0.0.0 Serial0/0",
     "hostname R1\nip route 0.0.0.0 0.0.0.0 Serial0/0\nend"),
    ("one snippet edits several sections", f"{VOICE}\n{EDGE}\n{SERIAL}",
     "policy-map EDGE / >class VOICE / >>priority 96\ninterface Serial0/0 / >bandwidth 256",
     f"{VOICE}\n{EDGE}\n{SERIAL}".replace("priority 128", "priority 96")
     .replace("bandwidth 512", "bandwidth 256")),
    ("comments, exit and end in a snippet are no edits", SERIAL,
     "!\ninterface Serial0/0 / >tx-ring-limit 2 / >exit\n!\nend",
     SERIAL.replace("limit 10", "limit 2")),
    ("exit leads back to the mode around", f"{VOICE}\n{EDGE}",
     "policy-map EDGE / >class VOICE / >>priority 96 / >>exit / >>description WAN",
     f"{VOICE}\n" + EDGE.replace("128", "96").replace("EDGE", "EDGE / >description WAN")),
    ("a second section of an interface counts later", f"{SERIAL}\ninterface Serial0/0 / >mtu 1500",
     "interface Serial0/0 / >mtu 1400", f"{SERIAL}\ninterface Serial0/0 / >mtu 1400"),
    ("a setting of the first section is found from the second",
     f"{SERIAL}\ninterface Serial0/0 / >mtu 1500", "interface Serial0/0 / >tx-ring-limit 2",
     SERIAL.replace("limit 10", "limit 2") + "\ninterface Serial0/0 / >mtu 1500"),
    ("a PVC is entered by its numbers", PVC + " / >>tx-ring-limit 40",
     "interface ATM0/0.1 / >pvc 1/35 / >>tx-ring-limit 5", PVC + " / >>tx-ring-limit 5"),
    ("a PVC is entered by its name", PVC + " / >>tx-ring-limit 40",
     "interface ATM0/0.1 / >pvc voice / >>tx-ring-limit 5", PVC + " / >>tx-ring-limit 5"),
    ("vpi 0 is understood where only the vci is given",
     "interface ATM0/0 / >pvc 0/35 / >>ubr 512", "interface ATM0/0 / >pvc 35 / >>ubr 256",
     "interface ATM0/0 / >pvc 0/35 / >>ubr 256"),
    ("one service class of a PVC takes the place of another",
     PVC + " / >>ubr 1000", "interface ATM0/0.1 / >pvc voice 1/35 / >>vbr-nrt 1000 1000",
     PVC + " / >>vbr-nrt 1000 1000"),
    ("a setting of the interface goes above its PVCs", PVC, "interface ATM0/0.1 / >mtu 1500",
     PVC.replace(" / >pvc", " / >mtu 1500 / >pvc")),
    ("a map-class is made and filled", "hostname R1",
     "map-class frame-relay FR / >frame-relay cir 64000 / >frame-relay fragment 80",
     "hostname R1\nmap-class frame-relay FR / >frame-relay cir 64000 / >frame-relay fragment 80"),
    ("a class-map is entered without its match type", VOICE, "class-map VOICE / >match ip rtp 16384 16383",
     VOICE + " / >match ip rtp 16384 16383"),
    ("another match type changes the head in place", VOICE, "class-map match-all VOICE",
     VOICE.replace("any", "all")),

    # settings with one value
    ("bandwidth, mtu and description replace theirs",
     "interface Serial0/0 / >description old / >bandwidth 64 / >mtu 1500",
     "interface Serial0/0 / >mtu 600 / >bandwidth 128 / >description new one",
     "interface Serial0/0 / >description new one / >bandwidth 128 / >mtu 600"),
    ("encapsulation, clock rate and load-interval replace theirs",
     "interface Serial0/0 / >encapsulation ppp / >clock rate 64000 / >load-interval 300",
     "interface Serial0/0 / >encapsulation frame-relay / >clock rate 128000 / >load-interval 30",
     "interface Serial0/0 / >encapsulation frame-relay / >clock rate 128000 / >load-interval 30"),
    ("hold-queue in leaves hold-queue out alone",
     "interface Serial0/0 / >hold-queue 40 out / >hold-queue 75 in",
     "interface Serial0/0 / >hold-queue 100 in",
     "interface Serial0/0 / >hold-queue 40 out / >hold-queue 100 in"),
    ("an address replaces the primary, a secondary is one more",
     "interface Serial0/0 / >ip address 10.0.0.1 255.0.0.0",
     "interface Serial0/0 / >ip address 10.1.0.1 255.0.0.0 / >ip address 10.2.0.1 255.0.0.0 secondary",
     "interface Serial0/0 / >ip address 10.1.0.1 255.0.0.0 / >ip address 10.2.0.1 255.0.0.0 secondary"),
    ("fragment delay and size of multilink PPP stand apart",
     "interface Multilink1 / >ppp multilink / >ppp multilink fragment delay 20",
     "interface Multilink1 / >ppp multilink fragment delay 10 / >ppp multilink fragment size 80",
     ("interface Multilink1 / >ppp multilink / >ppp multilink fragment delay 10"
     " / >ppp multilink fragment size 80")),
    ("the newer spelling of a fragment delay replaces the older",
     "interface Multilink1 / >ppp multilink fragment-delay 20",
     "interface Multilink1 / >ppp multilink fragment delay 10",
     "interface Multilink1 / >ppp multilink fragment delay 10"),
    ("the newer spelling of a clock and of a bundle replaces the older",
     "interface Serial0/0 / >clockrate 64000 / >multilink-group 1",
     "interface Serial0/0 / >clock rate 128000 / >ppp multilink group 2",
     "interface Serial0/0 / >clock rate 128000 / >ppp multilink group 2"),
    ("no of the newer spelling removes the older",
     "interface Multilink1 / >ppp multilink / >ppp multilink fragment-delay 20",
     "interface Multilink1 / >no ppp multilink fragment delay",
     "interface Multilink1 / >ppp multilink"),
    ("frame-relay fragment replaces its value",
     "map-class frame-relay FR / >frame-relay fragment 320",
     "map-class frame-relay FR / >frame-relay fragment 80",
     "map-class frame-relay FR / >frame-relay fragment 80"),
    ("hostname replaces its value", "hostname R1", "hostname R2", "hostname R2"),
    ("another policer replaces the first with its actions",
     f"{VOICE}\npolicy-map P / >class VOICE / >>police 64000 / >>>conform-action transmit",
     "policy-map P / >class VOICE / >>police 128000 / >>>exceed-action drop",
     f"{VOICE}\npolicy-map P / >class VOICE / >>police 128000 / >>>exceed-action drop"),
    ("an action of the policer is edited inside it",
     f"{VOICE}\npolicy-map P / >class VOICE / >>police 64000 / >>>exceed-action transmit",
     "policy-map P / >class VOICE / >>police 64000 / >>>exceed-action drop",
     f"{VOICE}\npolicy-map P / >class VOICE / >>police 64000 / >>>exceed-action drop"),
    ("queue-limit and shape average replace theirs",
     f"{VOICE}\npolicy-map P / >class VOICE / >>shape average 64000 / >>queue-limit 64",
     "policy-map P / >class VOICE / >>queue-limit 20 / >>shape average 128000 1280 0",
     f"{VOICE}\npolicy-map P / >class VOICE / >>shape average 128000 1280 0 / >>queue-limit 20"),
    ("a row of WRED replaces the row of its precedence",
     "interface Serial0/0 / >random-detect / >random-detect precedence 3 15 30 10",
     "interface Serial0/0 / >random-detect precedence 3 10 30 10 / >random-detect precedence 4 20 40 10",
     ("interface Serial0/0 / >random-detect / >random-detect precedence 3 10 30 10"
     " / >random-detect precedence 4 20 40 10")),
    ("a DSCP by number is the same row as by name",
     "interface Serial0/0 / >random-detect dscp-based / >random-detect dscp af11 15 30 10",
     "interface Serial0/0 / >random-detect dscp 10 12 30 10",
     "interface Serial0/0 / >random-detect dscp-based / >random-detect dscp 10 12 30 10"),
    ("the weight of WRED replaces its value, the way of WRED too",
     "interface Serial0/0 / >random-detect / >random-detect exponential-weighting-constant 9",
     "interface Serial0/0 / >random-detect exponential-weighting-constant 7 / >random-detect dscp-based",
     "interface Serial0/0 / >random-detect dscp-based / >random-detect exponential-weighting-constant 7"),

    # settings with many values
    ("a second helper address is one more",
     "interface Serial0/0 / >ip helper-address 10.0.0.1",
     "interface Serial0/0 / >ip helper-address 10.0.0.2",
     "interface Serial0/0 / >ip helper-address 10.0.0.1 / >ip helper-address 10.0.0.2"),
    ("entries of a numbered list are added below it", "access-list 101 permit tcp any any\nline con 0",
     "access-list 101 deny ip any any",
     "access-list 101 permit tcp any any\naccess-list 101 deny ip any any\nline con 0"),
    ("entries of a named list are added below its last", NAMED,
     "ip access-list extended WEB / >permit icmp any any", NAMED + " / >permit icmp any any"),
    ("a sequence number puts an entry between two", NAMED,
     "ip access-list extended WEB / >15 permit icmp any any",
     NAMED.replace(" / >deny", " / >permit icmp any any / >deny")),
    ("a list printed with numbers numbers the new entry",
     "ip access-list extended WEB / >10 permit tcp any any",
     "ip access-list extended WEB / >deny ip any any",
     "ip access-list extended WEB / >10 permit tcp any any / >20 deny ip any any"),

    # no
    ("no with the exact words", SERIAL, "interface Serial0/0 / >no tx-ring-limit 10",
     SERIAL.replace(" / >tx-ring-limit 10", "")),
    ("no without the value", SERIAL, "interface Serial0/0 / >no tx-ring-limit",
     SERIAL.replace(" / >tx-ring-limit 10", "")),
    ("no with another value", SERIAL, "interface Serial0/0 / >no tx-ring-limit 5",
     SERIAL.replace(" / >tx-ring-limit 10", "")),
    ("no hold-queue out without its length",
     "interface Serial0/0 / >hold-queue 40 out / >hold-queue 75 in",
     "interface Serial0/0 / >no hold-queue out", "interface Serial0/0 / >hold-queue 75 in"),
    ("no description", "interface Serial0/0 / >description to HQ / >mtu 1500",
     "interface Serial0/0 / >no description", "interface Serial0/0 / >mtu 1500"),
    ("no random-detect takes its rows along",
     "interface Serial0/0 / >random-detect / >mtu 1500 / >random-detect precedence 3 15 30 10",
     "interface Serial0/0 / >no random-detect", "interface Serial0/0 / >mtu 1500"),
    ("no of one WRED row leaves the others",
     ("interface Serial0/0 / >random-detect / >random-detect precedence 3 15 30 10"
     " / >random-detect precedence 4 20 40 10"),
     "interface Serial0/0 / >no random-detect precedence 3",
     "interface Serial0/0 / >random-detect / >random-detect precedence 4 20 40 10"),
    ("no of the way of WRED takes its rows along",
     "interface Serial0/0 / >mtu 1500 / >random-detect dscp-based / >random-detect dscp ef 15 30 10",
     "interface Serial0/0 / >no random-detect dscp-based", "interface Serial0/0 / >mtu 1500"),
    ("no ip address takes the secondaries along",
     "interface Serial0/0 / >mtu 600 / >ip address 10.1.0.1 255.0.0.0 / >ip address 10.2.0.1 255.0.0.0 secondary",
     "interface Serial0/0 / >no ip address", "interface Serial0/0 / >mtu 600"),
    ("one service-policy takes the place of another by way of no",
     f"policy-map NEW\n{VOICE}\n{EDGE}\n{SERIAL}",
     "interface Serial0/0 / >no service-policy output EDGE / >service-policy output NEW",
     f"policy-map NEW\n{VOICE}\n{EDGE}\n" + SERIAL.replace("output EDGE", "output NEW")),
    ("no class takes the class and what is in it", f"{VOICE}\n{EDGE}",
     "policy-map EDGE / >no class VOICE",
     f"{VOICE}\npolicy-map EDGE / >class class-default / >>fair-queue"),
    ("no policy-map and no class-map in order", f"{VOICE}\n{EDGE}\nhostname R1",
     "no policy-map EDGE\nno class-map VOICE", "hostname R1"),
    ("no match takes one match of several", VOICE + " / >match ip precedence 5",
     "class-map VOICE / >no match ip dscp 46", "class-map match-any VOICE / >match ip precedence 5"),
    ("no of a numbered list", "access-list 101 permit ip any any\naccess-list 102 permit ip any any",
     "no access-list 101", "access-list 102 permit ip any any"),
    ("no of one entry of a numbered list takes the whole list",
     "access-list 101 permit tcp any any\naccess-list 101 deny ip any any\nhostname R1",
     "no access-list 101 permit tcp any any", "hostname R1"),
    ("no of a named list", f"{NAMED}\nhostname R1", "no ip access-list extended WEB", "hostname R1"),
    ("no with a sequence number counts by ten where the config shows none", NAMED,
     "ip access-list extended WEB / >no 10", NAMED.replace(" / >permit tcp any any", "")),
    ("no of an entry of a named list", NAMED,
     "ip access-list extended WEB / >no deny ip any any", NAMED.replace(" / >deny ip any any", "")),
    ("no of a subinterface", "interface Serial0/0 / >mtu 600\ninterface Serial0/0.1 point-to-point / >mtu 600",
     "no interface Serial0/0.1", "interface Serial0/0 / >mtu 600"),
    ("no of a PVC", PVC, "interface ATM0/0.1 / >no pvc voice 1/35", PVC.replace(" / >pvc voice 1/35", "")),
    ("no route-map takes every sequence",
     "route-map PBR permit 10 / >match ip address 101\nroute-map PBR permit 20\nhostname R1",
     "no route-map PBR", "hostname R1"),

    # stored negatives and defaults
    ("a stored no gives way to the setting", "no ip http server", "ip http server", "ip http server"),
    ("a setting that IOS prints either way gives way to its no", "ip http server",
     "no ip http server", "no ip http server"),
    ("no keepalive is stored, for keepalive is on by default", "interface Serial0/0 / >mtu 600",
     "interface Serial0/0 / >no keepalive", "interface Serial0/0 / >mtu 600 / >no keepalive"),
    ("keepalive takes its stored no away", "interface Serial0/0 / >mtu 600 / >no keepalive",
     "interface Serial0/0 / >keepalive", "interface Serial0/0 / >mtu 600"),
    ("no fair-queue is stored on an interface", "interface Serial0/0 / >mtu 600",
     "interface Serial0/0 / >no fair-queue", "interface Serial0/0 / >mtu 600 / >no fair-queue"),
    ("no fair-queue in a class only takes it away", f"{VOICE}\n{EDGE}",
     "policy-map EDGE / >class class-default / >>no fair-queue",
     f"{VOICE}\n{EDGE}".replace(" / >>fair-queue", "")),
    ("no shutdown takes shutdown away", "interface Serial0/0 / >mtu 600 / >shutdown",
     "interface Serial0/0 / >no shutdown", "interface Serial0/0 / >mtu 600"),
    ("an address takes the place of no ip address", "interface Serial0/0 / >no ip address / >mtu 600",
     "interface Serial0/0 / >ip address 10.0.0.1 255.0.0.0",
     "interface Serial0/0 / >ip address 10.0.0.1 255.0.0.0 / >mtu 600"),
    ("default takes a setting away", SERIAL, "interface Serial0/0 / >default tx-ring-limit",
     SERIAL.replace(" / >tx-ring-limit 10", "")),
    ("default takes a stored no away", "interface Serial0/0 / >mtu 600 / >no fair-queue",
     "interface Serial0/0 / >default fair-queue", "interface Serial0/0 / >mtu 600"),
    ("default interface empties it", f"{VOICE}\n{EDGE}\n{SERIAL}", "default interface Serial0/0",
     f"{VOICE}\n{EDGE}\ninterface Serial0/0"),
    ("a section behind default interface takes the line",
     f"{SERIAL}\ndefault interface Serial0/0\ninterface Serial0/0 / >tx-ring-limit 6",
     "interface Serial0/0 / >tx-ring-limit 3",
     f"{SERIAL}\ndefault interface Serial0/0\ninterface Serial0/0 / >tx-ring-limit 3"),

    # order
    ("a new class goes before class-default", ABC, "class-map D\npolicy-map P / >class D",
     ABC.replace("class-map C\n", "class-map C\nclass-map D\n").replace(">class C", ">class C / >class D")),
    ("insert-before puts a class where it says", ABC,
     "class-map D\npolicy-map P / >class D insert-before B",
     ABC.replace("class-map C\n", "class-map C\nclass-map D\n").replace(">class B", ">class D / >class B")),
    ("a class that was removed comes back as the last", ABC,
     "policy-map P / >no class A\npolicy-map P / >class A",
     THREE + "policy-map P / >class B / >class C / >class A / >class class-default"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "commands", "after"), [pytest.param(*row, id=name) for name, *row in EDITS]
)
def test_edit(before: str, commands: str, after: str) -> None:
    applied = apply(config(lines(before)), config(lines(commands)))
    assert not applied.refused
    assert not applied.unchanged
    assert applied.tree.text() == lines(after)


# id, before, the command that IOS refuses, words of the reason
REFUSALS = [
    ("a policy-map that is attached", f"{VOICE}\n{EDGE}\n{SERIAL}", "no policy-map EDGE", "in use"),
    ("a policy-map that is nested in another",
     f"{VOICE}\n{EDGE}\npolicy-map TOP / >class class-default / >>service-policy EDGE",
     "no policy-map EDGE", "in use"),
    ("a class-map that a policy-map names", f"{VOICE}\n{EDGE}", "no class-map VOICE", "in use"),
    ("a class-map that another matches", f"{VOICE}\nclass-map ALL / >match class-map VOICE",
     "no class-map VOICE", "in use"),
    ("attaching a policy-map that is not defined", "interface Serial0/0 / >mtu 600",
     "interface Serial0/0 / >service-policy output EDGE", "not defined"),
    ("a class whose class-map is not defined", "policy-map EDGE",
     "policy-map EDGE / >class VOICE", "not defined"),
    ("a second policy in one direction", f"policy-map NEW\n{VOICE}\n{EDGE}\n{SERIAL}",
     "interface Serial0/0 / >service-policy output NEW", "detach it first"),
    ("detaching a policy by a wrong name", f"{VOICE}\n{EDGE}\n{SERIAL}",
     "interface Serial0/0 / >no service-policy output OTHER", "what is set there"),
    ("removing an address that is not the interface's",
     "interface Serial0/0 / >ip address 10.0.0.1 255.0.0.0",
     "interface Serial0/0 / >no ip address 10.9.9.9 255.0.0.0", "what is set there"),
    ("priority beside bandwidth", f"{VOICE}\npolicy-map P / >class VOICE / >>bandwidth 64",
     "policy-map P / >class VOICE / >>priority 64", "beside"),
    ("random-detect beside priority", f"{VOICE}\n{EDGE}",
     "policy-map EDGE / >class VOICE / >>random-detect", "beside"),
    ("fair-queue beside priority", f"{VOICE}\n{EDGE}",
     "policy-map EDGE / >class VOICE / >>fair-queue", "beside"),
    ("bandwidth in percent beside kbps before HQF",
     "version 12.3\nclass-map A\nclass-map B\npolicy-map P / >class A / >>bandwidth 64 / >class B",
     "policy-map P / >class B / >>bandwidth percent 20", "bandwidth in kbps"),
    ("WRED beside a queue-limit before HQF",
     f"version 12.2\n{VOICE}\npolicy-map P / >class VOICE / >>bandwidth 64 / >>queue-limit 40",
     "policy-map P / >class VOICE / >>random-detect dscp-based", "has queue-limit"),
    ("a queue-limit beside WRED before HQF",
     f"version 12.2\n{VOICE}\npolicy-map P / >class VOICE / >>bandwidth 64 / >>random-detect",
     "policy-map P / >class VOICE / >>queue-limit 40", "has random-detect"),
    ("removing class-default", f"{VOICE}\n{EDGE}", "policy-map EDGE / >no class class-default",
     "part of every"),
    ("removing a physical interface", SERIAL, "no interface Serial0/0", "physical"),
    ("a sequence number that is taken",
     NAMED, "ip access-list extended WEB / >10 permit icmp any any", "is taken"),
    ("a prefix-list sequence that holds another entry",
     "ip prefix-list P seq 5 permit 10.0.0.0/8", "ip prefix-list P seq 5 deny 10.0.0.0/8", "another"),
    ("editing in named form what is in access-list lines", "access-list 101 permit ip any any",
     "ip access-list extended 101", "is in access-list lines"),
    ("an access-list line for what stands in named form",
     "ip access-list extended 101 / >permit ip any any", "access-list 101 deny ip any any",
     "is under ip access-list"),
    ("insert-before a class that is not there", ABC, "policy-map P / >class A / >no class A / >class A insert-before X",
     "not in the policy-map"),
    ("a command after end", "hostname R1", "end\nhostname R2", "has been left"),
    ("a row of WRED where both stand before HQF",
     f"version 12.2\n{VOICE}\npolicy-map P / >class VOICE / >>bandwidth 64 / >>random-detect / >>queue-limit 40",
     "policy-map P / >class VOICE / >>random-detect precedence 3 6 20 10",
     "the class has queue-limit"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "commands", "reason"),
    [pytest.param(*row, id=f"{name} is refused") for name, *row in REFUSALS],
)
def test_refusal(before: str, commands: str, reason: str) -> None:
    tree = config(lines(before))
    applied = apply(tree, config(lines(commands)))
    (refusal,) = applied.refused
    assert reason in refusal.reason
    assert refusal.text == config(lines(commands)).text().split("\n")[-2].strip()


ACCEPTED = [
    ("mixed units of bandwidth since HQF",
     "version 15.1\nclass-map A\nclass-map B\npolicy-map P / >class A / >>bandwidth 64 / >class B",
     "policy-map P / >class B / >>bandwidth percent 20"),
    ("a policy-map and its use in one snippet", SERIAL.replace("EDGE", "OLD"),
     f"{VOICE}\n{EDGE}\ninterface Serial0/0 / >no service-policy output OLD / >service-policy output EDGE"),
    ("the other direction of an interface with a policy", f"{VOICE}\n{EDGE}\n{SERIAL}",
     "interface Serial0/0 / >service-policy input EDGE"),
    ("priority after bandwidth is gone", f"{VOICE}\npolicy-map P / >class VOICE / >>bandwidth 64",
     "policy-map P / >class VOICE / >>no bandwidth / >>priority 64"),
    ("WRED beside a queue-limit since HQF",
     f"version 15.1\n{VOICE}\npolicy-map P / >class VOICE / >>bandwidth 64 / >>queue-limit 40",
     "policy-map P / >class VOICE / >>random-detect"),
    ("WRED after the queue-limit is gone",
     f"version 12.2\n{VOICE}\npolicy-map P / >class VOICE / >>bandwidth 64 / >>queue-limit 40",
     "policy-map P / >class VOICE / >>no queue-limit 40 / >>random-detect"),
    ("an edit of a class without class-map that is there", "policy-map P / >class VOICE / >>priority 64",
     "policy-map P / >class VOICE / >>priority 32"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "commands"), [pytest.param(*row, id=f"{name} is taken") for name, *row in ACCEPTED]
)
def test_not_refused(before: str, commands: str) -> None:
    assert not apply(config(lines(before)), config(lines(commands))).refused


NOTHING_NEW = [
    ("an exact repeat", SERIAL, "interface Serial0/0 / >tx-ring-limit 10"),
    ("no of what is not there", SERIAL, "interface Serial0/0 / >no load-interval"),
    ("keepalive where nothing says no keepalive", SERIAL, "interface Serial0/0 / >keepalive"),
    ("no shutdown where nothing says shutdown", SERIAL, "interface Serial0/0 / >no shutdown"),
    ("a stored no given again", "no ip http server", "no ip http server"),
    ("the policy that is attached already", f"{VOICE}\n{EDGE}\n{SERIAL}",
     "interface Serial0/0 / >service-policy output EDGE"),
    ("an entry that the list holds", NAMED, "ip access-list extended WEB / >deny ip any any"),
    ("a match by the number of its name", VOICE, "class-map VOICE / >match ip dscp 46"),
    ("no of a policy-map that is not there", SERIAL, "no policy-map NONE"),
    ("default of what is not set", SERIAL, "interface Serial0/0 / >default mtu"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "commands"),
    [pytest.param(*row, id=f"{name} changes nothing") for name, *row in NOTHING_NEW],
)
def test_unchanged(before: str, commands: str) -> None:
    tree = config(lines(before))
    applied = apply(tree, config(lines(commands)))
    assert applied.tree == tree
    assert not applied.refused
    assert [line.text for line in applied.unchanged] == [lines(commands).split("\n")[-2].strip()]


SAME = [
    ("settings of an interface in another order", "interface Serial0/0 / >mtu 600 / >bandwidth 64",
     "interface Serial0/0 / >bandwidth 64 / >mtu 600"),
    ("comments, exit and end", "!\nhostname R1\nend", "hostname R1"),
    ("one interface in two sections", "interface Serial0/0 / >mtu 600\ninterface Serial0/0 / >bandwidth 64",
     "interface Serial0/0 / >mtu 600 / >bandwidth 64"),
    ("the later of two values", "interface Serial0/0 / >mtu 600 / >mtu 700", "interface Serial0/0 / >mtu 700"),
    ("spelling of an interface name", "interface serial 0/0 / >mtu 600", "interface Serial0/0 / >mtu 600"),
    ("match-all said and not said", "class-map A / >match any", "class-map match-all A / >match any"),
    ("a default said and not said", "interface Serial0/0 / >mtu 600 / >no shutdown / >no ip address",
     "interface Serial0/0 / >mtu 600"),
    ("a physical interface without settings", "hostname R1\ninterface Serial0/0", "hostname R1"),
    ("an empty class-default", "policy-map P / >class class-default", "policy-map P"),
    ("two spellings of one command",
     "ip domain-name x.test\ninterface Multilink1 / >ppp multilink fragment-delay 20 / >ppp multilink max-links 2",
     "ip domain name x.test\ninterface Multilink1 / >ppp multilink fragment delay 20 / >ppp multilink links maximum 2"),
    ("sections in another order", "interface Serial0/0 / >mtu 600\nhostname R1",
     "hostname R1\ninterface Serial0/0 / >mtu 600"),
]  # fmt: skip
DIFFERENT = [
    ("classes in another order", "policy-map P / >class A / >class B", "policy-map P / >class B / >class A"),
    ("entries in another order", NAMED, "ip access-list extended WEB / >deny ip any any / >permit tcp any any"),
    ("matches in another order", "class-map A / >match any / >match ip dscp ef",
     "class-map A / >match ip dscp ef / >match any"),
    ("entries of a numbered list in another order",
     "access-list 1 permit any\naccess-list 1 deny any", "access-list 1 deny any\naccess-list 1 permit any"),
    ("a logical interface without settings", "hostname R1\ninterface Multilink1", "hostname R1"),
    ("no keepalive", "interface Serial0/0 / >no keepalive", "interface Serial0/0"),
    ("names in another case", "class-map A", "class-map a"),
    ("match-any and match-all", "class-map match-any A", "class-map A"),
    ("the body of a banner", "banner motd ^C\nhello\n^C", "banner motd ^C\nbye\n^C"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [pytest.param(*row, True, id=f"same: {name}") for name, *row in SAME]
    + [pytest.param(*row, False, id=f"different: {name}") for name, *row in DIFFERENT],
)
def test_same_config(a: str, b: str, *, same: bool) -> None:
    assert same_config(config(lines(a)), config(lines(b))) is same


def test_untouched_lines_are_the_same_objects_with_their_numbers() -> None:
    before = config(
        "hostname R1\n!\ninterface Serial0/0\n  mtu 600\n  bandwidth 64\n! end of it\nend\n"
    )
    after = apply(before, config("interface Serial0/0\n mtu 700\n")).tree
    assert [line.number for line in after.walk()] == [1, 2, 3, 0, 5, 6, 7]
    assert after.lines[0] is before.lines[0]
    assert after.lines[2].children[1] is before.lines[2].children[1]


def test_new_lines_take_the_indentation_and_line_ends_of_the_file() -> None:
    before = parse_config("policy-map P\r\n   class class-default\r\n      fair-queue\r\n", "r1")
    edit = config(
        "policy-map P\n class class-default\n  queue-limit 20\ninterface Serial0/0\n mtu 600\n"
    )
    assert apply(before, edit).tree.text() == (
        "policy-map P\r\n   class class-default\r\n      fair-queue\r\n      queue-limit 20\r\n"
        "interface Serial0/0\r\n mtu 600\r\n"
    )


def test_a_last_line_without_an_end_gets_one_when_a_line_follows() -> None:
    before = parse_config("interface Serial0/0\n mtu 600", "r1")
    edit = config("interface Serial0/0\n bandwidth 64\n")
    assert apply(before, edit).tree.text() == "interface Serial0/0\n mtu 600\n bandwidth 64\n"


def test_a_last_line_without_an_end_stays_so_when_it_is_replaced() -> None:
    before = parse_config("interface Serial0/0\n mtu 600", "r1")
    edit = config("interface Serial0/0\n mtu 700\n")
    assert apply(before, edit).tree.text() == "interface Serial0/0\n mtu 700"


def test_a_flat_config_is_edited_flat() -> None:
    flat = (
        "class-map VOICE\nmatch ip dscp ef\npolicy-map P\nclass VOICE\npriority 64\n"
        "class class-default\nfair-queue\ninterface Serial0/0\ntx-ring-limit 10\n"
    )
    edit = (
        "class-map DATA\n match any\npolicy-map P\n class DATA\n  bandwidth 32\n"
        "interface Serial0/0\n tx-ring-limit 2\n service-policy output P\n"
    )
    after = apply(config(flat), config(edit)).tree
    assert after.text() == (
        "class-map VOICE\nmatch ip dscp ef\nclass-map DATA\nmatch any\npolicy-map P\nclass VOICE\n"
        "priority 64\nclass DATA\nbandwidth 32\nclass class-default\nfair-queue\n"
        "interface Serial0/0\ntx-ring-limit 2\nservice-policy output P\n"
    )
    assert config(after.text()).lines[-1].children[1].text == "service-policy output P"


@pytest.mark.parametrize("bad", ["\r", "\x08", "\x1b[K", "\x85", "\u2028"])
def test_a_control_character_in_a_command_is_refused(bad: str) -> None:
    snippet = config("interface Serial0/0\n description x\n")
    line = snippet.lines[0].children[0]
    smuggled = type(line)(f"description x{bad}no ip http server", 2, line.raw)
    head = type(line)("interface Serial0/0", 1, "interface Serial0/0\n", children=(smuggled,))
    applied = apply(config(lines(SERIAL)), ConfigTree("fix", (head,)))
    assert [refusal.reason for refusal in applied.refused] == ["it holds a control character"]
    assert applied.tree.text() == lines(SERIAL)


def test_a_remark_above_a_section_stays_with_it() -> None:
    before = config("! advisor: ignore[TXR001] lab\ninterface Serial0/0\n mtu 600\n")
    after = apply(before, config("policy-map P\n class class-default\n  fair-queue\n")).tree
    assert after.text().endswith(before.text())


def test_what_stands_under_a_refused_head_is_not_tried() -> None:
    applied = apply(config("policy-map P\n"), config("policy-map P\n class X\n  priority 64\n"))
    assert [refusal.text for refusal in applied.refused] == ["class X"]
    assert applied.tree.text() == "policy-map P\n"


def test_canonical_text_is_sorted_where_order_has_no_meaning() -> None:
    tree = config("interface Serial0/0\n mtu 600\n bandwidth 64\nhostname R1\n")
    assert canonical(tree) == ("hostname R1", "interface Serial0/0", " bandwidth 64", " mtu 600")


@pytest.mark.parametrize(
    ("name", "physical"),
    [("Serial0/0", True), ("Serial0/0.1", False), ("Multilink1", False), ("ATM0/0", True)],
)
def test_only_logical_interfaces_can_be_removed(name: str, *, physical: bool) -> None:
    assert is_physical(name) is physical
