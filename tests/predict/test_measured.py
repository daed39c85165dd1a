"""What show outputs measured, in predictions: sizes, rates, the ring in force."""

import pytest

from advisor.ground.quantity import Basis, Figure, Unknown
from advisor.outlet.background import background_input
from advisor.outlet.offer import Offer, offers_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.predict.ring import ring_view
from advisor.predict.what_if.observed_load import measured_of
from advisor.settings import PacketShare, Traffic
from tests.support.devices import device_read

HQF = device_read("version 15.1\n").platform
POLICY = """\
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
policy-map SHAPE
 class class-default
  shape average 10000000
  service-policy EDGE
"""
SERIAL = (
    "interface Serial0/0\n encapsulation ppp\n clock rate 512000\n service-policy output EDGE\n"
)
CLASSES = """\
  Service-policy output: EDGE

    Class-map: VOICE (match-all)
      1000 packets, {voice} bytes
      30 second offered rate 25600 bps, drop rate {voice_drops} bps
      Match: ip dscp ef

    Class-map: class-default (match-any)
      {packets} packets, {default} bytes
      30 second offered rate {rate} bps, drop rate 0 bps
      Match: any
"""


def only_outlet(config: str, *shows: tuple[str, str]) -> Outlet:
    text = f"r1#show running-config\n{config}end\n"
    text += "".join(f"r1#{command}\n{output}" for command, output in shows) + "r1#\n"
    device = device_read(text)
    (outlet,) = outlets(device)
    return outlet


def counted(
    name: str, *, voice: int = 64_000, default: int = 1_004_000, packets: int = 1000,
    rate: int = 400_000, voice_drops: int = 0,
) -> tuple[str, str]:  # fmt: skip
    classes = CLASSES.format(
        voice=voice, default=default, packets=packets, rate=rate, voice_drops=voice_drops
    )
    return ("show policy-map interface", f" {name}\n\n{classes}")


def by_class(outlet: Outlet, *traffic: Traffic, congested: bool = False) -> dict[str, Offer]:
    return {each.class_name: each for each in offers_of(outlet, traffic, congested=congested)}


def llq_delay(outlet: Outlet) -> Figure:
    answer = solved(Question(outlet, offers_of(outlet, (), congested=True), HQF))
    assert isinstance(answer, SolvedOutlet)
    assert answer.first_priority is not None
    return answer.first_priority.mean


ATM = "interface ATM1/0.1 point-to-point\n pvc 0/100\n  vbr-nrt 2000 2000\n  encapsulation {}\n  service-policy output EDGE\n"
LAN = "interface FastEthernet0/0\n service-policy output EDGE\n"


@pytest.mark.parametrize(
    ("config", "place", "ip_bytes"),
    [
        pytest.param(SERIAL, "Serial0/0", 60, id="PPP counts 4 bytes"),
        pytest.param(SERIAL.replace("ppp", "hdlc"), "Serial0/0", 60, id="HDLC 4"),
        pytest.param(SERIAL.replace("ppp", "frame-relay"), "Serial0/0", 60, id="Frame Relay 4"),
        pytest.param(LAN, "FastEthernet0/0", 50, id="Ethernet 14"),
        pytest.param(ATM.format("aal5snap"), "ATM1/0.1: VC 0/100 -", 52, id="AAL5 SNAP 12"),
        pytest.param(ATM.format("aal5mux ip"), "ATM1/0.1: VC 0/100 -", 60, id="AAL5 MUX 4"),
    ],
)
def test_the_layer_2_header_that_ios_counts_is_taken_off(
    config: str, place: str, ip_bytes: int
) -> None:
    outlet = only_outlet(POLICY + config, counted(place))

    assert by_class(outlet)["VOICE"].mean_ip_bytes == ip_bytes


def test_a_rate_in_bits_becomes_one_in_packets() -> None:
    outlet = only_outlet(POLICY + SERIAL, counted("Serial0/0"))

    assert by_class(outlet)["VOICE"].packets_per_second == 25_600 / 8 / 64


@pytest.mark.parametrize(
    "drops_bps",
    [
        pytest.param(0, id="nothing is dropped"),
        pytest.param(5_120, id="what is dropped was offered"),
        pytest.param(30_000, id="an average of drops above that of the offer says nothing of it"),
    ],
)
@pytest.mark.parametrize("is_congested", [False, True])
def test_the_offered_rate_of_an_llq_holds_what_is_dropped(
    drops_bps: int, is_congested: bool
) -> None:
    outlet = only_outlet(POLICY + SERIAL, counted("Serial0/0", voice_drops=drops_bps))

    offer = by_class(outlet, congested=is_congested)["VOICE"]

    assert offer.packets_per_second == pytest.approx(50.0)


def test_a_loss_that_was_measured_is_not_predicted_away() -> None:
    outlet = only_outlet(
        POLICY.replace("priority 64", "priority 16") + SERIAL,
        counted("Serial0/0", voice_drops=9_600),
    )

    answer = solved(Question(outlet, offers_of(outlet, ()), HQF))

    assert isinstance(answer, SolvedOutlet)
    assert answer.first_priority is not None
    assert answer.first_priority.loss is not None
    assert answer.first_priority.loss.high > 30.0


def test_what_is_measured_names_its_line() -> None:
    offer = by_class(only_outlet(POLICY + SERIAL, counted("Serial0/0")))["VOICE"]

    assert (offer.basis, offer.source) == (Basis.MEASURED, "rates of 30 s, r1.txt:23")


def test_classes_under_a_shaper_are_measured_where_they_are_nested() -> None:
    nested = counted("GigabitEthernet0/1")[1].replace(
        "  Service-policy output: EDGE",
        "  Service-policy output: SHAPE\n\n    Class-map: class-default (match-any)\n"
        "      2000 packets, 1068000 bytes\n      30 second offered rate 425600 bps, drop rate 0 bps\n"
        "      Match: any\n\n      Service-policy : EDGE",
    )
    head, _, children = nested.partition("Service-policy : EDGE\n")
    indented = "".join(
        f"    {line}" if line.strip() else line for line in children.splitlines(keepends=True)
    )
    config = "interface GigabitEthernet0/1\n service-policy output SHAPE\n"

    outlet = only_outlet(
        POLICY + config, ("show policy-map interface", f"{head}Service-policy : EDGE\n{indented}")
    )

    assert by_class(outlet)["class-default"].mean_ip_bytes == 990


STATED = Traffic(
    "*", "*", "class-default", (PacketShare(1500, 1.0),), 10.0, 1, "poisson", "t.toml:1"
)
PERIODIC = Traffic("*", "*", "VOICE", (PacketShare(60, 1.0),), 50.0, 3, "periodic", "t.toml:9")


def test_what_is_measured_wins_over_what_is_stated() -> None:
    outlet = only_outlet(POLICY + SERIAL, counted("Serial0/0"))

    assert by_class(outlet, STATED)["class-default"].mean_ip_bytes == 1000


def test_what_cannot_be_measured_stays_as_stated() -> None:
    offer = by_class(only_outlet(POLICY + SERIAL, counted("Serial0/0")), PERIODIC)["VOICE"]

    assert (offer.periodic, offer.streams, offer.basis) == (True, 3, Basis.MEASURED)


def test_a_class_of_too_few_packets_is_not_measured() -> None:
    outlet = only_outlet(POLICY + SERIAL, counted("Serial0/0", packets=99, default=99_000))

    assert by_class(outlet, STATED)["class-default"].source == "t.toml:1"


@pytest.mark.parametrize(
    ("congested", "packets_per_second"),
    [
        pytest.param(False, 400_000 / 8 / 1004, id="a prediction takes the measured rate"),
        pytest.param(True, None, id="the verdict is for the congested case"),
    ],
)
def test_lower_classes(packets_per_second: float | None, *, congested: bool) -> None:
    outlet = only_outlet(POLICY + SERIAL, counted("Serial0/0"))
    offer = by_class(outlet, congested=congested)["class-default"]

    assert offer.packets_per_second == packets_per_second


def test_a_measured_mean_is_not_the_largest_packet() -> None:
    outlet = only_outlet(POLICY + SERIAL, counted("Serial0/0"))
    offers = offers_of(outlet, (), congested=True)
    view = ring_view(outlet, offers)

    assert not isinstance(view, Unknown)
    assert view.largest_ip_bytes == 1500


def test_the_mean_delay_lies_between_equal_packets_and_the_widest_mix() -> None:
    mean = llq_delay(only_outlet(POLICY + SERIAL, counted("Serial0/0")))

    assert mean.low < mean.value < mean.high <= (mean.bound or 0.0)


def test_small_packets_in_the_ring_make_a_shorter_delay() -> None:
    small = only_outlet(POLICY + SERIAL, counted("Serial0/0", default=204_000))
    large = only_outlet(POLICY + SERIAL, counted("Serial0/0", default=1_404_000))

    means = [llq_delay(outlet) for outlet in (small, large)]

    assert means[0].value < means[1].value
    assert means[0].bound == means[1].bound


SHOWN = (
    "Serial0/0 is up, line protocol is up\n  Hardware is GT96K Serial\n"
    "  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,\n"
    "     reliability 255/255, txload 250/255, rxload 3/255\n  Encapsulation PPP, LCP Open\n"
    "  30 second output rate {} bits/sec, {} packets/sec\n"
)


@pytest.mark.parametrize(
    ("rate", "packets", "low", "basis"),
    [
        pytest.param(
            502_000, 64, 976.5, Basis.MEASURED, id="of a busy link the mean is the low end"
        ),
        pytest.param(100_000, 64, 340.0, Basis.ASSUMED, id="an idle link tells nothing"),
    ],
)
def test_the_mean_of_show_interfaces_without_a_policy_output(
    rate: int, packets: int, low: float, basis: Basis
) -> None:
    outlet = only_outlet(POLICY + SERIAL, ("show interfaces", SHOWN.format(rate, packets)))
    background = background_input(outlet)

    assert background.low == pytest.approx(low, abs=0.1)
    assert (background.high, background.basis) == (1500.0, basis)


VC = (
    "ATM1/0.1: VCD: 3, VPI: 0, VCI: 100\nVBR-NRT, PeakRate: 2000, Average Rate: 2000, Burst Cells: 94\n"
    "AAL5-LLC/SNAP, etype:0x0, Flags: 0x20, VCmode: 0x0\n{} TxRingLimit: 40 particles\nStatus: UP\n"
)


@pytest.mark.parametrize(
    ("owner", "limit", "basis"),
    [
        pytest.param("VC", 40, Basis.MEASURED, id="the ring of the circuit is in force"),
        pytest.param("PA", 5, Basis.CONFIGURED, id="that of the port adapter is another ring"),
    ],
)
def test_the_ring_of_a_circuit(owner: str, limit: int, basis: Basis) -> None:
    config = ATM.format("aal5snap\n  tx-ring-limit 5")
    ring = only_outlet(POLICY + config, ("show atm pvc 0/100", VC.format(owner))).ring

    assert ring is not None
    assert (ring.limit_low, ring.limit_high, ring.basis) == (limit, limit, basis)
    assert ring.configured == 5


PROBES = """\
ip sla 10
 udp-jitter 192.0.2.2 16384
 tos 184
ip sla 11
 icmp-echo 192.0.2.2
 tos 184
ip sla 12
 icmp-echo 192.0.2.2
 tos 184
"""
SUMMARY = """\
IPSLAs Latest Operation Summary
Codes: * active, ^ inactive, ~ pending

ID           Type           Destination       Stats               Return        Last
                                              (ms)                Code          Run
------------------------------------------------------------------------------------------------
*10          udp-jitter     192.0.2.2         RTT=900u            OK            20 seconds ago
*11          icmp-echo      192.0.2.2         RTT=31              OK            3 seconds ago
*12          icmp-echo      192.0.2.2         -                   Timeout       41 seconds ago
"""


def test_a_round_trip_of_a_summary_is_a_result() -> None:
    serial = SERIAL.replace("encapsulation", "ip address 192.0.2.1 255.255.255.252\n encapsulation")
    text = f"r1#show running-config\n{POLICY}{serial}{PROBES}end\nr1#show ip sla summary\n{SUMMARY}r1#\n"
    device = device_read(text)
    (outlet,) = outlets(device)

    said = measured_of(device, outlet, "VOICE")

    assert [words.partition(" (r1")[0] for words in said] == [
        "round trip 0.9 ms (the latest) by probe 10",
        "round trip 31 ms (the latest) by probe 11",
        "no result (Timeout) by probe 12",
    ]
