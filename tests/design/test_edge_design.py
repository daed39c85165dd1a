"""`advisor design edge`: a WAN edge from its requirements."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.design.edge import EdgeDesign, RefusedDemand, design_edge
from advisor.design.edge_demand import EdgeFlags, edge_demand
from advisor.design.wred_plan import DemandError
from advisor.device.inputs import Inputs
from advisor.device.reading import Source
from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import load_rules
from advisor.lint.findings import Severity
from advisor.lint.run import review
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.settings import PROFILES, Settings, StatedPlatform

CONFIGS = Path(__file__).parents[2] / "fixtures" / "configs"
DATA = ("af21=30%", "af11=15%")
EDGE = EdgeFlags(
    link="512k",
    calls=3,
    signalling=True,
    data=DATA,
    dlsw=True,
    platform="2811",
    release="12.4(15)T",
)


@cache
def designed(flags: EdgeFlags) -> EdgeDesign:
    design = design_edge(edge_demand(flags), Settings())
    assert isinstance(design, EdgeDesign), design
    return design


def refused(flags: EdgeFlags) -> RefusedDemand:
    design = design_edge(edge_demand(flags), Settings())
    assert isinstance(design, RefusedDemand), design
    return design


def edge(**stated: object) -> EdgeFlags:
    return EdgeFlags(**{"data": DATA, "signalling": True, **stated})  # type: ignore[arg-type]


REQUIREMENTS = {
    "1841 PPP slow": edge(link="512k", calls=3, platform="1841", release="12.4(13b)"),
    "2811 PPP slow with DLSw+": EDGE,
    "2811 T1": edge(link="1536k", calls=8, platform="2811", release="12.4(24)T"),
    "2811 HDLC": edge(link="2m", encap="hdlc", calls=5, platform="2811", release="12.4(15)T"),
    "1841 Frame Relay shaped": edge(
        link="512k", encap="frame-relay", cir="256k", calls=2, platform="1841", release="12.4(13b)"
    ),
    "3845 Frame Relay": edge(
        link="512k", encap="frame-relay", calls=2, platform="3845", release="15.1"
    ),
    "3845 Frame Relay fast": edge(
        link="1536k", encap="frame-relay", cir="1m", calls=6, platform="3845", release="15.1"
    ),
    "3845 two T1": edge(
        link="1536k", encap="mlppp", links=2, calls=10, platform="3845", release="15.1"
    ),
    "2811 two slow lines": edge(
        link="256k", encap="mlppp", links=2, calls=3, platform="2811", release="12.4(15)T"
    ),
    "7206 ATM": edge(
        link="2m", encap="aal5snap", calls=5, platform="7206VXR", release="12.4(25d)",
        interface="ATM1/0",
    ),
    "2911 metro": edge(port="1g", cir="20m", calls=20, dlsw=True, platform="2911", release="15.2"),
    "1841 Fast Ethernet": edge(port="100m", cir="5m", calls=9, platform="1841", release="12.4(13b)"),
    "ISR 4331 metro": edge(port="1g", cir="20m", calls=20, platform="ISR4331", release="16.9"),
    "ISR 4331 E1": edge(link="2m", cir="1900k", calls=5, platform="ISR4331", release="16.9"),
    "2811 G.711": edge(
        link="1536k", calls=4, codec="g711", platform="2811", release="12.4(24)T"
    ),
    "2811 PPP of 1024k": edge(link="1024k", calls=5, platform="2811", release="15.1"),
    "2811 HDLC of 800k": edge(
        link="800k", encap="hdlc", calls=3, platform="2811", release="12.4(15)T"
    ),
    "2811 T1 with budgets": edge(
        link="1536k", calls=8, data=("af21=30%:300ms", "af11=15%:400ms"), dlsw=True,
        platform="2811", release="12.4(24)T",
    ),
    "2811 marking by ports": edge(
        link="1536k", calls=8, platform="2811", release="12.4(24)T", mark="acl", lan="fa0/1"
    ),
    "ISR 4331 marking by ports": edge(
        port="1g", cir="20m", calls=20, platform="ISR4331", release="16.9", mark="acl",
        lan="gi0/0/1",
    ),
    "2911 marking by NBAR": edge(
        port="1g", cir="20m", calls=20, platform="2911", release="15.2", mark="nbar", lan="gi0/1"
    ),
    "2811 T1 with AF whole, routing and scavenger": edge(
        link="1536k", calls=8, data=("af2=30%", "af1=10%"), routing=True, scavenger=True,
        platform="2811", release="12.4(15)T",
    ),
    "ISR 4331 metro with AF whole, routing and scavenger": edge(
        port="1g", cir="20m", calls=20, data=("af2=30%:300ms",), routing=True, scavenger=True,
        platform="ISR4331", release="16.9",
    ),
    "2911 metro whose carrier counts the wire": edge(
        port="1g", cir="20m", calls=20, contract_counts="wire", platform="2911", release="15.2"
    ),
    "ISR 4331 metro whose carrier counts the wire": edge(
        port="1g", cir="20m", calls=20, contract_counts="wire", routing=True, platform="ISR4331",
        release="16.9",
    ),
    "2911 metro with calls in DMVPN": edge(
        port="1g", cir="20m", calls=20, gre_key=True, ipsec=("esp-aes", "esp-sha-hmac"), rtcp=True,
        platform="2911", release="15.2",
    ),
    "ISR 4331 metro with budgets": edge(
        port="1g", cir="20m", calls=20, data=("af21=30%:150", "af11=15%:200"),
        platform="ISR4331", release="16.9",
    ),
}  # fmt: skip


def test_the_requirements_are_of_six_platforms() -> None:
    assert len({flags.platform for flags in REQUIREMENTS.values()}) >= 6
    assert len(REQUIREMENTS) >= 12


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_is_met_within_its_budgets(name: str) -> None:
    design = designed(REQUIREMENTS[name])

    assert design.held
    assert all(held.is_met for held in design.held)
    assert design.voice is not None
    assert design.voice.calls_carried >= design.voice.calls
    assert design.voice.quality is not None
    assert design.voice.quality.mos.low > 3.9
    assert design.rollback
    assert len(design.proof) == 4


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_the_lines_as_a_configuration_give_no_warning_under_strict(
    name: str, tmp_path: Path
) -> None:
    flags = REQUIREMENTS[name]
    design = designed(flags)
    image = f"! Image: Software: DESIGN-M, {flags.release}\n"
    version = f"version {(flags.release or '').partition('(')[0]}\nhostname edge\nip cef\n"
    text = image + version + "\n".join(_as_printed(design.lines)) + "\nend\n"
    file = tmp_path / "edge.cfg"
    file.write_text(text)
    budgets = PROFILES["strict"]
    platforms = (StatedPlatform("*", flags.platform or "", "--platform"),)

    verdict = review(
        Inputs([str(file)]), load_rules(budgets), Settings(budgets=budgets, platforms=platforms)
    )

    worse = [each for each in verdict.findings if each.severity is not Severity.INFO]
    assert [(each.rule, each.object, each.message) for each in worse] == []


def _as_printed(lines: tuple[str, ...]) -> list[str]:
    """The lines as a saved file has them: `frame-relay traffic-shaping` with its interface."""
    sections: dict[str, list[str]] = {}
    head = ""
    for line in lines:
        if not line.startswith(" "):
            head = line
            sections.setdefault(head, [])
        else:
            sections[head].append(line)
    return [line for section, body in sections.items() for line in (section, *body)]


def lines_under(design: EdgeDesign, head: str) -> list[str]:
    sections = _as_printed(design.lines)
    start = sections.index(head) + 1
    body = []
    for line in sections[start:]:
        if not line.startswith(" "):
            break
        body.append(line.strip())
    return body


def test_a_slow_line_becomes_multilink_with_fragments_and_a_ring_on_its_member() -> None:
    design = designed(EDGE)

    assert lines_under(design, "interface Multilink1") == [
        "bandwidth 512",
        "ppp multilink",
        "ppp multilink group 1",
        "ppp multilink fragment delay 10",
        "ppp multilink interleave",
        "service-policy output WAN-EDGE",
    ]
    assert "tx-ring-limit 1" in lines_under(design, "interface Serial0/0/0")


def test_calls_are_counted_as_ios_counts_them() -> None:
    voice = designed(EDGE).voice

    assert voice is not None
    assert voice.call_counted_kbps == pytest.approx(26.4)  # (60 + 6) bytes of Multilink PPP
    assert voice.rated_kbps == 80


def test_percentages_are_of_the_link_and_assumed_shares_fit_the_admission() -> None:
    policy = lines_under(designed(EDGE), "policy-map WAN-EDGE")

    assert policy[policy.index("class AF21") + 1] == "bandwidth 153"
    assert policy[policy.index("class AF11") + 1] == "bandwidth 76"
    # 75 % of 512 is 384; voice, signalling and data leave 50
    assert policy[policy.index("class DLSW") + 1] == "bandwidth 50"


def test_routing_and_a_scavenger_have_classes_of_their_marks() -> None:
    design = designed(edge(link="2m", calls=8, routing=True, scavenger=True))
    policy = lines_under(design, "policy-map WAN-EDGE")

    assert lines_under(design, "class-map match-any ROUTING") == ["match dscp cs6 cs2"]
    assert lines_under(design, "class-map match-any SCAVENGER") == ["match dscp cs1"]
    assert policy[policy.index("class ROUTING") + 1] == "bandwidth 100"
    assert policy[policy.index("class SCAVENGER") + 1] == "bandwidth 20"
    assert policy.index("class SCAVENGER") > policy.index("class AF11")


def test_a_class_of_af_is_whole_and_wred_drops_it_by_its_drop_precedence() -> None:
    design = designed(edge(port="1g", cir="20m", calls=20, data=("af2=30%",), platform="2911"))
    policy = lines_under(design, "policy-map WAN-EDGE")
    rows = [line.split()[2:] for line in policy if line.startswith("random-detect dscp ")]

    assert lines_under(design, "class-map match-any AF2") == ["match dscp af21 af22 af23"]
    assert [row[0] for row in rows] == ["af21", "af22", "af23"]
    drops = [int(row[3]) for row in rows]
    assert drops == sorted(drops, reverse=True)


def test_a_code_that_is_stated_alone_leaves_the_class_that_has_it_with_others() -> None:
    design = designed(edge(link="2m", calls=8, data=("af31=10%", "cs2=2%"), routing=True))

    assert lines_under(design, "class-map match-any SIGNALLING") == ["match dscp cs3"]
    assert lines_under(design, "class-map match-any ROUTING") == ["match dscp cs6"]


def test_the_way_back_says_what_it_destroys_on_a_router_that_is_not_bare() -> None:
    design = designed(edge(link="512k", calls=3, data=()))
    (said,) = [remark for remark in design.remarks if "rollback" in remark]

    assert "deletes interface Multilink1, policy-map WAN-EDGE" in said
    assert "`encapsulation`, `bandwidth` to the default" in said


@pytest.mark.parametrize(
    ("stated", "kbps"),
    [
        pytest.param({"ipsec": ("esp-3des", "esp-sha-hmac")}, 112, id="3DES in tunnel mode"),
        pytest.param({"gre": True}, 84, id="GRE alone"),
        pytest.param({"gre": True, "ipsec": ("esp-aes", "esp-sha-hmac")}, 136, id="AES and GRE"),
        pytest.param(
            {"gre": True, "ipsec": ("esp-aes", "esp-sha-hmac", "nat-t")}, 144, id="behind a NAT"
        ),
        pytest.param(
            {"gre": True, "ipsec": ("esp-aes", "esp-sha256-hmac", "tunnel")}, 156,
            id="AES and SHA256 in tunnel mode around GRE",
        ),
        pytest.param({"gre_key": True, "ipsec": ("esp-gcm",)}, 124, id="GCM and GRE with a key"),
    ],
)  # fmt: skip
def test_calls_are_counted_as_they_leave_a_tunnel(stated: dict[str, object], kbps: int) -> None:
    voice = designed(edge(port="100m", cir="10m", calls=5, **stated)).voice

    assert voice is not None
    assert voice.call_counted_kbps == pytest.approx((kbps + 14) * 8 / 20)


@pytest.mark.parametrize("stated", [{"rtcp": True}, {"mark": "acl", "lan": "fa0/1"}])
def test_the_class_of_calls_has_room_for_their_rtcp(stated: dict[str, object]) -> None:
    voice = designed(edge(link="2m", calls=5, **stated)).voice

    assert voice is not None
    assert voice.rated_kbps == 135  # 5 calls of 25.6 kb/s and 5 %
    assert voice.calls_carried == 5


def test_a_shaper_leaves_room_for_what_the_carrier_counts() -> None:
    flags = edge(port="1g", cir="20m", calls=20, data=(), contract_counts="wire", platform="2911")
    shaped_bps = designed(flags).shape_bps or 0
    calls_bps = 20 * 74 * 8 / 0.020
    carried_bps = calls_bps * 98 / 74 + (shaped_bps - calls_bps) * (576 + 14 + 24) / (576 + 14)

    assert carried_bps == pytest.approx(20e6, rel=1e-6)


def test_ios_xe_counts_what_the_carrier_counts_in_the_shaper_and_in_all_classes_below() -> None:
    flags = edge(port="1g", cir="20m", calls=20, contract_counts="fcs", platform="ISR4331",
                 release="16.9")  # fmt: skip
    lines = designed(flags).lines
    counted = [line for line in lines if line.endswith("account user-defined 4")]

    assert "  shape average 20000000 80000 0 account user-defined 4" in lines
    assert len(counted) == len([line for line in lines if "remaining ratio" in line]) + 1


def test_a_metro_port_gets_a_shaper_of_the_default_interval_without_excess() -> None:
    design = designed(REQUIREMENTS["2911 metro"])

    assert lines_under(design, "policy-map WAN-SHAPER") == [
        "class class-default",
        "shape average 20000000 80000 0",
        "service-policy WAN-EDGE",
    ]


def test_ios_xe_has_a_policed_priority_level_and_ratios_and_no_ring() -> None:
    policy = lines_under(designed(REQUIREMENTS["ISR 4331 metro"]), "policy-map WAN-EDGE")

    assert policy[:3] == ["class VOICE", "priority level 1", "police cir 592000"]
    assert "bandwidth remaining ratio 30" in policy
    assert designed(REQUIREMENTS["ISR 4331 E1"]).ring is None


def test_frame_relay_before_hqf_is_shaped_by_frts() -> None:
    design = designed(REQUIREMENTS["1841 Frame Relay shaped"])

    assert lines_under(design, "map-class frame-relay WAN-SHAPER") == [
        "frame-relay cir 243200",
        "frame-relay bc 2432",
        "frame-relay be 0",
        "frame-relay mincir 243200",
        "no frame-relay adaptive-shaping",
        "service-policy output WAN-EDGE",
        "frame-relay fragment 296",
    ]
    assert design.lines[-1] == " frame-relay traffic-shaping"


def test_frame_relay_of_a_7500_is_shaped_by_a_policy_in_steps_of_a_vip() -> None:
    flags = edge(link="1536k", encap="frame-relay", cir="1m", calls=3, platform="7513")
    design = designed(replace(flags, release="12.2"))

    assert "  shape average 1000000 8000 0" in design.lines
    assert not [line for line in design.lines if "traffic-shaping" in line or " cir " in line]


def test_frts_that_stands_on_a_7500_gives_way_first() -> None:
    text = (
        "version 12.2\nboot system slot0:rsp-jsv-mz.122-15.T.bin\n"
        "interface Serial1/0/0\n encapsulation frame-relay\n frame-relay traffic-shaping\n"
        "interface Serial1/0/0.1 point-to-point\n frame-relay interface-dlci 100\n"
    )
    flags = EdgeFlags(link="1536k", interface="Serial1/0/0.1")
    design = design_edge(
        edge_demand(flags, is_on_config=True), Settings(), Source("r1", text.encode())
    )

    assert isinstance(design, RefusedDemand)
    assert design.fits == ("`no frame-relay traffic-shaping` first",)


def test_the_least_bc_of_a_map_class_is_300_bits() -> None:
    flags = EdgeFlags(link="56k", encap="frame-relay", cir="16k", platform="2611", release="12.2")

    assert " frame-relay bc 300" in designed(flags).lines


@pytest.mark.parametrize(
    ("release", "far_release", "said"),
    [
        pytest.param("12.1", None, "12.1 may not have all commands", id="this end"),
        pytest.param("12.4", "12.1", "at the far end: 12.1 may not have", id="the far end"),
        pytest.param("12.4", None, "", id="no end"),
    ],
)
def test_the_first_release_of_commands_is_named_where_the_train_is_not_known(
    release: str, far_release: str | None, said: str
) -> None:
    flags = EdgeFlags(link="1536k", calls=3, platform="3640", release=release)
    remarks = designed(replace(flags, far_release=far_release)).remarks

    assert any(said in each for each in remarks) if said else "may not have" not in str(remarks)


def test_a_release_without_the_commands_has_no_design() -> None:
    reason = refused(EdgeFlags(link="1536k", calls=3, platform="3640", release="11.3")).reason

    assert "11.3 does not have `policy-map`" in reason


@pytest.mark.parametrize(
    ("file", "stated"),
    [
        pytest.param(None, {"platform": "ISR4331", "release": "12.4"}, id="--ios"),
        pytest.param("version 12.4\ninterface Serial0/0\n", {"platform": "ISR4331"}, id="--on"),
    ],
)
def test_a_platform_that_the_release_contradicts_is_wrong_use(
    file: str | None, stated: dict[str, str]
) -> None:
    flags = EdgeFlags(link="1536k", interface="Serial0/0", **stated)  # type: ignore[arg-type]
    source = None if file is None else Source("r1", file.encode())

    with pytest.raises(DemandError, match="ISR4331: version 12"):
        design_edge(edge_demand(flags, is_on_config=file is not None), Settings(), source)


def test_frame_relay_of_hqf_is_shaped_by_a_policy() -> None:
    design = designed(REQUIREMENTS["3845 Frame Relay"])

    assert "shape average 486400 4864 0" in lines_under(design, "policy-map WAN-SHAPER")
    assert not any("traffic-shaping" in line for line in design.lines)


@pytest.mark.parametrize(
    ("platform", "release", "has_line"), [("2811", "15.1", True), ("ISR4331", "16.9", False)]
)
def test_a_serial_of_ios_xe_has_no_fair_queue(
    platform: str, release: str, *, has_line: bool
) -> None:
    design = designed(edge(link="512k", calls=3, platform=platform, release=release))

    serial = lines_under(design, "interface Serial0/0/0")
    assert ("no fair-queue" in serial) is has_line


def test_fewer_calls_need_no_class_below_them() -> None:
    design = designed(EdgeFlags(link="1536k", calls=3, platform="2811"))

    assert [each.class_name for each in design.classes] == ["VOICE", "class-default"]


def test_a_shaper_without_calls_has_no_budget_to_hold() -> None:
    design = designed(EdgeFlags(port="1g", cir="20m", platform="2911"))

    assert design.voice is None
    assert design.held == ()
    assert " shape average 20000000 80000 0" in "\n".join(design.lines)


@pytest.mark.parametrize(
    ("flags", "said", "fits"),
    [
        pytest.param(
            edge(link="56k", calls=3),
            "3 calls of G.729 need 87.6 kb/s; 33 % of 56 kb/s is 18.5",
            "0 calls of G.729 on this link",
            id="calls over the link",
        ),
        pytest.param(
            edge(link="512k", calls=3, data=("af21=60%",), release="12.4(15)T"),
            "may reserve",
            "--data of 5",
            id="shares over the admission",
        ),
        pytest.param(
            edge(port="1g", cir="20m", calls=20, data=("af21=98%",), platform="ISR4331",
                 release="16.9"),
            "ask for",
            "--data of",
            id="shares over the link of IOS XE",
        ),
        pytest.param(
            edge(link="512k", encap="aal5snap", calls=2, platform="7206VXR"),
            "has no fragments",
            "a line of",
            id="a slow PVC",
        ),
        pytest.param(
            edge(link="512k", encap="frame-relay", calls=2, platform="ISR4331", release="16.9"),
            "no source has the commands of --encap frame-relay on IOS XE on QFP",
            "--encap ppp",
            id="Frame Relay of IOS XE",
        ),
        pytest.param(
            edge(port="1g", cir="20m", calls=3, platform="ISR4331", release="16.9", mark="nbar",
                 lan="gi0/0/1"),
            "no source has the protocols that NBAR knows on IOS XE",
            "--mark acl",
            id="NBAR of IOS XE",
        ),
        pytest.param(
            edge(link="512k", calls=3, data=("af21=30%:300ms",)),
            "AF21 of 153 kb/s sends the 4 full-size packets that TCP needs in 314 ms",
            "--data af21=32%:300ms",
            id="a queue too short for TCP",
        ),
        pytest.param(
            edge(link="20m", encap="arpa", calls=2),
            "no Ethernet port runs at 20000 kb/s",
            "`advisor design shape --cir 20000k --port 100000k`",
            id="a speed that no port has",
        ),
        pytest.param(
            EdgeFlags(link="1536k", calls=2, must_fragment=True),
            "no fragments are needed",
            "`advisor design llq`",
            id="fragments that nothing needs",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_met_is_refused_with_what_would_fit(
    flags: EdgeFlags, said: str, fits: str
) -> None:
    refusal = refused(flags)

    assert said in refusal.reason
    assert any(fit.startswith(fits) for fit in refusal.fits)


@pytest.mark.parametrize(("link", "is_told"), [("10m", True), ("100m", False)])
def test_a_port_below_the_speed_of_its_kind_is_told(link: str, *, is_told: bool) -> None:
    remarks = designed(edge(link=link, encap="arpa", calls=9)).remarks

    assert any("`speed 10` and `duplex full` at both ends" in each for each in remarks) is is_told


def test_what_would_fit_fits() -> None:
    over = edge(link="512k", calls=3, data=("af21=60%",), release="12.4(15)T")
    percent = refused(over).fits[0].split()[2]
    designed(edge(link="512k", calls=3, data=(f"af21={int(percent) - 1}%",), release="12.4(15)T"))
    designed(EdgeFlags(link="267k", calls=3))


@pytest.mark.parametrize(
    ("flags", "option", "position"),
    [
        pytest.param(
            EdgeFlags(link="1536k", calls=8, data=("af21=70%",), release="12.4(15)T"),
            "data", 2, id="a share before HQF",
        ),
        pytest.param(
            EdgeFlags(link="1544k", calls=7, signalling=True, data=("af21=90%",)),
            "data", 2, id="a share of an odd rate, beside an assumed one",
        ),
        pytest.param(
            EdgeFlags(port="1g", cir="20m", calls=20, routing=True, data=("af21=99%",),
                      platform="ISR4331", release="16.9"),
            "data", 2, id="a share by ratio",
        ),
        pytest.param(EdgeFlags(link="512k", calls=9), "calls", 0, id="calls of a slow line"),
        pytest.param(EdgeFlags(link="2m", calls=40), "calls", 0, id="calls of a fast line"),
        pytest.param(EdgeFlags(link="2m", calls=40), "link", 4, id="a faster line"),
        pytest.param(EdgeFlags(link="512k", calls=9), "link", 4, id="a faster line for calls"),
        pytest.param(
            EdgeFlags(link="512k", encap="frame-relay", cir="256k", calls=5, platform="3845"),
            "cir", 4, id="a faster circuit of Frame Relay",
        ),
    ],
)  # fmt: skip
def test_a_hint_is_right_when_it_is_followed(flags: EdgeFlags, option: str, position: int) -> None:
    fits = refused(flags).fits
    number = fits[1 if option in ("link", "cir") else 0].split()[position]
    value = {"data": (f"af21={number}%",), "calls": int(number), "link": f"{number}k"}
    value["cir"] = value["link"]
    asked: object = value[option]

    designed(replace(flags, **{option: asked}))


def test_a_share_of_more_than_the_link_would_fit_nothing() -> None:
    fits = refused(EdgeFlags(link="1536k", calls=8, data=("af2=10%:20ms",))).fits

    assert fits == ("a budget of 314 ms",)


def test_the_budget_of_a_queue_decides_the_thresholds_of_its_class() -> None:
    design = designed(EdgeFlags(port="1g", cir="20m", calls=20, data=("af2=30%:20ms",)))

    assert "  random-detect dscp af21 2 5 10" in design.lines
    assert any("WRD001" in remark for remark in design.remarks)


def test_a_line_over_768k_whose_ring_is_too_long_with_whole_packets_gets_fragments() -> None:
    design = designed(REQUIREMENTS["2811 PPP of 1024k"])

    assert (design.fragment_ms, design.ring) == (10, 1)
    assert designed(edge(link="1200k", calls=3)).fragment_ms is None


def test_a_budget_of_a_queue_is_held_at_the_rate_that_its_class_counts_on() -> None:
    design = designed(REQUIREMENTS["2811 T1 with budgets"])
    data, bulk = design.queues

    policy = lines_under(design, "policy-map WAN-EDGE")
    assert policy[policy.index("class AF21") + 2] == "queue-limit 11"
    # 1500 bytes at 460 kb/s take 26.1 ms: 11 of them 287 ms, the 64 of the default 1670 ms
    assert (data.name, data.packets, data.budget_ms) == ("AF21", 11, 300)
    assert data.after.high == pytest.approx(11 * 1500 * 8 / 460, abs=0.1)
    assert data.before.high == pytest.approx(64 * 1500 * 8 / 460, abs=0.1)
    assert bulk.after.high <= bulk.budget_ms < bulk.before.high


def test_what_fits_the_budget_of_a_queue_fits() -> None:
    flags = edge(link="512k", calls=3, data=("af21=30%:300ms",))
    data = refused(flags).fits[0].split()[1]

    assert designed(edge(link="512k", calls=3, data=(data,))).queues[0].packets == 4


def test_a_port_of_ios_xe_without_a_shaper_has_lines_and_no_figures() -> None:
    design = designed(edge(port="100m", calls=20, platform="ISR4331", release="16.9"))

    assert design.not_predicted is not None
    assert "the transmit ring is not known" in design.not_predicted
    assert (design.classes, design.held) == ((), ())
    assert lines_under(design, "interface GigabitEthernet0/0/0") == [
        "bandwidth 100000",
        "service-policy output WAN-EDGE",
    ]


def test_the_high_end_of_a_figure_is_held_against_its_budget() -> None:
    design = designed(REQUIREMENTS["7206 ATM"])
    voice = next(each for each in design.classes if each.class_name == "VOICE")

    assert isinstance(voice, ClassPrediction)
    jitter = next(each for each in design.held if each.name == "jitter")
    assert jitter.predicted == voice.jitter.high > voice.jitter.value


@pytest.mark.parametrize(
    ("stated", "flag"),
    [
        pytest.param({}, "--link", id="no rate"),
        pytest.param({"link": "2m", "port": "1g"}, "--link", id="two rates"),
        pytest.param({"link": "2m", "cir": "4m"}, "--cir", id="a contract above the line"),
        pytest.param({"link": "2m", "encap": "x25"}, "--encap", id="no such layer"),
        pytest.param({"link": "2m", "links": 2}, "--links", id="a bundle of PPP"),
        pytest.param({"link": "2m", "calls": -1}, "--calls", id="negative calls"),
        pytest.param({"link": "2m", "codec": "gsm9"}, "--codec", id="no such codec"),
        pytest.param({"link": "2m", "data": ("af21",)}, "--data", id="no share"),
        pytest.param({"link": "2m", "data": ("af21=101%",)}, "--data", id="over all"),
        pytest.param({"link": "2m", "data": ("af21=10%:0ms",)}, "--data", id="no queue"),
        pytest.param({"link": "2m", "data": ("af21=10%:fast",)}, "--data", id="no budget"),
        pytest.param({"link": "2m", "data": ("ef=10%",)}, "--data", id="the class of voice"),
        pytest.param({"link": "2m", "data": ("af21=1", "af21=2")}, "--data", id="stated twice"),
        pytest.param({"link": "2m", "platform": "28 11"}, "--platform", id="no model"),
        pytest.param({"link": "2m", "release": "new"}, "--ios", id="no release"),
        pytest.param({"link": "2m", "far_platform": "28 11"}, "--far-platform", id="no far model"),
        pytest.param({"link": "2m", "far_release": "new"}, "--far-ios", id="no far release"),
        pytest.param({"link": "2m", "mark": "dice", "lan": "fa0/1"}, "--mark", id="no marking"),
        pytest.param({"link": "2m", "mark": "acl", "calls": 1}, "--lan", id="no LAN"),
        pytest.param({"link": "2m", "lan": "fa0/1"}, "--lan", id="a LAN that is trusted"),
        pytest.param({"link": "2m", "mark": "acl", "lan": "fa0/1"}, "--mark", id="no voice"),
        pytest.param(
            {"link": "2m", "mark": "acl", "lan": "fa\n!", "calls": 1}, "--lan", id="no LAN name"
        ),
        pytest.param({"link": "2m", "interface": "S 0\n!"}, "--interface", id="no interface"),
    ],
)
def test_wrong_use_names_the_flag(stated: dict[str, object], flag: str) -> None:
    with pytest.raises(DemandError, match=flag):
        edge_demand(EdgeFlags(**stated))  # type: ignore[arg-type]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    kbps=st.sampled_from([64, 128, 256, 512, 768, 1024, 1536, 2048, 8000]),
    calls=st.integers(1, 30),
    encap=st.sampled_from(["ppp", "hdlc", "mlppp", "frame-relay", "aal5snap", "arpa"]),
    platform=st.sampled_from([("2811", "12.4(15)T"), ("3845", "15.1"), ("ISR4331", "16.9")]),
    percent=st.integers(1, 90),
)
def test_a_design_is_within_its_budgets_or_refused_with_a_reason(
    kbps: int, calls: int, encap: str, platform: tuple[str, str], percent: int
) -> None:
    flags = EdgeFlags(
        link=f"{kbps}k",
        encap=encap,
        calls=calls,
        signalling=True,
        data=(f"af21={percent}%",),
        platform=platform[0],
        release=platform[1],
    )
    design = design_edge(edge_demand(flags), Settings())

    if isinstance(design, RefusedDemand):
        assert design.reason
    else:
        assert all(held.is_met for held in design.held)
        assert design.rollback


@pytest.mark.parametrize(
    ("mark", "release", "expected"),
    [
        pytest.param(
            "acl", "12.4(15)T",
            {
                "class-map match-any LAN-VOICE": ["match access-group name LAN-VOICE"],
                "ip access-list extended LAN-VOICE": ["permit udp any any range 16384 32767"],
                "class-map match-any LAN-OTHERS": ["match ip dscp ef cs3 af31"],
            },
            id="by ports",
        ),
        pytest.param(
            "nbar", "15.1",
            {
                "class-map match-any LAN-VOICE": ["match protocol rtp audio"],
                "class-map match-any LAN-SIGNALLING": [
                    "match protocol h323", "match protocol mgcp", "match protocol sip",
                    "match protocol skinny",
                ],
                "class-map match-any LAN-OTHERS": ["match dscp ef cs3 af31"],
            },
            id="by NBAR",
        ),
    ],
)  # fmt: skip
def test_voice_and_signalling_are_marked_on_the_lan_and_nothing_else_keeps_their_marks(
    mark: str, release: str, expected: dict[str, list[str]]
) -> None:
    design = designed(edge(link="1536k", calls=3, release=release, mark=mark, lan="fa0/1"))

    for head, body in expected.items():
        assert lines_under(design, head) == body
    policy = lines_under(design, "policy-map LAN-MARK")
    codes = [line.partition(" exceed-action")[0].split()[-1] for line in policy]
    assert codes == ["LAN-VOICE", "ef", "LAN-SIGNALLING", "cs3", "LAN-OTHERS", "default"]
    assert lines_under(design, "interface FastEthernet0/1") == ["service-policy input LAN-MARK"]
    assert not any("LLQ011" in remark for remark in design.remarks)


def test_no_more_than_the_calls_and_their_rtcp_is_marked_by_ports() -> None:
    flags = edge(link="1536k", calls=3, mark="acl", lan="fa0/1", ipsec=("esp-gcm",))
    (police,) = (line for line in designed(flags).lines if " police " in line)

    # 3 calls of 60 bytes and a tagged header, before the tunnel, and 5 %, in steps of 8 kb/s
    assert police.split()[2:] == [
        *("104000", "conform-action", "set-dscp-transmit", "ef"),
        *("exceed-action", "set-dscp-transmit", "default"),
    ]


@pytest.mark.parametrize(
    ("rate", "line"),
    [
        pytest.param("256k", "ppp multilink multiclass", id="with fragments"),
        pytest.param("1536k", "ppp multilink fragment disable", id="without fragments"),
    ],
)
def test_a_new_bundle_of_several_lines_keeps_voice_in_order(rate: str, line: str) -> None:
    design = designed(edge(link=rate, encap="mlppp", links=2, calls=3))

    assert line in lines_under(design, "interface Multilink1")


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        pytest.param((), "cs3 af31", id="both marks of signalling"),
        pytest.param(("af31=20%",), "cs3", id="AF31 has a class of its own"),
    ],
)
def test_signalling_is_matched_by_the_marks_that_phones_give_it(
    data: tuple[str, ...], codes: str
) -> None:
    design = designed(edge(link="1536k", calls=3, data=data))

    assert lines_under(design, "class-map match-any SIGNALLING") == [f"match dscp {codes}"]


def test_a_lan_that_is_trusted_gets_no_lines_and_the_engineer_is_told() -> None:
    design = designed(edge(link="1536k", calls=3))

    assert not any("LAN" in line for line in design.lines)
    assert any("relies on marking upstream" in remark for remark in design.remarks)


def test_the_policy_of_the_lan_gives_way_and_comes_back() -> None:
    text = (CONFIGS / "wan-edge-512k.ios").read_bytes()
    flags = EdgeFlags(
        link="512k", calls=3, interface="Serial0/0/0", mark="acl", lan="FastEthernet0/0"
    )
    design = design_edge(edge_demand(flags, is_on_config=True), Settings(), Source("r1", text))

    assert isinstance(design, EdgeDesign), design
    marked = lines_under(design, "interface FastEthernet0/0")
    assert marked == ["no service-policy input MARK-LAN", "service-policy input LAN-MARK-2"]
    assert " service-policy input MARK-LAN" in design.rollback


def test_both_ends_of_one_platform_have_the_same_lines() -> None:
    far = designed(EDGE).far

    assert far is not None
    assert (far.only_here, far.only_there) == ((), ())
    assert far.lines == designed(EDGE).lines
    assert far.rollback


def test_an_end_on_another_platform_has_its_own_lines_and_they_are_named() -> None:
    flags = edge(
        link="1536k", encap="frame-relay", cir="1m", calls=3, platform="3845", release="15.1",
        far_platform="7206VXR", far_release="12.4(15)T",
    )  # fmt: skip
    far = designed(flags).far

    assert far is not None
    assert (far.platform, far.release) == ("7206VXR", "12.4(15)T")
    assert "shape average 1000000 10000 0" in far.only_here
    assert "frame-relay cir 1000000" in far.only_there
    assert "policy-map WAN-EDGE" not in far.only_there


def test_the_address_of_this_end_is_not_in_the_lines_of_the_far_end() -> None:
    flags = EdgeFlags(link="512k", calls=3, interface="Serial0/0/0")
    text = (CONFIGS / "wan-edge-512k.ios").read_bytes()
    design = design_edge(edge_demand(flags, is_on_config=True), Settings(), Source("r1", text))

    assert isinstance(design, EdgeDesign), design
    assert design.far is not None
    assert not any("ip address 172" in line for line in design.far.lines)
    assert "ip address 172.16.7.2 255.255.255.252" in design.far.only_here


def test_what_the_far_end_cannot_do_is_refused_for_the_far_end() -> None:
    flags = edge(
        link="1536k", encap="frame-relay", calls=3, far_platform="ISR4331", far_release="16.9"
    )

    assert refused(flags).reason.startswith("at the far end: no source has the commands of")


ON = [
    pytest.param("wan-edge-512k.ios", "Serial0/0/0", "512k", None, "-2", id="a slow serial"),
    pytest.param("production/2811-t1-ppp.ios", "Serial0/0/0:0", "1536k", None, "", id="a T1"),
    pytest.param("production/2911-metro-20m.ios", "gi0/0", None, "10m", "", id="a metro port"),
    pytest.param("production/isr4331-metro-50m.ios", "gi0/0/0", None, "10m", "", id="IOS XE"),
]


@pytest.mark.parametrize(("file", "interface", "link", "cir", "ending"), ON)
def test_a_configuration_takes_the_lines_under_names_that_are_free(
    file: str, interface: str, link: str | None, cir: str | None, ending: str
) -> None:
    flags = EdgeFlags(
        link=link,
        port="1g" if cir else None,
        cir=cir,
        calls=3,
        data=("af21=20%",),
        interface=interface,
    )
    text = (CONFIGS / file).read_bytes()
    design = design_edge(edge_demand(flags, is_on_config=True), Settings(), Source(file, text))

    assert isinstance(design, EdgeDesign), design
    assert f"policy-map WAN-EDGE{ending}" in design.lines
    assert not any(line.startswith("class-map") and "VOICE" in line for line in design.lines)
    assert any(f"end in {ending}" in remark for remark in design.remarks) is bool(ending)
    assert f"no policy-map WAN-EDGE{ending}" in design.rollback


@pytest.mark.parametrize(
    ("stated", "is_assumed"),
    [
        pytest.param({}, True, id="the design chose the name"),
        pytest.param({"interface": "Serial0/1"}, False, id="--interface"),
    ],
)
def test_a_chosen_interface_is_said_to_be_assumed(
    stated: dict[str, str], *, is_assumed: bool
) -> None:
    design = designed(edge(link="512k", calls=3, platform="2621", release="12.3", **stated))

    said = "Serial0/0 is assumed: --interface states the name on the router" in design.remarks
    assert said is is_assumed


def designed_on(file: str, **stated: object) -> EdgeDesign | RefusedDemand:
    flags = EdgeFlags(**{"calls": 3, "data": ("af21=20%",), **stated})  # type: ignore[arg-type]
    source = Source(file, (CONFIGS / file).read_bytes())
    return design_edge(edge_demand(flags, is_on_config=True), Settings(), source)


FRAME_RELAY = "production/2611xm-frame-relay-branch.ios"
ATM = "production/7206-atm-aggregation.ios"
BUNDLE = "production/3745-mlppp-2xt1.ios"


@pytest.mark.parametrize(
    ("file", "stated", "section", "expected"),
    [
        pytest.param(
            FRAME_RELAY,
            {"interface": "Serial0/0.101", "encap": "frame-relay", "link": "512k", "cir": "256k",
             "calls": 2},
            "interface Serial0/0.101",
            ["frame-relay interface-dlci 101", "class WAN-SHAPER"],
            id="a circuit of Frame Relay takes a class of its own",
        ),
        pytest.param(
            ATM,
            {"interface": "ATM1/0.101", "encap": "aal5snap", "link": "2048k"},
            "interface ATM1/0.101",
            ["pvc braga 1/101", "no service-policy output PVC-2M",
             "service-policy output WAN-EDGE"],
            id="a PVC keeps its rate and encapsulation",
        ),
        pytest.param(
            BUNDLE,
            {"interface": "Multilink1", "encap": "mlppp", "link": "1536k", "calls": 5},
            "interface Multilink1",
            ["no service-policy output BUNDLE-OUT", "service-policy output WAN-EDGE"],
            id="a bundle keeps its lines",
        ),
    ],
)  # fmt: skip
def test_a_circuit_or_a_bundle_takes_the_lines_and_gives_them_back(
    file: str, stated: dict[str, object], section: str, expected: list[str]
) -> None:
    design = designed_on(file, **stated)

    assert isinstance(design, EdgeDesign), design
    assert lines_under(design, section) == expected
    text = (CONFIGS / file).read_text("utf-8")
    edit = apply(parse_config(text, file), parse_config("\n".join((*design.lines, "")), "paste"))
    back = apply(edit.tree, parse_config("\n".join((*design.rollback, "")), "rollback"))
    assert not edit.refused
    assert not back.refused
    assert same_config(back.tree, parse_config(text, file))


def test_a_map_class_is_removed_when_its_circuit_has_left_it() -> None:
    design = designed_on(
        FRAME_RELAY, interface="Serial0/0.101", encap="frame-relay", link="512k", cir="256k",
        calls=2,
    )  # fmt: skip

    assert isinstance(design, EdgeDesign), design
    order = design.rollback
    assert order.index("  class FR-256") < order.index("no map-class frame-relay WAN-SHAPER")


@pytest.mark.parametrize(
    ("file", "stated", "said", "fits"),
    [
        pytest.param(
            FRAME_RELAY, {"interface": "Serial0/0", "encap": "frame-relay", "link": "512k"},
            "Serial0/0 has 0 circuits", "--interface with the subinterface", id="no circuit",
        ),
        pytest.param(
            FRAME_RELAY, {"interface": "Serial0/0", "link": "512k", "encap": "ppp"},
            "Serial0/0 carries Frame Relay", "--encap frame-relay", id="PPP on Frame Relay",
        ),
        pytest.param(
            ATM, {"interface": "ATM1/0", "encap": "aal5snap", "link": "2m"},
            "ATM1/0 has 0 PVCs", "--interface with the subinterface", id="no PVC",
        ),
        pytest.param(
            "composed/mlp-over-atm-template.ios",
            {"interface": "ATM0/0/0.1", "encap": "aal5snap", "link": "512k"},
            "this design is for aal5snap", "", id="a PVC that carries PPP",
        ),
        pytest.param(
            "planted/7206-hub-thirty-faults.ios", {"interface": "Serial2/0", "link": "2m"},
            "Serial2/0 has 512 kb/s (clock rate", "--link 512k", id="another rate than the clock",
        ),
        pytest.param(
            "production/1841-ppp-512k-lfi.ios", {"interface": "FastEthernet0/1", "link": "100m"},
            "FastEthernet0/1 is shut down", "`no shutdown`", id="an interface that is shut down",
        ),
        pytest.param(
            "planted/atm-deep-ring.ios",
            {"interface": "ATM1/0.102", "encap": "aal5snap", "link": "2m"},
            "is no policy-map", "`no service-policy output", id="a policy that does not exist",
        ),
        pytest.param(
            BUNDLE, {"interface": "Serial1/0:0", "link": "1536k"},
            "is of a bundle", "--encap mlppp --interface Multilink1", id="a member",
        ),
        pytest.param(
            BUNDLE, {"interface": "Serial1/0:0", "encap": "mlppp", "link": "1536k"},
            "is no bundle", "--interface with its Multilink", id="a member for its bundle",
        ),
    ],
)  # fmt: skip
def test_an_interface_of_another_layer_is_refused(
    file: str, stated: dict[str, object], said: str, fits: str
) -> None:
    design = designed_on(file, **stated)

    assert isinstance(design, RefusedDemand), design
    assert said in design.reason
    assert any(fit.startswith(fits) for fit in design.fits) or not fits


def test_traffic_shaping_that_would_slow_down_other_circuits_is_refused() -> None:
    text = (CONFIGS / FRAME_RELAY).read_text("utf-8").replace(" frame-relay traffic-shaping\n", "")
    other = (
        "interface Serial0/0.102 point-to-point\n frame-relay interface-dlci 102\n!\nrouter eigrp"
    )
    flags = EdgeFlags(
        link="512k", cir="256k", encap="frame-relay", calls=2, interface="Serial0/0.101"
    )
    source = Source("r1", text.replace("router eigrp", other, 1).encode())
    design = design_edge(edge_demand(flags, is_on_config=True), Settings(), source)

    assert isinstance(design, RefusedDemand), design
    assert "would shape the circuits 102 of Serial0/0 to the default CIR" in design.reason


def test_the_address_of_a_slow_serial_moves_to_its_bundle_and_back() -> None:
    flags = EdgeFlags(link="512k", calls=3, interface="Serial0/0/0")
    text = (CONFIGS / "wan-edge-512k.ios").read_bytes()
    design = design_edge(edge_demand(flags, is_on_config=True), Settings(), Source("r1", text))

    assert isinstance(design, EdgeDesign), design
    assert "ip address 172.16.7.2 255.255.255.252" in lines_under(design, "interface Multilink1")
    assert " ip address 172.16.7.2 255.255.255.252" in design.rollback
    assert "no interface Multilink1" in design.rollback


def test_a_name_of_the_configuration_that_could_add_a_command_has_no_lines() -> None:
    text = (CONFIGS / "wan-edge-512k.ios").read_text("utf-8")
    policy = text.partition("service-policy output ")[2].split()[0]
    flags = EdgeFlags(link="512k", calls=3, interface="Serial0/0/0")
    source = Source("r1", text.replace(policy, f"{policy}?reload").encode())
    design = design_edge(edge_demand(flags, is_on_config=True), Settings(), source)

    assert isinstance(design, RefusedDemand), design
    assert "unsafe to paste" in design.reason


def test_an_interface_that_the_configuration_lacks_is_named_with_the_nearest() -> None:
    flags = EdgeFlags(link="512k", calls=3, interface="Serial0/1/0")
    text = (CONFIGS / "wan-edge-512k.ios").read_bytes()
    demand = edge_demand(flags, is_on_config=True)

    with pytest.raises(DemandError, match="did you mean Serial0/0/0"):
        design_edge(demand, Settings(), Source("r1", text))
