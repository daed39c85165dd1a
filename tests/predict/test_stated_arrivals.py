"""Stated arrivals reach the queueing model as its own kinds of arrival."""

import pytest

from advisor.model import Arrival, Bursts, Framing, OnOff, Periodic, Poisson, Saturated, Traffic
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question, demand_of
from advisor.predict.classes.corners import corners
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read

EDGE = """\
version 15.1
hostname EDGE
policy-map WAN
 class VOICE
  priority 96
 class class-default
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 4
 service-policy output WAN
"""
CALL = '[[traffic]]\nclass = "VOICE"\ncalls = 1\ncodec = "G.729"\n'
DATA = '[[traffic]]\nclass = "class-default"\npacket_bytes = 500\n'


def question(text: str) -> Question:
    device = device_read(EDGE, settings_of_text(text), file="r1.cfg")
    (outlet,) = outlets(device)
    return Question(outlet, offers_of(outlet, device.traffic), device.platform)


def traffic_of(text: str, queue: str) -> tuple[Traffic, ...]:
    asked = question(text)
    first = corners(asked, demand_of(asked))[0].interface
    return tuple(traffic for traffic in first.traffic if traffic.queue == queue)


@pytest.mark.parametrize(
    ("text", "arrival", "streams"),
    [
        pytest.param("packets_per_second = 20", Poisson(20), 1, id="Poisson"),
        pytest.param(
            'packets_per_second = 20\nstreams = 4\narrivals = "periodic"',
            Periodic(5),
            4,
            id="periodic streams",
        ),
        pytest.param(
            'packets_per_second = 20\narrivals = "periodic"\njitter_ms = 3',
            Periodic(20, 3),
            1,
            id="late packets",
        ),
        pytest.param(
            'packets_per_second = 20\narrivals = "bursts"\nburst_packets = 5\nburst_spacing_ms = 1',
            Bursts(4, 5, 1),
            1,
            id="bursts",
        ),
        pytest.param(
            'packets_per_second = 20\nstreams = 2\narrivals = "on-off"\non_ms = 100\noff_ms = 300',
            OnOff(10, 100, 300),
            2,
            id="talk spurts at the rate while talking",
        ),
        pytest.param(
            'arrivals = "saturated"\nbacklog_packets = 7', Saturated(7), 1, id="a stated backlog"
        ),
        pytest.param('arrivals = "saturated"', Saturated(64), 1, id="up to the queue-limit"),
    ],
)
def test_arrival(text: str, arrival: Arrival, streams: int) -> None:
    (traffic,) = traffic_of(f"{CALL}{DATA}{text}\n", "class-default")

    assert (traffic.arrival, traffic.streams) == (arrival, streams)


def test_conversations_are_those_of_a_stream() -> None:
    (traffic,) = traffic_of(
        f"{CALL}{DATA}packets_per_second = 20\nconversations = 6\n", "class-default"
    )

    assert traffic.conversations == 6


def test_tables_of_one_class_add_up() -> None:
    text = f"{CALL}{DATA}packets_per_second = 20\n{DATA}tcp_flows = 2\n"
    arrivals = [traffic.arrival for traffic in traffic_of(text, "class-default")]

    assert arrivals == [Poisson(20), Saturated(63)]  # of 64 places one is left to the others


def test_tcp_beside_udp_in_one_class_is_predicted() -> None:
    said = solved(question(f"{CALL}{DATA}packets_per_second = 20\n{DATA}tcp_flows = 2\n"))

    assert isinstance(said, SolvedOutlet)
    assert [known.name for known in said.classes] == ["VOICE", "class-default"]


def test_a_stated_backlog_leaves_no_range_from_one_packet_to_a_full_queue() -> None:
    text = f'{CALL}{DATA}arrivals = "saturated"\n'
    wide, narrow = (
        next(each.mean for each in said.classes if each.name == "class-default")
        for said in (solved(question(text)), solved(question(f"{text}backlog_packets = 64\n")))
        if isinstance(said, SolvedOutlet)
    )

    assert narrow.high < 2 * narrow.low
    assert wide.high > 15 * wide.low


@pytest.mark.parametrize(
    ("interface", "counted_bytes"),
    [
        pytest.param("Serial0/0", 4, id="PPP: no FCS, no flag"),
        pytest.param("FastEthernet0/0", 14, id="Ethernet: no preamble, FCS or gap"),
    ],
)
def test_the_policer_of_stated_calls_counts_the_layer_2_that_ios_counts(
    interface: str, counted_bytes: int
) -> None:
    config = EDGE.replace("Serial0/0", interface)
    if interface.startswith("Fast"):
        config = config.replace(" clock rate 512000\n encapsulation ppp\n", " bandwidth 512\n")
    device = device_read(config, settings_of_text(CALL), file="r1.cfg")
    (outlet,) = outlets(device)
    asked = Question(outlet, offers_of(outlet, device.traffic), device.platform)
    queues = corners(asked, demand_of(asked))[0].interface.queues
    (policer,) = [queue.priority_policer for queue in queues if queue.priority_policer is not None]

    assert policer.rate_bps == 96_000
    assert policer.framing == Framing(counted_bytes)
