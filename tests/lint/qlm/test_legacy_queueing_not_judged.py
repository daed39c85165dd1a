"""QLM005: queueing older than MQC is told once for each interface and kind."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from tests.support.devices import device_of, device_read
from tests.support.verdicts import hit_of, hits_of

LEGACY_QUEUEING_NOT_JUDGED = CHECKS["legacy-queueing-not-judged"]


def objects(lines: str) -> list[str]:
    text = f"version 12.3\nhostname R1\ninterface Serial0/0\n bandwidth 512\n{lines}end\n"
    return [
        hit.object for hit in hits_of(LEGACY_QUEUEING_NOT_JUDGED.find(device_of(text), NoParams()))
    ]


@pytest.mark.parametrize(
    ("lines", "kinds"),
    [
        pytest.param(" priority-group 1\n", ["priority-group"], id="a priority list"),
        pytest.param(" custom-queue-list 3\n", ["custom-queue-list"], id="a custom queue list"),
        pytest.param(" ip rtp priority 16384 16383 64\n", ["ip rtp"], id="IP RTP priority"),
        pytest.param(" traffic-shape rate 256000\n", ["traffic-shape"], id="generic shaping"),
        pytest.param(
            " rate-limit output 8000 1500 2000 conform-action transmit exceed-action drop\n"
            " rate-limit input 8000 1500 2000 conform-action transmit exceed-action drop\n",
            ["rate-limit"],
            id="two lines of a kind",
        ),
        pytest.param(
            " priority-group 1\n traffic-shape rate 256000\n",
            ["priority-group", "traffic-shape"],
            id="two kinds",
        ),
        pytest.param(" fair-queue\n", [], id="fair queueing is judged"),
    ],
)
def test_each_kind_is_told_once(lines: str, kinds: list[str]) -> None:
    assert objects(lines) == [f"interface Serial0/0 > {kind}" for kind in kinds]


@pytest.mark.parametrize(
    ("lines", "counted"),
    [
        pytest.param(" priority-group 1\n", "1 line", id="one"),
        pytest.param(
            " rate-limit input 8000 1500 2000 conform-action transmit exceed-action drop\n"
            " rate-limit output 8000 1500 2000 conform-action transmit exceed-action drop\n",
            "2 lines",
            id="two",
        ),
    ],
)
def test_the_lines_are_counted_in_words(lines: str, counted: str) -> None:
    text = f"version 12.3\nhostname R1\ninterface Serial0/0\n bandwidth 512\n{lines}end\n"
    (hit,) = hits_of(LEGACY_QUEUEING_NOT_JUDGED.find(device_of(text), NoParams()))
    assert hit.evidence.lines == counted


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        pytest.param("frame-relay ip rtp priority 16384 16383 48", ["frame-relay ip"],
                     id="IP RTP priority"),
        pytest.param("frame-relay priority-group 1", ["frame-relay priority-group"],
                     id="a priority list"),
        pytest.param("frame-relay custom-queue-list 3", ["frame-relay custom-queue-list"],
                     id="a custom queue list"),
        pytest.param("frame-relay ip rtp header-compression", [], id="compression does not queue"),
        pytest.param("frame-relay priority-group 1\n no frame-relay priority-group", [],
                     id="removed"),
    ],
)  # fmt: skip
def test_legacy_queueing_of_a_map_class_is_told_where_a_circuit_has_it(
    line: str, kinds: list[str]
) -> None:
    text = (
        "version 12.3\nhostname R1\ninterface Serial0/0\n encapsulation frame-relay\n"
        " frame-relay traffic-shaping\ninterface Serial0/0.1 point-to-point\n"
        " frame-relay interface-dlci 101\n  class FR\n"
        f"map-class frame-relay FR\n frame-relay cir 128000\n {line}\nend\n"
    )
    found = [
        hit.object for hit in hits_of(LEGACY_QUEUEING_NOT_JUDGED.find(device_of(text), NoParams()))
    ]

    assert found == [f"interface Serial0/0.1 > {kind}" for kind in kinds]


LIMITED = """\
Serial0/0
  Input
    matches: all traffic
      params:  64000 bps, 8000 limit, 8000 extended limit
      conformed 900 packets, 90000 bytes; action: transmit
      exceeded {marked} packets, 0 bytes; action: set-prec-transmit 0
      last packet: 12ms ago, current burst: 0 bytes
      last cleared 02:11:40 ago, conformed 0 bps, exceeded 0 bps
  Output
    matches: all traffic
      params:  64000 bps, 8000 limit, 8000 extended limit
      conformed 900 packets, 90000 bytes; action: transmit
      exceeded {dropped} packets, 0 bytes; action: drop
      last packet: 12ms ago, current burst: 0 bytes
      last cleared 02:11:40 ago, conformed 0 bps, exceeded 0 bps
"""


@pytest.mark.parametrize(
    ("marked", "dropped", "seen"),
    [
        pytest.param(0, 0, "", id="nothing exceeds"),
        pytest.param(100, 0, "", id="what exceeds is marked"),
        pytest.param(
            0,
            100,
            "; its policers dropped 100 of 1000 packets for output (10 %)",
            id="it is dropped",
        ),
    ],
)
def test_what_policers_dropped_is_told(marked: int, dropped: int, seen: str) -> None:
    config = (
        "version 12.3\nhostname R1\ninterface Serial0/0\n"
        " rate-limit output 64000 8000 8000 conform-action transmit exceed-action drop\nend\n"
    )
    limits = LIMITED.format(marked=marked, dropped=dropped)
    text = f"R1#show running-config\n{config}R1#show interfaces rate-limit\n{limits}R1#\n"
    hit = hit_of(LEGACY_QUEUEING_NOT_JUDGED.find(device_read(text), NoParams()))

    assert hit.evidence.seen == seen
