"""`--rate INTERFACE=RATE` and `[rates]`: the rate of a line that no file states."""

from pathlib import Path

import pytest

from advisor.outlet.outlets import outlets
from advisor.outlet.statements import misstated_of
from advisor.quantity import RateKind
from advisor.settings import Flags, Settings, SettingsError, StatedRate
from advisor.settings.file import load_settings, taken
from tests.support.devices import device_read

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
