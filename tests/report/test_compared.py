"""Every report states window and direction of a measurement, and what explains a difference."""

from pathlib import Path

import pytest

from advisor.cli import run
from advisor.predict.comparison import compared
from advisor.predict.what_if.compared import Compared
from advisor.report.compared import compared_tables, compared_text
from advisor.report.document import as_markdown
from advisor.report.terminal import Style
from advisor.settings import Settings
from tests.support.counters import ROUTER, counted_class, counters, latest_operation
from tests.support.devices import device_read

DROPPING = counters(counted_class("DATA", 100_000, dropped_bps=9000, depth=37))
LOG = f"r1#show running-config\n{ROUTER}{DROPPING}{latest_operation(failures=5)}"
FIGURE = "drops (output, 30 s average): measured 9 %"
PROBE = (
    "round trip of probe 10 (latest operation, 1000 packets, 5 of 11 operations without an answer)"
)
GIVEN = "from 24.8 packets/s, 500-byte packets"
EXPLAINED = "packets in DATA, not 1, would give"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "r1.log"
    path.write_text(LOG, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def rows() -> tuple[Compared, ...]:
    return compared(device_read(LOG), Settings())


@pytest.mark.parametrize("said", [FIGURE, PROBE, GIVEN, EXPLAINED])
def test_a_terminal_says(said: str, rows: tuple[Compared, ...]) -> None:
    assert said in compared_text(rows, (), Style(width=None))


@pytest.mark.parametrize("said", ["output, 30 s average", "latest operation, 1000 packets", GIVEN])
def test_markdown_and_pages_have_a_column_that_says(said: str, rows: tuple[Compared, ...]) -> None:
    (table,) = compared_tables(rows)
    assert any(said in cell for row in table.rows for cell in row)
    assert said in as_markdown((table,))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("predict",), f"measured beside it: {FIGURE}", id="predict"),
        pytest.param(("predict", "--format", "html"), "30 s average", id="a page of predict"),
        pytest.param(
            ("predict", "--format", "json"),
            '"kind": "average of IOS"',
            id="JSON of predict, the window",
        ),
        pytest.param(
            ("predict", "--format", "json"), '"way": "output"', id="JSON of predict, the way"
        ),
        pytest.param(
            ("predict", "--format", "json"),
            '"key": "burst_packets"',
            id="JSON of predict, the explaining input",
        ),
        pytest.param(
            ("predict", "--format", "json"),
            '"reason": "a moment beside a mean"',
            id="JSON of predict, why not",
        ),
        pytest.param(("lint", "-v", "--exit-zero"), FIGURE, id="a verbose lint of a log"),
    ],
)
def test_a_report_of_a_log_says(
    arguments: tuple[str, ...], said: str, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *options = arguments
    run([command, str(log), *options])
    out = capsys.readouterr().out
    assert said in out or said.replace(": ", ":") in out


def test_a_what_if_is_beside_no_measurement(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A measurement is of the device as it is."""
    run(["predict", str(log), "--set", "tx-ring-limit=1"])
    assert "measured beside it" not in capsys.readouterr().out


def test_an_explained_rule_shows_what_was_measured_of_its_output(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["explain", "TXR001", str(log)])
    assert f"DATA: measured beside it: {FIGURE}" in capsys.readouterr().out
