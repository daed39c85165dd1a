"""REF001, REF002, REF003, REF011: a name that nothing defines, and texts that may have lost it."""

import pytest

from advisor.device.device import Device
from advisor.device.platform_evidence import platform_of
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck, Hit, NoParams
from advisor.lint.findings import Confidence
from advisor.shows.observations import Observations
from tests.support.devices import device_of
from tests.support.verdicts import hit_of

UNDEFINED_ACCESS_LIST = CHECKS["undefined-access-list"]
UNDEFINED_CLASS_MAP = CHECKS["undefined-class-map"]
UNDEFINED_POLICY_MAP = CHECKS["undefined-policy-map"]
UNDEFINED_SETTINGS = CHECKS["undefined-settings"]

POLICY_MAP, CLASS_MAP = UNDEFINED_POLICY_MAP, UNDEFINED_CLASS_MAP
ACCESS_LIST = UNDEFINED_ACCESS_LIST
SETTINGS = UNDEFINED_SETTINGS
SKIPPED = "skipped"


def said(check: AnyCheck, text: str) -> list[tuple[str, int] | str]:
    results = check.find(device_of(text), NoParams())
    return [(r.object, r.at[0].line) if isinstance(r, Hit) else SKIPPED for r in results]


ATTACHED = "interface Serial0/0\n service-policy output P\n"
EMPTY = "policy-map {}\n class class-default\n"
CHILD = "policy-map P\n class class-default\n  shape average 64000\n  service-policy {}\n"


@pytest.mark.parametrize(
    ("check", "text", "expected"),
    [
        pytest.param(
            POLICY_MAP, "interface Serial0/0\n service-policy output P\n",
            [("interface Serial0/0", 2)], id="interface without its policy-map",
        ),
        pytest.param(
            POLICY_MAP, "interface Serial0/0\n service-policy output P\nend\n", [SKIPPED],
            id="an interface that a device printed alone",
        ),
        pytest.param(
            POLICY_MAP, f"ip cef\n{ATTACHED}ip classless\nend\n", [SKIPPED],
            id="the head is lost, the end is there",
        ),
        pytest.param(
            POLICY_MAP, f"{EMPTY.format('WAN-OUT')}{ATTACHED}line con 0\nend\n", [SKIPPED],
            id="the first policy-map is the first line: others may have stood ahead of it",
        ),
        pytest.param(
            POLICY_MAP, f"{EMPTY.format('PP')}{ATTACHED}line con 0\nend\n",
            [("interface Serial0/0", 4)], id="a misspelt name below a lost head",
        ),
        pytest.param(
            POLICY_MAP, f"class-map C\n match any\n{EMPTY.format('WAN-OUT')}{ATTACHED}end\n",
            [("interface Serial0/0", 6)], id="a class-map ahead of them shows that all are there",
        ),
        pytest.param(
            CLASS_MAP, f"policy-map P\n class VOICE\n  priority 64\n{ATTACHED}end\n",
            [SKIPPED], id="class-maps lost with the head",
        ),
        pytest.param(
            SETTINGS, "interface Serial0/0\n frame-relay class FRC\nip classless\nend\n",
            [("interface Serial0/0", 2)],
            id="a map-class, which IOS prints behind the interfaces, is not lost with the head",
        ),
        pytest.param(
            POLICY_MAP, "version 12.4\nhostname R1\nclass-map V\n match dscp ef\n"
            " class class-default\n  fair-queue\n" + ATTACHED, [SKIPPED],
            id="a class inside a class-map: the lines between them are lost",
        ),
        pytest.param(
            POLICY_MAP, "policy-map p\n class class-default\ninterface Serial0/0\n"
            " service-policy output P\n",
            [("interface Serial0/0", 4)], id="policy-map names are case-sensitive",
        ),
        pytest.param(
            POLICY_MAP, CHILD.format("CHILD"),
            [("policy-map P > class class-default", 4)], id="nested policy without its policy-map",
        ),
        pytest.param(POLICY_MAP, CHILD.format("P"), [], id="a defined policy-map is none"),
        pytest.param(
            POLICY_MAP, "hostname R1\ncontrol-plane\n service-policy input P\n"
            "control-plane host\n service-policy input Q\n",
            [("control-plane", 3), ("control-plane host", 5)], id="parts of the control plane",
        ),
        pytest.param(
            POLICY_MAP, "hostname R1\ninterface ATM0/0.3 multipoint\n range pvc 1/40 1/50\n"
            "  service-policy output P\nservice-group 1\n service-policy output Q\n",
            [("interface ATM0/0.3", 4), ("service-group 1", 6)],
            id="sections whose policies are not judged",
        ),
        pytest.param(
            POLICY_MAP,
            "hostname R1\npolcy-map P\n class class-default\ninterface Serial0\n"
            " service-policy output P\n service-policy input Q\n",
            [SKIPPED, ("interface Serial0", 6)],
            id="a misspelt head may define the name that it holds",
        ),
        pytest.param(
            POLICY_MAP,
            "hostname R1\npolicy-map\n P\n class class-default\ninterface Serial0\n"
            " service-policy output P\n",
            [SKIPPED],
            id="a head without a name may define any",
        ),
        pytest.param(
            CLASS_MAP,
            "hostname R1\nclass-map match any V\npolicy-map P\n class V\n  priority 64\n",
            [SKIPPED],
            id="a head with a wrong word may define the name behind it",
        ),
        pytest.param(
            CLASS_MAP, "policy-map P\n class DATA\n  bandwidth 64\n",
            [("policy-map P > class DATA", 2)], id="class without its class-map",
        ),
        pytest.param(
            CLASS_MAP, "policy-map P\n class class-default\n  fair-queue\n", [],
            id="class-default needs no class-map",
        ),
        pytest.param(
            CLASS_MAP, "class-map match-any DATA\n match any\npolicy-map P\n class DATA\n", [],
            id="class with its class-map",
        ),
        pytest.param(
            ACCESS_LIST, "class-map DATA\n match access-group 101\n",
            [("class-map DATA", 2)], id="numbered access list that is not there",
        ),
        pytest.param(
            ACCESS_LIST, "class-map DATA\n match not access-group name SQL\n",
            [("class-map DATA", 2)], id="named access list that is not there, negated",
        ),
        pytest.param(
            ACCESS_LIST, "class-map DATA\n match access-group 101\n"
            "access-list 101 permit ip any any\n", [], id="numbered access list",
        ),
        pytest.param(
            ACCESS_LIST, "class-map DATA\n match access-group name V6\n"
            "ipv6 access-list V6\n permit ipv6 any any\n", [], id="IPv6 access list",
        ),
        pytest.param(
            ACCESS_LIST, "class-map DATA\n match access-group name NOVELL\n"
            "mac access-list extended NOVELL\n permit any any\n", [], id="MAC access list",
        ),
        pytest.param(
            ACCESS_LIST, "class-map DATA\n match access-group 701\n"
            "access-list 701 permit 0000.0c00.0000 0000.00ff.ffff\n", [], id="numbered MAC list",
        ),
        pytest.param(ACCESS_LIST, "class-map DATA\n match ip dscp ef\n", [], id="no access group"),
    ],
)  # fmt: skip
def test_verdict(check: AnyCheck, text: str, expected: list[tuple[str, int]]) -> None:
    assert said(check, text) == expected


WHOLE = "version 12.4\nhostname R1\n{}end\n"
REFERENCE = {
    "policy-map": (POLICY_MAP, "interface Serial0/0\n service-policy output P\n"),
    "class-map": (CLASS_MAP, "policy-map P\n class DATA\n  bandwidth 64\n"),
    "access-list": (ACCESS_LIST, "class-map DATA\n match access-group 101\n"),
}


@pytest.mark.parametrize(("check", "text"), REFERENCE.values(), ids=REFERENCE)
@pytest.mark.parametrize(
    ("form", "skipped"),
    [
        pytest.param(WHOLE, False, id="a whole configuration is judged"),
        pytest.param("version 12.4\nhostname R1\n{}", True, id="one without end may have lost it"),
        pytest.param(
            "Building configuration...\n\nCurrent configuration : 90 bytes\n!\n{}end\n", True,
            id="a capture of one section does not show the others",
        ),
        pytest.param(
            "Building configuration...\n\n" + WHOLE, False, id="a capture of all of it is judged"
        ),
    ],
)  # fmt: skip
def test_what_may_be_lost_is_not_called_missing(
    check: AnyCheck, text: str, form: str, skipped: bool
) -> None:
    (result,) = said(check, form.format(text))

    assert (result == SKIPPED) is skipped


@pytest.mark.parametrize(
    ("check", "text", "is_judged"),
    [
        pytest.param(
            POLICY_MAP, "interface Serial0/0\n service-policy output <removed>\n", False,
            id="a policy whose name is masked",
        ),
        pytest.param(
            POLICY_MAP, "policy-map <removed>\n class class-default\ninterface Serial0/0\n"
            " service-policy output P\n", False, id="a policy that may be the masked one",
        ),
        pytest.param(
            POLICY_MAP, "class-map <removed>\n match any\ninterface Serial0/0\n"
            " service-policy output P\n", True, id="what is masked is of another kind",
        ),
        pytest.param(
            ACCESS_LIST, "class-map D\n match access-group 5\nip access-list <removed>\n", False,
            id="a list that may be the masked one",
        ),
        pytest.param(
            SETTINGS, "interface Serial0/0\n frame-relay class V\n"
            "map-class frame-relay <secret hidden>\n", False, id="a map-class that RANCID masked",
        ),
    ],
)  # fmt: skip
def test_what_redaction_masked_may_define_a_name(
    check: AnyCheck, text: str, is_judged: bool
) -> None:
    (result,) = said(check, WHOLE.format(text))

    assert (result != SKIPPED) is is_judged


@pytest.mark.parametrize(
    ("before", "confidence"),
    [
        pytest.param("", Confidence.POSSIBLE, id="no policy-map at all: it may be a part"),
        pytest.param("hostname R1\n", Confidence.CERTAIN, id="a text that names its device"),
        pytest.param(
            "policy-map Q\n class class-default\n", Confidence.CERTAIN, id="another is defined"
        ),
    ],
)
def test_a_draft_that_may_be_a_part_is_only_possible(before: str, confidence: Confidence) -> None:
    facts = read_facts(
        parse_config(f"{before}interface Serial0/0\n service-policy output P\n", "r1.ios")
    )
    hit = hit_of(
        POLICY_MAP.find(Device("r1", facts, platform_of(facts, Observations(), "r1")), NoParams())
    )

    assert (hit.confidence, hit.curable) == (confidence, confidence is Confidence.CERTAIN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "map-class frame-relay GOOD\ninterface Serial0/0.1 point-to-point\n"
            " frame-relay interface-dlci 100\n  class GOOOD\n",
            [
                (
                    "interface Serial0/0.1 > dlci 100",
                    "map-class frame-relay GOOOD",
                    " (did you mean GOOD?)",
                )
            ],
            id="map-class of a DLCI",
        ),
        pytest.param(
            "hostname r\ninterface Serial0/0.1 point-to-point\n frame-relay class GODD\n",
            [("interface Serial0/0.1", "map-class frame-relay GODD", "")],
            id="map-class of an interface, and none is defined",
        ),
        pytest.param(
            "vc-class atm SLOW\ninterface ATM0.1 point-to-point\n pvc 1/12\n  class-vc SLOWW\n",
            [("interface ATM0.1 > pvc 1/12", "vc-class atm SLOWW", " (did you mean SLOW?)")],
            id="vc-class of a PVC",
        ),
        pytest.param(
            "vc-class atm SLOW\ninterface ATM0.1 point-to-point\n class-int slow\n",
            [("interface ATM0.1", "vc-class atm slow", " (did you mean SLOW?)")],
            id="vc-class of an interface: names are case-sensitive",
        ),
        pytest.param(
            "template ACCESS\n switchport mode access\n"
            "interface GigabitEthernet1/0/6\n source template ACESS\n",
            [("interface GigabitEthernet1/0/6", "template ACESS", " (did you mean ACCESS?)")],
            id="template",
        ),
        pytest.param(
            "hostname r\ninterface GigabitEthernet1/0/6\n source template LAP_INTERFACE_TEMPLATE\n",
            [],
            id="a template that IOS XE brings along",
        ),
        pytest.param(
            "map-class frame-relay GOOD\nvc-class atm SLOW\n"
            "interface ATM0.1 point-to-point\n class-int SLOW\n"
            "interface Serial0/0.1 point-to-point\n frame-relay class GOOD\n",
            [],
            id="all defined",
        ),
    ],
)
def test_settings_that_are_named_and_not_defined(
    text: str, expected: list[tuple[str, str, str]]
) -> None:
    hits = [hit for hit in SETTINGS.find(device_of(text), NoParams()) if isinstance(hit, Hit)]
    evidence = [(hit.object, hit.evidence.section, hit.evidence.hint) for hit in hits]
    assert evidence == expected


NAMED = "hostname r\n"
EDGES = "policy-map WAN\n class class-default\n  fair-queue\n"
VOICE = "class-map match-any VOICE\n match dscp ef\n"


@pytest.mark.parametrize(
    ("check", "text", "hints"),
    [
        pytest.param(POLICY_MAP, EDGES + "interface Serial0/0\n service-policy output WNA\n",
                     [" (did you mean WAN?)"], id="letters of a policy-map changed places"),
        pytest.param(POLICY_MAP, EDGES + "interface Serial0/0\n service-policy output wan\n",
                     [" (did you mean WAN?)"], id="a policy-map in small letters"),
        pytest.param(POLICY_MAP, EDGES + "interface Serial0/0\n service-policy output BRANCH\n",
                     [""], id="no policy-map is near"),
        pytest.param(POLICY_MAP, EDGES + "control-plane\n service-policy input WAM\n",
                     [" (did you mean WAN?)"], id="policy of the control plane"),
        pytest.param(POLICY_MAP, EDGES + CHILD.format("WNA"),
                     [" (did you mean WAN?)"], id="nested policy"),
        pytest.param(CLASS_MAP, VOICE + "policy-map P\n class VIOCE\n  priority 64\n",
                     [" (did you mean VOICE?)"], id="class of a policy-map"),
        pytest.param(CLASS_MAP, VOICE + "class-map match-all BOTH\n match class-map Voice\n",
                     [" (did you mean VOICE?)"], id="class-map nested in a class-map"),
        pytest.param(ACCESS_LIST, "ip access-list extended SIP-IN\n permit udp any any eq 5060\n"
                     "class-map C\n match access-group name SIP_IN\n",
                     [" (did you mean SIP-IN?)"], id="named access list"),
        pytest.param(ACCESS_LIST, "access-list 110 permit ip any any\n"
                     "class-map C\n match access-group 101\n",
                     [" (did you mean 110?)"], id="numbered access list"),
    ],
)  # fmt: skip
def test_a_name_that_is_not_defined_says_the_nearest_one(
    check: AnyCheck, text: str, hints: list[str]
) -> None:
    hits = check.find(device_of(NAMED + text), NoParams())

    assert [hit.evidence.hint for hit in hits if isinstance(hit, Hit)] == hints


@pytest.mark.parametrize(
    ("text", "section", "hint"),
    [
        pytest.param("route-map MARK permit 10\ninterface Serial0/0\n ip policy route-map MRAK\n",
                     "route-map MRAK", " (did you mean MARK?)", id="route-map"),
        pytest.param("ip prefix-list SITES seq 5 permit 10.0.0.0/8\nroute-map MARK permit 10\n"
                     " match ip address prefix-list SITE\n",
                     "prefix-list SITE", " (did you mean SITES?)", id="prefix-list"),
        pytest.param("key chain EIGRP\n key 1\ninterface Serial0/0\n"
                     " ip authentication key-chain eigrp 1 EIRGP\n",
                     "`key chain EIRGP`", " (one of a similar name is defined)", id="key chain"),
        pytest.param("track 10 interface Serial0/0 line-protocol\ninterface FastEthernet0/0\n"
                     " standby 1 track 101 decrement 20\n",
                     "track 101", " (did you mean 10?)", id="tracked object"),
        pytest.param("ip sla 10\n icmp-echo 192.0.2.1\nip sla schedule 100 start-time now\n",
                     "ip sla 100", " (did you mean 10?)", id="IP SLA operation"),
        pytest.param("table-map COS-MAP\n map from 1 to 2\npolicy-map P\n class class-default\n"
                     "  set dscp cos table COSMAP\n",
                     "table-map COSMAP", " (did you mean COS-MAP?)", id="table-map"),
        pytest.param("object-group network PHONES\n 192.0.2.0 255.255.255.0\n"
                     "ip access-list extended V\n permit udp object-group PHONE any\n",
                     "object-group PHONE", " (did you mean PHONES?)", id="object-group"),
        pytest.param("access-list 110 permit ip any any\ninterface Serial0/0\n"
                     " rate-limit output access-group 111 8000 1500 2000 conform-action transmit"
                     " exceed-action drop\n",
                     "access-list 111", " (did you mean 110?)", id="access list of CAR"),
    ],
)  # fmt: skip
def test_lists_and_objects_that_are_named_and_not_defined(
    text: str, section: str, hint: str
) -> None:
    hits = [hit for hit in SETTINGS.find(device_of(NAMED + text), NoParams())
            if isinstance(hit, Hit)]  # fmt: skip

    assert [(hit.evidence.section, hit.evidence.hint) for hit in hits] == [(section, hint)]


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        pytest.param(
            "key chain K1\n key 1\ninterface Serial0/0\n"
            " ip rip authentication key-chain AREA146\n"
            " ip authentication key-chain eigrp 1 AREA149\n",
            ["", ""], id="two key chains like each other",
        ),
        pytest.param(
            "route-map MARK permit 10\ninterface Serial0/0\n ip policy route-map LAN-A\n"
            "interface Serial0/1\n ip policy route-map LAN-B\n",
            ["", ""], id="two route-maps like each other",
        ),
        pytest.param(
            "route-map LAN permit 10\ninterface Serial0/0\n ip policy route-map LAN-A\n"
            "interface Serial0/1\n ip policy route-map LAN-B\n",
            [" (did you mean LAN?)"] * 2, id="one that is defined comes before them",
        ),
    ],
)  # fmt: skip
def test_a_proposal_is_a_name_that_is_defined(text: str, hints: list[str]) -> None:
    hits = [hit for hit in SETTINGS.find(device_of(NAMED + text), NoParams())
            if isinstance(hit, Hit)]  # fmt: skip

    assert [hit.evidence.hint for hit in hits] == hints


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("interface Serial0/0\n standby 1 track Serial0/1\n", id="an interface"),
        pytest.param("ip sla monitor 5\n type echo protocol ipIcmpEcho 192.0.2.1\n"
                     "ip sla monitor schedule 5 life forever start-time now\n"
                     "track 1 rtr 5 reachability\n", id="the older words of IP SLA"),
        pytest.param("ip access-list extended WEB\n permit tcp any any eq 80\n"
                     "interface Serial0/0\n ip access-group WEB in\n", id="a named list"),
        pytest.param("interface Serial0/0\n description route-map OLD, key-chain X, track 9\n",
                     id="a description"),
        pytest.param("no ip access-list extended GONE\nroute-map A permit 10\n"
                     "router bgp 1\n neighbor 192.0.2.1 route-map A out\n", id="all are there"),
    ],
)  # fmt: skip
def test_what_is_no_open_name_is_not_found(text: str) -> None:
    assert list(SETTINGS.find(device_of(NAMED + text), NoParams())) == []


MATCHED = (
    "version 12.4\nip access-list extended {}\n permit tcp any any eq 1433\n"
    "class-map match-any DATABASE\n match access-group name SQL-TRAFIC\nend\n"
)


@pytest.mark.parametrize(
    ("listed", "right"),
    [
        pytest.param("SQL-TRAFFIC", "SQL-TRAFFIC", id="a letter is missing"),
        pytest.param("SQL-TARFIC", "SQL-TARFIC", id="two letters changed places"),
        pytest.param("sql_trafic", "sql_trafic", id="another case and another dash"),
        pytest.param("SQL-TRAFICS", None, id="an ending tells names apart"),
        pytest.param("SQL-TRAFIK", None, id="another letter may be another list"),
    ],
)
def test_a_list_gets_its_right_name_where_a_slip_is_all_that_differs(
    listed: str, right: str | None
) -> None:
    hit = hit_of(ACCESS_LIST.find(device_of(MATCHED.format(listed)), NoParams()))

    assert (hit.evidence.right, hit.curable) == (right, right is not None)


def test_a_misspelt_policy_is_named_with_what_to_enter() -> None:
    hit = hit_of(
        POLICY_MAP.find(
            device_of(
                EMPTY.format("WAN-EDGE")
                + ("interface Serial0/0\n service-policy output WAN-EGDE\n")
            ),
            NoParams(),
        )
    )

    assert "then `service-policy output WAN-EDGE`" in (hit.advice or "")
