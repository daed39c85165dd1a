"""LFI002: fragments against the slowest rate that they pass."""

import pytest
from msgspec.structs import replace

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.lfi.fragments import WrongFragment, WrongFragmentParams
from advisor.lint.findings import Confidence, Severity
from advisor.lint.site import remedy_lines
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

FRAGMENT_WRONG_SIZE = CHECKS["fragment-wrong-size"]

PARAMS = WrongFragmentParams(serialization_ms=10.0, off_percent=25.0, lfi_up_to_kbps=768)
LLQ = (
    "class-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n class VOICE\n"
    "  priority 64\n class class-default\n  fair-queue\n"
)


VOICED, DATA = " service-policy output EDGE\n", ""


def bundle(lines: str, *members: str) -> str:
    text = (
        f"version 12.4\n{LLQ}interface Multilink1\n ppp multilink\n{lines}"
        " ppp multilink interleave\n ppp multilink group 1\n service-policy output EDGE\n"
    )
    for number, line in enumerate(members):
        text += (
            f"interface Serial0/{number}\n{line} encapsulation ppp\n tx-ring-limit 1\n"
            " ppp multilink\n ppp multilink group 1\n"
        )
    return text


def port(fragment: int, clock_bps: int) -> str:
    return (
        f"version 12.3\n{LLQ}interface Serial0/0\n encapsulation frame-relay\n"
        f" clock rate {clock_bps}\n frame-relay fragment {fragment} end-to-end\n"
        " service-policy output EDGE\n"
    )


def circuits(fast: int, slow_cir_bps: int | None, slow: str = VOICED) -> str:
    """Two circuits of a port; the slower one has an LLQ, too."""
    slow_cir = f" frame-relay cir {slow_cir_bps}\n" if slow_cir_bps else ""
    return (
        f"version 12.3\n{LLQ}interface Serial0/0\n encapsulation frame-relay\n"
        " clock rate 1536000\n frame-relay traffic-shaping\n"
        "interface Serial0/0.1 point-to-point\n frame-relay interface-dlci 101\n  class FAST\n"
        "interface Serial0/0.2 point-to-point\n frame-relay interface-dlci 102\n  class SLOW\n"
        f"map-class frame-relay FAST\n frame-relay cir 512000\n frame-relay fragment {fast}\n"
        f" service-policy output EDGE\nmap-class frame-relay SLOW\n{slow_cir}{slow}"
    )


BOTH, CLOCK, LABEL = (
    " clock rate 512000\n bandwidth 512\n",
    " clock rate 512000\n",
    " bandwidth 512\n",
)
TEN = " ppp multilink fragment delay 10\n"


def found(text: str) -> list[Hit[WrongFragment]]:
    return hits_of(FRAGMENT_WRONG_SIZE.find(device_of(text), PARAMS))


@pytest.mark.parametrize(
    ("text", "fragment_bytes", "rate_kbps", "advised_bytes"),
    [
        pytest.param(bundle(" ppp multilink fragment delay 20\n", BOTH), 1280, "512", 640,
                     id="a delay of 20 ms"),
        pytest.param(bundle("", BOTH), 1500, "512", 640, id="30 ms by default"),
        pytest.param(bundle(TEN, CLOCK), 1500, "512", 640,
                     id="IOS takes 1544 kb/s of a member without bandwidth"),
        pytest.param(bundle(TEN, BOTH, CLOCK), 1500, "512", 640, id="one of two members"),
        pytest.param(port(1000, 512_000), 1000, "512", 632, id="FRF.12 of the port"),
        pytest.param(port(80, 512_000), 80, "512", 632, id="FRF.12 of a slower line"),
        pytest.param(circuits(640, 128_000), 640, "128", 152,
                     id="the slowest circuit of the port decides"),
        pytest.param(circuits(1200, 128_000, DATA), 1200, "512", 632,
                     id="of those with an LLQ: the contract of the data holds no voice up"),
    ],
)  # fmt: skip
def test_fragments_off_the_budget(
    text: str, fragment_bytes: int, rate_kbps: str, advised_bytes: int
) -> None:
    evidence = hit_of(FRAGMENT_WRONG_SIZE.find(device_of(text), PARAMS)).evidence

    said = (evidence.fragment_bytes, evidence.rate_kbps, evidence.advised_bytes)
    assert said == (fragment_bytes, rate_kbps, advised_bytes)


def test_the_rate_of_another_circuit_is_called_so() -> None:
    own, other = found(circuits(1200, 512_000))[0], found(circuits(640, 128_000))[0]
    assert own.evidence.rate_of == "the slowest rate of the link"
    assert other.evidence.rate_of.startswith("the slowest circuit of the port")


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        pytest.param(port(792, 512_000), False, id="800 bytes on the wire: 12.5 ms"),
        pytest.param(port(793, 512_000), True, id="a byte more"),
        pytest.param(port(472, 512_000), False, id="480 bytes on the wire: 7.5 ms"),
        pytest.param(port(471, 512_000), True, id="a byte less"),
    ],
)
def test_a_quarter_of_the_budget_is_allowed(text: str, is_found: bool) -> None:
    assert bool(found(text)) is is_found


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(bundle(TEN, BOTH), id="10 ms"),
        pytest.param(bundle(TEN, LABEL), id="10 ms of the label, the only rate that is known"),
        pytest.param(circuits(152, 128_000), id="of the slowest circuit"),
        pytest.param(circuits(632, 128_000, DATA), id="of the slowest circuit with an LLQ"),
        pytest.param(port(80, 2_000_000), id="a fast link is LFI003's"),
        pytest.param(bundle(TEN, BOTH).replace("priority", "bandwidth"), id="no voice"),
    ],
)
def test_silent(text: str) -> None:
    assert found(text) == []


def test_a_label_is_no_clock() -> None:
    text = bundle(" ppp multilink fragment delay 20\n", LABEL)

    assert hit_of(FRAGMENT_WRONG_SIZE.find(device_of(text), PARAMS)).confidence is Confidence.LIKELY


def test_sources_differ_on_a_circuit_with_a_slower_one_beside_it() -> None:
    hit = hit_of(FRAGMENT_WRONG_SIZE.find(device_of(circuits(640, 128_000)), PARAMS))

    assert hit.confidence is Confidence.LIKELY


@pytest.mark.parametrize(
    ("ring", "expected"),
    [
        pytest.param(12, ["interface Serial0/0", " tx-ring-limit 1"], id="12 long fragments"),
        pytest.param(1, [], id="one may stay"),
    ],
)
def test_longer_fragments_come_with_the_ring_that_they_need(ring: int, expected: list[str]) -> None:
    text = bundle(" ppp multilink fragment delay 1\n", BOTH)
    text = text.replace("tx-ring-limit 1\n", f"tx-ring-limit {ring}\n")
    hit = hit_of(FRAGMENT_WRONG_SIZE.find(device_of(text), replace(PARAMS, ring_wait_ms=25.0)))

    lines = list(remedy_lines("fragment-size.j2", hit))
    assert lines == [*expected, "interface Multilink1", " ppp multilink fragment delay 10"]


def test_lines_have_the_spelling_of_the_config() -> None:
    hit = hit_of(
        FRAGMENT_WRONG_SIZE.find(
            device_of(bundle(" ppp multilink fragment-delay 20\n", BOTH)), PARAMS
        )
    )

    lines = list(remedy_lines("fragment-size.j2", hit))
    assert lines == ["interface Multilink1", " ppp multilink fragment-delay 10"]


def test_above_the_rate_of_lfi_it_is_information() -> None:
    hit = hit_of(FRAGMENT_WRONG_SIZE.find(device_of(port(80, 1_000_000)), PARAMS))

    assert hit.severity is Severity.INFO


@pytest.mark.parametrize(
    ("text", "delay_ms", "members"),
    [
        pytest.param(bundle("", BOTH), 10, [], id="the delay alone"),
        pytest.param(bundle(TEN, CLOCK), None, ["Serial0/0"], id="the bandwidth alone"),
        pytest.param(bundle("", CLOCK, BOTH), 10, ["Serial0/0"], id="both"),
    ],
)
def test_what_the_lines_of_a_bundle_change(
    text: str, delay_ms: int | None, members: list[str]
) -> None:
    delay = hit_of(FRAGMENT_WRONG_SIZE.find(device_of(text), PARAMS)).evidence.delay

    assert delay is not None
    assert (delay.delay_ms, [member.name for member in delay.members]) == (delay_ms, members)


def test_a_link_without_a_rate_is_skipped() -> None:
    said = skip_of(FRAGMENT_WRONG_SIZE.find(device_of(bundle(TEN, "")), PARAMS))

    assert said.reason.startswith("the rate of the link is not known")


@pytest.mark.parametrize(
    ("port_bps", "slow", "said"),
    [
        pytest.param(512_000, "", True, id="a circuit gets its first fragments"),
        pytest.param(
            512_000, " frame-relay fragment 152\n", False, id="all circuits have fragments"
        ),
        pytest.param(
            1_536_000,
            "",
            False,
            id="the port sends a whole packet in time: the circuit stays whole",
        ),
    ],
)
def test_the_other_end_of_a_circuit_that_did_not_fragment_is_told(
    port_bps: int, slow: str, *, said: bool
) -> None:
    text = circuits(640, 128_000).replace("clock rate 1536000", f"clock rate {port_bps}")
    hit = found(text + slow)[0]

    assert ("the other end of Serial0/0.2 must have it too" in (hit.advice or "")) is said
    frame_relay = hit.evidence.frame_relay
    assert frame_relay is not None
    assert ("SLOW" in frame_relay.map_classes) is said


def test_a_circuit_without_a_cir_may_be_slower_than_all_that_is_known() -> None:
    said = skip_of(FRAGMENT_WRONG_SIZE.find(device_of(circuits(160, None)), PARAMS))

    assert "the slowest rate is not known" in said.reason


def test_too_long_is_too_long_for_a_slower_circuit_too() -> None:
    assert (
        hit_of(FRAGMENT_WRONG_SIZE.find(device_of(circuits(1200, None)), PARAMS)).evidence.side
        == "too long"
    )
