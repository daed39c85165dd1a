"""A secret that stands at every kind of place of an input is in no output of any command."""

import re
import shlex
from itertools import cycle
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.shows.redact import redact_text
from tests.masking.kinds import S, kinds

pytestmark = pytest.mark.slow
_PLANTED = "\n".join(f"{whole}\n{short}" for _, whole, short in kinds())
_NESTED = "\n".join(f"  {whole}\n  {short}" for _, whole, short in kinds() if "#" not in whole)
CONFIG = f"""\
! Last configuration change at 09:12:44 UTC Fri Apr 18 2008 by {S}
version 15.1
hostname r1
!
class-map match-any VOICE
 description {S}
 match ip dscp ef
 match protocol http url "*{S}*"
 frobnicate {S}
policy-map WAN
 description {S}
 class VOICE
  priority 128
  description {S}
{_NESTED}
 class class-default
  fair-queue
  random-detect
  random-detect precedence 0 20 40 10 {S}
  bandwidth {S}
  queue-limit {S} packets
  set dscp {S}
policy-map WAN-2 {S}
 class VOICE {S}
  frobnicate
 frobnicate
class-map match-any C {S}
 frobnicate
map-class frame-relay M {S}
 frobnicate
 frame-relay frobnicate
!
interface ATM0.1 point-to-point
 pvc circuit 0/100 {S}
  vbr-nrt frobnicate
!
interface Serial0/0
 description {S}
 ip address 192.0.2.1 255.255.255.0
 bandwidth 512
 bandwith {S}
 encapsulation ppp
 ppp chap password 0 {S}
 tx-ring-limit 64
 service-policy output WAN
{_NESTED}
!
interface Serial0/1
 description {S}
 bandwidth 512
 priority-group {S}
 rate-limit output {S}
 service-policy output NOT-DEFINED
!
dlsw local-peer peer-id 192.0.2.1 key {S}
dlsw remote-peer 0 tcp 192.0.2.2 password {S}
dlsw icanreach netbios-name {S}
!
ip sla 1
 icmp-echo 192.0.2.9
 tag {S}
 owner {S}
{_NESTED}
ip sla 2
 http get http://u:{S}@192.0.2.1/?pass={S}
access-list 101 permit tcp any any log {S}
access-list 101 remark {S}
!
{_PLANTED}
banner motd ^C
 {S}
 class {S}
^C
line vty 0 4
 password {S}
end
"""
LOG = f"""\
r1#show running-config
Building configuration...

Current configuration : 999 bytes
{CONFIG}
r1#{S}
Translating "{S}"...domain server (255.255.255.255)
% Unknown command or computer name, or unable to find computer address
r1#show interfaces
Serial0/0 is up, line protocol is up
  Hardware is GT96K Serial
  Description: {S}
  frobnicate {S}
r1#show policy-map interface Serial0/0
 Serial0/0
  Service-policy output: WAN
    Class-map: VOICE (match-any)
      0 packets, 0 bytes
      Match: protocol http url "*{S}*"
      Description: {S}
r1#show ip sla statistics {S}
IPSLA operation id: 1
Owner: {S}
Tag: {S}
r1#show users | include {S}
{S} is here
r1#test aaa group tacacs+ bob {S} legacy
r1#copy ftp://bob:{S}@192.0.2.1/x flash:
r1#show interfaces | include {S}
 --More--
r1#show version
Cisco IOS Software, 2800 Software (C2800NM-ADVIPSERVICESK9-M), Version 12.4(15)T9, RELEASE SOFTWARE
System image file is "tftp://u:{S}@192.0.2.1/c2800.bin"
Last reload reason: reload by {S}
*Mar  1 00:00:01: %SYS-5-CONFIG_I: Configured from console by {S} on vty0
r1#frobnicate {S}
                ^
% Invalid input detected at '^' marker.
r1#show processes cpu
snmp-server community {S}
r1#show dlsw peers
neighbor 192.0.2.1 password {S}
r1#
"""
COMMANDS = (
    *("lint {}", "lint {} -v", "lint {} --format concise", "lint {} --format json", "lint {} -q"),
    *("fix {}", "fix {} --format diff", "fix {} --format json", "fix {} --rule all"),
    *("inspect {}", "inspect {} --format json", "inspect {} --command 'show interfaces'"),
    *("predict {}", "predict {} --format json", "predict {} --format csv"),
    *("size dlsw {} --platform 3640", "size dlsw {} --platform 3640 --format json"),
    *("explain TXR001 {}", "explain QLM001 {}", "redact {}", "inspect {} --command ping"),
)
# Of the outputs of one answer, the one that shows the most.
FULLEST = (
    "redact {}",  # first: the last test looks at the redacted configuration itself
    *("lint {} -v", "lint {} --format json", "fix {} --rule all", "fix {} --format json"),
    *("inspect {} --format json", "predict {}", "predict {} --format json"),
    *("size dlsw {} --platform 3640 --format json", "explain QLM001 {}"),
)

OTHERS = ("r1.cfg", "cr.cfg", "passwords.txt", "nxos.cfg")

# A secret may look like something that is shown where it is a setting: there it is none.
SHAPES = {
    "a number": "84736251",
    "a word that IOS prints": "babbles",
    "an address": "10.99.88.77",
    "a name of an interface": "gi9/8/7",
}
SETTINGS = re.compile(
    r"\s*(?:(?:no )?(?:bandwidth|queue-limit|set dscp|random-detect|pvc|rate-limit|priority-group) "
    r"|logging host |logg ho |dns? |r1#show ip sla statistics )"
)


def _planted(text: str) -> str:
    """A text whose lines have one shape of a secret after the other."""
    shapes = cycle(SHAPES.values())
    return "\n".join(
        line.replace(S, next(shapes)) if S in line and not SETTINGS.match(line) else line
        for line in text.split("\n")
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(CONFIG, encoding="utf-8")
    Path("r1.log").write_text(LOG, encoding="utf-8")
    Path("cr.cfg").write_bytes(CONFIG.replace("\n", "\r").encode())
    Path("passwords.txt").write_text(f"{S}\nbob:{S}\nroot:{S}\n", encoding="utf-8")
    Path("nxos.cfg").write_text(f"!Command: show run {S}\nfeature {S}\n{CONFIG}", "utf-8")


@pytest.mark.parametrize(
    ("file", "command"),
    [
        *(("r1.log", command) for command in COMMANDS),  # the configuration is in the log
        *((file, command) for file in OTHERS for command in FULLEST[file == "r1.cfg" :]),
    ],
)
def test_no_output_holds_the_secret(
    command: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shlex.split(command.format(file)))
    said = capsys.readouterr()
    assert [line for line in (said.out + said.err).split("\n") if S in line] == []
    assert said.out + said.err


@pytest.mark.parametrize("text", [CONFIG, LOG], ids=["a configuration", "a log of a terminal"])
def test_no_output_holds_a_secret_that_looks_harmless(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("r1.txt").write_text(_planted(text), encoding="utf-8")
    left = []
    for command in FULLEST:
        run(shlex.split(command.format("r1.txt")))
        said = capsys.readouterr()
        lines = (said.out + said.err).split("\n")
        left += [(command, line) for line in lines if any(map(line.count, SHAPES.values()))]
    assert left == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(CONFIG, "  priority 128", id="a configuration"),
        pytest.param(LOG, "  Hardware is GT96K Serial", id="a log of a terminal"),
    ],
)
def test_file_keeps_its_lines_and_what_the_rules_read(text: str, shown: str) -> None:
    clean = redact_text(text, "r1.txt")
    assert clean.count("\n") == text.count("\n")
    assert shown in clean.split("\n")
    assert S not in clean
