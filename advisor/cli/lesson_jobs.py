"""What `demo` does."""

import re
from typing import Final

from msgspec import Struct

from advisor.cli.errors import Code
from advisor.cli.output import show, style_of
from advisor.cli.progress import bar_of
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.predict.what_if.lesson import Lesson, NoLessonError, lesson
from advisor.predict.what_if.stated_link import rate_bps
from advisor.report import json_report, lesson_text
from advisor.settings.codecs import CodecError, load_codecs
from advisor.units import kbps_from_bps, whole

_RANGE: Final = re.compile(r"([0-9]{1,4})(?:\.\.([0-9]{1,4}))?")
_MOST_RINGS: Final = 64
_MOST_LIMIT: Final = 500


class LessonOptions(Struct, frozen=True):
    """What the command line asks for."""

    link: str
    calls: int
    codec: str
    rings: str
    seed: int


def demo(options: LessonOptions, view: View) -> Code:
    """Predict and simulate voice behind rings, and print both.

    Raises
    ------
    WrongUseError
        If the range or the codec is not understood, or the calls overfill the link.
    """
    try:
        known, packet = load_codecs().packet(options.codec)
    except CodecError as error:
        raise WrongUseError(f"--{error.key}: {error}") from error
    rate_kbps = kbps_from_bps(rate_bps(options.link, "--link"))
    asked = Lesson(rate_kbps, options.calls, known.name, _rings(options.rings), options.seed)
    try:
        with bar_of(view) as bar:
            points = lesson(asked, packet, bar)
    except NoLessonError as error:
        raise WrongUseError(f"--calls: {error}") from error
    if view.form == "json":
        show(json_report.encoded(points), view)
    elif view.form == "svg":
        show(lesson_text.svg(asked, points), view)
    else:
        show(lesson_text.render(asked, points, style_of(view)), view)
    return Code.CLEAN


def _rings(text: str) -> tuple[int, ...]:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise WrongUseError(f"--rings {text!a}: write one ring or a range, like 1..40")
    first = whole(match[1])
    last = first if match[2] is None else whole(match[2])
    if not 1 <= first <= last <= _MOST_LIMIT or last - first >= _MOST_RINGS:
        limits = f"at most {_MOST_RINGS} rings, of 1 to {_MOST_LIMIT} packets, the shorter first"
        raise WrongUseError(f"--rings {text}: {limits}")
    return tuple(range(first, last + 1))
