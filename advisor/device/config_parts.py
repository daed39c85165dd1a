"""Parts of one running configuration (`| section policy-map`, `interface Serial0/0`), read as one.

Whoever opens a case pastes the parts that matter, each after its prompt.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from advisor.capture import Section
from advisor.capture.outputs import RUNNING_CONFIG
from advisor.ios.syntax.scan import physical_lines

_AROUND: Final = re.compile(r"Current configuration\b|end\s*$")  # each speaks of one part alone


def is_part(config: Section) -> bool:
    """Whether it is a part of a running configuration, by the command that printed it."""
    is_asked = bool(config.arguments) or config.line_filter is not None
    return config.taken_for == RUNNING_CONFIG and is_asked


def joined(main: Section, configs: Sequence[Section]) -> Section:
    """The part that counts with the other parts of its file, each line with its number.

    Of a part that was printed twice the last one counts. A whole configuration stays as it is.
    """
    parts = {config.command: config for config in configs if _is_beside(main, config)}
    if len(parts) < 2:  # noqa: PLR2004 -- nothing to join
        return main
    ordered = sorted(parts.values(), key=lambda part: part.first_line)
    return replace(ordered[0], text="".join(_lines(ordered)), identity=None, is_wrapped=False)


def said_of_parts(configs: Iterable[Section], main: Section | None) -> Iterator[str]:
    """Say which parts of a configuration are not judged, because a whole one counts."""
    if main is None:
        return
    for part in configs:
        if is_part(part) and not _is_beside(main, part):
            yield (
                f"the configuration of {main.file}:{main.first_line} counts; "
                f"{part.file}:{part.first_line} holds a part of one, which is not judged"
            )


def _is_beside(main: Section, config: Section) -> bool:
    are_parts = is_part(main) and is_part(config)
    return are_parts and (config.file, config.host) == (main.file, main.host)


def _lines(parts: Sequence[Section]) -> Iterator[str]:
    """The lines of all parts; what stands between two of them is left empty."""
    line_number = parts[0].first_line
    for place, part in enumerate(parts):
        yield "\n" * (part.first_line - line_number)
        line_number = part.first_line
        for index, line in enumerate(physical_lines(part.shown)):
            line_number += 1
            is_prompt = bool(place) and index < part.prompt_lines
            yield "\n" if is_prompt or _AROUND.match(line) else line
