"""What is read of a masked text is what is read of the text, names and people's words aside."""

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from advisor import api
from advisor.capture.cuts import read_capture
from advisor.capture.masking import mask_line, mask_quoted
from advisor.capture.read_bundle import read_bundle, with_texts
from advisor.capture.sections import Capture, Section, SectionKind, answer
from advisor.capture.write_bundle import write_bundle
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.ios.terminal import decode
from advisor.shows.observe import observe
from advisor.shows.redact import redact_capture, redact_text
from tests.support.outside import CORPUS, needs

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).resolve().parents[2]
# What people type, what quotes their lines, and the text itself.
_ASIDE: Final = frozenset(
    ("description", "board_id", "reload_reason", "returned_to_rom_by", "tree", "command", "said")
)
_NO_CONFIGS: Final = (".json", ".csv", ".toml", ".j2", ".yml")
# Names of no IOS stand there, made to forge reports; NX-OS is not read.
_HOSTILE: Final = ("hostile-names.ios", "nxos-leaf.ios")
FIXTURES: Final = sorted(
    path
    for path in (ROOT / "fixtures").rglob("*")
    if path.is_file() and path.suffix not in _NO_CONFIGS and path.name not in _HOSTILE
)
_EACH: Final = 12  # files of the corpus: one of so many


def _differences(before: object, after: object, path: str = "") -> Iterator[str]:
    """Where two readings differ."""
    if type(before) is not type(after):
        yield f"{path}: {before!r:.80} became {after!r:.80}"
    elif isinstance(before, Struct):
        for name in before.__struct_fields__:
            if name not in _ASIDE:
                yield from _differences(getattr(before, name), getattr(after, name), name)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        if len(before) != len(after):
            yield f"{path}: {len(before)} became {len(after)}"
        for one, other in zip(before, after, strict=False):
            yield from _differences(one, other, path)
    elif hasattr(before, "__dict__") and not isinstance(before, Enum):
        yield from _differences(list(vars(before).values()), list(vars(after).values()), path)
    elif before != after and not str(before).startswith(("tag ", "owner ")):
        yield f"{path}: {before!r:.80} became {after!r:.80}"


def _read(text: str, name: str) -> object:
    sections: tuple[Section, ...] = read_capture(text, name).sections
    facts = [
        read_facts(parse_config(section.text, name))
        for section in sections
        if section.kind is SectionKind.CONFIG
    ]
    return (
        [(section.kind, section.taken_for) for section in sections],
        observe(sections, name),
        facts,
    )


def _lost(path: Path) -> list[str]:
    text = decode(path.read_bytes())[0]
    masked = redact_text(text, path.name)
    return list(_differences(_read(text, path.name), _read(masked, path.name)))


@pytest.mark.parametrize(
    "folder",
    sorted({path.parent for path in FIXTURES}),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_masked_fixture_reads_the_same(folder: Path) -> None:
    lost = {path.name: _lost(path) for path in FIXTURES if path.parent == folder}
    assert {name: said for name, said in lost.items() if said} == {}


@needs(CORPUS / "show")
@pytest.mark.parametrize("start", range(3))
def test_a_masked_file_of_the_corpus_reads_the_same(start: int) -> None:
    files = sorted((*(CORPUS / "configs/ios").rglob("*"), *(CORPUS / "show").rglob("*.txt")))
    taken = [path for path in files if path.is_file() and "nxos" not in path.name][start::_EACH]
    lost = {path.name: _lost(path) for path in taken}
    assert {name: said for name, said in lost.items() if said} == {}


@pytest.mark.parametrize(
    "line",
    [
        "interface Multilink2001100117",
        " ppp multilink group 2001100117",
        "interface AppGigabitEthernet1/0/1",
        "dial-peer voice 100 voip",
        " max-conn 60",
        " session target ipv4:192.0.2.9",
        " dialer pool-member 1",
        "mls qos map cos-dscp 0 8 16 24 32 46 48 56",
        "mls qos queue-set output 1 threshold 1 100 100 50 200",
        "switch 1 provision ws-c2960x-48fps-l",
        "platform qfp utilization monitor load 80",
        "no platform punt-keepalive disable-kernel-core",
        " sdlc xid C1 05D00001",
        "!Slot 1/0: type VIP4-80",
    ],
)
def test_a_line_that_is_read_stays(line: str) -> None:
    assert mask_line(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "MOS score: 4.02",
        "      Overhead Accounting enabled",
        "r15 uptime is 2 years, 31 weeks, 6 days, 9 hours, 55 minutes",
        "  X.25 DTE, version 1984, address 31415, state R1, modulo 8, timer 0",
        "  LAPB DTE, state CONNECT, modulo 8, k 7, N1 12056, N2 20",
        "      T1 3000, T2 0, interface outage (partial T3) 0, T4 0",
        "     RTS up, CTS up, DTR up, DCD up, DSR up",
        "       Service-policy queueing : CHILD",
        "      0          10 / 20        (Byte)65284071936             0                 12",
        "      compress:",
        "          header ip rtp",
        "          UDP/RTP (compression on, Cisco, RTP)",
        "            Sent:    12 total, 11 compressed,",
        "                     400 bytes saved, 300 bytes sent",
        "                     2.65 efficiency improvement factor",
        "                     91% hit ratio, five minute miss rate 0 misses/sec, 0 max",
        "                     rate 1000 bps",
        "          rate 10 %",
        "          fr-de",
        "          srp-priority 3",
        "          ipv6 dscp ef",
        "          mpls experimental 5",
        "        dscp     ECN Mark",
        "        pkts/bytes",
        "        ef       0/0",
        "        0        12/3400",
        "        discard-class  Transmitted  Random drop  Tail drop  Minimum  Maximum  Mark",
        "        (total drops/no-buffer drops) 12/0",
        "      Match: protocol rtp audio",
        "      Match: protocol skinny",
        "        Absolute Priority",
        "        packets output 12, packet drops 0",
        "        tail/random drops 0, no buffer drops 0, other drops 0",
        "        queue-limit 64 (packets)",
        "        bandwidth 100 kbps (Weight 20)",
        "      Voice Adaptive Shaping active",
        "          set-cos-inner-transmit 3",
        "          set-discard-class-transmit 2",
        "          policed-dscp-transmit",
        "    Class-map: SECRET (match-any)",
        "    Class-map: user (match-all) (12/3)",
        "  Interface is bound to Vi2",
        "  VC Auto Creation Disabled.",
    ],
)
def test_a_line_that_ios_prints_stays(line: str) -> None:
    text = f"r15#show interfaces\n{line}\nr15#\n"
    assert redact_text(text, "r15.log") == text


def test_a_placeholder_of_advice_stays_and_a_secret_beside_it_goes() -> None:
    assert mask_quoted("`vbr-nrt PEAK SUSTAINED`, `priority N`") == (
        "`vbr-nrt PEAK SUSTAINED`, `priority N`"
    )
    assert mask_quoted("`enable secret N xyz`") == "`enable secret <removed>`"


def test_an_output_that_is_not_read_keeps_what_it_is() -> None:
    text = "Codes: L - local, C - connected, S - static\n\nC 192.0.2.0/24 is connected, tiger\n"
    clean = redact_text(text, "r1.txt")
    (before,), (after,) = (read_capture(each, "r1.txt").sections for each in (text, clean))
    assert before.command == after.command == "show ip route"
    assert "tiger" not in clean


@pytest.mark.parametrize(
    "name",
    [
        "production/isr4331-metro-50m.ios",
        "planted/voice-gateway-60-calls.ios",
        "production/1941-dmvpn-spoke.ios",
        "planted/dmvpn-no-preclassify.ios",
        "composed/accepted-findings.ios",
    ],
)
def test_a_masked_configuration_has_the_same_findings(name: str) -> None:
    """Descriptions aside: what people type is masked, and a contract may stand there."""
    text = re.sub(
        r"(?m)^ description .*\n", "", (ROOT / "fixtures/configs" / name).read_text("utf-8")
    )
    before, after = (
        [(each.rule, each.object) for each in api.lint(api.of_texts({"r1": said})).findings]
        for said in (text, redact_text(text, "r1"))
    )
    assert before
    assert before == after


def test_an_audit_judges_what_was_printed_and_stores_it_masked(tmp_path: Path) -> None:
    printed = (
        "interface Serial0/0\n description to tiger, password is lion-seven\n tx-ring-limit 5\n"
    )
    captured = Capture("", (answer("show running-config", printed),), "r1")
    write_bundle(redact_capture(captured), tmp_path / "r1")
    stored = read_bundle(tmp_path / "r1")
    (judged,) = with_texts(stored, captured, ["lion-seven"]).sections

    assert "tiger" not in stored.sections[0].text
    assert judged.text == printed.replace("lion-seven", "<removed>")
    assert judged.file == stored.sections[0].file


@pytest.mark.parametrize(
    "refusal",
    [
        "% Invalid input detected at '^' marker.",
        "% Incomplete command.",
        "Command authorization failed.",
    ],
)
def test_a_refusal_behind_a_line_of_a_configuration_stays(refusal: str) -> None:
    text = f"r15(config-if)#tx-ring-limit 30\n{refusal}\nr15(config-if)#\n"
    assert redact_text(text, "r15.log") == text
