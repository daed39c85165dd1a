"""Answers of the what-if page: a request and its answer are JSON, whoever carries them."""

import json
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from advisor.api import page

MOST_BYTES: Final = 4_000_000  # of a request
_MOST_OUTPUTS: Final = 500


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """Texts by their names, the text of a settings file, an output by its place, moved settings.

    `part` is "figures", or "plan": findings and plan, which take longer.
    """

    texts: dict[str, str]
    settings: str = ""
    output: int = 0
    moved: dict[str, float] = field(default_factory=dict)
    part: str = "figures"


def answer(request: object) -> dict[str, Any]:
    """The answer to a request of the page, or `error` with what is wrong and what to do.

    Nothing of the request is kept but the run of the last one, in memory, until the next one.
    """
    try:
        return _answer(msgspec.convert(request, Request))
    except (msgspec.ValidationError, page.AdvisorError) as error:
        return {"error": _words(error)}
    except Exception as error:  # noqa: BLE001 -- the page says it; it must not end the server
        kind = type(error).__name__
        return {"error": f"internal error ({kind}): a defect of advisor, not of your input"}


def answer_json(request: str | bytes) -> str:
    """The answer to a request that is JSON, as JSON."""
    try:
        asked = json.loads(request)
    except (ValueError, RecursionError):
        asked = None
    return json.dumps(answer(asked))


def _words(error: Exception) -> str:
    if isinstance(error, page.AdvisorError):
        return page.shown_error(error)
    return f"the page asked in a form that is not understood: {type(error).__name__}"


@lru_cache(maxsize=1)
def _opened(texts: tuple[tuple[str, str], ...], settings: str) -> page.OpenedPage:
    """Devices read of the texts: a slider asks for the same ones again and again."""
    return page.opened(dict(texts), settings)


def _answer(request: Request) -> dict[str, Any]:
    asked = _opened(tuple(request.texts.items()), request.settings)
    outputs = asked.outputs[:_MOST_OUTPUTS]
    if not 0 <= request.output < len(outputs):
        return {"error": f"output {request.output}: there are {len(outputs)}"}
    output = outputs[request.output]
    if request.part == "plan":
        return {"plan": page.plan(asked, output, request.moved)}
    answered: dict[str, Any] = msgspec.to_builtins(page.figures(asked, output, request.moved))
    names = [page.output_name(each) for each in outputs]
    levers = msgspec.to_builtins(page.shown_levers(output))
    placed = {"outputs": names, "output": request.output, "levers": levers}
    return {**answered, **placed, "unjudged": asked.unjudged}
