"""Parts of one running configuration (`| section policy-map`, `interface Serial0/0`), read as one.

Whoever opens a case pastes the parts that matter, each after its prompt.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from advisor.capture.masking import mask_captured, mask_quoted_line
from advisor.capture.outputs import RUNNING_CONFIG
from advisor.capture.pages import is_command
from advisor.capture.sections import Section, SectionKind
from advisor.ios.syntax import Line, physical_lines
from advisor.ios.syntax.abbreviations import spelled_out
from advisor.ios.syntax.modes import GLOBAL, opens_mode
from advisor.ios.syntax.names import interface_name
from advisor.ios.syntax.reader import parse_config
from advisor.ios.terminal import typed_text

_WHOLE: Final = frozenset(("all", "brief", "full", "linenum", "view"))  # show running-config all
_OTHER_SPELLINGS: Final = ("write terminal", "more system:running-config")
_GLOBAL_PROMPT: Final = "(config)#"
_SHORTEST: Final = 3  # letters of `default`
_AROUND: Final = re.compile(r"Current configuration\b|end\s*$")  # first and last line of a part


def is_part(config: Section) -> bool:
    """Whether it is a part of a running configuration, by the command that printed it."""
    is_asked = bool(set(config.arguments) - _WHOLE) or config.line_filter is not None
    return config.taken_for == RUNNING_CONFIG and is_asked


def is_running(config: Section) -> bool:
    """Whether a command printed a running configuration, in any of its spellings."""
    is_shown = config.taken_for == RUNNING_CONFIG
    return is_shown or (config.command or "").startswith(_OTHER_SPELLINGS)


def joined(main: Section, configs: Sequence[Section]) -> Section:
    """Join `main` with the other parts of its log; all lines keep their numbers.

    If a part was printed twice, the last one counts. A whole configuration stays as it is.
    """
    parts = {config.command: config for config in configs if _is_beside(main, config)}
    if len(parts) < 2:  # noqa: PLR2004 -- nothing to join
        return main
    ordered = sorted(parts.values(), key=lambda part: part.first_line)
    return replace(ordered[0], text="".join(_lines(ordered)), identity=None, columns=0)


def with_later_views(main: Section, configs: Iterable[Section]) -> Section:
    """Replace sections of a configuration by their later versions in the same log."""
    views = _later_views(main, configs)
    if not views:
        return main
    lines = list(physical_lines(main.shown))
    sections = _sections(main)
    for view in views:
        shown = _sections(view)
        if all(head in sections and _is_same(part, sections[head]) for head, part in shown.items()):
            continue
        for head in sections.keys() & shown.keys():
            for line in sections[head].walk():
                lines[line.number - main.first_line] = "\n"
        lines += "\n" * (view.first_line - main.first_line - len(lines))
        lines += _without_frame(view)
        sections |= shown
    if len(lines) == len(physical_lines(main.shown)):
        return main
    return replace(main, text="".join(lines), identity=None, columns=0)


def _later_views(main: Section, configs: Iterable[Section]) -> list[Section]:
    """Parts of the running configuration that a log shows behind the whole one."""
    return [
        config
        for config in configs
        if is_part(config) and not is_part(main) and is_behind(config, main)
    ]


def is_behind(section: Section, main: Section) -> bool:
    """Whether a section stands behind another one in the log of one device."""
    is_one_log = (section.file, section.host) == (main.file, main.host)
    return is_one_log and section.first_line > main.first_line


def _sections(config: Section) -> dict[str, Line]:
    """Sections of a configuration by their heads."""
    tree = parse_config(config.shown, config.file, config.first_line)
    heads = ((_head(line.text), line) for line in tree.commands())
    return {head: line for head, line in heads if head is not None}


def _head(text: str) -> str | None:
    """Return the head that identifies a section, however it is spelled; None where none begins."""
    if opens_mode(GLOBAL, text) is None:
        return None
    kind, _, name = spelled_out(GLOBAL, text).partition(" ")
    return f"{kind} {interface_name(name) if kind == 'interface' else name.split()[-1:]}"


def _is_same(section: Line, other: Line) -> bool:
    return [line.text for line in section.walk()] == [line.text for line in other.walk()]


def said_of_parts(configs: Iterable[Section], main: Section | None) -> Iterator[str]:
    """Say which parts of a configuration are not judged, because a whole one counts."""
    if main is None:
        return
    later = _later_views(main, configs := tuple(configs))
    for part in configs:
        if is_part(part) and part not in later and not _is_beside(main, part):
            yield (
                f"the configuration of {main.file}:{main.first_line} counts; "
                f"{part.file}:{part.first_line} holds a part of one, which is not judged"
            )


def said_of_changes(sections: Sequence[Section], main: Section | None) -> Iterator[str]:
    """Say what was configured in a log after the configuration was shown."""
    if main is None:
        return
    views = _later_views(main, [part for part in sections if part.kind is SectionKind.CONFIG])
    heads = [(view.first_line, _sections(view).keys()) for view in views]
    for section in sections:
        if section.command is None or not is_behind(section, main):
            continue
        shown = {head for at, item in heads if at > section.first_line for head in item}
        change = next(_changes(section, shown), None)
        if change is not None:
            row, typed = change
            yield (
                f"{section.file}:{section.first_line + row}: `{typed}` was "
                f"configured after the configuration of line {main.first_line} was shown, and "
                "is not judged; show it again"
            )


# Commands that put lines into the running configuration which no log shows.
_REPLACING: Final = re.compile(
    r"(?:do )?(?:conf\w* (?:rep|net|mem|over|rev)|copy \S+(?: \S+)? (?:run|system:run))",
    re.IGNORECASE,
)


def _changes(section: Section, shown: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield the changes of a section, masked: lines typed in it, or lines of another file."""
    if _REPLACING.match(section.command or ""):
        yield 0, mask_captured(section.command or "")
    elif section.kind is SectionKind.CONFIG and (section.command or "").startswith("conf"):
        yield from _typed_changes(section, shown)


def _typed_changes(section: Section, shown: Collection[str]) -> Iterator[tuple[int, str]]:
    """Lines that were typed in configuration mode, but those in sections that are shown again."""
    head, mode = None, GLOBAL
    for row, line in enumerate(physical_lines(section.shown)):
        typed = typed_text(line)
        opened = _head(typed)
        if opened is not None:
            head, mode = opened, opens_mode(GLOBAL, typed) or GLOBAL
            continue
        mode = GLOBAL if _GLOBAL_PROMPT in line else opens_mode(mode, typed) or mode
        if _is_change(mode, typed) and (mode == GLOBAL or head not in shown):
            yield row, mask_quoted_line(typed)


def _is_change(mode: str, typed: str) -> bool:
    """Whether a line, abbreviated or not, sets or removes a setting that is judged."""
    first, _, rest = typed.partition(" ")
    is_taken_back = first == "no" or (len(first) >= _SHORTEST and "default".startswith(first))
    return is_command(spelled_out(mode, rest if is_taken_back else typed))


def _is_beside(main: Section, config: Section) -> bool:
    are_parts = is_part(main) and is_part(config)
    return are_parts and (config.file, config.host) == (main.file, main.host)


def _without_frame(part: Section) -> Iterator[str]:
    """The lines of a part; its prompt, its size and its `end` are left empty."""
    for index, line in enumerate(physical_lines(part.shown)):
        yield "\n" if index < part.prompt_lines or _AROUND.match(line) else line


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
