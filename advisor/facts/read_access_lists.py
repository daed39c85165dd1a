"""`access-list` and `ip access-list` to AccessList; sequence numbers order the entries."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct, field
from msgspec.structs import asdict

from advisor.facts import AccessEntry, AccessList, EntryWords, Ports
from advisor.facts.ranges import MAX_PORT, PORTS, PROTOCOL_NAMES, PROTOCOLS
from advisor.facts.read_words import GrammarError, Words, whole_number
from advisor.ground.units import whole
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import dscp_code, precedence_code

# One permit or deny of an access list: protocol, addresses, ports, further conditions.

_MAX_PROTOCOL: Final = 255
_MAX_TOS: Final = 15
_TOS: Final = {
    "normal": 0,
    "min-monetary-cost": 1,
    "max-reliability": 2,
    "max-throughput": 4,
    "min-delay": 8,
}
_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_DOTTED: Final = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}", re.ASCII)
_ALL: Final = "255.255.255.255"
_HOST: Final = "0.0.0.0"  # noqa: S104 - a wildcard mask, not an address to bind


class _EntryDraft(EntryWords):
    narrowed_by: list[str] = field(default_factory=list)


def read_entry(words: Words, kind: str) -> AccessEntry:
    """Read an entry from `permit` or `deny` on; `kind` is "standard", "extended" or "other".

    Words outside the grammar (object groups, time ranges, reflexive entries, other protocol
    families) give an entry that is not `understood`, with the fields before that point.
    """
    draft = _EntryDraft()
    permit = words.peek() != "deny"
    understood = kind != "other"
    try:
        words.expect("permit", "deny")
        if kind == "standard":
            _read_standard(draft, words)
        elif kind == "extended":
            _read_extended(draft, words)
    except GrammarError:
        understood = False
    return AccessEntry(
        permit=permit,
        understood=understood,
        at=words.at,
        text=words.line.text,
        **asdict(draft) | {"narrowed_by": tuple(draft.narrowed_by)},
    )


def _read_standard(draft: _EntryDraft, words: Words) -> None:
    draft.source = _address(words, bare=True)
    _read_log(words)
    words.end()


def _read_extended(draft: _EntryDraft, words: Words) -> None:
    draft.protocol = _protocol(words.take())
    draft.source = _address(words)
    draft.source_ports = _ports(draft.protocol, words)
    draft.destination = _address(words)
    draft.destination_ports = _ports(draft.protocol, words)
    while words.peek() is not None:
        _read_option(draft, words)


def _read_option(draft: _EntryDraft, words: Words) -> None:
    option = words.take().lower()
    if option == "dscp":
        draft.dscp = _code(dscp_code(words.take()))
    elif option == "precedence":
        draft.precedence = _code(precedence_code(words.take()))
    elif option == "tos":
        word = words.take().lower()
        tos = _TOS.get(word)
        draft.narrowed_by.append(f"tos {whole_number(word, 0, _MAX_TOS) if tos is None else tos}")
    elif option in ("established", "fragments") or (
        draft.protocol == "tcp" and option in ("ack", "fin", "psh", "rst", "syn", "urg")
    ):
        draft.narrowed_by.append(option)
    elif option in ("log", "log-input"):
        words.position -= 1
        _read_log(words)
    elif draft.protocol in ("icmp", "igmp"):
        code = words.maybe_whole(0, _MAX_PROTOCOL)
        draft.narrowed_by.append(
            f"{draft.protocol} {option}" + ("" if code is None else f" {code}")
        )
    else:
        raise GrammarError(option)


def _read_log(words: Words) -> None:
    """`log`, `log-input`, with the cookie that later trains add."""
    if words.accept("log", "log-input"):
        words.rest()


def _code(code: int | None) -> int:
    if code is None:
        raise GrammarError("no code of that name")
    return code


def _protocol(word: str) -> str:
    lower = word.lower()
    if lower in PROTOCOLS:
        return lower
    number = whole_number(lower, 0, _MAX_PROTOCOL)
    return PROTOCOL_NAMES.get(number, str(number))


def _address(words: Words, *, bare: bool = False) -> str:
    """`any`, `host A`, `A wildcard`; a standard list takes a bare `A` as well."""
    first = words.take().lower()
    if first == "any":
        return "any"
    if first == "host":
        return f"host {_dotted(words.take())}"
    address, wildcard = _dotted(first), words.peek() or ""
    if bare and not _DOTTED.fullmatch(wildcard):
        return f"host {address}"
    words.take()
    if _dotted(wildcard) == _ALL:
        return "any"
    return f"host {address}" if wildcard == _HOST else f"{address} {wildcard}"


def _dotted(word: str) -> str:
    if _DOTTED.fullmatch(word) is None:
        raise GrammarError(f"{word}: no IPv4 address")
    return word


def _ports(protocol: str, words: Words) -> tuple[Ports, ...]:
    if protocol not in PORTS:
        return ()
    operator = words.accept("eq", "neq", "gt", "lt", "range")
    if operator is None:
        return ()
    first = _port(protocol, words.take())
    if operator == "range":
        second = _port(protocol, words.take())
        return (Ports(min(first, second), max(first, second)),)
    if operator == "eq":
        return _equal_ports(protocol, first, words)
    low, high = Ports(0, first - 1), Ports(first + 1, MAX_PORT)
    bounds = {"neq": (low, high), "lt": (low,), "gt": (high,)}[operator]
    ranges = tuple(ports for ports in bounds if ports.low <= ports.high)
    if not ranges:
        raise GrammarError("no port is left")
    return ranges


def _equal_ports(protocol: str, first: int, words: Words) -> tuple[Ports, ...]:
    """Later trains take several ports after `eq`."""
    ports = [first]
    while (word := words.peek()) is not None:
        port = PORTS[protocol].get(word)
        if port is None and not (word.isdecimal() and word.isascii()):
            break
        ports.append(_port(protocol, words.take()))
    return tuple(Ports(port, port) for port in ports)


def _port(protocol: str, word: str) -> int:
    port = PORTS[protocol].get(word.lower())
    return whole_number(word, 0, MAX_PORT) if port is None else port


# Ranges of numbers that IOS gives to the kinds of lists (Cisco IOS, "Configuring IP Access Lists").
_STANDARD: Final = range(1, 100)
_STANDARD_EXPANDED: Final = range(1300, 2000)
_EXTENDED: Final = range(100, 200)
_EXTENDED_EXPANDED: Final = range(2000, 2700)
_SEQUENCE_STEP: Final = 10
_LONGEST_NUMBER: Final = 10


class AccessListDraft(Struct):
    """An access list while its lines are read."""

    name: str
    at: Location
    entries: dict[int, AccessEntry] = field(default_factory=dict)
    sequences: dict[str, int] = field(default_factory=dict)  # of an entry's words
    last_sequence: int = 0

    def add(self, sequence: int | None, words: str, entry: AccessEntry) -> None:
        if sequence is None:
            sequence = self.last_sequence + _SEQUENCE_STEP
        self.last_sequence = max(self.last_sequence, sequence)
        self.entries[sequence] = entry
        self.sequences[words] = sequence

    def remove(self, sequence: int | None, words: str) -> None:
        """Remove by sequence number, else by words."""
        if sequence is None:
            sequence = self.sequences.pop(words, 0)
        self.entries.pop(sequence, None)

    def freeze(self) -> AccessList:
        ordered = tuple(self.entries[sequence] for sequence in sorted(self.entries))
        return AccessList(self.name, ordered, self.at)


def read_numbered(line: Line, drafts: dict[str, AccessListDraft], file: str) -> None:
    """Read one `access-list N …` line; other lists than IP are kept as not understood."""
    words = line.text.split(None, 3)
    if len(words) < 3:  # noqa: PLR2004 - access-list, number, action
        return
    number = words[1]
    if not _is_number(number):
        return  # rate-limit, compiled, dynamic-extended
    draft = drafts.get(number)
    if draft is None:
        draft = drafts[number] = AccessListDraft(number, Location(file, line.number))
    entry = _numbered_entry(line, file)
    if entry is not None:
        draft.add(None, line.text, entry)


@lru_cache(maxsize=1 << 12)  # a proof reads each line again
def _numbered_entry(line: Line, file: str) -> AccessEntry | None:
    words = Words(line, Location(file, line.number))
    words.position = 2
    if words.peek() in ("remark", "rename"):
        return None
    return read_entry(words, _kind(whole(words.words[1])))


def read_named(line: Line, drafts: dict[str, AccessListDraft], file: str) -> None:
    """Read one `ip|ipv6|mac access-list …` section.

    Entries of IPv6 and MAC lists are kept as not understood: a class-map may name the list.
    """
    words = line.text.split()
    family, rest = words[0], words[2:]
    kind = rest[0] if rest and rest[0] in ("standard", "extended") else "other"
    if family != "ip":
        kind = "other"
    names = [word for word in rest if word not in ("standard", "extended")]
    if not names or (family == "ip" and kind == "other"):
        return  # resequence, log-update, role-based
    name, at = names[0], Location(file, line.number)
    draft = drafts.setdefault(name, AccessListDraft(name, at))
    for child in line.commands():
        _read_child(draft, kind, child, Location(file, child.number))


def _read_child(draft: AccessListDraft, kind: str, line: Line, at: Location) -> None:
    words = Words(line, at)
    sequence = None
    if _is_number(words.peek() or ""):
        sequence = whole(words.take())
    body = " ".join(words.words[words.position :])
    if words.negated:
        draft.remove(sequence, body)
    elif words.peek() in ("permit", "deny", "dynamic", "evaluate"):
        draft.add(sequence, body, read_entry(words, kind))


def remove_list(words: Sequence[str], drafts: dict[str, AccessListDraft]) -> None:
    """`no access-list 101`, `no ip access-list extended EDGE`: `words` follow the keyword."""
    names = [word for word in words if word not in ("standard", "extended")]
    if names:
        drafts.pop(names[0], None)


def _is_number(word: str) -> bool:
    return word.isdecimal() and word.isascii() and len(word) <= _LONGEST_NUMBER


def _kind(number: int) -> str:
    if number in _STANDARD or number in _STANDARD_EXPANDED:
        return "standard"
    return "extended" if number in _EXTENDED or number in _EXTENDED_EXPANDED else "other"
