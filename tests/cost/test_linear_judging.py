"""Judging a device takes steps in proportion to what it has: steps of Python are counted."""

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest

from advisor.device.device import Device, with_tree
from advisor.device.reading import Source, read_source
from advisor.ground.questions import forget
from advisor.ios.edit.apply import apply
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import load_rules
from advisor.lint.judge import judge
from advisor.outlet.outlets import policies_out
from advisor.settings import Settings

SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)
FEW, MANY = 20, 80
POLICY = (
    "version 12.4\nhostname hub\nclass-map match-any VOICE\n match ip dscp ef\n"
    "policy-map WAN\n class VOICE\n  priority 300\n class class-default\n  fair-queue\n"
)


def plain(count: int) -> Iterator[str]:
    yield from (f"interface Serial{n}/0\n bandwidth 768\n ip address 10.0.{n}.1 255.255.255.252\n"
                for n in range(count))  # fmt: skip


def shared(count: int) -> Iterator[str]:
    yield from (f"interface Serial{n}/0\n bandwidth 768\n encapsulation ppp\n"
                " service-policy output WAN\n" for n in range(count))  # fmt: skip


def own(count: int) -> Iterator[str]:
    for n in range(count):
        yield f"class-map C{n}\n match ip dscp ef\npolicy-map P{n}\n class C{n}\n  priority 64\n"
        yield f"interface Serial{n}/0\n bandwidth 2048\n service-policy output P{n}\n"


def bundles(count: int) -> Iterator[str]:
    for n in range(1, count + 1):
        yield f"interface Multilink{n}\n ppp multilink group {n}\n service-policy output WAN\n"
        yield f"interface Serial{n}/0\n bandwidth 384\n encapsulation ppp\n"
        yield f" ppp multilink group {n}\n"


def channels(count: int) -> Iterator[str]:
    for n in range(1, count + 1):
        yield f"interface Port-channel{n}\n service-policy output WAN\n"
        yield f"interface FastEthernet{n}/0\n channel-group {n}\n"


def circuits(count: int) -> Iterator[str]:
    yield "interface Serial0/0\n encapsulation frame-relay\n frame-relay traffic-shaping\n"
    for n in range(16, 16 + count):
        yield f"interface Serial0/0.{n} point-to-point\n frame-relay interface-dlci {n}\n"
        yield f"  class F{n}\n"
        yield f"map-class frame-relay F{n}\n frame-relay cir 1024000\n service-policy output WAN\n"


def dialers(count: int) -> Iterator[str]:
    for n in range(1, count + 1):
        yield f"interface Dialer{n}\n encapsulation ppp\n dialer pool {n}\n"
        yield f" service-policy output WAN\ninterface ATM0/0.{n} point-to-point\n"
        yield f" pvc 1/{32 + n}\n  vbr-nrt 512 512\n  pppoe-client dial-pool-number {n}\n"


def subinterfaces(count: int) -> Iterator[str]:
    yield "interface FastEthernet0/0\n no ip address\n"
    for n in range(1, count + 1):
        yield f"interface FastEthernet0/0.{n}\n encapsulation dot1Q {n}\n"
        yield f" ip address 10.0.{n}.1 255.255.255.0\n"


def class_maps(count: int) -> Iterator[str]:
    yield from (f"class-map match-any C{n}\n match ip dscp {n % 64}\n" for n in range(count))


def policy_maps(count: int) -> Iterator[str]:
    yield from (f"policy-map P{n}\n class VOICE\n  priority 64\n" for n in range(count))


def access_lists(count: int) -> Iterator[str]:
    for n in range(count):
        yield f"ip access-list extended A{n}\n permit tcp any any eq {n + 1}\n"
        yield f"class-map match-any C{n}\n match access-group name A{n}\n"


def entries(count: int) -> Iterator[str]:
    yield "class-map match-any A\n match access-group name A\nip access-list extended A\n"
    yield from (f" permit tcp host 10.0.{n}.1 any eq {n + 1}\n" for n in range(count))


def steps(work: Callable[[], object]) -> int:
    """Steps of the interpreter while something is done: a loop within a line has many."""
    run, tracing = 0, sys.gettrace()

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal run
        frame.f_trace_opcodes = True
        run += event == "opcode"
        return count

    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(tracing)
    return run


def steps_to_judge(text: str) -> int:
    forget()
    device = read_source(Source("hub", text.encode()), SETTINGS).device
    judge(device, RULES)  # checks are imported
    forget()
    anew = with_tree(device, device.facts.tree)
    return steps(lambda: judge(anew, RULES))


INTERFACES = (plain, shared, bundles, channels, circuits, dialers, subinterfaces)
OTHERS = (class_maps, policy_maps, access_lists, entries)


@pytest.mark.parametrize("kind", [*INTERFACES, *OTHERS])
def test_judging_takes_steps_in_proportion_to_what_a_device_has(
    kind: Callable[[int], Iterator[str]],
) -> None:
    few, many = (steps_to_judge(f"{POLICY}{''.join(kind(n))}end\n") for n in (FEW, MANY))

    assert many <= 1.1 * MANY / FEW * few


def test_the_text_is_searched_for_words_as_often_as_on_a_small_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[int] = []
    may_hold = ConfigTree.may_hold

    def searching(tree: ConfigTree, *parts: str) -> bool:
        searched[-1] += 1
        return may_hold(tree, *parts)

    monkeypatch.setattr(ConfigTree, "may_hold", searching)
    for count in (FEW, MANY):
        forget()
        text = f"{POLICY}{''.join(own(count))}end\n"
        searched.append(0)
        judge(read_source(Source("hub", text.encode()), SETTINGS).device, RULES)

    assert searched[0] == searched[1] > 0


def test_an_edit_leaves_the_outputs_elsewhere_as_they_are() -> None:
    def steps_after_an_edit(count: int) -> int:
        forget()
        text = f"{POLICY}{''.join(shared(count))}end\n"
        device = read_source(Source("hub", text.encode()), SETTINGS).device
        policies_out(device)
        edited = edited_at(device, "interface Serial1/0\n tx-ring-limit 1\n")
        return steps(lambda: policies_out(edited))

    few, many = steps_after_an_edit(FEW), steps_after_an_edit(MANY)

    assert (many - few) / (MANY - FEW) < 0.4 * steps_of_an_output()


def steps_of_an_output() -> float:
    """Steps for an output that was not asked for before."""
    forget()
    text = f"{POLICY}{''.join(shared(MANY))}end\n"
    device = read_source(Source("hub", text.encode()), SETTINGS).device
    return steps(lambda: policies_out(device)) / MANY


def edited_at(device: Device, lines: str) -> Device:
    return with_tree(device, apply(device.facts.tree, parse_config(lines, "edit")).tree)
