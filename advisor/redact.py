"""Captures without secrets, line for line. Fail-closed: what may be a secret is removed."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from advisor.capture import Capture, Section, SectionKind, ShowCommand, is_refusal, read_capture
from advisor.ios.opaque import OpaqueReader
from advisor.ios.scan import physical_lines
from advisor.ios.words import SUBCOMMANDS
from advisor.numerals import whole
from advisor.report.mask import REMOVED, mask_line

# What people write in these is not known: a password too.
_FREE_TEXT: Final = frozenset(
    ("action", "alias", "description", "environment", "event", "menu", "remark", "title")
)
_KNOWN_WORDS: Final = frozenset(word for words in SUBCOMMANDS.values() for word in words)
_HEX_BODY: Final = re.compile(r"[0-9A-Fa-f]")
_END_OF_KEY: Final = ("quit", "exit", "@")
_TYPED_CONTROL_C: Final = "^C"
_DELIMITED: Final = re.compile(r"(.*?\s)(\^C|\S)(.*)", re.DOTALL)
_BANNER: Final = re.compile(
    r"\s*(?:banner (?:[\w-]+ )?|aaa authentication (?:banner|fail-message) |vacant-message "
    r"|refuse-message |busy-message \S+ |menu \S+ (?:title|prompt) )\s*"
)
# Of IOS, of RANCID and Oxidized, and of this tool.
_KNOWN_COMMENT: Final = re.compile(
    r"\s*(?:Last configuration change|NVRAM config last updated|No configuration change"
    r"|Chassis type|Image|CPU|Memory|Processor|Slot|Flash|BOOTLDR|Variable|Interface|Software"
    r"|Compiled|RANCID-CONTENT-TYPE|Layout:|advisor:)",
    re.IGNORECASE,
)
_CHANGED_BY: Final = re.compile(r"(\bby )\S.*")
_CONFIGS: Final = (ShowCommand.RUNNING_CONFIG, ShowCommand.STARTUP_CONFIG)  # filtered lines of them
_TYPED: Final = re.compile(r"(\s*\S+?[>#]\s*(?!sh[ow]* )\S+)\s+\S")
_LOGGED: Final = re.compile(r"%\S")  # `%SYS-5-CONFIG_I: … by bob`; refusals have a blank there
# Typed at a prompt, and no command: a password, as often as not.
_AT_PROMPT: Final = re.compile(r"^([A-Za-z][\w.-]*[>#])(?=\S)[^\s]+$", re.MULTILINE)
_PROMPT: Final = re.compile(r"[A-Za-z][\w.-]{0,62}(?:\([\w-]+\))?[>#]\s*")
_DECLARED: Final = re.compile(r"^(Current configuration ?: )([0-9]{1,12})( bytes)", re.MULTILINE)
# Lines of show outputs whose words only look like those of secrets.
_OF_SHOW: Final = re.compile(
    r"\s*(?:class-map|class|service-policy|match|policy[ -]map|queueing|interface)\b[ :]"
    r"|.*\bHashed Queues\b|.*\bTokenRing\d|[\s\d]+$|.*cryptographic|.*\bencryption\."
    r"|.*[Ee]ncapsulation",
    re.IGNORECASE,
)
_DESCRIPTION: Final = re.compile(r"(\s*Description: ?)(.*)", re.DOTALL)
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
        The same number of lines. The size after `Current configuration` is corrected by what was
        taken out, so that what is whole still reads as whole.
    """
    parts = (_section_text(each) for each in read_capture(text, name).sections)
    return _without(secrets, "".join(parts))


def redact_capture(
    capture: Capture, secrets: Iterable[str] = (), before_each: Callable[[], None] = lambda: None
) -> Capture:
    """Return a capture without secrets, those of its samples and gaps included.

    `before_each` is called before each section, and may raise to end it.
    """
    known = tuple(secrets)

    def clean(section: Section) -> Section:
        before_each()
        gap = section.gap
        if gap is not None:
            gap = replace(gap, detail=_without(known, mask_line(gap.detail)))
        return replace(section, text=_without(known, _section_text(section)), gap=gap)

    return replace(
        capture,
        sections=tuple(clean(each) for each in capture.sections),
        earlier=tuple(clean(each) for each in capture.earlier),
        missing=tuple(
            replace(gap, detail=_without(known, mask_line(gap.detail))) for gap in capture.missing
        ),
    )


def _without(secrets: Iterable[str], text: str) -> str:
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _TELLING_CHARACTERS:
            text = text.replace(secret, REMOVED)
        elif secret in text:
            text = re.sub(rf"(?<![\w-]){re.escape(secret)}(?![\w-])", REMOVED, text)
    return text


def _section_text(section: Section) -> str:
    lines = physical_lines(section.text)
    head, body = lines[: section.prompt_lines], lines[section.prompt_lines :]
    of_head, of_body = mask_line, _show_line
    if section.kind is SectionKind.UNKNOWN and section.command is not None:
        of_head, of_body = _typed_line, _unread_line
    elif section.kind is not SectionKind.SHOW:
        lost = [_AT_PROMPT.sub(rf"\1{REMOVED}", line) for line in body]
        return "".join(_kept_end(line, mask_line) for line in head) + redact_config("".join(lost))
    elif section.taken_for is None:
        of_body = _unread_line
    elif section.taken_for in _CONFIGS:
        of_body = _config_line
    shown = (
        *(_kept_end(line, of_head) for line in head),
        *(_kept_end(line, of_body) for line in body),
    )
    return "".join(shown)


def _typed_line(line: str) -> str:
    """What was typed and did no show: who knows what its arguments are, or if it was a command."""
    typed = _TYPED.match(line)
    return f"{typed[1]} {REMOVED}" if typed is not None else mask_line(line)


def _unread_line(line: str) -> str:
    """A line of an output that nothing here reads: what in it is a secret is not known."""
    if not line.strip() or (is_refusal(line) and not _LOGGED.match(line)):
        return mask_line(line)
    return REMOVED


def _kept_end(line: str, masked: object) -> str:
    """Mask a line and leave its end as it is."""
    bare = line.rstrip("\r\n")
    assert callable(masked)  # noqa: S101
    return f"{masked(bare)}{line[len(bare) :]}"


def _show_line(line: str) -> str:
    if line.startswith('Translating "'):
        return f"Translating {REMOVED}"
    line = _AT_PROMPT.sub(rf"\1{REMOVED}", line)
    described = _DESCRIPTION.fullmatch(line)
    if described is not None:
        return f"{described[1]}{REMOVED}" if described[2].strip() else line
    masked = mask_line(line)
    if masked == line or not _OF_SHOW.match(line):
        return masked
    return line if "://" not in line else masked


def redact_config(text: str) -> str:
    """Return a configuration without secrets, with as many lines.

    Passwords, keys, communities and user names go, and so do the texts of banners, certificates,
    keys, macros, descriptions, remarks, aliases and applets, and the arguments of every command
    that is none of IOS.
    """
    redacted = "".join(_config_lines(physical_lines(text)))
    shorter = len(text.encode("utf-8", "replace")) - len(redacted.encode("utf-8", "replace"))
    return _DECLARED.sub(
        lambda found: f"{found[1]}{max(whole(found[2]) - shorter, 0)}{found[3]}", redacted, count=1
    )


def _config_lines(lines: Sequence[str]) -> Iterator[str]:
    opaque = OpaqueReader(lines)
    index = 0
    while index < len(lines):
        line = lines[index]
        body = opaque.body(index, line.strip())
        if body is None:
            yield _kept_end(line, _config_line)
            index += 1
            continue
        yield from _opaque(lines[index : body.end])
        index = body.end


def _config_line(line: str) -> str:
    words = line.split()
    if not words:
        return line
    if words[0].startswith("!"):
        return _comment(line)
    indent = line[: len(line) - len(line.lstrip())]
    at = 1 if words[0] in ("no", "default") and len(words) > 1 else 0
    command = words[at].lower()
    kept = " ".join(words[: at + 1])
    if command not in _KNOWN_WORDS and not _is_printed(line):
        # it may be the end of a text as well as a command
        return line if _PROMPT.fullmatch(line) else f"{indent}{REMOVED}"
    if command in _FREE_TEXT or "remark" in words[at : at + 3]:
        return f"{indent}{kept} {REMOVED}" if len(words) > at + 1 else f"{indent}{mask_line(kept)}"
    return mask_line(line)


def _comment(line: str) -> str:
    """What IOS, a backup tool or this one writes stays, but for who did it; the rest may be all."""
    mark, text = line[: line.index("!") + 1], line[line.index("!") + 1 :]
    if not text.strip("! \t-=*#"):
        return line
    if not _KNOWN_COMMENT.match(text):
        return f"{mark} {REMOVED}"
    return mask_line(_CHANGED_BY.sub(rf"\1{REMOVED}", line))


def _is_printed(line: str) -> bool:
    return line.startswith(("Building configuration", "Current configuration", "Using "))


def _opaque(lines: Sequence[str]) -> Iterator[str]:
    """The text of a banner, a certificate, a key or a macro goes; what encloses it stays."""
    head = _BANNER.match(lines[0])
    if head is None:
        yield _kept_end(lines[0], mask_line)
        is_hex = lines[0].strip().startswith("certificate ")
        for line in lines[1:]:
            yield _kept_end(line, _hex_line if is_hex else _key_line)
        return
    rest = lines[0][head.end() :].rstrip("\r\n")
    mark = _TYPED_CONTROL_C if rest.startswith(_TYPED_CONTROL_C) else rest[:1]
    yield _kept_end(lines[0], lambda line: line[: head.end()] + _between(rest, mark))
    for line in lines[1:]:
        yield _kept_end(line, lambda line: REMOVED + mark if mark in line else REMOVED)


def _between(rest: str, mark: str) -> str:
    """What stands after the command of a banner: the delimiter, and the closing one if any."""
    inner = rest[len(mark) :]
    if mark in inner:
        return f"{mark}{REMOVED}{mark}"
    return f"{mark}{REMOVED}" if inner.strip() else rest


def _hex_line(line: str) -> str:
    """A certificate stays one, of zeros: its lines tell where it ends."""
    if line.strip() in _END_OF_KEY:
        return line
    bare = line.removesuffix("quit")
    zeros = _HEX_BODY.sub("0", bare) if not re.search(r"[^0-9A-Fa-f\s]", bare) else f" {REMOVED} "
    return zeros + line[len(bare) :]


def _key_line(line: str) -> str:
    if line.strip() in _END_OF_KEY:
        return line
    end = next((word for word in _END_OF_KEY[:2] if line.rstrip().endswith(word)), "")
    return f"  {REMOVED} {end}".rstrip()
