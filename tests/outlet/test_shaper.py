"""The shaper of an output: one wait and one Bc for what lint finds and what predict advises."""

import pytest

from advisor.ground.quantity import Unknown
from advisor.outlet.outlets import outlets
from advisor.outlet.shaper import OutletShaper, shaper_of, short_interval, without_excess
from tests.support.devices import device_of

LLQ = (
    "class-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n class VOICE\n"
    "  priority 64\n class class-default\n  fair-queue\n"
)


def shaper(shape: str, version: str) -> OutletShaper:
    device = device_of(
        f"version {version}\n{LLQ}policy-map PARENT\n class class-default\n  {shape}\n"
        "  service-policy EDGE\ninterface Serial0/0/0\n encapsulation ppp\n"
        " clock rate 2000000\n service-policy output PARENT\n"
    )
    (outlet,) = outlets(device)
    return shaper_of(device.facts, outlet, device.platform)


@pytest.mark.parametrize(
    ("shape", "version", "wait_ms", "line"),
    [
        pytest.param("shape average 1500000 150000 0", "15.1", 25.0,
                     "shape average 1500000 6000 0", id="HQF: 4 ms"),
        pytest.param("shape average 1500000 150000 0", "12.3", 25.0,
                     "shape average 1500000 15000 0", id="before HQF: 10 ms"),
        pytest.param("shape average 1000000", "12.3", 12.5,
                     "shape average 1000000 10000", id="a default"),
    ],
)  # fmt: skip
def test_a_wait_ends_with_the_burst_at_the_speed_of_the_wire(
    shape: str, version: str, wait_ms: float, line: str
) -> None:
    asked = shaper(shape, version)
    bursts = short_interval(asked)

    assert not isinstance(bursts, Unknown)
    assert (round(asked.wait_ms(asked.bc_bits), 3), bursts.line) == (wait_ms, line)


@pytest.mark.parametrize(
    ("shape", "version", "known"),
    [
        pytest.param("shape average 1000000", "12.4", False, id="the default of 12.4 is open"),
        pytest.param("shape average 1000000 25000", "12.4", True, id="a stated Bc"),
        pytest.param("shape average 1000000", "12.3", True, id="before HQF"),
    ],
)
def test_the_default_of_an_assumed_generation_is_not_known(
    shape: str, version: str, *, known: bool
) -> None:
    assert (shaper(shape, version).why_tc_unknown is None) is known


def test_no_excess_comes_with_an_interval_that_is_short_enough() -> None:
    bursts = without_excess(shaper("shape average 1500000 150000 150000", "15.1"))

    assert not isinstance(bursts, Unknown)
    assert bursts.line == "shape average 1500000 6000 0"
