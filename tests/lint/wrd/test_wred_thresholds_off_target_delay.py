"""WRD001: a maximum threshold as a delay, on slow and fast classes, with IOS's rows and others."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.wrd.thresholds import (
    OffTarget,
    OffTargetParams,
    find_wred_thresholds_off_target_delay,
    measure_wred_thresholds_off_target_delay,
)
from advisor.lint.findings import Confidence
from advisor.settings import PacketShare, Traffic
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of
from tests.support.wred import wred_lines

PARAMS = OffTargetParams(target_ms=100.0, least_factor=0.5, most_factor=2.0)


def router(text: str, packet_bytes: int | None = None) -> Device:
    traffic: tuple[Traffic, ...] = ()
    if packet_bytes is not None:
        sizes = (PacketShare(packet_bytes, 1.0),)
        traffic = (Traffic("*", "*", "DATA", sizes, None, 1, "saturated", "t.toml:1"),)
    return device_of(text, traffic=traffic)


def config(
    *rows: str,
    kbps: int = 2000,
    rate: str = "",
    version: str = "12.3",
    match: str = "ip precedence 3",
) -> str:
    lines = "".join(f"  {row}\n" for row in rows)
    return (
        f"version {version}\nclass-map match-any DATA\n match {match}\n"
        f"policy-map P\n class DATA\n  {rate or f'bandwidth {kbps}'}\n{lines}"
        f"interface Serial0/0\n bandwidth {max(4000, 2 * kbps)}\n service-policy output P\nend\n"
    )


def results(of: Device) -> list[Hit[OffTarget] | Skip]:
    return list(find_wred_thresholds_off_target_delay(of, PARAMS))


@pytest.mark.parametrize(
    ("row", "kbps", "advised"),
    [
        pytest.param("precedence 3 15 30 2", 2000, None, id="30 of 1500 bytes at 2 Mb/s: 180 ms"),
        pytest.param("precedence 3 15 33 2", 2000, None, id="33: 198 ms is within a factor of 2"),
        pytest.param("precedence 3 10 34 2", 2000, ("exponential-weighting-constant 5", "precedence 3 5 17 2"), id="34: 204 ms is not"),
        pytest.param("precedence 3 3 9 2", 2000, None, id="9: 54 ms is within"),
        pytest.param("precedence 3 2 8 2", 2000, ("exponential-weighting-constant 5", "precedence 3 4 17 2"), id="8: 48 ms is not"),
        pytest.param("precedence 3 10 40", 1200, ("exponential-weighting-constant 5", "precedence 3 3 10"),
                     id="a denominator is left to IOS"),
        pytest.param("precedence 3 50 ms 250 ms 5", 2000, ("exponential-weighting-constant 5", "precedence 3 20 ms 100 ms 5"),
                     id="ms stay ms"),
        pytest.param(
            "precedence 3 11250 bytes 90000 bytes", 2000,
            ("exponential-weighting-constant 5", "precedence 3 4500 bytes 25000 bytes"), id="bytes stay"
        ),
    ],
)  # fmt: skip
def test_row_of_a_class_of_full_size_packets(
    row: str, kbps: int, advised: tuple[str, ...] | None
) -> None:
    found = results(router(config("random-detect", f"random-detect {row}", kbps=kbps), 1500))

    said = [wred_lines(hit) for hit in hits_of(found)]
    assert said == ([] if advised is None else [tuple(f"random-detect {line}" for line in advised)])


@pytest.mark.parametrize(
    ("max_threshold", "fires"),
    [
        pytest.param(9, False, id="over at neither end"),
        pytest.param(60, False, id="over with 1500 bytes alone"),
        pytest.param(90, True, id="over with 576 bytes too"),
        pytest.param(12, False, id="under with 576 bytes alone"),
        pytest.param(8, True, id="under with 1500 bytes too"),
    ],
)
def test_an_unknown_mean_packet_must_be_off_at_both_ends(max_threshold: int, fires: bool) -> None:
    text = config("random-detect", f"random-detect precedence 3 2 {max_threshold} 10")

    assert [hit.curable for hit in hits_of(results(router(text)))] == ([True] if fires else [])


@pytest.mark.parametrize(
    ("version", "kbps", "delay_ms", "statements"),
    [
        pytest.param("12.3", 512, "360-938",
                     ("exponential-weighting-constant 4", "precedence 3 3 9 10"), id="slow"),
        pytest.param("12.3", 45_000, "4-11",
                     ("exponential-weighting-constant 10", "precedence 3 176 542 10"),
                     id="fast, pre-HQF: the weight goes along"),
        pytest.param("15.1", 45_000, "4-11",
                     ("queue-limit 1084 packets", "exponential-weighting-constant 10",
                      "precedence 3 176 542 10"),
                     id="fast, HQF: the queue-limit comes first"),
    ],
)  # fmt: skip
def test_a_default_random_detect(
    version: str, kbps: int, delay_ms: str, statements: tuple[str, ...]
) -> None:
    hit = hit_of(results(router(config("random-detect", kbps=kbps, version=version))))

    assert hit.evidence.delay_ms == delay_ms
    said = tuple(line.removeprefix("random-detect ") for line in wred_lines(hit))
    assert said == statements
    assert hit.confidence is Confidence.LIKELY


def test_a_default_random_detect_at_t1_speeds_and_a_few_mbps_is_near_enough() -> None:
    assert results(router(config("random-detect", kbps=3000))) == []


def test_default_rows_keep_their_order_when_they_move() -> None:
    hit = hit_of(results(router(config("random-detect", kbps=10_000, match="any"))))

    rows = [line.split() for line in wred_lines(hit) if " precedence " in line]
    minima = [int(row[3]) for row in rows]
    assert minima == sorted(minima)
    assert {row[4] for row in rows} == {"120"}


@pytest.mark.parametrize(
    ("kbps", "advice"),
    [
        pytest.param(900_000, "thresholds in ms", id="more packets than IOS takes"),
    ],
)
def test_no_lines_where_packets_cannot_say_it(kbps: int, advice: str) -> None:
    hit = hit_of(results(router(config("random-detect", kbps=kbps), 1500)))

    assert not hit.curable
    assert hit.advice is not None
    assert advice in hit.advice


@pytest.mark.parametrize(
    ("kbps", "match"),
    [
        pytest.param(64, "ip precedence 3", id="WRED has no room at 64 kb/s"),
        pytest.param(384, "ip precedence 3", id="one row"),
        pytest.param(384, "ip precedence 1 2 3", id="several rows"),
        pytest.param(400, "ip precedence 1 2 3", id="several rows at a few kb/s more"),
    ],
)
def test_a_class_too_slow_for_wred_keeps_it_and_says_that_it_misses_the_target(
    kbps: int, match: str
) -> None:
    hit = hit_of(results(router(config("random-detect", kbps=kbps, match=match), 1500)))

    assert not hit.curable
    assert hit.forecast is not None
    assert hit.forecast.after is None
    assert hit.advice is not None
    assert "the class is too slow for 100 ms of queue" in hit.advice


def test_minima_that_differed_still_do_after_rounding() -> None:
    rows = (
        "random-detect dscp-based", "random-detect dscp 18 40 120 10",
        "random-detect dscp 20 35 120 10", "random-detect dscp 22 30 120 10",
    )  # fmt: skip
    hit = hit_of(results(router(config(*rows, kbps=1600, match="ip dscp af21 af22 af23"))))

    assert [line.split()[-3] for line in wred_lines(hit) if "dscp " in line] == ["6", "5", "4"]


def test_rows_that_whole_packets_cannot_tell_apart_differ_by_their_denominators() -> None:
    rows = (
        "random-detect dscp-based", "random-detect dscp 18 40 120 10",
        "random-detect dscp 20 35 110 10", "random-detect dscp 22 30 100 10",
    )  # fmt: skip
    hit = hit_of(results(router(config(*rows, kbps=600, match="ip dscp af21 af22 af23"))))

    assert [line.split()[-3:] for line in wred_lines(hit) if "dscp " in line] == [
        ["3", "9", "10"],
        ["3", "9", "5"],
        ["3", "9", "2"],
    ]


@pytest.mark.parametrize(
    ("rate", "kbps"),
    [
        pytest.param("bandwidth 256", "256", id="kbps"),
        pytest.param("bandwidth percent 10", "400", id="percent of the interface"),
        pytest.param("bandwidth remaining percent 10", "400", id="remaining percent"),
        pytest.param("shape average 512000", "512", id="a shaper alone"),
    ],
)
def test_the_rate_of_the_class(rate: str, kbps: str) -> None:
    hit = hit_of(results(router(config("random-detect", rate=rate))))

    assert hit.evidence.rate_kbps == kbps


DEFAULT_CLASS = (
    "version 12.3\nclass-map match-any VOICE\n match ip dscp ef\npolicy-map P\n class VOICE\n"
    "  priority 500\n class class-default\n  fair-queue\n  random-detect\n"
    "interface Serial0/0\n bandwidth {}\n service-policy output P\nend\n"
)


def test_class_default_has_what_is_left() -> None:
    hit = hit_of(results(router(DEFAULT_CLASS.format(1000))))

    assert hit.evidence.rate_kbps == "500"


def test_a_class_without_a_rate_is_not_judged() -> None:
    (skip,) = results(router(config("random-detect", rate="fair-queue", version="15.1")))

    assert skip == Skip("policy-map P > class DATA", "the rate of the class is not known")


def test_another_rate_at_each_output_has_no_lines() -> None:
    text = config("random-detect", rate="bandwidth percent 10")
    text += "interface Serial0/1\n bandwidth 2000\n service-policy output P\n"
    hit = hit_of(results(router(text)))

    assert not hit.curable
    assert hit.object == "policy-map P > class DATA"


def test_an_output_of_unknown_rate_has_no_lines() -> None:
    text = config("random-detect", rate="bandwidth percent 10")
    text += "interface Hssi1/0\n service-policy output P\n"
    hit = hit_of(results(router(text)))

    assert hit.advice is not None
    assert "the rate of the class at interface Hssi1/0 is not known" in hit.advice


def test_too_long_at_one_output_and_too_short_at_another() -> None:
    text = config("random-detect", rate="bandwidth percent 10")
    text += "interface GigabitEthernet0/1\n service-policy output P\n"
    hit = hit_of(results(router(text)))

    assert hit.advice is not None
    assert "another rate at each output" in hit.advice


def test_off_at_one_output_and_right_at_another_is_no_finding() -> None:
    text = config("random-detect", rate="bandwidth percent 75")
    text += "interface Serial0/1\n bandwidth 500\n service-policy output P\n"

    assert results(router(text)) == []


def test_the_figure_is_the_delay_before_and_after() -> None:
    hit = hit_of(results(router(config("random-detect", kbps=1000), 1500)))

    assert hit.forecast is not None
    assert hit.forecast.after is not None
    assert round(hit.forecast.before.value) == 480  # 40 packets of 1500 bytes at 1 Mb/s
    assert round(hit.forecast.after.value) == 108  # 9 of them
    assert measure_wred_thresholds_off_target_delay(
        router(config("random-detect", kbps=1000), 1500), hit.object
    ) == (hit.forecast.before)


@pytest.mark.parametrize(
    ("match", "rows", "statements"),
    [
        pytest.param("ip dscp af31 default", [], ["default 24 120 10", "af31 39 120 10"],
                     id="the assumed row of the default DSCP moves too"),
        pytest.param("ip dscp af31 af33", ["dscp af33 30 90 10"], ["af33 23 72 10", "af31 44 120 10"],
                     id="a row that is right moves where others would pass it"),
        pytest.param("ip dscp af31 af32", ["dscp af32 10 40 10"], ["af32 30 120 10", "af31 39 120 10"],
                     id="a row below stays below"),
    ],
)  # fmt: skip
def test_a_remedy_keeps_the_order_of_the_drops(
    match: str, rows: list[str], statements: list[str]
) -> None:
    lines = [f"random-detect {row}" for row in rows]
    text = config("random-detect dscp-based", *lines, kbps=10_000, match=match)
    hit = hit_of(results(router(text)))

    rows = [line for line in wred_lines(hit) if " dscp " in line]
    assert [row.removeprefix("random-detect dscp ") for row in rows] == statements
    assert hit.curable


@pytest.mark.parametrize(
    ("match", "version", "advice"),
    [
        pytest.param("access-group 101", "12.3", "packets of dscp default can enter the class",
                     id="an access list lets every DSCP in"),
        pytest.param("ip dscp af31 default", "15.1", "dscp af31, whose default thresholds are not",
                     id="15.x: the AF rows are not known"),
    ],
)  # fmt: skip
def test_no_lines_where_rows_that_packets_may_meet_cannot_move_too(
    match: str, version: str, advice: str
) -> None:
    text = config("random-detect dscp-based", kbps=10_000, match=match, version=version)
    hit = hit_of(results(router(text)))

    assert not hit.curable
    assert hit.advice is not None
    assert advice in hit.advice


def test_a_recalled_default_makes_a_finding_only_possible() -> None:
    text = config("random-detect dscp-based", kbps=400, match="ip dscp default")
    hit = hit_of(results(router(text)))

    assert hit.evidence.row == "dscp default by an assumed default"
    assert hit.confidence is Confidence.POSSIBLE


@pytest.mark.parametrize(
    ("kbps", "advice"),
    [
        pytest.param(128, "", id="a class that is too slow for WRED at any threshold"),
        pytest.param(1200, "; 10 is 100 ms", id="a class that another maximum suits"),
    ],
)
def test_the_message_names_another_maximum_only_where_one_is_advised(
    kbps: int, advice: str
) -> None:
    config_text = config("random-detect", "random-detect precedence 3 10 40", kbps=kbps)
    (hit,) = hits_of(results(router(config_text, 1500)))

    assert hit.evidence.advice == advice


SOLD = (
    "version 16.9\nhostname r\nlicense udi pid ISR4331/K9 sn FDO00000000\n"
    "class-map match-any DATA\n match dscp af21\npolicy-map P\n class DATA\n"
    "  bandwidth percent 40\n  random-detect dscp-based\n  random-detect dscp af21 60 {top} 10\n"
    "interface GigabitEthernet0/0/0\n{says} service-policy output P\nend\n"
)


@pytest.mark.parametrize(
    ("says", "top", "is_off"),
    [
        pytest.param(" description contract CIR 100 Mb/s\n", 200, False, id="at the contract"),
        pytest.param(" description contract CIR 100 Mb/s\n", 2000, True, id="long at the contract"),
        pytest.param("", 200, True, id="short at the port"),
        pytest.param("", 8000, False, id="right at the port"),
    ],
)
def test_thresholds_are_judged_at_the_rate_that_is_sold_on_the_port(
    says: str, top: int, *, is_off: bool
) -> None:
    assert bool(hits_of(results(device_of(SOLD.format(says=says, top=top))))) is is_off
