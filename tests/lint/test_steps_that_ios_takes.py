"""Steps of a paste that IOS refuses in the state before them, by generation."""

import pytest

from advisor.device.device import with_tree
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.reader import parse_config
from advisor.lint.accepted import (
    masked_line,
    why_may_lack,
    why_not_offered,
    why_not_read,
    why_not_taken,
)
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
    reason = why_not_offered(device_of(config), ("interface GigabitEthernet0/0/0", line))

    assert bool(reason) is not is_offered


MULTICLASS = ("interface Multilink1", " ppp multilink multiclass")
LLQ = ("class-map match-any VOICE", " match ip dscp ef", "policy-map WAN", " class VOICE",
       "  priority 64")  # fmt: skip
SHAPE = ("policy-map WAN", " class class-default", "  shape average 2000000 20000 0")


@pytest.mark.parametrize(
    ("release", "lines", "lacks", "may_lack"),
    [
        pytest.param("11.3", LLQ, "`policy-map`", "", id="11.3 has no policy-map"),
        pytest.param("12.0", LLQ, "", "`match ip dscp` from 12.0(5)XE, 12.1(5)T", id="a bare 12.0"),
        pytest.param("12.1", LLQ, "", "`class-map match-any` from", id="a bare 12.1"),
        pytest.param("12.2", LLQ, "", "", id="all of 12.2"),
        pytest.param("12.0", SHAPE, "", "`shape` from 12.0(5)XE, 12.1(2)T", id="a shaper of 12.0"),
        pytest.param("12.2", SHAPE, "", "", id="a shaper of 12.2"),
        pytest.param("12.1", MULTICLASS, "12.1 does not have", "", id="multiclass of 12.1"),
        pytest.param("12.2", MULTICLASS, "", "from 12.2(13)T", id="multiclass of a bare 12.2"),
        pytest.param("12.3", MULTICLASS, "", "", id="multiclass of 12.3"),
        pytest.param("15.1", (*LLQ, *MULTICLASS, *SHAPE), "", "", id="all of 15.1"),
    ],
)
def test_a_command_that_a_release_lacks_or_may_lack_is_named(
    release: str, lines: tuple[str, ...], lacks: str, may_lack: str
) -> None:
    device = device_of(f"version {release}\nhostname r1\nend\n")
    missing, open_ = why_not_offered(device, lines), why_may_lack(device, lines)

    assert (lacks in missing) if lacks else not missing
    assert (may_lack in open_) if may_lack else not open_ or bool(lacks)


@pytest.mark.parametrize(
    ("image", "may_lack", "lacks"),
    [
        ("122-8.T5", "", "multiclass"),
        ("122-15.T9", "", ""),
        ("122-27", "", "multiclass"),
        ("122-18.S", "multiclass", ""),
    ],
)
def test_the_train_of_an_image_decides(image: str, may_lack: str, lacks: str) -> None:
    device = device_of(f"version 12.2\nboot system flash:c3640-is-mz.{image}.bin\n")

    assert ("multiclass" in why_not_offered(device, MULTICLASS)) is bool(lacks)
    assert bool(why_may_lack(device, MULTICLASS)) is bool(may_lack)


def test_a_command_that_the_configuration_has_is_one_of_its_release() -> None:
    device = device_of("version 12.0\n" + "".join(f"{line}\n" for line in LLQ))

    assert not why_may_lack(device, LLQ)
    assert "`shape`" in why_may_lack(device, (*LLQ, *SHAPE))


@pytest.mark.parametrize(
    ("version", "image", "lacks"),
    [
        ("12.2", "rsp-jsv-mz.122-15.T.bin", True),
        ("12.2", "c7200-jsv-mz.122-15.T.bin", False),
        ("12.0", "rsp-jsv-mz.120-7.bin", False),
    ],
)
def test_a_7500_of_vips_alone_blocks_frame_relay_traffic_shaping(
    version: str, image: str, lacks: bool
) -> None:
    device = device_of(f"version {version}\nboot system slot0:{image}\n")
    lines = ("interface Serial0/0", " frame-relay traffic-shaping")

    assert bool(why_not_offered(device, lines)) is lacks


@pytest.mark.parametrize("mask", ["<removed>", "<secret hidden>"])
def test_a_masked_line_is_known(mask: str) -> None:
    assert masked_line(("interface Serial0/0", f" ppp chap password 7 {mask}")) is not None
    assert masked_line(("interface Serial0/0", " tx-ring-limit 2")) is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("priority percent 445", "`priority percent 445`: it takes 1 to 100"),
        ("priority percent 40", ""),
        ("frame-relay bc 280", "`frame-relay bc 280`: it takes 300 bits at least"),
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
