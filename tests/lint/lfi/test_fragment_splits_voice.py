"""LFI004: fragments against the packets of the LLQ."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.lfi.fragments import SplitVoice, SplitVoiceParams
from advisor.lint.findings import Confidence, Severity
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of

FRAGMENT_SPLITS_VOICE = CHECKS["fragment-splits-voice"]

PARAMS = SplitVoiceParams(serialization_ms=10.0)
CALLS = '[[traffic]]\nclass = "VOICE"\ncalls = 1\ncodec = "{}"\n'


def port(fragment: int, clock_bps: int = 512_000, action: str = "priority 128") -> str:
    return (
        "version 12.3\nhostname r1\nclass-map match-all VOICE\n match ip dscp ef\n"
        f"policy-map EDGE\n class VOICE\n  {action}\n class class-default\n  fair-queue\n"
        "interface Serial0/0\n encapsulation frame-relay\n"
        f" clock rate {clock_bps}\n frame-relay fragment {fragment} end-to-end\n"
        " service-policy output EDGE\nend\n"
    )


def found(text: str, traffic: str = "") -> list[Hit[SplitVoice]]:
    settings = Settings(traffic=settings_of_text(traffic).traffic)
    return hits_of(FRAGMENT_SPLITS_VOICE.find(device_read(text, settings, file="r1.ios"), PARAMS))


@pytest.mark.parametrize(
    ("fragment", "codec", "is_found"),
    [
        pytest.param(204, "g711", False, id="G.711 of 200 bytes with the header of 4"),
        pytest.param(203, "g711", True, id="a byte less"),
        pytest.param(64, "g729", False, id="G.729 of 60 bytes with the header of 4"),
        pytest.param(63, "g729", True, id="a byte less than G.729"),
    ],
)
def test_both_sides_of_a_packet(fragment: int, codec: str, is_found: bool) -> None:
    assert bool(found(port(fragment), CALLS.format(codec))) is is_found


@pytest.mark.parametrize(
    ("fragment", "severity", "confidence"),
    [
        pytest.param(63, None, Confidence.LIKELY, id="no codec fits"),
        pytest.param(64, Severity.INFO, Confidence.POSSIBLE, id="G.729 fits, G.711 does not"),
    ],
)
def test_an_unknown_codec(fragment: int, severity: Severity | None, confidence: Confidence) -> None:
    (hit,) = found(port(fragment))

    assert (hit.severity, hit.confidence) == (severity, confidence)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(port(204), id="every codec fits"),
        pytest.param(port(152, 128_000), id="no codec is known, and the line has room for G.729"),
        pytest.param(port(53, action="bandwidth 128"), id="no LLQ"),
        pytest.param(
            port(53).replace(" frame-relay fragment 53 end-to-end\n", ""), id="no fragments"
        ),
    ],
)
def test_silent(text: str) -> None:
    assert found(text) == []


def test_a_line_too_slow_for_the_packet_has_no_lines() -> None:
    (hit,) = found(port(80, clock_bps=64_000), CALLS.format("g711"))

    assert not hit.curable
    assert "codec with smaller packets" in (hit.advice or "")


def test_a_profile_without_a_budget_is_silent() -> None:
    device = device_read(port(53), file="r1.ios")

    assert list(FRAGMENT_SPLITS_VOICE.find(device, SplitVoiceParams(serialization_ms=None))) == []


def test_the_largest_packets_of_several_classes_decide() -> None:
    video = port(300).replace(
        " class class-default", " class VIDEO\n  priority 100\n class class-default"
    )
    stated = '[[traffic]]\nclass = "VIDEO"\npacket_bytes = 400\npackets_per_second = 20\n'
    settings = Settings(traffic=settings_of_text(stated).traffic)
    device = device_read(video, settings, file="r1.ios")

    assert hit_of(FRAGMENT_SPLITS_VOICE.find(device, PARAMS)).evidence.class_name == "VIDEO"


def test_no_fragment_is_named_that_ios_does_not_take() -> None:
    (hit,) = found(port(20, clock_bps=16_000))

    assert (hit.evidence.advised_bytes, hit.evidence.advised_ms) == (16, "12")
    assert "no fragment that they fit keeps 10 ms" in (hit.advice or "")


DIAL_PEER = "dial-peer voice 10 voip\n session target ipv4:192.0.2.9\n{0}end\n"


@pytest.mark.parametrize(
    ("fragment", "codec", "severities"),
    [
        pytest.param(160, " codec g711ulaw\n", [None], id="G.711 of a dial-peer does not fit"),
        pytest.param(204, " codec g711ulaw\n", [], id="it fits"),
        pytest.param(160, " codec g729r8\n", [Severity.INFO], id="others may use G.711"),
        pytest.param(160, " codec g711ulaw\n shutdown\n", [Severity.INFO], id="it is shut down"),
        pytest.param(160, "", [Severity.INFO], id="no codec is stated"),
    ],
)
def test_the_codec_of_a_dial_peer(
    fragment: int, codec: str, severities: list[Severity | None]
) -> None:
    text = port(fragment).removesuffix("end\n") + DIAL_PEER.format(codec)

    assert [hit.severity for hit in found(text)] == severities
