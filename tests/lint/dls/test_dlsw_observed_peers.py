"""DLS008: what `show dlsw peers` says of each peer."""

import pytest

from advisor.capture.masking import typed_words
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.dls.peers import (
    PeerFaults,
    PeerFaultsParams,
    find_dlsw_peer_down_observed,
)
from advisor.lint.findings import Confidence
from advisor.shows.dlsw import PeerState
from tests.support.devices import device_read
from tests.support.verdicts import hits_of, skip_of

PARAMS = PeerFaultsParams(80.0, 100, 200)
HEAD = "Peers:                state     pkts_rx   pkts_tx  type  drops ckts TCP   uptime\n"
UP = "CONNECT       4181      4420  conf      0    3   0 1d02h"
DOWN = "DISCONN          0         0  conf      0    0   -        -"
PRIMARY = f" TCP 10.0.0.1        {UP}\n"
PRIMARY_DOWN = f" TCP 10.0.0.1        {DOWN}\n"
BACKUP_DOWN = f" TCP 10.0.0.2        {DOWN}\n"
BACKED = "dlsw remote-peer 0 tcp 10.0.0.1\ndlsw remote-peer 0 tcp 10.0.0.2 backup-peer 10.0.0.1\n"


def verdicts(rows: str, config: str = BACKED) -> list[Hit[PeerFaults] | Skip]:
    text = (
        f"r1#show running-config\nhostname r1\ndlsw local-peer peer-id 10.1.1.1\n{config}end\n"
        f"r1#show dlsw peers\n{HEAD}{rows}r1#\n"
    )
    return list(find_dlsw_peer_down_observed(device_read(text), PARAMS))


def hits(rows: str, config: str = BACKED) -> list[Hit[PeerFaults]]:
    return hits_of(verdicts(rows, config))


def queue(packets: int) -> str:
    return f" TCP 10.0.0.1        CONNECT       4181      4420  conf      0    3 {packets} 1d02h\n"


LONG_QUEUE = "dlsw remote-peer 0 tcp 10.0.0.1 tcp-queue-max 500\n"


@pytest.mark.parametrize(
    ("rows", "config", "expected"),
    [
        pytest.param(PRIMARY, BACKED, [], id="all is well"),
        pytest.param(PRIMARY_DOWN, BACKED, ["DISCONN, not CONNECT"], id="down"),
        pytest.param(PRIMARY + BACKUP_DOWN, BACKED, [], id="a backup waits for its primary"),
        pytest.param(
            PRIMARY_DOWN + BACKUP_DOWN, BACKED, ["DISCONN, not CONNECT"] * 2,
            id="a backup that is needed",
        ),
        pytest.param(
            PRIMARY_DOWN, "dlsw remote-peer 0 tcp 10.0.0.1 dynamic\n", [],
            id="a dynamic peer without traffic",
        ),
        pytest.param(
            PRIMARY.replace("conf      0", "conf     12"), BACKED, ["12 drops"], id="drops"
        ),
        pytest.param(queue(79), BACKED, [], id="a queue under 80 of 100"),
        pytest.param(
            queue(80), BACKED, ["80 packets in its TCP queue, whose limit is 100 to 200 by default"],
            id="near the end of a queue of 100",
        ),
        pytest.param(queue(399), LONG_QUEUE, [], id="a queue of 500 is far from its end"),
        pytest.param(
            queue(400), LONG_QUEUE, ["400 packets in its TCP queue, whose limit is 500"], id="near 500"
        ),
    ],
)  # fmt: skip
def test_a_peer_that_is_not_well(rows: str, config: str, expected: list[str]) -> None:
    said = [getattr(each.evidence, "seen", "") for each in hits(rows, config)]

    assert said == expected


@pytest.mark.parametrize("state", [state for state in PeerState if state != "CONNECT"])
def test_a_report_shows_the_state(state: PeerState) -> None:
    row = PRIMARY_DOWN.replace("DISCONN", state)

    (hit,) = hits(row)

    assert hit.evidence.seen == f"{state}, not CONNECT"
    assert typed_words(row.strip()) == []


def test_the_backup_of_a_peer_in_a_row_that_is_not_understood_is_not_judged() -> None:
    skip = skip_of(verdicts(PRIMARY.replace("CONNECT", "COLOURED") + BACKUP_DOWN))

    assert (skip.object, "not understood" in skip.reason) == ("dlsw peer 10.0.0.2", True)


@pytest.mark.parametrize(
    ("packets", "confidence"),
    [
        pytest.param(100, Confidence.POSSIBLE, id="the queue may be one of 200"),
        pytest.param(160, Confidence.CERTAIN, id="near the end of either"),
    ],
)
def test_an_unknown_length_of_the_queue_lowers_the_confidence(
    packets: int, confidence: Confidence
) -> None:
    (hit,) = hits(queue(packets))

    assert hit.confidence is confidence


def test_the_latest_table_counts() -> None:
    again = f"r1#show dlsw peers\n{HEAD}{PRIMARY}"

    assert hits(PRIMARY_DOWN + again) == []
