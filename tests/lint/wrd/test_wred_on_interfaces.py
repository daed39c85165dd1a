"""WRED of an interface: its rows are judged, its delay and its average are not."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck, NoParams, Skip
from advisor.lint.findings import Level
from advisor.lint.run import review
from advisor.settings import Settings
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

WRED_INVERTED = CHECKS["wred-inverted"]
WRED_MIN_NOT_BELOW_MAX = CHECKS["wred-min-not-below-max"]
WRED_MIN_OVER_HALF_MAX = CHECKS["wred-min-over-half-max"]
WRED_NO_DIFFERENTIATION = CHECKS["wred-no-differentiation"]
WRED_THRESHOLDS_OFF_TARGET_DELAY = CHECKS["wred-thresholds-off-target-delay"]
WRED_WEIGHT_WRONG = CHECKS["wred-weight-wrong"]

NOT_BELOW, OVER_HALF = WRED_MIN_NOT_BELOW_MAX, WRED_MIN_OVER_HALF_MAX
INVERTED = WRED_INVERTED
VIP = "!Chassis type: RSP4+\n!\n!Slot 1/0: type VIP4-80 RM7000, hvers 2.01 rev G0\n"
ISR = "license udi pid ISR4331/K9 sn FDO11111111\n"


def config(*rows: str, head: str = "") -> str:
    lines = "".join(f" random-detect {row}".rstrip() + "\n" for row in rows)
    return f"{head}version 12.2\nhostname r\ninterface Serial1/0/0\n bandwidth 512\n{lines}end\n"


@pytest.mark.parametrize(
    ("check", "rows", "line"),
    [
        (NOT_BELOW, ("", "precedence 5 90 80 10"), 6),
        (OVER_HALF, ("", "precedence 5 40 60 10"), 6),
        (INVERTED, ("dscp-based", "dscp af11 20 60 10", "dscp af12 25 60 10"), 7),
    ],
)
def test_a_row_of_an_interface_is_judged(check: AnyCheck, rows: tuple[str, ...], line: int) -> None:
    (hit,) = hits_of(list(check.find(device_of(config(*rows)), NoParams())))
    assert (hit.object, hit.at[0].line) == ("interface Serial1/0/0", line)


@pytest.mark.parametrize(
    ("rows", "advice"),
    [
        pytest.param(
            ("precedence 0 40 30 10", "precedence 1 20 40 10"),
            "precedence 0 and precedence 1 would change places in the order of the drops",
            id="a row that changes too",
        ),
        pytest.param(
            ("precedence 0 30 60 10",),
            "its row 22 to 40 (default) has to change too",
            id="a row that stays",
        ),
    ],
)
def test_the_rows_whose_order_would_change_are_named(rows: tuple[str, ...], advice: str) -> None:
    hits = hits_of(OVER_HALF.find(device_of(config("", *rows)), NoParams()))

    assert hits
    assert all(hit.advice is not None and advice in hit.advice for hit in hits)


def test_rows_of_an_interface_that_are_right_give_no_finding() -> None:
    device = device_of(config("", *(f"precedence {code} 10 40 10" for code in range(8))))
    assert list(NOT_BELOW.find(device, NoParams())) == []
    assert list(OVER_HALF.find(device, NoParams())) == []


@pytest.mark.parametrize("check", [NOT_BELOW, OVER_HALF, INVERTED])
def test_distributed_wred_of_an_interface_is_named_and_not_judged(check: AnyCheck) -> None:
    device = device_of(config("", "precedence 5 90 80 10", head=VIP))
    (skip,) = check.find(device, NoParams())
    assert isinstance(skip, Skip)
    assert "is distributed: not modelled" in skip.reason


def test_ios_xe_has_no_wred_of_an_interface_to_judge() -> None:
    device = device_of(config("", "precedence 5 90 80 10", head=ISR))
    assert list(NOT_BELOW.find(device, NoParams())) == []


def test_the_thresholds_of_a_group_are_not_taken_for_defaults() -> None:
    (skip,) = OVER_HALF.find(device_of(config("attach GOLD")), NoParams())
    assert isinstance(skip, Skip)
    assert "random-detect-group" in skip.reason


def test_flow_based_wred_leaves_the_rows() -> None:
    device = device_of(config("", "precedence 5 90 80 10", "flow"))
    assert [hit.at[0].line for hit in hits_of(list(NOT_BELOW.find(device, NoParams())))] == [6]


@pytest.mark.parametrize(
    ("check", "params"),
    [
        (
            WRED_THRESHOLDS_OFF_TARGET_DELAY,
            WRED_THRESHOLDS_OFF_TARGET_DELAY.params(100.0, 0.5, 2.0),
        ),
        (WRED_NO_DIFFERENTIATION, WRED_NO_DIFFERENTIATION.params(100.0)),
        (WRED_WEIGHT_WRONG, WRED_WEIGHT_WRONG.params(1000.0)),
    ],
)
def test_delay_and_average_of_an_interface_are_named_and_not_judged(
    check: AnyCheck, params: object
) -> None:
    (skip,) = check.find(device_of(config("")), params)
    assert skip == Skip(
        "interface Serial1/0/0", "the queue of an interface with WRED of its own is not modelled"
    )


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(("",), id="the default rows"),
        pytest.param(("dscp-based", "dscp af11 20 60 10", "dscp af12 25 60 10"), id="by DSCP"),
    ],
)
def test_lines_for_a_queue_that_is_not_modelled_are_never_safe(rows: tuple[str, ...]) -> None:
    settings = Settings()
    source = Source("r.ios", config(*rows).encode())
    found = review([source], load_rules(settings.budgets), settings).findings
    remedies = [each.remedy for each in found if each.remedy is not None and each.remedy.lines]

    assert remedies
    for remedy in remedies:
        assert remedy.level is Level.NEEDS_WINDOW
        assert "the average queue of the class starts anew" in remedy.notes
        proof = "; ".join(remedy.proof)
        assert "not safe: interface Serial1/0/0: the queue with WRED of its own is not" in proof


POLICY = """\
version 12.4
hostname r
class-map match-any D
 match dscp af21
policy-map P
 class D
  bandwidth 2560
  random-detect dscp-based
  random-detect dscp 18 40 50 10
 class class-default
  fair-queue
"""
SHAPED = "policy-map Q\n class class-default\n  shape average 5120000\n  service-policy P\n"
EVC = "interface GigabitEthernet0/0\n service instance 1 ethernet\n  service-policy output {}\n"
NOT_THERE = "the queues of {} are not modelled there"
NEVER_FULL = "the place is never full by itself"


@pytest.mark.parametrize(
    ("text", "level", "said"),
    [
        pytest.param(EVC.format("P"), Level.NEEDS_WINDOW, NEVER_FULL, id="a service instance"),
        pytest.param(SHAPED + EVC.format("Q"), Level.NEEDS_WINDOW,
                     "service instance 1: the TCP flows of D are not stated",
                     id="below the policy of a service instance"),
        pytest.param("map-class frame-relay F\n service-policy output P\ninterface Serial0/0\n"
                     " encapsulation frame-relay\n frame-relay class F\n", Level.NEEDS_WINDOW,
                     NOT_THERE.format("P"), id="circuits that the text does not name"),
        pytest.param("interface Tunnel0\n service-policy output P\n", Level.NEEDS_WINDOW,
                     NEVER_FULL, id="an output without a rate"),
        pytest.param("interface GigabitEthernet0/0\n shutdown\n service-policy output P\n",
                     Level.SAFE, None, id="a port that is shut down sends nothing"),
    ],
)  # fmt: skip
def test_lines_of_a_policy_whose_queues_are_not_known_are_never_safe(
    text: str, level: Level, said: str | None
) -> None:
    settings = Settings()
    source = Source("r.ios", f"{POLICY}{text}end\n".encode())
    found = review([source], load_rules(settings.budgets), settings).findings
    (remedy,) = (each.remedy for each in found if each.rule == "WRD002" and each.remedy)

    assert remedy.lines
    assert remedy.level is level
    assert said is None or said in "; ".join(remedy.proof)
