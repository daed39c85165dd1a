"""Abbreviated lines of tunnels and crypto maps have the verdict of the lines in full."""

import pytest

from advisor.api import lint, of_texts

_POLICY = """class-map match-any VOICE
 match access-group 101
policy-map CHILD
 class VOICE
  priority 256
policy-map WAN
 class class-default
  shape average 2000000
  service-policy CHILD
access-list 101 permit udp any any range 16384 32767
access-list 120 permit ip 10.0.0.0 0.0.0.255 10.9.0.0 0.0.0.255
"""
_MAP = f"""hostname r1
{_POLICY}crypto ipsec transform-set TS esp-3des esp-sha-hmac
crypto map CM 10 ipsec-isakmp
 qos pre-classify
 set peer 198.51.100.1
 set transform-set TS
 match address 120
interface Serial0/0
 ip address 198.51.100.2 255.255.255.252
 encapsulation ppp
 clock rate 2000000
 crypto map CM
 service-policy output CHILD
end
"""
_DYNAMIC = _MAP.replace(
    "crypto map CM 10 ipsec-isakmp\n",
    "crypto map CM 20 ipsec-isakmp dynamic DYN\ncrypto dynamic-map DYN 10\n",
)
_TUNNEL = f"""hostname r1
{_POLICY}crypto ipsec transform-set TS esp-aes esp-sha-hmac
 mode transport
crypto ipsec profile DM
 set transform-set TS
interface Tunnel0
 ip address 172.16.0.1 255.255.255.0
 tunnel source Serial0/0
 tunnel mode gre multipoint
 tunnel key 77
 tunnel protection ipsec profile DM
 service-policy output WAN
interface Serial0/0
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 clock rate 1024000
end
"""


@pytest.mark.parametrize("is_flat", [False, True], ids=["indented", "flat"])
@pytest.mark.parametrize(
    ("config", "full", "typed"),
    [
        (_MAP, "\n crypto map CM\n", "\n cry map CM\n"),
        (_MAP, "\n qos pre-classify", "\n qos pre"),
        (_MAP, "\n set transform-set TS\n match", "\n s tr TS\n match"),
        (_MAP, "crypto map CM 10 ipsec-isakmp", "cry map CM 10 ipsec-i"),
        (_DYNAMIC, "crypto map CM 20 ipsec-isakmp dynamic", "cry map CM 20 ipsec-i dyn"),
        (_DYNAMIC, "crypto dynamic-map DYN", "cry dyn DYN"),
        (_MAP, "crypto ipsec transform-set TS esp-3des", "cry ips trans TS esp-3"),
        (_TUNNEL, " mode transport", " mo tr"),
        (_TUNNEL, "crypto ipsec profile", "cry ips prof"),
        (_TUNNEL, " tunnel source", " tun source"),
        (_TUNNEL, " tunnel source", " tunnel sou"),
        (_TUNNEL, " tunnel key", " tun key"),
        (_TUNNEL, " tunnel protection ipsec profile", " tun prot ips prof"),
    ],
)
def test_abbreviated_line_has_the_verdict_of_the_line_in_full(
    config: str, full: str, typed: str, is_flat: bool
) -> None:
    as_typed, without = config.replace(full, typed), config.replace(full, "\n!\n")
    in_full, short, missing = (
        _said(text.replace("\n ", "\n") if is_flat else text)
        for text in (config, as_typed, without)
    )

    assert short == in_full
    assert missing != in_full  # the verdict rests on the line


def _said(config: str) -> list[tuple[str, str]]:
    return [(each.rule, each.message) for each in lint(of_texts({"r1.ios": config})).findings]
