"""Devices from the command line and from inventories."""

import json
from pathlib import Path

import pytest
from nornir.core.inventory import Inventory
from nornir.core.plugins.inventory import InventoryPluginRegister

from advisor.cli import run
from advisor.collect.hosts import InventoryError, Target, filtered, target_of
from advisor.collect.inventory import targets_of
from advisor.collect.transport import SshProfile

HOSTS = """\
r1:
  hostname: 192.0.2.1
  groups: [branches]
  data: {role: wan, site: 7}
r2:
  hostname: 192.0.2.2
  port: 2222
  username: other
  data: {role: lan, ssh_profile: legacy}
"""
# Each rung is in both groups of the next one.
LADDER = "g: {groups: [a1, b1]}\na60: {}\nb60: {}\n" + "".join(
    f"{side}{rung}: {{groups: [a{rung + 1}, b{rung + 1}]}}\n"
    for rung in range(1, 60)
    for side in "ab"
)
GROUPS = "branches:\n  username: branch-admin\n  data: {region: north}\n"


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    (tmp_path / "hosts.yaml").write_text(HOSTS, "utf-8")
    (tmp_path / "groups.yaml").write_text(GROUPS, "utf-8")
    (tmp_path / "defaults.yaml").write_text("data: {owner: net}\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        pytest.param("r1", "r1", 22, id="a name"),
        pytest.param("192.0.2.1:2222", "192.0.2.1", 2222, id="an address and a port"),
        pytest.param("2001:db8::1", "2001:db8::1", 22, id="IPv6"),
        pytest.param("[2001:db8::1]:2222", "2001:db8::1", 2222, id="IPv6 and a port"),
        pytest.param("r1;$(id)", "r1;$(id)", 22, id="shell characters are no shell's"),
    ],
)
def test_host_is_read(text: str, address: str, port: int) -> None:
    target = target_of(text)
    assert (target.address, target.port) == (address, port)


@pytest.mark.parametrize("text", ["", "r1 r2", "r1\nreload", "r1:0", "r1:99999", "u@r1", "r1:x"])
def test_what_is_no_host_is_refused(text: str) -> None:
    with pytest.raises(InventoryError):
        target_of(text)


@pytest.mark.parametrize(
    "name", ["../../etc", "a/b", "..", "r1;rm", "\u202er1", "CON\x00", "x" * 300]
)
def test_folder_of_any_name_is_a_plain_one(name: str, tmp_path: Path) -> None:
    folder = Target(name, "192.0.2.1").folder
    assert (tmp_path / folder).resolve().parent == tmp_path.resolve()
    (tmp_path / folder).mkdir()


def test_names_that_differ_in_odd_characters_have_folders_of_their_own() -> None:
    assert Target("a/b", "x").folder != Target("a:b", "x").folder


def test_inventory_folder_gives_addresses_users_and_data(inventory: Path) -> None:
    r1, r2 = targets_of((), inventory, (), None)
    assert (r1.name, r1.address, r1.port, r1.username) == ("r1", "192.0.2.1", 22, "branch-admin")
    assert (r2.port, r2.username, r2.profile) == (2222, "other", SshProfile.LEGACY)
    assert {("role", "wan"), ("region", "north"), ("owner", "net"), ("group", "branches")} <= set(
        r1.labels
    )


def test_hosts_file_alone_is_an_inventory(inventory: Path) -> None:
    assert len(targets_of((), inventory / "hosts.yaml", (), None)) == 2


def test_nornir_configuration_names_its_plugin(inventory: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(
        "inventory:\n  plugin: SimpleInventory\n  options: {host_file: hosts.yaml,"
        " group_file: groups.yaml, defaults_file: defaults.yaml}\n",
        "utf-8",
    )
    assert [each.name for each in targets_of((), config, (), None)] == ["r1", "r2"]
    assert not list(inventory.glob("*.log"))


def test_plain_list_is_an_inventory(tmp_path: Path) -> None:
    file = tmp_path / "hosts.txt"
    file.write_text("r1  # head office\n\n# r9\n192.0.2.2:2222\n", "utf-8")
    assert [each.name for each in targets_of((), file, (), None)] == ["r1", "192.0.2.2:2222"]


def test_profile_of_the_command_line_is_that_of_all(inventory: Path) -> None:
    targets = targets_of((), inventory, (), SshProfile.MODERN)
    assert {each.profile for each in targets} == {SshProfile.MODERN}


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        pytest.param("{hostname: '127.0.0.1:2222'}", "127.0.0.1:2222", id="within the hostname"),
        pytest.param("{hostname: 127.0.0.1, port: 2222}", "127.0.0.1:2222", id="beside it"),
        pytest.param("{hostname: '127.0.0.1:2222', port: 2222}", "127.0.0.1:2222", id="in both"),
        pytest.param("{hostname: '2001:db8::1'}", "[2001:db8::1]", id="none, of IPv6"),
        pytest.param("{hostname: '[2001:db8::1]:2222'}", "[2001:db8::1]:2222", id="of IPv6"),
        pytest.param("{port: 2222}", "r1:2222", id="of a name"),
    ],
)
def test_port_of_an_inventory(tmp_path: Path, text: str, endpoint: str) -> None:
    (tmp_path / "hosts.yaml").write_text(f"r1: {text}\n", "utf-8")
    assert [target.endpoint for target in targets_of((), tmp_path, (), None)] == [endpoint]


def test_a_folder_is_never_the_one_of_all() -> None:
    assert Target("", "192.0.2.1").folder


@pytest.mark.parametrize(
    ("conditions", "names"),
    [
        pytest.param(["role=wan"], ["r1"], id="data"),
        pytest.param(["site=7"], ["r1"], id="a number"),
        pytest.param(["group=branches"], ["r1"], id="a group"),
        pytest.param(["name=r2"], ["r2"], id="the name"),
        pytest.param(["role=wan", "role=lan"], ["r1", "r2"], id="one of two values"),
    ],
)
def test_filter(inventory: Path, conditions: list[str], names: list[str]) -> None:
    assert [each.name for each in targets_of((), inventory, conditions, None)] == names


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        pytest.param(["role"], "takes KEY=VALUE", id="no value"),
        pytest.param(["role=core"], "no device of 1 matches", id="nobody meets it"),
    ],
)
def test_filter_that_cannot_be_used(conditions: list[str], said: str) -> None:
    with pytest.raises(InventoryError, match=said):
        filtered([Target("r1", "r1", labels=(("role", "wan"),))], conditions)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        pytest.param("hosts.yaml", "r1: [S3ntinel\n", "line 2: not YAML", id="broken YAML"),
        pytest.param("hosts.yaml", "- r1\n", "must be a table of names", id="a list"),
        pytest.param(
            "hosts.yaml", "r1: S3ntinel\n", "r1: takes hostname", id="a host without keys"
        ),
        pytest.param("hosts.yaml", "r1: {groups: [x]}\n", "no group 'x'", id="an unknown group"),
        pytest.param(
            "hosts.yaml", "r1: {hostname: 'a b'}\n", "r1: a host", id="a name with a blank"
        ),
        pytest.param(
            "hosts.yaml", "r1: {data: {ssh_profile: x}}\n", "modern or legacy", id="a profile"
        ),
        pytest.param("hosts.yaml", "", "no device", id="nothing"),
        pytest.param("hosts.yaml", "'': {hostname: r1}\n", "a device has a name", id="no name"),
        pytest.param(
            "hosts.yaml",
            "r1: {port: 65558}\n",
            "r1: port takes a whole number",
            id="a port too large",
        ),
        pytest.param(
            "hosts.yaml", "r1: {port: -1}\n", "r1: port takes a whole number", id="below 1"
        ),
        pytest.param("hosts.yaml", "r1: {port: 0}\n", "r1: port takes a whole number", id="port 0"),
        pytest.param(
            "hosts.yaml",
            "r1: {hostname: 'a:22022', port: 23}\n",
            "names port 22022",
            id="two ports",
        ),
        pytest.param(
            "hosts.yaml", "r1: {hostname: 'a:99999'}\n", "port 99999 is not in", id="in a hostname"
        ),
        pytest.param("hosts.txt", "r1\nr1 r2\n", "hosts.txt:2", id="a bad line"),
        pytest.param(
            "c.yaml", "inventory: {plugin: NoInventory}\n", "extra installed", id="no plugin"
        ),
    ],
)
def test_inventory_that_cannot_be_used_is_said_without_its_text(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InventoryError) as raised:
        targets_of((), tmp_path / name, (), None)
    assert said in str(raised.value)
    assert "S3ntinel" not in str(raised.value)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        pytest.param("hosts.yaml", "r1: {hostname: [S3ntinel]}\n", "r1: hostname takes text", id="a host name that is a list"),
        pytest.param("hosts.yaml", "r1: {hostname: 4}\n", "r1: hostname takes text", id="a host name that is a number"),
        pytest.param("hosts.yaml", "r1: {hostname: .nan}\n", "r1: hostname takes text", id="a host name that is no number"),
        pytest.param("hosts.yaml", "r1: {username: 7}\n", "r1: username takes text", id="a user that is a number"),
        pytest.param("hosts.yaml", "r1: {data: [S3ntinel]}\n", "r1: data takes names", id="data that is a list"),
        pytest.param("hosts.yaml", "r1: {port: x}\n", "r1: port takes a whole number", id="a port that is text"),
        pytest.param("hosts.yaml", "r1: {port: 70000}\n", "r1: port takes a whole number", id="a port that there is not"),
        pytest.param("hosts.yaml", "r1: {port: true}\n", "r1: port takes a whole number", id="a port that is yes"),
        pytest.param("hosts.yaml", "r1: {groups: 5}\n", "r1: groups takes a list", id="groups that are a number"),
        pytest.param("hosts.yaml", "r1: {groups: [[a]]}\n", "r1: groups takes a list", id="a group that is a list"),
        pytest.param("hosts.yaml", "r1: {connection_options: {a: 3}}\n", "r1: connection_options takes ways", id="a way to connect that is a number"),
        pytest.param("groups.yaml", "g: {data: 2.5}\n", "groups.yaml: g: data takes names", id="data of a group"),
        pytest.param("defaults.yaml", "hostname: 7\n", "defaults.yaml: hostname takes text", id="the defaults"),
        pytest.param("hosts.yaml", "r1:\n  password: S3ntinel\n  password: S3ntinel\n", "line 3: a key is given twice", id="a password twice"),
        pytest.param("hosts.yaml", "r1: {password: *S3ntinel}\n", "line 1: not YAML", id="an alias of nothing"),
        pytest.param("hosts.yaml", "r1: {password: !S3ntinel x}\n", "line 1: not YAML", id="a tag that is not known"),
        pytest.param("hosts.yaml", f"r1: {{port: {'9' * 5000}}}\n", "too many digits", id="a huge number"),
        pytest.param("hosts.yaml", "r1: {data: {since: 2001-02-30}}\n", "hosts.yaml: ", id="a day that there is not"),
        pytest.param("groups.yaml", LADDER, "has more than 1000 ways through its groups", id="groups by very many ways"),
        pytest.param("groups.yaml", "g: {groups: [g]}\n", "g: is a group of itself", id="a group in itself"),
    ],
)  # fmt: skip
def test_what_no_inventory_may_say_is_said_with_its_file_and_place(
    inventory: Path, capsys: pytest.CaptureFixture[str], file: str, text: str, said: str
) -> None:
    if file == "groups.yaml":
        text += "branches: {groups: [g]}\n"
    (inventory / file).write_text(text, "utf-8")
    assert run(["collect", "--inventory", str(inventory), "--dry-run"]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert "S3ntinel" not in told.err


@pytest.mark.parametrize("command", ["collect", "audit"])
def test_plan_is_json_where_it_is_asked_for(
    inventory: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    words = (command, "--inventory", str(inventory), "--dry-run", "--format", "json")
    assert run([*words, "--interval", "30"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["schema"], plan["interval_s"], plan["jump"]) == (1, 30.0, None)
    assert plan["devices"] == [
        {"name": "r1", "address": "192.0.2.1", "ssh_profile": "modern"},
        {"name": "r2", "address": "192.0.2.2:2222", "ssh_profile": "legacy"},
    ]
    by_command = {step.pop("command"): step for step in plan["commands"]}
    assert list(by_command)[:3] == ["show privilege", "show version", "show processes cpu"]
    assert by_command["show interfaces"] == {
        "older": [],
        "waits_for_cpu": True,
        "is_sampled_twice": True,
    }


def test_what_an_account_must_be_allowed_is_no_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["collect", "--print-authorization", "--format", "json"]) == 2
    said = capsys.readouterr()
    assert "does not go with --print-authorization" in said.err
    assert not said.out


def test_inventory_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InventoryError, match="no such file"):
        targets_of((), tmp_path / "none", (), None)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        pytest.param("hosts.yaml", "r1: {password: S3ntinel}\n", id="of a device"),
        pytest.param("defaults.yaml", "password: S3ntinel\n", id="of all"),
        pytest.param(
            "hosts.yaml",
            "r1: {connection_options: {netmiko: {password: S3ntinel}}}\n",
            id="of a way to connect",
        ),
    ],
)
def test_password_of_an_inventory_is_noticed_and_not_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, text: str
) -> None:
    (tmp_path / "hosts.yaml").write_text("r1: {}\n", "utf-8")
    (tmp_path / file).write_text(text, "utf-8")
    assert [each.has_password for each in targets_of((), tmp_path, (), None)] == [True]
    assert run(["collect", "--inventory", str(tmp_path), "--dry-run"]) == 0
    said = capsys.readouterr()
    assert "1 of 1 devices; they are not used: remove them, and set ADVISOR_PASSWORD" in said.err
    assert "S3ntinel" not in said.out + said.err


class _OddError(Exception):
    """What the library behind a plugin raises."""


class OddInventory:
    """A plugin that fails in its own way."""

    def __init__(self, *arguments: str, **options: str) -> None:
        del arguments, options

    def load(self) -> Inventory:
        raise _OddError("token S3ntinel refused")


def test_plugin_that_fails_in_its_own_way_is_said_without_its_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    InventoryPluginRegister.register("Odd", OddInventory)
    config = tmp_path / "config.yaml"
    config.write_text("inventory: {plugin: Odd}\n", "utf-8")
    try:
        assert run(["collect", "--inventory", str(config), "--dry-run"]) == 2
    finally:
        InventoryPluginRegister.deregister("Odd")
    said = capsys.readouterr().err
    assert "its inventory plugin failed with" in said
    assert "OddError" in said
    assert "S3ntinel" not in said
