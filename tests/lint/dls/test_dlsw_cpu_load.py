"""DLS001, DLS002, DLS010: CPU at the peak, and after a failure of the partner."""

import pytest

from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Skip
from advisor.lint.checks.dls import DesignParams
from advisor.lint.findings import Confidence, Severity
from advisor.settings import DlswDesign, Settings, Transactions
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

DLSW_CPU_OVER_DESIGN = CHECKS["dlsw-cpu-over-design"]
DLSW_FAILOVER_OVER_CAPACITY = CHECKS["dlsw-failover-over-capacity"]
DLSW_FAILOVER_OVER_DESIGN = CHECKS["dlsw-failover-over-design"]

PARAMS = DLSW_CPU_OVER_DESIGN.params(50.0)
AFTER = DesignParams(50.0)
PAIR = DlswDesign((("10.0.0.1", "10.0.0.2"),), None, "advisor.toml:1")
LOCAL = "dlsw local-peer peer-id 10.0.0.1\ndlsw bridge-group 1\n"
LAN = "interface Ethernet0\n load-interval 30\n bridge-group 1\n"


def seen(cpu: str, packets_per_s: int | None = None) -> str:
    text = f"r1#show processes cpu | include CPU\nCPU utilization for five seconds: {cpu}\n"
    if packets_per_s is not None:
        text += (
            "r1#show interfaces\nEthernet0 is up, line protocol is up\n  Hardware is Lance\n"
            "  MTU 1500 bytes, BW 10000 Kbit, DLY 1000 usec, rely 255/255, load 1/255\n"
            f"  30 second input rate 90000 bits/sec, {packets_per_s} packets/sec\n"
            f"  30 second output rate 90000 bits/sec, {packets_per_s} packets/sec\n"
        )
    return text


def router(
    *shown: str, chassis: str = "3640", tps: float | None = None, dlsw: str = LOCAL
) -> Device:
    peak = () if tps is None else (Transactions("*", tps, 2000, 1000, 1024, "t.toml:1"),)
    text = (
        f"r1#show running-config\n! Chassis type: {chassis}\nhostname r1\n{dlsw}{LAN}end\n"
        f"{''.join(shown)}r1#\n"
    )
    settings = Settings(transactions=peak, dlsw=PAIR)
    return device_read(text, settings)


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        pytest.param(
            router(chassis="2503", tps=150),
            ("112 % (56 to 225; 1.12 times what the router has)", "error", "likely"),
            id="an estimate whose whole band is over",
        ),
        pytest.param(
            router(chassis="3640", tps=500),
            ("75 % (25 to 150)", "info", "possible"),
            id="an estimate whose low end is under",
        ),
        pytest.param(router(chassis="3640", tps=300), None, id="45 % by the middle of the band"),
        pytest.param(
            router(seen("52%/4%; one minute: 51%; five minutes: 50%")),
            ("51 %", "error", "certain"),
            id="a steady measured CPU is a peak",
        ),
        pytest.param(
            router(seen("90%/4%; one minute: 51%; five minutes: 20%"), tps=10), None,
            id="one on the move is not",
        ),
        pytest.param(
            router(seen("52%/4%; one minute: 51%; five minutes: 50%"), dlsw=""), None,
            id="a router without DLSw+",
        ),
    ],
)  # fmt: skip
def test_cpu_over_the_design_rule(device: Device, expected: tuple[str, str, str] | None) -> None:
    found = hits_of(DLSW_CPU_OVER_DESIGN.find(device, PARAMS))

    said = [
        (each.evidence.cpu, (each.severity or Severity.ERROR).value, each.confidence.value)
        for each in found
    ]
    assert said == ([expected] if expected else [])


def test_what_dlsw_could_have_of_a_steady_load_is_said() -> None:
    device = router(seen("8%/6%; one minute: 8%; five minutes: 5%"))

    said = skip_of(DLSW_CPU_OVER_DESIGN.find(device, PARAMS))

    assert "8 % CPU over one minute is steady" in said.reason
    assert "the 2 % of it at process level is the most that DLSw+ can use" in said.reason


def test_an_unknown_platform_gives_no_number() -> None:
    said = skip_of(DLSW_CPU_OVER_DESIGN.find(router(chassis="9999", tps=300), PARAMS))

    assert "Calibrate" in said.reason


CALIBRATED = (
    seen("9%/2%; one minute: 9%; five minutes: 9%", 100)
    + seen("27%/3%; one minute: 27%; five minutes: 27%", 400)
)  # fmt: skip


def test_two_steady_loads_replace_the_estimate() -> None:
    hit = hit_of(DLSW_CPU_OVER_DESIGN.find(router(CALIBRATED, tps=600), PARAMS))

    assert hit.forecast is not None
    # 1.33 % and 0.0283 % for each of 1800 frames/s, and 3 % of interrupts
    assert hit.forecast.before.value == pytest.approx(1.333 + 0.028333 * 1800 + 3, abs=0.01)
    assert "calibrated" in hit.evidence.at_peak


@pytest.mark.parametrize(
    ("device", "design", "capacity"),
    [
        pytest.param(router(chassis="3640", tps=100), 0, 0, id="30 % afterwards"),
        pytest.param(router(chassis="3640", tps=200), 1, 0, id="60 % afterwards"),
        pytest.param(router(chassis="3640", tps=400), 0, 1, id="120 % in place of it"),
        pytest.param(router(CALIBRATED, tps=400), 1, 0, id="calibrated: 72 % afterwards"),
        pytest.param(
            router(tps=400, dlsw=LOCAL.replace("10.0.0.1", "10.0.0.3")), 0, 0, id="in no pair"
        ),
    ],
)  # fmt: skip
def test_cpu_after_a_failover(device: Device, design: int, capacity: int) -> None:
    over_design = list(DLSW_FAILOVER_OVER_DESIGN.find(device, AFTER))
    over_capacity = list(DLSW_FAILOVER_OVER_CAPACITY.find(device, AFTER))

    assert (len(over_design), len(over_capacity)) == (design, capacity)


def test_frames_are_doubled() -> None:
    hit = hit_of(DLSW_FAILOVER_OVER_DESIGN.find(router(tps=200), AFTER))

    assert hit.evidence.failure == "1200 frames/s after a failure of 10.0.0.2, 600 now"


def head_end(number: int, cpu: str, chassis: str = "3640") -> Source:
    text = (
        f"h{number}#show version\nCisco Internetwork Operating System Software\n"
        "IOS (tm) 3600 Software (C3640-JS-M), Version 12.2(15)T, RELEASE SOFTWARE (fc1)\n"
        f"cisco {chassis} (R4700) processor (revision 0x00) with 124928K/6144K bytes of memory.\n"
        f"h{number}#show running-config\nversion 12.2\nhostname h{number}\n"
        f"dlsw local-peer peer-id 10.0.0.{number}\nend\n"
        f"h{number}#show processes cpu | include CPU\n"
        f"CPU utilization for five seconds: {cpu}\nh{number}#\n"
    )
    return Source(f"h{number}.log", text.encode())


@pytest.mark.parametrize(
    ("partner", "after"),
    [
        pytest.param(head_end(2, "31%/8%; one minute: 31%; five minutes: 31%"), (61.0, 57.0, 65.0),
                     id="34 and 31 %, less 0 to 8 of interrupts"),
        pytest.param(head_end(2, "5%/2%; one minute: 5%; five minutes: 5%"), None,
                     id="a partner that carries little"),
        pytest.param(head_end(2, "31%/8%; one minute: 11%; five minutes: 31%"), None,
                     id="a partner that is not steady"),
        pytest.param(head_end(2, "31%/8%; one minute: 31%; five minutes: 31%", "3620"), None,
                     id="percents of another CPU do not add"),
    ],
)  # fmt: skip
def test_without_frames_the_steady_loads_of_both_add(
    partner: Source, after: tuple[float, float, float] | None
) -> None:
    own = head_end(1, "34%/8%; one minute: 34%; five minutes: 34%")
    readings = read_devices([own, partner], Settings(dlsw=PAIR))
    device = next(each.device for each in readings if each.device.name == "h1")

    found = [
        hit for hit in DLSW_FAILOVER_OVER_DESIGN.find(device, AFTER) if not isinstance(hit, Skip)
    ]

    figures = [hit.forecast.before for hit in found if hit.forecast is not None]
    assert [(each.value, each.low, each.high) for each in figures] == ([after] if after else [])


SITES = ("10.1.1.1", "10.1.2.1", "10.1.3.1")
BACKED = "dlsw remote-peer 0 tcp 10.0.0.2\ndlsw remote-peer 0 tcp 10.0.0.1 backup-peer 10.0.0.2\n"
EQUAL = "dlsw remote-peer 0 tcp 10.0.0.2\ndlsw remote-peer 0 tcp 10.0.0.1\n"


def site(number: int, peers: str) -> Source:
    text = f"hostname b{number}\ndlsw local-peer peer-id 10.1.{number}.1\n{peers}end\n"
    return Source(f"b{number}.cfg", text.encode())


def with_peers(head: Source, number: int, *peers: str) -> Source:
    """A head end that takes any peer, and those that it shows connected."""
    rows = "".join(f" TCP {peer} CONNECT 1 1 prom 0 0 0 00:01:00\n" for peer in peers)
    table = "Peers:                state     pkts_rx   pkts_tx  type  drops ckts TCP   uptime\n"
    shown = f"h{number}#show dlsw peers\n{table}{rows}h{number}#\n" if peers else ""
    own = f"peer-id 10.0.0.{number}"
    text = head.payload.decode().replace(own, f"{own} promiscuous")
    return Source(head.name, f"{text}{shown}".encode())


@pytest.mark.parametrize(
    ("own", "partner", "branch_lines", "expected"),
    [
        pytest.param(SITES, SITES, None, ["65 %"], id="equal peers that both show"),
        pytest.param(SITES, SITES, EQUAL, ["65 %"], id="equal peers that name both"),
        pytest.param(SITES, (), EQUAL, ["65 %"], id="equal peers that one output shows"),
        pytest.param(SITES[:1], SITES[1:], BACKED, ["65 %"], id="each has its own peers"),
        pytest.param(
            SITES, (), BACKED, "it carries the peers of h2 already", id="after the failure"
        ),
        pytest.param(SITES, SITES[:1], None, [], id="one common peer tells of no pair"),
    ],
)
def test_two_steady_loads_add_where_outputs_show_a_pair(
    own: tuple[str, ...],
    partner: tuple[str, ...],
    branch_lines: str | None,
    expected: list[str] | str,
) -> None:
    load = "{0}%/0%; one minute: {0}%; five minutes: {0}%"
    heads = [
        with_peers(head_end(1, load.format(34)), 1, *own),
        with_peers(head_end(2, load.format(31)), 2, *partner),
    ]
    sites = [site(number, branch_lines) for number in (1, 2, 3)] if branch_lines else []
    readings = read_devices([*heads, *sites], Settings())
    device = next(each.device for each in readings if each.device.name == "h1")

    found = list(DLSW_FAILOVER_OVER_DESIGN.find(device, AFTER))

    if isinstance(expected, str):
        assert [each.reason for each in found if isinstance(each, Skip)] == [expected]
    else:
        assert [hit.evidence.after.split(" (")[0] for hit in hits_of(found)] == expected


@pytest.mark.parametrize(
    ("chassis", "own", "tps", "design", "capacity"),
    [
        pytest.param("3640", 34, 400, [("34 %", "likely")], [("60 % (25 to 120)", "possible")],
                     id="an estimate that may be under the rule hides no measured loads"),
        pytest.param("3640", 34, 200, [("34 %", "likely")], [],
                     id="of two figures over the rule the surer one is said"),
        pytest.param("3640", 12, 400, [], [("60 % (25 to 120)", "possible")],
                     id="measured loads under the rule, and the estimate of a higher peak"),
        pytest.param("2503", 34, 100, [], [("75 % (38 to 150)", "possible")],
                     id="an estimate over the rule with its low end is in place of them"),
    ],
)  # fmt: skip
def test_a_peak_and_steady_loads(
    chassis: str,
    own: int,
    tps: float,
    design: list[tuple[str, str]],
    capacity: list[tuple[str, str]],
) -> None:
    peak = Transactions("*", tps, 2000, 1000, 1024, "t.toml:1")
    ends = [
        head_end(number, f"{cpu}%/8%; one minute: {cpu}%; five minutes: {cpu}%", chassis)
        for number, cpu in ((1, own), (2, 31))
    ]
    readings = read_devices(ends, Settings(dlsw=PAIR, transactions=(peak,)))
    device = next(each.device for each in readings if each.device.name == "h1")

    for check, expected in (
        (DLSW_FAILOVER_OVER_DESIGN, design),
        (DLSW_FAILOVER_OVER_CAPACITY, capacity),
    ):
        found = hits_of(check.find(device, AFTER))
        assert [(each.evidence.now, each.confidence.value) for each in found] == expected


@pytest.mark.parametrize(
    ("chassis", "tps", "severity", "confidence"),
    [
        pytest.param("2503", 150, None, Confidence.LIKELY, id="no end of the band is under"),
        pytest.param("2503", 100, Severity.WARNING, Confidence.POSSIBLE, id="low end 75 %"),
        pytest.param("3640", 400, Severity.INFO, Confidence.POSSIBLE, id="low end 25 %"),
    ],
)
def test_a_band_that_reaches_under_the_limit_lowers_the_severity(
    chassis: str, tps: float, severity: Severity | None, confidence: Confidence
) -> None:
    hit = hit_of(DLSW_FAILOVER_OVER_CAPACITY.find(router(chassis=chassis, tps=tps), AFTER))

    assert (hit.severity, hit.confidence) == (severity, confidence)
