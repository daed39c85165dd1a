"""Values that nobody would configure: numbers, names, and the secret that must not be printed."""

import json
from copy import deepcopy
from random import Random
from typing import Final

SECRET: Final = "S3ntinelX9q7"  # noqa: S105 -- planted to be searched for
HUGE: Final = "9" * 5000

NUMBERS: Final = (
    *("0", "-0", "-1", "+5", "00000000000", "1.5", "1,5", "1_000", "0x10", "1e3", "1e308"),
    *("1e400", "-1e400", "nan", "NaN", "inf", "-inf", "Infinity", "0.0000000000000001"),
    *("255", "256", "1023", "1024", "32767", "32768", "65535", "65536", "2147483647"),
    *("2147483648", "4294967295", "4294967296", "18446744073709551616", "100", "101", "99.9"),
    *("\u0663\u0664", "\u00b2", "\uff14", "\u00bd", "\u2164", "\U0001d7d9", "", HUGE, f"-{HUGE}"),
)
NAMES: Final = (
    *("\x1b[31mred\x1b[0m", "\x07bell", "\x9b31mcsi", "\x08\x08\x08", "\u202eevil", "\u2066iso"),
    *("\u200bzero", "\ufeffmark", "\u2028sep", "\u0085nel", "a\x00b", "\x7f", "\u00e9\u00df"),
    *("{{7*7}}", "{% for x in range(9) %}", "{{config}}", "{#", "{%raw%}", "%s%n%x", "{0}", "{"),
    *("<script>alert(1)</script>", "[/red]", "[bold]", "=cmd|'/C calc'!A1", "+1+1", "@SUM(1)"),
    *("-2+3", "../../etc/passwd", "${jndi:ldap://x}", "$(reboot)", "`reload`", "|", '"', "'", "\\"),
    *("::error file=x::y", "a\tb", "", "N" * 3000, "end", "exit", "!", "no", "class-default"),
    *("\u0130stanbul", "\U0001f4a9", "\ud7ff", "\ufffe", "\U0010ffff", "CON", "#", "%", "^C", "?"),
)
# Values of JSON and TOML that have the wrong type, size or depth.
VALUES: Final[tuple[object, ...]] = (
    *(None, True, False, 0, -1, 1.5, -0.0, 1e308, 5e-324, 2**31, 2**63, 2**64, 10**400),
    *(float("nan"), float("inf"), float("-inf"), "", [], {}, [[]], {"": None}, [None], "nan"),
    *([1, 2, 3], {"a": {"b": []}}, "12", "x" * 2000, ["a", 1, None], 10**-300),
)


def number(random: Random) -> str:
    """An absurd number, or a plain one of any size."""
    if random.random() < 0.7:
        return random.choice(NUMBERS)
    return str(random.randrange(10 ** random.randrange(1, 12)))


def name(random: Random) -> str:
    """A name that some format, terminal or template could take for more than a name."""
    return random.choice(NAMES)


def value(random: Random) -> object:
    """A value for a key of JSON."""
    kind = random.random()
    if kind < 0.15:
        return name(random)
    if kind < 0.25:
        return random.choice((random.uniform(-2, 2), random.randrange(-10, 10**6)))
    if kind < 0.28:
        return _deep(random.choice((50, 200)))
    return deepcopy(random.choice(VALUES))  # a later change may reach into it


def json_text(tree: object) -> str:
    """JSON as Python writes it: NaN and Infinity are not JSON, and readers have to say so."""
    return json.dumps(tree)


def _deep(levels: int) -> object:
    tree: object = 1
    for level in range(levels):
        tree = [tree] if level % 2 else {"deep": tree}
    return tree
