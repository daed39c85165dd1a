"""Laws of editing, on made-up configs and made-up edits."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import canonical, same_config
from advisor.ios.edit.undo import undo_commands
from advisor.ios.syntax import ConfigTree, Line
from advisor.ios.syntax.reader import parse_config

pytestmark = pytest.mark.slow


# Configs take long to make up on a loaded machine, which says nothing about the laws.
LAW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

CLASSES = ("VOICE", "VIDEO", "DATA", "BULK")
POLICIES = ("CHILD", "EDGE", "WAN")
MATCHES = ("match ip dscp ef", "match access-group 101", "match ip precedence 3", "match any")
QUEUEING = (
    ("priority 128",),
    ("priority percent 20", "police 64000 8000"),
    ("bandwidth 64",),
    ("bandwidth 64", "queue-limit 20", "set ip dscp af31"),
    ("bandwidth 96", "random-detect", "random-detect precedence 3 20 40 10"),
    ("bandwidth 32", "random-detect dscp-based", "random-detect dscp af11 15 30 10"),
    ("shape average 256000",),
    ("shape average 128000 1280 0", "fair-queue"),
    (),
)
ON_INTERFACE = (
    "bandwidth 512", "bandwidth 128", "tx-ring-limit 10", "tx-ring-limit 2", "mtu 1500",
    "description to HQ", "description to branch", "encapsulation ppp", "hold-queue 40 out",
    "hold-queue 100 in", "load-interval 30", "clock rate 128000", "no fair-queue", "fair-queue",
    "no keepalive", "keepalive 5", "no cdp enable", "shutdown",
    "ip address 10.0.0.1 255.255.255.252", "ip address 10.0.1.1 255.255.255.0 secondary",
    "ip helper-address 10.9.0.1", "ip helper-address 10.9.0.2", "ppp multilink",
    "ppp multilink fragment delay 10",
)  # fmt: skip
ON_PVC = ("vbr-nrt 1000 1000", "cbr 512", "tx-ring-limit 5", "encapsulation aal5snap")
GLOBALS = ("version 12.3", "hostname R1", "no ip http server", "ip http server", "ip cef", "no cdp run",
           "logging buffered 4096",
           "ip route 0.0.0.0 0.0.0.0 Serial0/0")  # fmt: skip
ENTRIES = ("permit ip any any", "deny tcp any any eq 80", "permit udp any any range 16384 32767",
           "remark voice")  # fmt: skip
INTERFACES = ("Serial0/0", "Serial0/1.100 point-to-point", "Multilink1", "FastEthernet0/0")


def block(head: str, lines: list[str]) -> list[str]:
    return [head, *(f" {line}" for line in lines)]


def some(options: Sequence[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(options), unique=True, max_size=6)


@st.composite
def policy_maps(draw: st.DrawFn, defined: list[str]) -> list[str]:
    lines: list[str] = []
    made: list[str] = []
    for name in draw(some(POLICIES)):
        body: list[str] = []
        unit = draw(st.sampled_from(("bandwidth", "bandwidth percent")))
        for member in draw(st.permutations([*defined, "class-default"])):
            if member != "class-default" and draw(st.booleans()):
                continue
            actions = [a.replace("bandwidth", unit) for a in draw(st.sampled_from(QUEUEING))]
            if member == "class-default":
                actions = [a for a in actions if not a.startswith("priority")]
            if draw(st.booleans()) and made:
                actions.append(f"service-policy {draw(st.sampled_from(made))}")
            body += block(f"class {member}", actions)
        lines += block(f"policy-map {name}", body)
        made.append(name)
    return lines


@st.composite
def interfaces(draw: st.DrawFn, defined: list[str]) -> list[str]:
    lines: list[str] = []
    for name in draw(some(INTERFACES)):
        body = draw(some(ON_INTERFACE))
        if draw(st.booleans()) and defined:
            body.append(f"service-policy output {draw(st.sampled_from(defined))}")
        lines += block(f"interface {name}", body)
    if draw(st.booleans()):
        pvc = draw(some(ON_PVC))
        if draw(st.booleans()) and defined:
            pvc.append(f"service-policy output {draw(st.sampled_from(defined))}")
        lines += block("interface ATM0/0.1 point-to-point", block("pvc voice 1/35", pvc))
    return lines


@st.composite
def config_texts(draw: st.DrawFn) -> str:
    defined = draw(some(CLASSES))
    lines = draw(some(GLOBALS))
    for name in defined:
        kind = draw(st.sampled_from(("match-any ", "match-all ", "")))
        lines += block(f"class-map {kind}{name}", draw(some(MATCHES)))
    policies = draw(policy_maps(defined))
    lines += policies
    lines += draw(interfaces([line[11:] for line in policies if line.startswith("policy-map")]))
    lines += block("ip access-list extended WEB", draw(some(ENTRIES)))
    lines += [f"access-list 101 {entry}" for entry in draw(some(ENTRIES))]
    return "".join(f"{line}\n" for line in lines)


@st.composite
def edit_texts(draw: st.DrawFn) -> str:
    """Parts of another config, some of their lines with `no` before them."""
    wanted = parse_config(draw(config_texts()), "wanted")
    lines: list[str] = []
    for top in wanted.lines:
        if not draw(st.booleans()):
            continue
        lines += edit_of(draw, top, 0)
    return "".join(f"{line}\n" for line in lines)


def edit_of(draw: st.DrawFn, line: Line, depth: int) -> list[str]:
    if draw(st.integers(0, 3)) == 0 and not line.text.startswith("no "):
        return [" " * depth + f"no {line.text}"]
    lines = [" " * depth + line.text]
    for child in line.children:
        lines += edit_of(draw, child, depth + 1)
    return lines


def config(text: str) -> ConfigTree:
    return parse_config(text, "r1.ios")


@LAW
@given(config_texts(), edit_texts())
def test_undo_restores_whatever_the_edit_did(text: str, edit: str) -> None:
    before = config(text)
    after = apply(before, config(edit)).tree
    rollback = undo_commands(before, after)
    assert rollback is not None
    restored = apply(after, config("".join(f"{line}\n" for line in rollback)))
    assert not restored.refused
    assert canonical(restored.tree) == canonical(before)


@LAW
@given(config_texts(), config_texts())
def test_undo_leads_from_any_config_to_any_other(text: str, other: str) -> None:
    before, after = config(text), config(other)
    rollback = undo_commands(before, after)
    assert rollback is not None
    restored = apply(after, config("".join(f"{line}\n" for line in rollback)))
    assert not restored.refused
    assert canonical(restored.tree) == canonical(before)


@LAW
@given(config_texts())
def test_a_config_given_to_an_empty_device_makes_that_config(text: str) -> None:
    applied = apply(config(""), config(text))
    assert not applied.refused
    assert canonical(applied.tree) == canonical(config(text))


@LAW
@given(config_texts(), edit_texts())
def test_same_config_is_equal_canonical_text(text: str, edit: str) -> None:
    before = config(text)
    after = apply(before, config(edit)).tree
    assert same_config(before, after) == (canonical(before) == canonical(after))


@LAW
@given(config_texts(), edit_texts())
def test_the_edited_tree_prints_text_that_reads_as_the_same_tree(text: str, edit: str) -> None:
    after = apply(config(text), config(edit)).tree
    assert canonical(config(after.text())) == canonical(after)


@LAW
@given(config_texts(), edit_texts())
def test_a_flat_config_stays_flat_and_nests_as_before(text: str, edit: str) -> None:
    flat = config("".join(f"{line.strip()}\n" for line in text.splitlines()))
    after = apply(flat, config(edit)).tree
    if flat.flat:
        assert not any(line.startswith(" ") for line in after.text().splitlines())
    assert canonical(config(after.text())) == canonical(after)


@LAW
@given(config_texts(), st.sampled_from(INTERFACES), st.sampled_from(ON_INTERFACE))
def test_the_same_setting_given_twice_changes_nothing_the_second_time(
    text: str, interface: str, setting: str
) -> None:
    snippet = config(f"interface {interface}\n {setting}\n")
    once = apply(config(text), snippet).tree
    twice = apply(once, snippet)
    assert twice.tree == once
    assert [line.text for line in twice.unchanged] == [setting]


@LAW
@given(config_texts(), edit_texts())
def test_a_line_that_is_not_edited_keeps_its_number_and_its_text(text: str, edit: str) -> None:
    before = config(text)
    raws = {line.number: line.raw for line in before.walk()}
    for line in apply(before, config(edit)).tree.walk():
        assert line.number == 0 or raws[line.number] == line.raw


@LAW
@given(config_texts(), st.sampled_from(INTERFACES), st.sampled_from(ON_INTERFACE))
def test_an_edit_of_one_interface_leaves_every_other_section_the_same_object(
    text: str, interface: str, setting: str
) -> None:
    before = config(text)
    after = apply(before, config(f"interface {interface}\n {setting}\n")).tree
    kept = {id(line) for line in after.lines}
    name = interface.split(maxsplit=1)[0]
    assert all(id(line) in kept for line in before.lines if name not in line.text)


@LAW
@given(config_texts(), edit_texts())
def test_line_ends_of_the_file_are_those_of_the_new_lines(text: str, edit: str) -> None:
    after = apply(config(text.replace("\n", "\r\n")), config(edit)).tree
    if text:
        assert after.text().count("\n") == after.text().count("\r\n")
    assert same_config(after, apply(config(text), config(edit)).tree)


WILD = st.text(
    st.sampled_from(" \n\t!^%#no classpolicy-map interface end exit pvc 0/1"), max_size=80
)


@LAW
@given(st.one_of(WILD, st.text(), config_texts()), st.one_of(WILD, st.text(), edit_texts()))
def test_no_text_makes_it_raise(text: str, edit: str) -> None:
    before = config(text)
    applied = apply(before, config(edit))
    undo_commands(before, applied.tree)
    assert same_config(applied.tree, applied.tree)


def test_deep_nesting_is_no_problem() -> None:
    text = "".join(" " * depth + f"section-{depth}\n" for depth in range(3000))
    tree = config(text)
    assert apply(tree, tree).tree == tree
    assert len(canonical(tree)) == len(text.splitlines())
