"""DSCPs whose packets all end in one class of a policy, as its match lines prove it."""

from collections.abc import Mapping, Sequence
from typing import Final

from advisor.facts.config import Facts
from advisor.facts.policy import CLASS_DEFAULT, ClassMap
from advisor.facts.selectable import selectable_by_class

_ALL: Final = frozenset(range(64))
_PER_PRECEDENCE: Final = 8
_CLASS_MAP: Final = "class-map "


def taken_dscps(facts: Facts, class_names: Sequence[str]) -> Mapping[str, tuple[int, ...]]:
    """Codes of each class of a policy, in the order of its classes.

    A code that an earlier class may take, or of which a match-all asks more, is of no class.
    """
    selectable, asked = selectable_by_class(facts), frozenset[int]()
    heads = (line.under for line in facts.unread)
    not_read = {head.removeprefix(_CLASS_MAP) for head in heads if head.startswith(_CLASS_MAP)}
    taken: dict[str, tuple[int, ...]] = {}
    for name in class_names:
        class_map = facts.class_map(name)
        if name == CLASS_DEFAULT:
            continue
        own = selectable(name)
        named = own.named_dscps | {
            code for code in own.dscps if code // _PER_PRECEDENCE in own.named_precedences
        }
        if class_map is None or name in not_read or _asks_more(class_map):
            named = frozenset()
        taken[name] = tuple(sorted(named - asked))
        asked |= own.dscps
    return {**taken, CLASS_DEFAULT: tuple(sorted(_ALL - asked))}


def _asks_more(class_map: ClassMap) -> bool:
    return class_map.match_all and len(class_map.matches) > 1
