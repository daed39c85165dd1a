"""SHP001: how often a shaper around voice is refilled."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams
from advisor.lint.checks.shp import LongInterval, LongIntervalParams
from advisor.lint.findings import Severity
from advisor.lint.site import remedy_lines
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

BURST_EXCESS_WITH_VOICE = CHECKS["burst-excess-with-voice"]
SHAPING_INTERVAL_TOO_LONG = CHECKS["shaping-interval-too-long"]

PARAMS = LongIntervalParams(longest_tc_ms=10.0)
LLQ = (
    "class-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n class VOICE\n"
    "  priority percent 20\n class class-default\n  fair-queue\n"
)
NO_LLQ = LLQ.replace("priority percent 20", "bandwidth percent 20")


def shaped(shape: str, version: str = "15.2", policy: str = LLQ, speed: int = 100) -> str:
    return (
        f"version {version}\n{policy}policy-map PARENT\n class class-default\n  {shape}\n"
        "  service-policy EDGE\n"
        f"interface FastEthernet0/0\n speed {speed}\n service-policy output PARENT\n"
    )


def circuit(lines: str, shaping: str = " frame-relay traffic-shaping\n") -> str:
    return (
        f"version 12.3\n{LLQ}interface Serial0/0\n encapsulation frame-relay\n"
        f" clock rate 1024000\n{shaping}interface Serial0/0.1 point-to-point\n"
        " frame-relay interface-dlci 100\n  class FAST\nmap-class frame-relay FAST\n"
        f" frame-relay cir 256000\n{lines} service-policy output EDGE\n"
    )


def found(text: str) -> list[Hit[LongInterval]]:
    return hits_of(SHAPING_INTERVAL_TOO_LONG.find(device_of(text), PARAMS))


@pytest.mark.parametrize(
    ("text", "tc_ms", "wait_ms"),
    [
        pytest.param(shaped("shape average 2000000 250000 0"), "125", "122", id="Bc of 125 ms"),
        pytest.param(shaped("shape average 2000000 20400"), "10.2", "10", id="just over 10 ms"),
        pytest.param(shaped("shape average percent 2 20 ms"), "20", "19.6", id="Bc in ms"),
        pytest.param(shaped("shape average 2000000", "12.3"), "25", "24.5",
                     id="the default before HQF"),
        pytest.param(circuit(""), "125", "93.8", id="the default of a circuit"),
        pytest.param(circuit(" frame-relay bc 16000\n"), "62.5", "46.9", id="the Bc of a circuit"),
        pytest.param(circuit(" frame-relay bc 8000\n"), "31.2", "35.2",
                     id="a packet that is paid for longer than the interval"),
        pytest.param(circuit(" frame-relay bc 8000\n frame-relay fragment 320\n"), "31.2", "23.4",
                     id="fragments are paid for sooner"),
    ],
)  # fmt: skip
def test_a_long_interval(text: str, tc_ms: str, wait_ms: str) -> None:
    evidence = hit_of(SHAPING_INTERVAL_TOO_LONG.find(device_of(text), PARAMS)).evidence

    assert (evidence.tc_ms, evidence.wait_ms) == (tc_ms, wait_ms)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(shaped("shape average 2000000 20000 0"), id="Bc of 10 ms"),
        pytest.param(shaped("shape average 2000000"), id="4 ms by default with HQF"),
        pytest.param(shaped("shape average 2000000 250000", policy=NO_LLQ), id="no voice inside"),
        pytest.param(shaped("shape average 100000000 12500000"), id="it never shapes: port speed"),
        pytest.param(circuit(" frame-relay bc 2560\n"), id="Bc of 10 ms for a circuit"),
        pytest.param(circuit("", shaping=""), id="nothing shapes the circuit"),
    ],
)
def test_a_short_interval_is_silent(text: str) -> None:
    assert found(text) == []


def test_the_bandwidth_of_a_subinterface_is_no_line_that_hides_its_shaper() -> None:
    labelled = circuit(" frame-relay bc 32000\n").replace(" clock rate 1024000\n", "")
    labelled = labelled.replace("point-to-point\n", "point-to-point\n bandwidth 256\n")

    assert [hit.evidence.tc_ms for hit in found(labelled)] == ["125"]


def test_a_circuit_is_told_the_fragments_that_shorten_what_bc_leaves() -> None:
    device = device_of(circuit(" frame-relay bc 16000\n"))
    hit = hit_of(SHAPING_INTERVAL_TOO_LONG.find(device, PARAMS))
    assert "`frame-relay fragment 320` in the map-class, at both ends" in hit.evidence.packet


def test_a_default_of_an_open_generation_is_not_judged() -> None:
    said = skip_of(
        SHAPING_INTERVAL_TOO_LONG.find(device_of(shaped("shape average 2000000", "12.4")), PARAMS)
    )

    assert said.object == "policy-map PARENT > class class-default"


def test_a_recalled_default_is_information() -> None:
    hit = hit_of(
        SHAPING_INTERVAL_TOO_LONG.find(device_of(shaped("shape average 64000", "12.3")), PARAMS)
    )

    assert (hit.evidence.tc_ms, hit.severity) == ("125", Severity.INFO)


def test_one_shaper_at_several_outputs_is_one_finding() -> None:
    twice = shaped("shape average 2000000 250000 0") + (
        "interface FastEthernet0/1\n speed 10\n service-policy output PARENT\n"
    )

    assert [hit.evidence.wait_ms for hit in found(twice)] == ["122"]


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        pytest.param("shape peak 2000000 250000 250000", "shape average", id="shape peak"),
        pytest.param("shape average percent 2 20 ms", "shape average 2000000 8000 0",
                     id="a percentage"),
    ],
)  # fmt: skip
def test_where_no_lines_set_the_burst(shape: str, said: str) -> None:
    hit = hit_of(SHAPING_INTERVAL_TOO_LONG.find(device_of(shaped(shape)), PARAMS))

    assert said in (hit.advice or "")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(circuit(" frame-relay bc 32000\n frame-relay be 32000\n"),
                     " frame-relay bc 2560", id="of a map-class"),
        pytest.param(shaped("shape average 2000000 250000 0"),
                     "  shape average 2000000 8000 0", id="0 as stated"),
        pytest.param(shaped("shape average 2000000 250000 250000"),
                     "  shape average 2000000 8000 250000", id="another as stated"),
        pytest.param(shaped("shape average 2000000 250000"),
                     "  shape average 2000000 8000", id="the default, which follows Bc"),
    ],
)  # fmt: skip
def test_the_lines_leave_be_as_it_stands(text: str, line: str) -> None:
    hit = hit_of(SHAPING_INTERVAL_TOO_LONG.find(device_of(text), PARAMS))

    assert remedy_lines("shaper-burst.j2", hit)[-1] == line


@pytest.mark.parametrize(
    ("description", "line", "said"),
    [
        pytest.param("", "shape average 10000000 40000 200000", "stays: no contract is known",
                     id="without a contract Be stays, and is said"),
        pytest.param(" description CIR 10M\n", "shape average 10000000 40000 0",
                     "goes over the contract (SHP004)", id="over a contract one line sets both"),
    ],
)  # fmt: skip
def test_one_line_for_the_interval_and_the_excess(description: str, line: str, said: str) -> None:
    text = shaped("shape average 10000000 1250000 200000").replace(
        " speed 100\n", f" speed 100\n{description}"
    )
    device = device_of(text)

    hit = hit_of(SHAPING_INTERVAL_TOO_LONG.find(device, PARAMS))
    lines = remedy_lines("shaper-burst.j2", hit)

    assert lines[-1].strip() == line
    assert said in hit.evidence.excess
    excesses = hits_of(BURST_EXCESS_WITH_VOICE.find(device, NoParams()))
    assert [remedy_lines("shaper-burst.j2", each) for each in excesses] == (
        [lines] if description else []
    )
