"""A policy at several outputs: an edit for all says so; one output alone gets a copy."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Level
from advisor.lint.plan import DevicePlan, RemedySelection, plan_run
from advisor.lint.run import review
from advisor.settings import Settings

RULES = load_rules(Settings().budgets)
POLICY = """\
version 12.3
hostname R1
class-map match-all DATA
 match ip precedence 3
policy-map EDGE
 class DATA
  bandwidth 2000
  random-detect
  random-detect precedence 3 20 30 10
"""
OUTPUT = "interface Serial0/{}\n bandwidth 4000\n service-policy output EDGE\n"


@pytest.mark.parametrize(
    ("outputs", "is_said"),
    [pytest.param(1, False, id="one output"), pytest.param(2, True, id="two outputs")],
)
def test_an_edit_of_a_shared_policy_names_all_outputs(outputs: int, is_said: bool) -> None:
    text = POLICY + "".join(OUTPUT.format(number) for number in range(outputs))

    verdict = review([Source("r1.ios", text.encode())], RULES, Settings())

    (remedy,) = (each.remedy for each in verdict.findings if each.rule == "WRD002")
    assert remedy is not None
    words = "EDGE is shared, and all of interface Serial0/0, interface Serial0/1 change"
    assert (words in (remedy.advice or "")) is is_said


SHARED = """\
{version}hostname R1
dlsw local-peer peer-id 10.9.0.1
dlsw remote-peer 0 tcp 10.9.0.2
class-map match-all WEB
 match ip precedence 3
policy-map {name}
 class WEB
  bandwidth 256
 class class-default
  fair-queue
"""
PORT = """\
interface Serial0/{number}
 bandwidth 2000
 ip address 10.9.{number}.1 255.255.255.252
 encapsulation ppp
 clock rate 2000000
 service-policy output {policy}
"""
PARENT = """\
policy-map {name}
 class class-default
  shape average 1500000 15000 0
  service-policy EDGE
"""
BUSY = """\
Serial0/{number} is up, line protocol is up
  Hardware is PowerQUICC Serial
  MTU 1500 bytes, BW 2000 Kbit, DLY 20000 usec,
     reliability 255/255, txload 240/255, rxload 3/255
  Last input 00:00:01, output 00:00:00, output hang never
  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: 911
     3121 packets output, 1830022 bytes, 0 underruns
"""
VERSION = "version 12.3\n"


def router(policies: str, ports: list[str], busy: list[int]) -> Source:
    interfaces = "".join(
        PORT.format(number=number, policy=policy) for number, policy in enumerate(ports)
    )
    seen = "".join(BUSY.format(number=number) for number in busy)
    text = f"R1#show running-config\n{policies}{interfaces}end\nR1#show interfaces\n{seen}R1#\n"
    return Source("r1.txt", text.encode())


def plan_of(source: Source) -> DevicePlan:
    (plan,) = plan_run([source], RULES, Settings(), RemedySelection(("DLS004",))).devices
    return plan


EDGE = SHARED.format(version=VERSION, name="EDGE")


@pytest.mark.parametrize(
    ("ports", "busy", "changed"),
    [
        pytest.param(["EDGE", "EDGE"], [0], ["EDGE-Serial0-0"], id="a fault of one of two outputs"),
        pytest.param(["EDGE", "EDGE"], [0, 1], ["EDGE"], id="a fault of both: changed for all"),
        pytest.param(["EDGE"], [0], ["EDGE"], id="no other output uses it"),
        pytest.param(
            ["EDGE", "EDGE", "EDGE"], [0, 2], ["EDGE-Serial0-0", "EDGE-Serial0-2"],
            id="a fault of two of three",
        ),
    ],
)  # fmt: skip
def test_an_edit_of_a_shared_policy_is_for_the_outputs_that_need_it(
    ports: list[str], busy: list[int], changed: list[str]
) -> None:
    plan = plan_of(router(EDGE, ports, busy))

    heads = [line for line in plan.lines if line.startswith("policy-map ")]
    assert heads == [f"policy-map {name}" for name in changed]


def test_a_copy_holds_the_whole_policy_and_is_attached_in_its_place() -> None:
    plan = plan_of(router(EDGE, ["EDGE", "EDGE"], [0]))

    copied = plan.lines[plan.lines.index("policy-map EDGE-Serial0-0") :]
    assert copied == (
        "policy-map EDGE-Serial0-0",
        " class WEB",
        "  bandwidth 256",
        " class DLSW",
        "  bandwidth 200",
        " class class-default",
        "  fair-queue",
        "interface Serial0/0",
        " no service-policy output EDGE",
        " service-policy output EDGE-Serial0-0",
    )
    assert plan.level is Level.NEEDS_WINDOW


def test_the_way_back_attaches_the_old_policy_before_the_copy_goes() -> None:
    plan = plan_of(router(EDGE, ["EDGE", "EDGE"], [0]))

    assert plan.rollback[:2] == ("interface Serial0/0", " no service-policy output EDGE-Serial0-0")
    attached = plan.rollback.index(" service-policy output EDGE")
    assert attached < plan.rollback.index("no policy-map EDGE-Serial0-0")


@pytest.mark.parametrize(
    ("parents", "lines"),
    [
        pytest.param(
            ["ONE", "ONE"],
            ["policy-map EDGE-Serial0-0", "policy-map ONE-Serial0-0",
             "  service-policy EDGE-Serial0-0", " service-policy output ONE-Serial0-0"],
            id="a shared parent is copied with its child, the child first",
        ),
        pytest.param(
            ["ONE", "TWO"],
            ["policy-map EDGE-Serial0-0", "policy-map ONE", "  no service-policy EDGE",
             "  service-policy EDGE-Serial0-0"],
            id="a parent of one output takes the copy of the child",
        ),
    ],
)  # fmt: skip
def test_a_child_policy_is_copied_where_the_edit_is_there(
    parents: list[str], lines: list[str]
) -> None:
    policies = EDGE + "".join(PARENT.format(name=name) for name in dict.fromkeys(parents))

    plan = plan_of(router(policies, parents, [0]))

    assert [line for line in plan.lines if line in lines] == lines


def test_the_name_of_a_copy_is_free_and_no_longer_than_ios_takes() -> None:
    long = "A-POLICY-WITH-A-NAME-OF-FORTY-CHARACTERS"
    taken = f"policy-map {long[:30]}-Serial0-0\n class WEB\n  bandwidth 8\n"
    policies = SHARED.format(version=VERSION, name=long) + taken

    plan = plan_of(router(policies, [long, long], [0]))

    (head,) = (line for line in plan.lines if line.startswith("policy-map "))
    name = head.removeprefix("policy-map ")
    assert len(name) <= 40
    assert name.startswith("A-POLICY-WITH")
    assert name.endswith("-Serial0-0-2")


def test_what_was_found_in_the_policy_is_not_new_in_its_copy() -> None:
    text = EDGE.replace(
        "  bandwidth 256\n",
        "  bandwidth 256\n  random-detect\n  random-detect precedence 3 20 30 10\n",
    )

    plan = plan_of(router(text, ["EDGE", "EDGE"], [0]))

    assert [step.cures[0].rule for step in plan.steps] == ["DLS004"]


def test_an_edit_for_all_comes_before_the_copy_and_is_in_it() -> None:
    text = EDGE.replace(
        "  bandwidth 256\n",
        "  bandwidth 1200\n  random-detect\n  random-detect precedence 3 20 30 10\n",
    )
    chosen = RemedySelection(("DLS004", "WRD002"))

    (plan,) = plan_run([router(text, ["EDGE", "EDGE"], [0])], RULES, Settings(), chosen).devices

    assert [step.cures[0].rule for step in plan.steps] == ["WRD002", "DLS004"]
    assert "  random-detect precedence 3 20 30 10" not in plan.lines
