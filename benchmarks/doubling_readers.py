"""Cost of whole readers as a line, or the number of lines, grows: linear, or it is named here.

    python benchmarks/doubling_readers.py [--longest CHARACTERS]

Each show output and each configuration of `fixtures/` is read with one of its lines made long: at
its start, in its middle and at its end a long word, number, list or blank is put in, and the line
is repeated in itself. Then each line, and the whole text, is repeated. A text fails where it costs
more than `MOST_GROWTH` times what its quarter costs. CPU time of this thread alone counts, the
least of several tries, and nothing below `FLOOR_S`. Exit 1 where a text fails.
"""

import argparse
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SHORTEST, LONGEST = 512, 16384
MOST_GROWTH = 8.0  # of four times the length: 4 is linear, 16 quadratic
FLOOR_S = 0.04
TRIES = 3
MOST_TRY_S = 10.0
RUNS = ("a", "1", " ", "a ", "1 ", "1/", ", ", "a,", "(", ": ", "-", '"', ".1")
PLACES = ("start", "middle", "end")

_NUMBERS = re.compile(r"\d+")
Read = Callable[[str], object]


class Text(NamedTuple):
    """A text that grows with `length`; what it is in words, and how it is read."""

    place: str
    grows: str
    text_of: Callable[[int], str]
    read: Read


class Slow(NamedTuple):
    place: str
    grows: str
    seconds: float
    growth: float

    def __str__(self) -> str:
        return f"{self.place}: {self.grows}: {self.seconds:.3f} s, x{self.growth:.0f}"


def _read_file(name: str, text: str) -> object:
    from advisor.device.reading import Source, read_source  # noqa: PLC0415 -- after the path is set
    from advisor.ground.questions import forget  # noqa: PLC0415
    from advisor.settings import Settings  # noqa: PLC0415

    forget()
    return read_source(Source(name, text.encode()), Settings()).device.seen


class Fixture(NamedTuple):
    """A file of `fixtures/`; files of one `family` have the same lines."""

    family: str
    place: str
    text: str
    read: Read


def fixtures() -> Iterator[Fixture]:
    """Every show output and every configuration."""
    for file in sorted((ROOT / "fixtures" / "show").rglob("*.txt")):
        family = file.parent.name
        name = "session.txt" if family == "sessions" else f"show_{family}.txt"
        reader = partial(_read_file, name)
        yield Fixture(family, f"{family}/{file.name}", file.read_text("utf-8"), reader)
    configs = ROOT / "fixtures" / "configs"
    dlsw = ROOT / "fixtures" / "dlsw"
    for file in (*sorted(configs.rglob("*.ios")), *sorted(dlsw.rglob("*.cfg"))):
        text = file.read_bytes().decode("utf-8", "replace")
        yield Fixture("configs", file.name, text, partial(_read_file, file.name))


def texts() -> Iterator[Text]:
    """Every fixture with each of its kinds of line made long, and many."""
    reported: set[tuple[str, str]] = set()
    for family, file, text, reader in fixtures():
        lines = text.splitlines()
        yield Text(file, "whole text repeated", partial(_whole, text), reader)
        for index, line in enumerate(lines):
            kind = (family, re.sub(r"\d+", "0", line.strip()))
            if not line.strip() or kind in reported:
                continue
            reported.add(kind)
            prefix = "\n".join((*lines[:index], ""))
            suffix = "\n".join(("", *lines[index + 1 :]))
            location = f"{file}:{index + 1}"
            yield Text(location, "line repeated", partial(_repeated, prefix, line, suffix), reader)
            for grows, numbered in (
                ("line with other names", f"{line}{{}}"),
                ("line with other numbers", _NUMBERS.sub("{}", _braced(line), count=1)),
                ("`no` line with other names", f"{_margin(line)}no {line.strip()}{{}}"),
            ):
                yield Text(location, grows, partial(_numbered, prefix, numbered, suffix), reader)
            for place in PLACES:
                for run in RUNS:
                    text_of = partial(_long, (prefix, line, suffix), run, place)
                    yield Text(location, f"{run!r} at the {place}", text_of, reader)
            text_of = partial(_long, (prefix, line, suffix), f"{line.strip()} ", "end")
            yield Text(location, "line repeated in itself", text_of, reader)


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _braced(line: str) -> str:
    return line.replace("{", "(").replace("}", ")")


def _numbered(prefix: str, line: str, suffix: str, length: int) -> str:
    line = line if line.count("{") == 1 else _braced(line.replace("{}", "")) + "{}"
    return prefix + "".join(f"{line.format(number)}\n" for number in range(length // 8)) + suffix


def _whole(text: str, length: int) -> str:
    return text * max(1, length // 64)


def _repeated(prefix: str, line: str, suffix: str, length: int) -> str:
    return prefix + f"{line}\n" * (length // 8) + suffix


def _long(parts: tuple[str, str, str], run: str, place: str, length: int) -> str:
    prefix, line, suffix = parts
    body = line.strip()
    run *= length // len(run)
    words = body.split(" ")
    middle = len(words) // 2
    body = {
        "start": f"{words[0]}{run} {' '.join(words[1:])}",
        "middle": f"{' '.join(words[:middle])} {run}{' '.join(words[middle:])}",
        "end": f"{body}{run}",
    }[place]
    return prefix + _margin(line) + body + suffix


class _TooLongError(Exception):
    pass


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise _TooLongError


def _seconds(reader: Read, text: str, tries: int) -> float:
    best = MOST_TRY_S
    for _ in range(tries):
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_TRY_S)
        start = time.thread_time()
        try:
            with suppress(ValueError):  # a number of thousands of digits may be refused
                reader(text)
        except _TooLongError:
            return MOST_TRY_S
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        best = min(best, time.thread_time() - start)
    return best


def growth(text: Text, longest: int = LONGEST) -> Slow | None:
    """Seconds and growth where they are too many; None of a text that is read in linear time."""
    handler = signal.signal(signal.SIGVTALRM, _stop)
    try:
        # A reader that costs `FLOOR_S` by the square of its length costs a 16th of it in a quarter.
        short_s = _seconds(text.read, text.text_of(1), 2)
        if _seconds(text.read, text.text_of(longest // 4), 1) < short_s + FLOOR_S / 16:
            return None
        length, longer_s = longest, _seconds(text.read, text.text_of(longest), 1)
        while longer_s > FLOOR_S and length >= SHORTEST:
            quarter_s = max(_seconds(text.read, text.text_of(length // 4), TRIES), 1e-6)
            if longer_s > MOST_GROWTH * quarter_s:
                longer_s = min(longer_s, _seconds(text.read, text.text_of(length), TRIES))
            if longer_s > FLOOR_S and longer_s > MOST_GROWTH * quarter_s:
                return Slow(text.place, text.grows, longer_s, longer_s / quarter_s)
            length, longer_s = length // 4, quarter_s
    finally:
        signal.signal(signal.SIGVTALRM, handler)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description="Cost of readers as lines and texts grow")
    parser.add_argument("--longest", type=int, default=LONGEST, metavar="CHARACTERS")
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    count = failed = 0
    for text in texts():
        count += 1
        hit = growth(text, arguments.longest)
        if hit is not None:
            failed += 1
            print(hit, flush=True)
    print(f"{count} texts, {failed} not linear")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
