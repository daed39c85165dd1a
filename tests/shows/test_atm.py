"""ATM circuits and their rings, as `show atm vc` and `show atm pvc` print them."""

from pathlib import Path

import pytest

from advisor.shows.atm import AtmCircuit
from advisor.shows.output import LayoutError
from tests.support.readers import read_atm_circuits

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show"


def fixture(name: str) -> tuple[AtmCircuit, ...]:
    return read_atm_circuits((FIXTURES / f"{name}.txt").read_text(encoding="utf-8"), name)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        pytest.param(
            "atm_vc/12.0-table",
            ("ATM2/0.105", 250, None, 33, 44, None, 2_000_000, 1_000_000, 50, "IN"),
            id="12.0: encapsulation and status in words",
        ),
        pytest.param(
            "atm_pvc/12.4-table",
            ("0/0.4", 5, None, 0, 102, "UBR", 2_304_000, None, None, "DOWN"),
            id="12.4: UBR has neither average nor burst",
        ),
    ],
)
def test_the_last_row_of_a_table_says(name: str, row: tuple[object, ...]) -> None:
    circuit = fixture(name)[-1]
    assert (
        circuit.interface,
        circuit.vcd,
        circuit.name,
        circuit.vpi,
        circuit.vci,
        circuit.service_class,
        circuit.peak_bps,
        circuit.average_bps,
        circuit.burst_cells,
        circuit.status,
    ) == row


def test_a_circuit_may_have_a_name_for_its_number() -> None:
    circuit = fixture("atm_pvc/12.4-table")[0]
    assert (circuit.name, circuit.vcd) == ("branch-7", None)


@pytest.mark.parametrize(
    ("name", "ring"),
    [
        pytest.param("atm_vc/12.2-detail-ring", ("VC", 40, "particles"), id="of the circuit"),
        pytest.param("atm_vc/12.1-detail-pa", ("PA", 10, None), id="of the port adapter"),
        pytest.param("atm_pvc/12.4-detail", ("VC", 5, "particles"), id="by VPI/VCI"),
    ],
)
def test_the_ring_of_a_circuit(name: str, ring: tuple[object, ...]) -> None:
    (circuit,) = fixture(name)
    assert (circuit.ring_owner, circuit.ring_limit, circuit.ring_unit) == ring


def test_a_circuit_in_detail_counts_its_drops() -> None:
    (circuit,) = fixture("atm_vc/12.2-detail-ring")
    assert circuit.counters is not None
    assert (circuit.counters.output_drops_packets, circuit.counters.output_bytes) == (3, 1_201_110)


def test_a_circuit_in_detail_says_its_class_and_rates() -> None:
    (circuit,) = fixture("atm_vc/12.2-detail-ring")
    assert (circuit.service_class, circuit.peak_bps, circuit.average_bps, circuit.burst_cells) == (
        "VBR-NRT",
        1_024_000,
        1_000_000,
        94,
    )


def test_a_table_has_no_counters() -> None:
    assert all(circuit.counters is None for circuit in fixture("atm_vc/12.0-table"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("r1#show atm vc\nr1#", id="nothing printed"),
        pytest.param(
            "Interface VCD VPI VCI Type AAL/Encaps Peak Avg. Burst Status", id="a head and no row"
        ),
        pytest.param(
            "Interface VCD VPI VCI Type AAL/Encaps Peak Avg. Burst Status\nATM2/0 1 0 5 PVC",
            id="a row cut off",
        ),
        pytest.param("ATM2/0: VCD: 1, VPI: 0, VCI: 5\nColour: 9", id="an unknown line"),
    ],
)
def test_what_is_not_of_this_layout_is_declined(text: str) -> None:
    with pytest.raises(LayoutError):
        read_atm_circuits(text, "f")
