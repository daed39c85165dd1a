"""Steps of a paste that IOS refuses in the state before them, by generation."""

import pytest

from advisor.device.device import with_tree
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.reader import parse_config
from advisor.lint.accepted import masked_line, why_not_offered, why_not_read, why_not_taken
from advisor.lint.trial import applied
from tests.support.devices import device_of

CLASSES = "class-map match-all A\n match ip dscp ef\nclass-map match-all B\n match ip dscp af31\n"
EDGE = "policy-map EDGE\n class A\n  priority {}\n class B\n  {}\n"
SERIAL = "interface Serial0/0\n bandwidth 512\n encapsulation ppp\n service-policy output EDGE\n"
PRE_HQF, HQF, XE = "version 12.3\n", "version 15.2\n", "version 16.9\nplatform console serial\n"

SHARES = CLASSES + EDGE.format("100", "bandwidth {}") + SERIAL
RATIO = CLASSES + "policy-map EDGE\n class B\n  bandwidth remaining ratio 10\n" + SERIAL
SHAPED = (
    "policy-map WAN\n class class-default\n  shape average 512000\n  service-policy EDGE\n"
    "interface FastEthernet0/0.10\n encapsulation dot1Q 10\n service-policy output WAN\n"
)
FRTS = (
    "interface Serial0/0\n encapsulation frame-relay\n frame-relay traffic-shaping\n"
    " frame-relay interface-dlci 100\n  class V\n"
    "map-class frame-relay V\n frame-relay cir 256000\n frame-relay mincir 256000\n"
    " service-policy output EDGE\n"
)
EDGE_ONLY = CLASSES + EDGE.format("64", "bandwidth 64")

# id, config, lines to paste, words of the reason ("" where IOS takes all)
STEPS = [
    (
        "75 % before HQF is the most",
        PRE_HQF + SHARES.format(200),
        "policy-map EDGE\n class B\n  bandwidth 285",
        "384 kb/s that interface Serial0/0 may reserve (75 % before HQF)",
    ),
    (
        "a sum of exactly 75 % is taken",
        PRE_HQF + SHARES.format(200),
        "policy-map EDGE\n class B\n  bandwidth 284",
        "",
    ),
    (
        "max-reserved-bandwidth first",
        PRE_HQF + SHARES.format(200),
        (
            "interface Serial0/0\n max-reserved-bandwidth 90\n"
            "policy-map EDGE\n class B\n  bandwidth 300"
        ),
        "",
    ),
    (
        "max-reserved-bandwidth after the class that needs it",
        PRE_HQF + SHARES.format(200),
        (
            "policy-map EDGE\n class B\n  bandwidth 300\n"
            "interface Serial0/0\n max-reserved-bandwidth 90"
        ),
        "`bandwidth 300`",
    ),
    (
        "99 % under HQF: 1 % is of class-default",
        HQF + SHARES.format(200),
        "policy-map EDGE\n class B\n  bandwidth 410",
        "506.9 kb/s",
    ),
    (
        "max-reserved-bandwidth does nothing under HQF",
        HQF + SHARES.format(200),
        (
            "interface Serial0/0\n max-reserved-bandwidth 100\n"
            "policy-map EDGE\n class B\n  bandwidth 410"
        ),
        "506.9 kb/s",
    ),
    (
        "the class to be raised before the one to be lowered",
        HQF + SHARES.format(400),
        "policy-map EDGE\n class A\n  priority 200\n class B\n  bandwidth 300",
        "`priority 200`",
    ),
    (
        "the class to be lowered first",
        HQF + SHARES.format(400),
        "policy-map EDGE\n class B\n  bandwidth 300\n class A\n  priority 200",
        "",
    ),
    (
        "a sum over the most already is no excuse for more",
        HQF + SHARES.format(500),
        "policy-map EDGE\n class B\n  bandwidth 501",
        "601 kb/s",
    ),
    (
        "a sum over the most already may be lowered",
        HQF + SHARES.format(500),
        "policy-map EDGE\n class B\n  bandwidth 450",
        "",
    ),
    (
        "a policy over the most attached again",
        HQF + SHARES.format(500),
        "interface Serial0/0\n no service-policy output EDGE\n service-policy output EDGE",
        "`service-policy output EDGE`",
    ),
    (
        "10 % beside 100 %",
        HQF + SHARES.format("percent 78"),
        "policy-map EDGE\n class class-default\n  bandwidth percent 10",
        "kb/s",
    ),
    (
        "kbps beside percent before HQF",
        PRE_HQF + SHARES.format("percent 10"),
        "class-map C\n match ip dscp af41\npolicy-map EDGE\n class C\n  bandwidth 8",
        "has its bandwidth in percent",
    ),
    (
        "kbps beside percent under HQF",
        HQF + SHARES.format("percent 10"),
        "class-map C\n match ip dscp af41\npolicy-map EDGE\n class C\n  bandwidth 8",
        "",
    ),
    (
        "bandwidth beside remaining ratio, in every generation",
        HQF + RATIO,
        "policy-map EDGE\n class A\n  bandwidth 8",
        "kbps and remaining ratio",
    ),
    (
        "remaining ratio beside priority in one class",
        HQF + CLASSES + "policy-map P\n class A\n  priority 64\n",
        "policy-map P\n class A\n  bandwidth remaining ratio 4",
        "takes no bandwidth beside it",
    ),
    (
        "a class beside the shaper of class-default on a subinterface",
        HQF + EDGE_ONLY + SHAPED,
        "policy-map WAN\n class B\n  bandwidth 64",
        "without a shaper",
    ),
    (
        "a class inside the shaper of a subinterface",
        HQF + EDGE_ONLY + SHAPED,
        "class-map C\n match ip dscp af41\npolicy-map EDGE\n class C\n  bandwidth 64",
        "",
    ),
    (
        "the shaper taken from around a child",
        HQF + EDGE_ONLY + SHAPED,
        "policy-map WAN\n class class-default\n  no shape average 512000",
        "no shaper around EDGE",
    ),
    (
        "a queueing policy on a tunnel",
        HQF + EDGE_ONLY + "interface Tunnel0\n bandwidth 512\n",
        "interface Tunnel0\n service-policy output EDGE",
        "no rate of its own",
    ),
    (
        "a queueing policy on input",
        HQF + EDGE_ONLY + "interface FastEthernet0/0\n",
        "interface FastEthernet0/0\n service-policy input EDGE",
        "attached on input",
    ),
    (
        "policies on main interface and subinterface",
        HQF + EDGE_ONLY + SHAPED + "interface FastEthernet0/0\n",
        "interface FastEthernet0/0\n service-policy output EDGE",
        "would both have a policy",
    ),
    (
        "policies on both levels of a release that may be HQF",
        HQF.replace("15.2", "12.4") + EDGE_ONLY + SHAPED + "interface FastEthernet0/0\n",
        "interface FastEthernet0/0\n service-policy output EDGE",
        "would both have a policy",
    ),
    (
        "policies on both levels before HQF",
        PRE_HQF + EDGE_ONLY + SHAPED + "interface FastEthernet0/0\n",
        "interface FastEthernet0/0\n service-policy output EDGE",
        "",
    ),
    (
        "fragments of the interface under traffic shaping",
        PRE_HQF + EDGE_ONLY + FRTS,
        "interface Serial0/0\n frame-relay fragment 320 end-to-end",
        "fragments belong to the map-class",
    ),
    (
        "fragments of the map-class under traffic shaping",
        PRE_HQF + EDGE_ONLY + FRTS,
        "map-class frame-relay V\n frame-relay fragment 320",
        "",
    ),
    (
        "a sum over the mincir",
        PRE_HQF + EDGE_ONLY + FRTS,
        "map-class frame-relay V\n frame-relay mincir 64000",
        "64 kb/s",
    ),
    (
        "a shaper under traffic shaping",
        PRE_HQF + EDGE_ONLY + FRTS,
        "policy-map EDGE\n class class-default\n  shape average 64000",
        "shapes the circuit",
    ),
    (
        "fragments of an interface whose policy shapes",
        PRE_HQF
        + EDGE_ONLY
        + SHAPED.replace("FastEthernet0/0.10", "Serial0/0").replace("dot1Q 10", "frame-relay"),
        "interface Serial0/0\n frame-relay fragment 320 end-to-end",
        "WAN shapes, and interface Serial0/0 cuts fragments",
    ),
    (
        "fragments of an interface whose policy does not shape",
        PRE_HQF
        + EDGE_ONLY
        + SHAPED.replace("FastEthernet0/0.10", "Serial0/0")
        .replace("dot1Q 10", "frame-relay")
        .replace("output WAN", "output EDGE"),
        "interface Serial0/0\n frame-relay fragment 320 end-to-end",
        "",
    ),
]


@pytest.mark.parametrize(
    ("config", "pasted", "reason"), [pytest.param(*row, id=name) for name, *row in STEPS]
)
def test_a_step_is_taken_or_refused_in_its_place(config: str, pasted: str, reason: str) -> None:
    edit = apply(parse_config(config, "r1"), parse_config(pasted + "\n", "paste"))
    refused = "; ".join(refusal.reason for refusal in edit.refused)
    device = device_of(config)
    said = refused or why_not_taken(device, device.facts.tree, pasted.split("\n"))

    assert (reason in said) if reason else not said


def test_a_way_back_may_lead_to_what_a_device_printed() -> None:
    printed = device_of(f"Building configuration...\n\n{HQF}{SHARES.format(500)}end\n")
    cured = parse_config(HQF + SHARES.format(300), "r1")
    back = ("policy-map EDGE", " class B", "  bandwidth 500")

    assert not why_not_taken(printed, cured, back, is_way_back=True)
    assert "600" in why_not_taken(printed, cured, back)


@pytest.mark.parametrize(
    ("config", "line", "is_offered"),
    [
        pytest.param(XE, " tx-ring-limit 2", False, id="tx-ring-limit is in no model of IOS XE"),
        pytest.param(XE, " fair-queue", False, id="fair-queue of an interface of IOS XE"),
        pytest.param(XE, " no tx-ring-limit", True, id="a ring taken out"),
        pytest.param(HQF, " tx-ring-limit 2", True, id="tx-ring-limit of a software router"),
    ],
)
def test_a_command_without_a_source_for_its_platform_is_not_offered(
    config: str, line: str, is_offered: bool
) -> None:
    reason = why_not_offered(device_of(config).platform, ("interface GigabitEthernet0/0/0", line))

    assert bool(reason) is not is_offered


@pytest.mark.parametrize("mask", ["<removed>", "<secret hidden>"])
def test_a_masked_line_is_known(mask: str) -> None:
    assert masked_line(("interface Serial0/0", f" ppp chap password 7 {mask}")) is not None
    assert masked_line(("interface Serial0/0", " tx-ring-limit 2")) is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("priority percent 445", "`priority percent 445`: it takes 1 to 100"),
        ("priority percent 40", ""),
        ("priority precent 40", "`priority precent 40`: not a command"),
    ],
)
def test_line_that_no_command_takes_is_refused(line: str, reason: str) -> None:
    device, lines = (
        device_of(HQF + SHARES.format(200)),
        ["policy-map EDGE", " class A", f"  {line}"],
    )
    after = with_tree(device, applied(device.facts.tree, lines))
    assert why_not_read(device, after, lines) == reason
