"""What holds for every input: exit codes, printable text, JSON that is JSON, no secret."""

import csv
import io
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

import jsonschema
from msgspec import Struct

from advisor.report.schema import output_schemas
from tests.fuzz.absurd import SECRET
from tests.fuzz.noise import words_before

_EXIT_CODES: Final = (0, 1, 2, 3)
_NOTHING_PRINTED: Final = {"design": (1, 2)}  # a design that a rule finds fault with is refused
_NUL: Final = re.compile(r"\0|\\x00|\\u0000")
_LOOK: Final = 120
_IOS_LINE: Final = re.compile(r"(?:!| *[A-Za-z]).*|")


class Fault(Struct, frozen=True):
    """A broken promise. Faults of one `kind` and `place` have one cause, as far as is known."""

    target: str
    kind: str
    place: str
    detail: str


class Ended(Struct, frozen=True):
    """How a command ended, with all that it printed; `report` is the file of --output."""

    words: tuple[str, ...]
    code: int
    stdout: bytes
    stderr: bytes
    report: bytes = b""

    @property
    def target(self) -> str:
        """The command with its format."""
        return " ".join((*self.words[:2], *self.form)) if self.words[0] in _DOUBLE else self._name

    @property
    def _name(self) -> str:
        return " ".join((self.words[0], *self.form))

    @property
    def form(self) -> tuple[str, ...]:
        """The format that is asked for."""
        if "--format" in self.words[:-1]:
            return (self.words[self.words.index("--format") + 1],)
        return ("json",) if "--scenario" in self.words else ()


_OF_FIGURES: Final = ("predict", "size", "design")
_NO_FIGURE: Final = re.compile(r"\b(?:nan|inf) ?(?:ms|s|us|[kMG]?b/s|%|packets|bytes|fps)\b")
_FIGURE: Final = re.compile(r"-[\d.]+(?:e[+-]?\d+)?")
_DOUBLE: Final = ("size", "design", "rules", "config")


def broken(ended: Ended) -> Iterator[Fault]:
    """What a command broke; a defect that was caught is told by its traceback elsewhere."""
    name, printed = ended.target, ended.report or ended.stdout
    if ended.code not in _EXIT_CODES:
        yield Fault(name, "exit code", f"{ended.code} of {name}", "")
    for stream, payload in (("stdout", printed), ("stderr", ended.stderr)):
        text = _decoded(payload)
        if "Traceback" in text:
            yield Fault(name, "traceback printed", f"{stream} of {name}", text[-500:])
        if (words := words_before_secret(text)) is not None:
            yield Fault(name, "secret printed", f"after `{words}` by {name}", _around_secret(text))
        if (stream == "stderr" or not _is_json(ended)) and ended.words[0] != "redact":
            is_rows = stream == "stdout" and ended.form == ("csv",)  # they end as RFC 4180 says
            yield from _of_text(name, stream, text.replace("\r\n", "\n") if is_rows else text)
    if _is_json(ended):
        yield from _of_json(name, ended, printed)
    if ended.form == ("csv",):
        yield from _of_csv(name, _decoded(printed))
    elif ended.words[0] in _OF_FIGURES and (figure := _NO_FIGURE.search(_decoded(printed))):
        around = _decoded(printed)[max(0, figure.start() - _LOOK) : figure.end() + 20]
        yield Fault(name, "no figure", f"stdout of {name}", ascii(around))
    if ended.words[0] == "fix" and not ended.form:
        yield from _of_snippet(name, _decoded(printed))


def words_before_secret(text: str) -> str | None:
    """The words that the secret stands behind; None where it does not stand in the text."""
    text = _NUL.sub("", text)
    start = text.find(SECRET)
    if start < 0:
        return None
    return words_before(text[max(0, start - _LOOK) : start].replace('\\"', '"'))


def _around_secret(text: str) -> str:
    text = _NUL.sub("", text)
    start = text.find(SECRET)
    return ascii(text[max(0, start - _LOOK) : start + 40])


def _is_json(ended: Ended) -> bool:
    return ended.form == ("json",)


def _of_text(name: str, stream: str, text: str) -> Iterator[Fault]:
    if text.replace("\n", "").isprintable():
        return
    at, char = next((i, c) for i, c in enumerate(text) if c != "\n" and not c.isprintable())
    shown = ascii(text[max(0, at - 80) : at + 20])
    yield Fault(name, "control character", f"{stream} of {name}", f"{char!a} in {shown}")


def _of_json(name: str, ended: Ended, payload: bytes) -> Iterator[Fault]:
    if not payload and ended.code in _NOTHING_PRINTED.get(ended.words[0], (2,)):
        return
    try:
        document = json.loads(payload.decode("utf-8"), parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        detail = f"{error}: {payload[:200]!a}"
        yield Fault(name, "no JSON", f"stdout of {name}", detail)
        return
    if ended.words[0] == "lint":
        for problem in islice(_validator().iter_errors(document), 1):
            yield Fault(name, "not by the schema", f"stdout of {name}", problem.message[:300])


def _of_csv(name: str, text: str) -> Iterator[Fault]:
    """Rows of one width, and no cell that a spreadsheet takes for a formula."""
    rows = list(csv.reader(io.StringIO(text)))
    if len({len(row) for row in rows}) > 1:
        yield Fault(name, "no CSV", f"stdout of {name}", ascii(text[:300]))
    for cell in (cell for row in rows for cell in row):
        if cell.startswith(("=", "+", "-", "@", "\t", "\r")) and not _FIGURE.fullmatch(cell):
            yield Fault(name, "formula in CSV", f"stdout of {name}", ascii(cell)[:300])
            return


def _decoded(payload: bytes) -> str:
    return payload.decode("utf-8", "backslashreplace")


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


@cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(output_schemas())


def _of_snippet(name: str, text: str) -> Iterator[Fault]:
    for line in text.split("\n"):
        if not _IOS_LINE.fullmatch(line):
            yield Fault(name, "no line of IOS", f"stdout of {name}", ascii(line)[:300])
            return
