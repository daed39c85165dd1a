"""What two configs do not share: all that a comparison of them has to read."""

from functools import lru_cache

from msgspec.structs import replace

from advisor.ios.edit.command_keys import Key
from advisor.ios.edit.meaning import meaning_of
from advisor.ios.edit.sections import leaves_mode
from advisor.ios.syntax.modes import GLOBAL
from advisor.ios.syntax.tree import ConfigTree, Line


def differing(a: ConfigTree, b: ConfigTree) -> tuple[ConfigTree, ConfigTree]:
    """Leave out of two trees the top-level lines that are the very same objects in both.

    A shared line stays where one that differs has to do with it: enters the same section, sets
    the same thing, or stands with it in a list whose order is meaning. What is left differs as
    the whole does, and `apply` shares all that it does not touch, so it is little after an edit.
    """
    shared = {id(line) for line in a.lines} & {id(line) for line in b.lines}
    in_a = [id(line) for line in a.lines if id(line) in shared]
    if in_a != [id(line) for line in b.lines if id(line) in shared]:
        return a, b  # the same lines in another order: nothing can be left out
    touched = {
        key
        for tree in (a, b)
        for line in tree.lines
        if id(line) not in shared and line.is_command
        for key in _concerns(line.text)
    }

    def bears(line: Line) -> bool:
        if id(line) not in shared:
            return True
        return line.is_command and not touched.isdisjoint(_concerns(line.text))

    return (
        replace(a, lines=tuple(line for line in a.lines if bears(line))),
        replace(b, lines=tuple(line for line in b.lines if bears(line))),
    )


@lru_cache(maxsize=1 << 13)
def _concerns(text: str) -> frozenset[Key]:
    """Keys of the setting of a top-level command, and of the groups that it stands in."""
    if leaves_mode(text):
        return frozenset()
    meaning = meaning_of(GLOBAL, text)
    keys = (meaning.key, meaning.family, meaning.group)
    return frozenset(key for key in keys if key is not None)
