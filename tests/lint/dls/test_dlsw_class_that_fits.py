"""DLS004: the class of DLSw+ takes a tenth, or what the other classes leave of the admission."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Level, Remedy
from advisor.lint.run import review
from advisor.settings import Settings

RULES = load_rules(Settings().budgets)
HEAD = """\
r1#show running-config
version {version}
hostname r1
dlsw local-peer peer-id 10.9.0.1
dlsw remote-peer 0 tcp 10.0.0.1
class-map match-all WEB
 match ip precedence 3
class-map match-all BULK
 match ip precedence 1
policy-map EDGE
 class WEB
  {web}
 class BULK
  {bulk}
interface Serial0/0
 bandwidth 2000
 ip address 10.9.0.1 255.255.255.252
 encapsulation ppp
 clock rate 2000000
{port} service-policy output EDGE
end
r1#show interfaces Serial0/0
Serial0/0 is up, line protocol is up
  Hardware is PowerQUICC Serial
  MTU 1500 bytes, BW 2000 Kbit, DLY 20000 usec,
     reliability 255/255, txload 240/255, rxload 3/255
  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: 911
r1#
"""
OLD, HQF = "12.3", "15.1"
NO_ROOM: None = None


def remedy_for(web: str, bulk: str, version: str, port: str) -> Remedy:
    text = HEAD.format(web=web, bulk=bulk, version=version, port=port)
    found = review([Source("r1.txt", text.encode())], RULES, Settings()).findings
    (remedy,) = (each.remedy for each in found if each.rule == "DLS004")
    assert remedy is not None
    return remedy


@pytest.mark.parametrize(
    ("web", "bulk", "version", "port", "expected"),
    [
        pytest.param("bandwidth 800", "bandwidth 400", OLD, "", "bandwidth 200", id="a tenth fits"),
        pytest.param(
            "bandwidth 1000", "bandwidth 380", OLD, "", "bandwidth 120",
            id="120 kb/s are left of 75 % of 2000",
        ),
        pytest.param("bandwidth 1000", "bandwidth 500", OLD, "", NO_ROOM, id="75 % are reserved"),
        pytest.param(
            "bandwidth 1000", "bandwidth 500", OLD, " max-reserved-bandwidth 90\n", "bandwidth 200",
            id="90 % may be reserved",
        ),
        pytest.param(
            "bandwidth 1000", "bandwidth 850", HQF, "", "bandwidth 130",
            id="HQF admits 99 % without a bandwidth of class-default",
        ),
        pytest.param(
            "bandwidth percent 40", "bandwidth percent 31", OLD, "", "bandwidth percent 4",
            id="4 % are left of 75",
        ),
        pytest.param(
            "bandwidth percent 50", "bandwidth percent 49", HQF, "", NO_ROOM,
            id="99 % are reserved",
        ),
        pytest.param(
            "bandwidth remaining percent 60", "bandwidth remaining percent 35", OLD, "",
            "bandwidth remaining percent 5", id="5 % of what remains",
        ),
        pytest.param(
            "bandwidth remaining ratio 5", "bandwidth remaining ratio 3", HQF, "",
            "bandwidth remaining ratio 1", id="one in ten of the ratios, with that of class-default",
        ),
    ],
)  # fmt: skip
def test_the_new_class_fits_beside_the_others(
    web: str, bulk: str, version: str, port: str, expected: str | None
) -> None:
    remedy = remedy_for(web, bulk, version, port)

    assert (remedy.lines[-1].strip() if remedy.lines else None) == expected


def test_a_share_that_is_less_than_wanted_says_what_is_left() -> None:
    remedy = remedy_for("bandwidth 1000", "bandwidth 380", OLD, "")

    assert "only 120 kb/s are left of the sum of classes" in (remedy.advice or "")


def test_without_room_the_class_is_by_hand_and_says_what_to_lower() -> None:
    remedy = remedy_for("bandwidth 1000", "bandwidth 500", OLD, "")

    assert remedy.level is Level.MANUAL
    assert "0 kb/s are left of the sum of classes, IOS admits 1500 kb/s" in (remedy.advice or "")
    assert "lower one" in (remedy.advice or "")
