"""The exec of a simulated router: from a typed line to the printed text, without a network."""

import re
from collections import Counter
from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import RUNNING_CONFIG
from advisor.collect.demo.script import (
    HIGHEST_PRIVILEGE,
    USER_PRIVILEGE,
    DemoFault,
    Script,
    TerminalView,
    prompt_name,
    shortened,
)
from advisor.ground.units import whole_or_none

# Finds the command of a typed line from its words, which may be abbreviated.

# Commands that a router knows in addition to its answers. They make abbreviations ambiguous, as on
# a real router.
_OTHERS: Final = (
    "show access-lists",
    "show arp",
    "show clock",
    "show interfaces",
    "show inventory",
    "show ip route",
    "show logging",
    "show policy-map",
    "show privilege",
    "show processes cpu",
    "show processes memory",
    "show protocols",
    "show running-config",
    "show version",
)
BUILT_IN: Final = ("disable", "enable", "exit", "logout", "quit", "show privilege")
_SETTINGS: Final = (("terminal", "length"), ("terminal", "width"))
_SETTING_WORDS: Final = 3


class ExecError(Exception):
    """A line is no command, or a filter is refused; the text is the reply of IOS after the echo."""


class Grammar(Struct, frozen=True):
    """The commands of a device, spelled out; `answerable` holds the complete commands."""

    answerable: frozenset[str]
    words: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, commands: Iterable[str]) -> "Grammar":
        """Build the grammar of a device that answers these commands."""
        answerable = frozenset((*commands, *BUILT_IN))
        commands_in_words = {tuple(command.lower().split()) for command in (*answerable, *_OTHERS)}
        return cls(answerable, frozenset(commands_in_words | set(_SETTINGS)))

    def spell_out(self, line: str, prompt: str) -> str:
        """Return the command that a line means, without its filter.

        Raises
        ------
        InputError
            If the line is no command, or is incomplete or ambiguous.
        """
        entered_words = line.split()
        spelled: tuple[str, ...] = ()
        for index, word in enumerate(entered_words):
            if spelled in _SETTINGS and word.isdigit():
                spelled = (*spelled, word)
                continue
            spelled = (*spelled, self._word(line, prompt, spelled, index, word))
        command = " ".join(spelled)
        if len(spelled) == _SETTING_WORDS and spelled[:2] in _SETTINGS:
            return command
        for answer in self.answerable:
            if answer.lower() == command:
                return answer
        if any(words[: len(spelled)] == spelled and words != spelled for words in self.words):
            raise ExecError("% Incomplete command.\n\n")
        raise ExecError(_marker(line, prompt, len(entered_words) - 1))

    def _word(self, line: str, prompt: str, prefix: tuple[str, ...], index: int, word: str) -> str:
        depth = len(prefix)
        next_words = {
            words[depth] for words in self.words if len(words) > depth and words[:depth] == prefix
        }
        if word.lower() in next_words:
            return word.lower()
        fitting = [full_word for full_word in next_words if full_word.startswith(word.lower())]
        if not fitting:
            raise ExecError(_marker(line, prompt, index))
        if len(fitting) > 1:
            raise ExecError(f'% Ambiguous command:  "{line}"\n')
        return fitting[0]


def _marker(line: str, prompt: str, index: int) -> str:
    column = 0
    for _ in range(index + 1):
        column += len(line[column:]) - len(line[column:].lstrip(" "))
        start = column
        column += len(line[column:].split(" ", 1)[0])
    return f"{' ' * (len(prompt) + start)}^\n% Invalid input detected at '^' marker.\n\n"


# `| include`, `| exclude`, `| begin` and `| section` of the exec.

_FILTERS: Final = ("append", "begin", "count", "exclude", "include", "redirect", "section", "tee")
# `_` matches a border in the regular expressions of IOS.
_BORDER: Final = r"(?:^|$|[ ,{}()])"


def filtered(text: str, pipe: str) -> str:
    r"""Filter the lines of an output.

    Parameters
    ----------
    text
        Lines ended by LF.
    pipe
        The text after the bar, like `inc CPU`.

    Raises
    ------
    InputError
        If the filter is unknown, ambiguous, unsupported or without an expression.

    Examples
    --------
    >>> filtered("a 1\nb 2\n", "i ^b")
    'b 2\n'
    """
    word, _, expression = pipe.strip().partition(" ")
    names = [name for name in _FILTERS if word and name.startswith(word.lower())]
    if len(names) != 1 or names[0] in ("append", "count", "redirect", "tee"):
        raise ExecError("% Invalid input detected at '^' marker.")
    if not expression:
        raise ExecError("% Incomplete command.")
    try:
        pattern = re.compile(expression.replace("_", _BORDER))
    except re.error:
        raise ExecError("% Failed to compile regular expression.") from None
    lines = text.splitlines(keepends=True)
    if names[0] == "section":
        return "".join(_sections(lines, pattern))
    if names[0] == "begin":
        first = next((row for row, line in enumerate(lines) if pattern.search(line)), len(lines))
        return "".join(lines[first:])
    is_include = names[0] == "include"
    return "".join(line for line in lines if bool(pattern.search(line)) is is_include)


def _sections(lines: list[str], pattern: re.Pattern[str]) -> list[str]:
    section_lines: list[str] = []
    depth: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if depth is not None and indent > depth:
            section_lines.append(line)
            continue
        depth = indent if pattern.search(line) else None
        if depth is not None:
            section_lines.append(line)
    return section_lines


_VIEW_FULL: Final = f"{RUNNING_CONFIG} view full"
_CHANGES_AFTER: Final = 5  # commands
_VIEW_WORDS: Final = 3


class Then(Enum):
    """The next action after a reply."""

    PROMPT = auto()
    ENABLE = auto()
    VIEW = auto()
    CLOSE = auto()


class ExecReply(Struct, frozen=True):
    """The answer to a line. `command` is spelled out; it is empty if the line holds none."""

    text: str = ""
    then: Then = Then.PROMPT
    command: str = ""


class Exec:
    """The exec of one session."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._grammar = Grammar.of(
            (*script.answers, *((_VIEW_FULL,) if RUNNING_CONFIG in script.answers else ()))
        )
        self._commands = 0
        self._asked: Counter[str] = Counter()
        self.privilege = script.privilege
        self.page_lines = script.page_lines
        self.view: TerminalView | None = script.view if script.is_first_view else None

    @property
    def hostname(self) -> str:
        """The current name in the prompt."""
        changed = self._script.has(DemoFault.NAME_CHANGES) and self._commands >= _CHANGES_AFTER
        return f"{self._script.hostname}-new" if changed else self._script.hostname

    @property
    def prompt(self) -> str:
        """`name>` or `name#`."""
        mark = "#" if self.privilege > USER_PRIVILEGE or self.view is not None else ">"
        return f"{prompt_name(self.hostname)}{mark}"

    def run(self, line: str) -> ExecReply:
        """Answer a typed line."""
        command_line, bar, pipe = line.partition("|")
        if not command_line.strip() or command_line.lstrip().startswith("!"):
            return ExecReply()
        self._commands += 1
        words = command_line.split()
        if len(words) == _VIEW_WORDS and _is_enable_view(words):
            return ExecReply(then=Then.VIEW, command=f"enable view {words[2]}")
        try:
            command = self._grammar.spell_out(command_line, self.prompt)
            reply = self._obey(command, command_line)
            if bar:
                return ExecReply(filtered(reply.text, pipe), reply.then, command)
        except ExecError as refusal:
            return ExecReply(f"{str(refusal).rstrip(chr(10))}\n\n")
        return reply

    def enabled(self, password: str) -> bool:
        """Check the password of `enable`; enter privileged mode if it is right."""
        if self._script.enable_password != password:
            return False
        self.privilege = HIGHEST_PRIVILEGE
        return True

    def entered(self, name: str, password: str) -> bool:
        """Check the password of `enable view`; enter the view if it is right."""
        view = self._script.view
        if view is None or view.name != name or view.password != password:
            return False
        self.view = view
        return True

    @property
    def refuses_enable(self) -> str:
        """The refusal that `enable` prints; empty if it asks for a password."""
        if self._script.has(DemoFault.ENABLE_REFUSED):
            return "% Error in authentication.\n\n"
        return "% No password set\n" if self._script.enable_password is None else ""

    def _obey(self, command: str, command_line: str) -> ExecReply:
        if command in {"exit", "logout", "quit"}:
            return ExecReply(then=Then.CLOSE, command=command)
        if command == "enable":
            next_mode = Then.PROMPT if self.privilege == HIGHEST_PRIVILEGE else Then.ENABLE
            return ExecReply(then=next_mode, command=command)
        if command == "disable":
            self.privilege = USER_PRIVILEGE
            return ExecReply(command=command)
        if command.startswith("terminal "):
            return self._set(command)
        if command == "show privilege":
            return ExecReply(self._privilege_text(), command=command)
        self._refuse_unless_allowed(command, command_line)
        return ExecReply(self._text(command), command=command)

    def _set(self, command: str) -> ExecReply:
        _, setting, number = command.split()
        if setting == "length":
            self.page_lines = whole_or_none(number) or 0
        return ExecReply(command=command)

    def _privilege_text(self) -> str:
        if self.view is not None:
            return f"Currently in View Context with view '{self.view.name}'\n"
        return f"Current privilege level is {self.privilege}\n"

    def _refuse_unless_allowed(self, command: str, command_line: str) -> None:
        if self.view is not None:
            allowed = any(_starts(command, prefix) for prefix in self.view.commands)
        else:
            privilege = (
                level
                for prefix, level in self._script.command_privilege.items()
                if _starts(command, prefix)
            )
            allowed = self.privilege >= max(privilege, default=USER_PRIVILEGE)
        if not allowed:
            column = len(self.prompt) + len(command_line) - len(command_line.lstrip())
            column += len(command_line.split(maxsplit=1)[0]) + 1
            raise ExecError(f"{' ' * column}^\n% Invalid input detected at '^' marker.\n\n")

    def _text(self, command: str) -> str:
        is_complete = self.view is None and self.privilege == HIGHEST_PRIVILEGE
        if command == RUNNING_CONFIG and not is_complete:
            return shortened(self._script.hostname)
        if command == _VIEW_FULL:
            return self._script.answer(RUNNING_CONFIG)
        texts = (self._script.answer(command), *self._script.later.get(command, ()))
        self._asked[command] += 1
        return texts[min(self._asked[command], len(texts)) - 1]


def _is_enable_view(words: list[str]) -> bool:
    return len(words[0]) > 1 and "enable".startswith(words[0]) and "view".startswith(words[1])


def _starts(command: str, prefix: str) -> bool:
    return command == prefix or command.startswith(f"{prefix} ")
