"""`--rate INTERFACE=RATE` and `[rates]`: the rate of a line that no file states."""

from pathlib import Path

import pytest

from advisor.ground.quantity import RateKind
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.outlet.link_rates import sold_rate
from advisor.outlet.outlets import outlets
from advisor.outlet.statements import misstated_of
from advisor.settings import Flags, Settings, SettingsError, StatedRate
from advisor.settings.file import load_settings, taken
from advisor.settings.rates import rates_of_flags
from tests.support.devices import device_read
from tests.support.verdicts import hit_of

SUB_RATE_WITHOUT_SHAPER = CHECKS["sub-rate-without-shaper"]

CONFIG = (
    "version 15.2\nhostname R1\nclass-map match-all CALLS\n match dscp ef\n"
    "policy-map UP\n class CALLS\n  priority percent 20\n class class-default\n  fair-queue\n"
    "interface Serial0/0/0\n bandwidth 512\n encapsulation ppp\n service-policy output UP\n"
    "interface Serial0/1/0:1\n encapsulation ppp\n service-policy output UP\nend\n"
)


def rates(text: str) -> dict[str, float]:
    settings = Settings(rates=tuple(taken(text, Path("advisor.toml")).rates))
    found = outlets(device_read(CONFIG, settings))
    return {each.interface.name: each.wire_bps for each in found}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        pytest.param("Serial0/0/0", (256e3, 0.0), id="an interface of any device"),
        pytest.param("R1:Serial0/0/0", (256e3, 0.0), id="of one device"),
        pytest.param("r*:Serial0/0/0", (512e3, 0.0), id="names of devices have their case"),
        pytest.param("R2:Serial0/0/0", (512e3, 0.0), id="of another device"),
        pytest.param("Serial*", (256e3, 256e3), id="a pattern"),
        pytest.param("Serial0/1/0:1", (512e3, 256e3), id="a channel-group"),
        pytest.param("R?:Serial0/1/0:1", (512e3, 256e3), id="of one device by a pattern"),
    ],
)
def test_a_stated_rate_is_the_rate_of_the_line(key: str, expected: tuple[float, float]) -> None:
    assert tuple(rates(f'[rates]\n"{key}" = "256k"\n').values()) == expected


def test_a_flag_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "advisor.toml"
    file.write_text('[rates]\n"Serial0/0/0" = "256k"\n')
    stated = load_settings(tmp_path, Flags(config=file, rates=("Serial0/0/0=1.5M",)))

    device = device_read(CONFIG, stated)
    (outlet, _) = outlets(device)
    assert outlet.wire is not None
    assert (outlet.wire.value, outlet.wire.kind) == (1.5e6, RateKind.STATED)
    assert outlet.wire.source == "stated, --rate"
    assert [rate.source.rpartition("/")[2] for rate in stated.rates] == ["--rate", "advisor.toml:2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Serial0/0/0", "write INTERFACE=RATE, like Serial0/0=1536k"),
        ("=2M", "write INTERFACE=RATE"),
        ("5=2M", "write INTERFACE=RATE"),
        ("Serial0/0/0=fast", "--rate Serial0/0/0 fast: not a rate"),
        ("Serial0/0/0=1", "must be between 1k and 1000G"),
    ],
)
def test_an_odd_flag_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=said.replace("(", r"\(")):
        load_settings(tmp_path, Flags(rates=(text,)))


def test_an_odd_rate_of_the_file_names_its_line() -> None:
    with pytest.raises(SettingsError, match=r"advisor.toml:2: rates.Serial0/0/0: fast: not a rate"):
        taken('[rates]\n"Serial0/0/0" = "fast"\n', Path("advisor.toml"))


def test_a_rate_of_no_interface_names_the_nearest() -> None:
    stated = StatedRate("*", "Serial0/0/1", 1e6, "--rate")
    device = device_read(CONFIG, Settings(rates=(stated,)))

    (wrong,) = misstated_of(device)
    assert wrong.said == ("--rate: interface 'Serial0/0/1': R1 has none; did you mean Serial0/0/0?")


PORT = (
    CONFIG.partition("interface")[0]
    + "policy-map SHAPE\n class class-default\n  shape average 2000000\n  service-policy UP\n"
)
GIGABIT = "interface GigabitEthernet0/0\n"
SUBINTERFACES = (
    GIGABIT + "interface GigabitEthernet0/0.10\n encapsulation dot1Q 10\n"
    " service-policy output SHAPE\n"
)
CIRCUIT = (
    "interface Serial0/0\n bandwidth 1536\n encapsulation frame-relay\n"
    "interface Serial0/0.100 point-to-point\n frame-relay interface-dlci 100\n"
    " service-policy output SHAPE\n"
)
PPPOE = (
    GIGABIT + " pppoe-client dial-pool-number 1\n"
    "interface Dialer1\n encapsulation ppp\n dialer pool 1\n service-policy output SHAPE\n"
)
MODEM = "controller VDSL 0\n" + PPPOE.replace("GigabitEthernet0/0", "Ethernet0")
ISDN = PPPOE.replace(GIGABIT, "interface BRI0/0\n").replace(
    "pppoe-client dial-pool-number", "dialer pool-member"
)
ATM = (
    "interface ATM0.1 point-to-point\n pvc 8/35\n  {}\n  dialer pool-member 1\n"
    "interface Dialer1\n encapsulation ppp\n dialer pool 1\n service-policy output SHAPE\n"
)
BUNDLE = (
    "interface Multilink1\n ppp multilink\n ppp multilink group 1\n service-policy output UP\n"
    + "".join(
        f"interface Serial0/{n}\n bandwidth 512\n encapsulation ppp\n ppp multilink group 1\n"
        for n in (0, 1)
    )
)


@pytest.mark.parametrize(
    ("text", "stated", "wire_bps", "sold_bps"),
    [
        pytest.param(GIGABIT + " service-policy output UP\n", "GigabitEthernet0/0=2M", 1e9, 2e6,
                     id="a gigabit port has no speed of 2 Mb/s: it is the contract"),
        pytest.param(GIGABIT + " service-policy output UP\n", "GigabitEthernet0/0=100M", 100e6,
                     None, id="but one of 100 Mb/s"),
        pytest.param(SUBINTERFACES, "GigabitEthernet0/0.10=10M", 1e9, 10e6,
                     id="of a subinterface it is the contract"),
        pytest.param(CIRCUIT, "Serial0/0.100=256k", 1536e3, 256e3, id="of a circuit too"),
        pytest.param(CIRCUIT, "Serial0/0=768k", 768e3, None, id="of a serial port it is the line"),
        pytest.param(PPPOE, "Dialer1=1M", 1e9, 1e6, id="of a session on a port: the contract"),
        pytest.param(MODEM, "Dialer1=20M", 20e6, None, id="behind a modem: the line"),
        pytest.param(MODEM, "Ethernet0=20M", 20e6, None, id="of the modem's Ethernet: the line"),
        pytest.param(ISDN, "Dialer1=128k", 128e3, None, id="over ISDN: the line"),
        pytest.param(ATM.format("ubr"), "Dialer1=512k", 512e3, None,
                     id="over a PVC without a rate"),
        pytest.param(ATM.format("vbr-nrt 512 512"), "Dialer1=256k", 256e3, None,
                     id="slower than the PVC"),
        pytest.param(ATM.format("vbr-nrt 512 512"), "ATM*=2M", 512e3, None,
                     id="a PVC is no faster for its line"),
        pytest.param(BUNDLE, "Multilink1=512k", 256e3, None, id="a bundle: members share it"),
    ],
)  # fmt: skip
def test_a_stated_rate_is_of_the_line_or_of_the_contract(
    text: str, stated: str, wire_bps: float, sold_bps: float | None
) -> None:
    settings = Settings(rates=tuple(rates_of_flags((stated,))))
    device = device_read(PORT + text + "end\n", settings)

    for outlet in outlets(device):
        sold = sold_rate(device, outlet)
        assert outlet.wire_bps == wire_bps
        assert (sold.value if sold is not None else None) == sold_bps
    assert outlets(device)


def test_a_policy_on_a_port_that_sells_less_needs_a_shaper_and_no_ring() -> None:
    settings = Settings(rates=tuple(rates_of_flags(("GigabitEthernet0/0=2M",))))
    device = device_read(PORT + GIGABIT + " service-policy output UP\nend\n", settings)

    hit = hit_of(SUB_RATE_WITHOUT_SHAPER.find(device, NoParams()))

    assert (hit.evidence.sold, hit.evidence.rate_bps, hit.curable) == ("2000 kb/s", 2000000, True)
