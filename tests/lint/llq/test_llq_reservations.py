"""What priority and bandwidth reserve, and of what."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams, Skip
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

PRIORITY_SHARE_TOO_HIGH = CHECKS["priority-share-too-high"]
PRIORITY_WITHOUT_RATE = CHECKS["priority-without-rate"]
RESERVATION_EXCEEDS_LINK = CHECKS["reservation-exceeds-link"]


def policy(voice: str, data: str = "") -> str:
    return (
        "class-map match-all VOICE\n match ip dscp ef\nclass-map match-all DATA\n"
        f" match ip dscp af21\npolicy-map EDGE\n class VOICE\n  {voice}\n"
        + (f" class DATA\n  {data}\n" if data else "")
        + " class class-default\n  fair-queue\n"
    )


SERIAL = "interface Serial0/0\n encapsulation ppp\n{0} service-policy output EDGE\n"
BUNDLE = (
    "interface Multilink1\n ppp multilink\n ppp multilink group 1\n service-policy output EDGE\n"
    + "".join(
        f"interface Serial0/{n}\n clock rate 1536000\n encapsulation ppp\n ppp multilink\n"
        " ppp multilink group 1\n"
        for n in (0, 1)
    )
)


@pytest.mark.parametrize(
    ("text", "share_percent"),
    [
        pytest.param(policy("priority 256") + SERIAL.format(" clock rate 512000\n"), 50.0, id="50"),
        pytest.param(policy("priority 128") + SERIAL.format(" clock rate 512000\n"), None, id="25"),
        pytest.param(
            policy("priority percent 20") + SERIAL.format(" clock rate 512000\n"),
            60.3125,
            id="a percentage is of the `bandwidth` that IOS takes, 1544 kb/s by default",
        ),
        pytest.param(
            policy("priority percent 40") + SERIAL.format(" clock rate 512000\n"),
            120.625,
            id="40 % of 1544 on a line of 512",
        ),
        pytest.param(
            policy("priority\n  police 256000") + SERIAL.format(" clock rate 512000\n"),
            50.0,
            id="the policer of a class whose priority has no rate",
        ),
        pytest.param(
            policy("priority percent 50") + BUNDLE, 50.0, id="MLP, 1544 against 1536 a T1"
        ),
        pytest.param(
            policy("priority 256")
            + "policy-map SHAPE\n class class-default\n  shape average 512000\n"
            + "  service-policy EDGE\ninterface Tunnel0\n service-policy output SHAPE\n",
            50.0,
            id="of the shaper of a tunnel",
        ),
        pytest.param(policy("priority") + SERIAL.format(" clock rate 64000\n"), None, id="unrated"),
        pytest.param(
            policy("priority 256")
            + "policy-map SHAPE\n class class-default\n  shape average 512000\n"
            + "  service-policy EDGE\n",
            50.0,
            id="of a shaper that is attached nowhere",
        ),
        pytest.param(policy("priority 256"), None, id="attached nowhere, and no shaper"),
    ],
)
def test_priority_share(text: str, share_percent: float | None) -> None:
    check = PRIORITY_SHARE_TOO_HIGH
    said = hits_of(check.find(device_of(text), check.params(33)))
    shares = [each.evidence.share_percent for each in said]
    assert shares == ([] if share_percent is None else [share_percent])


@pytest.mark.parametrize(
    ("priority_kbps", "limit_percent", "found"),
    [
        pytest.param(256, 33, False, id="a third of the link, 33.3 %, keeps 33 %"),
        pytest.param(264, 33, True, id="34.4 %"),
        pytest.param(256, 33.2, True, id="a limit with a decimal"),
    ],
)
def test_the_share_is_compared_with_as_many_decimals_as_its_limit(
    priority_kbps: int, limit_percent: float, *, found: bool
) -> None:
    check = PRIORITY_SHARE_TOO_HIGH
    text = policy(f"priority {priority_kbps}") + SERIAL.format(" clock rate 768000\n")
    said = hits_of(check.find(device_of(text), check.params(limit_percent)))
    assert bool(said) is found


def test_the_rates_of_a_fast_link_are_printed_in_full() -> None:
    ten_gigabit = "interface TenGigabitEthernet0/1/0\n service-policy output EDGE\n"
    check = PRIORITY_SHARE_TOO_HIGH
    evidence = hit_of(
        check.find(device_of(policy("priority 5000000") + ten_gigabit), check.params(33))
    ).evidence
    assert (evidence.priority, evidence.link) == ("5000 Mb/s", "10000 Mb/s")


@pytest.mark.parametrize(
    ("text", "reserved_and_reservable_kbps"),
    [
        pytest.param(
            "version 12.3\n" + policy("priority 256", "bandwidth 902") + SERIAL.format(""),
            None,
            id="1158 is 75 % of 1544",
        ),
        pytest.param(
            "version 12.3\n" + policy("priority 256", "bandwidth 903") + SERIAL.format(""),
            ("1159", "1158"),
            id="one kb/s more is refused before HQF",
        ),
        pytest.param(
            "version 15.1\n" + policy("priority 256", "bandwidth 1270") + SERIAL.format(""),
            None,
            id="HQF takes 99 %",
        ),
        pytest.param(
            "version 12.3\n"
            + policy("priority 256", "bandwidth 1100")
            + SERIAL.format(" max-reserved-bandwidth 90\n"),
            None,
            id="max-reserved-bandwidth raises it",
        ),
        pytest.param(
            "version 15.1\n" + policy("priority 900", "bandwidth 1000") + BUNDLE,
            None,
            id="a bundle has the bandwidth of its members",
        ),
        pytest.param(
            "version 12.3\n"
            + policy("priority 256", "bandwidth remaining percent 90")
            + SERIAL.format(""),
            None,
            id="remaining reserves nothing",
        ),
    ],
)
def test_reservation(text: str, reserved_and_reservable_kbps: tuple[str, str] | None) -> None:
    check = RESERVATION_EXCEEDS_LINK
    said = hits_of(check.find(device_of(text), check.params()))
    shown = [(hit.evidence.reserved_kbps, hit.evidence.reservable_kbps) for hit in said]
    expected = reserved_and_reservable_kbps
    assert shown == ([] if expected is None else [expected])


SHAPED = (
    "policy-map SHAPE\n class class-default\n  shape average 64000\n  service-policy EDGE\n"
    "interface Serial0/0\n bandwidth 512\n encapsulation ppp\n service-policy output SHAPE\n"
)
CIRCUIT_OF_ATM = "interface ATM0/0.1 point-to-point\n pvc 0/100\n{}  service-policy output {}\n"


@pytest.mark.parametrize(
    ("rate", "policy_name", "reserved_and_reservable_kbps"),
    [
        pytest.param("  ubr 512\n", "EDGE", ("40", "0"), id="UBR has no rate to reserve of"),
        pytest.param("", "EDGE", ("40", "0"), id="a circuit without a rate is UBR"),
        pytest.param("  vbr-nrt 512 512\n", "EDGE", None, id="VBR reserves of its sustained rate"),
        pytest.param("  ubr 512\n", "SHAPE", None, id="a shaper around the policy has a rate"),
    ],
)
def test_reservation_of_an_atm_circuit(
    rate: str, policy_name: str, reserved_and_reservable_kbps: tuple[str, str] | None
) -> None:
    text = f"version 12.4\n{policy('priority 40')}{SHAPED}"
    device = device_of(text + CIRCUIT_OF_ATM.format(rate, policy_name))
    check = RESERVATION_EXCEEDS_LINK
    hits = [h for h in hits_of(check.find(device, check.params())) if "ATM" in h.object]
    shown = [(hit.evidence.reserved_kbps, hit.evidence.reservable_kbps) for hit in hits]

    expected = reserved_and_reservable_kbps
    assert shown == ([] if expected is None else [expected])
    assert all("vbr-nrt" in (hit.advice or "") for hit in hits)


@pytest.mark.parametrize(
    ("voice", "found"),
    [
        pytest.param("priority", True, id="bare priority"),
        pytest.param("priority 64", False, id="a rate"),
        pytest.param("priority percent 10", False, id="a percentage"),
        pytest.param("priority\n  police 64000", False, id="a policer beside it"),
    ],
)
def test_priority_without_rate(voice: str, *, found: bool) -> None:
    check = PRIORITY_WITHOUT_RATE
    hits = hits_of(check.find(device_of(policy(voice)), check.params()))
    classes = [(hit.evidence.policy_map, hit.evidence.class_name) for hit in hits]
    assert classes == ([("EDGE", "VOICE")] if found else [])


CIRCUIT = (
    "interface Serial0/0\n bandwidth 512\n encapsulation frame-relay\n{0}"
    "interface Serial0/0.1 point-to-point\n bandwidth 64\n frame-relay interface-dlci 200\n"
    "  class B\nmap-class frame-relay B\n frame-relay cir 96000\n{1} service-policy output EDGE\n"
)
FRTS = " frame-relay traffic-shaping\n"


@pytest.mark.parametrize(
    ("text", "base_kbps", "advice"),
    [
        pytest.param(CIRCUIT.format(FRTS, ""), "48",
                     "set `frame-relay mincir 96000` in map-class B", id="half of the CIR"),
        pytest.param(CIRCUIT.format(FRTS, " frame-relay mincir 56000\n"), "56",
                     "IOS admits against the mincir, 56 kb/s", id="the mincir"),
        pytest.param(SHAPED, "64", "raise the shaper around the policy, 64 kb/s", id="a shaper"),
        pytest.param(
            "interface ATM1/0\n pvc 0/33\n  vbr-nrt 64 64\n  service-policy output EDGE\n",
            "64", "correct `vbr-nrt` of the circuit", id="the rate of a PVC"),
        pytest.param(SERIAL.format(" bandwidth 64\n"), "64", None, id="the interface bandwidth"),
    ],
)  # fmt: skip
def test_the_advice_names_the_statement_that_sets_the_base(
    text: str, base_kbps: str, advice: str | None
) -> None:
    device = device_of("version 12.4\n" + policy("priority 72") + text)
    hit = hit_of(RESERVATION_EXCEEDS_LINK.find(device, NoParams()))

    assert hit.evidence.base_kbps == base_kbps
    assert (advice in (hit.advice or "")) if advice else hit.advice is None


@pytest.mark.parametrize(
    ("percent", "kinds"),
    [
        pytest.param(30, [], id="30 % of the higher base is within the rule"),
        pytest.param(50, [Skip], id="50 % of the higher base, 25 % by the lower one"),
        pytest.param(80, [Hit], id="40 % by the lower base"),
    ],
)
def test_the_share_below_shape_peak_is_judged_where_both_bases_agree(
    percent: int, kinds: list[type]
) -> None:
    device = device_of(
        f"version 15.2\npolicy-map CHILD\n class VOICE\n  priority percent {percent}\n"
        "policy-map EDGE\n class class-default\n  shape peak 2000000\n  service-policy CHILD\n"
        "interface GigabitEthernet0/0\n service-policy output EDGE\n"
    )
    check = PRIORITY_SHARE_TOO_HIGH
    assert [type(item) for item in check.find(device, check.params(33.0))] == kinds
