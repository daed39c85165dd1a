"""Sections of the page whose scenarios may be absent: kept as they are, and never passed silently.

The end of such a section names two fingerprints: of its own text, and of the model that computed
it. Where the scenarios are absent, text that somebody edited is refused, and a model that answers
otherwise than then turns the sentence above the section into a warning, so that the page changes.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import fields

from tools.validation.truth import TruthError

_LENGTH = 12
_DIGITS = 6  # more would tell machines apart, not models


class Model(Struct, frozen=True):
    """The model by its answers on the scenarios of the project."""

    fingerprint: str


def model_of(answers: Iterable[object]) -> Model:
    """The model that gives these answers; words in them do not count, numbers do.

    Parameters
    ----------
    answers : iterable of Struct
        Predictions, with everything in them.
    """
    numbers = (number for answer in answers for number in _numbers(answer))
    return Model(_fingerprint(" ".join(numbers)))


def _numbers(value: object) -> Iterator[str]:
    if isinstance(value, Struct):
        for field in fields(value):
            yield from _numbers(getattr(value, field.name))
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _numbers(part)
    elif value is None:
        yield "none"
    elif isinstance(value, float | int):
        yield f"{value:.{_DIGITS}g}"


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]


def computed(name: str, text: str, model: Model) -> str:
    """A section whose figures were computed now."""
    text = text.strip("\n")
    end = f"<!-- {name} ends; model {model.fingerprint}, text {_fingerprint(text)} -->"
    return f"The figures are those of the present model.\n\n<!-- {name} begins -->\n{text}\n{end}"


def kept(name: str, old_page: str, model: Model) -> str:
    """The section of the old page, with what the present model makes of it.

    Raises
    ------
    TruthError
        If the section is not there or is not what was computed.
    """
    block = re.search(
        rf"<!-- {name} begins -->\n(?P<text>.*)\n"
        rf"<!-- {name} ends; model (?P<model>\w+), text (?P<fingerprint>\w+) -->",
        old_page,
        re.DOTALL,
    )
    if block is None:
        raise TruthError(f"the section `{name}` of the page is missing, its scenarios are not here")
    if _fingerprint(block["text"]) != block["fingerprint"]:
        raise TruthError(f"the section `{name}` of the page was edited, its scenarios are not here")
    if block["model"] == model.fingerprint:
        return f"The figures are those of the present model.\n\n{block[0]}"
    return (
        f"**The figures are those of an older model** ({block['model']}; the present one is "
        f"{model.fingerprint}): they are to be computed anew.\n\n{block[0]}"
    )
