"""What TXR001 promises holds for traffic that nobody stated, as a simulation shows."""

import pytest
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Figure, Unknown
from advisor.lint.checks.txr import JudgedRing, forecasts, judged
from advisor.lint.findings import Forecast
from advisor.model import Arrival, Interface, Periodic, Poisson, SizeMix, Traffic
from advisor.predict.classes.congested import solved_cases
from advisor.simulate import simulate
from tests.support.devices import device_read

BUDGET_MS = 25.0
BRANCH = """\
!Chassis type: 2811
version 12.4(15)T9
class-map match-any VOICE
 match ip dscp ef
policy-map WAN-EDGE
 class VOICE
  priority 128
 class class-default
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 10
 service-policy output WAN-EDGE
"""
PACKETS, REPLICATIONS = 8000, 5
IMIX = SizeMix(((40, 7.0), (576, 4.0), (1500, 1.0)))
IMIX_PER_S = 128_000 / 8 / 344  # what fills the priority, with 4 bytes of PPP


def of(ip_bytes: int) -> SizeMix:
    return SizeMix(((ip_bytes, 1.0),))


def branch() -> Device:
    return device_read(BRANCH, file="r1.cfg")


def promised() -> tuple[Forecast, Interface, int]:
    """The forecast, an interface of its case, and the advised ring."""
    entry = next(result for result in judged(branch(), BUDGET_MS) if isinstance(result, JudgedRing))
    (forecast,) = forecasts([(entry, entry.advice.limit)])
    (case,) = solved_cases([entry.question])
    assert not isinstance(case, Unknown)
    return forecast, case.solved.corners[0].interface, entry.advice.limit


def true_delay_ms(
    interface: Interface, limit: int, llq: Traffic, lower_sizes: SizeMix
) -> tuple[float, float]:
    """Mean and largest simulated delay of the LLQ."""
    others = [t for t in interface.traffic if t.queue != llq.queue]
    traffic = (llq, *(replace(other, sizes=lower_sizes) for other in others))
    simulated = replace(interface, ring=replace(interface.ring, limit=limit), traffic=traffic)
    result = simulate(simulated, PACKETS, REPLICATIONS, seed=1)
    delay = next(known.delay for known in result.classes if known.class_name == llq.name)
    assert delay is not None
    return delay.mean_ms.value, delay.max_ms


def holds(figure: Figure, value: float) -> bool:
    return figure.low <= value <= figure.high


@pytest.mark.parametrize("lower_sizes", [of(1500), IMIX], ids=["full-size data", "IMIX data"])
@pytest.mark.parametrize(
    ("arrival", "sizes", "streams"),
    [
        pytest.param(Poisson(2.0), of(60), 1, id="a sparse probe"),
        pytest.param(Periodic(50.0), of(60), 5, id="five calls of G.729"),
        pytest.param(Periodic(50.0), of(200), 1, id="a call of G.711"),
        pytest.param(Poisson(0.5 * IMIX_PER_S), IMIX, 1, id="IMIX in the LLQ"),
    ],
)
def test_the_promise_holds_for_any_traffic(
    arrival: Arrival, sizes: SizeMix, streams: int, lower_sizes: SizeMix
) -> None:
    forecast, interface, advised = promised()
    llq = Traffic("VOICE", "VOICE", arrival, sizes, streams)

    old_ms, longest_old_ms = true_delay_ms(interface, 10, llq, lower_sizes)
    new_ms, longest_new_ms = true_delay_ms(interface, advised, llq, lower_sizes)

    assert forecast.after is not None
    assert forecast.improvement is not None
    assert forecast.class_bound_ms is not None
    assert holds(forecast.before, old_ms)
    assert holds(forecast.after, new_ms)
    assert holds(forecast.improvement, old_ms - new_ms)
    assert longest_old_ms <= (forecast.class_bound_ms.before or 0.0)
    assert longest_new_ms <= (forecast.class_bound_ms.after or 0.0)


def test_a_full_burst_of_the_llq_is_in_the_class_bound_and_not_in_the_ring_bound() -> None:
    forecast, _, _ = promised()

    assert forecast.ring_bound_ms is not None
    assert forecast.class_bound_ms is not None
    assert forecast.ring_bound_ms.before == pytest.approx(11 * 1508 * 8 / 512)
    assert (forecast.class_bound_ms.before or 0.0) > (forecast.ring_bound_ms.before or 0.0)
