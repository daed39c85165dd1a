"""LFI001 where lines can make MLPPP or FRF.12, and where something has to move by hand first."""

import re

import pytest

from advisor.device.reading import Source
from advisor.ground.assets import asset_dir
from advisor.lint.cards import load_rules
from advisor.lint.checks.base import rows_of
from advisor.lint.findings import Level, Remedy
from advisor.lint.run import review
from advisor.settings import Settings

RULES = load_rules(Settings().budgets)
LLQ = """\
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
"""
SERIAL = (
    "interface Serial0/0\n encapsulation ppp\n clock rate 512000\n bandwidth 512\n"
    " tx-ring-limit 1\n service-policy output EDGE\n"
)
ADDRESS = " ip address 10.0.0.1 255.255.255.252\n"
FR = (
    "interface Serial0/0\n encapsulation frame-relay\n clock rate 512000\n tx-ring-limit 1\n"
    "{}interface Serial0/0.1 point-to-point\n frame-relay interface-dlci 100\n{}"
)
SHAPED = FR.format(" frame-relay traffic-shaping\n", "  class FAST\n")
FAST = "map-class frame-relay FAST\n frame-relay cir {}\n service-policy output EDGE\n"
OTHER = "interface Serial0/0.2 point-to-point\n frame-relay interface-dlci 200\n"


def config(name: str, text: str, version: str = "12.3") -> Source:
    head = f"version {version}\nhostname {name}\n{LLQ}"
    return Source(f"{name}.ios", f"{head}{text}end\n".encode())


def remedy(*sources: Source) -> Remedy:
    verdict = review(sources, RULES, Settings())
    found = [finding for finding in verdict.findings if finding.rule == "LFI001"]
    assert found[0].remedy is not None
    return found[0].remedy


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(SERIAL + ADDRESS, " ppp multilink interleave", id="a serial joins a bundle"),
        pytest.param(
            SERIAL + ADDRESS + "interface Multilink1\n ppp multilink group 1\n",
            "interface Multilink2", id="the bundle has a free number",
        ),
        pytest.param(
            SERIAL + ADDRESS + " max-reserved-bandwidth 90\n", " max-reserved-bandwidth 90",
            id="what the admission of the policy needs moves with it",
        ),
        *(
            pytest.param(SERIAL + ADDRESS + f" {command}\n", f" {command}", id=f"`{command}` moves")
            for command in ("no cdp enable", "hold-queue 200 out", "ntp broadcast", "ip nat inside")
        ),
        pytest.param(
            SERIAL + ADDRESS + "router eigrp 1\n network 10.0.0.0\n", " delay 2000",
            id="EIGRP counts the delay of the serial still",
        ),
        pytest.param(
            SHAPED + FAST.format(256000), " frame-relay fragment 312",
            id="a map-class fragments by its CIR",
        ),
        pytest.param(
            SHAPED + OTHER + "  class SLOW\n" + FAST.format(256000)
            + "map-class frame-relay SLOW\n frame-relay cir 128000\n service-policy output EDGE\n",
            " frame-relay fragment 152", id="the slowest circuit decides for all of the port",
        ),
        pytest.param(
            SHAPED + OTHER + "  class SLOW\n" + FAST.format(256000)
            + "map-class frame-relay SLOW\n frame-relay cir 128000\n",
            " frame-relay fragment 312", id="a circuit without an LLQ decides nothing",
        ),
        pytest.param(
            FR.format(" service-policy output EDGE\n", ""),
            " frame-relay fragment 632 end-to-end", id="a port without shaping fragments itself",
        ),
    ],
)  # fmt: skip
def test_lines_that_make_fragments(text: str, line: str) -> None:
    found = remedy(config("r1", text))

    assert line in found.lines
    assert found.level is Level.NEEDS_WINDOW


@pytest.mark.parametrize(
    ("heading", "templates"),
    [
        pytest.param("bundle-takes-over", ("inner",), id="commands of the interface"),
        pytest.param("entered-again", ("inner", "global"), id="commands that name the port"),
    ],
)
def test_each_command_that_moves_is_written(heading: str, templates: tuple[str, ...]) -> None:
    folder = asset_dir("templates") / "remedy/lfi"
    text = "".join((folder / f"{name}-command.j2").read_text("utf-8") for name in templates)

    assert {row.split()[0] for row in rows_of(heading)} <= set(re.findall(r'"(\S+)"', text))


@pytest.mark.parametrize(
    ("text", "version", "reason"),
    [
        pytest.param(SERIAL, "12.3", "no address of its own", id="nothing could move"),
        pytest.param(
            SERIAL + ADDRESS + "ip nat inside source list 1 interface Serial 0/0 overload\n", "12.3",
            "names Serial0/0: it must be the Multilink; a NAT rule in use", id="NAT by the serial",
        ),
        pytest.param(
            SERIAL + ADDRESS + 'event manager applet A\n action 1 cli command "int s0/0"\n', "12.3",
            "names Serial0/0: it must be", id="a stored command names it",
        ),
        pytest.param(
            SERIAL + ADDRESS + " ip rsvp bandwidth 64\n ip rtp header-compression\n", "12.3",
            "move by hand first: r1.ios:17, 18 of Serial0/0", id="what reserves and counts by the port",
        ),
        pytest.param(
            SERIAL + ADDRESS + " ip ospf authentication-key abc\n", "12.3", "move by hand first",
            id="no key is printed",
        ),
        pytest.param(
            SERIAL + ADDRESS + " ip address 10.9.0.1 255.255.255.0 secondary\n", "12.3",
            "move by hand first", id="a second address",
        ),
        pytest.param(
            SERIAL + ADDRESS, "11.3", "11.3 does not have `interface Multilink`", id="before bundles"
        ),
        pytest.param(
            SHAPED + OTHER + FAST.format(256000), "12.3", "no map-class with a CIR",
            id="a circuit whose CIR nothing states",
        ),
        pytest.param(
            FR.format(" service-policy output EDGE\n", ""), "12.1", "12.1 does not have `frame-relay fragment end-to-end`",
            id="fragments of an interface came with a later release",
        ),
        pytest.param(
            FR.format(" service-policy output EDGE\n", ""), "12.2", "from 12.2(13)T",
            id="a bare 12.2 does not tell its train",
        ),
    ],
)  # fmt: skip
def test_why_there_are_no_lines(text: str, version: str, reason: str) -> None:
    found = remedy(config("r1", text, version))

    assert (found.level, found.lines) == (Level.MANUAL, ())
    assert reason in (found.advice or "")


def in_order(lines: tuple[str, ...], *wanted: str) -> bool:
    rest = iter(lines)
    return all(line in rest for line in wanted)


@pytest.mark.parametrize(
    ("section", "elsewhere", "wanted", "back"),
    [
        pytest.param(
            " ip access-group 101 in\n no ip redirects\n ip nat outside\n crypto map VPN\n", "",
            (
                "interface Multilink1", " ip access-group 101 in", " no ip redirects",
                " ip nat outside", " crypto map VPN", "interface Serial0/0", " no crypto map VPN",
                " no ip nat outside", " no ip access-group 101 in", "interface Multilink1",
                " ip address 10.0.0.1 255.255.255.252",
            ),
            ("interface Serial0/0", " ip access-group 101 in", " ip nat outside", " crypto map VPN"),
            id="filters and crypto stand before the address does",
        ),
        pytest.param(
            " ip vrf forwarding A\n ip ospf cost 9\n", "",
            (
                "interface Multilink1", " ip vrf forwarding A", " ip ospf cost 9",
                "interface Serial0/0", " no ip address 10.0.0.1 255.255.255.252",
                " no ip ospf cost 9", " no ip vrf forwarding A",
                "interface Multilink1", " ip address 10.0.0.1 255.255.255.252",
            ),
            ("interface Serial0/0", " ip vrf forwarding A", " ip address 10.0.0.1 255.255.255.252"),
            id="the VRF goes first, as it takes addresses away",
        ),
        pytest.param(
            "", "ip route 0.0.0.0 0.0.0.0 Serial0/0\nip route vrf A 10.9.0.0 255.255.0.0 s0/0 9\n",
            (
                "no ip route 0.0.0.0 0.0.0.0 Serial0/0", "ip route 0.0.0.0 0.0.0.0 Multilink1",
                "no ip route vrf A 10.9.0.0 255.255.0.0 s0/0 9",
                "ip route vrf A 10.9.0.0 255.255.0.0 Multilink1 9",
            ),
            ("no ip route 0.0.0.0 0.0.0.0 Multilink1", "ip route 0.0.0.0 0.0.0.0 Serial0/0"),
            id="static routes",
        ),
        pytest.param(
            "", "router ospf 1\n passive-interface default\n no passive-interface Serial0/0\n",
            ("router ospf 1", " no passive-interface Multilink1"),
            (" passive-interface Multilink1", "no interface Multilink1"),
            id="routing that speaks on the serial speaks on the bundle",
        ),
        pytest.param(
            "", "router eigrp 1\n passive-interface Serial 0/0\n",
            ("router eigrp 1", " no passive-interface Serial 0/0", " passive-interface Multilink1"),
            ("router eigrp 1", " passive-interface Serial 0/0"),
            id="routing that is silent there stays silent",
        ),
        pytest.param(
            "", "interface Tunnel0\n tunnel source Serial0/0\ninterface FastEthernet0/0\n"
            " standby 1 track Serial0/0 20\nrouter bgp 1\n neighbor 10.9.9.9 remote-as 1\n"
            " neighbor 10.9.9.9 update-source Serial0/0\n"
            "crypto map VPN local-address Serial0/0\nlogging source-interface Serial0/0\n"
            "snmp-server trap-source Serial0/0\nip flow-export source Serial0/0\n",
            (
                "interface Tunnel0", " tunnel source Multilink1", "interface FastEthernet0/0",
                " no standby 1 track Serial0/0 20", " standby 1 track Multilink1 20",
                "router bgp 1", " neighbor 10.9.9.9 update-source Multilink1",
                "crypto map VPN local-address Multilink1", "logging source-interface Multilink1",
                "snmp-server trap-source Multilink1", "ip flow-export source Multilink1",
            ),
            (" tunnel source Serial0/0", " neighbor 10.9.9.9 update-source Serial0/0"),
            id="tunnels, HSRP, BGP, crypto and management name the bundle",
        ),
    ],
)  # fmt: skip
def test_what_names_the_serial_moves_to_the_bundle(
    section: str, elsewhere: str, wanted: tuple[str, ...], back: tuple[str, ...]
) -> None:
    found = remedy(config("r1", SERIAL + section + ADDRESS + elsewhere))

    assert found.level is Level.NEEDS_WINDOW
    assert in_order(found.lines, *wanted)
    assert in_order(found.rollback, *back)


@pytest.mark.parametrize(
    ("version", "group", "delay"),
    [
        pytest.param("12.0", "multilink-group 1", "fragment-delay 10", id="12.0: the old one"),
        pytest.param("12.1", "multilink-group 1", "fragment-delay 10", id="12.1: the old one"),
        pytest.param("12.2", "ppp multilink group 1", "fragment delay 10", id="12.2 takes both"),
    ],
)
@pytest.mark.parametrize("has_bundle", [False, True])
def test_a_bundle_is_spelled_as_the_release_spells_it(
    version: str, group: str, delay: str, *, has_bundle: bool
) -> None:
    bundle = (
        f"interface Multilink1\n ppp multilink\n {group}\n service-policy output EDGE\n"
        "interface Serial0/0\n encapsulation ppp\n clock rate 512000\n bandwidth 512\n"
        f" tx-ring-limit 1\n ppp multilink\n {group}\n"
    )
    found = remedy(config("r1", bundle if has_bundle else SERIAL + ADDRESS, version))

    assert f" ppp multilink {delay}" in found.lines
    assert has_bundle or f" {group}" in found.lines
    assert has_bundle or f" no {group}" in found.rollback


@pytest.mark.parametrize(
    ("head", "version", "has_line"),
    [
        ("", "12.3", True),
        ("boot system bootflash:isr4300-universalk9.16.09.05.SPA.bin\n", "16.9", False),
    ],
)
def test_a_serial_of_ios_xe_has_no_fair_queue_to_switch_off(
    head: str, version: str, *, has_line: bool
) -> None:
    text = head + SERIAL.replace(" tx-ring-limit 1\n", "") + ADDRESS
    found = remedy(config("r1", text, version))

    assert " ppp multilink interleave" in found.lines
    assert (" no fair-queue" in found.lines) is has_line


def test_the_other_end_is_named_where_the_run_has_it() -> None:
    far = (SERIAL + ADDRESS).replace("10.0.0.1", "10.0.0.2")

    found = remedy(config("r1", SERIAL + ADDRESS), config("r2", far))

    assert "r2 Serial0/0 (by subnet)" in (found.advice or "")


def test_a_dsl_line_names_what_one_end_can_do() -> None:
    found = remedy(
        config("r1", "interface ATM0\n pvc 8/35\n  vbr-nrt 640 640\n  service-policy output EDGE\n")
    )

    assert "`ip tcp adjust-mss" in (found.advice or "")


@pytest.mark.parametrize(
    ("far", "line"),
    [
        pytest.param("", " frame-relay fragment 312", id="an end that states no rate"),
        pytest.param(
            " clock rate 128000\n", " frame-relay fragment 152", id="the port of the other end"
        ),
    ],
)
def test_the_slower_end_decides_the_fragment_of_a_circuit(far: str, line: str) -> None:
    near = SHAPED.replace(
        "point-to-point\n", "point-to-point\n ip address 10.0.0.1 255.255.255.252\n"
    )
    spoke = (
        f"interface Serial1\n encapsulation frame-relay\n{far}"
        "interface Serial1.1 point-to-point\n ip address 10.0.0.2 255.255.255.252\n"
        " frame-relay interface-dlci 200\n"
    )

    found = remedy(config("r1", near + FAST.format(256000)), config("r2", spoke))

    assert line in found.lines


def test_above_the_rate_of_lfi_the_lines_are_a_decision() -> None:
    fast = SERIAL.replace("512000", "1000000").replace("bandwidth 512", "bandwidth 1000")

    found = remedy(config("r1", fast + ADDRESS))

    assert (found.level, found.lines) == (Level.MANUAL, ())
    assert "above 768 kb/s Cisco's design has no LFI" in (found.advice or "")


DSL = (
    "interface ATM0.1 point-to-point\n pvc 1/32\n  {}\n  tx-ring-limit 6\n"
    "  protocol ppp Virtual-Template1\n"
    "interface Virtual-Template1\n ip address 10.0.0.{} 255.255.255.252\n"
    " ppp multilink\n service-policy output EDGE\n"
)


@pytest.mark.parametrize(
    ("service", "bandwidth", "delay"),
    [
        pytest.param("vbr-nrt 256 256", 260, 10, id="7 cells at 256 kb/s"),
        pytest.param("vbr-nrt 512 512", 529, 10, id="14 cells at 512 kb/s"),
        pytest.param("cbr 128", 132, 11, id="4 cells at 128 kb/s take 11 ms"),
    ],
)
def test_fragments_over_atm_fill_cells_by_the_table(
    service: str, bandwidth: int, delay: int
) -> None:
    found = remedy(config("r1", DSL.format(service, 1)), config("r2", DSL.format(service, 2)))

    assert found.lines == (
        "interface Virtual-Template1",
        f" bandwidth {bandwidth}",
        f" ppp multilink fragment delay {delay}",
        " ppp multilink interleave",
        "interface ATM0.1",
        " pvc 1/32",
        "  tx-ring-limit 3",
    )
    assert found.level is Level.NEEDS_WINDOW


@pytest.mark.parametrize(
    ("service", "version", "is_far_known", "reason"),
    [
        pytest.param("vbr-nrt 512 512", "12.3", False, "the other end is not known", id="alone"),
        pytest.param("vbr-nrt 400 400", "12.3", True, "not in the table", id="no cells that fit"),
        pytest.param("ubr 512", "12.3", True, "must be VBR or CBR", id="UBR takes no guarantees"),
        pytest.param("vbr-nrt 512 512", "12.1", True, "not known to have", id="an old release"),
    ],
)
def test_why_fragments_over_atm_have_no_lines(
    service: str, version: str, is_far_known: bool, reason: str
) -> None:
    sources = [config("r1", DSL.format(service, 1), version)]
    if is_far_known:
        sources.append(config("r2", DSL.format(service, 2), version))

    found = remedy(*sources)

    assert (found.level, found.lines) == (Level.MANUAL, ())
    assert reason in (found.advice or "")
