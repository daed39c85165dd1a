"""Made-up hubs: many outputs that are alike, some that nearly are, and lines that concern all."""

from hypothesis import strategies as st

_HEAD = """\
hostname {host}
class-map match-all VOICE
 match ip dscp ef
class-map match-any DATA
 match access-group 101
 match ip dscp af21
access-list 101 permit tcp any any eq 1433
"""
_POLICIES = (
    " class VOICE\n  priority {kbps}\n class class-default\n  fair-queue\n",
    " class VOICE\n  priority {kbps}\n class class-default\n  random-detect\n",
    " class DATA\n  bandwidth {kbps}\n  random-detect\n  random-detect precedence 3 40 20 10\n",
    " class VOICE\n  priority {kbps}\n class DATA\n  bandwidth percent 90\n",
    " class VOICE\n  priority {kbps} 500\n class GONE\n  bandwidth 20\n",
    " class class-default\n  shape average {kbps}000\n  service-policy INNER\n",
    " class VOICE\n  set dscp af31\n  priority {kbps}\n class DATA\n  queue-limit 900\n",
)
_INTERFACES = (
    " bandwidth 512\n encapsulation ppp\n tx-ring-limit 32\n",
    " bandwidth 2048\n encapsulation ppp\n tx-ring-limit 10\n",
    " ip address 10.0.{n}.1 255.255.255.252\n clock rate 768000\n encapsulation ppp\n",
    " description to site {n}\n bandwidth 1024\n encapsulation ppp\n tx-ring-limit 64\n",
    " description to site {n}, 512 kb/s of {host}\n bandwidth 1024\n encapsulation ppp\n",
    " bandwidth 256\n crypto map VPN\n hold-queue 2000 out\n",
)
_COMMON = (
    "policy-map INNER\n class VOICE\n  priority 64\n class class-default\n  fair-queue\n",
    (
        "policy-map LAN\n class DATA\n  set dscp ef\n"
        "interface FastEthernet0/0\n ip address 10.9.0.1 255.255.255.0\n service-policy input LAN\n"
    ),
    "policy-map COPP\n class DATA\n  police 8000\ncontrol-plane\n service-policy input COPP\n",
    "ip route 0.0.0.0 0.0.0.0 Serial0/1\n",
    "crypto map VPN 10 ipsec-isakmp\n match address 101\n",
    "interface Tunnel0\n tunnel source Serial0/2\n tunnel destination 192.0.2.1\n",
    "policy-map UNUSED\n class VOICE\n  priority 20\n",
    "class-map match-all LEFT\n match ip dscp cs1\n",
    "dial-peer voice 1 voip\n destination-pattern 2..\n session target ipv4:10.9.9.9\n",
    "version 12.4\n",
    "! a comment\n",
    (
        "interface Multilink1\n bandwidth 1024\n ppp multilink\n ppp multilink group 1\n"
        " service-policy output INNER\n"
        "interface Serial9/0\n encapsulation ppp\n ppp multilink\n ppp multilink group 1\n"
        "interface Serial9/1\n encapsulation ppp\n ppp multilink\n ppp multilink group 1\n"
    ),
    (
        "interface Serial8/0\n encapsulation frame-relay\n"
        "interface Serial8/0.1 point-to-point\n bandwidth 128\n frame-relay interface-dlci 16\n"
        "  class CIRCUIT\n"
        "map-class frame-relay CIRCUIT\n frame-relay cir 128000\n service-policy output INNER\n"
    ),
)
_NAMES = ("WAN{n}", "OUT-{n}", "OUT_{n}", "priority{n}", "n{n}", "{n}", "Serial{n}/x")
_SPOKES = st.lists(
    st.tuples(
        st.sampled_from(_POLICIES),
        st.sampled_from((64, 128)),
        st.sampled_from(_INTERFACES),
        st.integers(0, 9),
    ),
    min_size=2,
    max_size=5,
)


@st.composite
def hubs(draw: st.DrawFn) -> str:
    """The running-config of a hub: a few kinds of spokes, each several times, in any order."""
    host = draw(st.sampled_from(("r1", "edge")))
    name = draw(st.sampled_from(_NAMES))
    kinds = draw(_SPOKES)
    spokes = draw(st.lists(st.sampled_from(kinds), min_size=3, max_size=16))
    sections = [_spoke(number, spoke, name, host=host) for number, spoke in enumerate(spokes)]
    common = draw(st.lists(st.sampled_from(_COMMON), unique=True, max_size=5))
    return _HEAD.format(host=host) + "".join(draw(st.permutations([*sections, *common]))) + "end\n"


def _spoke(number: int, spoke: tuple[str, int, str, int], name: str, *, host: str) -> str:
    policy, kbps, interface, shares = spoke
    own, is_shared = name.format(n=number), shares == 0
    section = f"policy-map {own}\n{policy.format(kbps=kbps)}"
    body = interface.format(n=number, host=host)
    return (
        ("" if is_shared else section)
        + f"interface Serial{number // 8}/{number % 8}\n{body}"
        + f" service-policy output {'INNER' if is_shared else own}\n"
    )
