"""Frames per second, CPU and platform that a device shows; the line that it gets from them."""

import pytest

from advisor.predict.size import SizingError
from advisor.predict.size.answer import Profile, line_of_device, load_of, media_of
from advisor.predict.size.platform_line import CALIBRATED, ESTIMATED, Calibration
from advisor.predict.size.seen import SeenLoad, seen_load
from tests.support.devices import device_read

CONFIG = """\
version 12.2
hostname dc1
source-bridge ring-group 100
dlsw local-peer peer-id 10.0.0.1 promiscuous
dlsw remote-peer 0 tcp 10.0.0.2 lf 1500
dlsw remote-peer 0 tcp 10.0.0.3
dlsw remote-peer 0 tcp 10.0.0.4 backup-peer 10.0.0.2
dlsw bridge-group 1
interface TokenRing0/0
 source-bridge 10 1 100
interface Ethernet0/0
 bridge-group 1
interface Ethernet0/1
 ip address 10.1.0.1 255.255.255.0
interface Serial0/0
 ip address 10.0.0.1 255.255.255.0
end
"""
PORT = """\
{} is up, line protocol is up
  MTU 1500 bytes, BW 16000 Kbit, DLY 630 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  Encapsulation SNAP, loopback not set
  30 second input rate 200000 bits/sec, {} packets/sec
  30 second output rate 200000 bits/sec, {} packets/sec
     {} packets input, 44232 bytes, 0 no buffer
     {} packets output, 63550 bytes, 0 underruns
"""
PEERS = """\
Peers:                state     pkts_rx   pkts_tx  type  drops ckts TCP   uptime
 TCP 10.0.0.2        CONNECT {:>10}{:>10}  conf      0    3   0 1d02h
 TCP 10.0.0.3        DISCONN         0         0  conf      0    0   -        -
"""
CPU = "CPU utilization for five seconds: {}; one minute: {}%; five minutes: {}%\n"
VERSION = """\
Cisco IOS Software, 7200 Software (C7200-JS-M), Version 12.4(15)T9, RELEASE SOFTWARE (fc5)
Cisco 7206VXR (NPE300) processor (revision D) with 122880K/40960K bytes of memory.
"""


def shown(*outputs: tuple[str, str], config: str = CONFIG) -> SeenLoad:
    parts = [f"dc1#show running-config\n{config}"] if config else []
    parts += [f"dc1#show {command}\n{text}" for command, text in outputs]
    payload = ("".join(parts) + "dc1#\n").encode()
    return seen_load(device_read(payload, file="dc1.log"))


def ports(ring: int, ethernet: int, time: str = "", counted: int = 1000) -> tuple[str, str]:
    head = f"Time source is NTP, {time} UTC Fri Apr 18 2008\n" if time else ""
    text = PORT.format("TokenRing0/0", ring, ring, counted, counted)
    text += PORT.format("Ethernet0/0", ethernet, ethernet, counted, counted)
    return "interfaces", head + text


def peers(time: str, packets: int) -> tuple[str, str]:
    head = f"Time source is NTP, {time} UTC Fri Apr 18 2008\n"
    return "dlsw peers", head + PEERS.format(packets, packets)


def cpu(five: str, minute: int, minutes: int) -> tuple[str, str]:
    return "processes cpu | include CPU", CPU.format(five, minute, minutes)


def test_rates_of_all_lan_interfaces_of_dlsw_add_up_in_and_out() -> None:
    assert [each.fps for each in shown(ports(150, 50)).rates] == [400]


def test_an_interface_outside_of_dlsw_is_not_counted() -> None:
    other = PORT.format("Ethernet0/1", 900, 900, 1, 1)

    assert [each.fps for each in shown(("interfaces", ports(150, 50)[1] + other)).rates] == [400]


def test_without_all_lan_interfaces_there_is_no_rate() -> None:
    alone = ("interfaces", PORT.format("TokenRing0/0", 100, 100, 1, 1))

    assert shown(alone).rates == ()


def test_counters_at_two_times_are_better_than_rates() -> None:
    first, last = ports(1, 1, "13:15:00.000", 1000), ports(1, 1, "13:15:20.000", 3000)

    assert [each.fps for each in shown(first, last).rates] == [4 * 2000 / 20]


def test_counters_that_were_cleared_between_are_no_rate() -> None:
    first, last = ports(150, 50, "13:15:00.000", 5000), ports(150, 50, "13:15:20.000", 10)

    assert [each.fps for each in shown(first, last).rates] == [400, 400]


def test_packets_of_the_peers_at_two_times_are_best() -> None:
    seen = shown(peers("13:15:00.000", 0), peers("13:16:00.000", 9000), ports(150, 50))

    assert [each.fps for each in seen.rates] == [300]
    assert "show dlsw peers" in seen.rates[0].source


def test_a_counter_of_packets_without_its_time_is_no_rate() -> None:
    text = PEERS.format(100, 100)

    assert shown(("dlsw peers", text), ("dlsw peers", PEERS.format(200, 200))).rates == ()


def test_connected_peers_are_counted_where_they_were_shown() -> None:
    assert shown(("dlsw peers", PEERS.format(1, 1))).peers == 1


def test_a_row_that_is_not_understood_may_be_any_peer() -> None:
    unread = PEERS.replace("CONNECT", "COLOURED", 1)
    seen = shown(("dlsw peers", unread.format(1, 1)))

    assert (seen.peers, seen.rates) == (None, ())


def test_configured_peers_are_counted_else_without_backups() -> None:
    assert shown().peers == 2


def test_the_processor_of_show_version_names_the_platform() -> None:
    seen = shown(("version", VERSION))

    assert seen.platform is not None
    assert (seen.platform.name, seen.platform_name) == ("NPE-300", "7206VXR")
    assert line_of_device(seen, None, None).name == "NPE-300"


def test_lan_and_wan_are_those_of_the_config() -> None:
    media = media_of(shown())

    assert (media.lan, media.wan) == (("token-ring", "ethernet"), ("ethernet", "serial"))


def test_a_steady_load_at_a_measured_rate_replaces_the_estimate() -> None:
    seen = shown(ports(300, 100), cpu("27%/3%", 27, 26))
    on = line_of_device(seen, "3640", None)

    assert on.basis == CALIBRATED
    assert on.line.slope_percent == pytest.approx(0.03)
    assert any("slope only" in each for each in on.remarks)


def test_two_steady_loads_at_two_rates_give_base_and_slope() -> None:
    seen = shown(ports(50, 50), cpu("9%/2%", 9, 9), ports(300, 100), cpu("27%/3%", 27, 26))
    line = line_of_device(seen, "3640", None).line

    assert round(line.base_percent, 2) == 1.33
    assert round(line.slope_percent, 4) == 0.0283


@pytest.mark.parametrize(
    "load",
    [
        pytest.param(cpu("27%/3%", 12, 9), id="a load on the move"),
        pytest.param(cpu("27%", 27, 27), id="a load without its interrupt share"),
        pytest.param(cpu("27%/28%", 27, 27), id="an interrupt share above the whole"),
        pytest.param(cpu("3%/3%", 3, 3), id="nothing at process level"),
    ],
)
def test_from_another_load_no_slope_is_taken(load: tuple[str, str]) -> None:
    on = line_of_device(shown(ports(300, 100), load), "3640", None)

    assert on.basis == ESTIMATED


def test_8_6_8_5_is_steady_and_2_percent_is_what_dlsw_could_have() -> None:
    (load,) = shown(cpu("8%/6%", 8, 5)).cpu

    assert load.moving is None
    assert (load.interrupt_percent, load.process_percent) == (6, 2)


def test_the_peak_is_the_highest_rate() -> None:
    load = load_of(shown(ports(300, 100), ports(50, 50)), Profile())

    assert load is not None
    assert load.fps == 800


def test_sizes_of_a_transaction_turn_a_measured_rate_into_transactions() -> None:
    load = load_of(shown(ports(150, 50)), Profile(None, 2000, 1000, 2000))

    assert load is not None
    assert load.frames_per_transaction == 3
    assert load.tps == pytest.approx(400 / 3)


def test_the_largest_frame_of_the_config_cuts_a_stated_transaction() -> None:
    load = load_of(shown(), Profile(10, 4096, 0, 4096))

    assert load is not None
    assert load.fps == 30


def test_what_is_stated_wins_over_what_is_measured() -> None:
    load = load_of(shown(ports(150, 50)), Profile(10, 2000, 1000, 1024))

    assert load is not None
    assert load.fps == 30


def test_no_rate_is_no_load() -> None:
    assert load_of(shown(), Profile()) is None


def test_a_device_without_a_platform_and_without_samples_gets_no_figure() -> None:
    none: Calibration | None = None

    with pytest.raises(SizingError, match="platform is not known"):
        line_of_device(shown(), None, none)


def test_peers_that_do_not_speak_tcp_are_said() -> None:
    config = CONFIG.replace("tcp 10.0.0.3", "fst 10.0.0.3")

    assert any("fst" in each for each in shown(config=config).remarks)
