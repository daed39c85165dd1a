"""Text of a config is untrusted: no report obeys it, none shows a secret."""

import json
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.capture.masking import mask_quoted
from advisor.capture.masking import mask_quoted_line as mask_line
from advisor.device.coverage import DeviceCoverage, FileCoverage, Unjudged
from advisor.ios.syntax import Location
from advisor.lint.cards import catalogue
from advisor.lint.device_plan import PlanStep
from advisor.lint.findings import (
    Confidence,
    Finding,
    Level,
    ObjectKind,
    Place,
    Remedy,
    Severity,
    Skipped,
    Verdict,
    Verification,
)
from advisor.lint.plan import DevicePlan, Edited
from advisor.lint.run import DeviceVerdict
from advisor.report import json_report, printable
from advisor.report.formats import VERDICTS
from advisor.report.mask import mask_path, masked_finding
from advisor.report.plans import Plans, masked_diff, render_ios
from advisor.report.terminal import RenderOptions
from advisor.shows.output import LayoutError

SENTINEL = "s3nt1nel-9f"
FINDING = Finding(
    device="R1",
    rule="PRS001",
    name="qos-line-not-understood",
    severity=Severity.INFO,
    confidence=Confidence.CERTAIN,
    object="interface Serial0/0",
    locations=(Place("r1.cfg", 3, "x"),),
    message="not understood",
    prediction=None,
    remedy=None,
    sources=(),
)
AT = Location("r1.txt", 7)
RENDERERS = [
    pytest.param(partial(VERDICTS.render, form=form, options=RenderOptions()), id=form)
    for form in VERDICTS
]
Render = Callable[[Verdict], str]


def verdict_of(finding: Finding) -> Verdict:
    return Verdict((finding,), (), ())


@pytest.mark.parametrize(
    "line",
    [
        f"enable secret 5 {SENTINEL}",
        f"enable password {SENTINEL}",
        f"username {SENTINEL} privilege 15",
        f"username bob password 7 {SENTINEL}",
        f" password {SENTINEL}",
        f"snmp-server community {SENTINEL} RO",
        f"snmp-server host 10.0.0.1 {SENTINEL}",
        f"snmp-server user u g v3 auth sha {SENTINEL} priv aes 128 {SENTINEL}",
        f"tacacs-server host 10.0.0.1 key 7 {SENTINEL}",
        f"tacacs-server key {SENTINEL}",
        f"radius-server host 10.0.0.1 auth-port 1645 key {SENTINEL}",
        f" server-private 10.0.0.1 {SENTINEL}",
        f"  key-string {SENTINEL}",
        f" ppp chap password 0 {SENTINEL}",
        f" ppp pap sent-username u password {SENTINEL}",
        f"crypto isakmp key {SENTINEL} address 10.0.0.1",
        f" pre-shared-key address 10.0.0.1 key {SENTINEL}",
        f" wpa-psk ascii 7 {SENTINEL}",
        f" encryption key 1 size 40bit {SENTINEL} transmit-key",
        f" neighbor 10.0.0.1 password {SENTINEL}",
        f" ip ospf message-digest-key 1 md5 {SENTINEL}",
        f" ip ospf authentication-key {SENTINEL}",
        f"ntp authentication-key 1 md5 {SENTINEL} 7",
        f" standby 1 authentication {SENTINEL}",
        f"ip ftp password 7 {SENTINEL}",
        f" path ftp://bob:{SENTINEL}@10.0.0.1/r1",
        f" path ftp://bob:{SENTINEL}/x@y@10.0.0.1/r1",
        f"banner motd ^C{SENTINEL}",
        f"banner motd ^C the word is {SENTINEL}",
        f" l2tp tunnel password {SENTINEL}",
        f" pin {SENTINEL}",
        f"Password:{SENTINEL}",
        f" credentials number 1 username u password {SENTINEL}",
        f"some-new-passphrase-command {SENTINEL}",
        f"mls qos\tsecret\t{SENTINEL}",
    ],
)
@pytest.mark.parametrize("render", RENDERERS)
def test_no_format_shows_the_secret_of(line: str, render: Render) -> None:
    finding = replace(
        FINDING,
        locations=(Place("r1.cfg", 3, line),),
        message=f"`{line}` is not understood: {line}",
        object=f"line {line}",
    )
    assert SENTINEL not in render(verdict_of(finding))


@pytest.mark.parametrize(
    ("kind", "named", "shown"),
    [
        pytest.param(
            ObjectKind.SECTIONS,
            "class-map X > match key abc",
            "class-map X > match <removed>",
            id="lines of a configuration",
        ),
        pytest.param(
            ObjectKind.SECTIONS,
            f"username {SENTINEL}",
            "username <removed>",
            id="one line of a configuration",
        ),
        pytest.param(
            ObjectKind.NAME, "processes cpu", "processes cpu", id="a name that is no line"
        ),
        pytest.param(
            ObjectKind.NAME,
            "command show run | i key <removed>",
            "command show run | i key <removed>",
            id="a command that the check has masked",
        ),
    ],
)
def test_object_is_masked_by_its_kind(kind: ObjectKind, named: str, shown: str) -> None:
    finding = replace(FINDING, object=named, object_kind=kind)
    assert masked_finding(finding).object == shown


def test_a_line_that_was_cut_after_a_letter_leaves_the_letters_of_a_message() -> None:
    place = replace(FINDING.locations[0], text=" i")
    finding = replace(FINDING, message="the configuration is not complete", locations=(place,))
    assert masked_finding(finding).message == "the configuration is not complete"


@pytest.mark.parametrize(
    "line",
    [
        "  30820201 3082016A A0030201 02020101 300D0609",
        "  MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7yn3bRHQ",
        "some word $1$mERr$hx5rVt7rPNoS4wqbXKX7m0",
        " opaque 094F471A1A0A141D05053B2A2B23",
    ],
)
def test_what_looks_like_key_material_is_removed(line: str) -> None:
    shown = mask_line(line)
    assert "<removed>" in shown
    assert not set(line.split()[-1:]) & set(shown.split())


@pytest.mark.parametrize(
    "line",
    [
        " service-policy output KEY-APPS",
        "policy-map SECRET-SAUCE",
        " class AUTH",
        "interface Serial0/0",
        " tx-ring-limit 10",
        " random-detect dscp-based",
        "hostname R1",
        " bandwidth 512",
        " ip address 10.0.0.1 255.255.255.252",
    ],
)
def test_lines_that_hold_no_secret_are_left_alone(line: str) -> None:
    assert mask_line(line) == line


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(
            Verdict((), (Skipped("R1", "X", "o", f"`key {SENTINEL}` is odd"),), ()),
            id="the reason of a skip",
        ),
        pytest.param(
            Verdict(
                (),
                (),
                (
                    FileCoverage(
                        "f",
                        None,
                        "x",
                        1,
                        0,
                        0,
                        is_draft=False,
                        unjudged=(Unjudged(f"key {SENTINEL}", 1),),
                        assumed=(),
                    ),
                ),
                (),
            ),
            id="a kind of line that is not judged",
        ),
        pytest.param(
            Verdict((), (), (), incomplete=(f"cut at `password {SENTINEL}`",)),
            id="why it is incomplete",
        ),
        pytest.param(
            Verdict(
                (),
                (),
                (),
                incomplete=(str(LayoutError(AT, f"username {SENTINEL}", "show version")),),
            ),
            id="the line of an unknown layout",
        ),
        pytest.param(
            Verdict((), (), (FileCoverage("f", None, f"show users | i key {SENTINEL}", 1),)),
            id="a command that a file holds",
        ),
        pytest.param(
            Verdict((), (), (), (DeviceCoverage("R1", (f"show run | i key {SENTINEL}",), ()),)),
            id="a command that was captured",
        ),
    ],
)
@pytest.mark.parametrize("render", RENDERERS)
def test_no_other_part_shows_a_secret(place: Verdict, render: Render) -> None:
    assert SENTINEL not in render(place)


HOSTILE = [
    pytest.param("\x1b[2J\x1b[1;1Hall is well", id="clears the screen"),
    pytest.param("\x9b31mred", id="8-bit control sequence"),
    pytest.param("\x1b]0;title\x07", id="sets the title"),
    pytest.param("a\rb", id="overwrites the line"),
    pytest.param("a\nerror[TXR001] forged", id="forges a line"),
    pytest.param("a\u2028b", id="line separator"),
    pytest.param("\u202egnp.exe", id="turns the reading direction"),
    pytest.param("\u200bhidden", id="invisible character"),
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("render", RENDERERS)
def test_hostile_name_is_shown_and_not_obeyed(name: str, render: Render) -> None:
    finding = replace(
        FINDING,
        device=name,
        object=name,
        message=name,
        locations=(Place(name, 1, name),),
        remedy=Remedy(Level.MANUAL, advice=name),
    )
    said = render(verdict_of(finding))
    assert all(char.isprintable() for char in said.replace("\r\n", "\n").replace("\n", ""))
    assert not any(line.startswith("error[TXR001]") for line in said.splitlines())


def test_json_gives_the_hostile_name_back_as_it_was() -> None:
    name = "\x1b[31m\x9b\u202e"
    finding = replace(FINDING, object=name, object_kind=ObjectKind.NAME)
    report = json.loads(json_report.render(verdict_of(finding)))
    assert report["findings"][0]["object"] == name


@given(st.text())
def test_printable_leaves_nothing_that_a_terminal_obeys(value: str) -> None:
    assert printable(value).isprintable()


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_printable_leaves_plain_text_alone(value: str) -> None:
    assert printable(value) == value


def _plan_of(finding: Finding, remedy: Remedy) -> DevicePlan:
    step = PlanStep(1, remedy.lines[0], remedy.level, remedy.lines, (finding,))
    return DevicePlan(
        DeviceVerdict(),
        finding.device,
        finding.device,
        (step,),
        remedy.rollback,
        (Verification(remedy.lines[0], finding.object),),
        remedy.proof,
        (finding,),
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_snippet_has_no_line_that_the_remedy_does_not_have(name: str) -> None:
    remedy = Remedy(
        Level.SAFE, ("interface Serial0/0", " shutdown"), ("no shutdown",), (name,), advice=name
    )
    hostile = replace(FINDING, device=name, object=name, message=name, remedy=remedy)
    said = render_ios(Plans((_plan_of(hostile, remedy),)))
    commands = [line for line in said.splitlines() if not line.startswith("!")]
    assert commands == ["interface Serial0/0", " shutdown"]


@pytest.mark.parametrize("name", HOSTILE)
def test_remedy_line_with_a_control_character_is_not_printed(name: str) -> None:
    remedy = Remedy(Level.SAFE, (f"policy-map {name}",), ("no x",), ())
    said = render_ios(Plans((_plan_of(FINDING, remedy),)))
    assert all(line.startswith("!") for line in said.splitlines())


def test_the_mask_leaves_the_advice_of_every_card_as_it_is() -> None:
    advice = {entry.card.id: entry.card.no_remedy or "" for entry in catalogue()}
    assert {rule: mask_quoted(words) for rule, words in advice.items()} == advice


def test_diff_masks_the_secrets_of_its_context() -> None:
    before = f"line vty 0 4\n password {SENTINEL}\ninterface Serial0/0\n tx-ring-limit 10\n"
    edited = Edited("r1.cfg", before, before.replace("limit 10", "limit 1"))
    said = "\n".join(masked_diff(edited))
    assert SENTINEL not in said
    assert said.splitlines()[-2:] == ["- tx-ring-limit 10", "+ tx-ring-limit 1"]


@pytest.mark.parametrize(
    "named",
    [
        "interface Multilink1 > member Serial0/0/1",
        "interface Serial0/0.101 > dlci 101",
        "interface Tunnel5 > peer 198.51.100.3 > policy SPOKE-2M",
        "interface Port-channel2 > service group 7 > policy CUSTOMER-7",
        "interface ATM0/0.1 > pvc 0/100",
        "interface Serial0/0 > policy WAN-EDGE > class VOICE",
        "interface Serial0/0 > class BULK > group af11",
        "interface Serial0/0 > class BULK > group precedence 3",
    ],
)
def test_an_object_keeps_the_numbers_and_names_of_its_steps(named: str) -> None:
    assert mask_path(named) == named


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        pytest.param(f"member {SENTINEL}", "member <removed>", id="no interface"),
        pytest.param(f"dlci {SENTINEL}", "<removed>", id="no number"),
        pytest.param(f"peer {SENTINEL}", "peer <removed>", id="no address"),
        pytest.param(f"policy P {SENTINEL}", "policy <removed>", id="more than a name"),
        pytest.param("group ftp://u:p@h", "group <removed>", id="a group that holds a login"),
    ],
)
def test_a_step_of_an_object_that_is_no_name_of_its_kind_is_masked(named: str, shown: str) -> None:
    assert mask_path(named) == shown
