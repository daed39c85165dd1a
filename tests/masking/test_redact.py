"""Redaction: no secret stays, no line goes, and what the rules read is still read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from advisor.capture.cuts import read_capture
from advisor.capture.masking import redact_config
from advisor.capture.sections import Capture, Gap, GapKind, answer
from advisor.cli import run
from advisor.facts.config import Facts
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.ios.terminal import decode
from advisor.shows.observations import Observations
from advisor.shows.observe import observe
from advisor.shows.redact import redact_capture, redact_text

ROOT = Path(__file__).resolve().parent.parent.parent
SECRET = "S3ntinelX9"  # noqa: S105 -- planted to be searched for
CERTIFICATE = f"""\
crypto pki certificate chain TP-self-signed-1
 certificate self-signed 01
  3082024B 308201B4 A0030201 02020101 300D0609 2A864886 F70D0101 04050030
  31312F30 2D060355
        quit
ip domain name {SECRET}
"""


@pytest.mark.parametrize(
    "line",
    [
        f"enable secret 0 {SECRET}",
        f"enable password {SECRET}",
        f"username bob privilege 15 password 0 {SECRET}",
        f"username {SECRET} secret 5 $1$abcd$xyz",
        f"snmp-server community {SECRET} RO",
        f"snmp-server host 192.0.2.1 version 2c {SECRET}",
        f"tacacs-server host 192.0.2.1 key {SECRET}",
        f"radius-server key 7 {SECRET}",
        f"crypto isakmp key {SECRET} address 192.0.2.1",
        f" ppp chap password 0 {SECRET}",
        f" ppp pap sent-username {SECRET} password 0 x",
        f" ip ospf message-digest-key 1 md5 {SECRET}",
        f" ip ospf authentication-key {SECRET}",
        f" neighbor 192.0.2.1 password {SECRET}",
        f" standby 1 authentication {SECRET}",
        f" wpa-psk ascii 0 {SECRET}",
        f"  key-string {SECRET}",
        f"ntp authentication-key 1 md5 {SECRET}",
        f"ip ftp password {SECRET}",
        f"archive path ftp://bob:{SECRET}@192.0.2.1/x",
        f" path scp://{SECRET}@192.0.2.1/x",
        f"ip http client password {SECRET}",
        f" description the password is {SECRET}",
        f" description {SECRET}",
        f"access-list 10 remark {SECRET}",
        f" remark {SECRET}",
        f"alias exec x {SECRET}",
        f' action 1 cli command "{SECRET}"',
        f"frobnicate with {SECRET}",
        f"banner motd #{SECRET}#",
        f"banner motd ^C{SECRET}\nhello {SECRET}\n{SECRET}^C",
        f"banner login #\n{SECRET}\n#",
        f"menu m title ^C\n{SECRET}\n^C",
        f"macro name m\n{SECRET}\n@",
        f" key-string\n  {SECRET}\n  quit",
        "  3082024B 308201B4 A0030201 S3ntinelX9",
    ],
)
def test_secret_in_a_configuration_is_removed_and_no_line_is(line: str) -> None:
    text = f"version 12.4\nhostname r1\n!\n{line}\n!\nend\n"
    redacted = redact_config(text)
    assert SECRET not in redacted
    assert redacted.count("\n") == text.count("\n")
    assert redacted.endswith("!\nend\n")


@pytest.mark.parametrize(
    "line",
    [
        "class-map match-any KEY-APPS",
        " match ip dscp ef",
        "policy-map PASSWORD-RESETS",
        "  priority 128",
        "  random-detect dscp 18 30 40 10",
        "interface Serial0/0/0",
        " ip address 192.0.2.1 255.255.255.0",
        " service-policy output WAN-EDGE",
        " tx-ring-limit 3",
        "dlsw remote-peer 0 tcp 192.0.2.1",
        "access-list 101 permit udp any any range 16384 32767",
    ],
)
def test_what_the_rules_read_stays_as_it_is(line: str) -> None:
    assert redact_config(f"{line}\n") == f"{line}\n"


def test_certificate_stays_one_of_zeros() -> None:
    redacted = redact_config(CERTIFICATE)
    assert "3082024B" not in redacted
    assert parse_config(redacted, "r1").problems == ()
    assert len(list(parse_config(redacted, "r1").walk())) == len(
        list(parse_config(CERTIFICATE, "r1").walk())
    )


def test_size_that_ios_declares_follows_what_was_removed() -> None:
    body = "version 12.4\n" + f"snmp-server community {SECRET}{'x' * 300} RO\n" * 5 + "end\n"
    text = f"Current configuration : {len(body)} bytes\n{body}"
    assert parse_config(redact_config(text), "r1").problems == ()


@pytest.mark.parametrize(
    "file", sorted((ROOT / "fixtures/configs").glob("*.ios")), ids=lambda file: file.name
)
def test_facts_of_a_configuration_are_the_same_without_secrets(file: Path) -> None:
    text = file.read_text("utf-8")
    before = read_facts(parse_config(text, "x"))
    after = read_facts(parse_config(redact_config(text), "x"))
    assert _without_descriptions(after) == _without_descriptions(before)


def _without_descriptions(facts: Facts) -> dict[str, object]:
    fields = {name: value for name, value in asdict(facts).items() if name != "tree"}
    interfaces = [replace(interface, description=None) for interface in facts.interfaces]
    return {**fields, "interfaces": interfaces}


@pytest.mark.parametrize(
    "file", sorted((ROOT / "fixtures/show").rglob("*.txt")), ids=lambda file: file.name
)
def test_show_outputs_are_read_the_same_without_secrets(file: Path) -> None:
    capture = read_capture(decode(file.read_bytes())[0], str(file))
    clean = redact_capture(capture)
    before, after = observe(capture.sections, "x"), observe(clean.sections, "x")
    assert [taken.understood for taken in after.taken] == [
        taken.understood for taken in before.taken
    ]
    assert _without_text(after) == _without_text(before)


def _without_text(seen: Observations) -> dict[str, object]:
    """What was observed, without descriptions, board IDs and what is said of the outputs."""
    fields = {name: value for name, value in asdict(seen).items() if name != "taken"}
    interfaces = [replace(interface, description=None) for interface in seen.interfaces]
    versions = [replace(version, board_id=None) for version in seen.versions]
    return {**fields, "interfaces": interfaces, "versions": versions}


def test_description_in_show_interfaces_is_free_text() -> None:
    shown = answer("show interfaces", f"Serial0/0 is up\n  Description: pw {SECRET}\n  MTU 1500\n")
    (section,) = redact_capture(Capture("x", (shown,))).sections
    assert section.text == "Serial0/0 is up\n  Description: <removed>\n  MTU 1500\n"


@pytest.mark.parametrize("secret", [SECRET, "pw12"])
def test_password_of_the_login_goes_wherever_it_stands(secret: str) -> None:
    shown = answer("show version", f"motd: {secret} is it\n")
    gap = Gap("show clock", GapKind.MISSING, f"said {secret} twice")
    clean = redact_capture(Capture("x", (shown,), missing=(gap,), earlier=(shown,)), [secret])
    assert secret not in repr(clean)


def test_short_password_stays_inside_of_names() -> None:
    shown = answer("show version", "demo-branch uptime is 1 day\n")
    (section,) = redact_capture(Capture("x", (shown,)), ["demo"]).sections
    assert section.text == "demo-branch uptime is 1 day\n"


@given(st.text(alphabet=st.sampled_from("abk \n!#^C\r\t:-@pqs0123"), max_size=200))
def test_any_text_keeps_its_lines(text: str) -> None:
    redacted = redact_text(text, "x")
    assert redacted.count("\n") == text.count("\n")


def test_command_prints_a_file_without_secrets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "r1.cfg"
    file.write_text(f"hostname r1\nenable secret 0 {SECRET}\nend\n", "utf-8")
    assert run(["redact", str(file)]) == 0
    assert capsys.readouterr().out == "hostname r1\nenable secret <removed>\nend\n"


def test_command_says_which_file_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["redact", "none.cfg"]) == 2
    assert "none.cfg" in capsys.readouterr().err


S = "S3ntinelQ7"


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        pytest.param(f"! {S}", "!", id="a comment that a person wrote"),
        pytest.param(
            f"! Last configuration change at 09:12:44 UTC Fri Apr 18 2008 by {S}",
            "2008 by",
            id="who changed it last",
        ),
        pytest.param("!Chassis type: 2811", "2811", id="the chassis by RANCID"),
        pytest.param("! advisor: ignore[TXR001] old", "TXR001", id="a suppression"),
        pytest.param(f"menu m command 1 telnet {S}", "menu", id="a menu"),
        pytest.param(f'call-home\n http-proxy "u:{S}@h" port 1', "call-home", id="no scheme"),
        pytest.param(f"parameter-map type x\n secret {S}", "parameter-map", id="a bare secret"),
    ],
)
def test_line_of_a_configuration_that_people_write_in(line: str, stays: str) -> None:
    text = f"version 12.4\nhostname r1\n{line}\ninterface Serial0/0\nend\n"
    clean = redact_text(text, "r1.cfg")
    assert S not in clean
    assert stays in clean
    assert clean.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "log",
    [
        pytest.param(f'r1>{S}\nTranslating "{S}"...domain server\n', id="a password at the prompt"),
        pytest.param(f"{S}#\n{S}>\n", id="a password that ends like a prompt"),
        pytest.param(f"{S}#{S}\n{S}>{S} x\n", id="a password with the mark of a prompt in it"),
        pytest.param(f"r1#show users\n*  2 vty 0     {S}      idle  00:00:00\n", id="users"),
        pytest.param(f"r1#show crypto isakmp key\ndefault  192.0.2.1  {S}\n", id="isakmp keys"),
        pytest.param(f'r1#show key chain\n    key 1 -- text "{S}"\n', id="a chain of keys"),
        pytest.param(f"r1#show logging\n%SYS-5-CONFIG_I: by {S} on vty0\n", id="a logged name"),
        pytest.param(f"r1#show aliases\n  h       telnet {S}\n", id="aliases"),
        pytest.param(f"r1#test aaa group tacacs+ u {S} legacy\nAttempting\n", id="a typed secret"),
        pytest.param(f"r1#show run | include user\nusername x secret 5 {S}\n", id="filtered lines"),
        pytest.param(f"r1#show run | begin xx\nodd-command {S}\n", id="an unknown filtered line"),
    ],
)
def test_terminal_log_keeps_its_lines_and_no_secret(log: str) -> None:
    clean = redact_text(f"r1#show clock\n09:00:00.0 UTC Fri Apr 18 2008\n{log}r1#\n", "r1.txt")
    assert S not in clean
    assert clean.count("\n") == log.count("\n") + 3
    assert clean.startswith("r1#show clock\n")
    assert clean.endswith("r1#\n")


def test_output_that_nothing_reads_is_taken_out_and_its_refusal_stays() -> None:
    log = "r1#show ip route\nS 192.0.2.0/24\nr1#show foo\n% Invalid input detected at '^' marker.\n"
    assert redact_text(log, "r1.txt").split("\n") == [
        *("r1#show ip route", "<removed>", "r1#show <removed>"),
        *("% Invalid input detected at '^' marker.", ""),
    ]


def test_a_banner_typed_at_a_prompt_leaves_none_of_its_lines() -> None:
    log = (
        "r1#conf t\nr1(config)#banner motd ^C\nEnter TEXT message.\n"
        f"{SECRET}\n{SECRET} ^C\nr1(config)#end\nr1#\n"
    )
    clean = redact_text(log, "r1.log")
    assert SECRET not in clean
    assert clean.count("\n") == log.count("\n")
