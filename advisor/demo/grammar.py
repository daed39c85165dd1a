"""Finds the command of a typed line from its words, which may be abbreviated."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

# Commands that a router knows in addition to its answers. They make abbreviations ambiguous, as on
# a real router.
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
    """A line is no command, or a filter is refused; the text is the reply of IOS after the echo."""


class Grammar(Struct, frozen=True):
    """The commands of a device, spelled out; `answerable` holds the complete commands."""

    answerable: frozenset[str]
    words: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, commands: Iterable[str]) -> "Grammar":
        """Build the grammar of a device that answers these commands."""
        answerable = frozenset((*commands, *BUILT_IN))
        commands_in_words = {tuple(command.lower().split()) for command in (*answerable, *_OTHERS)}
        return cls(answerable, frozenset(commands_in_words | set(_SETTINGS)))

    def spell_out(self, line: str, prompt: str) -> str:
        """Return the command that a line means, without its filter.

        Raises
        ------
        InputError
            If the line is no command, or is incomplete or ambiguous.
        """
        entered_words = line.split()
        spelled: tuple[str, ...] = ()
        for index, word in enumerate(entered_words):
            if spelled in _SETTINGS and word.isdigit():
                spelled = (*spelled, word)
                continue
            spelled = (*spelled, self._word(line, prompt, spelled, index, word))
        command = " ".join(spelled)
        if len(spelled) == _SETTING_WORDS and spelled[:2] in _SETTINGS:
            return command
        for answer in self.answerable:
            if answer.lower() == command:
                return answer
        if any(words[: len(spelled)] == spelled and words != spelled for words in self.words):
            raise InputError("% Incomplete command.\n\n")
        raise InputError(_marker(line, prompt, len(entered_words) - 1))

    def _word(self, line: str, prompt: str, prefix: tuple[str, ...], index: int, word: str) -> str:
        depth = len(prefix)
        next_words = {
            words[depth] for words in self.words if len(words) > depth and words[:depth] == prefix
        }
        if word.lower() in next_words:
            return word.lower()
        fitting = [full_word for full_word in next_words if full_word.startswith(word.lower())]
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
