"""Which platform a device is: the evidence, the strongest first, and what stays open."""

import pytest

from advisor.device.platform import Decision
from advisor.device.platform_evidence import platform_of
from advisor.device.platforms import Family, Generation
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.settings import StatedPlatform
from advisor.shows.observations import Observations
from tests.support.devices import device_read

PRE, HQF, XE = Generation.PRE_HQF, Generation.HQF, Generation.XE


def decision(text: str, stated: str | None = None) -> Decision:
    statements = (StatedPlatform("*", stated, "--platform"),) if stated is not None else ()
    facts = read_facts(parse_config(text, "r1.cfg"))
    return platform_of(facts, Observations(), "r1", statements)


@pytest.mark.parametrize(
    ("text", "family", "generation"),
    [
        pytest.param("hostname r1\n", None, PRE, id="nothing: not known"),
        pytest.param("version 12.4\n", None, PRE, id="12.4 alone names no hardware"),
        pytest.param("version 15.2\n", None, HQF, id="15.x alone names no hardware"),
        pytest.param("version 16.9\n", None, XE, id="16.x is IOS XE, a router or a switch"),
        pytest.param("version 26.1\n", None, XE, id="releases by the year are IOS XE"),
        pytest.param(
            "version 16.9\nlicense udi pid CSR1000V sn 9ABC\n", Family.QFP, XE, id="a CSR"
        ),
        pytest.param(
            "version 15.5\nlicense udi pid ISR4331/K9 sn F1\n", Family.QFP, XE, id="XE 3.x"
        ),
        pytest.param(
            "version 16.12\nplatform qfp utilization monitor load 80\n", Family.QFP, XE, id="qfp"
        ),
        pytest.param("version 15.5\nplatform console serial\n", None, XE, id="15.x is XE 3.x"),
        pytest.param(
            "version 15.5\nno platform punt-keepalive disable-kernel-core\n", None, XE,
            id="a negated command of IOS XE",
        ),
        pytest.param(
            "version 16.6\nlicense udi pid ASR-920-24SZ-M sn C1\n", Family.XE_WITHOUT_QFP, XE,
            id="ASR 920 has no QFP",
        ),
        pytest.param(
            "version 17.3\nvrf definition Mgmt-vrf\n", Family.MQC_SWITCH, XE,
            id="the management VRF of a Catalyst of IOS XE",
        ),
        pytest.param(
            "version 15.2\nvrf definition Mgmt-vrf\n", None, HQF, id="any router may name it so"
        ),
        pytest.param(
            "version 17.3\nswitch 1 provision c9200l-24p-4g\n", Family.MQC_SWITCH, XE,
            id="a stack of 9200L",
        ),
        pytest.param(
            "version 15.0\nswitch 1 provision ws-c2960s-48fps-l\n", Family.MLS_SWITCH, HQF,
            id="a stack of 2960S",
        ),
        pytest.param("version 12.2\nmls qos\n", Family.MLS_SWITCH, PRE, id="mls qos"),
        pytest.param(
            "version 15.2\ninterface GigabitEthernet1/0/1\n srr-queue bandwidth share 1 30 35 5\n",
            Family.MLS_SWITCH, HQF, id="srr-queue",
        ),
        pytest.param(
            "!RANCID-CONTENT-TYPE: cisco\n!Chassis type: 2811\nversion 12.4\n",
            Family.SOFTWARE, PRE, id="RANCID's chassis",
        ),
        pytest.param(
            "!Chassis type: RSP4\n!Slot 1/0: type VIP4-80 RM7000B\nversion 12.0\n",
            Family.DISTRIBUTED, PRE, id="a 7500 with a VIP",
        ),
        pytest.param("!Chassis type: RSP4\nversion 12.0\n", None, PRE, id="an RSP may have none"),
        pytest.param(
            "! Image: Software: PPC_LINUX_IOSD-UNIVERSALK9_NPE-M, 16.8.1b\n"
            "! Chassis type: ASR-920-24TZ-M\nversion 16.8\n",
            Family.XE_WITHOUT_QFP, XE, id="Oxidized's header of an ASR 920",
        ),
        pytest.param(
            "! Image: Software: X86_64_LINUX_IOSD-UNIVERSALK9-M, 15.3(2)S1\nversion 15.3\n",
            None, XE, id="LINUX_IOSD is IOS XE, and no proof of QFP",
        ),
        pytest.param(
            "version 12.4\nboot system flash:c2800nm-ipbase-mz.124-24.T5.bin\n",
            Family.SOFTWARE, HQF, id="the image of 12.4(24)T",
        ),
        pytest.param(
            "version 15.1\nlicense udi pid CISCO2911/K9 sn FTX1524PNC4-\n", Family.LAB, HQF,
            id="the serial number of Packet Tracer: no router",
        ),
        pytest.param(
            "version 15.1\nlicense udi pid CISCO1941/K9 sn FTX1524ABCD\n", Family.SOFTWARE, HQF,
            id="ISR G2",
        ),
        pytest.param(
            "version 15.7\n" + "".join(f"interface Ethernet{port}\n" for port in
                                       ("0/0", "0/1", "0/2", "0/3")),
            Family.LAB, HQF, id="IOL by its ports",
        ),
        pytest.param(
            "version 15.2\ninterface Ethernet0/0\ninterface GigabitEthernet0/0\n", None, HQF,
            id="other ports beside: no IOL",
        ),
        *(
            pytest.param(f"version 12.2\nboot system flash:{image}\n", Family.OTHER, PRE, id=image)
            for image in (
                "cat4500-entservicesk9-mz.122-53.SG.bin", "me340x-metroipaccessk9-mz.122-58.SE.bin",
                "c10k3-p11-mz.122-33.SB.bin", "s222-ipbasek9-mz", "uBR10k4-k9p6u2-mz.122-33.SCB",
            )
        ),
        *(
            pytest.param(f"version 12.4\n{line}", Family.OTHER, PRE, id=f"line {line.split()[0]}")
            for line in (
                "slot-table-cos A\n", "card 1/0 1gigethernet-hh-1\n",
                "interface Gi0/1\n port-type nni\n", "interface Gi1/1\n tx-queue 3\n",
            )
        ),
        pytest.param("version 15.2\nboot system flash:cat4500e-universalk9\n", Family.MQC_SWITCH,
                     XE, id="a Catalyst 4500 with Supervisor 6"),
        pytest.param("version 15.2\nboot system flash:backup.bin\n", None, HQF,
                     id="a name that is no image of IOS says nothing"),
        pytest.param("version 12.4\nboot system flash:c7301-jk9o3s-mz.124-15.T.bin\n",
                     Family.SOFTWARE, PRE, id="a router of the 7300 series"),
        pytest.param("version 15.2\nboot system flash:asr901-universalk9-mz\n", Family.OTHER, HQF,
                     id="an ASR 901"),
        pytest.param("version 15.2\nboot system flash:c2951-universalk9-mz.SPA.152-4.M3.bin\n",
                     Family.SOFTWARE, HQF, id="a 2951 is a router beside the switches C2950 and C2955"),
        pytest.param("version 12.1\nboot system flash:c2950-i6q4l2-mz.121-22.EA1.bin\n",
                     Family.MLS_SWITCH, PRE, id="a 2950 is a switch"),
    ],
)  # fmt: skip
def test_the_family_and_the_generation(
    text: str, family: Family | None, generation: Generation
) -> None:
    platform = decision(text)
    assert (platform.family, platform.generation) == (family, generation)


@pytest.mark.parametrize(
    ("text", "model"),
    [
        pytest.param("!Chassis type: 2811\n", "2811", id="RANCID's header"),
        pytest.param(
            "! Chassis type: cisco 7206VXR (NPE400)\n", "7206VXR", id="with the maker's name"
        ),
        pytest.param("license udi pid CISCO2911/K9 sn FTX1\n", "2911", id="licence of an ISR G2"),
        pytest.param("license udi pid ISR4331/K9 sn FTX1\n", "4331", id="licence of an ISR 4000"),
        pytest.param("license udi pid C881-K9 sn FTX1\n", "881", id="licence of an 881"),
        pytest.param("license udi pid CSR1000V sn 9ABC\n", "CSR1000V", id="licence of a CSR"),
        pytest.param(
            "boot system flash c2800nm-adventerprisek9-mz.124-15.T9.bin\n", "2800", id="boot image"
        ),
        pytest.param("boot system flash:c7200-jk9s-mz.123-26.bin\n", "7200", id="image of a 7200"),
        pytest.param("boot system flash slot0:rsp-jsv-mz.120-5.XE3.bin\n", "7500", id="RSP"),
        pytest.param("boot-start-marker\nboot-end-marker\n", None, id="markers say nothing"),
        pytest.param(
            "!Chassis type: 2811\nboot system flash c2800nm-ipbase-mz.124-3.bin\n", "2811",
            id="the chassis is better than the family of the image",
        ),
        pytest.param("hostname r1\n", None, id="nothing: not known"),
    ],
)  # fmt: skip
def test_the_model(text: str, model: str | None) -> None:
    assert decision(text).model_name == model


@pytest.mark.parametrize(
    ("text", "release"),
    [
        pytest.param(
            "!Image: Software: C2800NM-ADVIPSERVICESK9-M, 12.4(15)T9, RELEASE SOFTWARE (fc5)\n",
            "12.4(15)T9",
            id="RANCID's header",
        ),
        pytest.param("boot system flash rsp-jsv-mz.120-5.XE3.bin\n", "12.0(5)XE3", id="12.0(5)XE3"),
        pytest.param("boot system flash c2600-ik9s-mz.122-15.T.bin\n", "12.2(15)T", id="12.2(15)T"),
        pytest.param("boot system flash c7200-jk9s-mz.123-26.bin\n", "12.3(26)", id="mainline"),
        pytest.param(
            "boot system flash0:c2900-universalk9-mz.SPA.152-4.M3.bin\n", "15.2(4)M3", id="signed"
        ),
        pytest.param("version 12.4\n", "12.4", id="the version line"),
    ],
)
def test_the_release(text: str, release: str | None) -> None:
    assert decision(text).release_name == release


def test_the_engine_of_a_backup_header() -> None:
    platform = decision("!Chassis type: 7206VXR\n!CPU: NPE300, R7000 CPU\nversion 12.4\n")
    assert (platform.processor_name, platform.model_name) == ("NPE300", "7206VXR")


def test_a_stated_platform_fills_what_nothing_shows() -> None:
    platform = decision("version 16.9\n", stated="ISR4331")
    assert (platform.family, platform.model_name) == (Family.QFP, "ISR4331")


def test_a_stated_platform_stands_above_a_name_that_no_table_has() -> None:
    platform = decision("version 12.4\nboot system flash:x99-universalk9-mz\n", stated="2811")
    assert platform.family is Family.SOFTWARE


def test_a_stated_platform_that_the_evidence_contradicts_is_not_used() -> None:
    platform = decision("version 16.9\nlicense udi pid CSR1000V sn 9A\n", stated="2811")
    assert platform.family is Family.QFP
    assert [str(piece) for piece in platform.contradicting] == ["--platform: platform 2811"]


def test_the_strongest_evidence_wins_and_the_other_is_kept() -> None:
    text = "!Chassis type: 2811\nversion 15.1\nboot system flash:c7200-is-mz.123-26.bin\n"
    platform = decision(text)
    assert (platform.model_name, platform.generation) == ("2811", HQF)
    assert [str(piece) for piece in platform.contradicting] == [
        "version 12.3(26), r1.cfg:3",
    ]


def test_show_version_is_stronger_than_the_configuration() -> None:
    shown = (
        "r1#show version\n"
        "Cisco IOS Software, IOS-XE Software (X86_64_LINUX_IOSD-UNIVERSALK9-M), "
        "Version 15.3(2)S1, RELEASE SOFTWARE (fc1)\n"
        "IOS XE Version: 03.09.01.S\n"
        'System image file is "bootflash:asr1001-universalk9.03.09.01.S.153-2.S1.bin"\n'
        "cisco ASR1001 (1RU) processor with 1133939K/6147K bytes of memory.\n"
        "r1#show running-config\n"
        "version 15.3\nhostname r1\nend\n"
    )
    platform = device_read(shown).platform
    assert (platform.family, platform.generation, platform.model_name) == (
        Family.QFP,
        XE,
        "ASR1001",
    )


@pytest.mark.parametrize(
    ("text", "family"),
    [
        pytest.param(
            "!Chassis type: RSP4+\nip cef distributed\n",
            Family.DISTRIBUTED,
            id="a chassis of the 7500",
        ),
        pytest.param(
            "!Image: Software: rsp-pv-mz, 12.2(25)S8\nip cef distributed\n",
            Family.DISTRIBUTED,
            id="an image of the 7500",
        ),
        pytest.param("!Chassis type: RSP4+\n", None, id="no line that distributes"),
        pytest.param("version 12.2\nip cef distributed\n", None, id="switches have the line too"),
        pytest.param(
            "version 12.2\nip cef distributed\ninterface Serial6/0/0\n",
            None,
            id="no port that is said to be distributed",
        ),
        pytest.param(
            "version 12.0\ninterface POS5/0/0\n ip route-cache distributed\n",
            Family.DISTRIBUTED,
            id="the line of a port",
        ),
        pytest.param(
            "version 12.2\nip cef distributed\ninterface GigabitEthernet1/0/1\n",
            None,
            id="a port of a switch",
        ),
        pytest.param(
            "version 12.2\nip cef\ninterface Serial6/0/0\n", None, id="central forwarding"
        ),
    ],
)
def test_distributed_forwarding_of_a_7500_is_done_by_vips(text: str, family: Family | None) -> None:
    assert decision(text).family is family


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("interface POS5/0\n ip route-cache distributed\n", id="a card of a 12000"),
        pytest.param("interface Serial6/0/0\n ip route-cache distributed\n", id="a VIP"),
    ],
)
def test_a_router_whose_cards_forward_has_no_defaults_of_software_routers(text: str) -> None:
    platform = decision(f"version 12.0\n{text}")
    assert not platform.has_classic_defaults


def test_a_7500_without_a_line_of_its_cards_stays_open() -> None:
    platform = decision("!Chassis type: RSP7000\n")
    assert platform.families == (Family.SOFTWARE, Family.DISTRIBUTED)
    assert platform.title == "a 7500, with VIPs or without"


SOFTWARE = (
    "Cisco IOS Software [Amsterdam], ASR1000 Software (X86_64_LINUX_IOSD-UNIVERSALK9-M), "
    "Version 17.3.4a, RELEASE SOFTWARE (fc3)\n"
)


@pytest.mark.parametrize(
    ("typed", "printed", "family", "generation", "model"),
    [
        pytest.param("i IOS", SOFTWARE, Family.QFP, XE, None, id="the line of the software"),
        pytest.param("s IOS", SOFTWARE, Family.QFP, XE, None, id="a section"),
        pytest.param(
            "i XE", "Cisco IOS XE Software, Version 16.09.04\n", None, XE, None, id="IOS XE alone"
        ),
        pytest.param("i ROM", "ROM: IOS-XE ROMMON\n", None, XE, None, id="the bootstrap of IOS XE"),
        pytest.param(
            "i processor",
            "cisco 2811 (MPC860) processor (revision 3.0) with 250880K/11264K bytes of memory.\n",
            Family.SOFTWARE,
            PRE,
            "2811",
            id="the box",
        ),
        pytest.param(
            "i image",
            'System image file is "bootflash:isr4300-universalk9.16.09.04.SPA.bin"\n',
            Family.QFP,
            XE,
            None,
            id="the image file",
        ),
        pytest.param("i uptime", "r1 uptime is 2 weeks\n", None, PRE, None, id="nothing of that"),
    ],
)
def test_each_line_that_a_filter_left_of_show_version_counts(
    typed: str, printed: str, family: Family | None, generation: Generation, model: str | None
) -> None:
    shown = f"r1#sh ver | {typed}\n{printed}r1#show running-config\nhostname r1\nend\n"
    platform = device_read(shown).platform
    assert (platform.family, platform.generation, platform.model_name) == (
        family,
        generation,
        model,
    )


CHASSIS = 'NAME: "Chassis", DESCR: "Cisco ISR4331 Chassis"\n'
PRODUCT = "PID: ISR4331/K9        , VID: V04  , SN: FDO0000A0AA\n"
MODULE = 'NAME: "module 0", DESCR: "WAN Card"\nPID: WIC-2T , VID: V02 , SN: 30000001\n'


def inventoried(items: str, config: str) -> Decision:
    shown = f"r1#show inventory\n{items}r1#show running-config\n{config}hostname r1\nend\n"
    return device_read(shown).platform


def test_the_chassis_of_show_inventory_names_family_and_model() -> None:
    platform = inventoried(CHASSIS + PRODUCT + MODULE, "version 15.5\n")
    assert (platform.family, platform.generation, platform.model_name) == (Family.QFP, XE, "4331")
    assert str(platform.decides_family) == "show inventory: ISR4331/K9, r1.txt:2"


def test_show_inventory_is_stronger_than_the_licence() -> None:
    platform = inventoried(
        CHASSIS + PRODUCT, "version 15.5\nlicense udi pid CISCO2911/K9 sn FTX1524ABCD\n"
    )
    assert (platform.family, platform.model_name) == (Family.QFP, "4331")
    assert [piece.text for piece in platform.contradicting] == ["licence CISCO2911/K9"]


@pytest.mark.parametrize(
    "items",
    [
        pytest.param(
            CHASSIS + "PID: , VID: V04 , SN: FDO0000A0AA\n" + MODULE, id="without a product id"
        ),
        pytest.param(CHASSIS + MODULE, id="cut before its product id"),
    ],
)
def test_no_module_is_taken_for_the_chassis(items: str) -> None:
    platform = inventoried(items, "version 15.5\n")
    assert (platform.family, platform.model_name) == (None, None)


@pytest.mark.parametrize(
    "port",
    [
        pytest.param("GigabitEthernet1", id="as on a CSR"),
        pytest.param("GigabitEthernet0/0/0", id="as on an ISR 4000, or on a card of a 2800"),
        pytest.param("GigabitEthernet1/0/1", id="as on a stack"),
    ],
)
def test_the_name_of_a_port_is_a_hint_and_decides_nothing(port: str) -> None:
    platform = decision(f"version 16.9\ninterface {port}\n")
    assert platform.family is None
    assert [str(piece) for piece in platform.evidence] == [
        "version 16.9, r1.cfg:1",
        f"port {port}, r1.cfg:2",
    ]


_CLASS = "{version}policy-map WAN\n class DATA\n  bandwidth percent 20\n  {line}\n"
_V124 = "version 12.4\n"


@pytest.mark.parametrize(
    ("version", "line", "generation"),
    [
        pytest.param(_V124, "fair-queue", HQF, id="fair queueing inside a class came with HQF"),
        pytest.param("", "fair-queue", HQF, id="and it tells without a version, too"),
        pytest.param(_V124, "queue-limit 96 packets", HQF, id="HQF prints the unit of queue-limit"),
        pytest.param(_V124, "queue-limit 96", PRE, id="a bare queue-limit tells nothing"),
        pytest.param(_V124, "no fair-queue", PRE, id="a class without fair queueing tells nothing"),
        pytest.param(_V124, "priority level 1", HQF, id="levels of priority"),
        pytest.param(_V124, "bandwidth remaining ratio 5", HQF, id="a ratio of what remains"),
        pytest.param(_V124, "bandwidth remaining percent 5", PRE, id="its percent tells nothing"),
        pytest.param("version 12.3\n", "fair-queue", PRE, id="a version that decides is stronger"),
        pytest.param(
            "version 12.4\nboot system flash:c2800nm-ipbase-mz.124-15.T9.bin\n", "fair-queue", PRE,
            id="so is the release of the boot image",
        ),
        pytest.param(
            "! Chassis type: RSP4\nversion 12.4\n", "fair-queue", PRE,
            id="a VIP of a 7500 takes it in every release",
        ),
    ],
)  # fmt: skip
def test_what_only_one_generation_can_hold_is_evidence(
    version: str, line: str, generation: Generation
) -> None:
    platform = decision(_CLASS.format(version=version, line=line))
    assert platform.generation is generation
    assert not platform.contradicting


def test_fair_queue_of_class_default_tells_no_generation() -> None:
    text = "version 12.4\npolicy-map WAN\n class class-default\n  bandwidth 64\n  fair-queue\n"
    assert decision(text).generation is PRE


def test_a_stated_generation_is_stronger_than_the_syntax() -> None:
    text = _CLASS.format(version=_V124, line="fair-queue")
    assert decision(text, "pre-hqf").generation is PRE
