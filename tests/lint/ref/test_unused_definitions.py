"""REF004 and REF010: policy-maps and class-maps that nothing names, and what goes with them."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence, Level
from advisor.lint.site import remedy_lines
from advisor.settings import Settings
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

UNUSED_CLASS_MAP = CHECKS["unused-class-map"]
UNUSED_POLICY_MAP = CHECKS["unused-policy-map"]

HEAD = "hostname r1\n"
DATA = "class-map match-any DATA\n match ip dscp af21\n"
BULK = "class-map match-any BULK\n match ip dscp af11\n"
POLICY = "policy-map {0}\n class {1}\n  bandwidth 64\n class class-default\n  fair-queue\n"
EDGE = POLICY.format("EDGE", "DATA")
OLD = POLICY.format("OLD", "DATA")
INTERFACE = "interface Serial0/0\n"
ATTACHED = INTERFACE + " service-policy output EDGE\n"
NESTED = "policy-map PARENT\n class class-default\n  shape average 64000\n  service-policy {0}\n"


def unused_policies(text: str) -> list[str]:
    said = hits_of(UNUSED_POLICY_MAP.find(device_of(text), NoParams()))
    return [hit.evidence.name for hit in said]


def unused_classes(text: str) -> list[str]:
    said = hits_of(UNUSED_CLASS_MAP.find(device_of(text), NoParams()))
    return [hit.evidence.name for hit in said]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(ATTACHED + OLD, ["OLD"], id="attached nowhere"),
        pytest.param(ATTACHED, [], id="attached"),
        pytest.param("", ["EDGE"], id="a device without interfaces"),
        pytest.param(ATTACHED + OLD + "control-plane\n service-policy input OLD\n", [],
                     id="of the control plane"),
        pytest.param(ATTACHED + OLD + "map-class frame-relay M\n service-policy output OLD\n", [],
                     id="of a map-class"),
        pytest.param(INTERFACE + " shutdown\n service-policy output EDGE\n", [],
                     id="an interface that is shut down"),
        pytest.param(ATTACHED + " ip nhrp map group G service-policy output OLD\n" + OLD, [],
                     id="of the spokes of a hub"),
        pytest.param(INTERFACE + NESTED.format("EDGE"), ["PARENT"], id="nested in an unused one"),
        pytest.param(INTERFACE + " service-policy output edge\n", ["EDGE"],
                     id="names are case-sensitive"),
        pytest.param(INTERFACE + " description service-policy output EDGE\n", ["EDGE"],
                     id="a description uses nothing"),
    ],
)  # fmt: skip
def test_a_policy_map_without_use(text: str, expected: list[str]) -> None:
    assert unused_policies(HEAD + DATA + EDGE + text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(BULK, ["BULK"], id="in no policy-map"),
        pytest.param(BULK + "policy-map P\n class BULK\n  set dscp 0\n", [], id="in a policy-map"),
        pytest.param(
            BULK + "class-map match-all NESTED\n match class-map BULK\n"
            "policy-map P\n class NESTED\n  set dscp 0\n",
            [],
            id="nested in a class-map",
        ),
        pytest.param(
            BULK + "class-map match-all NESTED\n match not class-map BULK\n",
            ["NESTED"],
            id="negated in an unused one",
        ),
        pytest.param(
            "class-map match-any system-cpp-police-sys-data\n match none\n",
            [],
            id="what IOS XE of a Catalyst writes itself",
        ),
    ],
)
def test_a_class_map_without_use(text: str, expected: list[str]) -> None:
    assert unused_classes(HEAD + DATA + EDGE + ATTACHED + text) == expected


def test_what_only_the_policy_uses_goes_with_it() -> None:
    child = POLICY.format("CHILD", "BULK")
    text = HEAD + DATA + BULK + EDGE + ATTACHED + child + NESTED.format("CHILD")
    hit = hit_of(UNUSED_POLICY_MAP.find(device_of(text), NoParams()))
    assert remedy_lines("unused.j2", hit) == (
        "no policy-map PARENT",
        "no policy-map CHILD",
        "no class-map match-any BULK",
    )


def test_what_others_use_stays() -> None:
    hit = hit_of(UNUSED_POLICY_MAP.find(device_of(HEAD + DATA + EDGE + ATTACHED + OLD), NoParams()))
    assert remedy_lines("unused.j2", hit) == ("no policy-map OLD",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(DATA + EDGE, "the text has no interface that could use it",
                     id="a policy alone, of no named device"),
        pytest.param("version 12.4\n" + HEAD + DATA + EDGE + INTERFACE,
                     "the configuration is cut (no end): the definition may be lost",
                     id="a text that is cut"),
    ],
)  # fmt: skip
def test_a_part_of_a_configuration_is_not_judged(text: str, reason: str) -> None:
    assert skip_of(UNUSED_POLICY_MAP.find(device_of(text), NoParams())).reason == reason


@pytest.mark.parametrize(
    ("head", "confidence"),
    [(HEAD, Confidence.CERTAIN), ("", Confidence.POSSIBLE)],
    ids=["a text that names its device", "a draft that may be a part"],
)
def test_a_draft_without_a_name_is_only_possible(head: str, confidence: Confidence) -> None:
    hit = hit_of(UNUSED_POLICY_MAP.find(device_of(head + DATA + EDGE + INTERFACE), NoParams()))
    assert (hit.confidence, hit.curable) == (confidence, confidence is Confidence.CERTAIN)


WHOLE = "version 15.1\n" + HEAD + DATA + EDGE + OLD + "{}end\n"
ATTACH = INTERFACE + " service-policy output {}\n"


def of_policy(text: str, name: str = "OLD") -> tuple[bool, Level | None, str]:
    """Whether the unused policy-map has lines, at which level, and what its hit says."""
    hits = hits_of(UNUSED_POLICY_MAP.find(device_of(text), NoParams()))
    (hit,) = (hit for hit in hits if hit.evidence.name == name)
    return hit.curable, hit.level, hit.advice or ""


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        pytest.param(ATTACH.format("EDGE"), None, id="nothing is open: certain, and safe"),
        pytest.param(ATTACH.format("ODL"), "may mean OLD", id="its letters changed places"),
        pytest.param(ATTACH.format("old"), "may mean OLD", id="names are case-sensitive"),
        pytest.param(ATTACH.format("BRANCH"), "may mean OLD", id="a name that is near nothing"),
        pytest.param(ATTACH.format("EGDE"), None, id="another policy was meant"),
        pytest.param("policy-map NEW\n" + ATTACH.format("NEW"), "holds no class here",
                     id="an attached policy has no class yet"),
        pytest.param(ATTACH.format("EDGE") + "control-plane\n service-policy input OLD-\n",
                     "may mean OLD", id="an open name of the control plane"),
        pytest.param(ATTACH.format("EDGE") + NESTED.format("ODL") + "interface Serial0/1\n"
                     " service-policy output PARENT\n", "may mean OLD", id="an open child"),
        pytest.param(ATTACH.format("EDGE") + "event manager applet NIGHT\n event none\n"
                     ' action 1 cli command "service-policy output OLD"\n',
                     "holds commands that name OLD", id="an applet attaches it"),
        pytest.param(ATTACH.format("EDGE") + "alias exec slow show run | inc OLD\n",
                     "holds commands that name OLD", id="an alias names it"),
        pytest.param(ATTACH.format("EDGE")
                     + "aaa authorization network default group radius\n",
                     "a RADIUS server may name it", id="sessions get policies of a server"),
        pytest.param(ATTACH.format("EDGE") + "aaa attribute list USERS\n"
                     ' attribute type sub-qos-policy-out "OLD"\n',
                     "holds commands that name OLD", id="an attribute of local users names it"),
        pytest.param(ATTACH.format("EDGE") + "dot1x system-auth-control\n",
                     "a RADIUS server may name it", id="ports are authorised by a server"),
        pytest.param(ATTACH.format("EDGE") + "aaa server radius dynamic-author\n",
                     "a RADIUS server may name it", id="a server changes sessions"),
    ],
)  # fmt: skip
def test_a_policy_that_may_be_needed_is_not_removed(rest: str, why: str | None) -> None:
    is_removed, level, said = of_policy(WHOLE.format(rest))

    assert (is_removed, level) == (why is None, None)
    assert (why or "") in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(HEAD + DATA + EDGE + OLD + ATTACHED, "may be a part", id="a draft"),
        pytest.param(WHOLE.format("! OLD is attached in winter\n" + ATTACHED), "speaks of OLD",
                     id="a comment"),
        pytest.param(WHOLE.format(ATTACHED + " description until May: service-policy OLD\n"),
                     "speaks of OLD", id="a description"),
        *(
            pytest.param(WHOLE.format(f"{ATTACHED}{line}\n"), "loads is not in this text", id=line)
            for line in (
                "event manager policy qos.tcl",
                "boot host tftp://192.0.2.1/day.cfg",
                "service config",
                "scripting tcl init flash:init.tcl",
                "cns config partial 192.0.2.1",
            )
        ),
        *(
            pytest.param(WHOLE.format(f"{ATTACHED}{commands}\n"), "brings in", id=commands)
            for commands in (
                'event manager applet N\n action 1 cli command "tclsh flash:swap.tcl"',
                'event manager applet N\n action 1 cli command "copy flash:night.cfg run"',
                'event manager applet N\n action 1 cli command "configure replace flash:n force"',
                'event manager applet N\n action 1 cli command "service-policy output $p"',
                'event manager applet N\n action 1 cli command "$line"',
                'event manager applet N\n action 1 cli command "more f: | append system:run"',
                "kron policy-list N\n cli copy tftp://192.0.2.1/night running-config",
                "alias exec night configure network",
            )
        ),
    ],
)  # fmt: skip
def test_a_deletion_that_is_not_certain_is_not_safe(text: str, said: str) -> None:
    is_removed, level, advice = of_policy(text)

    assert (is_removed, level) == (True, Level.NEEDS_WINDOW)
    assert said in advice


@pytest.mark.parametrize(
    "commands",
    [
        'event manager applet N\n action 1 cli command "copy running-config tftp:"',
        'event manager applet N\n action 1 cli command "show policy-map interface $i"',
        "alias exec c configure terminal",
    ],
)
def test_commands_that_bring_in_no_lines_leave_a_deletion_safe(commands: str) -> None:
    assert of_policy(WHOLE.format(f"{ATTACHED}{commands}\n"))[:2] == (True, None)


def test_a_policy_that_a_part_behind_the_configuration_attaches_stays() -> None:
    part = "Building configuration...\n!\ninterface Serial0/9\n service-policy output OLD\nend\n"
    text = WHOLE.format(ATTACHED) + part
    device = read_source(Source("r1.ios", text.encode()), Settings()).device
    (hit,) = hits_of(UNUSED_POLICY_MAP.find(device, NoParams()))

    assert not hit.curable
    assert "in a configuration that is not judged" in (hit.advice or "")


def test_what_auto_qos_made_is_not_removed() -> None:
    made = "AutoQoS-Policy-Trust"
    text = WHOLE.format(POLICY.format(made, "DATA") + ATTACHED)

    assert of_policy(text, made)[0] is False


def test_a_class_that_an_open_name_may_mean_stays_with_its_policy() -> None:
    """The policy goes with what only it uses: not where a class of it may be the one meant."""
    text = BULK + POLICY.format("SPARE", "BULK") + POLICY.format("NEW", "BLUK")
    attached = ATTACHED + "interface Serial0/1\n service-policy output NEW\n"

    is_removed, _, said = of_policy(WHOLE.format(text + attached), "SPARE")

    assert (is_removed, "may mean BULK" in said) == (False, True)


@pytest.mark.parametrize(
    ("port", "is_curable"),
    [
        pytest.param("Tunnel1", False, id="where IOS refuses its child alone"),
        pytest.param("Serial0/0", True, id="where its child stands well alone"),
    ],
)
def test_a_shaper_that_a_refused_policy_needs_stays(port: str, *, is_curable: bool) -> None:
    text = f"interface {port}\n service-policy output EDGE\n"
    device = device_of(
        "version 12.4\n" + HEAD + DATA + EDGE + NESTED.format("EDGE") + text + "end\n"
    )
    hit = hit_of(UNUSED_POLICY_MAP.find(device, NoParams()))
    assert (hit.evidence.name, hit.curable) == ("PARENT", is_curable)
    assert ("attach it there instead" in (hit.advice or "")) is not is_curable


@pytest.mark.parametrize(
    ("voice", "has_lines"),
    [
        pytest.param("dial-peer voice 1 voip\n session target ipv4:10.9.9.9\n", False,
                     id="voice on a slow line without an LLQ"),
        pytest.param("", True, id="no voice"),
    ],
)  # fmt: skip
def test_a_class_that_an_llq_may_take_stays(voice: str, *, has_lines: bool) -> None:
    text = (
        "version 12.4\nhostname r1\nclass-map match-any VOICE\n match ip dscp ef\n"
        "interface Serial0/0\n ip address 192.0.2.1 255.255.255.252\n encapsulation ppp\n"
        f" no fair-queue\n clock rate 256000\n{voice}end\n"
    )
    (hit,) = hits_of(UNUSED_CLASS_MAP.find(device_of(text), NoParams()))

    assert hit.curable is has_lines
