"""What redaction may have masked is withheld: no other finding, and no lines that change a device.

A line that is not understood, or that holds commands as text, may name anything once it is masked.
"""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from advisor import api
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config
from advisor.shows import redact
from advisor.shows.redact import redact_text

CONFIG: Final = """\
version 12.4
hostname r1
class-map match-all VOICE
 match access-group name CALLS
class-map match-any DATA
 match ip dscp af21
policy-map CHILD
 class VOICE
  priority 128
 class DATA
  bandwidth 64
  random-detect dscp-based
 class class-default
  fair-queue
policy-map WAN
 class class-default
  shape average 384000
  service-policy CHILD
policy-map NIGHT
 class VOICE
  priority 64
interface Serial0/0
 bandwidth 512
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 tx-ring-limit 10
 service-policy output WAN
interface Serial0/1
 bandwidth 512
 encapsulation frame-relay
 frame-relay traffic-shaping
interface Serial0/1.1 point-to-point
 frame-relay interface-dlci 100
  class CIR
map-class frame-relay CIR
 frame-relay cir 256000
 service-policy output CHILD
ip access-list extended CALLS
 permit udp any any range 16384 32767
end
"""
_KEYWORD: Final = re.compile(r"[a-z][a-z-]{3,}")


def _misspelt() -> Iterator[str]:
    """The configuration with a letter left out of one keyword, for each keyword of each line.

    By turns it is the second letter and the last but one.
    """
    for number, line in enumerate(lines := CONFIG.splitlines()):
        for place, word in enumerate(_KEYWORD.finditer(line), number):
            at = word.end() - 2 if place % 2 else word.start() + 1
            wrong = line[:at] + line[at + 1 :]
            yield "\n".join([*lines[:number], wrong, *lines[number + 1 :], ""])


def _judged(text: str) -> tuple[set[tuple[str, str, bool]], bool, str]:
    """The findings, each with whether it has lines, whether all was judged, and why not."""
    report = api.lint(api.of_texts({"r1.cfg": text}))
    findings = {
        (each.rule, each.object, bool(each.remedy and each.remedy.lines))
        for each in report.findings
    }
    return findings, report.complete, " ".join(each.reason for each in report.skipped)


def _withheld(text: str) -> str | None:
    """What a masked text has wrongly; None where all that it lacks is said to be masked."""
    findings, complete, _ = _judged(text)
    kept, still, why = _judged(redact_text(text, "r1.cfg"))
    more = {each for each in kept - findings if each[2] or (*each[:2], True) not in findings}
    if more:
        return f"more: {sorted(more)}"
    less = {each[:2] for each in findings} - {each[:2] for each in kept}
    if still and (not complete or less) and "redaction masked" not in why:
        return f"less, and not said: {sorted(less)}"
    return None


def test_a_class_whose_name_was_masked_is_not_understood() -> None:
    text = CONFIG.replace(" class DATA\n", ' class "my data"\n')

    assert _withheld(text) is None
    assert not _judged(redact_text(text, "r1.cfg"))[1]


@pytest.mark.slow
def test_a_misspelt_keyword_reads_no_worse_behind_the_mask() -> None:
    wrong = {text: said for text in _misspelt() if (said := _withheld(text)) is not None}
    changed = {next(iter(set(text.splitlines()) - set(CONFIG.splitlines()))): said
               for text, said in wrong.items()}  # fmt: skip
    assert changed == {}


@pytest.mark.parametrize(
    "user",
    [
        'event manager applet A\n action 1 cli command "service-policy output NIGHT"',
        "kron policy-list K\n cli service-policy output NIGHT",
        "alias interface n service-policy output NIGHT",
        'aaa attribute list L\n attribute type sub-qos-policy-out "NIGHT"',
        'aaa attribute list L\n attribute type interface-config "service-policy output NIGHT"',
        "aaa authorization network default group radius",
        "aaa authorization network SESSIONS group radius",
        "aaa server radius dynamic-author\n client 192.0.2.9 server-key hunter",
        "subscriber service session-accounting",
        "dot1x system-auth-control",
        "policy-map type control C\n class type control X\n  10 service-policy output NIGHT",
        "service-template T\n service-policy qos output NIGHT",
        "pfr-map X 10\n set policy-map NIGHT",
        "router bgp 1\n table-map NIGHT",
        "route-map R permit 10\n match policy-list NIGHT",
        "event manager environment policy NIGHT",
        "macro name M\ninterface $i\nservice-policy output NIGHT\n@",
        "interface Serial0/2\n service-policy outpt NIGHT",
        "interface Serial0/2\n srvice-policy output NIGHT",
    ],
)
def test_a_masked_line_that_may_use_a_policy_leaves_it(user: str) -> None:
    text = CONFIG.replace("end\n", f"{user}\nend\n")
    unused = ("REF004", "policy-map NIGHT", True)

    assert unused in _judged(CONFIG)[0]
    assert unused in _judged(redact_text(CONFIG, "r1.cfg"))[0]
    assert unused not in _judged(text)[0]
    assert unused not in _judged(redact_text(text, "r1.cfg"))[0]


COUNTERS: Final = """\
 Serial0/0

  Service-policy output: NIGHT

    Class-map: VOICE (match-all)
      1000 packets, 64000 bytes
      5 minute offered rate 128000 bps, drop rate 12000 bps
      Match: access-group name CALLS
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 64 (kbps) Burst 1600 (Bytes)
        (pkts matched/bytes matched) 1000/64000
        (total drops/bytes drops) 200/12800
"""
_SECRETS: Final = ("hunter", "84736251")


@pytest.mark.parametrize("body", [COUNTERS, CONFIG], ids=["counters", "a configuration"])
@pytest.mark.parametrize(
    "command",
    ["ping", "dir", "undebug all", "show ip route", "show clock", "sh confg"],
)
def test_text_below_a_command_that_is_not_read_reads_the_same(command: str, body: str) -> None:
    other = CONFIG.replace("hostname r1", "hostname r2")
    text = (
        f"r2#show running-config\n{other}r1#{command}\n{body}frobnicate {_SECRETS[0]}\n"
        f"{_SECRETS[1]}\nenable secret {_SECRETS[1]}\nr1#\n"
    )
    masked = redact_text(text, "r1.cfg")

    assert _judged(masked)[:2] == _judged(text)[:2]
    assert not any(secret in masked for secret in _SECRETS)


@pytest.mark.parametrize(
    "user",
    [
        "ip nat inside source list 1 interface Serial0/0 overload",
        "ip tftp source-interface Serial0/0",
        "track 1 interface Serial0/0 line-protocol",
        "connect A Serial0/0 100 Serial0/1 200",
        'event manager applet A\n action 1 cli command "interface Serial0/0"',
    ],
)
def test_a_masked_line_that_may_name_a_serial_keeps_it_out_of_a_bundle(user: str) -> None:
    alone = CONFIG.replace("output WAN", "output NIGHT")
    text = alone.replace("end\n", f"{user}\nend\n")
    moved = ("LFI001", "interface Serial0/0", True)

    assert moved in _judged(redact_text(alone, "r1.cfg"))[0]
    assert moved not in _judged(text)[0]
    assert moved not in _judged(redact_text(text, "r1.cfg"))[0]


def test_a_line_is_tried_in_its_section_not_in_the_whole_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def parsing(text: str, file: str = "", first_line: int = 1) -> ConfigTree:
        read.append(text.count("\n") + 1)
        return parse_config(text, file, first_line)

    monkeypatch.setattr(redact, "parse_config", parsing)
    text = f"{CONFIG.removesuffix('end' + chr(10))}ip sl s3cret x\nend\n"
    redact_text(text, "r1.cfg")

    assert sum(lines > 1 for lines in read) <= 4  # as captured, masked, its sections, mended
    assert sum(lines == 1 for lines in read) > 1
