"""Rings, their bounds and the advice, from IOS text to numbers."""

import pytest

from advisor.ground.quantity import Unknown
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import family_of
from advisor.predict.ring import RingView, advise_ring, ring_view
from tests.support.devices import device_of

POLICY = """\
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
"""
ISR = "!RANCID-CONTENT-TYPE: cisco\n!Chassis type: 2811\n"
C7200 = "!RANCID-CONTENT-TYPE: cisco\n!Chassis type: 7206VXR\n"


def only_outlet(text: str) -> Outlet:
    (outlet,) = outlets(device_of(text))
    return outlet


def view_of(text: str) -> RingView:
    view = ring_view(only_outlet(text), ())
    assert isinstance(view, RingView)
    return view


def serial(settings: str) -> str:
    return (
        f"{POLICY}interface Serial0/0\n encapsulation ppp\n{settings} service-policy output EDGE\n"
    )


def atm(settings: str) -> str:
    pvc = f" pvc 0/100\n  encapsulation aal5mux ip\n{settings}  service-policy output EDGE\n"
    return f"{POLICY}interface ATM1/0.1 point-to-point\n{pvc}"


@pytest.mark.parametrize(
    ("text", "limits", "unit"),
    [
        pytest.param(
            serial(" clock rate 512000\n"), (2, 2), "packets", id="a slow serial holds 2 by default"
        ),
        pytest.param(
            serial(" clock rate 4000000\n"),
            (2, 4),
            "packets",
            id="2 to 10 Mb/s hold 4, or 2 on an ISR",
        ),
        pytest.param(
            serial(" clock rate 512000\n tx-ring-limit 10\n"),
            (10, 10),
            "packets",
            id="what is configured wins over the default",
        ),
        pytest.param(
            C7200 + atm("  vbr-nrt 1000 1000\n"),
            (40, 40),
            "particles",
            id="a VBR circuit of a 7200 holds 40 particles",
        ),
        pytest.param(
            C7200 + atm("  vbr-nrt 1000 1000\n  tx-ring-limit 5\n"),
            (5, 5),
            "particles",
            id="tx-ring-limit inside the pvc is of the circuit",
        ),
        pytest.param(
            atm("  vbr-nrt 1000 1000\n  tx-ring-limit 5\n"),
            (5, 5),
            "packets or particles",
            id="without a platform an ATM ring may count either",
        ),
        pytest.param(
            f"{POLICY}interface FastEthernet0/0\n service-policy output EDGE\n",
            (64, 256),
            "packets",
            id="a contested default is an interval",
        ),
    ],
)
def test_the_ring_of_an_output(text: str, limits: tuple[int, int], unit: str) -> None:
    ring = only_outlet(text).ring
    assert ring is not None
    assert ((ring.limit_low, ring.limit_high), ring.unit) == (limits, unit)


@pytest.mark.parametrize(
    ("text", "low_ms", "high_ms"),
    [
        pytest.param(
            ISR + serial(" clock rate 512000\n"),
            11 * 1507 * 8 / 512,
            11 * 1508 * 8 / 512,
            id="an ISR holds ten packets beside the one on the wire",
        ),
        pytest.param(
            serial(" clock rate 512000\n"),
            10 * 1507 * 8 / 512,
            11 * 1508 * 8 / 512,
            id="an unknown platform may or may not",
        ),
        pytest.param(
            serial(" mtu 576\n clock rate 512000\n"),
            10 * 583 * 8 / 512,
            11 * 584 * 8 / 512,
            id="the MTU bounds the packets",
        ),
    ],
)
def test_the_bound_of_a_ring_of_ten(text: str, low_ms: float, high_ms: float) -> None:
    bound = view_of(text).bound(10)
    assert bound.low_ms == pytest.approx(low_ms)
    assert bound.high_ms == pytest.approx(high_ms)


@pytest.mark.parametrize(
    ("text", "limit", "meets"),
    [
        pytest.param(serial(" clock rate 128000\n"), 1, False, id="128 kb/s: 1, over budget"),
        pytest.param(serial(" clock rate 64000\n mtu 60\n"), 1, True, id="64 kb/s: 1 all the same"),
        pytest.param(serial(" clock rate 512000\n"), 1, None, id="512 kb/s: 1, perhaps within"),
        pytest.param(ISR + serial(" clock rate 512000\n"), 1, False, id="on an ISR: 1, over"),
        pytest.param(ISR + serial(" clock rate 1536000\n"), 2, True, id="a T1 keeps its default"),
        pytest.param(
            C7200 + atm("  vbr-nrt 1000 1000\n"), 3, True, id="one packet of particles at 1 Mb/s"
        ),
        pytest.param(C7200 + atm("  vbr-nrt 3000 3000\n"), 15, True, id="five packets at 3 Mb/s"),
    ],
)
def test_the_ring_advised_for_25_ms(text: str, limit: int, meets: bool | None) -> None:
    advice = advise_ring(view_of(text), 25.0)
    assert (advice.limit, advice.meets) == (limit, meets)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param(serial(""), "rate of the link", id="no clock rate and no bandwidth"),
        pytest.param(
            f"{POLICY}interface Tunnel0\n bandwidth 512\n service-policy output EDGE\n",
            "rate of the link",
            id="a tunnel has no wire: its bandwidth is a label of nothing",
        ),
    ],
)
def test_what_is_not_known_is_not_judged(text: str, why: str) -> None:
    view = ring_view(only_outlet(text), ())
    assert isinstance(view, Unknown)
    assert why in view.reason


@pytest.mark.parametrize(
    ("text", "rate_bps"),
    [
        pytest.param(serial(" bandwidth 512\n"), 512_000, id="bandwidth where nothing else is"),
        pytest.param(
            serial(" bandwidth 512\n clock rate 128000\n"), 128_000, id="the clock over the label"
        ),
        pytest.param(
            atm("  vbr-nrt 2000 1000\n"), 1_000_000, id="the sustained rate of the circuit"
        ),
        pytest.param(
            f"{POLICY}interface FastEthernet0/0\n speed 10\n service-policy output EDGE\n",
            10_000_000,
            id="the speed of the port",
        ),
    ],
)
def test_the_rate_of_the_wire(text: str, rate_bps: float) -> None:
    wire = only_outlet(text).wire
    assert wire is not None
    assert wire.value == rate_bps


def test_a_parent_shaper_below_the_wire_keeps_the_ring_empty() -> None:
    outlet = only_outlet(
        f"{POLICY}policy-map SHAPE\n class class-default\n  shape average 10000000\n"
        "  service-policy EDGE\ninterface FastEthernet0/0\n service-policy output SHAPE\n"
    )
    assert outlet.ring_idle
    assert outlet.queueing.name == "EDGE"
    assert outlet.link is not None
    assert outlet.link.value == 10_000_000


def test_a_bundle_is_judged_by_its_members() -> None:
    outlet = only_outlet(
        f"{POLICY}interface Multilink1\n ppp multilink\n ppp multilink group 1\n"
        " ppp multilink interleave\n ppp multilink fragment delay 10\n"
        " service-policy output EDGE\ninterface Serial0/0\n clock rate 512000\n bandwidth 512\n"
        " encapsulation ppp\n ppp multilink\n ppp multilink group 1\n tx-ring-limit 4\n"
    )
    assert outlet.ring_section == ("interface Serial0/0",)
    assert outlet.largest_ip_bytes == 640


@pytest.mark.parametrize(
    ("platform", "family"),
    [
        pytest.param("2811", "2800", id="2811"),
        pytest.param("7206VXR", "7200", id="7206VXR"),
        pytest.param("c2800nm-advipservicesk9-mz.124-15.T.bin", "2800", id="a boot image"),
        pytest.param("877", "800", id="877"),
        pytest.param(None, None, id="unknown"),
    ],
)
def test_the_family_of_a_platform(platform: str | None, family: str | None) -> None:
    assert family_of(platform) == family
