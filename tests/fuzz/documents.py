"""Files that people write beside configurations: settings, traffic, scenarios, hops, inventories."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, Final

from tests.fuzz import absurd, material
from tests.fuzz.lines import changed

_VALUE: Final = re.compile(r"(?<== )[^\n#]+")
_CLASS: Final = re.compile(r"^ +class (?!type)(\S+)", re.MULTILINE)
_CLASS_KEY: Final = re.compile(r"^class = .*$", re.MULTILINE)
_INTERFACE_KEY: Final = re.compile(r"^interface = .*$", re.MULTILINE)
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_FACTORS: Final = (0, -1, 1e-6, 0.01, 0.5, 0.9, 1.0000001, 1.5, 2, 10, 1000, 1e6, 1e12)
_KEY: Final = re.compile(r"^[\w-]+(?= *=)", re.MULTILINE)
_TOML_VALUES: Final = (
    *(
        "0",
        "-1",
        "1.5",
        "true",
        "nan",
        "inf",
        "-inf",
        "1e400",
        "''",
        "[]",
        "{}",
        "[[]]",
        "1979-05-27",
    ),
    *("07:32:00", "0x10", "1_000", '"\\u0000"', '"\\u001b[31m"', '"x"', '"*"', '"["', "[1, 'a']"),
    *(
        "9223372036854775807",
        "9223372036854775808",
        absurd.HUGE,
        "[" * 300 + "]" * 300,
        "{a={b={}}}",
    ),
    *(
        "'''\n'''",
        '"ef"',
        '"g729"',
        "63",
        "64",
        "1500",
        "65536",
        "1e-300",
        "1e308",
        "[[1, 2], [3]]",
    ),
)
_GENTLE_SHARE, _VALUE_SHARE, _WHOLE_SHARE, _BROKEN_SHARE = 0.6, 0.75, 0.9, 0.15
SETTINGS: Final = """\
profile = "voice"
select = ["TXR", "REF001"]
ignore = ["COL"]
fail-on = "warning"
[budgets]
ring_wait_ms = 25
cpu_percent = 50
jitter_ms = 30
[[traffic]]
class = "C1"
interface = "Serial*"
packet_bytes = 1500
rate_kbps = 64
[[traffic]]
class = "VOICE"
calls = 4
codec = "g729"
[dlsw]
redundant_peers = [["dc1", "dc2"]]
fault_domain_peers = 250
"""
_TRANSACTIONS: Final = """\
[[traffic]]
device = "dc1"
peak_tps = 900
out_bytes = 100
in_bytes = 1000
ru_bytes = 1024
[[traffic]]
class = "C0"
packet_bytes = [{bytes = 64, share = 0.5}, {bytes = 1500, share = 0.5}]
packets_per_second = 100
arrivals = "poisson"
streams = 3
"""
HOPS: Final = """\
codec = ["g711", "g729"]
packet_ms = 20
jitter_buffer_ms = 40
[[hop]]
config = "input.cfg"
[[hop]]
link = "512k"
llq = "64k"
tx-ring-limit = 1
calls = 2
[[hop]]
name = "provider"
delay_ms = 18
"""
HOSTS: Final = f"""\
r1:
  hostname: 192.0.2.1
  port: 22
  username: bob
  password: {absurd.SECRET}
  groups: [wan]
  data: {{role: wan, ssh_profile: legacy}}
r2:
  hostname: 2001:db8::1
"""
GROUPS: Final = f"""\
wan:
  username: bob
  connection_options:
    netmiko: {{password: {absurd.SECRET}}}
"""
_LIST: Final = "192.0.2.1\nr2:2222  # hub\n[2001:db8::1]:22\n"


def toml(text: str, random: Random) -> str:
    """TOML with other figures; or with other values, unknown keys and broken lines."""
    change = _with_figure if random.random() < _GENTLE_SHARE else _with_anything
    for _ in range(random.choice((1, 1, 2, 3))):
        text = change(text, random)
    return text


def _with_figure(text: str, random: Random) -> str:
    hits = [hit for hit in _VALUE.finditer(text) if _NUMBER.fullmatch(hit[0].strip())]
    if not hits:
        return text
    hit = random.choice(hits)
    scaled = float(hit[0]) * random.choice(_FACTORS)
    whole = "." not in hit[0] and random.random() < _WHOLE_SHARE
    return text[: hit.start()] + (f"{scaled:.0f}" if whole else repr(scaled)) + text[hit.end() :]


def _with_anything(text: str, random: Random) -> str:
    is_value = random.random() < _VALUE_SHARE
    hits = list((_VALUE if is_value else _KEY).finditer(text))
    if random.random() < _BROKEN_SHARE or not hits:
        return changed(text, random)
    hit = random.choice(hits)
    new = random.choice(_TOML_VALUES) if is_value else _other_key(hits, random)
    return text[: hit.start()] + new + text[hit.end() :]


def _other_key(hits: list[re.Match[str]], random: Random) -> str:
    return random.choice((random.choice(hits)[0], '""', "a.b.c", "x" * 500, '"\\u001b"', "class"))


def settings(random: Random) -> str:
    """A settings file."""
    return toml(SETTINGS, random)


def traffic(config: str, random: Random) -> str:
    """A traffic file, whose classes are in most cases those of the configuration."""
    text = random.choice((_TRANSACTIONS, *material.documents("traffic/*.toml")))
    classes = _CLASS.findall(config) or ["class-default"]
    text = _INTERFACE_KEY.sub('interface = "*"', text)
    text = _CLASS_KEY.sub(lambda _: f"class = {json.dumps(random.choice(classes))}", text)
    return toml(text, random)


def hops(random: Random) -> str:
    """A path of hops."""
    return toml(HOPS, random)


def calibration(random: Random) -> str:
    """Measurements of a router."""
    return toml(random.choice(material.documents("dlsw/calibration*.toml")), random)


def sites(random: Random) -> str:
    """A traffic table."""
    text = random.choice(material.documents("dlsw/*.csv"))
    rows = [row.split(",") for row in changed(text, random).split("\n")]
    for _ in range(random.randrange(3)):
        row = random.choice(rows)
        row[random.randrange(len(row))] = random.choice((absurd.number, absurd.name))(random)
    return "\n".join(",".join(row) for row in rows)


def hosts(random: Random) -> str:
    """An inventory of Nornir."""
    text = HOSTS
    for _ in range(random.choice((1, 1, 2))):
        hits = list(re.finditer(r"(?<=: )[^\n]+", text))
        hit = random.choice(hits) if hits else None
        if hit is not None and absurd.SECRET not in hit[0] and random.random() < 0.7:
            new = random.choice(
                (*_TOML_VALUES, "&a [*a]", "!!python/object:os.system x", "*x", "~")
            )
            text = text[: hit.start()] + new + text[hit.end() :]
        else:
            text = changed(text, random)
    return text


def host_list(random: Random) -> str:
    """An inventory that is a list."""
    return changed(_LIST, random)


def scenarios(random: Random) -> str:
    """One to three scenarios, of which some nodes are something else."""
    texts = material.documents("scenarios/*.json")
    text = random.choice([text for text in texts if '"link"' in text])
    tree: Any = json.loads(text)
    if isinstance(tree, list):
        tree = random.sample(tree, min(len(tree), random.randrange(1, 3)))
    return json_document(tree, random)


def manifest(random: Random) -> dict[str, bytes]:
    """A bundle with another manifest."""
    files = dict(random.choice(material.bundles()))
    tree = json.loads(files["manifest.json"])
    files["manifest.json"] = json_document(tree, random).encode("utf-8", "surrogatepass")
    return files


def json_document(tree: Any, random: Random) -> str:
    """The JSON of a tree after one to three changes, at times no JSON any more."""
    holder = {"": tree}
    is_gentle = random.random() < _GENTLE_SHARE
    for _ in range(random.choice((1, 1, 2, 3))):
        nodes = _nodes(holder)
        if is_gentle:
            nodes = [(node, key) for node, key in nodes if _is_figure(node[key])]
        if nodes:
            node, key = random.choice(nodes)
            change = _scale if is_gentle else random.choice(_NODE_CHANGES)
            change(node, key, random)
    text = absurd.json_text(holder.get(""))
    return changed(text, random) if random.random() < _BROKEN_SHARE and not is_gentle else text


def _nodes(tree: Any) -> list[tuple[Any, Any]]:
    keys = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
    found = [(tree, key) for key in keys]
    for key in keys:
        if isinstance(tree[key], dict | list):
            found += _nodes(tree[key])
    return found


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _scale(node: Any, key: Any, random: Random) -> None:
    scaled = node[key] * random.choice(_FACTORS)
    node[key] = round(scaled) if isinstance(node[key], int) else scaled


def _other_value(node: Any, key: Any, random: Random) -> None:
    node[key] = absurd.value(random)


def _without(node: Any, key: Any, random: Random) -> None:  # noqa: ARG001 -- as its siblings
    del node[key]


def _doubled(node: Any, key: Any, random: Random) -> None:
    if isinstance(node, list):
        node += [deepcopy(node[key]) for _ in range(random.choice((1, 3, 50)))]
    else:
        node[absurd.name(random)] = deepcopy(node[key])


_NODE_CHANGES: Final[tuple[Callable[[Any, Any, Random], None], ...]] = (
    *(_other_value, _other_value, _other_value),
    _without,
    _doubled,
)
