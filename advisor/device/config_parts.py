"""Parts of one running configuration (`| section policy-map`, `interface Serial0/0`), read as one.

Whoever opens a case pastes the parts that matter, each after its prompt.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from advisor.capture import Section, SectionKind
from advisor.capture.masking import mask_quoted_line
from advisor.capture.notes import is_command
from advisor.capture.outputs import RUNNING_CONFIG
from advisor.ios.exec.prompts import typed_text
from advisor.ios.syntax.lines import physical_lines
from advisor.ios.syntax.modes import GLOBAL, opens_mode

_WHOLE: Final = frozenset(("all", "brief", "full", "linenum", "view"))  # show running-config all
_OTHER_SPELLINGS: Final = ("write terminal", "more system:running-config")
_AROUND: Final = re.compile(r"Current configuration\b|end\s*$")  # each speaks of one part alone


def is_part(config: Section) -> bool:
    """Whether it is a part of a running configuration, by the command that printed it."""
    is_asked = bool(set(config.arguments) - _WHOLE) or config.line_filter is not None
    return config.taken_for == RUNNING_CONFIG and is_asked


def is_running(config: Section) -> bool:
    """Whether a command printed a running configuration, in any of its spellings."""
    is_shown = config.taken_for == RUNNING_CONFIG
    return is_shown or (config.command or "").startswith(_OTHER_SPELLINGS)


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


def said_of_changes(sections: Iterable[Section], main: Section | None) -> Iterator[str]:
    """Say what was configured in a log behind the configuration that it shows: nothing has it."""
    if main is None:
        return
    for section in sections:
        is_later = (section.file, section.host) == (main.file, main.host) and (
            section.kind is SectionKind.CONFIG and section.first_line > main.first_line
        )
        if not is_later or section.command is None or not section.command.startswith("conf"):
            continue
        for row, line in enumerate(physical_lines(section.shown)):
            typed = typed_text(line)
            if is_command(typed) and opens_mode(GLOBAL, typed) is None:
                yield (
                    f"{section.file}:{section.first_line + row}: `{mask_quoted_line(typed)}` was "
                    f"configured after the configuration of line {main.first_line} was shown, and "
                    "is not judged; show it again"
                )
                break


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
