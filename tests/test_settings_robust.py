"""Files of settings, scenarios and inventories of hostile shape end in a sentence."""

from pathlib import Path

import pytest

from advisor.cli import run

Said = pytest.CaptureFixture[str]
DEEP, DIGITS = 50_000, "9" * 5000
NESTED_TOML = f"a = {'[' * DEEP}{']' * DEEP}\n"
CLASS = '[[traffic]]\ndevice = "r1"\nclass = "DATA"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r1.cfg").write_text("hostname r1\nend\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(NESTED_TOML, "nested too deeply", id="nested arrays"),
        pytest.param(f"a = {'{b = ' * DEEP}", "nested too deeply", id="nested tables"),
        pytest.param(f"a = {DIGITS}\n", "too many digits", id="an endless integer"),
        pytest.param(f"a = 1{DIGITS}.5\n", "unknown key a", id="an endless fraction"),
        pytest.param(
            f"{'.'.join('a' * 5000)} = 1\n", "nested too deeply", id="a key of many parts"
        ),
        pytest.param("[budgets]\nring_wait_ms = nan\n", "a number > 0", id="no number"),
        pytest.param("[budgets]\nring_wait_ms = inf\n", "a number <= 1", id="an infinite number"),
        pytest.param(
            f"[budgets]\nring_wait_ms = {'9' * 4000}\n", "out of range", id="a number of any size"
        ),
        pytest.param(
            f'[budgets]\n"[{DIGITS}]" = 1\n', "unknown key", id="a key that looks like an index"
        ),
        pytest.param("\x00", "not TOML", id="a control character"),
    ],
)
@pytest.mark.parametrize("flag", ["--config", "--traffic"])
def test_toml(text: str, said: str, flag: str, folder: Path, capsys: Said) -> None:
    (folder / "s.toml").write_text(text, encoding="utf-8")
    assert run(["lint", "r1.cfg", flag, "s.toml"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("advisor: s.toml:")
    if flag == "--config":
        assert said in line


@pytest.mark.parametrize(
    "value", ["nan", "inf", "-1", "9" * 4000, "1e400", "[[[]]]", '"\\u0000"', "{a = 1}"]
)
@pytest.mark.parametrize(
    "key", ["packet_bytes", "packets_per_second", "rate_kbps", "calls", "peak_tps", "flows"]
)
def test_value_of_traffic(key: str, value: str, folder: Path, capsys: Said) -> None:
    (folder / "t.toml").write_text(f"{CLASS}{key} = {value}\n", encoding="utf-8")
    assert run(["lint", "r1.cfg", "--traffic", "t.toml"]) == 2
    assert capsys.readouterr().err.startswith("advisor: t.toml:")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 100_000, id="nested arrays"),
        pytest.param('{"a":' * 100_000, id="nested objects"),
        pytest.param(f'[{{"id": {DIGITS}}}]', id="an endless integer"),
        pytest.param('[{"id": "a", "link": {"rate_bps": NaN}}]', id="no number"),
        pytest.param('[{"id": "a", "link": {"rate_bps": 1e999}}]', id="an infinite number"),
    ],
)
def test_scenario(text: str, folder: Path, capsys: Said) -> None:
    (folder / "s.json").write_text(text, encoding="utf-8")
    assert run(["predict", "--scenario", "s.json"]) == 2
    assert capsys.readouterr().err.startswith("advisor: s.json:")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 20_000, id="nested arrays"),
        pytest.param("{a: " * 20_000, id="nested mappings"),
        pytest.param(f"r1:\n  hostname: 10.0.0.1\n  port: {DIGITS}\n", id="an endless integer"),
        pytest.param("a: &a [*a]\n", id="a list that holds itself"),
        pytest.param("r1: &a\n  data: *a\n", id="a mapping that holds itself"),
    ],
)
def test_inventory(text: str, folder: Path, capsys: Said) -> None:
    (folder / "hosts.yaml").write_text(text, encoding="utf-8")
    code = run(["collect", "--inventory", "hosts.yaml", "--out", "out", "--dry-run"])
    assert code in (0, 2)
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param("[" * 100_000 + "]" * 100_000, id="nested arrays"),
        pytest.param(f'[{{"command": "show clock", "bytes": {DIGITS}}}]', id="an endless integer"),
    ],
)
def test_manifest_of_a_bundle(commands: str, folder: Path, capsys: Said) -> None:
    bundle = folder / "bundle"
    bundle.mkdir()
    text = f'{{"schema":1,"device":null,"host":null,"privilege":null,"commands":{commands}}}'
    (bundle / "manifest.json").write_text(text, encoding="utf-8")
    (bundle / "running-config").write_text("version 12.4\nhostname r1\nend\n", encoding="utf-8")
    assert run(["lint", "bundle"]) == 3
    assert "manifest.json: unreadable" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[[hop]]\nconfig = "a\\u0000b"\n', id="a name that no file has"),
        pytest.param(NESTED_TOML, id="nested arrays"),
        pytest.param(f"[[hop]]\nconfig = {DIGITS}\n", id="an endless integer"),
    ],
)
def test_hops_of_a_path(text: str, folder: Path, capsys: Said) -> None:
    (folder / "hops.toml").write_text(text, encoding="utf-8")
    assert run(["predict", "--hops", "hops.toml"]) == 2
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.parametrize("tps", ["nan", "inf", "1e400", "1_0", "\u0663", "9" * 400, "-1", ""])
def test_number_of_a_traffic_table(tps: str, folder: Path, capsys: Said) -> None:
    text = f"site,tps,out_bytes,in_bytes,ru\ns1,{tps},900,900,1024\n"
    (folder / "t.csv").write_text(text, encoding="utf-8")
    assert run(["size", "dlsw", "--platform", "3640", "--table", "t.csv"]) == 2
    assert "tps" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["nan", "inf", "1e300", "9" * 5000, "-1"])
@pytest.mark.parametrize(
    "flag",
    ["--cpu-limit", "--interval", "--connect-timeout", "--command-timeout", "--device-timeout"],
)
def test_number_of_a_flag_of_collect(flag: str, value: str, capsys: Said) -> None:
    assert run(["collect", "10.0.0.1", flag, value, "--out", "out", "--dry-run"]) == 2
    assert flag in capsys.readouterr().err


@pytest.mark.parametrize("value", ["nan", "inf", "9" * 5000, "-1"])
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["predict", "--link", "{}"], id="rate of a link"),
        pytest.param(["predict", "--link", "512k", "--tx-ring-limit", "{}"], id="ring of a link"),
        pytest.param(["predict", "--link", "512k", "--set", "mtu={}"], id="a what-if"),
        pytest.param(["predict", "--link", "512k", "--sweep", "mtu=100..{}"], id="a sweep"),
        pytest.param(["design", "wred", "--rate", "{}"], id="rate of a design"),
        pytest.param(["design", "wred", "--rate", "512k", "--share", "af11={}%"], id="a share"),
        pytest.param(["design", "wred", "--rate", "512k", "--rtt", "{}"], id="a round trip"),
    ],
)
def test_number_of_a_flag(arguments: list[str], value: str, capsys: Said) -> None:
    assert run([each.replace("{}", value) for each in arguments]) == 2
    assert "internal error" not in capsys.readouterr().err
