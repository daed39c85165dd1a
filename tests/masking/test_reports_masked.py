"""What a report says holds no secret of the input, and all words of the tool."""

import json
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.collect.hosts import InventoryError, target_of
from advisor.collect.inventory import targets_of

NUMBER = "84736251"
SECTION = (
    "version 12.4\nhostname r1\nclass-map match-any A\n match ip dscp ef\npolicy-map P\n class A\n"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _said(text: str, *command: str, capsys: pytest.CaptureFixture[str]) -> str:
    Path("r1.cfg").write_text(text, encoding="utf-8")
    run([*command, "r1.cfg"])
    said = capsys.readouterr()
    return said.out + said.err


@pytest.mark.parametrize(
    "line",
    [
        f"ena sec 0 {NUMBER}",
        f"stan 1 au {NUMBER}",
        f"usern bob priv 15 sec {NUMBER}",
        f"shared-secret 0 {NUMBER}",
        f"lte sim unlock {NUMBER}",
        f"anonymous-id {NUMBER}",
        f"AREA-PASSWORD {NUMBER}",
        f"ena ` sec {NUMBER}",
    ],
)
@pytest.mark.parametrize("command", ["lint", "inspect"])
def test_line_that_is_not_understood_is_named_without_its_secret(
    line: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(f"{SECTION}  {line}\nend\n", command, capsys=capsys)
    assert NUMBER not in said
    assert "class A" in said or "- A" in said


def test_command_whose_output_was_cut_is_named_without_what_was_typed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = (
        "r1#show interfaces | redirect ftp://bob:Zq9xPw8@192.0.2.1/x\n"
        "Serial0/0 is up, line protocol is up\n  MTU 1500 bytes, BW 512 Kbit\n --More-- "
    )
    said = json.loads(_said(log, "lint", "--format", "json", capsys=capsys))
    (finding,) = (each for each in said["findings"] if each["rule"] == "COL001")
    assert finding["object"] == "command show interfaces | redirect <removed>"
    assert "Zq9" not in str(finding)


@pytest.mark.parametrize(
    "line",
    [
        f' match protocol http c-header-field "{NUMBER}"',
        f' match protocol http url "a {NUMBER} b"',
        f' match protocol http header-field "Authorization: {NUMBER}"',
    ],
)
def test_value_that_a_class_matches_is_not_inspected(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(f"{SECTION}class-map match-any B\n{line}\nend\n", "inspect", capsys=capsys)
    assert NUMBER not in said


@pytest.mark.parametrize(
    ("lines", "hidden"),
    [
        pytest.param(
            f"interface ATM0.1 point-to-point\n pvc 0/100\n  pppoe-client service-name {NUMBER}\n",
            NUMBER,
            id="the service of a session",
        ),
        pytest.param(f"policy-map Q {NUMBER}\n", NUMBER, id="a word behind a name"),
        pytest.param(
            f"ip sla 1\n dns {NUMBER} name-server 192.0.2.1\n", NUMBER, id="a name of DNS"
        ),
        pytest.param("class-map match-any $1$mERr$x\n match ip dscp ef\n", "mERr", id="a hash"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_text_of_a_person_is_not_inspected(
    lines: str, hidden: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(f"{SECTION}{lines}end\n", "inspect", "--format", form, capsys=capsys)
    assert hidden not in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "Current configuration : 900 bytes\nversion 12.4\nhostname r1\nend\n",
            "900 bytes declared, 29 bytes printed",
            id="a size",
        ),
        pytest.param(
            "version 12.4\nhostname r1\ninterface Serial0/0\n bandwidth 512\n",
            "the text has no `end`",
            id="no end",
        ),
    ],
)
def test_words_of_the_tool_stay(text: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = json.loads(_said(text, "lint", "--format", "json", capsys=capsys))
    (finding,) = (each for each in said["findings"] if each["rule"] == "PRS002")
    assert words in finding["message"]
    assert "<removed>" not in str(finding)


def test_manifest_that_lacks_a_field_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    Path("r1").mkdir()
    Path("r1/manifest.json").write_text('{"x": 1}', encoding="utf-8")
    run(["lint", "r1"])
    said = capsys.readouterr()
    assert "missing required field 'schema'; " in said.out
    assert "<removed>" not in said.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("bob:Zq9xPw@192.0.2.1", "'192.0.2.1': write HOST", id="a login"),
        pytest.param("192.0.2.1 bob Zq9xPw", "a host: write HOST", id="several words"),
        pytest.param("r1:Zq9xPw", "'r1': write HOST", id="a password in place of a port"),
    ],
)
def test_argument_that_is_no_host_is_said_without_a_password(text: str, said: str) -> None:
    with pytest.raises(InventoryError, match=said) as raised:
        target_of(text)
    assert "Zq9" not in str(raised.value)


def test_line_that_is_no_host_is_said_by_its_number() -> None:
    Path("hosts.txt").write_text("192.0.2.7\n192.0.2.1 bob Zq9xPw\n", encoding="utf-8")
    with pytest.raises(InventoryError, match=r"hosts\.txt:2: ") as raised:
        targets_of((), Path("hosts.txt"), (), None)
    assert "Zq9" not in str(raised.value)


LINKS = """\
policy-map WAN
 class class-default
interface Serial0/0
 clock rate 256000
 service-policy output WAN
interface FastEthernet0/1.90
 encapsulation dot1Q 90
 ip access-group BRANCH in
"""


def test_an_inspection_keeps_the_sentences_of_the_tool(capsys: pytest.CaptureFixture[str]) -> None:
    said = _said(LINKS, "inspect", capsys=capsys)

    assert "platform unknown: transmit rings are those of software routers" in said
    assert "no `version` line" in said
    assert "<removed>" not in said


def test_an_inspection_keeps_names_and_keywords_of_an_interface(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("r1.cfg").write_text(LINKS, encoding="utf-8")
    run(["inspect", "r1.cfg", "--format", "json"])
    (device,) = json.loads(capsys.readouterr().out)["devices"]
    ethernet = device["facts"]["interfaces"][1]

    assert ethernet["encapsulation"]["value"] == "dot1Q 90"
    assert ethernet["access_group_in"]["value"] == "BRANCH"


def test_members_of_a_bundle_have_objects_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    member = (
        "interface Serial0/{}\n clock rate 512000\n encapsulation ppp\n tx-ring-limit 40\n"
        " ppp multilink group 1\n"
    )
    bundle = (
        "version 12.4\npolicy-map WAN\n class VOICE\n  priority 64\n"
        "interface Multilink1\n ppp multilink group 1\n service-policy output WAN\n"
    )
    text = bundle + member.format(0) + member.format(1)
    Path("r1.cfg").write_text(text, encoding="utf-8")
    run(["lint", "r1.cfg", "--select", "TXR001", "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]

    assert [finding["object"] for finding in findings] == [
        "interface Multilink1 > member Serial0/0",
        "interface Multilink1 > member Serial0/1",
    ]
