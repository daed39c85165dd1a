"""Evidence and a template become commands. Values from a config are untrusted."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from advisor.assets import asset_dir
from advisor.lint.checks.base import Hit

if TYPE_CHECKING:
    from jinja2 import Environment

_PEERS = "show dlsw peers"
_FORBIDDEN = ("!", "?", "{{", "{%", "{#", "^C")  # comment, help key, template syntax, delimiter


class UnsafeValueError(Exception):
    """A value from the config could add a command to the snippet or change its meaning."""


def guarded(value: object) -> object:
    """Return the value if it is safe in a snippet.

    Raises
    ------
    UnsafeValueError
        If it is text with a control character, a line break, `!`, `?` or template syntax.

    Examples
    --------
    >>> guarded("WAN-EDGE")
    'WAN-EDGE'
    """
    if isinstance(value, str):
        for char in value:
            if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co"):
                raise UnsafeValueError(f"control character {char!a} in {value!a}")
        for word in _FORBIDDEN:
            if word in value:
                raise UnsafeValueError(f"{word!a} in {value!a}")
    return value


@cache
def _environment(folder: Path) -> "Environment":
    from jinja2 import (  # noqa: PLC0415 -- a clean config waits for no template
        Environment,
        FileSystemLoader,
        StrictUndefined,
    )

    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 -- IOS text, not HTML; every value passes `guarded`
        finalize=guarded,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def remedy_lines(template: str, hit: Hit[Any]) -> tuple[str, ...]:
    """Commands of a remedy: the template filled with the evidence of a hit.

    Raises
    ------
    UnsafeValueError
        If a value of the evidence is not safe in a snippet.
    jinja2.TemplateError
        If the template does not exist or names a field that the evidence lacks.
    """
    page = _environment(asset_dir("templates") / "remedy").get_template(template)
    text = page.render(asdict(hit.evidence))
    return tuple(line.rstrip() for line in text.split("\n") if line.strip())


def verify_commands(lines: Sequence[str]) -> tuple[str, ...]:
    """Show commands that tell, after the paste, whether a remedy took effect.

    >>> verify_commands(("interface Serial0/0", " tx-ring-limit 1"))
    ('show running-config interface Serial0/0', 'show controllers Serial0/0 | include tx_limited')
    >>> verify_commands(("policy-map EDGE", " class DATA", "  random-detect dscp 10 10 30"))
    ('show policy-map EDGE',)
    >>> verify_commands(("dlsw remote-peer 0 tcp 10.0.0.2",))
    ('show dlsw peers',)
    """
    commands = []
    for head in (line for line in lines if not line.startswith(" ")):
        kind, _, name = head.partition(" ")
        if kind == "interface":
            commands.append(f"show running-config interface {name}")
        elif kind in ("policy-map", "class-map"):
            commands.append(f"show {kind} {name.split()[-1]}")
        elif kind == "dlsw":
            is_marking = name.startswith("tos ")
            commands.append("show running-config | include dlsw" if is_marking else _PEERS)
    port = lines[0].partition(" ")[2] if lines and lines[0].startswith("interface ") else ""
    if any("tx-ring-limit" in line for line in lines):
        circuit = any(line.startswith(" pvc") for line in lines)
        ring = f"show controllers {port} | include tx_limited"
        commands.append(f"show atm pvc interface {port}" if circuit else ring)
    return tuple(dict.fromkeys(commands))
