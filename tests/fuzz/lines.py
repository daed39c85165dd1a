"""Changes of the lines of a text that keep it looking like what it was."""

import re
from collections.abc import Callable
from random import Random
from typing import Final

from tests.fuzz import absurd, material
from tests.fuzz.noise import with_banner, with_noise

Lines = list[str]
_DIGITS: Final = re.compile(r"\d+(?:\.\d+)?")
_NAMED: Final = re.compile(
    r"(?:policy-map|class-map(?: match-\w+)?|class|service-policy (?:in|out)put|interface|hostname"
    r"|access-group name|service-policy) (\S+)"
)
_LONG_LINE_CHARACTERS: Final = 100_000
_DEPTH: Final = 300


def changed(text: str, random: Random) -> str:
    """The text after one to four changes."""
    lines = text.split("\n")
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        change = random.choices(_CHANGES, _WEIGHTS)[0]
        if lines:
            change(lines, random)
    return "\n".join(lines)


def _section(lines: Lines, random: Random) -> slice:
    """A line with the deeper ones below it."""
    start = random.randrange(len(lines))
    margin = _indentation(lines[start])
    end = start + 1
    while end < len(lines) and _indentation(lines[end]) > margin:
        end += 1
    return slice(start, end)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _double(lines: Lines, random: Random) -> None:
    section = _section(lines, random)
    place = random.choice((section.stop, random.randrange(len(lines) + 1)))
    lines[place:place] = lines[section] * random.choice((1, 1, 1, 40))


def _delete(lines: Lines, random: Random) -> None:
    del lines[_section(lines, random)]


def _delete_line(lines: Lines, random: Random) -> None:
    del lines[random.randrange(len(lines))]


def _swap_lines(lines: Lines, random: Random) -> None:
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]


def _move_section(lines: Lines, random: Random) -> None:
    section = _section(lines, random)
    moved = lines[section]
    del lines[section]
    place = random.randrange(len(lines) + 1)
    lines[place:place] = moved


def _shuffle_words(lines: Lines, random: Random) -> None:
    row = random.randrange(len(lines))
    words = lines[row].split()
    if not words:
        return
    first, second = random.randrange(len(words)), random.randrange(len(words))
    words[first], words[second] = words[second], words[first]
    if random.random() < 0.4:
        del words[random.randrange(len(words))]
    elif random.random() < 0.4:
        words.insert(first, words[second])
    lines[row] = " " * _indentation(lines[row]) + " ".join(words)


def _indent(lines: Lines, random: Random) -> None:
    row = random.randrange(len(lines))
    lines[row] = random.choice((" ", "  ", "\t", "", " " * 200, "\u00a0")) + lines[row].lstrip()


def _indent_all(lines: Lines, random: Random) -> None:
    step = random.choice(("", "  ", "   ", "\t"))
    lines[:] = [step * _indentation(line) + line.lstrip(" ") for line in lines]


def _number(lines: Lines, random: Random) -> None:
    _replace(lines, random, _DIGITS, absurd.number(random))


def _word(lines: Lines, random: Random) -> None:
    _replace(lines, random, re.compile(r"\S+"), absurd.name(random))


def _replace(lines: Lines, random: Random, pattern: re.Pattern[str], value: str) -> None:
    rows = [row for row, line in enumerate(lines) if pattern.search(line)]
    if rows:
        row = random.choice(rows)
        hit = random.choice(list(pattern.finditer(lines[row])))
        lines[row] = lines[row][: hit.start()] + value + lines[row][hit.end() :]


def _rename(lines: Lines, random: Random) -> None:
    """Give a policy, class or interface another name wherever it stands."""
    names = sorted({hit[1] for line in lines for hit in _NAMED.finditer(line)})
    if names:
        old, new = random.choice(names), absurd.name(random)
        lines[:] = [line.replace(f" {old}", f" {new}") for line in lines]


def _abbreviate(lines: Lines, random: Random) -> None:
    row = random.randrange(len(lines))
    margin = " " * _indentation(lines[row])
    words = lines[row].split()
    lines[row] = margin + " ".join(word[: random.randrange(1, len(word) + 1)] for word in words)


def _typo(lines: Lines, random: Random) -> None:
    row = random.randrange(len(lines))
    line = lines[row]
    if line:
        at = random.randrange(len(line))
        lines[row] = random.choice(
            (line[:at] + line[at + 1 :], line[:at] + line[at] * 2 + line[at + 1 :], line.upper())
        )


def _negate(lines: Lines, random: Random) -> None:
    row = random.randrange(len(lines))
    line = lines[row]
    word = random.choice(("no ", "default ", "do ", "no no "))
    lines[row] = " " * _indentation(line) + word + line.lstrip()


def _splice(lines: Lines, random: Random) -> None:
    """A section of another file."""
    other = random.choice(random.choice((material.configs, material.shows))()).text.split("\n")
    place = random.randrange(len(lines) + 1)
    lines[place:place] = other[_section(other, random)]


def _join_file(lines: Lines, random: Random) -> None:
    """A second device in the same file."""
    lines += random.choice(random.choice((material.configs, material.shows))()).text.split("\n")


def _lengthen(lines: Lines, random: Random) -> None:
    row = random.randrange(len(lines))
    piece = random.choice(("x", "1 ", " ", "(", "- ", "0", "a.b-", "\t", "\\", "12:", "{{", "\b"))
    line = lines[row]
    lines[row] = line + piece * (_LONG_LINE_CHARACTERS // len(piece)) + random.choice(("", line))


def _deepen(lines: Lines, random: Random) -> None:
    row = random.randrange(len(lines))
    lines[row:row] = [" " * depth + lines[row].lstrip() for depth in range(_DEPTH)]


def _noise(lines: Lines, random: Random) -> None:
    with_noise(lines, random)


def _banner(lines: Lines, random: Random) -> None:
    with_banner(lines, random)


_WEIGHTED: Final[tuple[tuple[Callable[[Lines, Random], None], float], ...]] = (
    (_double, 2),
    (_delete, 2),
    (_delete_line, 2),
    (_swap_lines, 2),
    (_move_section, 2),
    (_shuffle_words, 3),
    (_indent, 2),
    (_indent_all, 0.5),
    (_number, 8),
    (_word, 5),
    (_rename, 4),
    (_abbreviate, 2),
    (_typo, 2),
    (_negate, 2),
    (_splice, 3),
    (_join_file, 0.7),
    (_lengthen, 0.25),
    (_deepen, 0.25),
    (_noise, 2),
    (_banner, 1.5),
)
_CHANGES: Final = tuple(change for change, _ in _WEIGHTED)
_WEIGHTS: Final = tuple(weight for _, weight in _WEIGHTED)
