"""LFI003: fragments where a whole packet passes in time."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.lfi import PacketBudget
from advisor.lint.checks.lfi.fragments import NeedlessFragments
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

FRAGMENTING_FAST_LINK = CHECKS["fragmenting-fast-link"]

PARAMS = PacketBudget(serialization_ms=10.0)
LLQ = (
    "class-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n class VOICE\n"
    "  priority 64\n class class-default\n  fair-queue\n"
)


def port(clock_bps: int, fragment: str = " frame-relay fragment 640 end-to-end\n") -> str:
    return (
        f"version 12.3\n{LLQ}interface Serial0/0\n encapsulation frame-relay\n"
        f" clock rate {clock_bps}\n{fragment} service-policy output EDGE\n"
    )


def bundle(
    clock: str = " clock rate 1536000\n", interleave: str = " ppp multilink interleave\n"
) -> str:
    return (
        f"version 12.4\n{LLQ}interface Multilink1\n ppp multilink\n{interleave}"
        " ppp multilink fragment delay 10\n ppp multilink group 1\n service-policy output EDGE\n"
        f"interface Serial0/0\n{clock} encapsulation ppp\n ppp multilink\n"
        " ppp multilink group 1\n"
    )


def found(text: str) -> list[Hit[NeedlessFragments]]:
    return hits_of(FRAGMENTING_FAST_LINK.find(device_of(text), PARAMS))


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        pytest.param(port(1_206_000), False, id="1508 bytes at 1206 kb/s: 10.003 ms"),
        pytest.param(port(1_207_000), True, id="1508 bytes at 1207 kb/s: 9.995 ms"),
        pytest.param(port(2_000_000, ""), False, id="no fragments"),
        pytest.param(bundle(), True, id="a T1 that interleaves"),
        pytest.param(bundle(interleave=""), False, id="fragments without interleaving: LFI005"),
        pytest.param(port(2_000_000).replace("priority", "bandwidth"), True, id="without voice"),
    ],
)
def test_a_whole_packet_in_time(text: str, is_found: bool) -> None:
    assert bool(found(text)) is is_found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(port(2_000_000), "fragments of 640 bytes cost headers and CPU", id="cut"),
        pytest.param(bundle(), "no packet is cut, and interleaving gives nothing", id="uncut"),
    ],
)
def test_what_it_costs(text: str, words: str) -> None:
    assert hit_of(FRAGMENTING_FAST_LINK.find(device_of(text), PARAMS)).evidence.fragments == words


@pytest.mark.parametrize(
    ("text", "is_frf12"),
    [
        pytest.param(port(2_000_000), True, id="Frame Relay"),
        pytest.param(bundle(), False, id="a bundle of MLPPP"),
    ],
)
def test_only_frame_relay_is_told_of_ends_without_frf12(text: str, *, is_frf12: bool) -> None:
    hit = hit_of(FRAGMENTING_FAST_LINK.find(device_of(text), PARAMS))

    assert ("without FRF.12" in (hit.advice or "")) is is_frf12


def test_a_link_without_a_rate_is_skipped() -> None:
    said = skip_of(FRAGMENTING_FAST_LINK.find(device_of(bundle(clock="")), PARAMS))

    assert said.reason.startswith("the rate of the link is not known")


def test_a_circuit_that_ios_shapes_to_a_rate_that_nobody_stated_is_skipped() -> None:
    text = (
        f"version 12.3\n{LLQ}interface Serial0/0\n encapsulation frame-relay\n"
        " clock rate 1536000\n frame-relay traffic-shaping\n"
        "interface Serial0/0.1 point-to-point\n frame-relay interface-dlci 101\n  class FAST\n"
        "interface Serial0/0.2 point-to-point\n frame-relay interface-dlci 102\n  class OPEN\n"
        "map-class frame-relay OPEN\n service-policy output EDGE\n"
        "map-class frame-relay FAST\n frame-relay cir 1536000\n frame-relay fragment 160\n"
        " service-policy output EDGE\n"
    )
    said = skip_of(FRAGMENTING_FAST_LINK.find(device_of(text), PARAMS))

    assert "the slowest rate is not known" in said.reason


def circuit(*, shaping: str, cir_bps: int = 256_000, policy: str = "EDGE") -> str:
    return (
        f"version 12.3\n{LLQ}"
        "policy-map SHAPED\n class class-default\n  shape average 256000\n  service-policy EDGE\n"
        f"interface Serial0/0\n encapsulation frame-relay\n clock rate 1536000\n{shaping}"
        "interface Serial0/0.16 point-to-point\n frame-relay interface-dlci 16\n  class CUT\n"
        f"map-class frame-relay CUT\n frame-relay cir {cir_bps}\n frame-relay mincir {cir_bps}\n"
        f" frame-relay fragment 320\n service-policy output {policy}\n"
    )


SHAPING = " frame-relay traffic-shaping\n"


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        pytest.param(circuit(shaping=SHAPING), False, id="256 kb/s, shaped"),
        pytest.param(circuit(shaping=""), False, id="256 kb/s, and traffic-shaping is missing"),
        pytest.param(circuit(shaping="", policy="SHAPED"), False, id="a policy that shapes"),
        pytest.param(
            circuit(shaping=SHAPING, cir_bps=1_536_000), True, id="a CIR of the whole line"
        ),
    ],
)
def test_fragments_that_the_missing_shaping_will_need_stay(text: str, is_found: bool) -> None:
    assert bool(found(text)) is is_found
