"""What a remedy of WRED does to the flows of its class: it is not safe where they get less."""

import pytest

from advisor.device.device import Device
from advisor.lint.cards import load_rules
from advisor.lint.findings import Level, Metric, Remedy
from advisor.lint.judge import judge, keys_of
from advisor.lint.prove import remedy_of
from advisor.lint.trial import Standard
from advisor.settings import Budgets, Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read

CONFIG = """\
version 15.1
class-map match-any DATA
 match ip dscp af11
policy-map WAN
 class DATA
  bandwidth {kbps}
  random-detect dscp-based
  random-detect exponential-weighting-constant 3
  random-detect dscp 10 {row}
 class class-default
interface Serial0/0
 clock rate 2048000
 encapsulation ppp
 tx-ring-limit 1
 service-policy output WAN
end
"""
FLOWS = """
[[traffic]]
class = "DATA"
dscp = "af11"
tcp_flows = 5
rtt_ms = 60
packet_bytes = 1500
receiver_window_bytes = 65535
[[traffic]]
class = "class-default"
packet_bytes = 1000
arrivals = "saturated"
"""
LABEL = "interface Serial0/0 > class DATA"


def router(row: str, traffic: str = FLOWS, kbps: int = 256) -> Device:
    settings = Settings(traffic=settings_of_text(traffic).traffic)
    return device_read(CONFIG.format(row=row, kbps=kbps), settings, file="r1.cfg")


def remedy(device: Device, budgets: Budgets | None = None) -> Remedy:
    rules = [rule for rule in load_rules(Settings().budgets) if rule.card.id == "WRD001"]
    hits = judge(device, rules)
    ((rule, hit),) = hits.pairs
    return remedy_of(device, rule, hit, Standard(rules, keys_of(hits.pairs), budgets or Budgets()))


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("10 40 10", id="packets"),
        pytest.param("15000 bytes 40000 bytes 10", id="bytes"),
        pytest.param("400 ms 1250 ms 10", id="ms"),
    ],
)
def test_a_class_too_slow_for_wred_at_the_target_is_said_in_any_unit(row: str) -> None:
    proven = remedy(router(row))  # 1500 bytes at 256 kb/s take 47 ms

    assert proven.lines == ()
    assert proven.advice is not None
    assert "WRED needs 9 packets, which take 422 ms here" in proven.advice


@pytest.mark.parametrize("budget_ms", [20.0, 50.0])  # 31 ms before: beyond it, and within it
def test_more_delay_is_the_price_of_a_cure_in_the_same_class(budget_ms: float) -> None:
    proven = remedy(router("1 2 10", kbps=750), Budgets(bandwidth_queue_ms=budget_ms))

    assert proven.lines
    (delay,) = (cost.figure for cost in proven.costs if cost.figure is not None)
    assert delay.after is not None
    assert delay.budget is not None
    assert delay.after.value > delay.budget
    assert str(delay).startswith(f"delay of af11 of {LABEL} from")


@pytest.mark.parametrize(
    ("row", "advised"),
    [
        pytest.param("10 40 10", "3 9 10", id="packets"),
        pytest.param("15000 bytes 40000 bytes 10", "4500 bytes 13500 bytes 10", id="bytes"),
        pytest.param("200 ms 600 ms 10", "48 ms 144 ms 10", id="ms"),
    ],
)
def test_no_maximum_is_below_nine_packets_in_any_unit(row: str, advised: str) -> None:
    lines = remedy(router(row, kbps=750)).lines

    assert lines[-1].strip() == f"random-detect dscp 10 {advised}"


def test_a_remedy_that_costs_the_stated_flows_drops_is_not_safe() -> None:
    proven = remedy(router("10 40 10", kbps=750))

    (drops,) = (effect for effect in proven.worse if effect.metric is Metric.DROPS)

    assert (drops.object, drops.group) == (LABEL, "af11")
    assert drops.after is not None
    assert drops.after.value > drops.before.value
    assert proven.level is not Level.SAFE


def test_moved_thresholds_are_not_safe_where_no_flows_are_stated() -> None:
    proven = remedy(router("10 60 10", traffic="", kbps=1000))

    assert proven.lines
    assert proven.level is Level.NEEDS_WINDOW


def test_a_remedy_with_higher_thresholds_says_how_much_longer_packets_wait() -> None:
    proven = remedy(router("1 3 10", kbps=1500))

    (delay,) = proven.worse

    assert (delay.object, delay.metric, delay.group) == (LABEL, Metric.DELAY, "af11")
    assert delay.after is not None
    assert delay.after.value > delay.before.value
    assert proven.level is Level.NEEDS_WINDOW
