"""Spells out abbreviated exec commands, and finds the known output that a command prints."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import ShowOutput, outputs
from advisor.ios.grammar import rows_of

_FILTERS: Final = (
    *("include", "exclude", "begin", "section", "count", "redirect", "append", "tee"),
    "format",
)


class _Words(dict[str, "_Words"]):
    """The possible next words, and the words after them."""


# An abbreviation that fits several words means the first: those of the grammar stand before the
# commands of known outputs.
_ROWS: Final = (*rows_of("commands")["exec"], *outputs())


def _tree() -> _Words:
    root = _Words()
    for row in _ROWS:
        nodes = [root]
        for choices in row.split():
            nodes = [
                node.setdefault(word, _Words()) for node in nodes for word in choices.split("|")
            ]
    return root


_TREE: Final = _tree()
# Every word of the vocabulary, at any position.
WORDS: Final = frozenset(" ".join(_ROWS).replace("|", " ").split())


def spell_out(command: str) -> str:
    """Complete the abbreviated words of an exec command.

    Words outside the vocabulary (an interface, a number) and the pattern of a filter stay as
    typed.

    Examples
    --------
    >>> spell_out("sh proc cpu | inc CPU")
    'show processes cpu | include CPU'
    >>> spell_out("sh int s0/1/0")
    'show interfaces s0/1/0'
    """
    typed, bar, filters = command.partition("|")
    words = typed.split()
    if words[:1] == ["do"]:
        del words[0]
    node = _TREE
    for position, word in enumerate(words):
        full_word = _completed(word, tuple(node))
        if full_word is None:
            break
        words[position] = full_word
        node = node[full_word]
    if not bar:
        return " ".join(words)
    name, _, pattern = filters.strip().partition(" ")
    return " ".join((*words, "|", _completed(name, _FILTERS) or name, pattern)).rstrip()


def known_words(words: Sequence[str]) -> int:
    """Count the words of a command, from its first, that IOS completes to words known here.

    Examples
    --------
    >>> known_words(["conf", "t"]), known_words(["copy", "tftp://192.0.2.1/x"])
    (2, 1)
    """
    node = _TREE
    for count, word in enumerate(words):
        whole = _completed(word, tuple(node))
        if whole is None:
            return count
        node = node[whole]
    return len(words)


def _completed(word: str, choices: tuple[str, ...]) -> str | None:
    lower = word.lower()
    if lower in choices:
        return lower
    return next((choice for choice in choices if lower and choice.lower().startswith(lower)), None)


# Which of the outputs that are known a spelled-out command asks for.


class CommandParts(Struct, frozen=True):
    """A spelled-out command in its parts; `line_filter` is what stands after the bar but `tee`.

    `output` is the command of a known output, without arguments.
    """

    output: str | None
    arguments: tuple[str, ...]
    line_filter: str | None


_SHORTEST_ABBREVIATION: Final = 3
_COPIES: Final = "tee "  # prints all lines, and writes them to a file, too


@lru_cache(maxsize=1024)
def command_parts(command: str) -> CommandParts:
    """Take a spelled-out command apart.

    Examples
    --------
    >>> parts = command_parts("show processes cpu sorted 5min | include CPU")
    >>> parts.output, parts.arguments, parts.line_filter
    ('show processes cpu', ('sorted', '5min'), 'include CPU')
    >>> command_parts("show interfaces status").output is None
    True
    >>> command_parts("show interfaces Serial0/0 rate-limit").output
    'show interfaces rate-limit'
    """
    typed, bar, line_filter = command.partition("|")
    name = " ".join(typed.split())
    rest = line_filter.strip() if bar and not line_filter.strip().startswith(_COPIES) else None
    for command_of_output, output in outputs().items():
        if name == command_of_output or name.startswith(f"{command_of_output} "):
            arguments = tuple(name[len(command_of_output) :].split())
            other = _other_layout(output, arguments)
            if other is None:
                return CommandParts(command_of_output, arguments, rest)
            own = f"{command_of_output} {other}"  # `show interfaces Serial0/0 rate-limit`
            if own in outputs():
                return CommandParts(own, arguments, rest)
            break
    return CommandParts(None, (), rest)


def scrolled_command(typed: str) -> str | None:
    """Spell out a command whose start IOS does not show: `$` stands for it.

    Returns
    -------
    str | None
        None where the rest is that of no known output, or of several.

    Examples
    --------
    >>> scrolled_command("$licy-map interface Serial0/1/0 output")
    'show policy-map interface Serial0/1/0 output'
    >>> scrolled_command("$terface Serial0/1/0") is None
    True
    """
    rest, bar, line_filter = typed.removeprefix("$").partition("|")
    shown = " ".join(rest.split())
    longest = max((_overlap(command, shown) for command in outputs()), default=0)
    known = [command for command in outputs() if _overlap(command, shown) == longest]
    if longest < _SHORTEST_ABBREVIATION or len(known) != 1:
        return None
    return spell_out(f"{known[0]}{shown[longest:]} {bar} {line_filter}".rstrip())


def _overlap(command: str, shown: str) -> int:
    """Length of the longest end of a command that a text starts with, in whole words."""
    starts = (place for place in range(1, len(command)))
    for start in starts:
        tail = command[start:]
        if shown == tail or shown.startswith(f"{tail} "):
            return len(tail)
    return 0


def _other_layout(output: ShowOutput, arguments: tuple[str, ...]) -> str | None:
    """The argument that turns the command into one with another layout, spelled out."""
    for argument in map(str.lower, arguments):
        for other in output.other_layouts:
            is_short = len(argument) >= _SHORTEST_ABBREVIATION and other.startswith(argument)
            if argument == other or is_short:
                return other
    return None
