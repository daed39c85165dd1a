"""WRD004 and WRD011: rows that tell nothing apart, queues below all minima, shares under target."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck, Hit, Skip
from advisor.lint.findings import Confidence, Severity
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read
from tests.support.verdicts import hits_of, skip_of
from tests.support.wred import wred_lines

WRED_NO_DIFFERENTIATION = CHECKS["wred-no-differentiation"]
WRED_SHARE_BELOW_TARGET = CHECKS["wred-share-below-target"]

ALIKE, BELOW = WRED_NO_DIFFERENTIATION, WRED_SHARE_BELOW_TARGET
PARAMS = {
    ALIKE.params: WRED_NO_DIFFERENTIATION.params(rtt_ms=100.0),
    BELOW.params: WRED_SHARE_BELOW_TARGET.params(rtt_ms=100.0),
}
AF1 = ("dscp af11", "dscp af12", "dscp af13")


def router(
    matches: tuple[str, ...],
    *rows: str,
    version: str = "15.1",
    limit: str = "",
    traffic: str = "",
    scheme: str = "dscp-based",
) -> Device:
    lines = "".join(f"  random-detect {row}\n" for row in rows)
    match = "".join(f" match ip {each}\n" for each in matches) or " match protocol http\n"
    text = (
        f"version {version}\nclass-map match-any DATA\n{match}policy-map P\n class DATA\n"
        f"  bandwidth 1500\n  random-detect {scheme}\n{lines}{limit}"
        " class class-default\n  bandwidth 300\n"
        "interface Serial0/0\n clock rate 2048000\n encapsulation ppp\n tx-ring-limit 2\n"
        " service-policy output P\nend\n"
    )
    stated = settings_of_text(traffic).traffic if traffic else ()
    return device_read(text, Settings(traffic=stated), file="r1.ios")


def results(check: AnyCheck, of: Device) -> list[Hit | Skip]:  # type: ignore[type-arg]
    return list(check.find(of, PARAMS[check.params]))


def hits(check: AnyCheck, of: Device) -> list[Hit]:  # type: ignore[type-arg]
    return hits_of(results(check, of))


def flows(code: str, count: int, more: str = "") -> str:
    return (
        f'[[traffic]]\nclass = "DATA"\ndscp = "{code}"\ntcp_flows = {count}\nrtt_ms = 50\n'
        f"receiver_window_bytes = 65535\npacket_bytes = 1500\n{more}\n"
    )


def rows(*values: str) -> tuple[str, ...]:
    return tuple(f"{name} {value}" for name, value in zip(AF1, values, strict=False))


@pytest.mark.parametrize(
    ("of", "confidence"),
    [
        pytest.param(router(AF1, *rows(*["10 30 10"] * 3)), Confidence.CERTAIN,
                     id="three equal rows that all packets meet"),
        pytest.param(router((), *rows(*["10 30 10"] * 2)), Confidence.POSSIBLE,
                     id="equal rows, but other packets may meet default rows"),
        pytest.param(router(AF1, *rows("10 30", "10 30 10", "10 30 10")), Confidence.CERTAIN,
                     id="a denominator left to IOS is 10"),
        pytest.param(router(AF1, *rows("10 30 10", "10 30 5", "10 30 2")), None,
                     id="denominators differ"),
        pytest.param(router(AF1, *rows("10 30 10", "10 30 10", "8 30 10")), None,
                     id="one minimum differs"),
        pytest.param(router(AF1[:1], "dscp af11 10 30 10"), None,
                     id="one row has nothing to be told from"),
        pytest.param(router(AF1[:1], *rows("10 30 10", "10 30 10")), None,
                     id="a row that the match cannot select does not count"),
        pytest.param(router((), scheme="prec-based"), None, id="IOS's own rows differ"),
    ],
)  # fmt: skip
def test_equal_rows(of: Device, confidence: Confidence | None) -> None:
    assert [hit.confidence for hit in hits(ALIKE, of)] == ([confidence] if confidence else [])


def test_equal_af_rows_are_told_apart_by_drop_precedence() -> None:
    (hit,) = hits(ALIKE, router(AF1, *rows(*["10 30 10"] * 3)))
    assert wred_lines(hit) == (
        "random-detect dscp af12 10 30 5",
        "random-detect dscp af13 10 30 2",
    )


def test_equal_precedence_rows_have_no_order_so_no_lines() -> None:
    of = router(
        ("precedence 2", "precedence 3"),
        "precedence 2 10 30 10",
        "precedence 3 10 30 10",
        scheme="prec-based",
    )
    (hit,) = hits(ALIKE, of)
    assert (hit.curable, wred_lines(hit)) == (False, ())


def test_a_row_whose_default_is_not_known_is_not_judged() -> None:
    found = results(ALIKE, router(AF1, *rows("10 30 10", "10 30 10")))
    assert [type(each) for each in found] == [Skip]


@pytest.mark.parametrize(
    ("version", "limit", "found"),
    [
        pytest.param("15.1", "  queue-limit 40\n", 1, id="HQF: 40 is below the minimum of 50"),
        pytest.param("15.1", "  queue-limit 90\n", 0, id="90 leaves room for drops"),
        pytest.param("15.1", "", 0, id="the default of 64 is over 50"),
        pytest.param("12.2", "  queue-limit 40\n", 0, id="before HQF the limit is not in force"),
    ],
)
def test_a_queue_limit_below_all_minima(version: str, limit: str, found: int) -> None:
    of = router(AF1, *rows("50 120 10", "50 120 5", "50 120 2"), version=version, limit=limit)
    assert len(hits(ALIKE, of)) == found


def test_flows_whose_windows_end_below_the_minimum_share_alike() -> None:
    stated = "".join(flows(code, 2) for code in ("af11", "af12", "af13")).replace("65535", "6000")
    of = router(AF1, *rows("40 120 10", "40 120 5", "40 120 2"), traffic=stated)
    (hit,) = hits(ALIKE, of)
    assert "af11 33 %" in hit.evidence.shares


@pytest.mark.parametrize(
    ("target", "severity", "found"),
    [
        pytest.param("target_share_percent = 25", None, 1, id="18 % for a quarter"),
        pytest.param("target_share_percent = 18.5", Severity.INFO, 1,
                     id="within the interval: possible"),
        pytest.param("target_share_percent = 10", None, 0, id="met"),
        pytest.param("", None, 0, id="no target is no finding"),
    ],
)  # fmt: skip
def test_share_and_target(target: str, severity: Severity | None, found: int) -> None:
    stated = flows("af11", 2, target) + flows("af12", 12) + flows("af13", 2)
    of = router(AF1, *rows("5 15 10", "5 15 8", "5 15 2"), traffic=stated)
    said = [(hit.severity, hit.object) for hit in hits(BELOW, of)]
    assert said == [(severity, "interface Serial0/0 > class DATA > group af11")] * found


def test_why_a_share_is_not_known_is_said() -> None:
    stated = flows("af21", 2, "target_share_percent = 20")
    skip = skip_of(
        results(BELOW, router(AF1, *rows("5 15 10", "5 15 8", "5 15 2"), traffic=stated))
    )
    assert skip.reason == "settings:1: class DATA does not match dscp af21"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "statement"),
    [
        pytest.param(
            20, ("random-detect dscp af11 5 15 20",), id="twice the denominator is enough"
        ),
        pytest.param(90, (), id="none is: then there are no lines"),
    ],
)
def test_the_smallest_larger_denominator_that_meets_the_target(
    target: int, statement: tuple[str, ...]
) -> None:
    stated = flows("af11", 2, f"target_share_percent = {target}") + flows("af12", 12)
    (hit,) = hits(BELOW, router(AF1[:2], *rows("5 15 10", "5 15 8"), traffic=stated))
    assert (wred_lines(hit), hit.curable) == (statement, bool(statement))
    after = hit.forecast.after if hit.forecast else None
    assert (after is not None and after.value >= target) == bool(statement)
