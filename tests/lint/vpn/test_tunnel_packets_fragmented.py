"""VPN002: the largest packets of tunnels with IPsec beside the MTU of their port."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

TUNNEL_PACKETS_FRAGMENTED = CHECKS["tunnel-packets-fragmented"]

TEXT = (
    "crypto ipsec transform-set T {0}\n mode transport\ncrypto ipsec profile V\n"
    " set transform-set T\ninterface GigabitEthernet0/0\n ip address 198.51.100.2 255.255.255.252\n"
    "{1}interface GigabitEthernet0/1\n ip address 10.0.0.1 255.255.255.0\n{2}"
    "interface Tunnel0\n ip address 10.9.0.1 255.255.255.252\n{3}"
    " tunnel source GigabitEthernet0/0\n tunnel destination 198.51.100.6\n"
)
AES = "esp-aes esp-sha-hmac"
PROTECTED = " tunnel protection ipsec profile V\n"


def tunnel(lines: str, *, port: str = "", lan: str = "", cipher: str = AES) -> str:
    return TEXT.format(cipher, port, lan, lines)


@pytest.mark.parametrize(
    ("config", "found"),
    [
        pytest.param(tunnel(PROTECTED), 1, id="1476 bytes and ESP"),
        pytest.param(tunnel(PROTECTED + " ip mtu 1400\n"), 0, id="room for ESP"),
        pytest.param(tunnel(PROTECTED + " ip mtu 1438\n"), 0, id="the least that AES adds fits"),
        pytest.param(tunnel(PROTECTED + " ip mtu 1439\n"), 1, id="one byte more does not"),
        pytest.param(
            tunnel(PROTECTED + " ip mtu 1438\n", port=" ip mtu 1492\n"), 1, id="a smaller port"
        ),
        pytest.param(tunnel(PROTECTED, port=" mtu 1600\n"), 0, id="a larger port"),
        pytest.param(tunnel(PROTECTED, lan=" ip tcp adjust-mss 1360\n"), 0, id="small segments"),
        pytest.param(tunnel(PROTECTED, lan=" ip tcp adjust-mss 1452\n"), 1, id="of PPPoE alone"),
        pytest.param(tunnel(PROTECTED + " tunnel path-mtu-discovery\n"), 0, id="it discovers it"),
        pytest.param(tunnel(""), 0, id="GRE alone leaves room for itself"),
        pytest.param(tunnel(PROTECTED + " tunnel mode ipsec ipv4\n"), 0, id="IPsec alone"),
        pytest.param(tunnel(PROTECTED + " shutdown\n"), 0, id="the tunnel is off"),
        pytest.param(tunnel(PROTECTED + " ip mtu 1400\n", cipher="ah-sha-hmac"), 0, id="AH"),
    ],
)
def test_full_packets_of_a_tunnel(config: str, found: int) -> None:
    assert len(hits_of(TUNNEL_PACKETS_FRAGMENTED.find(device_of(config), NoParams()))) == found


def test_the_packet_outside_is_named() -> None:
    evidence = hit_of(
        TUNNEL_PACKETS_FRAGMENTED.find(device_of(tunnel(PROTECTED)), NoParams())
    ).evidence

    assert (evidence.inside_bytes, evidence.outside_bytes, evidence.port_bytes) == (
        1476, 1538, 1500,
    )  # fmt: skip
