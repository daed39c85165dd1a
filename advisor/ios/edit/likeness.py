"""Sections of a config with their own names taken out: parts that are alike have one text.

A name is taken out where nothing can depend on more than which of them are equal and how they
sort: ports, bundles, policy-maps, addresses of interfaces, descriptions. Other text stays.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.syntax import Line

_KIND: Final = r"(?:Serial|Ethernet|FastEthernet|GigabitEthernet|TenGigabitEthernet|ATM|Hssi|POS)"
_PORT: Final = (
    rf"(?<![\w./:-]){_KIND}"
    r"\d{1,3}(?:/\d{1,4}){0,3}(?:\.\d{1,10})?(?![\w/:-]|\.\d)"
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
_SHAPE: Final = re.compile(r"([A-Za-z]+)\d++([\d/]*)((?:\.\d+)?)")
# Stand-ins for names: no config holds them, or their parts are not taken for alike.
STAND_IN: Final = re.compile(
    r"own-(?:policy|words|file|host)-\d+-|[A-Za-z]own-map-\d+-"
    rf"|{_KIND}9\d{{3}}(?:/0){{0,3}}(?:\.8\d{{3}})?"
    r"|(?:(?<=Multilink)|(?<=multilink group )|(?<=multilink-group ))990\d{3}"
    r"|198\.19\.\d+\.201"
)
_SIGN: Final = re.compile(r"own-|9\d{3}|198\.19")  # of a stand-in: found sooner
_WORD: Final = re.compile(r"[\w/-]+(?:[.:][\w/-]+)*", re.ASCII)
_CLASS_DEFAULT: Final = "class-default"
_OWN_MAP: Final = "own-map-"  # behind the first letter of the name
_MOST: Final = 90  # names of a kind in a part: their numbers have equally many digits


class Names(Struct, frozen=True):
    """Names of a part, those of a kind in their order."""

    policies: tuple[str, ...]
    ports: tuple[str, ...]
    addresses: tuple[str, ...]
    words: tuple[str, ...]  # descriptions
    bundles: tuple[str, ...] = ()  # numbers of Multilinks
    maps: tuple[str, ...] = ()  # class-maps

    def in_order(self) -> tuple[str, ...]:
        """All names, as `Numbering.stand_ins` has them."""
        return (
            *self.policies,
            *self.addresses,
            *self.words,
            *self.ports,
            *self.bundles,
            *self.maps,
        )


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
    found: dict[str, dict[str, None]] = {
        kind: {} for kind in ("policy", "address", "port", "words", "bundle", "map", "class")
    }
    for place in _PLACES.finditer(text):
        kind = place.lastgroup or ""
        found[kind][place[kind]] = None
    for policy in elsewhere.intersection(found["policy"]):
        del found["policy"][policy]  # it is shared, and stays in the text
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
        tuple(sorted(found["policy"])),
        tuple(sorted(found["port"])),
        tuple(sorted(found["address"])),
        tuple(filter(is_inert, found["words"])),
        tuple(sorted(found["bundle"])),
        tuple(sorted(found["map"])),
    )
    numbered = (names.ports, names.addresses, names.bundles)
    if any(sorted(item, key=_by_number) != list(item) for item in numbered):
        return None  # numbers do not sort as their digits
    marks = dict(_marks(names))
    bare = _in_place(text, marks)
    known = {name for kind in ("policy", "port", "address", "map") for name in found[kind]}
    known |= {f"Multilink{number}" for number in names.bundles}
    if known & elsewhere or not known.isdisjoint(_WORD.findall(bare)):
        return None
    return Likeness(bare, names)


def _by_number(name: str) -> list[tuple[str, int, str]]:
    parts = re.findall(r"(\D+)(\d*)", f" {name}")
    return [(word, len(number), number) for word, number in parts]


def _marks(names: Names) -> Iterator[tuple[tuple[str, str], str]]:
    """A mark for each name: its kind, the shape of a port, and its place among its kind."""
    for n, name in enumerate(names.policies):
        yield ("policy", name), f"\0policy {n}\0"
    mains = list(dict.fromkeys(name.partition(".")[0] for name in names.ports))
    for n, name in enumerate(names.ports):
        shape = _SHAPE.fullmatch(name)
        main = mains.index(name.partition(".")[0])
        kind = f"{shape[1]} {shape[2].count('/')} {bool(shape[3])}" if shape else name
        yield ("port", name), f"\0{kind} {main} {n}\0"
    for n, name in enumerate(names.addresses):
        yield ("address", name), f"\0address {n}\0"
    for n, name in enumerate(names.words):
        yield ("words", name), f"\0words {n}\0"
    for n, name in enumerate(names.bundles):
        yield ("bundle", name), f"\0bundle {n}\0"
    for n, name in enumerate(names.maps):
        yield ("map", name), f"\0map {name[0]} {n}\0"


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
        self._ports = self._policies = self._addresses = self._words = self._bundles = (
            self._maps
        ) = 0

    def stand_ins(self, names: Names) -> dict[tuple[str, str], str]:
        """A stand-in for each name of a part, by its kind; they sort as the names."""
        found: dict[tuple[str, str], str] = {}
        for name in names.policies:
            self._policies += 1
            found["policy", name] = f"own-policy-{1000 + self._policies}-"
        for name in names.addresses:
            self._addresses += 1
            found["address", name] = f"198.19.{99 + self._addresses}.201"
        for name in names.words:
            self._words += 1
            found["words", name] = f"own-words-{1000 + self._words}-"
        mains: dict[str, str] = {}
        subinterfaces = 0
        for name in names.ports:
            main, dot, _ = name.partition(".")
            if main not in mains:
                mains[main] = _numbered_port(main, self._ports)
                self._ports += 1
            subinterfaces += bool(dot)
            found["port", name] = f"{mains[main]}.8{subinterfaces:03}" if dot else mains[main]
        for name in names.bundles:
            self._bundles += 1
            found["bundle", name] = f"{990000 + self._bundles}"
        for name in names.maps:
            self._maps += 1
            found["map", name] = f"{name[0]}{_OWN_MAP}{1000 + self._maps}-"
        return found

    @property
    def is_exhausted(self) -> bool:
        """Whether there are more names than stand-ins of equally many digits."""
        most = max(self._ports, self._policies, self._bundles, self._maps)
        return most > 999 or self._addresses > 150  # noqa: PLR2004


def _numbered_port(name: str, number: int) -> str:
    shape = _SHAPE.fullmatch(name)
    return f"{shape[1]}9{number:03}{'/0' * shape[2].count('/')}" if shape else name


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
