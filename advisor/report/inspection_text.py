"""Facts and observations as a tree for people and as JSON for programs. Secrets are masked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from advisor import __version__
from advisor.capture.masking import (
    REMOVED,
    mask_command,
    mask_output,
    mask_quoted,
    removed_words,
    typed_words,
)
from advisor.capture.masking.words import is_address, is_name
from advisor.device.inspection import Leaf, Many, Node, Record, Scalar
from advisor.ground.quantity import plain
from advisor.ios.syntax import Location
from advisor.report import printable
from advisor.report.json_report import encoded
from advisor.report.mask import mask_commands, mask_path
from advisor.report.terminal import PLAIN, RenderOptions, Style, fitted

SCHEMA_VERSION = 1
_NO_OUTPUT = "no show output"
_SHORT = 3  # values that a line takes

Json: TypeAlias = "Scalar | list[Json] | dict[str, Json]"

# Names that a config gives to its objects; a policy may be called SHARED-WAN.
_NAMES: Final = frozenset(
    (
        *("device", "name", "hostname", "interface", "parent", "policy", "child"),
        *("access_group_in", "child_policy", "map_class", "criterion", "values", "key", "rules"),
    )
)
# Those of them that are one word; only a process has a name of several.
_OF_ONE_WORD: Final = frozenset(
    ("name", "hostname", "parent", "policy", "child", "child_policy", "map_class")
)
_OF_A_PROCESS: Final = "pid"
_OF_A_RELEASE: Final = "train"  # IOS alone prints releases, and a pattern took this one apart
_HARDWARE: Final = frozenset(
    (
        *("platform", "hardware", "processor", "family", "image_name", "version", "because"),
        *("families", "generations", "model", "evidence", "kind", "grade", "words"),
        *("product_id", "media_type"),
    )
)
_LINES: Final = frozenset(
    ("text", "options", "other", "sna_lines", "legacy_queueing", "under", "session")
)

_PATH: Final = "object_path"  # of an output: sections, each a command
_OF_AN_ADDRESS: Final = frozenset(("any", "host"))
_REASON: Final = "Last reload reason: "
# Sentences of this tool: only the lines that they quote are masked.
_SENTENCES: Final = frozenset(("remark", "incomplete", "assumed", "because"))
_OWN_WORDS: Final = frozenset(("dialect", "file", "part"))  # of this tool, and what its user named
_BEHIND_A_COMMAND: Final = "encapsulation"  # its value is printed, or the rest of that command
# A record of a list is called by the first of these that it has.
_LABELS: Final = (
    *("name", "interface", "policy", "peer", "command", "file", "number", "index", "pid", "text"),
    *("criterion", "map_class", "what"),
)


def no_such_output(command: str, captured: Iterable[str]) -> str:
    """Why `--command` has nothing to show; `captured` are the commands of the input."""
    known = ", ".join(printable(mask_command(name)) for name in captured)
    return f"--command {printable(command)}: no such output; the input has {known or _NO_OUTPUT}"


def render_json(records: Sequence[Record], _options: RenderOptions = PLAIN) -> str:
    """Render all devices; where a line states a value it is `{"value": 1, "at": "r1.cfg:2"}`."""
    devices: list[Json] = [_json(_without_secrets(record)) for record in records]
    report: Json = {"schema": SCHEMA_VERSION, "version": __version__, "devices": devices}
    return encoded(report)


class _Typed(Struct, frozen=True):
    """Words that the mask takes out of the lines of a record: those that only people write, all."""

    by_a_process: bool
    telling: frozenset[str]
    words: frozenset[str]

    def is_in(self, value: str) -> bool:
        return any(word in value for word in self.telling) or any(
            word in self.words for word in value.split()
        )


def _without_secrets(record: Record) -> Record:
    """Return a record without what people typed, in its line and in the values read from it."""
    if any(field == _OF_A_RELEASE for field, _ in record.members):
        return record
    lines = (member for field, member in record.members if field in _LINES)
    texts = [line.value for line in lines if isinstance(line, Leaf) and isinstance(line.value, str)]
    is_process = any(field == _OF_A_PROCESS for field, _ in record.members)
    typed = _Typed(
        is_process,
        frozenset(word for text in texts for word in typed_words(text)),
        frozenset(word for text in texts for word in removed_words(text)),
    )
    members = ((field, _masked(field, member, typed)) for field, member in record.members)
    return Record(tuple(members), record.at)


def _masked(name: str, node: Node, typed: _Typed) -> Node:
    if isinstance(node, Record):
        return _without_secrets(node)
    if isinstance(node, Many):
        return Many(tuple(_masked(name, item, typed) for item in node.items))
    return node if node.is_place else Leaf(_shown(name, node.value, typed), node.at)


def _json(node: Node) -> Json:
    if isinstance(node, Many):
        return [_json(item) for item in node.items]
    if isinstance(node, Leaf):
        return node.value if node.at is None else {"value": node.value, "at": str(node.at)}
    members = {field: _json(member) for field, member in node.members}
    return members if node.at is None else {**members, "at": str(node.at)}


def _shown(name: str, value: Scalar, typed: _Typed) -> Scalar:
    if not isinstance(value, str) or name in _HARDWARE:
        return value
    if name in _NAMES:
        return _shown_name(name, value, typed)
    if name in ("taken_for", "command"):
        return mask_commands(value)
    if name in _SENTENCES:
        return mask_quoted(value)
    if name in _OWN_WORDS:
        return value
    return mask_path(value) if name in (*_LINES, _PATH) else _shown_text(name, value)


def _shown_text(name: str, value: str) -> str:
    if name == "description":
        return REMOVED
    if name == _BEHIND_A_COMMAND and mask_output(value) != value:
        return mask_path(f"{name} {value}").removeprefix(f"{name} ")
    if name in ("source", "destination"):
        return _address(value)
    if name == "reload_reason":
        return mask_output(f"{_REASON}{value}").removeprefix(_REASON)
    return mask_output(value)


def _shown_name(name: str, value: str, typed: _Typed) -> str:
    if typed.is_in(value):
        return REMOVED
    is_one_word = name in _OF_ONE_WORD and not typed.by_a_process
    return _one_word(value) if is_one_word else _named(value)


def _one_word(value: str) -> str:
    first, blank, _ = value.partition(" ")
    return f"{_named(first)} {REMOVED}" if blank else _named(first)


def _named(value: str) -> str:
    """A name; IOS takes one word, and what a line has behind it may be anything."""
    first, blank, rest = value.partition(" ")
    behind = mask_output(value).removeprefix(mask_output(first)) if blank and rest else ""
    return f"{first if is_name(first) else REMOVED}{behind}"


def _address(value: str) -> str:
    """The destination of packets, without words that are no address: a person gave such a name."""
    words = value.split()
    return " ".join(
        word if is_address(word) or word in _OF_AN_ADDRESS else REMOVED for word in words
    )


def render_tree(records: Sequence[Record], options: RenderOptions = PLAIN) -> str:
    """Render all devices; what is not known is left out."""
    style = options.style
    shown = (_without_secrets(record) for record in records)
    return "\n".join(fitted(_device(record, style), style.width) for record in shown)


def _device(record: Record, style: Style) -> Iterator[str]:
    label, rest = _labelled(record, "device")
    yield style.bold(label)
    yield from _members(rest, 1, style)


def _members(record: Record, depth: int, style: Style) -> Iterator[str]:
    for name, node in record.members:
        yield from _lines(name, node, depth, style)


def _lines(name: str, node: Node, depth: int, style: Style) -> Iterator[str]:
    """Lines of a named value; none where nothing in it is known."""
    indent = "  " * depth
    if isinstance(node, Leaf):
        if node.value is not None:
            yield f"{indent}{name}: {_word(node.value)}{_at(node.at, style)}"
    elif isinstance(node, Record):
        below = list(_members(node, depth + 1, style))
        if _is_short(node) and below:
            values = (line.strip().replace(": ", " ", 1) for line in below)
            yield f"{indent}{name}: {', '.join(values)}"
        elif below:
            yield f"{indent}{name}{_at(node.at, style)}"
            yield from below
    elif node.items and all(isinstance(item, Leaf) and item.at is None for item in node.items):
        yield f"{indent}{name}: {', '.join(_word(leaf.value) for leaf in _leaves(node))}"
    elif node.items:
        yield f"{indent}{name}"
        for item in node.items:
            yield from _item(item, depth + 1, style)


def _is_short(record: Record) -> bool:
    """Whether a record is a few values without a line of their own: packets and their bytes."""
    known = [node for _, node in record.members if node != Leaf(None)]
    plain = all(isinstance(node, Leaf) and node.at is None for node in known)
    return plain and record.at is None and len(known) <= _SHORT


def _item(node: Node, depth: int, style: Style) -> Iterator[str]:
    """Lines of one value of a list."""
    indent = "  " * depth
    if isinstance(node, Leaf):
        yield f"{indent}- {_word(node.value)}{_at(node.at, style)}"
    elif isinstance(node, Many):
        yield f"{indent}- {', '.join(_word(leaf.value) for leaf in _leaves(node))}"
    else:
        label, rest = _labelled(node, *_LABELS)
        yield f"{indent}-{style.bold(f' {label}') if label else ''}{_at(node.at, style)}"
        yield from _members(rest, depth + 1, style)


def _leaves(values: Many) -> Iterator[Leaf]:
    return (item for item in values.items if isinstance(item, Leaf))


def _labelled(record: Record, *names: str) -> tuple[str, Record]:
    """The name of a record, and the record without it."""
    known = {name: node.value for name, node in record.members if isinstance(node, Leaf)}
    name = next((name for name in names if known.get(name) is not None), "")
    rest = tuple(member for member in record.members if member[0] != name)
    return _word(known[name]) if name else "", Record(rest, record.at)


def _word(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(value, 6) if isinstance(value, float) else printable(str(value))


def _at(at: Location | None, style: Style) -> str:
    return "" if at is None else style.frame(f"  ({printable(str(at))})")
