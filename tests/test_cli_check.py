"""`predict --check`: a formula beside a run of the kernel, in words, in a table and in JSON."""

import json
from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]
LINK = (
    *("predict", "--link", "512k", "--llq", "64k", "--calls", "1", "--tx-ring-limit", "4"),
    *("--background", "300", "--check"),
)
SCENARIO = [
    {
        "id": "S-1",
        "link": {"rate_kbps": 512, "l2_overhead_bytes_per_packet": 8},
        "tx_ring": {"unit": "packets", "limit": 4},
        "scheduler": "fifo",
        "queues": [{"kind": "fifo", "name": "all", "queue_limit_packets": 40}],
        "traffic": [
            {
                "class": "data",
                "queue": "all",
                "arrival": {"process": "poisson", "packets_per_second": 60},
                "ip_packet_bytes": {"distribution": "fixed", "bytes": 500},
                "independent_identical_streams": 1,
            }
        ],
    }
]


def test_each_class_says_both_and_a_table_counts_by_method(capsys: Said) -> None:
    assert run([*LINK]) == 0
    said = capsys.readouterr().out

    assert "ms by Little's law on the full ring (within 5 %); sampled " in said
    assert said.count(": agree") == 2
    assert "check a full queue: " in said
    lines = said[said.index("By method") :].splitlines()
    assert "Little's law on the full queue  within 5 %        1      1" in lines[2]


def test_json_has_both_of_each_class_and_of_the_congested_case(capsys: Said) -> None:
    assert run([*LINK, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)

    for check in (rows[0]["check"], rows[0]["congested"]["check"], rows[1]["check"]):
        assert check["agrees"] is True
        assert check["analysis_ms"] == pytest.approx(check["sampled_ms"], rel=0.06)
    assert rows[0]["check"]["method"] == rows[0]["method"]


@pytest.mark.parametrize("form", ["json", "full"])
def test_a_scenario_is_checked_too(form: str, tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(SCENARIO), "utf-8")

    assert run(["predict", "--scenario", str(file), "--check", "--format", form]) == 0
    said = capsys.readouterr().out
    if form == "full":
        assert "by number law of M/G/1 in one queue (within 5 %); sampled " in said
        assert "By method" in said
    else:
        (row,) = json.loads(said)
        assert row["check_method"] == row["method"]
        assert row["check_agrees"] is True


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(("--sweep", "tx-ring-limit=1..4"), id="a sweep"),
        pytest.param(("--format", "csv"), id="a form without room for it"),
    ],
)
def test_a_check_goes_with_one_prediction(more: tuple[str, ...], capsys: Said) -> None:
    assert run([*LINK, *more]) == 2
    assert "--check: goes with " in capsys.readouterr().err
