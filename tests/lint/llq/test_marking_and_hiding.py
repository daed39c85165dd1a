"""LLQ010, LLQ011 and LLQ013: signalling without a class, marking by others, hidden packets."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence
from tests.support.devices import device_of, device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

ENCRYPTED_BEFORE_CLASSIFIED = CHECKS["encrypted-before-classified"]
LLQ_RELIES_ON_UPSTREAM_MARKING = CHECKS["llq-relies-on-upstream-marking"]
SIGNALLING_UNPROTECTED = CHECKS["signalling-unprotected"]

HEAD = "hostname r1\n"
LISTS = (
    "access-list 101 permit udp any any range 16384 32767\n"
    "access-list 102 permit ip 10.0.0.0 0.255.255.255 any\n"
    "access-list 103 permit ip any any dscp ef\n"
    "access-list 104 permit esp any any\naccess-list 104 permit udp any any eq isakmp\n"
    "access-list 105 permit tcp any any range 2000 2002\n"
    "access-list 106 permit tcp any any eq 3200\n"
    "access-list 107 permit tcp any any range 1500 1999\naccess-list 108 permit tcp any any\n"
)


def policy(*classes: tuple[str, str]) -> str:
    text, members = LISTS, ""
    for index, (matches, action) in enumerate(classes, start=1):
        lines = "".join(f" match {each}\n" for each in matches.split("; "))
        text += f"class-map match-any C{index}\n{lines}"
        members += f" class C{index}\n  {action}\n"
    return f"{text}policy-map P\n{members} class class-default\n  fair-queue\n"


def voice(matches: str = "dscp ef") -> str:
    return policy((matches, "priority 64"))


OUTPUT = "interface Serial0/0\n bandwidth 512\n ip address 192.0.2.2 255.255.255.252\n{0} service-policy output P\n"
PORT = OUTPUT.format("")
MARK = (
    "class-map match-any PHONES\n match access-group 101\npolicy-map LAN\n class PHONES\n"
    "  set {0}\ninterface FastEthernet0/0\n service-policy input LAN\n"
)


def congested(config: str, load: int, drops: int = 0) -> Device:
    """A router whose link has had this load, of 255, and these drops."""
    return device_read(
        f"r1#show running-config\n{HEAD}{config}end\n"
        "r1#show interfaces\nSerial0/0 is up, line protocol is up\n"
        "  Hardware is PowerQUICC Serial\n  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,\n"
        f"     reliability 255/255, txload {load}/255, rxload 3/255\n"
        f"  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: {drops}\n"
        "     9 packets output, 900 bytes, 0 underruns\nr1#\n"
    )


@pytest.mark.parametrize(
    ("config", "load", "found"),
    [
        pytest.param(voice(), 179, True, id="70.2 % load"),
        pytest.param(voice(), 178, False, id="69.8 % load"),
        pytest.param(policy(("dscp ef", "priority 64"), ("dscp cs3", "bandwidth 32")), 240, False,
                     id="a class for CS3"),
        pytest.param(policy(("dscp ef", "priority 64"), ("dscp cs3", "set dscp cs3")), 240, True,
                     id="a class for CS3 that only marks"),
        pytest.param(policy(("dscp ef", "priority 64"), ("precedence 3", "bandwidth 32")), 240,
                     False, id="a class for precedence 3"),
        pytest.param(policy(("dscp ef", "priority 64"), ("access-group 105", "bandwidth 32")), 240,
                     False, id="a class for its ports"),
        pytest.param(policy(("dscp ef", "priority 64"), ("dscp af41", "bandwidth 32")), 240, True,
                     id="a class for video"),
        pytest.param(policy(("dscp ef", "priority 64"), ("access-group 106", "bandwidth 32")), 240,
                     True, id="a class for another port of TCP"),
        pytest.param(policy(("dscp ef", "priority 64"), ("access-group 107", "bandwidth 32")), 240,
                     False, id="a class for ports that theirs are among"),
        pytest.param(policy(("dscp ef", "priority 64"), ("access-group 108", "bandwidth 32")), 240,
                     False, id="a class for all of TCP"),
        pytest.param(policy(("dscp ef", "priority 64"), ("protocol citrix", "bandwidth 32")), 240,
                     True, id="a class for another protocol"),
        pytest.param(policy(("dscp ef", "priority 64"), ("protocol sip", "bandwidth 32")), 240,
                     False, id="a class for a protocol of it"),
        pytest.param(policy(("dscp ef", "priority 64"), ("access-group 102", "bandwidth 32")), 240,
                     False, id="a class for addresses, which may be those of phones"),
        pytest.param(policy(("dscp af21", "bandwidth 64")), 240, False, id="no voice, no calls"),
    ],
)  # fmt: skip
def test_signalling_on_a_congested_link(config: str, load: int, *, found: bool) -> None:
    device = congested(config + PORT, load)
    said = hits_of(SIGNALLING_UNPROTECTED.find(device, SIGNALLING_UNPROTECTED.params(70.0)))
    assert bool(said) is found


def test_drops_are_congestion_too() -> None:
    hit = hit_of(
        SIGNALLING_UNPROTECTED.find(
            congested(voice() + PORT, 10, drops=9), SIGNALLING_UNPROTECTED.params(70.0)
        )
    )
    assert (hit.evidence.signs, hit.confidence) == ("9 output drops", Confidence.POSSIBLE)


def test_signalling_that_the_device_marks_is_there_for_sure() -> None:
    config = policy(("dscp af21", "bandwidth 64")) + PORT + MARK.format("ip dscp cs3")
    hit = hit_of(
        SIGNALLING_UNPROTECTED.find(congested(config, 240), SIGNALLING_UNPROTECTED.params(70.0))
    )
    assert (hit.evidence.because, hit.confidence) == ("this device marks it", Confidence.LIKELY)


def test_a_class_that_is_not_read_may_take_signalling() -> None:
    config = policy(("dscp ef", "priority 64"), ("access-group 199", "bandwidth 32")) + PORT
    said = skip_of(
        SIGNALLING_UNPROTECTED.find(congested(config, 240), SIGNALLING_UNPROTECTED.params(70.0))
    )
    assert said.reason == "which class takes signalling is not known"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param(voice(), "dscp ef", id="EF"),
        pytest.param(voice("precedence 5"), "precedence 5", id="a precedence"),
        pytest.param(voice("dscp ef; dscp cs5"), "dscp cs5, ef", id="two codes"),
        pytest.param(voice("access-group 103"), "dscp ef", id="a DSCP in a list"),
        pytest.param(voice("access-group 101"), None, id="by ports, no mark is needed"),
        pytest.param(voice("dscp ef; access-group 101"), None, id="or by ports"),
        pytest.param(voice() + MARK.format("ip dscp ef"), None, id="marked on input"),
        pytest.param(voice() + MARK.format("ip precedence 5"), None, id="precedence 5 has EF"),
        pytest.param(voice() + MARK.replace("101", "105").format("ip dscp af41"), "dscp ef",
                     id="other packets are marked"),
        pytest.param(voice() + MARK.format("ip dscp af41"), None, id="voice marked anew: LLQ014"),
        pytest.param(voice() + "dial-peer voice 1 voip\n destination-pattern 5..\n", None,
                     id="the router has calls itself"),
        pytest.param(voice() + "dlsw local-peer peer-id 192.0.2.1\n", "dscp ef",
                     id="DLSw+ marks no EF"),
        pytest.param(voice("precedence 5") + "dlsw local-peer peer-id 192.0.2.1\n", None,
                     id="it marks a precedence"),
        pytest.param(voice() + "interface FastEthernet0/1\n rate-limit input 64000 8000 8000"
                     " conform-action set-prec-transmit 5 exceed-action drop\n", None, id="CAR"),
        pytest.param(voice() + "interface FastEthernet0/1\n rate-limit output 64000 8000 8000"
                     " conform-action transmit exceed-action drop\n", "dscp ef",
                     id="CAR that marks nothing"),
        pytest.param(voice() + "route-map M permit 10\n set ip precedence critical\n", None,
                     id="policy routing"),
        pytest.param(voice("access-group 199"), None, id="an undefined list is REF003's"),
    ],
)  # fmt: skip
def test_what_marks_the_packets_of_the_llq(text: str, codes: str | None) -> None:
    said = hits_of(LLQ_RELIES_ON_UPSTREAM_MARKING.find(device_of(HEAD + text + PORT), NoParams()))
    assert [hit.evidence.codes for hit in said] == ([] if codes is None else [codes])


def test_a_cut_text_may_have_lost_the_marking() -> None:
    said = skip_of(
        LLQ_RELIES_ON_UPSTREAM_MARKING.find(
            device_of("version 12.4\n" + HEAD + voice() + PORT), NoParams()
        )
    )
    assert "the configuration is cut" in said.reason


TUNNEL = "interface Tunnel0\n tunnel source {0}\n tunnel destination 192.0.2.1\n"
CRYPTO = "crypto map VPN 10 ipsec-isakmp\n set peer 192.0.2.1\n{0}"
DYNAMIC = "crypto dynamic-map DYN 10\n{0}crypto map VPN 20 ipsec-isakmp dynamic DYN\n"
BY_PORTS = voice("access-group 101")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(BY_PORTS + PORT + TUNNEL.format("Serial0/0"), ("Tunnel0",), id="a tunnel"),
        pytest.param(BY_PORTS + PORT + TUNNEL.format("192.0.2.2"), ("Tunnel0",), id="by address"),
        pytest.param(BY_PORTS + PORT + TUNNEL.format("Serial0/1"), None, id="another interface"),
        pytest.param(BY_PORTS + PORT + TUNNEL.format("Serial0/0") + " qos pre-classify\n", None,
                     id="classified before"),
        pytest.param(BY_PORTS + PORT + TUNNEL.format("Serial0/0") + " shutdown\n", None,
                     id="a tunnel that is shut down"),
        pytest.param(voice() + PORT + TUNNEL.format("Serial0/0"), None, id="a DSCP is copied"),
        pytest.param(voice("access-group 103") + PORT + TUNNEL.format("Serial0/0"), None,
                     id="a list by DSCP alone"),
        pytest.param(voice("access-group 104") + PORT + TUNNEL.format("Serial0/0"), None,
                     id="the outer packet itself"),
        pytest.param(voice("access-group 102") + PORT + TUNNEL.format("Serial0/0"), ("Tunnel0",),
                     id="addresses"),
        pytest.param(voice("protocol rtp audio") + PORT + TUNNEL.format("Serial0/0"), ("Tunnel0",),
                     id="NBAR"),
        pytest.param(BY_PORTS + CRYPTO.format("") + OUTPUT.format(" crypto map VPN\n"),
                     ("crypto map VPN",), id="a crypto map"),
        pytest.param(BY_PORTS + CRYPTO.format(" qos pre-classify\n")
                     + OUTPUT.format(" crypto map VPN\n"), None, id="its entry classifies before"),
        pytest.param(BY_PORTS + CRYPTO.format("") + OUTPUT.format(" crypto map OTHER\n"), None,
                     id="another crypto map"),
        pytest.param(BY_PORTS + DYNAMIC.format("") + OUTPUT.format(" crypto map VPN\n"),
                     ("crypto map VPN",), id="a dynamic map"),
        pytest.param(BY_PORTS + DYNAMIC.format(" qos pre-classify\n")
                     + OUTPUT.format(" crypto map VPN\n"), None, id="a dynamic map classifies before"),
        pytest.param(BY_PORTS + "interface Tunnel0\n tunnel source Serial0/0\n"
                     " service-policy output P\n", None, id="a policy of the tunnel itself"),
    ],
)  # fmt: skip
def test_what_hides_packets_before_they_are_classified(
    text: str, expected: tuple[str, ...] | None
) -> None:
    said = hits_of(ENCRYPTED_BEFORE_CLASSIFIED.find(device_of(HEAD + text), NoParams()))
    assert [hit.evidence.hidden_by for hit in said] == list(expected or ())


NAT = "ip nat inside source list NAT interface {0} overload\nip access-list extended NAT\n{1}"
INSIDE = " permit ip 10.1.1.0 0.0.0.255 any\n"


@pytest.mark.parametrize(
    ("nat", "confidence"),
    [
        pytest.param("", "likely", id="no NAT"),
        pytest.param(
            NAT.format("Serial0/0", INSIDE), "possible", id="NAT takes its packets before"
        ),
        pytest.param(
            NAT.format("Serial0/0", " deny ip any 10.2.0.0 0.0.255.255\n" + INSIDE),
            "likely",
            id="NAT exempts a far site",
        ),
        pytest.param(NAT.format("Serial0/1", INSIDE), "likely", id="NAT to another port"),
    ],
)
def test_nat_comes_before_the_crypto_map(nat: str, confidence: str) -> None:
    text = f"{HEAD}{BY_PORTS}{CRYPTO.format('')}{OUTPUT.format(' crypto map VPN' + chr(10))}{nat}"
    hit = hit_of(ENCRYPTED_BEFORE_CLASSIFIED.find(device_of(text), NoParams()))

    assert hit.confidence == confidence


def test_pre_classification_of_a_crypto_map_is_understood() -> None:
    assert device_of(CRYPTO.format(" qos pre-classify\n")).facts.unread == ()


OUTER_LISTS = (
    "access-list 140 permit gre any any\naccess-list 141 permit ip any host 192.0.2.1\n"
    "access-list 142 permit ip any host 192.0.2.9\n"
)


@pytest.mark.parametrize(
    ("match", "has_lines"),
    [
        pytest.param("dscp af21", True, id="no class looks at the outer header"),
        pytest.param("access-group 140", False, id="a class takes GRE"),
        pytest.param("protocol gre", False, id="a class takes GRE by NBAR"),
        pytest.param("access-group 141", False, id="a class takes the far end of the tunnel"),
        pytest.param("access-group 142", True, id="a class takes another host"),
    ],
)
def test_a_class_that_lives_on_the_outer_header_is_not_emptied(
    match: str, *, has_lines: bool
) -> None:
    by_both = policy(("access-group 101", "priority 64"), (match, "bandwidth 64"))
    text = HEAD + OUTER_LISTS + by_both + PORT + TUNNEL.format("Serial0/0")

    assert (
        hit_of(ENCRYPTED_BEFORE_CLASSIFIED.find(device_of(text), NoParams())).curable is has_lines
    )


@pytest.mark.parametrize(
    ("crypto_map", "curable"),
    [
        pytest.param(" crypto map VPN\n", False, id="by the same crypto map"),
        pytest.param(" crypto map OTHER\n", True, id="by another crypto map"),
    ],
)
def test_class_of_another_port_keeps_the_outer_packets(crypto_map: str, curable: bool) -> None:
    outer = (
        "class-map match-all OUTER\n match access-group 104\n"
        "policy-map OUT\n class OUTER\n  bandwidth 64\n"
        f"interface Serial0/1\n clock rate 512000\n service-policy output OUT\n{crypto_map}"
    )
    text = HEAD + BY_PORTS + CRYPTO.format("") + CRYPTO.format("").replace("VPN", "OTHER") + outer
    (hit,) = hits_of(
        ENCRYPTED_BEFORE_CLASSIFIED.find(
            device_of(text + OUTPUT.format(" crypto map VPN\n")), NoParams()
        )
    )

    assert hit.curable is curable


def test_the_peers_of_a_dynamic_map_are_prepared_in_it() -> None:
    text = HEAD + BY_PORTS + DYNAMIC.format("") + OUTPUT.format(" crypto map VPN\n")
    hit = hit_of(ENCRYPTED_BEFORE_CLASSIFIED.find(device_of(text), NoParams()))
    assert hit.evidence.crypto_entries == ("dynamic-map DYN 10",)
