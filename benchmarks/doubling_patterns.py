"""Cost of every regular expression of the readers as its line grows: linear, or it is named here.

    python benchmarks/doubling_patterns.py [--longest CHARACTERS] [MODULE ...]

For each expression, lines are made from its own structure: what leads to a repeat, a long run of
what the repeat takes (or of a character that many expressions share), and an end that makes the
whole fail. Each line is tried in the ways the sources use the expression (`match`, `search`, ...).
The line grows fourfold up to `--longest` characters; an expression fails where a line costs more
than `MOST_GROWTH` times its quarter. CPU time of this thread alone counts, the least of several
tries, a growth that repeats itself, and nothing below `FLOOR_S`, which a line of this length costs
only where the cost is not linear. Exit 1 where an expression fails.
"""

import argparse
import ast
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from re import _constants as op  # type: ignore[attr-defined] # isort: skip
from re import _parser as grammar  # type: ignore[attr-defined] # isort: skip

ROOT = Path(__file__).resolve().parents[1]
READERS = (
    *("advisor.ios", "advisor.capture", "advisor.shows", "advisor.facts", "advisor.settings"),
    *(
        "advisor.collect",
        "advisor.collect.demo",
        "advisor.report",
        "advisor.predict.size",
        "advisor.device",
    ),
    "advisor.predict.what_if",
)
METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
SHORTEST, LONGEST = 16, 8192
MOST_GROWTH = 8.0  # of four times the length: 4 is linear, 16 quadratic
FLOOR_S = 0.003
TRIES = 4
CONFIRMED = 3  # a growth is the least of so many: other work on the machine does not repeat itself
MOST_TRY_S = 1.0
LONG_REPEAT = 64  # a repeat with a lower bound costs no more than so many times its line
COMMON = (*" \ta1A/,:-.()'\"=_|%#>!$\\\n", "a ", "1 ", "1/", ", ", ": ", "a,", "1,", "a a", "() ")
ENDS = ("", "\x01", "!")


class Use(NamedTuple):
    """An expression and a way in which a module uses it."""

    place: str
    pattern: re.Pattern[str]
    method: str


class Slow(NamedTuple):
    """A line whose cost grows faster than its length."""

    place: str
    method: str
    line: str
    seconds: float
    growth: float

    def __str__(self) -> str:
        return f"{self.place}.{self.method}: {self.line}: {self.seconds:.3f} s, x{self.growth:.0f}"


def uses(packages: Sequence[str] = READERS) -> Iterator[Use]:
    """Every expression of the packages, with each way in which the sources use it."""
    reported: set[tuple[str, int, str]] = set()
    for name in sorted(_modules(packages)):
        module = importlib.import_module(name)
        if module.__file__ is None:
            continue
        tree = ast.parse(Path(module.__file__).read_text("utf-8"))
        called, free_calls = _called(tree)
        for constant, value in vars(module).items():
            for pattern in _patterns(value):
                if not isinstance(pattern.pattern, str):
                    continue
                for method in called.get(constant) or free_calls or ("match", "fullmatch"):
                    key = (pattern.pattern, pattern.flags, method)
                    if key not in reported:
                        reported.add(key)
                        yield Use(f"{name}.{constant}", pattern, method)
        for line, method, pattern in _inline(tree):
            yield Use(f"{name}:{line}", pattern, method)


def _modules(packages: Sequence[str]) -> Iterator[str]:
    for package in packages:
        module = importlib.import_module(package)
        yield package
        for entry in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{package}."):
            yield entry.name


def _patterns(value: object, depth: int = 5) -> Iterator[re.Pattern[Any]]:
    """Expressions in a constant: also those in tuples, mappings and Structs."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, tuple | list | frozenset | set):
        for item in value:
            yield from _patterns(item, depth - 1)
    elif depth and isinstance(value, Mapping):
        for item in value.values():
            yield from _patterns(item, depth - 1)
    elif depth and hasattr(value, "__struct_fields__") and not isinstance(value, type):
        for field in value.__struct_fields__:
            yield from _patterns(getattr(value, field), depth - 1)
    elif depth and type(value).__module__.startswith("advisor.") and hasattr(value, "__dict__"):
        yield from _patterns(vars(value), depth - 1)


def _called(tree: ast.Module) -> tuple[dict[str, set[str]], set[str]]:
    """Methods by the constant they are called on, and those called on anything else."""
    by_name: dict[str, set[str]] = {}
    free_calls: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            owner = node.value
            if isinstance(owner, ast.Name) and owner.id == "re":
                continue
            if isinstance(owner, ast.Name) and owner.id.isupper():
                by_name.setdefault(owner.id, set()).add(node.attr)
            elif node.attr != "split":  # that of a text, nearly always
                free_calls.add(node.attr)
    return by_name, free_calls


def _inline(tree: ast.Module) -> Iterator[tuple[int, str, re.Pattern[str]]]:
    """Calls like `re.sub("literal", ...)`."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in METHODS
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            yield node.lineno, node.func.attr, re.compile(node.args[0].value)


# --- lines from the structure of an expression -------------------------------------------------

Node = tuple[Any, Any]  # an operation of the expression's grammar, and what it is given
_SPACES, _DIGITS = " \t\n", "0123456789"
_CHOICES = " a1/A,-:.()\"'_=zbf+*#>!~x\x01"


def _admits(items: Sequence[Node], character: str) -> bool:
    negated = bool(items) and items[0][0] is op.NEGATE
    is_admitted = any(_item_admits(item, character) for item in items)
    return is_admitted is not negated


def _item_admits(item: Node, character: str) -> bool:
    kind, value = item
    if kind is op.LITERAL:
        return chr(value) == character
    if kind is op.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if kind is op.CATEGORY:
        word = character.isalnum() or character == "_"
        return {
            op.CATEGORY_DIGIT: character in _DIGITS,
            op.CATEGORY_NOT_DIGIT: character not in _DIGITS,
            op.CATEGORY_SPACE: character in _SPACES,
            op.CATEGORY_NOT_SPACE: character not in _SPACES,
            op.CATEGORY_WORD: word,
            op.CATEGORY_NOT_WORD: not word,
        }[value]
    return False


def _one_of(items: Sequence[Node]) -> str:
    for character in _CHOICES:
        if _admits(items, character):
            return character
    kind, value = items[0]
    return chr(value if kind is op.LITERAL else value[0]) if kind is not op.NEGATE else "a"


def _sample(nodes: Sequence[Node]) -> str:
    """A short text that the nodes match, without regard to what they look ahead for."""
    return "".join(map(_sample_of, nodes))


def _sample_of(node: Node) -> str:
    kind, value = node
    if kind in REPEATS:
        least, _, body = value
        return _sample(body) * int(least)
    return _SAMPLES[kind](value) if kind in _SAMPLES else ""


REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_SAMPLES: dict[Any, Callable[[Any], str]] = {
    op.LITERAL: chr,
    op.NOT_LITERAL: lambda other: "b" if other == ord("a") else "a",
    op.IN: _one_of,
    op.ANY: lambda _: "a",
    op.BRANCH: lambda branches: _sample(branches[1][0]),
    op.SUBPATTERN: lambda group: _sample(group[3]),
    op.ATOMIC_GROUP: _sample,
}


class Place(NamedTuple):
    """A repeat: what leads to it, samples of what it takes, and what follows it."""

    before: str
    bodies: tuple[str, ...]
    after: str


def _places(nodes: Sequence[Node], prefix: str, suffix: str) -> Iterator[Place]:
    nodes = list(nodes)
    for index, (kind, value) in enumerate(nodes):
        tail = _sample(nodes[index + 1 :]) + suffix
        if kind is op.BRANCH:
            for branch in value[1]:
                yield from _places(branch, prefix, tail)
        elif kind is op.SUBPATTERN:
            yield from _places(value[3], prefix, tail)
        elif kind is op.ATOMIC_GROUP:
            yield from _places(value, prefix, tail)
        elif kind in REPEATS:
            _, most, body = value
            if most >= LONG_REPEAT:
                yield Place(prefix, tuple(_bodies(body)), tail)
            yield from _places(body, prefix, tail)
        prefix += _sample_of((kind, value))


def _bodies(body: Sequence[Node]) -> Iterator[str]:
    yield _sample(body)
    if len(body) == 1 and body[0][0] is op.SUBPATTERN:
        body = body[0][1][3]
    if len(body) == 1 and body[0][0] is op.BRANCH:
        for branch in body[0][1][1]:
            yield _sample(branch)


def _literals(nodes: Sequence[Node]) -> Iterator[str]:
    """Runs of literal characters, at any depth."""
    run = ""
    for kind, value in nodes:
        if kind is op.LITERAL:
            run += chr(value)
            continue
        if run:
            yield run
        run = ""
        if kind is op.BRANCH:
            for branch in value[1]:
                yield from _literals(branch)
        elif kind is op.SUBPATTERN:
            yield from _literals(value[3])
        elif kind in REPEATS:
            yield from _literals(value[2])
    if run:
        yield run


class Line(NamedTuple):
    """A line that grows: `run` is repeated."""

    before: str
    run: str
    end: str

    def of(self, length: int) -> str:
        return self.before + self.run * (length // len(self.run)) + self.end

    def __str__(self) -> str:
        return f"{self.before!r} + {self.run!r} * n + {self.end!r}"


def lines(pattern: re.Pattern[str]) -> Iterator[Line]:
    """Lines against an expression."""
    tree = grammar.parse(pattern.pattern, pattern.flags)
    literals = set(_literals(tree))
    for run in (*COMMON, *literals):
        yield from (Line("", run, end) for end in ENDS)
    for prefix, bodies, suffix in set(_places(tree, "", "")):
        ends = {*ENDS, f"{suffix}\x01", f" {suffix}\x01"}
        runs = {*bodies, *COMMON}
        runs |= {prefix + body for body in bodies} | {body + suffix for body in bodies}
        yield from (Line(prefix, run, end) for run in runs if run for end in ends)


# --- their cost --------------------------------------------------------------------------------


class _TooLongError(Exception):
    pass


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise _TooLongError


def _seconds(call: Callable[[str], object], text: str, tries: int) -> float:
    best = MOST_TRY_S
    for _ in range(tries):
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_TRY_S)
        start = time.thread_time()
        try:
            call(text)
        except _TooLongError:
            return MOST_TRY_S
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        best = min(best, time.thread_time() - start)
    return best


def _call(use: Use) -> Callable[[str], object]:
    method = getattr(use.pattern, use.method)
    if use.method in {"sub", "subn"}:
        return lambda text: method("", text)
    if use.method == "finditer":
        return lambda text: sum(1 for _ in method(text))
    return method  # type: ignore[no-any-return]


def slow(use: Use, longest: int = LONGEST) -> Iterator[Slow]:
    """Lines whose cost grows faster than their length."""
    call = _call(use)
    lines_tried = set()
    handler = signal.signal(signal.SIGVTALRM, _stop)
    try:
        for line in lines(use.pattern):
            if line not in lines_tried:
                lines_tried.add(line)
                growth = _growth(call, line, longest)
                if growth is not None:
                    yield Slow(use.place, use.method, str(line), *growth)
    finally:
        signal.signal(signal.SIGVTALRM, handler)


def _growth(call: Callable[[str], object], line: Line, longest: int) -> tuple[float, float] | None:
    """Seconds and growth where they are too many; lengths double up to the first that costs."""
    # A pattern that costs `FLOOR_S` by the square of its length costs a 16th of it in a quarter.
    if _seconds(call, line.of(longest // 4), 1) < FLOOR_S / 16:
        return None
    if _seconds(call, line.of(longest), 1) < FLOOR_S:
        return None
    length = SHORTEST
    while length <= longest:
        once_s = _seconds(call, line.of(length), 1)
        if once_s > FLOOR_S and once_s > MOST_GROWTH * _seconds(call, line.of(length // 4), TRIES):
            longer_s, growth = min(
                (_grown(call, line, length) for _ in range(CONFIRMED)), key=lambda found: found[1]
            )
            if longer_s > FLOOR_S and growth > MOST_GROWTH:
                return longer_s, growth
        length *= 2
    return None


def _grown(call: Callable[[str], object], line: Line, length: int) -> tuple[float, float]:
    """Seconds of a line, and how many times those of its quarter."""
    longer_s = _seconds(call, line.of(length), TRIES)
    return longer_s, longer_s / max(_seconds(call, line.of(length // 4), TRIES), 1e-7)


def main() -> int:
    parser = argparse.ArgumentParser(description="Cost of regular expressions as lines grow")
    parser.add_argument("modules", nargs="*", default=READERS, metavar="MODULE")
    parser.add_argument("--longest", type=int, default=65536, metavar="CHARACTERS")
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    failed, count = 0, 0
    for use in uses(arguments.modules):
        count += 1
        hit = next(slow(use, arguments.longest), None)
        if hit is not None:
            failed += 1
            print(hit, flush=True)
    print(f"{count} uses of expressions, {failed} not linear")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
