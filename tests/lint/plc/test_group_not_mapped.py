"""PLC003: an NHRP group that a spoke sends and its hub does not map."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import Settings

RULES = [rule for rule in load_rules(Settings().budgets) if rule.card.id == "PLC003"]


def hub(*groups: str, address: str = "10.9.0.1") -> str:
    lines = "".join(f" ip nhrp map group {name} service-policy output SITE\n" for name in groups)
    return (
        "version 15.4\nhostname hub\npolicy-map SITE\n class class-default\n"
        f"  shape average 5000000\ninterface Tunnel0\n ip address {address} 255.255.255.0\n{lines}"
        " tunnel mode gre multipoint\nend\n"
    )


def spoke(group: str = "", off: str = "", servers: str = "") -> str:
    named = f" ip nhrp group {group}\n" if group else ""
    named += "".join(f" ip nhrp nhs {server}\n" for server in servers.split(",") if server)
    return (
        "version 15.4\nhostname spoke\ninterface Tunnel0\n"
        f" ip address 10.9.0.7 255.255.255.0\n{named}{off}end\n"
    )


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        pytest.param((hub("A", "B"), spoke("C")), "(it takes A, B)", id="another name"),
        pytest.param((hub("BRANCH"), spoke("Branch")), "(did you mean BRANCH?)", id="another case"),
        pytest.param((hub("A"), spoke("A")), None, id="the name of the hub"),
        pytest.param((hub("A"), spoke()), None, id="a spoke without a group"),
        pytest.param((hub(), spoke("A")), None, id="a hub without policies of spokes"),
        pytest.param((spoke("A"),), None, id="no hub in the run"),
        pytest.param((hub("A", address="10.8.0.1"), spoke("C")), None, id="another tunnel"),
        pytest.param((hub("A"), spoke("C", " shutdown\n")), None, id="the tunnel is off"),
        pytest.param((hub("A", address="10.9.0.1"), hub("C", address="10.9.0.2").replace(
                      "hostname hub", "hostname hub2"), spoke("C")), None, id="a second hub maps it"),
        pytest.param((hub("A"), spoke("C", servers="10.9.0.1")), "(it takes A)", id="its own hub"),
        pytest.param((hub("A"), spoke("C", servers="10.9.0.2")), None, id="its hub is elsewhere"),
        pytest.param((hub(), spoke("A", servers="10.9.0.1 nbma 192.0.2.1 multicast")),
                     "(it maps no group)", id="its hub maps nothing"),
        pytest.param((hub("A"), hub("C", address="10.9.0.2").replace("hostname hub", "hostname h2"),
                      spoke("C", servers="10.9.0.1,10.9.0.2")), "hub Tunnel0 maps to no policy",
                     id="one of its two hubs does not map it"),
    ],
)  # fmt: skip
def test_a_group_of_a_spoke(texts: tuple[str, ...], said: str | None) -> None:
    sources = [Source(f"r{number}.ios", text.encode()) for number, text in enumerate(texts)]

    found = review(sources, RULES, Settings()).findings

    assert [(each.device, each.object) for each in found] == (
        [] if said is None else [("spoke", "interface Tunnel0")]
    )
    assert said is None or said in found[0].message


def test_the_line_of_the_hub_is_quoted() -> None:
    sources = [Source("hub.ios", hub("A").encode()), Source("spoke.ios", spoke("C").encode())]

    (found,) = review(sources, RULES, Settings()).findings

    assert [place.text for place in found.locations] == ["ip nhrp group C", "interface Tunnel0"]


DMVPN = (
    "hub#show dmvpn detail\nLegend: Attrb --> S - Static, D - Dynamic, I - Incomplete\n\n"
    'Interface Tunnel0 is up/up, Addr. is 10.9.0.1, VRF ""\nType:Hub, Total NBMA Peers (v4/v6): 2\n'
    "    1 192.0.2.11             10.9.0.11    UP 05:51:01     D       10.9.0.11/32\n{first}"
    "    1 192.0.2.12             10.9.0.12    UP    1d03h     D       10.9.0.12/32\n{second}"
    "\nCrypto Session Details:\nhub#\n"
)
NAMED, APPLIED = "NHRP group: {0}\n", " Output QoS service-policy applied: {0}\n"


@pytest.mark.parametrize(
    ("config", "first", "second", "said"),
    [
        pytest.param(hub("A"), NAMED.format("a"), "", "the spoke 10.9.0.11 sends the NHRP group a, "
                     "which hub Tunnel0 maps to no policy (did you mean A?)", id="another case"),
        pytest.param(hub("A"), NAMED.format("C"), NAMED.format("C"), "10.9.0.11 and 1 more",
                     id="two spokes of a group"),
        pytest.param(hub("A"), NAMED.format("A"), "", "flap the tunnel", id="mapped, not applied"),
        pytest.param("", NAMED.format("A"), APPLIED.format("none"), "its lines are not here",
                     id="the output alone"),
        pytest.param(hub("A"), NAMED.format("A") + APPLIED.format("SITE"), "", None, id="applied"),
        pytest.param(hub("A"), "", "", None, id="no groups"),
    ],
)  # fmt: skip
def test_the_hub_shows_what_it_applied(
    config: str, first: str, second: str, said: str | None
) -> None:
    shown = DMVPN.format(first=first, second=second)
    text = (f"hub#show running-config\n{config}" if config else "") + shown

    found = review([Source("hub.txt", text.encode())], RULES, Settings()).findings

    assert [each.object for each in found] == ([] if said is None else ["interface Tunnel0"])
    assert said is None or said in found[0].message
