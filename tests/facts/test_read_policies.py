"""Policy-maps: each action in its forms, and what is not understood."""

import pytest

from advisor.facts.config import Facts
from advisor.facts.policy import PolicyClass, Unit
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def facts_of(text: str) -> Facts:
    return read_facts(parse_config(text, "r1.cfg"))


def class_of(lines: str) -> PolicyClass:
    body = "".join(f"  {line.strip()}\n" for line in lines.split(";"))
    facts = facts_of(f"policy-map P\n class C\n{body}")
    assert facts.unread == ()
    return facts.policy_maps[0].classes[0]


PRIORITIES: list[tuple[str, tuple[Unit, float | None, int | None, int | None]]] = [
    ("priority", (Unit.STRICT, None, None, None)),
    ("priority 64", (Unit.KBPS, 64, None, None)),
    ("priority 64 3200", (Unit.KBPS, 64, 3200, None)),
    ("priority percent 33", (Unit.PERCENT, 33, None, None)),
    ("priority percent 33 2000", (Unit.PERCENT, 33, 2000, None)),
    ("priority level 1", (Unit.STRICT, None, None, 1)),
    ("priority level 2 128", (Unit.KBPS, 128, None, 2)),
    ("priority level 2 percent 10", (Unit.PERCENT, 10, None, 2)),
    ("priority 64; priority 128", (Unit.KBPS, 128, None, None)),
]


@pytest.mark.parametrize(
    ("line", "expected"), [pytest.param(*case, id=case[0]) for case in PRIORITIES]
)
def test_priority(line: str, expected: tuple[Unit, float | None, int | None, int | None]) -> None:
    found = class_of(line).priority
    assert found is not None
    assert (found.unit, found.amount, found.burst_bytes, found.level) == expected


@pytest.mark.parametrize(
    ("line", "unit", "amount"),
    [
        pytest.param("bandwidth 256", Unit.KBPS, 256, id="kbit/s"),
        pytest.param("bandwidth percent 20", Unit.PERCENT, 20, id="percent"),
        pytest.param("bandwidth remaining percent 30", Unit.REMAINING_PERCENT, 30, id="remaining"),
        pytest.param("bandwidth remaining ratio 4", Unit.REMAINING_RATIO, 4, id="ratio"),
        pytest.param("bandwidth 256 account user-defined 28", Unit.KBPS, 256, id="accounting"),
    ],
)
def test_bandwidth(line: str, unit: Unit, amount: float) -> None:
    found = class_of(line).bandwidth
    assert found is not None
    assert (found.unit, found.amount) == (unit, amount)


SHAPES: list[tuple[str, tuple[object, ...]]] = [
    ("shape average 512000", ("average", 512_000, None, None, None, None)),
    ("shape average 512000 5120", ("average", 512_000, None, 5120, None, None)),
    ("shape average 512000 5120 0", ("average", 512_000, None, 5120, 0, None)),
    ("shape average 512000 0 0", ("average", 512_000, None, None, 0, None)),
    ("shape average percent 20 0 ms", ("average", None, 20, None, None, None)),
    ("shape peak 512000", ("peak", 512_000, None, None, None, None)),
    ("shape average 10m", ("average", 10_000_000, None, None, None, None)),
    ("shape average 512k", ("average", 512_000, None, None, None, None)),
    ("shape average percent 20", ("average", None, 20, None, None, None)),
    ("shape average percent 20 10 ms", ("average", None, 20, None, None, 10)),
]


@pytest.mark.parametrize(("line", "expected"), [pytest.param(*case, id=case[0]) for case in SHAPES])
def test_shape(line: str, expected: tuple[object, ...]) -> None:
    found = class_of(line).shape
    assert found is not None
    assert (
        found.mode, found.rate_bps, found.percent, found.bc_bits, found.be_bits, found.bc_ms,
    ) == expected  # fmt: skip


@pytest.mark.parametrize(
    ("account", "account_bytes"),
    [
        ("", 0),
        (" account user-defined 24", 24),
        (" account user-defined -40", -40),
        (" account user-defined 4 atm", None),
        (" account dot1q aal5 snap-pppoa", None),
    ],
)
def test_bytes_that_a_shaper_counts_more(account: str, account_bytes: int | None) -> None:
    for shape in ("shape average 512000", "shape average 512000 5120 0", "shape average percent 9"):
        found = class_of(f"{shape}{account}").shape
        assert found is not None
        assert found.account_bytes == account_bytes


ACTIONS = "conform-action transmit exceed-action drop"
POLICERS: list[tuple[str, tuple[object, ...]]] = [
    ("police 8000", (8000, None, None, None, None, None, None)),
    (f"police 8000 1500 {ACTIONS}", (8000, None, 1500, None, "transmit", "drop", None)),
    (
        f"police 8000 1500 2000 {ACTIONS} violate-action drop",
        (8000, None, 1500, 2000, "transmit", "drop", "drop"),
    ),
    (f"police cir 8000 bc 1500 {ACTIONS}", (8000, None, 1500, None, "transmit", "drop", None)),
    (
        "police cir 8000 bc 1500 be 2000 conform-action set-dscp-transmit af31 exceed-action drop",
        (8000, None, 1500, 2000, "set-dscp-transmit af31", "drop", None),
    ),
    (
        f"police cir 8000 bc 1500 pir 16000 be 3000 {ACTIONS}",
        (8000, None, 1500, None, "transmit", "drop", None),
    ),
    ("police cir percent 10", (None, 10, None, None, None, None, None)),
    ("police cir percent 10 bc 20 ms", (None, 10, None, None, None, None, None)),
    ("police percent 10", (None, 10, None, None, None, None, None)),
    ("police cir 10m", (10_000_000, None, None, None, None, None, None)),
    ("police rate 64000 bps burst 8000 bytes", (64000, None, 8000, None, None, None, None)),
    ("police rate 100 pps burst 20 packets", (None, None, None, None, None, None, None)),
]


@pytest.mark.parametrize(
    ("line", "expected"), [pytest.param(*case, id=case[0]) for case in POLICERS]
)
def test_police(line: str, expected: tuple[object, ...]) -> None:
    found = class_of(line).police
    assert found is not None
    assert (
        found.rate_bps, found.percent, found.burst_bytes, found.excess_bytes,
        found.conform, found.exceed, found.violate,
    ) == expected  # fmt: skip


def test_the_peak_rate_of_a_two_rate_policer() -> None:
    police = class_of("police cir 8000 pir 16000").police
    assert police is not None
    assert police.peak_rate_bps == 16000


def test_police_in_its_sub_mode() -> None:
    facts = facts_of(
        "policy-map P\n class C\n  police cir 64000 bc 8000\n"
        "   conform-action transmit\n   exceed-action set-dscp-transmit 0\n   violate-action drop\n"
    )
    police = facts.policy_maps[0].classes[0].police
    assert police is not None
    assert facts.unread == ()
    assert (police.rate_bps, police.conform, police.exceed, police.violate) == (
        64000,
        "transmit",
        "set-dscp-transmit 0",
        "drop",
    )


@pytest.mark.parametrize(
    ("line", "amount", "unit"),
    [
        pytest.param("queue-limit 64", 64, Unit.PACKETS, id="packets by default"),
        pytest.param("queue-limit 64 packets", 64, Unit.PACKETS, id="packets"),
        pytest.param("queue-limit 8000 bytes", 8000, Unit.BYTES, id="bytes"),
        pytest.param("queue-limit 50 ms", 50, Unit.MS, id="time"),
    ],
)
def test_queue_limit(line: str, amount: float, unit: Unit) -> None:
    found = class_of(line).queue_limit
    assert found is not None
    assert (found.amount, found.unit) == (amount, unit)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param("set ip dscp ef", ["dscp ef"], id="ip is left out"),
        pytest.param("set precedence 5", ["precedence 5"], id="precedence"),
        pytest.param("set dscp ef; set dscp af31", ["dscp af31"], id="the later value"),
        pytest.param("set cos 5; set qos-group 2", ["cos 5", "qos-group 2"], id="two kinds"),
        pytest.param(
            "set mpls experimental imposition 5", ["mpls experimental imposition 5"], id="EXP"
        ),
        pytest.param("set dscp ef; no set dscp ef", [], id="removed"),
    ],
)
def test_set(lines: str, expected: list[str]) -> None:
    assert [each.value for each in class_of(lines).sets] == expected


def test_fair_queue_and_a_nested_policy() -> None:
    found = class_of("fair-queue 64; shape average 512000; service-policy CHILD")
    assert found.fair_queue is not None
    assert found.child is not None
    assert found.child.value == "CHILD"


@pytest.mark.parametrize(
    "line",
    [
        "priority 64", "bandwidth 64", "shape average 64000", "police 8000", "queue-limit 20",
        "fair-queue", "random-detect", "service-policy CHILD",
    ],
)  # fmt: skip
def test_no_removes_the_action(line: str) -> None:
    removed = class_of(f"{line}; no {line}")
    assert removed == PolicyClass(removed.name, removed.at)


@pytest.mark.parametrize(
    "line",
    [
        "compression header ip tcp", "log", "netflow-sampler X", "account", "description x",
        "estimate bandwidth drop-one-in 100", "shape max-buffers 500", "trust dscp",
    ],
)  # fmt: skip
def test_an_action_that_is_known_and_not_used_is_understood(line: str) -> None:
    assert class_of(line) == PolicyClass("C", class_of("log").at)


@pytest.mark.parametrize(
    ("lines", "compresses"),
    [
        ("compression header ip rtp", True),
        ("compression header ip", True),
        ("compression header ip tcp", False),
        ("compression header ip rtp\n  no compression header ip rtp", False),
    ],
)
def test_a_class_that_compresses_headers_of_rtp(lines: str, *, compresses: bool) -> None:
    assert class_of(lines).compresses_rtp is compresses


@pytest.mark.parametrize(("lines", "drops"), [("drop", True), ("drop\n  no drop", False)])
def test_a_class_that_drops_all_of_its_packets(lines: str, *, drops: bool) -> None:
    assert class_of(lines).drops is drops


@pytest.mark.parametrize(
    "line",
    [
        "bandwith 64", "bandwidth lots", "bandwidth percent 101", "bandwidth remaining", "shape 64000",
        "priority 64 huge", "queue-limit dscp cs1 percent 80", "police aggregate ALL", "set colour red",
        "random-detect precedence 8 20 40", "random-detect dscp af11 20", "shape average 0",
        "queue-limit 99999999999999999999", "priority level", "police 8000 explode-action now",
    ],
)  # fmt: skip
def test_a_line_that_is_not_understood_is_unread(line: str) -> None:
    facts = facts_of(f"policy-map EDGE\n class VOICE\n  {line}\n")
    (unread,) = facts.unread
    assert (unread.text, unread.under) == (line, "policy-map EDGE > class VOICE")
    assert (facts.qos_lines_seen, facts.qos_lines_understood) == (3, 2)


def test_the_order_of_the_classes_is_that_of_the_config() -> None:
    (policy,) = facts_of(
        "policy-map P\n class B\n  priority 64\n class A\n  bandwidth 64\n class class-default\n"
    ).policy_maps
    assert [each.name for each in policy.classes] == ["B", "A", "class-default"]


def test_class_default_stays_last_when_a_class_is_added_later() -> None:
    (policy,) = facts_of(
        "policy-map P\n class class-default\n  fair-queue\npolicy-map P\n class A\n  bandwidth 64\n"
    ).policy_maps
    assert [each.name for each in policy.classes] == ["A", "class-default"]


def test_a_class_can_be_inserted_before_another_and_removed() -> None:
    (policy,) = facts_of(
        "policy-map P\n class A\n class C\n class B insert-before C\n no class A\n"
    ).policy_maps
    assert [each.name for each in policy.classes] == ["B", "C"]


def test_policy_maps_of_other_features_are_neither_read_nor_unread() -> None:
    facts = facts_of(
        "class-map type inspect match-any WEB\n match protocol http\n"
        "policy-map type inspect FW\n class type inspect WEB\n  inspect\n"
    )
    assert (facts.policy_maps, facts.class_maps, facts.unread, facts.qos_lines_seen) == (
        (), (), (), 0,
    )  # fmt: skip


def test_policy_maps_that_queue_in_another_syntax_are_reported_whole() -> None:
    facts = facts_of(
        "class-map type queueing match-any C\n match dscp ef\n"
        "policy-map type queueing Q\n class type queueing C\n  bandwidth percent 10\n"
        "interface GigabitEthernet0/0\n service-policy type queueing output Q\n"
    )
    assert (len(facts.unread), facts.qos_lines_seen, facts.policy_maps) == (6, 6, ())


def test_a_policy_of_the_control_plane_is_known_to_be_attached() -> None:
    facts = facts_of("control-plane\n service-policy input COPP\n")
    assert [each.policy for each in facts.other_policies] == ["COPP"]


def test_each_part_of_the_control_plane_has_its_own_policy() -> None:
    facts = facts_of(
        "control-plane\n service-policy input COPP\n"
        "control-plane host\n service-policy input HOST\n"
    )
    assert [each.policy for each in facts.control_plane] == ["COPP", "HOST"]
