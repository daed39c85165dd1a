"""Whatever lies where a file is named: a message within seconds, never a defect and never a hang."""

import os
import signal
import socket
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import process, run
from advisor.ground import bounded
from advisor.ground.data import DEEPEST, DataError, json_of

CONFIG = "hostname r1\ninterface Serial0/0\n bandwidth 512\nend\n"
Said = pytest.CaptureFixture[str]

pytestmark = pytest.mark.slow  # every command with every kind of file


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bounded, "_WAIT_S", 0.05)
    monkeypatch.setattr(bounded, "_IDLE_S", 0.05)
    (tmp_path / "r1.cfg").write_text(CONFIG, encoding="utf-8")
    return tmp_path


# Options and arguments that name a file; {} is the odd one.
NAMED = {
    "a configuration": "lint {}",
    "a configuration to fix": "fix {}",
    "a configuration to predict": "predict {}",
    "a configuration to inspect": "inspect {}",
    "a text to redact": "redact {}",
    "a configuration to explain": "explain LLQ001 {}",
    "an old state": "diff {} r1.cfg",
    "a baseline": "lint r1.cfg --baseline {}",
    "a settings file": "lint r1.cfg --config {}",
    "traffic": "lint r1.cfg --traffic {}",
    "scenarios": "predict --scenario {}",
    "hops": "predict --hops {}",
    "a table of sites": "size dlsw --platform 3640 --table {}",
    "a calibration": "size dlsw --platform 3640 --tps 1 --out-bytes 9 --in-bytes 9 --ru 99 "
    "--calibration {}",
    "an inventory": "collect --inventory {} --out out --dry-run",
    "a configuration to design on": "design edge --on {}",
    "rules": "lint r1.cfg --rules {}",
    "settings to add to": "suppress r1.cfg --rule LLQ001 --reason x --config {}",
}


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def _unreadable(path: Path) -> None:
    path.write_text("x", "utf-8")
    path.chmod(0)


def _circle(path: Path) -> None:
    path.symlink_to(path.name)


def _bytes(path: Path, payload: bytes) -> None:
    path.write_bytes(payload)


ODD: dict[str, Callable[[Path], None]] = {
    "a folder": Path.mkdir,
    "a pipe": _pipe,
    "a socket": _socket,
    "a link to itself": _circle,
    "a file that may not be read": _unreadable,
    "a file of NULs": lambda path: _bytes(path, bytes(5000)),
    "half a letter": lambda path: _bytes(path, b"\xc3"),
    "UTF-16": lambda path: _bytes(path, "a = 1\n".encode("utf-16")),
}
SAID_OTHERWISE = {0, 1, 2, 3}
# One option for each way of reading; every option meets a pipe.
READERS = ("a configuration", "a baseline", "a settings file", "a table of sites", "an inventory")
PAIRS = [
    pytest.param(NAMED[name], ODD[kind], id=f"{name}, {kind}")
    for name in NAMED
    for kind in ODD
    if name in READERS or kind == "a pipe"
]


@pytest.mark.parametrize(("command", "odd"), PAIRS)
def test_what_is_no_file_of_its_kind_is_no_defect(
    command: str, odd: Callable[[Path], None], folder: Path, capsys: Said
) -> None:
    odd(folder / "odd")
    code = run(command.format("odd").split())
    said = capsys.readouterr()
    assert code in SAID_OTHERWISE
    assert "internal error" not in said.err


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("a" * 5000, id="a name that is too long"),
        pytest.param("a/" * 3000 + "b", id="a path that is too long"),
        pytest.param("r1.cfg/x", id="a file as a folder"),
        pytest.param("x" * 300 + ".json", id="a JSON name that is too long"),
    ],
)
@pytest.mark.parametrize("command", [NAMED[name] for name in READERS], ids=READERS)
def test_a_name_that_no_file_can_have_is_wrong_use(command: str, name: str, capsys: Said) -> None:
    assert run(command.format(name).split()) == 2
    assert "internal error" not in capsys.readouterr().err


DEVICES = [name for name in ("/dev/kmsg", "/dev/tty", "/dev/ptmx") if os.path.exists(name)]  # noqa: PTH110


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("command", [NAMED[name] for name in READERS], ids=READERS)
def test_a_device_that_does_not_end_is_given_up(command: str, device: str, capsys: Said) -> None:
    assert run(command.format(device).split()) == 2
    assert "internal error" not in capsys.readouterr().err


JSON = {
    "nothing": "",
    "half of it": '{"a": [1',
    "nested objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "nested a little too deeply": "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2),
    "half a pair as a key": '{"\\ud800": 1}',
    "half a pair as a text": '[{"id": "\\udc00"}]',
    "a key given twice": '{"schema": 1, "schema": 2}',
    "no number": '{"schema": NaN}',
    "an infinite number": '{"schema": -Infinity}',
    "a number beyond floats": '{"schema": 1e999}',
    "a number of 400 digits": f'{{"schema": {"9" * 400}}}',
    "a number of 5000 digits": f'{{"schema": {"9" * 5000}}}',
    "a large number": '{"schema": 1e21}',
    "a tiny number": '{"schema": 1e-300}',
    "a raw NUL": '{"a": "\0"}',
    "a number alone": "5",
    "a text alone": '"x"',
    "null": "null",
}
OF_JSON = ("lint r1.cfg --baseline {}", "diff {} r1.cfg", "predict --scenario {}")


@pytest.mark.parametrize(
    ("command", "text"),
    [
        pytest.param(command, text, id=f"{command} {kind}")
        for command in OF_JSON
        for kind, text in JSON.items()
        if command == OF_JSON[0] or kind in {"nothing", "half of it", "nested objects", "null"}
    ],
)
def test_json_that_cannot_be_used_is_wrong_use_and_names_its_file(
    command: str, text: str, folder: Path, capsys: Said
) -> None:
    (folder / "odd.json").write_text(text, "utf-8")
    assert run(command.format("odd.json").split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "odd.json" in line


@pytest.mark.parametrize("text", list(JSON.values()), ids=list(JSON))
def test_a_manifest_that_cannot_be_used_costs_no_configuration(
    text: str, folder: Path, capsys: Said
) -> None:
    bundle = folder / "bundle"
    bundle.mkdir()
    (bundle / "running-config").write_text(f"{CONFIG} service-policy output NONE\n", "utf-8")
    (bundle / "manifest.json").write_text(text, "utf-8")
    assert run(["lint", "bundle", "--format", "json"]) in (1, 3)
    said = capsys.readouterr()
    assert "manifest.json: unreadable" in said.err
    assert '"device": "r1"' in said.out.replace('":"', '": "')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param('{"a": {"b": [1, 1e30]}}', "a.b[1]: expected 0, or a number", id="a number"),
        pytest.param('[{"c": "\\ud800"}]', "[0].c: the text is no Unicode", id="a text"),
        pytest.param('{"c": {"\\ud800": 1}}', "c.\\ud800: the key is no Unicode", id="a key"),
        pytest.param('{"a": 1, "a": 1}', "key a is given twice", id="twice"),
        pytest.param("\n\n{,", "x:3: not JSON", id="a line"),
        pytest.param("1" * 5000, "too many digits", id="digits"),
        pytest.param(f'{{"k": {"[" * 70}{"]" * 70}}}', "k: nested too deeply", id="depth"),
    ],
)
def test_a_value_is_refused_by_its_key(text: str, reason: str) -> None:
    with pytest.raises(DataError) as error:
        json_of(text, "x")
    assert reason in str(error.value)


ENTRY = '{"command": "show running-config", "file": "running-config"'


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        pytest.param(
            ', "asked_at": "0001-01-01T00:00:00+14:00"',
            "commands[0].asked_at: a time at the end of the calendar",
            id="the first day, east",
        ),
        pytest.param(
            ', "asked_at": "9999-12-31T23:59:59-14:00"',
            "commands[0].asked_at: a time at the end of the calendar",
            id="the last day, west",
        ),
        pytest.param(
            ', "asked_at": "2025-02-30T00:00:00Z"', "commands[0].asked_at: is no time", id="no day"
        ),
        pytest.param(', "asked_at": 5', "commands[0].asked_at: is no time", id="a number"),
        pytest.param(', "asked_at": {}', "commands[0].asked_at: is no time", id="a table"),
        pytest.param(', "bytes": "x"', "commands[0].bytes: Expected 'int'", id="a size in words"),
        pytest.param(', "cause": "x"', "commands[0].cause: Invalid enum value", id="a cause"),
    ],
)
def test_a_statement_of_a_manifest_that_cannot_be_used_costs_itself_alone(
    entry: str, said: str, folder: Path, capsys: Said
) -> None:
    bundle = folder / "bundle"
    bundle.mkdir()
    (bundle / "running-config").write_text(
        "version 12.4\n" + CONFIG.replace("end\n", " service-policy output NONE\nend\n"), "utf-8"
    )
    text = f'{{"schema":1,"device":"r1","host":null,"privilege":15,"commands":[{ENTRY}{entry}}}]}}'
    (bundle / "manifest.json").write_text(text, "utf-8")
    assert run(["lint", "bundle"]) == 1
    told = capsys.readouterr()
    assert f"bundle: manifest.json: not used, {said}" in told.err
    assert "REF001" in told.out
    assert "COL001" not in told.out


TOML = {
    "nothing": "",
    "a date where a number goes": "packet_bytes = 9999-12-31T23:59:59-14:00",
    "the first day": "x = 0001-01-01T00:00:00+14:00",
    "a key given twice": "x = 1\nx = 2",
    "an infinite number": "packets_per_second = inf",
    "a large number": "packets_per_second = 1e300",
    "nested tables": "a" + ".a" * 1000 + " = 1",
    "a half pair": 'x = "\\ud800"',
    "a raw NUL": "x = '\0'",
}
OF_TOML = [NAMED[name] for name in ("a settings file", "traffic", "hops", "a calibration")]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        pytest.param(command, text, id=f"{command} {kind}")
        for command in OF_TOML
        for kind, text in TOML.items()
        if command == OF_TOML[0] or kind in {"a large number", "an infinite number", "nothing"}
    ],
)
def test_toml_that_cannot_be_used_is_wrong_use_and_names_its_file(
    command: str, text: str, folder: Path, capsys: Said
) -> None:
    tables = {"--traffic": "[[traffic]]\nclass = 'V'\n", "--hops": "[[hop]]\n"}
    table = next((tables[word] for word in command.split() if word in tables), "")
    (folder / "odd.toml").write_text(table + text, "utf-8")
    code = run(command.format("odd.toml").split())
    said = capsys.readouterr().err
    assert "internal error" not in said
    if text:
        assert code == 2
        assert "odd.toml" in said


@pytest.mark.parametrize(
    "day",
    ["0001-01-01", "9999-12-31", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"],
)
def test_a_suppression_may_end_at_the_end_of_the_calendar(day: str, capsys: Said) -> None:
    Path("advisor.toml").write_text(
        f"[[suppress]]\nrule = 'REF001'\nreason = 'x'\nuntil = {day}\n", "utf-8"
    )
    assert run(["lint", "r1.cfg"]) == (2 if "T" in day else 1)  # unused, or expired
    assert "internal error" not in capsys.readouterr().err


BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 10)}]\n" for old, new in pairwise("abcdefghij")
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(BOMB, id="a billion of one name"),
        pytest.param(f"r1: {{data: {{x: {'[' * 3000}{']' * 3000}}}}}", id="nested"),
        pytest.param("r1: {port: 1e999}", id="an infinite port"),
        pytest.param("r1: {data: {d: 9999-12-31T23:59:59-14:00}}", id="the last day"),
        pytest.param("r1: {data: {d: 0001-01-01T00:00:00+14:00}}", id="the first day"),
        pytest.param("r1: !!python/object/apply:os.system ['true']", id="a program"),
        pytest.param('"\\ud800": {}', id="half a pair"),
        pytest.param("r1: {data: {d: 2025-13-45}}", id="no day"),
    ],
)
def test_an_inventory_of_yaml_is_bounded(text: str, folder: Path, capsys: Said) -> None:
    (folder / "hosts.yaml").write_text(text, "utf-8")
    code = run(["collect", "--inventory", "hosts.yaml", "--out", "out", "--dry-run"])
    assert code in (0, 2)
    assert "internal error" not in capsys.readouterr().err


def test_a_pipe_that_nobody_reads_is_no_output_for_ever(folder: Path, capsys: Said) -> None:
    os.mkfifo(folder / "pipe")
    assert run(["lint", "r1.cfg", "--output", "pipe"]) == 2
    assert "cannot be written: is a pipe that nobody reads" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/kmsg"), reason="no such device")  # noqa: PTH110
def test_a_device_as_standard_input_is_given_up(
    monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    with Path("/dev/kmsg").open(encoding="latin-1") as device:
        monkeypatch.setattr("sys.stdin", device)
        assert run(["lint", "-"]) == 2
    assert "<stdin>: is a device that does not end" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_hang_up_ends_a_run_as_a_termination_does(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers: dict[int, Any] = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_DFL)
    process.end_at_first()
    with pytest.raises(SystemExit) as end:
        handlers[number](number, None)
    assert end.value.code == 128 + number


@pytest.mark.parametrize("name", ["odd", "r1.cfg/../odd", "second"])
def test_a_link_to_itself_is_no_output_and_stays(name: str, folder: Path, capsys: Said) -> None:
    _circle(folder / "odd")
    (folder / "second").symlink_to("odd")
    assert run(["lint", "r1.cfg", "--output", name]) == 2
    assert "cannot be written: " in capsys.readouterr().err
    assert (folder / "odd").is_symlink()


A_LINE = "username bob password 0 TOPsecret1"
QUOTED = {
    "a configuration as a table of sites": (NAMED["a table of sites"], A_LINE),
    "a column": (NAMED["a table of sites"], f"site,{A_LINE}"),
    "a cell": (NAMED["a table of sites"], f"site,tps,out_bytes,in_bytes,ru\na,{A_LINE},1,1,1"),
    "a site": (
        NAMED["a table of sites"],
        f"site,tps,out_bytes,in_bytes,ru,host\n{A_LINE},1,1,1,1,\nb,1,1,1,1,h",
    ),
    "a key of settings": (NAMED["a settings file"], f'"{A_LINE}" = 1'),
    "a value of settings": (NAMED["a settings file"], f'profile = "{A_LINE}"'),
    "a rule of settings": (NAMED["a settings file"], f'[rules."{A_LINE}"]\na = 1'),
    "a key of a rule": (NAMED["a settings file"], f'[rules.TXR001]\n"{A_LINE}" = 1'),
    "a table given twice": (NAMED["a calibration"], f'["{A_LINE}"]\n["{A_LINE}"]'),
    "a key given twice": (NAMED["a settings file"], f'x = {{"{A_LINE}"=1,"{A_LINE}"=2}}'),
    "a key of traffic": (NAMED["traffic"], f'[[traffic]]\n"{A_LINE}" = 1'),
    "a key of JSON given twice": (NAMED["a baseline"], f'{{"{A_LINE}":1,"{A_LINE}":2}}'),
    "a key beyond limits": (NAMED["a baseline"], f'{{"{A_LINE}":1e300}}'),
    "an id of a scenario": (NAMED["scenarios"], f'[{{"id":"{A_LINE}"}}]'),
    "a host": (NAMED["an inventory"], f"{A_LINE}: 1"),
    "a group": (NAMED["an inventory"], f"r1: {{groups: [{A_LINE}]}}"),
}


@pytest.mark.parametrize(("command", "text"), list(QUOTED.values()), ids=list(QUOTED))
def test_no_message_quotes_what_may_be_a_line_of_a_configuration(
    command: str, text: str, folder: Path, capsys: Said
) -> None:
    name = "hosts.yaml" if "--inventory" in command else "odd"
    (folder / name).write_text(f"{text}\n", "utf-8")
    assert run(command.format(name).split()) == 2
    said = capsys.readouterr().err
    assert name in said
    assert "secret1" not in said.lower()
