"""Who gets the rate that no class reserves, by the rule of the platform."""

import pytest

from advisor.model import Excess
from advisor.outlet.class_bandwidth import class_rate
from advisor.outlet.excess import class_parts, excess_rules
from advisor.outlet.outlets import policies_out
from tests.support.devices import device_of

RESERVED = """\
 class GOLD
  bandwidth percent 20
 class SILVER
  bandwidth percent 30
"""
RATIOS = """\
 class GOLD
  bandwidth remaining ratio 6
 class SILVER
  bandwidth remaining ratio 3
"""
OPEN_TOO = RESERVED + " class OTHER\n  fair-queue\n"


def parts_of(classes: str, rule: Excess, bandwidth_kbps: int = 2000) -> dict[str, tuple[int, int]]:
    """Guarantee and share of each class in kb/s on a wire of 2 Mb/s."""
    device = device_of(
        f"version 15.1\npolicy-map OUT\n{classes}interface Serial0/0\n"
        f" clock rate 2000000\n bandwidth {bandwidth_kbps}\n encapsulation ppp\n"
        " service-policy output OUT\n"
    )
    (outlet,) = policies_out(device)
    return {
        name: (round(part.guarantee_bps / 1000), round(part.share_bps / 1000))
        for name, part in class_parts(outlet, rule).items()
    }


@pytest.mark.parametrize(
    ("classes", "rule", "parts"),
    [
        pytest.param(
            RESERVED,
            Excess.UNRESERVED_FIRST,
            {"GOLD": (400, 400), "SILVER": (600, 600), "class-default": (0, 1000)},
            id="HQF as measured on 15.0(1)M: 418, 613 and 997 kb/s",
        ),
        pytest.param(
            RESERVED,
            Excess.PROPORTIONAL,
            {"GOLD": (0, 400), "SILVER": (0, 600), "class-default": (0, 1000)},
            id="before HQF: weights alone",
        ),
        pytest.param(
            RESERVED,
            Excess.EQUAL,
            {"GOLD": (400, 733), "SILVER": (600, 933), "class-default": (0, 333)},
            id="QFP: each a third of the rest",
        ),
        pytest.param(
            OPEN_TOO,
            Excess.UNRESERVED_FIRST,
            {
                "GOLD": (400, 400),
                "SILVER": (600, 600),
                "OTHER": (0, 500),
                "class-default": (0, 500),
            },
            id="classes without a rate share the rest",
        ),
        pytest.param(
            RATIOS,
            Excess.EQUAL,
            {"GOLD": (0, 1200), "SILVER": (0, 600), "class-default": (0, 200)},
            id="remaining ratio: no guarantee, class-default has a ratio of 1",
        ),
    ],
)
def test_what_each_class_gets_while_all_have_packets_waiting(
    classes: str, rule: Excess, parts: dict[str, tuple[int, int]]
) -> None:
    assert parts_of(classes, rule) == parts


def test_guarantees_above_the_rate_of_the_wire_are_cut_in_proportion() -> None:
    parts = parts_of(RESERVED, Excess.UNRESERVED_FIRST, bandwidth_kbps=8000)
    guarantees = [guarantee for guarantee, _ in parts.values()]
    assert guarantees == [768, 1152, 0]


def test_without_a_guarantee_the_rules_are_one() -> None:
    device = device_of(
        f"version 15.1\npolicy-map OUT\n{RATIOS}interface Serial0/0\n"
        " bandwidth 2000\n service-policy output OUT\n"
    )
    (outlet,) = policies_out(device)
    assert excess_rules(outlet, device.platform) == (Excess.PROPORTIONAL,)


@pytest.mark.parametrize(
    ("default", "gold_kbps"),
    [
        pytest.param(" class class-default\n  bandwidth remaining ratio 1\n", 1200, id="6 of 10"),
        pytest.param(" class class-default\n  fair-queue\n", 1200, id="no ratio is a ratio of 1"),
        pytest.param(" class class-default\n  bandwidth remaining ratio 3\n", 1000, id="6 of 12"),
    ],
)
def test_a_ratio_is_of_the_sum_of_all_ratios(default: str, gold_kbps: int) -> None:
    device = device_of(
        f"version 16.9\npolicy-map OUT\n{RATIOS}{default}interface Serial0/0\n"
        " clock rate 2000000\n bandwidth 2000\n encapsulation ppp\n service-policy output OUT\n"
    )
    (outlet,) = policies_out(device)
    gold = outlet.class_named("GOLD")

    rate = class_rate(outlet, gold) if gold is not None else None
    assert rate is not None
    assert rate.value == pytest.approx(gold_kbps * 1000)
