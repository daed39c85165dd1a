"""DLS003, DLS011, DLS012: what shows only where the devices of a run stand side by side."""

import pytest

from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit, NoParams
from advisor.lint.checks.dls import TooManyPeers
from advisor.lint.findings import Severity
from advisor.lint.site import remedy_lines
from advisor.settings import DlswDesign, Settings
from tests.support.verdicts import hit_of, hits_of

DLSW_FAULT_DOMAIN_EXCEEDED = CHECKS["dlsw-fault-domain-exceeded"]
DLSW_PEER_ONE_SIDED = CHECKS["dlsw-peer-one-sided"]
DLSW_PEER_WITHOUT_BACKUP = CHECKS["dlsw-peer-without-backup"]

PAIR = DlswDesign((("10.0.0.1", "10.0.0.2"),), None, "advisor.toml:1")
NAMES = DlswDesign((("dc1", "dc2"),), None, "advisor.toml:1")


def router(name: str, own: str, *peers: str, words: str = "") -> str:
    lines = "".join(f"dlsw remote-peer 0 tcp {peer}\n" for peer in peers)
    return f"hostname {name}\ndlsw local-peer peer-id {own}{words}\n{lines}"


def branch(number: int, *peers: str, words: str = "") -> str:
    return router(f"b{number}", f"10.1.{number}.1", *peers, words=words)


def run(texts: list[str], design: DlswDesign | None = None) -> dict[str, Device]:
    sources = [Source(f"{number}.cfg", text.encode()) for number, text in enumerate(texts)]
    readings = read_devices(sources, Settings(dlsw=design or DlswDesign()))
    return {reading.device.name: reading.device for reading in readings}


BOTH = ("10.0.0.1", "10.0.0.2")
BACKED = ("10.0.0.1", "10.0.0.2 backup-peer 10.0.0.1")
ONE = ("10.0.0.1",)


@pytest.mark.parametrize(
    ("others", "peers", "design", "expected"),
    [
        pytest.param([], ONE, PAIR, "10.0.0.2 backup-peer 10.0.0.1", id="the settings pair them"),
        pytest.param([], ("10.0.0.1 lsap-output-list 200 timeout 30",), PAIR,
                     "10.0.0.2 backup-peer 10.0.0.1 lsap-output-list 200",
                     id="a filter of the peer holds for its backup"),
        pytest.param([], BACKED, PAIR, None, id="the other is its backup"),
        pytest.param([], BOTH, PAIR, None, id="both are equal peers"),
        pytest.param(
            [], ("10.0.0.2 backup-peer 10.0.0.1",), PAIR, "10.0.0.1",
            id="a backup of one that is not named",
        ),
        pytest.param([], ("10.0.0.9",), PAIR, None, id="its peer is in no pair"),
        pytest.param([], ONE, None, None, id="no one says that there are two"),
        pytest.param([BOTH, BOTH], ONE, None, "10.0.0.2", id="two others peer with both"),
        pytest.param([BOTH], ONE, None, "10.0.0.2", id="one other peers with both"),
        pytest.param([(*BOTH, "10.0.0.3")], ONE, None, None, id="one that has three is of no pair"),
        pytest.param(
            [BACKED], ONE, None, "10.0.0.2 backup-peer 10.0.0.1", id="one other names a backup"
        ),
        pytest.param(
            [BOTH, BOTH], ("10.0.0.1", "10.0.0.9 backup-peer 10.0.0.1"), None, None,
            id="it has a backup elsewhere",
        ),
        pytest.param([ONE, ONE], ONE, None, None, id="all peer with one"),
        pytest.param(
            [("10.1.9.1", "10.1.8.1", "10.1.7.1"), ("10.1.9.1", "10.1.8.1", "10.1.7.1")],
            ("10.1.9.1",), None, None,
            id="branches that two hubs name are no head ends",
        ),
    ],
)  # fmt: skip
def test_a_site_that_lacks_the_second_head_end(
    others: list[tuple[str, ...]],
    peers: tuple[str, ...],
    design: DlswDesign | None,
    expected: str | None,
) -> None:
    texts = [branch(number, *each) for number, each in enumerate(others, 10)]
    device = run([branch(1, *peers), *texts], design)["b1"]

    found = list(DLSW_PEER_WITHOUT_BACKUP.find(device, NoParams()))

    said = [remedy_lines("dlsw-remote-peer.j2", each) for each in hits_of(found)]
    assert said == ([(f"dlsw remote-peer 0 tcp {expected}",)] if expected else [])


@pytest.mark.parametrize(
    ("others", "severity"),
    [
        pytest.param([BOTH], Severity.INFO, id="one device alone may have its own reasons"),
        pytest.param([BOTH, BOTH], None, id="two devices have the rule of the network"),
    ],
)
def test_one_other_device_is_information(
    others: list[tuple[str, ...]], severity: Severity | None
) -> None:
    texts = [branch(number, *each) for number, each in enumerate(others, 10)]
    device = run([branch(1, *ONE), *texts], None)["b1"]

    assert hit_of(DLSW_PEER_WITHOUT_BACKUP.find(device, NoParams())).severity is severity


def test_a_branch_of_the_run_is_no_head_end() -> None:
    texts = [branch(10, "10.0.0.1", "10.1.11.1"), branch(11, "10.0.0.1")]
    device = run([branch(1, *ONE), *texts], None)["b1"]

    assert not hits_of(DLSW_PEER_WITHOUT_BACKUP.find(device, NoParams()))


def test_a_pair_may_be_stated_by_device_names() -> None:
    heads = [router("dc1", "10.0.0.1"), router("dc2", "10.0.0.2")]

    hit = hit_of(
        DLSW_PEER_WITHOUT_BACKUP.find(run([branch(1, *ONE), *heads], NAMES)["b1"], NoParams())
    )

    assert hit.evidence.partner == "10.0.0.2"


@pytest.mark.parametrize(
    ("second", "curable", "advice"),
    [
        pytest.param([router("dc2", "10.0.0.2", "10.1.1.1")], True, None, id="it names the site"),
        pytest.param([router("dc2", "10.0.0.2", words=" promiscuous")], True, None,
                     id="it takes any site"),
        pytest.param([router("dc2", "10.0.0.2")], False,
                     "enter `dlsw remote-peer 0 tcp 10.1.1.1` on dc2 first, which does not take "
                     "this peer yet, then "
                     "`dlsw remote-peer 0 tcp 10.0.0.2 backup-peer 10.0.0.1` here",
                     id="it takes no site that it does not name"),
        pytest.param([], True,
                     "10.0.0.2 must accept it: `dlsw remote-peer` or promiscuous there",
                     id="it is not in the run"),
    ],
)  # fmt: skip
def test_lines_only_where_the_second_head_end_takes_the_site(
    second: list[str], curable: bool, advice: str | None
) -> None:
    device = run([branch(1, *ONE), router("dc1", "10.0.0.1"), *second], PAIR)["b1"]

    hit = hit_of(DLSW_PEER_WITHOUT_BACKUP.find(device, NoParams()))

    assert (hit.curable, hit.advice) == (curable, advice)


def test_one_device_alone_may_be_of_a_pair_by_its_name() -> None:
    design = DlswDesign((("dc1", "10.0.0.2"),), None, "advisor.toml:1")
    pairs = run([router("dc1", "10.0.0.1")], design)["dc1"].fleet.pairs

    assert [each.partner("10.0.0.1") for each in pairs["10.0.0.1"]] == ["10.0.0.2"]


def test_the_head_ends_do_not_lack_each_other() -> None:
    heads = [router("dc1", "10.0.0.1", "10.0.0.2"), router("dc2", "10.0.0.2", "10.0.0.1")]

    found = [
        list(DLSW_PEER_WITHOUT_BACKUP.find(each, NoParams())) for each in run(heads, PAIR).values()
    ]

    assert found == [[], []]


HUB = "10.0.0.1"


@pytest.mark.parametrize(
    ("hub", "site", "found"),
    [
        pytest.param(router("hub", HUB), branch(1, HUB), True, id="the hub does not know the site"),
        pytest.param(router("hub", HUB, "10.1.1.1"), branch(1, HUB), False, id="both name both"),
        pytest.param(
            router("hub", HUB, words=" promiscuous"), branch(1, HUB), False, id="promiscuous"
        ),
        pytest.param(
            router("hub", HUB, "10.1.1.9"), branch(1, HUB), True, id="it names an old address"
        ),
        pytest.param(
            router("hub", HUB), branch(1, f"{HUB} backup-peer 10.0.0.2"), True, id="a backup, too"
        ),
        pytest.param(
            router("hub", HUB), branch(1, "10.0.0.2"), False, id="the site names another"
        ),
        pytest.param(
            router("hub", HUB), "hostname b1\ndlsw local-peer\n", False, id="a site without address"
        ),
    ],
)  # fmt: skip
def test_a_peer_that_one_end_names(hub: str, site: str, found: bool) -> None:
    device = run([hub, site])["hub"]

    hits = hits_of(DLSW_PEER_ONE_SIDED.find(device, NoParams()))

    said = [remedy_lines("dlsw-remote-peer.j2", hit) for hit in hits]
    assert said == ([("dlsw remote-peer 0 tcp 10.1.1.1",)] if found else [])


SITES = [f"10.1.{number}.1" for number in range(1, 9)]


def after_of(hit: Hit[TooManyPeers]) -> str:
    return f"{hit.evidence.peers}{hit.evidence.after}"


def connected(host: str, *peers: str) -> str:
    rows = "".join(f" TCP {peer} CONNECT 1 1 conf 0 0 0 00:01:00\n" for peer in peers)
    head = "Peers:                state     pkts_rx   pkts_tx  type  drops ckts TCP   uptime\n"
    return f"{host}#show dlsw peers\n{head}{rows}{host}#\n"


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        pytest.param(4, [], id="both halves on the survivor are as designed"),
        pytest.param(3, ["4, 8 after a failure of dc2"], id="a half that is too large stays so"),
    ],
)
def test_peers_that_came_by_a_failure_are_those_of_the_partner(
    limit: int, expected: list[str]
) -> None:
    heads = [
        router("dc1", HUB, *SITES[:4], words=" promiscuous"),
        router("dc2", "10.0.0.2", *SITES[4:], words=" promiscuous"),
        connected("dc1", *SITES),
    ]
    device = run(heads, DlswDesign(PAIR.redundant_peers, limit, "advisor.toml:1"))["dc1"]
    found = list(DLSW_FAULT_DOMAIN_EXCEEDED.find(device, NoParams()))

    assert len(device.seen.dlsw_peers) == 1
    assert [after_of(each) for each in hits_of(found)] == expected


@pytest.mark.parametrize(
    ("texts", "limit", "pair", "expected"),
    [
        pytest.param([router("dc1", HUB, *SITES)], 8, (), None, id="as many as may be"),
        pytest.param([router("dc1", HUB, *SITES)], 7, (), "8", id="one too many"),
        pytest.param([router("dc1", HUB, *SITES)], None, (), None, id="no limit is stated"),
        pytest.param(
            [router("dc1", HUB, *SITES[:4]), router("dc2", "10.0.0.2", *SITES[4:])],
            4, PAIR.redundant_peers, None,
            id="a pair of a fault domain each, whose survivor carries two",
        ),
        pytest.param(
            [router("dc1", HUB, *SITES[:3]), router("dc2", "10.0.0.2", *SITES[3:])],
            3, PAIR.redundant_peers, "3, 8 after a failure of dc2",
            id="a partner with too many leaves the other with more than two fault domains",
        ),
        pytest.param(
            [router("dc1", HUB, *SITES[:2]), router("dc2", "10.0.0.2", *SITES[2:])],
            4, PAIR.redundant_peers, None,
            id="the smaller of a pair, whose survivor carries no more than two",
        ),
        pytest.param(
            [router("dc1", HUB, *SITES[:6]), router("dc2", "10.0.0.2", *SITES[6:])],
            4, PAIR.redundant_peers, "6, 8 after a failure of dc2",
            id="the larger of a pair, though its survivor would carry no more than two",
        ),
        pytest.param(
            [router("dc1", HUB, *SITES[:5]), router("dc2", "10.0.0.2", *SITES[:5])],
            5, PAIR.redundant_peers, None,
            id="peers of both count once",
        ),
        pytest.param(
            [router("dc1", HUB, *SITES[:4])], 4, PAIR.redundant_peers, None,
            id="a partner outside of the run carries as many",
        ),
        pytest.param(
            [router("dc1", HUB, *SITES[:4])], 3, PAIR.redundant_peers,
            "4, 8 after a failure of 10.0.0.2, if the partner has as many",
            id="too many, with a partner outside of the run",
        ),
        pytest.param(
            [router("dc1", HUB, words=" promiscuous"), branch(1, HUB), branch(2, HUB)],
            1, (), "2",
            id="devices of the run that name it are its peers",
        ),
        pytest.param(
            [router("dc1", HUB), branch(1, HUB), branch(2, HUB)], 1, (), None,
            id="unless it refuses them",
        ),
        pytest.param(
            [
                router("dc1", HUB, words=" promiscuous"),
                branch(1, "10.0.0.2", f"{HUB} backup-peer 10.0.0.2"),
                branch(2, "10.0.0.2", f"{HUB} backup-peer 10.0.0.2"),
            ],
            2, (), None,
            id="who has it as a backup is not on it now",
        ),
    ],
)  # fmt: skip
def test_more_peers_than_may_depend_on_one_router(
    texts: list[str], limit: int | None, pair: tuple[tuple[str, ...], ...], expected: str | None
) -> None:
    device = run(texts, DlswDesign(pair, limit, "advisor.toml:1"))["dc1"]

    found = list(DLSW_FAULT_DOMAIN_EXCEEDED.find(device, NoParams()))

    said = [after_of(each) for each in hits_of(found)]
    assert said == ([expected] if expected else [])
