"""Bundles that outputs show: without one of their members, and with rates that no line states."""

import pytest

from advisor.device.device import with_tree
from advisor.ground.quantity import Basis
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import load_rules
from advisor.lint.judge import judge
from advisor.outlet.outlets import outlets
from advisor.outlet.ring_homes import ring_homes
from advisor.settings import Budgets
from tests.support.devices import device_read

CONFIG = """\
version 12.4
hostname R1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 600
 class class-default
  bandwidth 800
interface Multilink1
 ip address 192.0.2.1 255.255.255.252
 ppp multilink group 1
 service-policy output WAN
interface Serial0/0/0
 bandwidth 1536
 encapsulation ppp
 tx-ring-limit 2
 ppp multilink group 1
interface Serial0/0/1
 bandwidth 1536
 encapsulation ppp
 tx-ring-limit 2
 ppp multilink group 1
end
"""
BUNDLE = """\
R1#show ppp multilink
Multilink1
  Bundle name: R2
  Bundle up for 2d03h, total bandwidth 1536, load 200/255
  Member links: 1 active, 1 inactive (max not set, min not set)
    {first}
    {second}
"""
UP, DOWN = "{}, since 2d03h", "{} (inactive)"
SECOND_LOST = BUNDLE.format(first=UP.format("Se0/0/0"), second=DOWN.format("Se0/0/1"))
BOTH_LOST = BUNDLE.format(first=DOWN.format("Se0/0/0"), second=DOWN.format("Se0/0/1")).replace(
    "1 active, 1", "0 active, 2"
)
BOTH_UP = BUNDLE.format(first=UP.format("Se0/0/0"), second=UP.format("Se0/0/1")).replace(
    "1 active, 1", "2 active, 0"
)
PORT = """\
R1#show interfaces {name}
{name} is {link}, line protocol is {protocol}
  Hardware is GT96K Serial
  MTU 1500 bytes, BW 1536 Kbit/sec, DLY 20000 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  Encapsulation PPP, LCP Closed, loopback not set
     100 packets output, 10000 bytes, 0 underruns
"""


def captured(shown: str, config: str = CONFIG) -> str:
    return f"R1#show running-config\n{config}{shown}R1#\n"


@pytest.mark.parametrize(
    ("shown", "names", "bundle"),
    [
        pytest.param(
            SECOND_LOST, ["Serial0/0/0"], (1536e3, Basis.MEASURED), id="inactive in its bundle"
        ),
        pytest.param(
            PORT.format(name="Serial0/0/0", link="down", protocol="down"),
            ["Serial0/0/1"],
            (1536e3, Basis.MEASURED),
            id="a port that is down",
        ),
        pytest.param(
            PORT.format(name="Serial0/0/0", link="up", protocol="down"),
            ["Serial0/0/1"],
            (1536e3, Basis.MEASURED),
            id="a line protocol that is down",
        ),
        pytest.param(
            BOTH_UP + PORT.format(name="Serial0/0/0", link="down", protocol="down"),
            ["Serial0/0/0", "Serial0/0/1"],
            (3072e3, Basis.CONFIGURED),
            id="the bundle knows its members best",
        ),
        pytest.param(
            BOTH_LOST,
            ["Serial0/0/0", "Serial0/0/1"],
            (3072e3, Basis.CONFIGURED),
            id="with none up the figures are of the configuration",
        ),
    ],
)
def test_figures_are_of_the_members_that_are_up(
    shown: str, names: list[str], bundle: tuple[float, Basis]
) -> None:
    found = outlets(device_read(captured(shown)))
    together = found[0].bundle_wire
    assert together is not None
    assert [outlet.interface.name for outlet in found] == names
    assert ((together.value, together.basis), found[0].members) == (bundle, len(names))


def test_a_channel_counts_the_members_that_are_up() -> None:
    config = CONFIG[: CONFIG.index("interface Multilink1")] + (
        "platform qos port-channel-aggregate 1\n"
        "interface Port-channel1\n service-policy output WAN\n"
        "interface GigabitEthernet0/1\n channel-group 1\n"
        "interface GigabitEthernet0/2\n channel-group 1\nend\n"
    )
    down = PORT.format(name="GigabitEthernet0/2", link="down", protocol="down")
    (outlet,) = outlets(device_read(captured(down, config)))
    assert outlet.wire is not None
    assert (outlet.wire.value, outlet.wire.basis) == (1e9, Basis.MEASURED)


def test_lines_are_not_sized_to_a_line_that_is_down() -> None:
    device = device_read(captured(SECOND_LOST))
    pairs = judge(device, load_rules(Budgets())).pairs
    hits = {rule.card.id: hit for rule, hit in pairs}
    assert {rule for rule, hit in hits.items() if not hit.curable} >= {"LLQ001", "LLQ002"}
    assert "bring the member up" in (hits["LLQ002"].advice or "")


def test_the_ring_of_a_member_that_is_down_is_still_behind_queues() -> None:
    device = device_read(captured(SECOND_LOST))
    assert all(home.queues_before for home in ring_homes(device))


def test_an_edit_leaves_the_member_down() -> None:
    device = device_read(captured(SECOND_LOST))
    edited = with_tree(device, parse_config(CONFIG.replace("priority 600", "priority 96")))
    assert [outlet.interface.name for outlet in outlets(edited)] == ["Serial0/0/0"]


UNRATED = CONFIG.replace(" bandwidth 1536\n", "")
OWN_RATE = PORT.replace("{link}", "up").replace("{protocol}", "up").replace("BW 1536", "BW {kbps}")


def shown_rate(name: str, kbps: int) -> str:
    return OWN_RATE.format(name=name, kbps=kbps)


@pytest.mark.parametrize(
    ("shown", "config", "rates", "admission_bps"),
    [
        pytest.param(
            BOTH_UP.replace("1536", "1024"), UNRATED, [512e3, 512e3], 1024e3,
            id="each has its part of the bundle",
        ),
        pytest.param(
            SECOND_LOST, UNRATED, [1536e3], 1536e3, id="the total is of the member that is up"
        ),
        pytest.param(
            shown_rate("Serial0/0/0", 512) + shown_rate("Serial0/0/1", 768), UNRATED,
            [512e3, 768e3], 1280e3, id="rows of the members",
        ),
        pytest.param(
            shown_rate("Multilink1", 1024), UNRATED, [512e3, 512e3], 1024e3,
            id="a row of the bundle",
        ),
        pytest.param(
            BOTH_UP.replace("1536", "3088"), UNRATED, [None, None], 3088e3,
            id="1544 is what IOS assumes of any line",
        ),
        pytest.param(
            BOTH_UP.replace("1536", "1024"), CONFIG, [1536e3, 1536e3], 3072e3,
            id="lines win over outputs",
        ),
        pytest.param(
            BOTH_UP.replace("1536", "1024"),
            UNRATED.replace("interface Multilink1\n", "interface Multilink1\n bandwidth 900\n"),
            [None, None], 900e3, id="the rate of a bundle that states its own is no sum",
        ),
    ],
)  # fmt: skip
def test_members_without_a_rate_have_the_shown_one(
    shown: str, config: str, rates: list[float | None], admission_bps: float
) -> None:
    found = outlets(device_read(captured(shown, config)))

    assert [item.wire.value if item.wire else None for item in found] == rates
    assert found[0].admission_bps == admission_bps
    if config == UNRATED and found[0].wire is not None:
        assert found[0].wire.basis is Basis.MEASURED


def test_a_serial_line_of_its_own_has_the_shown_rate() -> None:
    config = (
        CONFIG[: CONFIG.index("interface Multilink1")]
        + "interface Serial0/0/0\n encapsulation ppp\n service-policy output WAN\nend\n"
    )
    (outlet,) = outlets(device_read(captured(shown_rate("Serial0/0/0", 512), config)))

    assert outlet.wire is not None
    assert (outlet.wire.value, outlet.admission_bps) == (512e3, 512e3)
