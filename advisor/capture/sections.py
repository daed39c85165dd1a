"""Parts of a capture: sections, each one command's output, and gaps, which are missing."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Final

from msgspec import Struct

from advisor.capture.clock import CaptureTime, printed_time
from advisor.capture.commands import command_parts
from advisor.capture.outputs import CLOCK
from advisor.capture.transcript import transcript
from advisor.ios import pattern
from advisor.ios.syntax import TextLines, lines_of, physical_lines
from advisor.ios.syntax.detect import Dialect, Identity
from advisor.ios.terminal import prompt_of

# Outputs of systems that are not IOS: what they call themselves, and layouts of theirs alone.

_ROWS_OF_A_NAME: Final = 8
_ROWS_OF_A_LAYOUT: Final = 16
MOST_ROWS: Final = max(_ROWS_OF_A_NAME, _ROWS_OF_A_LAYOUT)

# How `show version` of other systems begins.
_NAMES: Final = (
    ("Cisco Nexus Operating System", Dialect.NXOS),
    ("Cisco IOS XR Software", Dialect.IOS_XR),
    ("Cisco Adaptive Security Appliance Software", Dialect.ASA),
    ("Arista ", Dialect.EOS),
    ("Junos: ", Dialect.JUNOS),
    ("JUNOS ", Dialect.JUNOS),
)
_ALL_NAMES: Final = tuple(start for start, _ in _NAMES)
# Lines of `show interfaces`, `show policy-map [interface]` and `show processes cpu` that IOS never
# prints.
_LAYOUTS: Final = (
    (
        pattern(
            r"Interface state transitions: \d+$|Classification statistics\s+\(packets/bytes\)"
            r"|CPU utilization for one minute: \d"
        ),
        Dialect.IOS_XR,
    ),
    (
        pattern(
            r"admin state is (?:up|down)\b|Global statistics status :|Type \S+ policy-maps$"
            r"|PID\s+Runtime\(ms\)\s+Invoked\s+uSecs\s+1Sec\s+Process"
        ),
        Dialect.NXOS,
    ),
)
# Prompts that name the card which answers, as IOS never does.
_PROMPTS: Final = (
    (pattern(r"(?:RP|LC|DRP|\d)/\d{1,3}/\w{1,8}/CPU\d{1,2}:|sysadmin-vm:"), Dialect.IOS_XR),
    (pattern(r"[A-D]:[\w.-]"), Dialect.SROS),
)
# They repeat what other devices say of themselves.
_OF_NEIGHBORS: Final = ("show cdp ", "show lldp ")


def system_of_prompt(host: str | None) -> Dialect | None:
    """The system other than IOS whose prompt this is, whatever was typed there.

    Examples
    --------
    >>> str(system_of_prompt("RP/0/RSP0/CPU0:pe1")), system_of_prompt("pe1")
    ('Cisco IOS XR', None)
    """
    if host is None or ":" not in host:
        return None
    return next((dialect for prompt, dialect in _PROMPTS if prompt.match(host)), None)


def other_system(command: str | None, lines: Sequence[str]) -> Dialect | None:
    """The system other than IOS that printed these lines; None if nothing tells one."""
    if command is not None and command.startswith(_OF_NEIGHBORS):
        return None
    for line in map(str.lstrip, lines[:_ROWS_OF_A_NAME]):
        if line.startswith(_ALL_NAMES):
            return next(dialect for start, dialect in _NAMES if line.startswith(start))
    if command is None or not command.startswith("show "):
        return None
    for line in lines[:_ROWS_OF_A_LAYOUT]:
        for layout, dialect in _LAYOUTS:
            if layout.match(line.strip()):
                return dialect
    return None


class SectionKind(StrEnum):
    """Content of a section."""

    CONFIG = "config"
    SHOW = "show"
    UNKNOWN = "unknown"


class Origin(StrEnum):
    """How the command of a section is known."""

    PROMPT = "typed at a prompt"
    HEADING = "named by a heading"
    FIRST_LINE = "typed on its first line"
    FILE_NAME = "named by the file"
    CONTENT = "known by its first lines"
    MANIFEST = "named by the manifest"


_HEADINGS: Final = (Origin.HEADING, Origin.FIRST_LINE)  # a line that no device printed


class GapKind(StrEnum):
    """Fault of a part of a capture."""

    MISSING = "missing"
    CUT = "cut"
    CHANGED = "changed"
    UNREADABLE = "unreadable"
    UNUSED = "not used"  # a statement about an output, which is read without it
    PARTIAL = "partial"  # whole as it was printed, of a session that may not see all


class GapCause(StrEnum):
    """Why a part of a capture is not there, in words of this tool, which redaction leaves alone."""

    OTHER = ""
    NOT_IN_IMAGE = "not known to the image"
    AUTHORIZATION = "the AAA server refuses the command"
    PRIVILEGE = "not enough privilege"
    NO_DEVICE = "a part of a configuration"
    BUSY = "held back"
    TIME = "time limit"
    QUESTION = "the device asks a question"
    PROMPT_CHANGED = "the prompt changed"
    INTERRUPTED = "interrupted"
    TOO_LARGE = "too much output"


class Gap(Struct, frozen=True):
    """A command whose output is not there, or not as it was taken.

    `detail` may hold what a device printed, and is redacted.
    """

    command: str
    kind: GapKind
    detail: str = ""
    cause: GapCause = GapCause.OTHER

    @property
    def reason(self) -> str:
        """Why, for a person."""
        return ": ".join(part for part in (str(self.cause), self.detail) if part)

    def __str__(self) -> str:
        """Say it for a report, the command masked."""
        from advisor.capture.masking import mask_captured  # noqa: PLC0415 -- it masks sections

        return f"{mask_captured(self.command)}: {self.kind}, {self.reason}"


class Section(Struct, frozen=True, dict=True):
    """A part of a file: one command's output, or the whole file where it has no prompt.

    `command` is spelled out, with its arguments and filter; without a prompt it is the command
    whose output this looks like, or None. `text` holds the prompt too, in its first
    `prompt_lines` lines; `first_line` is their 1-based number in `file`. `gap` says what the
    output lacks.
    """

    command: str | None
    host: str | None
    text: str
    first_line: int
    kind: SectionKind
    prompt_lines: int = 0
    file: str = ""
    origin: Origin = Origin.CONTENT
    time: CaptureTime | None = None
    gap: Gap | None = None
    identity: Identity | None = None  # of `text`, where it was asked to tell the kind
    columns: int | None = (
        None  # at which the terminal broke lines, 0 if it did not; None: not known
    )
    clock: CaptureTime | None = None  # of the `show clock` ahead of it; the output is not older

    @property
    def order_time(self) -> CaptureTime | None:
        """The time that orders it among others: its own, else that of the clock ahead of it.

        It makes no interval: how long after the clock the output was taken is not known.
        """
        return self.time or self.clock

    @cached_property
    def output(self) -> str:
        """Return the command's output: without the prompt, and without what the log adds."""
        return self.lines.part(self.prompt_lines, len(self.lines.lines)).text

    @cached_property
    def lines(self) -> TextLines:
        """The lines of the text as the device printed them."""
        return lines_of(self.shown)

    @cached_property
    def shown(self) -> str:
        """The text as the device printed it, in as many lines: what readers get."""
        text = self.text
        if self.prompt_lines and self.origin in _HEADINGS:
            lines = physical_lines(text)
            text = "\n" * self.prompt_lines + "".join(lines[self.prompt_lines :])
        return transcript(text, self.command, columns=self.columns)

    @property
    def logged_output(self) -> str:
        """The text without its prompt, as it was logged."""
        return "".join(physical_lines(self.text)[self.prompt_lines :])

    @property
    def taken_for(self) -> str | None:
        """The command whose layout the output has; None where it is not one that is read."""
        if self.command is None or self.kind is SectionKind.UNKNOWN:
            return None
        return command_parts(self.command).output

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return the words after the name of the command: an interface, a number, `sorted`."""
        return command_parts(self.command).arguments if self.command is not None else ()

    @property
    def line_filter(self) -> str | None:
        """Return the typed text after the bar (`include CPU`); such an output is a part of one."""
        return command_parts(self.command).line_filter if self.command is not None else None

    @property
    def refusal(self) -> str | None:
        """The answer of IOS in place of an output: `% Invalid input detected`."""
        printed = [line for row in physical_lines(self.output) if (line := row.strip())]
        if self.kind is not SectionKind.UNKNOWN or not printed:
            return None
        return next((line for line in printed if is_refusal(line) and line != "^"), None)

    @property
    def other_system(self) -> Dialect | None:
        """The system other than IOS that the prompt or the first lines of the output tell."""
        return system_of_prompt(self.host) or other_system(
            self.command, self.lines.lines[self.prompt_lines :][:MOST_ROWS]
        )

    @property
    def foreign_config(self) -> Dialect | None:
        """The system other than IOS whose configuration stands here without a prompt."""
        if self.kind is not SectionKind.CONFIG or self.identity is None:
            return None
        return self.identity.dialect if self.identity.dialect is not Dialect.IOS else None

    def __str__(self) -> str:
        """Say what the section was taken for, the command masked."""
        from advisor.capture.masking import mask_command  # noqa: PLC0415 -- it masks sections

        command = mask_command(self.command) if self.command else None
        if self.kind is SectionKind.CONFIG:
            name = f"configuration of {command}" if command else "configuration"
        else:
            name = command or "not recognised"
        known = f" ({self.origin})" if self.command else ""
        time = f", taken {self.time}" if self.time else ""
        return f"{self.file}:{self.first_line}: {name}{known}{time}"


class Capture(Struct, frozen=True):
    """Everything captured of a device.

    The sections of a file together are the file; those of a bundle are a file each. `device`,
    `address`, `privilege` and `missing` are known of a bundle only. So are `earlier`, the first
    of two samples of outputs that count, and `unsupported`, commands that the image does not know.
    `session` is the address that a log hopped to, where the name of the device is met twice.
    """

    file: str
    sections: tuple[Section, ...]
    device: str | None = None
    address: str | None = None
    privilege: int | None = None
    missing: tuple[Gap, ...] = ()
    earlier: tuple[Section, ...] = ()
    unsupported: tuple[str, ...] = ()
    session: str | None = None

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """All that is missing or not whole."""
        return self.missing + tuple(
            section.gap for section in self.sections if section.gap is not None
        )

    @property
    def time(self) -> CaptureTime | None:
        """Time of the first section that has one."""
        return next((section.time for section in self.sections if section.time is not None), None)


CONFIG_COMMANDS: Final = (
    *("show running-config", "show startup-config", "show configuration", "write terminal"),
    *("configure", "more system:running-config", "more nvram:startup-config"),
)
_CUT_LINES: Final = ("include", "exclude", "count")
_REFUSALS: Final = ("%", "Command authorization failed", "Line has invalid autocommand")


def is_refusal(line: str) -> bool:
    """Say whether a line is what IOS prints instead of an output."""
    return line.startswith(_REFUSALS) or line == "^"


def kind_of(command: str, output: Sequence[str]) -> SectionKind:
    """Tell what the lines that a command printed are."""
    printed = (line for row in output if (line := row.strip()) and not is_refusal(line))
    if all((prompt := prompt_of(line)) is not None and not prompt.command for line in printed):
        return SectionKind.UNKNOWN  # refused, or nothing printed
    line_filter = command_parts(command).line_filter or ""
    if command.startswith(CONFIG_COMMANDS) and not line_filter.startswith(_CUT_LINES):
        return SectionKind.CONFIG
    return SectionKind.SHOW if command.startswith("show ") else SectionKind.UNKNOWN


def answer(
    command: str,
    output: str,
    *,
    file: str = "",
    host: str | None = None,
    time: CaptureTime | None = None,
    gap: Gap | None = None,
) -> Section:
    """Make a section of what a spelled-out command printed, without prompt and echo.

    Without `time` the one that the output itself shows is taken.
    """
    lines = physical_lines(output)
    is_clock = command_parts(command).output == CLOCK
    return Section(
        command,
        host,
        output,
        1,
        kind_of(command, lines),
        file=file,
        origin=Origin.MANIFEST,
        time=time or printed_time(lines, is_clock=is_clock),
        gap=gap,
    )
