"""The lines that two configs do not share: all that a comparison has to read."""

from functools import lru_cache

from msgspec.structs import replace

from advisor.ios.edit.command_keys import Key
from advisor.ios.edit.meaning import meaning_of
from advisor.ios.edit.sections import leaves_mode
from advisor.ios.syntax.modes import GLOBAL
from advisor.ios.syntax.tree import ConfigTree, Line


def differing(a: ConfigTree, b: ConfigTree) -> tuple[ConfigTree, ConfigTree]:
    """Remove from two trees the top-level lines that are the same objects in both.

    A shared line stays if a different line concerns it: if that line enters the same section, sets
    the same setting, or stands in the same ordered list. The remaining trees differ exactly as the
    complete ones do. They are small after an edit, because `apply` shares all untouched lines.
    """
    shared = {id(line) for line in a.lines} & {id(line) for line in b.lines}
    in_a = [id(line) for line in a.lines if id(line) in shared]
    if in_a != [id(line) for line in b.lines if id(line) in shared]:
        return a, b  # the same lines in another order: no line can be left out
    touched = {
        key
        for tree in (a, b)
        for line in tree.lines
        if id(line) not in shared and line.is_command
        for key in _concerns(line.text)
    }

    def is_concerned(line: Line) -> bool:
        if id(line) not in shared:
            return True
        return line.is_command and not touched.isdisjoint(_concerns(line.text))

    return (
        replace(a, lines=tuple(line for line in a.lines if is_concerned(line))),
        replace(b, lines=tuple(line for line in b.lines if is_concerned(line))),
    )


@lru_cache(maxsize=1 << 13)
def _concerns(text: str) -> frozenset[Key]:
    """Keys of the setting of a top-level command and of its groups."""
    if leaves_mode(text):
        return frozenset()
    meaning = meaning_of(GLOBAL, text)
    keys = (meaning.key, meaning.family, meaning.group)
    return frozenset(key for key in keys if key is not None)
