"""The rate and the bytes of a tunnel: those of the port that it leaves by, with its headers."""

import pytest

from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.rated_classes import rated_classes
from tests.support.devices import device_of

POLICIES = (
    "version 15.4\nhostname hub\nclass-map match-all CALLS\n match dscp ef\n"
    "policy-map KID\n class CALLS\n  priority percent 20\n class class-default\n  fair-queue\n"
    "policy-map SITE\n class class-default\n  shape average 5000000\n  service-policy KID\n"
)
PORT = "interface GigabitEthernet0/1\n ip address 192.0.2.1 255.255.255.0\n"
LOOPBACK = "interface Loopback0\n ip address 203.0.113.1 255.255.255.255\n"
NO_NAT = "no crypto ipsec nat-transparency udp-encapsulation\n"
IPSEC = (
    NO_NAT
    + "crypto ipsec transform-set TS {}\n mode transport\ncrypto ipsec profile VPN\n set transform-set TS\n"
)


def of_tunnel(lines: str, more: str = PORT) -> Outlet:
    tunnel = f"interface Tunnel0\n ip address 198.51.100.1 255.255.255.0\n{lines}"
    (outlet,) = outlets(device_of(f"{POLICIES}{more}{tunnel} service-policy output SITE\nend\n"))
    return outlet


BY_PORT = " tunnel source GigabitEthernet0/1\n"
SECURE = BY_PORT + " tunnel protection ipsec profile VPN\n"


@pytest.mark.parametrize(
    ("lines", "more", "ends", "counted_bytes"),
    [
        pytest.param(BY_PORT, PORT, (62, 62), 24, id="GRE"),
        pytest.param(BY_PORT + " tunnel key 7\n", PORT, (66, 66), 28, id="GRE with a key"),
        pytest.param(BY_PORT + " tunnel mode ipip\n", PORT, (58, 58), 20, id="IP in IP"),
        pytest.param(SECURE, PORT + IPSEC.format("esp-3des esp-sha-hmac"), (92, 99), 24,
                     id="3DES in transport mode"),
        pytest.param(SECURE, PORT + IPSEC.format("esp-aes 256 esp-sha-hmac"), (100, 115), 24,
                     id="AES in transport mode"),
        pytest.param(SECURE, PORT, (92, 147), 24,
                     id="a transform set that the text lacks: 3DES in transport mode to AES in tunnel mode behind a NAT"),
        pytest.param(" tunnel source 192.0.2.1\n", PORT, (62, 62), 24, id="a source by its address"),
        pytest.param(" tunnel source GigabitEthernet0/1.5\n",
                     PORT + "interface GigabitEthernet0/1.5\n encapsulation dot1Q 5\n", (66, 66), 24,
                     id="a subinterface with a tag"),
    ],
)  # fmt: skip
def test_the_bytes_of_a_tunnel(
    lines: str, more: str, ends: tuple[int, int], counted_bytes: int
) -> None:
    outlet = of_tunnel(lines, more)

    framing = outlet.encapsulation
    assert framing is not None
    assert (framing.low.overhead_bytes, framing.high.overhead_bytes) == ends
    assert framing.counted_bytes == counted_bytes
    assert (outlet.wire_bps, outlet.line_bps) == (1e9, 5e6)


QFP = "license udi pid ASR1001-X sn JAE00000000\n"
VTI = SECURE + " tunnel mode ipsec ipv4\n"
TUNNEL_MODE = IPSEC.replace(" mode transport\n", "")


@pytest.mark.parametrize(
    ("lines", "more", "ends"),
    [
        pytest.param(BY_PORT, PORT, (60, 84), id="GRE of a software router, or the packet alone"),
        pytest.param(VTI, PORT + TUNNEL_MODE.format("esp-aes 256 esp-sha-hmac"), (60, 120),
                     id="a tunnel of IPsec alone"),
        pytest.param(SECURE + " tunnel key 9\n", QFP + PORT + IPSEC.format("esp-gcm 256"),
                     (60, 138), id="QFP may count the Ethernet of the port too"),
        pytest.param(SECURE + " tunnel key 9\n",
                     QFP + PORT + IPSEC.format("esp-aes 256 esp-sha-hmac"), (60, 150),
                     id="with the padding of this packet"),
    ],
)  # fmt: skip
def test_none_or_all_headers_of_a_tunnel_are_counted(
    lines: str, more: str, ends: tuple[int, int]
) -> None:
    outlet = of_tunnel(lines, more)

    assert outlet.encapsulation is not None
    assert outlet.encapsulation.counted_ends(60) == ends
    (shaper,) = outlet.line_overhead_inputs
    assert shaper.low == 0 < shaper.value <= shaper.high or shaper.value == 0


def test_calls_in_a_tunnel_are_a_range() -> None:
    more = PORT + TUNNEL_MODE.format("esp-aes 256 esp-sha-hmac")
    text = POLICIES.replace("percent 20", "1500").replace("average 5", "average 8")
    tunnel = "interface Tunnel0\n ip address 198.51.100.1 255.255.255.0\n" + VTI
    device = device_of(f"{text}{more}{tunnel} service-policy output SITE\nend\n")
    (rated,) = rated_classes(device)

    assert (rated.calls("G.729"), rated.calls("G.711")) == ((31, 62), (14, 18))
    assert "a packet of 60 bytes counts as 60-120" in rated.around


@pytest.mark.parametrize(
    ("lines", "more", "wire_bps"),
    [
        pytest.param(" tunnel source Serial0/0\n", "interface Serial0/0\n clock rate 2000000\n", 2e6,
                     id="a serial line"),
        pytest.param(" tunnel source Loopback0\n",
                     LOOPBACK + PORT + "ip route 0.0.0.0 0.0.0.0 192.0.2.254\n", 1e9,
                     id="a loopback by the default route"),
        pytest.param(" tunnel source Loopback0\n", LOOPBACK + PORT, 0.0, id="a loopback alone"),
        pytest.param(" tunnel source Dialer1\n", PORT, 0.0, id="a source that the text lacks"),
        pytest.param(" tunnel mode gre ip\n", PORT, 0.0, id="no source"),
    ],
)  # fmt: skip
def test_the_rate_of_a_tunnel_is_that_of_its_port(lines: str, more: str, wire_bps: float) -> None:
    assert of_tunnel(lines, more).wire_bps == wire_bps


def test_percentages_of_a_tunnel_are_not_of_its_port() -> None:
    outlet = of_tunnel(BY_PORT, PORT + POLICIES.replace("average 5000000", "average percent 10"))

    assert outlet.shaper_bps is None
