"""SHP008: a circuit that no line gives a CIR, under Frame Relay traffic shaping."""

import pytest

from advisor.lint.checks.shp.circuits import find_circuit_without_class
from advisor.lint.findings import Confidence
from tests.support.devices import device_of, device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

SHAPING = " frame-relay traffic-shaping\n"
CLASS = "map-class frame-relay M\n frame-relay cir 256000\n"
POLICY = "policy-map P\n class class-default\n  shape average 256000\n"


def circuit(
    main: str = SHAPING, *, sub: str = "", own: str = "", rate: int = 1536, more: str = CLASS
) -> str:
    return (
        f"version 12.3\nhostname r1\n{POLICY}interface Serial0/0\n encapsulation frame-relay\n"
        f" clock rate {rate}000\n{main}interface Serial0/0.2 point-to-point\n{sub}"
        f" frame-relay interface-dlci 200\n{own}{more}end\n"
    )


@pytest.mark.parametrize(
    ("text", "lack"),
    [
        pytest.param(circuit(), "has no map-class", id="no map-class"),
        pytest.param(
            circuit(
                own="  class M\n",
                more="map-class frame-relay M\n no frame-relay adaptive-shaping\n",
            ),
            "has map-class M without a CIR",
            id="a map-class without a CIR",
        ),
        pytest.param(circuit(rate=64), "has no map-class", id="a port just above the default"),
        pytest.param(circuit(sub=" bandwidth 64\n"), "has no map-class", id="64 kb/s are meant"),
    ],
)
def test_a_circuit_gets_the_default(text: str, lack: str) -> None:
    evidence = hit_of(find_circuit_without_class(device_of(text))).evidence

    assert (evidence.circuit, evidence.lack, evidence.now_kbps) == ("DLCI 200", lack, "56")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(circuit(own="  class M\n"), id="a map-class with a CIR"),
        pytest.param(circuit(SHAPING + " frame-relay class M\n"), id="the class of the interface"),
        pytest.param(circuit(sub=" frame-relay class M\n"), id="that of the subinterface"),
        pytest.param(circuit(""), id="nothing shapes"),
        pytest.param(circuit(" no frame-relay traffic-shaping\n"), id="taken away"),
        pytest.param(circuit(rate=56), id="the port has no more"),
        pytest.param(circuit(sub=" bandwidth 56\n"), id="56 kb/s are meant"),
        pytest.param(circuit(sub=" description CIR 56k to Porto\n"), id="a description says so"),
        pytest.param(circuit(sub=" shutdown\n"), id="shut down"),
        pytest.param(circuit(own="  service-policy output P\n"), id="a shaper is SHP005's"),
    ],
)
def test_a_circuit_with_a_rate(text: str) -> None:
    assert hits_of(find_circuit_without_class(device_of(text))) == []


@pytest.mark.parametrize(
    "more",
    ["", "map-class frame-relay M\n frame-relay cri 256000\n"],
    ids=["not defined", "a line that is not understood"],
)
def test_a_map_class_that_is_not_known(more: str) -> None:
    device = device_of(circuit(own="  class M\n", more=more))

    assert skip_of(find_circuit_without_class(device)).reason == "map-class M is not known in full"


def in_force(config: str, cir: int) -> str:
    return (
        f"r1#show running-config\n{config}r1#show frame-relay pvc 200\n"
        "DLCI = 200, DLCI USAGE = LOCAL, PVC STATUS = ACTIVE, INTERFACE = Serial0/0.2\n"
        "  pvc create time 1d02h, last time pvc status changed 1d01h\n"
        f"  cir {cir}    bc 7000      be 0         limit 875    interval 125\n"
        "  traffic shaping drops 0\nr1#\n"
    )


@pytest.mark.parametrize(
    "config",
    [
        pytest.param(circuit(), id="no map-class"),
        pytest.param(circuit(own="  class M\n", more=""), id="a map-class that the text lacks"),
    ],
)
def test_an_output_proves_the_default(config: str) -> None:
    hit = hit_of(find_circuit_without_class(device_read(in_force(config, 56_000))))

    assert (hit.confidence, hit.evidence.now_kbps) == (Confidence.CERTAIN, "56")


def test_an_output_shows_another_rate() -> None:
    device = device_read(in_force(circuit(own="  class M\n", more=""), 256_000))

    assert hits_of(find_circuit_without_class(device)) == []
