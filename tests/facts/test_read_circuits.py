"""ATM PVCs with vc-classes, Frame Relay circuits with map-classes."""

import pytest

from advisor.facts.interface import FrameRelayCircuit, Pvc
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config


def pvcs_of(text: str) -> tuple[Pvc, ...]:
    facts = read_facts(parse_config(text, "r1.cfg"))
    return tuple(pvc for interface in facts.interfaces for pvc in interface.pvcs)


def circuits_of(text: str) -> tuple[FrameRelayCircuit, ...]:
    facts = read_facts(parse_config(text, "r1.cfg"))
    return tuple(each for interface in facts.interfaces for each in interface.circuits)


@pytest.mark.parametrize(
    ("line", "identity"),
    [
        pytest.param("pvc 0/100", (None, 0, 100), id="VPI and VCI"),
        pytest.param("pvc 100", (None, 0, 100), id="VPI 0 is the default"),
        pytest.param("pvc infn-qos 0/100", ("infn-qos", 0, 100), id="named"),
        pytest.param("pvc 0/16 ilmi", (None, 0, 16), id="ILMI"),
    ],
)
def test_identity(line: str, identity: tuple[str | None, int, int]) -> None:
    (pvc,) = pvcs_of(f"interface ATM1/0\n {line}\n  encapsulation aal5snap\n")
    assert (pvc.name, pvc.vpi, pvc.vci) == identity


RATES: list[tuple[str, float | None, float | None]] = [
    ("vbr-nrt 3560 3560", 3_560_000, 3_560_000),
    ("vbr-nrt 2000 1000 94", 2_000_000, 1_000_000),
    ("vbr-nrt 2000", 2_000_000, 2_000_000),
    ("vbr-rt 640 320 10", 640_000, 320_000),
    ("cbr 1000", 1_000_000, 1_000_000),
    ("abr 1000 200", 1_000_000, 1_000_000),
    ("ubr 512", 512_000, 512_000),
    ("ubr", None, None),
]


@pytest.mark.parametrize(
    ("line", "peak", "sustained"), [pytest.param(*case, id=case[0]) for case in RATES]
)
def test_rate(line: str, peak: float | None, sustained: float | None) -> None:
    (pvc,) = pvcs_of(f"interface ATM1/0\n pvc 0/100\n  {line}\n")
    assert pvc.rate is not None
    found = (pvc.rate.service, pvc.rate.peak_bps, pvc.rate.sustained_bps)
    assert found == (line.partition(" ")[0], peak, sustained)


def test_ring_encapsulation_and_policy_of_a_pvc() -> None:
    (pvc,) = pvcs_of(
        "interface ATM1/0.1 point-to-point\n pvc 0/100\n  vbr-nrt 1000 1000\n"
        "  encapsulation aal5mux ppp Virtual-Template1\n  tx-ring-limit 5\n"
        "  service-policy output EDGE\n"
    )
    assert pvc.encapsulation is not None
    assert pvc.tx_ring_limit is not None
    assert (pvc.encapsulation.value, pvc.tx_ring_limit.value, pvc.policies[0].policy) == (
        "aal5mux ppp Virtual-Template1",
        5,
        "EDGE",
    )


VC_CLASS = "vc-class atm SLOW\n vbr-nrt 512 512\n tx-ring-limit 4\n service-policy output EDGE\n"


@pytest.mark.parametrize(
    ("interface", "ring"),
    [
        pytest.param(" pvc 0/40\n  class-vc SLOW\n", 4, id="the vc-class of the PVC"),
        pytest.param(" class-int SLOW\n pvc 0/40\n", 4, id="the vc-class of the interface"),
        pytest.param(" class-int SLOW\n pvc 0/40\n  tx-ring-limit 2\n", 2, id="own ring first"),
        pytest.param(" pvc 0/40\n  class-vc NONE\n", None, id="a vc-class that is not there"),
    ],
)
def test_vc_class(interface: str, ring: int | None) -> None:
    (pvc,) = pvcs_of(f"interface ATM1/0\n{interface}{VC_CLASS}")
    assert (pvc.tx_ring_limit.value if pvc.tx_ring_limit else None) == ring
    assert [each.policy for each in pvc.policies] == (["EDGE"] if ring else [])


def test_a_pvc_is_entered_again_by_its_name_and_removed() -> None:
    again = "interface ATM1/0\n pvc wan 0/40\n  ubr\n pvc wan\n  tx-ring-limit 3\n"
    (pvc,) = pvcs_of(again)
    assert pvc.tx_ring_limit is not None
    assert pvcs_of(f"{again} no pvc wan 0/40\n") == ()


MAP_CLASS = """\
map-class frame-relay VOICE
 frame-relay cir 64000
 frame-relay mincir 32000
 frame-relay bc 640
 frame-relay be 0
 no frame-relay adaptive-shaping
 frame-relay fragment 80
 service-policy output EDGE
"""
MAIN = "interface Serial0/0\n encapsulation frame-relay\n frame-relay traffic-shaping\n"
SUB = "interface Serial0/0.1 point-to-point\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            f"{MAIN}{SUB} frame-relay interface-dlci 100\n  class VOICE\n", id="class of the DLCI"
        ),
        pytest.param(
            f"{MAIN}{SUB} frame-relay class VOICE\n frame-relay interface-dlci 100\n",
            id="class of the subinterface",
        ),
        pytest.param(
            f"{MAIN} frame-relay class VOICE\n{SUB} frame-relay interface-dlci 100\n",
            id="class of the main interface",
        ),
        pytest.param(
            f"{MAIN} frame-relay class VOICE\n{SUB} frame-relay map ip 10.0.0.2 100 broadcast\n",
            id="a static map makes the circuit",
        ),
    ],
)
def test_the_settings_of_a_map_class_are_those_of_the_circuit(text: str) -> None:
    (circuit,) = circuits_of(text + MAP_CLASS)
    assert circuit.cir_bps is not None
    assert circuit.min_cir_bps is not None
    assert circuit.fragment_bytes is not None
    assert (circuit.dlci, circuit.cir_bps.value, circuit.min_cir_bps.value) == (100, 64000, 32000)
    assert (circuit.fragment_bytes.value, circuit.policies[0].policy) == (80, "EDGE")


def test_fragmentation_of_the_interface_holds_for_its_circuits() -> None:
    (circuit,) = circuits_of(
        "interface Serial0/0\n frame-relay fragment 160 end-to-end\n"
        "interface Serial0/0.1 point-to-point\n frame-relay interface-dlci 100\n"
    )
    assert circuit.fragment_bytes is not None
    assert circuit.fragment_bytes.value == 160


def test_the_incoming_cir_is_not_the_rate_of_the_link() -> None:
    (circuit,) = circuits_of(
        "interface Serial0/0\n frame-relay class X\n frame-relay interface-dlci 100\n"
        "map-class frame-relay X\n frame-relay cir in 128000\n frame-relay cir out 64000\n"
    )
    assert circuit.cir_bps is not None
    assert circuit.cir_bps.value == 64000


def test_every_line_of_a_map_class_is_understood() -> None:
    facts = read_facts(parse_config(MAP_CLASS, "r1.cfg"))
    assert (facts.unread, facts.qos_lines_seen) == ((), 8)
    assert [each.policy for each in facts.other_policies] == ["EDGE"]
