"""Sections of a config with their own names taken out: parts that are alike have one text.

A name is taken out where nothing can depend on more than which of them are equal and how they
sort: ports, bundles, policy-maps, addresses of interfaces, descriptions. Other text stays.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.syntax import Line

_KIND: Final = r"(?:Serial|Ethernet|FastEthernet|GigabitEthernet|TenGigabitEthernet|ATM|Hssi|POS)"
_PORT: Final = (
    rf"(?<![\w./:-]){_KIND}"
    r"\d{1,3}(?:/\d{1,4}){0,3}(?::\d{1,2})?(?:\.\d{1,10})?(?![\w/:-]|\.\d)"
)
_PLACES: Final = re.compile(
    r"^(?P<before_policy>[ \t]*(?:policy-map |service-policy (?:input |output )?))"
    r"(?P<policy>[A-Za-z](?:[\w.-]{0,38}\w)?)(?=[ \t]*\r?$)"
    r"|^(?P<before_address>[ \t]*ip address )"
    r"(?P<address>\d+\.\d+\.\d+\.\d+)(?= \d+\.\d+\.\d+\.\d+[ \t]*\r?$)"
    r"|^(?P<before_bundle>[ \t]*(?:interface Multilink|ppp multilink group |multilink-group ))"
    r"(?P<bundle>\d{1,5})(?=[ \t]*\r?$)"
    r"|^(?P<before_map>class-map (?:match-any |match-all )?)"
    r"(?P<map>[A-Za-z](?:[\w.-]{0,38}\w)?)(?=[ \t]*\r?$)"
    r"|^(?P<before_class>[ \t]*class )(?P<class>[A-Za-z](?:[\w.-]{0,38}\w)?)(?=[ \t]*\r?$)"
    r"|^(?P<before_words>[ \t]*description )(?P<words>[^\r\n]*[^\s])"
    rf"|(?P<port>{_PORT})",
    re.MULTILINE | re.ASCII,
)
_SHAPE: Final = re.compile(r"([A-Za-z]+)\d++([\d/]*)((?::\d+)?)((?:\.\d+)?)")
_CONTROLLER: Final = "controller"  # its lines give the channels of a port their rate, by number
_CHANNEL: Final = ":"
# Stand-ins for names: no config holds them, or their parts are not taken for alike.
STAND_IN: Final = re.compile(
    r"own-(?:policy|words|file|host)-\d+-|[A-Za-z]own-map-\d+-"
    rf"|{_KIND}9\d{{3}}(?:/0){{0,3}}(?::0)?(?:\.8\d{{3}})?"
    r"|(?:(?<=Multilink)|(?<=multilink group )|(?<=multilink-group ))990\d{3}"
    r"|198\.19\.\d+\.201"
)
_SIGN: Final = re.compile(r"own-|9\d{3}|198\.19")  # of a stand-in: found sooner
_WORD: Final = re.compile(r"[\w/-]+(?:[.:][\w/-]+)*", re.ASCII)
_CLASS_DEFAULT: Final = "class-default"
_OWN_MAP: Final = "own-map-"  # behind the first letter of the name
_KINDS: Final = ("policy", "address", "words", "port", "bundle", "map")  # of names
_MOST: Final = 90  # names of a kind in a part: their numbers have equally many digits


class Names(Struct, frozen=True):
    """Names of a part by their kinds, those of a kind in their order."""

    by_kind: Mapping[str, tuple[str, ...]]

    def of(self, kind: str) -> tuple[str, ...]:
        """The names of a kind: of `words` the descriptions, of `bundle` numbers of Multilinks."""
        return self.by_kind[kind]

    def in_order(self) -> tuple[str, ...]:
        """All names, as `Numbering.stand_ins` has them."""
        return tuple(name for kind in _KINDS for name in self.by_kind[kind])


class Likeness(Struct, frozen=True):
    """A part: its text with a mark for each name, and the names."""

    text: str
    names: Names


def could_be_numbered(text: str) -> bool:
    """Whether a text could be taken for one with stand-ins in it."""
    return _SIGN.search(text) is not None and STAND_IN.search(text) is not None


def likeness(
    lines: Iterable[Line], elsewhere: frozenset[str], is_inert: Callable[[str], bool]
) -> Likeness | None:
    """Take the names out of a part; None where one of them means more than itself.

    The names of its class-maps stay where they alone would.

    Parameters
    ----------
    lines
        Top-level lines of the part.
    elsewhere
        Words of the commands around it: a port or an address that stands there, too, is known to
        others; a policy that stands there is no name of the part.
    is_inert
        Whether no fact depends on a description; others stay in the text.
    """
    text = "".join(line.raw for top in lines for line in top.walk())
    if could_be_numbered(text):
        return None
    found: dict[str, dict[str, None]] = {kind: {} for kind in (*_KINDS, "class")}
    for place in _PLACES.finditer(text):
        kind = place.lastgroup or ""
        found[kind][place[kind]] = None
    for policy in elsewhere.intersection(found["policy"]):
        del found["policy"][policy]  # it is shared, and stays in the text
    if _CONTROLLER in elsewhere:
        found["port"] = {port: None for port in found["port"] if _CHANNEL not in port}
    if found["map"]:
        alike = _likeness(text, found, elsewhere, is_inert) if _sort_alike(found) else None
        if alike is not None:
            return alike
        found["map"].clear()
    return _likeness(text, found, elsewhere, is_inert)


def _sort_alike(found: Mapping[str, Mapping[str, None]]) -> bool:
    """Whether stand-ins of class-maps sort among the other classes as their names do."""
    others = {*found["class"], _CLASS_DEFAULT} - found["map"].keys()
    return _CLASS_DEFAULT not in found["map"] and all(
        (name < other) == (f"{name[0]}{_OWN_MAP}" < other)
        for name in found["map"]
        for other in others
        if name[0] == other[0]
    )


def _likeness(
    text: str,
    found: Mapping[str, Mapping[str, None]],
    elsewhere: frozenset[str],
    is_inert: Callable[[str], bool],
) -> Likeness | None:
    if any(len(names) > _MOST for names in found.values()):
        return None
    names = Names(
        {
            kind: tuple(filter(is_inert, found[kind]) if kind == "words" else sorted(found[kind]))
            for kind in _KINDS
        }
    )
    numbered = map(names.of, ("port", "address", "bundle"))
    if any(sorted(item, key=_by_number) != list(item) for item in numbered):
        return None  # numbers do not sort as their digits
    marks = dict(_marks(names))
    bare = _in_place(text, marks)
    known = {name for kind in ("policy", "port", "address", "map") for name in found[kind]}
    known |= {f"Multilink{number}" for number in names.of("bundle")}
    if known & elsewhere or not known.isdisjoint(_WORD.findall(bare)):
        return None
    return Likeness(bare, names)


def _by_number(name: str) -> list[tuple[str, int, str]]:
    parts = re.findall(r"(\D+)(\d*)", f" {name}")
    return [(word, len(number), number) for word, number in parts]


def _marks(names: Names) -> Iterator[tuple[tuple[str, str], str]]:
    """A mark for each name: its kind, the shape of a port, and its place among its kind."""
    mains = list(dict.fromkeys(name.partition(".")[0] for name in names.of("port")))
    for kind in _KINDS:
        for n, name in enumerate(names.of(kind)):
            said = kind
            if kind == "port":
                shape, main = _SHAPE.fullmatch(name), mains.index(name.partition(".")[0])
                said = (
                    f"{shape[1]} {shape[2].count('/')} {bool(shape[3])} {bool(shape[4])}"
                    if shape
                    else name
                )
                said = f"{said} {main}"
            elif kind == "map":
                said = f"{kind} {name[0]}"
            yield (kind, name), f"\0{said} {n}\0"


def _in_place(text: str, marks: Mapping[tuple[str, str], str]) -> str:
    def mark(place: re.Match[str]) -> str:
        kind = place.lastgroup or ""
        name = place[kind]
        kind = "map" if kind == "class" else kind  # a policy names what a class-map defines
        return place[0].removesuffix(name) + marks.get((kind, name), name)

    return _PLACES.sub(mark, text)


class Numbering:
    """Gives names of several parts stand-ins, each its own."""

    def __init__(self) -> None:
        self._used: Counter[str] = Counter()  # stand-ins of each kind

    def stand_ins(self, names: Names) -> dict[tuple[str, str], str]:
        """A stand-in for each name of a part, by its kind; they sort as the names."""
        found: dict[tuple[str, str], str] = {}
        for kind in _KINDS:
            if kind == "port":
                found |= self._ports(names.of(kind))
            else:
                found |= {(kind, name): self._next(kind, name) for name in names.of(kind)}
        return found

    def _next(self, kind: str, name: str) -> str:
        self._used[kind] += 1
        number = self._used[kind]
        if kind == "address":
            return f"198.19.{99 + number}.201"
        if kind == "bundle":
            return f"{990000 + number}"
        own = f"{name[0]}{_OWN_MAP}" if kind == "map" else f"own-{kind}-"
        return f"{own}{1000 + number}-"

    def _ports(self, names: Sequence[str]) -> dict[tuple[str, str], str]:
        """Stand-ins for ports, and for their subinterfaces, which count from 1 in each part."""
        mains: dict[str, str] = {}
        found: dict[tuple[str, str], str] = {}
        below = count(1)
        for name in names:
            main, dot, _ = name.partition(".")
            if main not in mains:
                mains[main] = _numbered_port(main, self._used["port"])
                self._used["port"] += 1
            found["port", name] = f"{mains[main]}.8{next(below):03}" if dot else mains[main]
        return found

    @property
    def is_exhausted(self) -> bool:
        """Whether there are more names than stand-ins of equally many digits."""
        most = max(self._used[kind] for kind in ("port", "policy", "bundle", "map"))
        return most > 999 or self._used["address"] > 150  # noqa: PLR2004


def _numbered_port(name: str, number: int) -> str:
    shape = _SHAPE.fullmatch(name)
    if shape is None:
        return name
    channel = f"{_CHANNEL}0" if shape[3] else ""
    return f"{shape[1]}9{number:03}{'/0' * shape[2].count('/')}{channel}"


def numbered_line(line: Line, stand_ins: Mapping[tuple[str, str], str], number: int) -> Line:
    """A line and all below it with stand-ins, numbered on from `number` in their order."""
    children: list[Line] = []
    after = number + 1
    for child in line.children:
        children.append(numbered_line(child, stand_ins, after))
        after += sum(1 for _ in child.walk())
    return replace(
        line,
        text=_in_place(line.text, stand_ins),
        raw=_in_place(line.raw, stand_ins),
        number=number,
        children=tuple(children),
    )


def lines_of(tops: Sequence[Line]) -> list[Line]:
    """All lines of a part, in their order."""
    return [line for top in tops for line in top.walk()]
