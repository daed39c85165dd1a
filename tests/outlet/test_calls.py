"""Rates of a call against Cisco's table of the bandwidth of a call by codec."""

import pytest

from advisor.facts.read_config import read_facts
from advisor.ground.quantity import Unknown
from advisor.ios.syntax.reader import parse_config
from advisor.outlet.framing import (
    CallRate,
    Encapsulation,
    call_rate,
    calls_within,
    encapsulation_of,
)
from advisor.outlet.outlets import policies_out
from advisor.outlet.wrapping import CRTP, Wrapping
from advisor.settings.traffic_keys import load_codecs
from tests.support.devices import device_of, device_read


def encapsulation(interface: str) -> Encapsulation:
    facts = read_facts(parse_config(interface, "r1.ios"))
    found = encapsulation_of(facts.interfaces[0], None)
    assert found is not None
    return found


def rate(codec: str, interface: str, *, compressed: bool = False) -> CallRate:
    _, packet = load_codecs().packet(codec)
    return call_rate(
        packet,
        encapsulation(interface),
        wrapping=CRTP if compressed else None,
    )


PPP = "interface Serial0/0\n encapsulation ppp\n"
ETHERNET = "interface GigabitEthernet0/0\n"
ATM = "interface ATM0/0\n"


@pytest.mark.parametrize(
    ("codec", "interface", "counted_bps"),
    [
        pytest.param("g729", PPP, 25_600, id="G.729 with PPP: 60 + 4 bytes"),
        pytest.param("g711", PPP, 81_600, id="G.711 with PPP: 200 + 4 bytes"),
        pytest.param("g711", ETHERNET, 85_600, id="G.711 with Ethernet: 200 + 14 bytes"),
        pytest.param("g729", ATM, 28_800, id="G.729 with AAL5 SNAP: 60 + 12 bytes"),
        pytest.param(
            "g729",
            "interface FastEthernet0/0.5\n encapsulation dot1Q 5\n",
            31_200,
            id="G.729 with a tag: 60 + 18 bytes",
        ),
        pytest.param(
            "g729",
            "interface FastEthernet0/0.5\n encapsulation dot1Q 5 second-dot1q 7\n",
            32_800,
            id="G.729 with two tags: 60 + 22 bytes",
        ),
    ],
)
def test_what_ios_counts_for_a_call(codec: str, interface: str, counted_bps: float) -> None:
    assert rate(codec, interface).counted_bps == pytest.approx(counted_bps)


def test_the_wire_carries_two_cells_for_each_packet_of_g729() -> None:
    assert rate("g729", ATM).wire_high_bps == pytest.approx(2 * 53 * 8 * 50)


@pytest.mark.parametrize(
    ("lines", "ends"),
    [
        pytest.param("", (38, 38), id="Ethernet with preamble and gap"),
        pytest.param(" macsec\n", (62, 70), id="with MACsec"),
        pytest.param(" macsec\n no macsec\n", (38, 38), id="with MACsec taken back"),
        pytest.param(" encapsulation dot1Q 5 second-dot1q 7\n", (46, 46), id="with two tags"),
    ],
)
def test_the_bytes_of_ethernet_on_the_wire(lines: str, ends: tuple[int, int]) -> None:
    found = encapsulation(f"{ETHERNET}{lines}")

    assert (found.low.overhead_bytes, found.high.overhead_bytes) == ends


def test_macsec_of_a_port_is_around_the_packets_of_its_subinterfaces() -> None:
    lines = (
        "interface FastEthernet0/0\n macsec\ninterface FastEthernet0/0.5\n encapsulation dot1Q 5\n"
    )
    port, tagged = read_facts(parse_config(lines, "r1.ios")).interfaces

    assert port.macsec == tagged.macsec


def test_crtp_leaves_2_bytes_of_40_and_4_with_the_checksum_of_udp() -> None:
    call = rate("g729", PPP, compressed=True)

    assert (call.counted_low_bps, call.counted_bps) == pytest.approx((10_400, 11_200))


def test_a_rate_carries_whole_calls() -> None:
    assert (calls_within(128_000, 25_600), calls_within(127_999, 25_600)) == (5, 4)


NO_NAT = "no crypto ipsec nat-transparency udp-encapsulation\n"
VPN = """version 15.1
{nat}crypto ipsec transform-set TS {words}
 mode {mode}
crypto ipsec profile P
 set transform-set TS
crypto map CM 10 ipsec-isakmp
 set peer 198.51.100.1
 set transform-set TS
 match address VPN
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 384
interface Loopback0
 ip address 10.9.9.9 255.255.255.255
{tunnel}interface Serial0/0/0
 bandwidth 1536
 ip address 203.0.113.2 255.255.255.252
 encapsulation ppp
{port} service-policy output WAN
ip route 0.0.0.0 0.0.0.0 203.0.113.1
ip access-list extended VPN
 permit {matched} any any
"""
TUNNEL = "interface Tunnel0\n tunnel source {source}\n{more}"
AES, TRIPLE_DES = "esp-aes 256 esp-sha-hmac", "esp-3des esp-sha-hmac"
PROTECTED = " tunnel protection ipsec profile P\n"


def wrapped(
    *,
    words: str = AES,
    mode: str = "tunnel",
    source: str | None = "Serial0/0/0",
    more: str = "",
    port: str = "",
    matched: str = "gre",
) -> tuple[int, int] | str | None:
    """Bytes outside around G.729 and G.711, why they are not known, or None where nothing is."""
    tunnel = "" if source is None else TUNNEL.format(source=source, more=more)
    config = VPN.format(
        words=words, mode=mode, tunnel=tunnel, port=port, matched=matched, nat=NO_NAT
    )
    (outlet,) = policies_out(device_of(config))
    around = outlet.wrapping
    assert not isinstance(around, Wrapping) or around.least is None
    if isinstance(around, Unknown):
        return around.reason
    return None if around is None else (around.outside(60), around.outside(200))


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        pytest.param(wrapped(source=None), None, id="no tunnel"),
        pytest.param(wrapped(), (84, 224), id="GRE"),
        pytest.param(wrapped(more=" tunnel key 7\n"), (88, 228), id="GRE with a key"),
        pytest.param(
            wrapped(words=TRIPLE_DES, more=PROTECTED), (136, 280), id="GRE in 3DES, as in the SRND"
        ),
        pytest.param(wrapped(more=PROTECTED), (152, 296), id="GRE in AES"),
        pytest.param(wrapped(more=PROTECTED, mode="transport"), (136, 264), id="transport mode"),
        pytest.param(
            wrapped(words="esp-gcm 128", more=PROTECTED), (140, 280), id="GRE in AES with GCM"
        ),
        pytest.param(
            wrapped(more=f" tunnel mode ipsec ipv4\n{PROTECTED}"), (120, 264), id="a VTI has no GRE"
        ),
        pytest.param(
            wrapped(source=None, port=" crypto map CM\n", matched="ip"),
            (120, 264),
            id="a crypto map",
        ),
        pytest.param(wrapped(port=" crypto map CM\n"), (152, 296), id="GRE in a crypto map"),
        pytest.param(
            wrapped(source=None, port=" crypto map CM\n", matched="tcp"),
            None,
            id="a crypto map that takes no calls",
        ),
        pytest.param(
            wrapped(source="Loopback0", more=PROTECTED), (152, 296), id="by the default route"
        ),
        pytest.param(
            wrapped(words="ah-sha-hmac esp-aes", more=PROTECTED),
            "which bytes IPsec of Tunnel0 adds is not known: AH, `esp-null` and compression are not "
            "counted",
            id="words that are not known",
        ),
    ],
)
def test_packets_of_calls_leave_in_tunnels_and_crypto_maps(
    sizes: tuple[int, int] | str | None, expected: tuple[int, int] | str | None
) -> None:
    assert sizes == expected


SHOWN = """
interface: {place}
    Crypto map tag: CM, local addr 203.0.113.2
     inbound esp sas:
        in use settings ={{{one}, }}
     outbound esp sas:
        in use settings ={{{other}, }}
"""
NO_UDP, UDP = "Tunnel", "Tunnel UDP-Encaps"


@pytest.mark.parametrize(
    ("of_tunnel", "nat", "shown", "expected"),
    [
        pytest.param(True, "", None, (152, 160), id="no line and no output tells of a NAT"),
        pytest.param(True, NO_NAT, None, (152, 152), id="a line refuses UDP"),
        pytest.param(True, "", ("Tunnel0", UDP, UDP), (160, 160), id="an output shows UDP"),
        pytest.param(True, "", ("Tunnel0", NO_UDP, NO_UDP), (152, 152), id="it shows none"),
        pytest.param(True, "", ("Tunnel0", NO_UDP, UDP), (152, 160), id="one of two peers has UDP"),
        pytest.param(True, "", ("Tunnel1", UDP, UDP), (152, 160), id="it is of another tunnel"),
        pytest.param(False, "", ("Serial0/0/0", UDP, UDP), (128, 128), id="a crypto map with UDP"),
        pytest.param(False, "", None, (120, 128), id="a crypto map of which nothing is shown"),
    ],
)
def test_esp_behind_a_nat_has_the_8_bytes_of_udp(
    *, of_tunnel: bool, nat: str, shown: tuple[str, str, str] | None, expected: tuple[int, int]
) -> None:
    tunnel = TUNNEL.format(source="Serial0/0/0", more=PROTECTED) if of_tunnel else ""
    port, matched = ("", "gre") if of_tunnel else (" crypto map CM\n", "ip")
    config = VPN.format(
        words=AES, mode="tunnel", tunnel=tunnel, port=port, matched=matched, nat=nat
    )
    text = f"r1#show running-config\n{config}end\n"
    if shown is not None:
        place, one, other = shown
        text += f"r1#show crypto ipsec sa\n{SHOWN.format(place=place, one=one, other=other)}r1#\n"
    (outlet,) = policies_out(device_read(text))

    assert isinstance(outlet.wrapping, Wrapping)
    assert outlet.wrapping.ends(60) == expected


ONE_SA = """        transform: {words} ,
        in use settings ={{{mode}, }}
"""
SECOND = "crypto map CM 20 ipsec-isakmp\n set transform-set TS\n match address VPN\n"


@pytest.mark.parametrize(
    ("of_tunnel", "more", "shown", "expected"),
    [
        pytest.param(False, "", [("esp-aes esp-sha-hmac", UDP)], 128, id="AES that the map lacks"),
        pytest.param(
            False, "", [("esp-256-aes esp-sha-hmac", NO_UDP)], 120, id="AES with its key length"
        ),
        pytest.param(False, "", [("esp-3des esp-sha-hmac", NO_UDP)], 112, id="as configured"),
        pytest.param(
            False, NO_NAT, [("esp-3des esp-sha-hmac", UDP)], 120, id="UDP that a line refuses"
        ),
        pytest.param(
            False, "", [("esp-3des esp-sha-hmac", "Transport")], 96, id="the mode that runs"
        ),
        pytest.param(
            False, "", [("esp-3des esp-sha-hmac", NO_UDP), ("esp-aes esp-sha-hmac", NO_UDP)],
            (112, 120), id="peers with a cipher each",
        ),
        pytest.param(
            False, SECOND, [("esp-aes esp-sha-hmac", NO_UDP)], (112, 120),
            id="of one of two entries",
        ),
        pytest.param(
            False, "", [("esp-null esp-sha-hmac", NO_UDP)], None, id="bytes that are not known"
        ),
        pytest.param(True, "", [("esp-aes esp-sha-hmac", NO_UDP)], 152, id="around a tunnel"),
    ],
)  # fmt: skip
def test_associations_in_force_decide_the_bytes_of_esp(
    *,
    of_tunnel: bool,
    more: str,
    shown: list[tuple[str, str]],
    expected: int | tuple[int, int] | None,
) -> None:
    tunnel = TUNNEL.format(source="Serial0/0/0", more=PROTECTED) if of_tunnel else ""
    port, matched = ("", "gre") if of_tunnel else (" crypto map CM\n", "ip")
    config = VPN.format(
        words=TRIPLE_DES, mode="tunnel", tunnel=tunnel, port=port, matched=matched, nat=more
    )
    place = "Tunnel0" if of_tunnel else "Serial0/0/0"
    running = "".join(ONE_SA.format(words=words, mode=mode) for words, mode in shown)
    (outlet,) = policies_out(
        device_read(
            f"r1#show running-config\n{config}end\nr1#show crypto ipsec sa\n"
            f"interface: {place}\n     outbound esp sas:\n{running}     outbound pcp sas:\nr1#\n"
        )
    )

    if expected is None:
        assert isinstance(outlet.wrapping, Unknown)
        return
    assert isinstance(outlet.wrapping, Wrapping)
    ends = expected if isinstance(expected, tuple) else (expected, expected)
    assert outlet.wrapping.ends(60) == ends


def ends_around(
    port: str, *, head: str = "version 15.1", lines: str = ""
) -> tuple[int, int] | None:
    """The fewest and the most bytes around G.729 at an output; no NAT is on the way."""
    config = (
        f"{head}\n{NO_NAT}class-map match-any VOICE\n match ip dscp ef\n"
        f"policy-map WAN\n class VOICE\n  priority 384\n{lines}{port} service-policy output WAN\n"
    )
    (outlet,) = policies_out(device_of(config))
    around = outlet.around("VOICE")
    return None if around is None else around.ends(60)


SERIAL = "interface Serial0/0/0\n bandwidth 1536\n ip address 203.0.113.2 255.255.255.252\n encapsulation {}\n"
COMPRESSED = SERIAL.format("ppp") + " ip rtp header-compression{}\n"
IN_CLASS = "  compression header ip rtp\n"
MAP = "crypto map CM 10 ipsec-isakmp\n set transform-set TS\n match address VPN\n"
SITE = MAP + SERIAL.format("ppp") + " crypto map CM\n"
MASKED = (
    "crypto ipsec profile P\n set transform-set TS\ninterface Tunnel0\n"
    " tunnel source Serial0/0/0\n tunnel protection ipsec profile P\n"
)
TWO_SETS = (
    "crypto ipsec transform-set TS esp-3des esp-sha-hmac\n"
    "crypto ipsec transform-set T2 esp-aes esp-sha-hmac\n"
)


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        pytest.param(ends_around(SERIAL.format("ppp")), None, id="nothing is around calls"),
        pytest.param(ends_around(COMPRESSED.format(" iphc-format")), (22, 24), id="cRTP"),
        pytest.param(
            ends_around(COMPRESSED.format(" passive")), (22, 60), id="if the other end compresses"
        ),
        pytest.param(
            ends_around(COMPRESSED.format(""), head="version 12.2"), (22, 60),
            id="12.2 may be older than the queues that count compressed packets",
        ),
        pytest.param(
            ends_around(SERIAL.format("frame-relay") + " frame-relay ip rtp header-compression\n"),
            (22, 24), id="cRTP of Frame Relay",
        ),
        pytest.param(
            ends_around(SERIAL.format("ppp"), lines=IN_CLASS), (22, 24), id="of the class"
        ),
        pytest.param(
            ends_around("interface FastEthernet0/0\n ip rtp header-compression\n", lines=IN_CLASS),
            None, id="Ethernet does not compress",
        ),
        pytest.param(
            ends_around("interface Tunnel0\n tunnel source Serial0/0/0\n" + COMPRESSED.format("")),
            (84, 84), id="packets of a tunnel are not compressed",
        ),
        pytest.param(
            ends_around(SITE), (112, 124), id="a transform set that is not read: any usual cipher"
        ),
        pytest.param(
            ends_around(MASKED + SERIAL.format("ppp")), (120, 156),
            id="around GRE it may be in transport mode",
        ),
        pytest.param(
            ends_around(TWO_SETS + SITE.replace("set TS", "set TS T2")), (112, 120),
            id="either of two transform sets",
        ),
    ],
)  # fmt: skip
def test_what_is_not_known_around_calls_is_an_interval(
    ends: tuple[int, int] | None, expected: tuple[int, int] | None
) -> None:
    assert ends == expected


COUNTED = (
    "end\nr1#show ip rtp header-compression\nRTP/UDP/IP header compression statistics:\n"
    "  Interface Serial0/0/0 (compression on, IETF)\n    Sent:    {sent} total, {compressed} compressed\n"
    "    Connect: 16 rx slots, 16 tx slots,\nr1#\n"
)


@pytest.mark.parametrize(
    ("form", "sent", "compressed", "expected"),
    [
        pytest.param(" passive", 9000, 8900, (22, 24), id="a passive end that compresses"),
        pytest.param(" passive", 9000, 0, (60, 60), id="a passive end that does not"),
        pytest.param(" iphc-format", 257, 0, (60, 60), id="no packet of 257: the other end has none"),
        pytest.param(" iphc-format", 256, 0, (22, 24), id="too few packets to tell"),
    ],
)  # fmt: skip
def test_counters_tell_whether_a_link_compresses(
    form: str, sent: int, compressed: int, expected: tuple[int, int]
) -> None:
    config = (
        f"r1#show running-config\nversion 12.4\nhostname r1\nclass-map VOICE\n match ip dscp ef\n"
        f"policy-map WAN\n class VOICE\n  priority 384\n{COMPRESSED.format(form)}"
        " service-policy output WAN\n"
    )
    device = device_read(config + COUNTED.format(sent=sent, compressed=compressed))
    (outlet,) = policies_out(device)
    around = outlet.around("VOICE")

    assert around is not None
    assert around.ends(60) == expected
