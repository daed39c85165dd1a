"""The two ends of a link: by subnet, by what CDP saw, by descriptions."""

import pytest

from advisor.device.index import index_of
from advisor.device.links import LinkDoubt, LinkEnd, Sign, link_ends, links_of
from advisor.device.reading import Source
from advisor.device.sources import sources_of
from advisor.settings import Settings
from advisor.shows.neighbors import read_cdp_neighbors
from advisor.shows.observations import Observations
from tests.support.devices import device_of

SERIAL = "interface Serial0/0\n ip address {} 255.255.255.252\n"
LAN = "interface FastEthernet0/0\n ip address {} 255.255.255.0\n"
NAMING = "interface FastEthernet0/0\n description {}\n"
CDP = """\
-------------------------
Device ID: {device}
Entry address(es):
  IP address: 10.0.0.2
Platform: cisco 2811,  Capabilities: Router
Interface: {local},  Port ID (outgoing port): {remote}
Holdtime : 150 sec
"""


def ends(device: str, config: str, cdp: str = "") -> tuple[LinkEnd, ...]:
    neighbors = read_cdp_neighbors(cdp, "cdp.txt").records if cdp else ()
    known = device_of(config)
    return link_ends(known.facts, device, Observations(neighbors=tuple(neighbors)), known.platform)


def cdp(device: str, local: str, remote: str) -> str:
    return CDP.format(device=device, local=local, remote=remote)


A, B = SERIAL.format("10.0.0.1"), SERIAL.format("10.0.0.2")


@pytest.mark.parametrize(
    ("first", "second", "signs"),
    [
        pytest.param(ends("r1", A), ends("r2", B), (Sign.SUBNET,), id="one subnet of two"),
        pytest.param(
            ends("r1", A, cdp("R2.example.com", "Serial0/0", "Serial0/0")), ends("r2", B),
            (Sign.SUBNET, Sign.CDP), id="CDP gives the name with its domain",
        ),
        pytest.param(
            ends("r1", A.replace("\n ip", "\n description to R2, E1\n ip")), ends("r2", B),
            (Sign.SUBNET, Sign.DESCRIPTION), id="a description names the host in any case",
        ),
        pytest.param(
            ends("r1", LAN.format("10.1.0.1")), ends("r2", LAN.format("10.1.0.2")), None,
            id="a LAN has room for routers that are not in the run",
        ),
        pytest.param(
            ends("r1", LAN.format("10.1.0.1").replace("\n ip", "\n description r2\n ip")),
            ends("r2", LAN.format("10.1.0.2")), (Sign.SUBNET, Sign.DESCRIPTION),
            id="on a LAN a second sign decides",
        ),
        pytest.param(
            ends("r1", NAMING.format("x"), cdp("r2", "Fa0/0", "FastEthernet0/0")),
            ends("r2", NAMING.format("y")), (Sign.CDP,), id="CDP alone",
        ),
        pytest.param(
            ends("r1", NAMING.format("to r2")), ends("r2", NAMING.format("to r1")),
            (Sign.DESCRIPTION,), id="two descriptions that name each other",
        ),
        pytest.param(
            ends("r1", NAMING.format("to r2")), ends("r2", NAMING.format("uplink")), None,
            id="one description does not tell which interface of the other",
        ),
        pytest.param(
            ends("r1", A + " shutdown\n"), ends("r2", B), None, id="a link that is shut down",
        ),
    ],
)  # fmt: skip
def test_signs_of_a_link(
    first: tuple[LinkEnd, ...], second: tuple[LinkEnd, ...], signs: tuple[Sign, ...] | None
) -> None:
    links = links_of((*first, *second))

    assert [link.signs for link in links.found] == ([] if signs is None else [signs])
    assert links.undecided == ()


@pytest.mark.parametrize(
    ("all_ends", "doubt"),
    [
        pytest.param(
            (*ends("r1", A), *ends("r2", B), *ends("r3", SERIAL.format("10.0.0.2"))),
            LinkDoubt.SAME_ADDRESS, id="an address is used twice",
        ),
        pytest.param(
            (*ends("r1", A), *ends("r2", B), *ends("r3", SERIAL.format("10.0.0.3"))),
            LinkDoubt.SEVERAL, id="three in a subnet of two",
        ),
        pytest.param(
            (*ends("r1", A, cdp("r3", "Serial0/0", "Serial0/1")), *ends("r2", B),
             *ends("r3", LAN.format("10.9.0.1"))),
            LinkDoubt.CONTRADICTION, id="CDP saw another device of the run",
        ),
        pytest.param(
            (*ends("r1", A.replace("\n ip", "\n description to r3\n ip")), *ends("r2", B),
             *ends("r3", LAN.format("10.9.0.1"))),
            LinkDoubt.CONTRADICTION, id="the description names another device of the run",
        ),
    ],
)  # fmt: skip
def test_what_is_not_decided_is_said(all_ends: tuple[LinkEnd, ...], doubt: LinkDoubt) -> None:
    links = links_of(all_ends)

    assert links.found == ()
    assert [each.doubt for each in links.undecided] == [doubt]


def source(name: str, config: str) -> Source:
    return Source(f"{name}.ios", f"version 12.3\nhostname {name}\n{config}end\n".encode())


POLICY = "policy-map EDGE\n class class-default\n  fair-queue\n"


@pytest.mark.parametrize(
    ("second", "devices"),
    [
        pytest.param(B, ["r1", "r2"], id="each end of a link contributes"),
        pytest.param(SERIAL.format("10.0.0.5"), [], id="the next subnet is another link"),
        pytest.param(A, [], id="an address that is used twice is no link"),
    ],
)
def test_the_index_keeps_the_ends_of_links_of_the_run(second: str, devices: list[str]) -> None:
    sources = sources_of(
        [source("r1", POLICY + A + " service-policy output EDGE\n"), source("r2", second)]
    )

    table = index_of(sources, Settings()).fleet.links

    assert [end.device for end in table.ends] == devices
    link = table.link("r1", "Serial0/0")
    assert (link is None) == (not devices)
    if link is not None:
        assert link.far_end("r1").label == "r2 Serial0/0"


def test_ends_without_any_policy_are_not_read_twice() -> None:
    sources = sources_of([source("r1", A), source("r2", B)])

    assert index_of(sources, Settings()).fleet.links.ends == ()
