"""The rate of a line in a description: bundles, and rates of something else."""

import pytest

from advisor.outlet.wires import described_rate_bps, says_contract, wire_rate
from tests.support.devices import device_of


@pytest.mark.parametrize(
    ("text", "is_contract"),
    [
        ("metro access, 20 Mb/s contracted", True),
        ("E-Line 10 Mbit/s", True),
        ("10 Mbps EVC", True),
        ("ETH-10M-LON-0042", False),
        ("EFM 4x 5.7M bonded", False),
        ("EVC up to 20M", False),
        ("receives 20M", False),
    ],
)
def test_description_says_that_its_rate_is_the_contract(text: str, *, is_contract: bool) -> None:
    assert says_contract(text) is is_contract


@pytest.mark.parametrize(
    ("text", "rate_mbps"),
    [
        ("EFM 4x 5.7M bonded", 22.8),
        ("2 x 10M LAG", 20),
        ("4x2M", 8),
        ("metro 20 Mb/s", 20),
        ("Backup of 10M Telia link", None),
        ("was 2M", None),
        ("monitor threshold 5Mbps", None),
        ("metered 8kbps per call", None),
        ("Site 2M Street 10", None),
    ],
)
def test_description_names_the_rate_of_its_own_line_alone(
    text: str, rate_mbps: float | None
) -> None:
    rate_bps = described_rate_bps(text)
    assert rate_bps == (None if rate_mbps is None else pytest.approx(rate_mbps * 1e6))


@pytest.mark.parametrize(
    ("lines", "rate_bps"),
    [
        pytest.param(" description 256k leased line to Lisbon\n", 256e3, id="its rate"),
        pytest.param(" description 256k to Lisbon\n bandwidth 512\n", 512e3, id="bandwidth wins"),
        pytest.param(
            " description 256k to Lisbon\n clock rate 128000\n", 128e3, id="the clock too"
        ),
        pytest.param(" description to Lisbon, CIR 256k\n", None, id="a CIR is not the port"),
        pytest.param(" description to Lisbon, was 256k\n", None, id="a rate of the past"),
        pytest.param(" description backup for 2M line\n", None, id="of another line"),
        pytest.param(" description to Lisbon\n", None, id="no rate"),
    ],
)
def test_a_serial_line_without_a_rate_has_that_of_its_description(
    lines: str, rate_bps: float | None
) -> None:
    facts = device_of(f"interface Serial0/0\n{lines}").facts
    wire = wire_rate(facts.interfaces[0], None, None)

    assert (wire.value if wire is not None else None) == rate_bps
    if rate_bps == 256e3:
        assert wire is not None
        assert wire.is_label
