"""Which command a typed line is, by its words, each as short as it is unambiguous."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

# Commands that a router knows beside those it has an answer for: they make abbreviations
# ambiguous as they are on a router.
_OTHERS: Final = (
    "show access-lists",
    "show arp",
    "show clock",
    "show interfaces",
    "show inventory",
    "show ip route",
    "show logging",
    "show policy-map",
    "show privilege",
    "show processes cpu",
    "show processes memory",
    "show protocols",
    "show running-config",
    "show version",
)
BUILT_IN: Final = ("disable", "enable", "exit", "logout", "quit", "show privilege")
_SETTINGS: Final = (("terminal", "length"), ("terminal", "width"))
_SETTING_WORDS: Final = 3


class InputError(Exception):
    """A line that is no command, or a filter that is refused; the text is what IOS says."""


class Grammar(Struct, frozen=True):
    """The commands of a device, spelled out; those in `answerable` are complete."""

    answerable: frozenset[str]
    words: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, commands: Iterable[str]) -> "Grammar":
        """Build the grammar of a device that answers these commands."""
        answerable = frozenset((*commands, *BUILT_IN))
        known = {tuple(each.lower().split()) for each in (*answerable, *_OTHERS)}
        known |= set(_SETTINGS)
        return cls(answerable, frozenset(known))

    def spell_out(self, line: str, prompt: str) -> str:
        """Return the command that a line without its filter means.

        Raises
        ------
        InputError
            Where it is none, incomplete or ambiguous.
        """
        typed = line.split()
        spelled: tuple[str, ...] = ()
        for index, word in enumerate(typed):
            if spelled in _SETTINGS and word.isdigit():
                spelled = (*spelled, word)
                continue
            spelled = (*spelled, self._word(line, prompt, spelled, index, word))
        command = " ".join(spelled)
        if len(spelled) == _SETTING_WORDS and spelled[:2] in _SETTINGS:
            return command
        for known in self.answerable:
            if known.lower() == command:
                return known
        if any(known[: len(spelled)] == spelled and known != spelled for known in self.words):
            raise InputError("% Incomplete command.\n\n")
        raise InputError(_marker(line, prompt, len(typed) - 1))

    def _word(self, line: str, prompt: str, before: tuple[str, ...], index: int, word: str) -> str:
        depth = len(before)
        next_words = {
            known[depth] for known in self.words if len(known) > depth and known[:depth] == before
        }
        if word.lower() in next_words:
            return word.lower()
        fitting = [each for each in next_words if each.startswith(word.lower())]
        if not fitting:
            raise InputError(_marker(line, prompt, index))
        if len(fitting) > 1:
            raise InputError(f'% Ambiguous command:  "{line}"\n')
        return fitting[0]


def _marker(line: str, prompt: str, index: int) -> str:
    column = 0
    for _ in range(index + 1):
        column += len(line[column:]) - len(line[column:].lstrip(" "))
        start = column
        column += len(line[column:].split(" ", 1)[0])
    return f"{' ' * (len(prompt) + start)}^\n% Invalid input detected at '^' marker.\n\n"
