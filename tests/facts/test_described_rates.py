"""The rate of a line in a description: bundles, and rates of something else."""

import pytest

from advisor.outlet.link_rates import described_rate_bps, says_contract


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
