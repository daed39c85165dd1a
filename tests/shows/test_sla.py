"""`show ip sla statistics` and its older forms: what each layout says of an operation."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.capture.transcript import transcript
from advisor.shows.output import LayoutError
from advisor.shows.sla import SlaLoss, SlaResult, Spread
from advisor.shows.sla.reader import read_sla_summary
from tests.support.devices import device_read
from tests.support.readers import read_sla

FOLDER = Path(__file__).parents[2] / "fixtures" / "show" / "ip_sla"
FIXTURES = sorted(FOLDER.glob("*.txt"))
SUMMARIES = FOLDER.with_name("ip_sla_summary")


def results(name: str) -> dict[int, SlaResult]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return {each.number: each for each in read_sla(text, name)}


def test_printout_of_the_article_on_the_transmit_ring() -> None:
    (result,) = results("12.4-aggregated-icmp-jitter.txt").values()
    assert (result.number, result.operation, result.is_aggregated) == (50000, "icmp-jitter", True)
    assert result.started == "13:15:22.851 UTC Fri Apr 18 2008"
    assert result.rtt == Spread(6.0, 15.0, 31.0, samples=387)
    assert result.jitter_to_destination == Spread(1.0, 6.0, 23.0, samples=334)
    assert result.jitter_to_source == Spread(1.0, 1.0, 1.0, samples=334)
    assert str(result.at) == "12.4-aggregated-icmp-jitter.txt:4"


@pytest.mark.parametrize(
    ("fixture", "number", "field", "expected"),
    [
        pytest.param("12.4-aggregated-icmp-jitter.txt", 50000, "latency_to_destination", None,
                     id="no samples of one-way latency is no latency, not 0 ms"),
        pytest.param("12.4-aggregated-icmp-jitter.txt", 50000, "latency_to_source", None,
                     id="nor is there one on the way back"),
        pytest.param("12.2SE-statistics-echo-and-udp-jitter.txt", 20, "latest_rtt_ms", 8.0,
                     id="the latest RTT of an echo in ms"),
        pytest.param("12.2SE-statistics-echo-and-udp-jitter.txt", 20, "operation", None,
                     id="an operation whose type is not printed"),
        pytest.param("12.2SE-statistics-echo-and-udp-jitter.txt", 25, "latency_to_source",
                     Spread(1.0, 2.0, 3.0, samples=10), id="one-way latency that was measured"),
        pytest.param("12.2SE-statistics-echo-and-udp-jitter.txt", 25, "loss",
                     SlaLoss(0, 0, None, 0, 0, 0, None), id="loss in three values on a line"),
        pytest.param("12.2SE-statistics-echo-and-udp-jitter.txt", 25, "mean_opinion_score", 4.06,
                     id="the score of a codec"),
        pytest.param("15.x-statistics-icmp-jitter.txt", 1, "jitter_to_source",
                     Spread(0.0, 12.0, 19.0, samples=7), id="samples counted for each direction"),
        pytest.param("15.x-statistics-icmp-jitter.txt", 1, "loss",
                     SlaLoss(lost_packets=1, out_of_sequence_packets=1, late_packets=0, skipped_packets=0),
                     id="icmp-jitter cannot tell the direction of a loss"),
        pytest.param("15.x-statistics-icmp-jitter.txt", 1, "over_threshold", 2,
                     id="a count with its share in brackets"),
        pytest.param("xe-statistics-udp-jitter.txt", 1, "latest_rtt_ms", None,
                     id="NoConnection/Busy/Timeout is no time"),
        pytest.param("xe-statistics-udp-jitter.txt", 1, "rtt", None,
                     id="no RTT samples is no RTT"),
        pytest.param("xe-statistics-udp-jitter.txt", 1, "jitter_to_destination", None,
                     id="no jitter samples is no jitter"),
        pytest.param("xe-statistics-udp-jitter.txt", 1, "return_code", "No connection",
                     id="why a run failed"),
        pytest.param("xe-statistics-udp-jitter.txt", 1, "failures", 2, id="failed runs"),
        pytest.param("xe-statistics-udp-jitter.txt", 1, "mean_opinion_score", None,
                     id="a score of 0 is no score"),
        pytest.param("xe-statistics-udp-jitter.txt", 11, "rtt",
                     Spread(104.0, 118.0, 148.0, samples=100), id="values between tabs"),
        pytest.param("xe-statistics-udp-jitter.txt", 11, "latency_to_destination",
                     Spread(50.0, 61.0, 90.0, samples=98), id="one-way latency in milliseconds"),
        pytest.param("15.x-statistics-icmp-echo.txt", 10, "successes", 133, id="runs that succeeded"),
        pytest.param("15.x-statistics-icmp-echo.txt", 20, "successes", None,
                     id="Unknown is not 0 runs"),
        pytest.param("15.x-statistics-icmp-echo.txt", 20, "started", None,
                     id="an operation that has not run yet"),
        pytest.param("12.4-monitor-statistics-echo.txt", 1, "latest_rtt_ms", 10.0,
                     id="ip sla monitor"),
        pytest.param("12.3-rtr-operational-state-jitter.txt", 10, "rtt",
                     Spread(231.0, 234.0, 251.0, samples=600), id="rtr prints RTT in four labels"),
        pytest.param("12.3-rtr-operational-state-jitter.txt", 10, "jitter_to_destination",
                     Spread(1.0, 1.5, 10.0, samples=160),
                     id="rtr: jitter of growing and shrinking gaps together"),
        pytest.param("12.3-rtr-operational-state-jitter.txt", 10, "jitter_to_source",
                     Spread(2.0, 3.0, 4.0, samples=20), id="rtr: no shrinking gap, so none at 0 ms"),
        pytest.param("12.3-rtr-operational-state-jitter.txt", 10, "latency_to_source", None,
                     id="rtr: no one-way samples"),
        pytest.param("12.3-rtr-collection-statistics-jitter.txt", 10, "latency_to_destination",
                     Spread(9.0, 10.0, 12.0, samples=600), id="rtr: one-way mean from its sum"),
        pytest.param("12.3-rtr-collection-statistics-jitter.txt", 10, "failures", 3,
                     id="rtr: failures of all causes"),
        pytest.param("12.3-rtr-collection-statistics-jitter.txt", 10, "jitter_to_destination", None,
                     id="rtr: a sum that wrapped gives no mean"),
        pytest.param("12.3-rtr-collection-statistics-jitter.txt", 10, "is_aggregated", True,
                     id="rtr: collected statistics are of an hour"),
    ],
)  # fmt: skip
def test_field(fixture: str, number: int, field: str, expected: object) -> None:
    assert getattr(results(fixture)[number], field) == expected


def test_an_echo_in_the_older_words_of_rtr() -> None:
    result = results("12.2-rtr-operational-state-echo.txt")[3]
    assert (result.latest_rtt_ms, result.return_code) == (47, "ok")


@pytest.mark.parametrize(
    ("name", "is_cut"),
    [
        pytest.param("12.2-rtr-operational-state-echo.txt", False, id="12.2: the last line"),
        pytest.param("12.3-rtr-operational-state-jitter.txt", True, id="12.3: figures follow"),
    ],
)
def test_an_output_may_end_in_the_return_code(name: str, *, is_cut: bool) -> None:
    lines = (FOLDER / name).read_text("utf-8").splitlines()[1:]
    end = next(n for n, line in enumerate(lines) if "return code" in line.lower())
    text = "\n".join((*lines[: end + 1], lines[0].partition("#")[0] + "#", ""))
    taken = device_read(text).seen.taken
    assert [bool(output.not_understood) for output in taken] == [is_cut]


def test_each_hour_of_an_operation_is_a_result() -> None:
    name = "12.4-aggregated-two-hours.txt"
    first, second = read_sla((FOLDER / name).read_text(encoding="utf-8"), name)
    assert (first.number, second.number) == (50000, 50000)
    assert first.started == "12:15:22.851 UTC Fri Apr 18 2008"
    assert (first.rtt, second.rtt) == (Spread(6.0, 8.0, 12.0, samples=400), None)


def test_operation_with_microseconds() -> None:
    text = "IPSLA operation id: 3\nType of operation: udp-jitter\n\tLatest RTT: 1520 microseconds\n"
    text += "Operation time to live: Forever\n"
    assert read_sla(text, "a")[0].latest_rtt_ms == pytest.approx(1.52)


@pytest.mark.parametrize(
    "line",
    [
        "Latest DNS RTT: 0 ms",
        "Latest TCP Connection RTT: 3 ms",
        "Latest HTTP Transaction RTT: 4 ms",
        "Latest HTTP time to first byte: 4 ms",
    ],
)
def test_operation_of_a_web_page(line: str) -> None:
    text = f"IPSLA operation id: 3\n\tLatest RTT: 7 milliseconds\n{line}\n"
    text += "Number of successes: 3\nOperation time to live: Forever\n"
    (result,) = read_sla(text, "a")
    assert (result.latest_rtt_ms, result.successes) == (7, 3)


def test_router_without_operations_prints_the_title_alone() -> None:
    assert read_sla("IPSLAs Latest Operation Statistics\n", "a") == ()


HEAD = "IPSLA operation id: 1\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("", 1, id="nothing"),
        pytest.param("r1#show ip sla statistics\nr1#\n", 1, id="a prompt and nothing"),
        pytest.param("Latest RTT: 4 milliseconds\n", 1, id="a value of no operation"),
        pytest.param(HEAD + "Number of hiccups: 4\n", 2, id="an unknown label"),
        pytest.param(HEAD + "Latest RTT: soon\n", 2, id="an unknown value"),
        pytest.param(HEAD + "RTT Values:\n  Number Of RTT: 9  RTT Min/Avg/Max: 8/17\n", 3,
                     id="a spread that was cut"),
        pytest.param(HEAD + "Number of failures: 2 of 7\n", 2, id="more than a count"),
        pytest.param(HEAD + "Number Of RTT: \uff14\n", 2, id="digits of another script"),
    ],
)  # fmt: skip
def test_unknown_layout_is_an_error_with_its_line(text: str, line: int) -> None:
    with pytest.raises(LayoutError) as caught:
        read_sla(text, "r1.txt")
    assert str(caught.value.at) == f"r1.txt:{line}"


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_carriage_returns_and_pager_change_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    paged = text.replace("\n", "\r\n").replace("RTT Values:", " --More-- \b\b\b\b\b\b\b\b\b        "
                                               "\b\b\b\b\b\b\b\b\bRTT Values:")  # fmt: skip
    assert read_sla(transcript(paged), path.name) == read_sla(text, path.name)


@given(st.sampled_from(FIXTURES), st.data())
def test_cut_or_changed_output_raises_its_own_error_or_reads(
    path: Path, data: st.DataObject
) -> None:
    text = path.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text)))
    changed = (
        text[:at] + data.draw(st.text(max_size=4)) + text[data.draw(st.integers(at, len(text))) :]
    )
    try:
        read = read_sla(changed, path.name)
    except LayoutError:
        return
    is_title = "Statistics" in changed or "Current Operational State" in changed
    assert read or is_title


SUMMARY_HEAD = "ID           Type        Destination       Stats       Return      Last\n"
SUMMARY_ROW = (
    "*{0}           icmp-echo   192.0.2.2         RTT={0}       OK          9 seconds ago\n"
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("15.x.txt", [
            (10, "icmp-echo", 34, "OK"), (20, "udp-jitter", 41, "OK"),
            (30, "tcp-connect", None, "No connecti"), (40, "icmp-jitter", None, "Timeout"),
            (50, "dns", None, None),
        ], id="cells that go on below"),
        pytest.param("xe-16.txt", [
            (1, "udp-jitter", 0.85, "OK"), (2, "icmp-echo", 3, "OK"),
        ], id="microseconds"),
    ],
)  # fmt: skip
def test_last_run_of_each_operation(name: str, expected: list[tuple[object, ...]]) -> None:
    reading = read_sla_summary((SUMMARIES / name).read_text("utf-8"), name)

    assert reading.declined == ()
    assert [
        (each.number, each.operation, each.latest_rtt_ms, each.return_code)
        for each in reading.records
    ] == expected


@pytest.mark.parametrize(
    ("rows", "read", "lost"),
    [
        pytest.param("", [], [], id="a router without operations"),
        pytest.param(SUMMARY_ROW.format(7) + "frobnication 9\n" + SUMMARY_ROW.format(8), [7, 8], [3],
                     id="an unknown line costs itself"),
        pytest.param(SUMMARY_ROW.format(7) + SUMMARY_ROW.format(8)[:50], [7], [3],
                     id="a row that is cut inside its figure"),
        pytest.param(SUMMARY_ROW.format(7) + SUMMARY_ROW.format(8)[:62], [7], [3],
                     id="a row without its last run"),
    ],
)  # fmt: skip
def test_rows_of_a_summary(rows: str, read: list[int], lost: list[int]) -> None:
    reading = read_sla_summary(SUMMARY_HEAD + rows, "a")

    assert [each.latest_rtt_ms for each in reading.records] == read
    assert [part.at.line for part in reading.declined] == lost


def test_rows_that_a_filter_left() -> None:
    seen = device_read(f"r1#show ip sla summary | include icmp\n{SUMMARY_ROW.format(7)}r1#\n").seen

    assert [each.latest_rtt_ms for each in seen.sla] == [7]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("OK         ", 0, id="an answer"),
        pytest.param("Over thresh", 0, id="an answer that came late"),
        pytest.param("DNS query e", None, id="a run that failed has no time"),
    ],
)
def test_a_run_has_a_time_where_it_was_answered(code: str, expected: int | None) -> None:
    row = f"*7           http        192.0.2.2         RTT=0       {code} 9 seconds ago\n"
    (result,) = read_sla_summary(SUMMARY_HEAD + row, "a").records

    assert result.latest_rtt_ms == expected
