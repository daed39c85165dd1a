"""Numbers of inputs are read by one reader, within bounds; what it refuses is not understood."""

import ast
from pathlib import Path

import pytest

import advisor
from advisor.capture.cuts import read_capture
from advisor.ground.units import NumeralError, decimal, whole, whole_or_none
from advisor.shows.observe import observe

ROOT = Path(advisor.__file__).parent

# Rooms whose numbers come from text that others wrote.
READERS = (
    *("ios", "capture", "facts", "shows", "settings", "collect", "device"),
    *("predict/size", "predict/what_if"),
)
NUMBERS_ALREADY = {
    ("collect/take.py", "float(max(load.five_seconds_percent, load.one_minute_percent))"),
    ("facts/read_frame_relay.py", "float(words.whole(1, CIR_BPS.high))"),
    ("facts/read_interface_lines.py", "float(bps_from_kbps(bps_from_kbps(mbps)))"),
    ("facts/read_interface_lines.py", "float(bps_from_kbps(kbps.value))"),
    ("facts/read_interface_lines.py", "float(rate.value)"),
    ("facts/read_services.py", "float(whole.value)"),
    ("facts/read_joined_lines.py", "float(bps_from_kbps(count * kbps))"),
    ("facts/read_joined_lines.py", "float(bps_from_kbps(kbps))"),
    ("device/as_seen.py", "float(minimum_bps)"),
    ("device/as_seen.py", "float(shaper.rate_bps)"),
    ("device/as_seen.py", "float(shown.average_bps or 0)"),
    ("device/inspection.py", "int(value)"),
    ("shows/calls.py", "int(tos, 16)"),  # of two digits at most
    ("shows/sla/__init__.py", "float(max(high))"),
    ("shows/sla/__init__.py", "float(mean_ms)"),
    ("shows/sla/__init__.py", "float(min(low))"),
    ("shows/sla/__init__.py", "int(samples)"),
    ("shows/sla/__init__.py", "int(value)"),
    ("predict/what_if/levers.py", "float(each.tcp.flows)"),
    ("predict/what_if/levers.py", "float(max(1, round(kbps / _TIMES)))"),
    ("predict/what_if/levers.py", "float(round(kbps * _TIMES))"),
    ("predict/what_if/levers.py", "float(sizes.pop())"),
    ("predict/what_if/moves.py", "float(MAX_LIMIT)"),
    ("predict/what_if/moves.py", "float(MOST_FLOWS)"),
    ("predict/what_if/moves.py", "int(number)"),
    ("predict/what_if/moves.py", "int(value)"),
    ("predict/what_if/sweeps.py", "int(value)"),
    ("predict/what_if/subject.py", "float(link.tx_ring_limit)"),
    ("predict/what_if/sweeps.py", "float(floor(step))"),
}


def conversions(file: Path) -> set[tuple[str, str]]:
    """Calls of `int` and `float`, and calls that are given one of them to call."""
    name = str(file.relative_to(ROOT))
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        is_map = node.func.id == "map" and any(is_number_type(each) for each in node.args)
        if is_number_type(node.func) or is_map:
            found.add((name, ast.unparse(node)))
    return found


def is_number_type(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("int", "float")


def files_of(room: str) -> list[Path]:
    path = ROOT / room
    return [path] if path.suffix else sorted(path.rglob("*.py"))


@pytest.mark.parametrize("room", READERS)
def test_text_becomes_a_number_by_the_bounded_reader_alone(room: str) -> None:
    found = {each for file in files_of(room) for each in conversions(file)}
    assert found <= NUMBERS_ALREADY


def test_every_exception_is_still_there() -> None:
    found = {each for room in READERS for file in files_of(room) for each in conversions(file)}
    assert found >= NUMBERS_ALREADY


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("0", 0, id="zero"),
        pytest.param("18446744073709551615", 2**64 - 1, id="the largest counter of 64 bits"),
        pytest.param("-1431655766", -1431655766, id="a counter that wrapped"),
        pytest.param("007", 7, id="leading zeros"),
    ],
)
def test_whole_number(text: str, number: int) -> None:
    assert whole(text) == whole_or_none(text) == number


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("9" * 21, id="more digits than a counter has"),
        pytest.param("9" * 5000, id="more digits than Python converts"),
        pytest.param("1_000", id="an underscore"),
        pytest.param("\u0663", id="an Arabic digit"),
        pytest.param("\u00b2", id="a superscript"),
        pytest.param(" 7", id="a blank"),
        pytest.param("7\n", id="a line break"),
        pytest.param("0x10", id="hexadecimal"),
        pytest.param("1.5", id="a fraction"),
    ],
)
def test_text_that_is_no_whole_number(text: str) -> None:
    assert whole_or_none(text) is None
    with pytest.raises(NumeralError):
        whole(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("12.50", 12.5, id="a fraction"),
        pytest.param(".5", 0.5, id="no whole part"),
        pytest.param("2e3", 2000.0, id="an exponent"),
    ],
)
def test_decimal_number(text: str, number: float) -> None:
    assert decimal(text) == number


@pytest.mark.parametrize(
    "text",
    ["nan", "inf", "-inf", "Infinity", "1e400", "1_0.5", "\u0663.5", "9" * 400, ".", ""],
)
def test_text_that_is_no_decimal_number(text: str) -> None:
    with pytest.raises(NumeralError):
        decimal(text)


CPU = "CPU utilization for five seconds: {}%/6%; one minute: 8%; five minutes: 5%\n"
INTERFACE = """\
Serial0/0 is up, line protocol is up
  MTU {} bytes, BW 512 Kbit, DLY 20000 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  5 minute output rate 1000 bits/sec, 2 packets/sec
     {} packets input, 4 bytes, 0 no buffer
"""


@pytest.mark.parametrize("digits", ["9" * 21, "9" * 400, "9" * 5000])
@pytest.mark.parametrize(
    ("command", "output"),
    [
        pytest.param("show processes cpu", CPU, id="CPU"),
        pytest.param("show interfaces", INTERFACE, id="counters of interfaces"),
    ],
)
def test_output_with_an_endless_number_is_not_understood(
    command: str, output: str, digits: str
) -> None:
    text = f"R1#{command}\n{output.replace('{}', digits)}R1#show clock\n"
    seen = observe(read_capture(text, "r1.log").sections, "r1.log")
    taken = next(each for each in seen.taken if each.command == command)
    assert not taken.understood
    assert not seen.cpu
    assert not seen.interfaces
    assert len("".join(taken.not_understood)) < 200
    line = 1 + text[: text.index(digits)].count("\n")
    at = taken.declined[0].at if taken.declined else taken.at
    assert at.line == line
