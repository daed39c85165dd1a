"""Inventories of NetBox, by a stub of its API on loopback, and of Ansible, as people keep them."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest

from advisor.cli import run
from advisor.collect.demo.script import renamed
from advisor.collect.demo.ssh_server import routers
from advisor.collect.hosts import InventoryError, Target
from advisor.collect.inventory import targets_of
from advisor.collect.transport import SshProfile
from tests.collect.conftest import R1

SECRET: Final = "S3ntinel"  # noqa: S105 -- of no device
Tree = dict[str, str]


def _device(number: int, name: str | None, site: str, **more: Any) -> dict[str, Any]:
    """A device as `/api/dcim/devices/` of NetBox 4 lists it."""
    return {
        "id": number,
        "name": name,
        "site": {"id": number, "name": site.title(), "slug": site},
        "role": {"id": 1, "name": "WAN edge", "slug": "wan-edge"},
        "device_type": {"manufacturer": {"slug": "cisco"}, "slug": "isr4331"},
        "platform": {"id": 1, "name": "Cisco IOS-XE", "slug": "ios-xe"},
        "status": {"value": "active", "label": "Active"},
        "primary_ip": {"address": f"192.0.2.{number}/24"},
        "tags": [{"name": "QoS", "slug": "qos"}],
        "custom_fields": {},
        **more,
    }


@contextmanager
def _netbox(status: int, body: str) -> Iterator[str]:
    class Api(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _of_netbox(
    folder: Path, *devices: dict[str, Any], status: int = 200, body: str | None = None
) -> dict[str, Target]:
    pytest.importorskip("nornir_netbox")
    page = json.dumps({"next": None, "results": devices}) if body is None else body
    config = folder / "netbox.yaml"
    with _netbox(status, page) as url:
        options = f"{{nb_url: '{url}', nb_token: {SECRET}}}"
        config.write_text(f"inventory: {{plugin: NetBoxInventory2, options: {options}}}\n", "utf-8")
        return {target.name: target for target in targets_of((), config, (), None)}


def test_devices_of_netbox_have_their_address_port_profile_and_site(tmp_path: Path) -> None:
    targets = _of_netbox(
        tmp_path,
        _device(1, "r1", "lisbon", custom_fields={"ssh_port": 2222, "ssh_profile": "legacy"}),
        _device(2, "r2", "porto", config_context={"ssh_port": 8022}),
        _device(3, None, "porto", primary_ip={"address": "2001:db8::3/64"}),
        _device(4, "r4", "porto", primary_ip=None),
    )
    assert {name: target.endpoint for name, target in targets.items()} == {
        "r1": "192.0.2.1:2222",
        "r2": "192.0.2.2:8022",
        "3": "[2001:db8::3]",
        "r4": "r4",
    }
    assert targets["r1"].profile is SshProfile.LEGACY
    labels = {("site", "lisbon"), ("role", "wan-edge"), ("status", "active"), ("tags", "qos")}
    assert labels <= set(targets["r1"].labels)


@pytest.mark.parametrize(
    ("devices", "answer", "said"),
    [
        pytest.param(
            [_device(1, "r1", "lisbon"), _device(2, "r1", "porto")],
            {},
            "two devices are called 'r1'",
            id="a name at two sites: none is lost",
        ),
        pytest.param(
            [_device(1, "r1", "lisbon", custom_fields={"ssh_port": "all"})],
            {},
            "r1: ssh_port takes a whole number",
            id="a port that is none",
        ),
        pytest.param([], {"status": 403}, "check `nb_token`", id="a token that is refused"),
        pytest.param([], {"body": "<html>"}, "answers with no JSON", id="another web server"),
        pytest.param([], {"body": "[1]"}, "no list of devices", id="another API"),
        pytest.param([], {}, "no device", id="no device"),
    ],
)
def test_netbox_that_cannot_be_used_is_said(
    tmp_path: Path, devices: list[dict[str, Any]], answer: dict[str, Any], said: str
) -> None:
    with pytest.raises(InventoryError) as raised:
        _of_netbox(tmp_path, *devices, **answer)
    assert said in str(raised.value)
    assert SECRET not in str(raised.value)


def test_netbox_that_is_not_reached_is_said(tmp_path: Path) -> None:
    pytest.importorskip("nornir_netbox")
    config = tmp_path / "netbox.yaml"
    options = "{nb_url: 'http://127.0.0.1:9'}"
    config.write_text(f"inventory: {{plugin: NetBoxInventory2, options: {options}}}\n", "utf-8")
    with pytest.raises(InventoryError, match="it is not reached: check its address"):
        targets_of((), config, (), None)


INI: Final = """\
[branches]
r1 ansible_host=192.0.2.1 ansible_port=2222
r2 ansible_host=192.0.2.2

[hubs]
dc1 ansible_host=198.51.100.1

[wan:children]
branches
hubs

[wan:vars]
ansible_user=netops
"""
VAULT: Final = "$ANSIBLE_VAULT;1.1;AES256\n62313365396662343061393464336163\n3833356661326366\n"
VARS: Final = f"""\
ansible_user: branch
ansible_password: !vault |
  $ANSIBLE_VAULT;1.1;AES256
  62313365396662343061393464336163
snmp: {SECRET}
ssh_profile: legacy
"""
YAML: Final = """\
all:
  vars: {ansible_user: "{{ vault_user }}"}
  children:
    branches:
      hosts:
        r1: {ansible_host: 192.0.2.1, ansible_port: "2222"}
        r2:
    hubs:
      hosts: {dc1: {ansible_host: 198.51.100.1}}
"""


def _laid_out(folder: Path, tree: Tree) -> None:
    for name, text in tree.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


_CONFIG: Final = "inventory: {plugin: AnsibleInventory, options: {hostsfile: ../ansible/hosts}}\n"
_BESIDE: Final = {"group_vars/branches.yml": VARS, "group_vars/all/vault.yml": VAULT}


@pytest.mark.parametrize(
    ("tree", "name"),
    [
        pytest.param({"hosts.ini": INI, **_BESIDE}, "hosts.ini", id="a file of INI"),
        pytest.param({"hosts": INI, **_BESIDE}, "hosts", id="a file without an ending"),
        pytest.param(
            {"ansible/hosts": INI} | {f"ansible/{name}": text for name, text in _BESIDE.items()},
            "ansible",
            id="the folder",
        ),
        pytest.param(
            {
                "nornir/config.yaml": _CONFIG,
                "ansible/hosts": INI,
                **{f"ansible/{name}": text for name, text in _BESIDE.items()},
            },
            "nornir/config.yaml",
            id="a configuration of Nornir with a relative path",
        ),
    ],
)
def test_an_ansible_inventory_has_ports_groups_and_sealed_passwords(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: Tree, name: str
) -> None:
    pytest.importorskip("nornir_ansible")
    _laid_out(tmp_path, tree)
    monkeypatch.chdir(tmp_path)
    targets = {target.name: target for target in targets_of((), Path(name), (), None)}
    assert {name: target.endpoint for name, target in targets.items()} == {
        "r1": "192.0.2.1:2222",
        "r2": "192.0.2.2",
        "dc1": "198.51.100.1",
    }
    assert (targets["r1"].username, targets["dc1"].username) == ("branch", "netops")
    assert (targets["r1"].has_password, targets["dc1"].has_password) == (True, False)
    assert targets["r1"].profile is SshProfile.LEGACY
    assert {("group", "branches"), ("group", "wan")} <= set(targets["r1"].labels)
    assert Path.cwd() == tmp_path


def test_an_ansible_inventory_in_yaml_leaves_a_template_to_the_command_line(tmp_path: Path) -> None:
    pytest.importorskip("nornir_ansible")
    _laid_out(tmp_path, {"hosts.yaml": YAML})
    targets = {
        target.name: target for target in targets_of((), tmp_path, ("group=branches",), None)
    }
    assert {name: target.endpoint for name, target in targets.items()} == {
        "r1": "192.0.2.1:2222",
        "r2": "r2",
    }
    assert targets["r1"].username is None, "nobody logs in as a template"


@pytest.mark.parametrize(
    ("tree", "name", "said"),
    [
        pytest.param(
            {"hosts": "[wan]\nr1 ansible_host={{lo0}}\n"}, "hosts",
            "r1: hostname is a template", id="an address that is a template",
        ),
        pytest.param(
            {"hosts": "[wan]\nr1\n", "host_vars/r1.yml": VARS.replace("ansible_password", "ansible_host")},
            "hosts", "r1: hostname is encrypted", id="an address that is encrypted",
        ),
        pytest.param(
            {"hosts": "[wan]\nr1 ansible_port=ssh\n"}, "hosts",
            "r1: port takes a whole number", id="a port that is a name",
        ),
        pytest.param(
            {"hosts": "[wan]\nr1 ansible_ssh_common_args='-o User=S3ntinel -4'\n"}, "hosts",
            "a value with a blank or `=`: move it", id="a value with blanks",
        ),
        pytest.param(
            {"hosts": "r1 ansible_host=192.0.2.1\n[wan]\nr2\n"}, "hosts",
            "each host below a [group]", id="a host above all groups",
        ),
        pytest.param(
            {"hosts": "[wan]\nr1\n[wan]\nr2\n"}, "hosts", "hosts: ", id="a group twice"
        ),
        pytest.param(
            {"hosts": "[wan]\nr[01:20]\n"}, "hosts", "r[01:20]: ", id="a range of hosts"
        ),
        pytest.param(
            {"hosts": "[wan]\nr1\n", "group_vars/wan.yml": "S3ntinel\n"}, "hosts",
            "wan.yml: is no table of YAML", id="variables that are no table",
        ),
        pytest.param(
            {"hosts": "[wan]\nr1\n", "group_vars/wan.yml": "a: !S3ntinel x\n"}, "hosts",
            "a tag of its YAML is not known", id="a tag that is not known",
        ),
        pytest.param(
            {"c.yaml": _CONFIG}, "c.yaml", "`hostsfile` ../ansible/hosts: no such file",
            id="a file that is not there",
        ),
        pytest.param(
            {"n/c.yaml": _CONFIG, "ansible/hosts/x": "[wan]\n"}, "n/c.yaml",
            "is a folder: name the file in it", id="a folder in place of the file",
        ),
    ],
)  # fmt: skip
def test_an_ansible_inventory_that_cannot_be_used_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], tree: Tree, name: str, said: str
) -> None:
    pytest.importorskip("nornir_ansible")
    _laid_out(tmp_path, tree)
    assert run(["collect", "--inventory", str(tmp_path / name), "--dry-run"]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert SECRET not in told
    assert "Traceback" not in told


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["netbox", "ansible", "list"])
def test_a_fleet_of_an_inventory_is_reached_at_its_ports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADVISOR_PASSWORD", "demo")
    monkeypatch.setenv("ADVISOR_USERNAME", "advisor")
    with routers(R1, renamed(R1, "r2")) as devices, ExitStack() as stack:
        Path("known_hosts").write_text("".join(each.known_hosts for each in devices), "utf-8")
        words = stack.enter_context(_MADE[kind]([each.port for each in devices]))
        code = run(["collect", *words, "--known-hosts", "known_hosts", "--out", "out"])
        reached = [each.record.connections for each in devices]
    said = capsys.readouterr().out
    assert code == 0, said
    wanted = [0, 1] if kind == "netbox" else [1, 1]
    assert reached == wanted
    assert f"{sum(wanted)} of {sum(wanted)} device" in said


@contextmanager
def _netbox_of(ports: list[int]) -> Iterator[list[str]]:
    """A device at each of two sites; one site is asked for."""
    pytest.importorskip("nornir_netbox")
    lan = {"address": "127.0.0.1/8"}
    devices = [
        _device(number, f"r{number}", site, primary_ip=lan, custom_fields={"ssh_port": port})
        for number, (site, port) in enumerate(zip(("lisbon", "porto"), ports, strict=True), 1)
    ]
    with _netbox(200, json.dumps({"next": None, "results": devices})) as url:
        options = f"{{nb_url: '{url}'}}"
        config = f"inventory: {{plugin: NetBoxInventory2, options: {options}}}\n"
        Path("netbox.yaml").write_text(config, "utf-8")
        yield ["--inventory", "netbox.yaml", "--filter", "site=porto"]


@contextmanager
def _ansible_of(ports: list[int]) -> Iterator[list[str]]:
    pytest.importorskip("nornir_ansible")
    hosts = "".join(
        f"r{number} ansible_host=127.0.0.1 ansible_port={port}\n"
        for number, port in enumerate(ports, 1)
    )
    _laid_out(Path(), {"ansible/hosts": f"[wan]\n{hosts}", "ansible/group_vars/all/v.yml": VAULT})
    yield ["--inventory", "ansible"]


@contextmanager
def _list_of(ports: list[int]) -> Iterator[list[str]]:
    Path("hosts.txt").write_text("".join(f"127.0.0.1:{port}  # r\n" for port in ports), "utf-8")
    yield ["--inventory", "hosts.txt"]


_MADE: Final = {"netbox": _netbox_of, "ansible": _ansible_of, "list": _list_of}
