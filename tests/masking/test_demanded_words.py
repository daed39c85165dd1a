"""What a reader demands of a line stays behind the mask; what it takes as any text goes."""

import re
from pathlib import Path
from typing import Final

import pytest

from advisor import api
from advisor.capture.cuts import read_capture
from advisor.capture.masking.words import with_demanded
from advisor.ios.syntax.detect import identify
from advisor.shows.observe import observe
from advisor.shows.redact import redact_text

ROOT: Final = Path(__file__).resolve().parents[2]
SHOW: Final = ROOT / "fixtures/show"
# Readers of these outputs refuse a line that they do not know.
STRICT: Final = (
    *("atm_pvc", "atm_vc", "dlsw", "frame_relay_fragment", "interfaces", "ip_sla", "policy_map"),
    *("policy_map_interface", "ppp_multilink", "queue", "queueing"),
)


@pytest.mark.parametrize(
    ("reader", "line", "masked"),
    [
        pytest.param(r"VC Auto .*", "VC Auto tiger", "VC Auto <removed>", id="a prefix"),
        pytest.param(r"Auto (?:On|Off)", "Auto Off", "Auto Off", id="one of two keywords"),
        pytest.param(r"T\d+ .*", "T1 tiger7", "T0 <removed>", id="a word with a number"),
        pytest.param(r"\w+ is up", "tiger is up", "x is up", id="a word that no mark may replace"),
        pytest.param(r"T\w+", "Tiger", None, id="a word of which one letter is demanded"),
        pytest.param(
            r".*EOS.*", "(vEOS, EOS)", "(<removed>, EOS)", id="a keyword that is there twice"
        ),
        pytest.param(r"nat \(\S+,\S+\)", "nat (a,b)", "nat (<removed>,<removed>)", id="two names"),
        pytest.param(r"key \S+", "key p@$$w0rd", "key <removed>", id="signs within a word"),
        pytest.param(r"key [\w@$]+", "key p@$$w", "key x", id="signs where no mark fits"),
        pytest.param(r"key \w+", "key пароль", "key x", id="other letters"),
        pytest.param(r"key \d+", "key 84736251", "key 0", id="a number"),
        pytest.param(r"other", "key 84736251", None, id="a line that is not read"),
    ],
)
def test_a_word_stays_where_the_reader_takes_no_other(
    reader: str, line: str, masked: str | None
) -> None:
    def accepts(text: str) -> bool:
        return re.fullmatch(reader, text) is not None

    assert with_demanded(line, [True] * len(line.split()), accepts) == masked


@pytest.mark.slow
@pytest.mark.parametrize("command", STRICT)
def test_an_output_is_understood_behind_the_mask_without_a_row_for_its_lines(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row of `printed.txt` is needed for reading: the words come from the reader."""
    monkeypatch.setattr("advisor.capture.masking.line.is_printed", lambda _: False)
    files = [path for path in (SHOW / command).iterdir() if path.stat().st_size < 6_000]
    assert files
    lost = {}
    for path in files:
        text = path.read_text("utf-8")
        before, after = (
            observe(read_capture(said, path.name).sections, path.name).taken
            for said in (text, redact_text(text, path.name))
        )
        lost[path.name] = [
            one
            for one, other in zip(before, after, strict=True)
            if one.understood and not other.understood
        ]
    assert {name: outputs for name, outputs in lost.items() if outputs} == {}


DIALER: Final = """r1#show interfaces
Dialer1 is up, line protocol is up (spoofing)
  Hardware is Unknown
  MTU 1492 bytes, BW 512 Kbit/sec, DLY 20000 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  Encapsulation PPP, LCP Closed, loopback not set
{line}
  Last input never, output never, output hang never
  5 minute input rate 0 bits/sec, 0 packets/sec
  5 minute output rate 0 bits/sec, 0 packets/sec
     0 packets input, 0 bytes, 0 no buffer
     0 packets output, 0 bytes, 0 underruns
r1#
"""


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        pytest.param("  Interface is bound tiger", "  Interface is bound <removed>", id="bound"),
        pytest.param("  VC Auto Tiger", "  VC Auto <removed>", id="a state that no row has"),
        pytest.param(
            "  Scramble tiger 84736251", "  Scramble <removed>", id="what follows a state"
        ),
        pytest.param("  Description: tiger 7", "  Description: <removed>", id="a description"),
    ],
)
def test_free_text_of_a_line_that_is_read_goes(line: str, masked: str) -> None:
    clean = redact_text(DIALER.format(line=line), "r1.log")
    before, after = (
        observe(read_capture(text, "r1.log").sections, "r1.log").interfaces
        for text in (DIALER.format(line=line), clean)
    )
    assert clean.split("\n")[6] == masked
    assert len(before) == len(after) == 1


@pytest.mark.parametrize(
    "secret_line", ["enable secret 5 tigerseven", "area-password 84736251", "tigerseven 84736251"]
)
def test_a_line_that_the_reader_refuses_gets_no_word_back(secret_line: str) -> None:
    clean = redact_text(DIALER.format(line=secret_line), "r1.log")
    assert "tigerseven" not in clean
    assert "84736251" not in clean


ABBREVIATED: Final = """version 12.4
hostname r1
class-m match-any VOICE
 mat ip dscp ef
pol P
 cl VOICE
  prio 128
 cl class-default
  fair
map-cl fr X
 fr ci 128000
 fr fra 160
int a0/1/0.1 point
 pvc 1/32
  vbr-n 512 256
  enc aal5snap
  tx 20
  serv o P
end
"""


def test_an_abbreviated_configuration_has_the_same_findings_and_remedies_behind_the_mask() -> None:
    clean = redact_text(ABBREVIATED, "r1.cfg")
    before, after = (
        [
            (each.rule, each.object, each.remedy)
            for each in api.lint(api.of_texts({"r1": text})).findings
        ]
        for text in (ABBREVIATED, clean)
    )
    assert [(rule, place) for rule, place, _ in before] == [
        (rule, place) for rule, place, _ in after
    ]
    assert any(
        rule == "TXR001" and remedy is not None and remedy.lines for rule, _, remedy in before
    )
    assert clean.count("\n") == ABBREVIATED.count("\n")


def test_an_abbreviation_is_written_out_only_where_its_mode_has_no_secrets() -> None:
    text = "radius server x\n ke tiger\n cl tiger\nline vty 0 4\n pass tiger\n cl tiger\nclient tiger\n"
    assert "tiger" not in redact_text(f"version 12.4\nhostname r1\n{text}end\n", "r1.cfg")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "ASA Version 9.8(2)\nhostname fw\ninterface Ethernet0\n nameif tiger\n", id="ASA"
        ),
        pytest.param("! device: tiger (vEOS, EOS-4.21.1F)\nhostname sw\nvlan 10\n", id="EOS"),
        pytest.param(
            "hostname fw\nnat (tiger,lion) source dynamic any interface\n", id="ASA by NAT"
        ),
    ],
)
def test_the_configuration_of_another_system_is_one_behind_the_mask(text: str) -> None:
    clean = redact_text(text, "x.cfg")
    assert identify(clean).dialect is identify(text).dialect
    assert "tiger" not in clean


@pytest.mark.parametrize("line", ["t 20", "service policy output WAN", "description: to tiger"])
def test_a_line_in_doubt_is_in_doubt_behind_the_mask(line: str) -> None:
    text = f"version 15.1\nhostname r1\ninterface Serial0/0/0\n bandwidth 512\n {line}\nend\n"
    before, after = (
        [each.rule for each in api.lint(api.of_texts({"r1": said})).findings]
        for said in (text, redact_text(text, "r1.cfg"))
    )
    assert before == after == ["PRS001"]
    assert "tiger" not in redact_text(text, "r1.cfg")


def test_a_certificate_goes_behind_messages_of_the_log_too() -> None:
    text = (
        "r1#show running-config\nversion 12.4\nhostname r1\ncrypto pki certificate chain x\n"
        " certificate 01\n*Mar  1 00:00:12.345: %LINK-3-UPDOWN: Interface Serial0/0, changed\n"
        "  30820122 84736251\n  quit\nend\nr1#\n"
    )
    assert "84736251" not in redact_text(text, "r1.log")


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        ("! advisor: ignore[txr001, LFI001] tiger", "! advisor: ignore[txr001, LFI001] <removed>"),
        (
            "! advisor: ignore[tx-ring-too-deep-for-llq]",
            "! advisor: ignore[tx-ring-too-deep-for-llq]",
        ),
        ("! advisor: ignore[txr*, tiger-seven]", "! advisor: ignore[txr*, <removed>]"),
        (
            " tx-ring-limit 20 ! advisor: ignore[TXR001] tiger until 2020-01-01",
            " tx-ring-limit 20 ! advisor: ignore[TXR001] <removed> until 2020-01-01",
        ),
        (
            "enable secret tiger ! advisor: ignore[*]",
            "enable secret <removed> ! advisor: ignore[*]",
        ),
        (" description tiger ! advisor: ignore[TXR001]", " description <removed>"),
    ],
)
def test_a_suppression_stays_with_the_rules_that_it_names(line: str, masked: str) -> None:
    text = f"version 12.4\nhostname r1\ninterface Serial0/0\n{line}\nend\n"
    assert redact_text(text, "r1.cfg").split("\n")[3] == masked
