"""Captures without secrets, line for line. Fail-closed: what may be a secret is removed."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from advisor.capture import (
    Capture,
    Gap,
    Origin,
    Section,
    SectionKind,
    is_refusal,
    read_capture,
)
from advisor.capture.clock import without_stamp
from advisor.capture.masking.bodies import Bodies
from advisor.capture.masking.exec import mask_command
from advisor.capture.masking.hops import mask_hop_line
from advisor.capture.masking.line import is_prompt, mask_line, mask_quoted, mask_shown
from advisor.capture.masking.outputs import mask_output
from advisor.capture.masking.printed import is_printed
from advisor.capture.masking.shown import paged, pager_left, segments
from advisor.capture.masking.words import REMOVED
from advisor.capture.outputs import RUNNING_CONFIG, STARTUP_CONFIG, openings
from advisor.capture.pasted import pasted_again, plain_text
from advisor.capture.recognise import OPENING_LINES
from advisor.capture.transcript import is_logged, logged_head, stamp_ends
from advisor.ios.exec.prompts import hosts_typed_at
from advisor.ios.syntax.lines import physical_lines
from advisor.units import whole

_CONFIGS: Final = (RUNNING_CONFIG, STARTUP_CONFIG)  # filtered lines of them
_HEADING: Final = "-=*#! \t"  # what frames the name of a command
_DECLARED: Final = re.compile(r"^(Current configuration ?: )([0-9]{1,12})( bytes)", re.MULTILINE)
_CARET: Final = "^"  # below a word that IOS refuses
_CLOCK: Final = ("Load for five secs: ", "Time source is ")  # of `terminal exec prompt timestamp`
_TELLING_CHARACTERS: Final = 8  # shorter secrets occur by chance inside names: there words alone


def redact_text(text: str, name: str, secrets: Iterable[str] = ()) -> str:
    """Return a file (a configuration, show outputs, a terminal log) without secrets.

    Parameters
    ----------
    text
        The decoded file.
    name
        Its name, which may tell what it holds.
    secrets
        What must not occur wherever it stands: passwords that were used.

    Returns
    -------
    str
        The same line ends, of whatever kind, with no other control characters between them. The
        size after `Current configuration` is corrected by what was taken out, so that what is
        whole still reads as whole.
    """
    plain = plain_text(text)
    if plain != text:
        return pasted_again(_redacted(plain, name, secrets), plain, text)
    return _redacted(text, name, secrets)


def _redacted(text: str, name: str, secrets: Iterable[str]) -> str:
    # Parted configurations would be masked by themselves: a block that one opens and does not
    # close would end there, and show what it holds.
    sections = read_capture(text, name, cuts_configs=False).sections
    hosts = _hosts(sections)
    return without_secrets(secrets, "".join(_section_text(section, hosts) for section in sections))


def redact_capture(
    capture: Capture, secrets: Iterable[str] = (), before_each: Callable[[], None] = lambda: None
) -> Capture:
    """Return a capture without secrets, those of its samples and gaps included.

    `before_each` is called before each section, and may raise to end it.
    """
    known = tuple(secrets)
    hosts = _hosts((*capture.sections, *capture.earlier))

    def clean_gap(gap: Gap) -> Gap:
        return replace(
            gap,
            command=without_secrets(known, mask_command(gap.command)),
            detail=without_secrets(known, mask_quoted(gap.detail)),
        )

    def clean(section: Section) -> Section:
        before_each()
        gap = None if section.gap is None else clean_gap(section.gap)
        text = without_secrets(known, _section_text(section, hosts))
        command = None
        if section.command is not None:
            command = without_secrets(known, mask_command(section.command))
        # what told the kind of the text quotes a line of it
        return replace(section, command=command, text=text, gap=gap, identity=None)

    return replace(
        capture,
        sections=tuple(map(clean, capture.sections)),
        earlier=tuple(map(clean, capture.earlier)),
        device=without_secrets(known, capture.device) if capture.device else capture.device,
        missing=tuple(map(clean_gap, capture.missing)),
    )


def redact_config(text: str, hosts: frozenset[str] = frozenset()) -> str:
    """Return a configuration without secrets, with as many lines.

    What stays are the commands of the table, with numbers, addresses and names of IOS's objects;
    of any other command stay the words that start it. The texts of banners, certificates, keys,
    macros and descriptions go. `hosts` are those whose prompts stay.
    """
    redacted = _lines(text, partial(mask_line, hosts=hosts))
    shorter = len(text.encode("utf-8", "replace")) - len(redacted.encode("utf-8", "replace"))
    return _DECLARED.sub(
        lambda size: f"{size[1]}{max(whole(size[2]) - shorter, 0)}{size[3]}", redacted, count=1
    )


def _lines(text: str, masked: Callable[[str], str]) -> str:
    """Mask each line of a text; one that nothing knows may open a body, which goes."""
    parts = segments(text)
    stamps = _stamp_columns(parts)
    logged = [segment[column:] for (segment, _), column in zip(parts, stamps, strict=True)]
    lines = [paged(segment) for segment in logged]
    bodies = Bodies(lines)
    clean: list[str] = []
    while len(clean) < len(lines):
        index = len(clean)
        body = None if is_printed(lines[index]) else bodies.masked(index)
        clean += body or [pager_left(logged[index]) + _masked(logged[index], masked)]
    return "".join(
        segment[:column] + line + end
        for (segment, end), column, line in zip(parts, stamps, clean, strict=True)
    )


def _stamp_columns(parts: Sequence[tuple[str, str]]) -> list[int]:
    """Columns behind the stamps; a terminal log stamps a line, and not what overwrites it."""
    begins = [index == 0 or parts[index - 1][1] != "\r" for index in range(len(parts))]
    lines = [segment for (segment, _), is_begin in zip(parts, begins, strict=True) if is_begin]
    columns = iter(stamp_ends(lines))
    return [next(columns) if is_begin else 0 for is_begin in begins]


def _masked(segment: str, masked: Callable[[str], str]) -> str:
    """Mask a line; of a message of the log its number, its time and its name stay.

    The lines of a hop stay in every section: routers of one name are told apart by them.
    """
    text = paged(segment)
    head = logged_head(text)
    if head:
        return f"{head} {REMOVED}"
    rest = without_stamp(text)[0]
    hop = mask_hop_line(rest)
    return masked(segment) if hop is None else text[: len(text) - len(rest)] + hop


def without_secrets(secrets: Iterable[str], text: str) -> str:
    """Return a text without secrets that are known, in capitals or not.

    Examples
    --------
    >>> without_secrets(["tiger-seven"], "hostname TIGER-Seven")
    'hostname <removed>'
    """
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _TELLING_CHARACTERS:
            text = re.sub(re.escape(secret), REMOVED, text, flags=re.IGNORECASE)
        elif secret in text:
            text = re.sub(rf"(?<![\w-]){re.escape(secret)}(?![\w-])", REMOVED, text)
    return text


def _hosts(sections: Iterable[Section]) -> frozenset[str]:
    """Devices of a capture, and those at whose prompts, indented or not, commands are typed."""
    known: set[str] = set()
    for section in sections:
        known |= hosts_typed_at([line.strip() for line in section.text.split("\n")])
        known |= {section.host} if section.host is not None else set()
    return frozenset(known)


def _section_text(section: Section, hosts: frozenset[str]) -> str:
    lines = physical_lines(section.text)
    heads = section.prompt_lines
    if section.origin is Origin.FIRST_LINE and not heads:
        heads = next((row for row, line in enumerate(lines, 1) if line.strip()), 0)
    head = _each_line("".join(lines[:heads]), partial(_head_line, hosts=hosts))
    body = "".join(lines[heads:])
    if section.kind is SectionKind.UNKNOWN and section.command is not None:
        return head + _each_line(body, partial(_unread_line, hosts=hosts))
    if section.kind is not SectionKind.SHOW:
        return head + redact_config(body, hosts)
    if section.taken_for is None:
        opened, rest = ("", body) if heads else _opening(body, section.command)
        return head + opened + _each_line(rest, partial(_unread_line, hosts=hosts))
    if section.taken_for in _CONFIGS:
        return head + _lines(body, partial(mask_line, hosts=hosts))
    return head + _lines(body, partial(mask_shown, layout=section.taken_for, hosts=hosts))


def _opening(body: str, command: str | None) -> tuple[str, str]:
    """The lines of an output to the one that tells its command, and the rest.

    Of that line stays what tells it; the lines ahead of it go.
    """
    patterns = [opening.pattern for opening in openings() if opening.command == command]
    lines = physical_lines(body)
    for row, line in enumerate(lines[:OPENING_LINES] if patterns else ()):
        text = line.strip()
        told = next((match[0] for each in patterns if (match := each.match(text))), None)
        if told is not None:
            start, end = line[: len(line) - len(line.lstrip())], line[len(line.rstrip("\r\n")) :]
            more = "" if told == text else f" {REMOVED}"
            ahead = "".join(f"{REMOVED if other.strip() else ''}\n" for other in lines[:row])
            return f"{ahead}{start}{told}{more}{end}", "".join(lines[row + 1 :])
    return "", body


def _each_line(text: str, masked: Callable[[str], str]) -> str:
    parts = segments(text)
    stamps = _stamp_columns(parts)
    return "".join(
        segment[:column] + pager_left(segment[column:]) + _masked(segment[column:], masked) + end
        for (segment, end), column in zip(parts, stamps, strict=True)
    )


def _head_line(line: str, hosts: frozenset[str]) -> str:
    """A line that names a command: behind a prompt, between dashes, or alone."""
    text = paged(line)
    if not text.strip() or text.lstrip()[0] == "!" or is_prompt(text):
        return mask_line(line, hosts)
    command = text.strip(_HEADING)
    start = text.find(command)
    return f"{text[:start]}{mask_command(command)}{text[start + len(command) :]}"


def _unread_line(line: str, hosts: frozenset[str]) -> str:
    """A line of an output that nothing here reads: what in it is a secret is not known."""
    text = paged(line)
    if not text.strip():
        return text
    if is_prompt(text):
        return mask_line(line, hosts)
    is_ios = is_refusal(text) or text.strip() == _CARET or text.startswith(_CLOCK)
    return mask_output(line) if is_ios and not is_logged(text) else REMOVED
