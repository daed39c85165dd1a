"""DLS005, DLS006, DLS007: what the statements of one router say."""

import pytest

from advisor.capture.masking import mask_quoted_line
from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams, Skip
from advisor.lint.site import remedy_lines
from advisor.report.mask import mask_path
from advisor.settings import Settings, Transactions
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

DLSW_LARGEST_FRAME = CHECKS["dlsw-largest-frame"]
DLSW_PROMISCUOUS_OPEN = CHECKS["dlsw-promiscuous-open"]
DLSW_UNDEFINED_REFERENCE = CHECKS["dlsw-undefined-reference"]


def router(text: str, settings: Settings | None = None) -> Device:
    return device_read(f"hostname r1\n{text}", settings, file="r1.cfg")


OPEN = "dlsw local-peer peer-id 10.0.0.1 promiscuous\n"
INPUT = "interface Serial0/0\n ip address 10.9.0.1 255.255.255.252\n ip access-group 101 in\n"
FROM_SITES = "access-list 101 permit tcp 10.1.0.0 0.0.255.255 host 10.0.0.1 eq 2065\n"
REST_REFUSED = "access-list 101 deny tcp any any eq 2065\naccess-list 101 permit ip any any\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(OPEN, True, id="nothing restricts it"),
        pytest.param("dlsw local-peer peer-id 10.0.0.1\n", False, id="not promiscuous"),
        pytest.param(OPEN + INPUT + FROM_SITES + REST_REFUSED, False, id="sites only"),
        pytest.param(OPEN + INPUT + FROM_SITES, False, id="the deny at the end refuses the rest"),
        pytest.param(
            OPEN + INPUT + "access-list 101 permit ip any any\n", True, id="a list that lets all in"
        ),
        pytest.param(OPEN + INPUT, True, id="a list that is not there"),
        pytest.param(
            OPEN + INPUT.replace(" in", " out") + FROM_SITES, True, id="a list of the output"
        ),
        pytest.param(
            OPEN + INPUT + " shutdown\n" + FROM_SITES, True, id="a list of an input that is shut"
        ),
        pytest.param(
            OPEN + "dlsw prom-peer-defaults tcp lsap-output-list 200\n", False, id="peer defaults"
        ),
        pytest.param(
            OPEN + "dlsw prom-peer-defaults tcp tcp-queue-max 500\n", True,
            id="defaults that restrict nothing",
        ),
    ],
)  # fmt: skip
def test_a_promiscuous_peer_that_any_router_may_use(text: str, found: bool) -> None:
    hits = hits_of(DLSW_PROMISCUOUS_OPEN.find(router(text), NoParams()))
    assert [hit.evidence.peer_id for hit in hits] == (["10.0.0.1"] if found else [])


def test_peers_that_were_seen_are_named_instead() -> None:
    shown = (
        "r1#show running-config\nhostname r1\n" + OPEN.replace(" prom", " group 5 prom") + "end\n"
        "r1#show dlsw peers\n"
        "Peers:                state     pkts_rx   pkts_tx  type  drops ckts TCP   uptime\n"
        " TCP 10.1.1.1        CONNECT       4181      4420  prom      0    3   0 1d02h\n"
        " IF  Serial1         CONNECT       4181      4420  conf      0    3   - 1d02h\n"
        "r1#\n"
    )
    device = device_read(shown)

    hit = hit_of(DLSW_PROMISCUOUS_OPEN.find(device, NoParams()))

    assert hit.advice is not None
    assert "`dlsw local-peer peer-id 10.0.0.1 group 5`" in hit.advice
    assert "`dlsw remote-peer 0 tcp 10.1.1.1`" in hit.advice


def test_where_no_peer_is_known_there_are_no_lines() -> None:
    hit = hit_of(DLSW_PROMISCUOUS_OPEN.find(router(OPEN), NoParams()))

    assert hit.advice is not None
    assert hit.advice.startswith("name the peers")


LOCAL = "dlsw local-peer peer-id 10.1.1.1\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(LOCAL + "dlsw remote-peer 0 tcp 10.0.0.1\n", [], id="list 0 is all"),
        pytest.param(
            LOCAL + "dlsw remote-peer 3 tcp 10.0.0.1\n",
            ["ring-list, bgroup-list or port-list 3"],
            id="a list that is not there",
        ),
        *(
            pytest.param(
                LOCAL + f"dlsw remote-peer 3 tcp 10.0.0.1\ndlsw {words}\n"
                "dlsw bridge-group 1\nbridge 1 protocol ieee\n",
                [], id=f"{words} is there",
            )
            for words in ("ring-list 3 rings 5", "bgroup-list 3 bgroups 1", "port-list 3 Ethernet0")
        ),
        pytest.param(
            LOCAL + "dlsw remote-peer 0 tcp 10.0.0.1 lsap-output-list 200\n",
            ["access-list 200"],
            id="a list of SAPs that is not there",
        ),
        pytest.param(
            LOCAL + "dlsw remote-peer 0 tcp 10.0.0.1 lsap-output-list 200\n"
            "access-list 200 permit 0x0404 0x0101\n",
            [],
            id="a list of SAPs that is there",
        ),
        pytest.param("dlsw remote-peer 0 tcp 10.0.0.1\n", ["dlsw local-peer"], id="no local peer"),
        pytest.param(
            "dlsw remote-peer 0 frame-relay interface Serial0 100\n", ["dlsw local-peer"],
            id="a direct peer needs a local peer, too",
        ),
        pytest.param(
            LOCAL + "dlsw prom-peer-defaults tcp lsap-output-list 201\n"
            "dlsw peer-on-demand-defaults tcp lsap-output-list 202\n",
            ["access-list 201", "access-list 202"],
            id="lists of the defaults that are not there",
        ),
        pytest.param(
            LOCAL + "dlsw remote-peer 0 tcp 10.0.0.1 port-list 9\n", ["dlsw port-list 9"],
            id="a list of ports that an option names",
        ),
        pytest.param(
            LOCAL + "dlsw remote-peer 0 tcp 10.0.0.1 port-list 9\ndlsw port-list 9 Ethernet0\n",
            [],
            id="a list of ports that is there",
        ),
        pytest.param(
            "dlsw local-peer\ndlsw remote-peer 0 tcp 10.0.0.1\n",
            ["dlsw local-peer peer-id"],
            id="a local peer without an address",
        ),
        pytest.param(
            "dlsw local-peer\ndlsw remote-peer 0 interface Serial0\n", [],
            id="a direct peer needs no address",
        ),
        pytest.param(
            LOCAL + "dlsw bridge-group 1\n", ["bridge 1 protocol"], id="no such bridge group"
        ),
        pytest.param(
            LOCAL + "dlsw bgroup-list 3 bgroups 7\n", ["dlsw bridge-group 7"],
            id="a list of a group that DLSw+ does not bridge",
        ),
        pytest.param(
            LOCAL + "dlsw remote-peer 3 tcp 10.0.0.1\ndlsw remote-peer 3 tcp 10.0.0.2\n",
            ["ring-list, bgroup-list or port-list 3"],
            id="what is missing is said once",
        ),
    ],
)  # fmt: skip
def test_what_is_named_and_not_there(text: str, expected: list[str]) -> None:
    found = DLSW_UNDEFINED_REFERENCE.find(router(text), NoParams())

    hits = hits_of(found)
    assert [each.evidence.target for each in hits] == expected
    assert [mask_path(each.object) for each in hits] == [each.object for each in hits]


@pytest.mark.parametrize(
    "line",
    [
        "dlsw remote-peer 0 tcp 10.0.0.1 lsap-output-list 200",
        "dlsw remote-peer 0 tcp 10.0.0.1 port-list 9",
        "dlsw remote-peer 3 tcp 10.0.0.1",
        "dlsw prom-peer-defaults lsap-output-list 201",
        "dlsw peer-on-demand-defaults port-list 9",
        "dlsw bgroup-list 3 bgroups 7",
        "dlsw bridge-group 1",
    ],
)
def test_the_statement_that_names_it_is_shown(line: str) -> None:
    hit = hit_of(DLSW_UNDEFINED_REFERENCE.find(router(f"{LOCAL}{line}\n"), NoParams()))

    statement = hit.evidence.statement
    assert (line.startswith(statement), mask_quoted_line(statement)) == (True, statement)


def test_a_list_whose_number_is_masked_may_be_the_missing_one() -> None:
    text = "dlsw local-peer peer-id 10.0.0.2\ndlsw remote-peer 9 tcp 10.0.0.1\n"

    hit = hit_of(DLSW_UNDEFINED_REFERENCE.find(router(text), NoParams()))
    masked = router(f"{text}dlsw ring-list <removed>\n")
    skip = skip_of(DLSW_UNDEFINED_REFERENCE.find(masked, NoParams()))

    assert hit.object == skip.object == "dlsw > dlsw ring-list 9"
    assert skip.reason == "redaction masked `dlsw ring-list <removed>`, which may define it"


ETHERNET = "dlsw bridge-group 1\ninterface Ethernet0\n bridge-group 1\n"


def peak(ru_bytes: int) -> Settings:
    return Settings(transactions=(Transactions("*", 10.0, 2000, 1000, ru_bytes, "t.toml:1"),))


@pytest.mark.parametrize(
    ("text", "ru_bytes", "expected"),
    [
        pytest.param(" lf 516", 1024, (6, 3, 1470), id="an RU of 1024 in two frames of 516"),
        pytest.param(" lf 1500", 1024, None, id="it fits"),
        pytest.param("", 1024, None, id="no lf"),
        pytest.param(" lf 1500", 2000, (3, 2, 2052), id="a Token Ring carries 2052"),
        pytest.param(f" lf 1500\n{ETHERNET}", 2000, None, id="an Ethernet carries no more"),
        pytest.param(f" lf 516\n{ETHERNET}", 2000, (6, 3, 1500), id="up to 1500 it does"),
        pytest.param(" lf 17800", 60_000, None, id="the largest that there is"),
    ],
)
def test_a_largest_frame_that_splits_the_ru(
    text: str, ru_bytes: int, expected: tuple[int, int, int] | None
) -> None:
    device = router(f"dlsw local-peer peer-id 10.1.1.1{text}\n", peak(ru_bytes))

    found = list(DLSW_LARGEST_FRAME.find(device, NoParams()))

    said = [
        (each.evidence.frames, each.evidence.needed_frames, each.evidence.advised_bytes)
        for each in hits_of(found)
    ]
    assert said == ([expected] if expected else [])


def test_the_frame_of_one_peer_is_changed_in_its_own_statement() -> None:
    text = f"{LOCAL}dlsw remote-peer 0 tcp 10.0.0.1 lf 516 linger 5\n"

    hit = hit_of(DLSW_LARGEST_FRAME.find(router(text, peak(1024)), NoParams()))

    line = "dlsw remote-peer 0 tcp 10.0.0.1 lf 1470 linger 5"
    assert remedy_lines("dlsw-largest-frame.j2", hit) == (line,)


def test_frames_and_cpu_are_said_before_and_after() -> None:
    text = "! Chassis type: 3640\ndlsw local-peer peer-id 10.1.1.1 lf 516\n"

    hit = hit_of(DLSW_LARGEST_FRAME.find(router(text, peak(1024)), NoParams()))

    assert hit.evidence.at_peak == (
        "from 60 to 30 frames/s at the peak, from 3 % CPU (2 to 6) to 2 % (1 to 3), estimated"
    )


def test_without_the_ru_it_is_not_judged() -> None:
    skip = skip_of(DLSW_LARGEST_FRAME.find(router("dlsw local-peer lf 516\n"), NoParams()))
    assert skip.object == "dlsw lf"
    assert "ru_bytes" in skip.reason


def test_a_peer_below_the_frame_of_the_local_peer_is_changed_with_it() -> None:
    text = f"{LOCAL}dlsw remote-peer 0 tcp 10.0.0.1 lf 516\n".replace("\n", " lf 516\n", 1)

    hits = hits_of(DLSW_LARGEST_FRAME.find(router(text, peak(1024)), NoParams()))

    assert [hit.curable for hit in hits] == [False, False]
    assert "its lf 516 holds every circuit down" in (hits[1].advice or "")


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("dlsw local-peer peer-id 10.255.0.1 lf 576", id="a local peer"),
        pytest.param("dlsw ring-list 5 rings 1 x", id="a list of rings"),
    ],
)
def test_what_a_line_that_is_not_understood_may_define_is_not_missing(line: str) -> None:
    config = "dlsw local-peer peer-id 10.255.0.1\ndlsw remote-peer 5 tcp 10.0.0.1\n"
    text = (
        config.replace("dlsw local-peer peer-id 10.255.0.1\n", "", 1) if "local" in line else config
    )
    found = list(DLSW_UNDEFINED_REFERENCE.find(router(f"{line}\n{text}"), NoParams()))

    skips = [each for each in found if isinstance(each, Skip)]
    assert [each.reason for each in skips] == [
        "r1.cfg:2 is not understood: it may be the definition"
    ]
