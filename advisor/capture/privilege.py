"""What a session may see: below privilege 15 `show running-config` prints a part, and ends well."""

import re
from collections.abc import Iterator
from typing import Final

from advisor.capture.outputs import PRIVILEGE, RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS
from advisor.capture.sections import Capture, Gap, GapCause, GapKind, Origin, Section, SectionKind
from advisor.ios.exec.prompts import split_prompt
from advisor.units import whole

FULL_PRIVILEGE: Final = 15
_LEVEL: Final = re.compile(r"Current privilege level is ([0-9]{1,2})\b")
_VIEW: Final = re.compile(r"View Context with view")
# Lines that every device has, whatever is configured on it.
_OF_ANY_DEVICE: Final = ("hostname", "version", "interface")
_TAKEN_FROM_A_DEVICE: Final = (Origin.MANIFEST, Origin.PROMPT)
_WHOLE_CONFIGS: Final = (RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS)
_USER_EXEC: Final = ">"
_CHANGES: Final = ("enable", "disable", "login", "exit", "end", "quit", "logout")


def privilege_of(text: str) -> int | None:
    """Level that `show privilege` prints; None in a parser view, or where it says neither."""
    match = _LEVEL.search(text)
    return whole(match[1]) if match is not None else None


def is_in_view(text: str) -> bool:
    """Whether `show privilege` says that the session is in a parser view."""
    return _VIEW.search(text) is not None


def why_partial(privilege: int | None, *, in_view: bool) -> str | None:
    """Why a configuration is a part of what the device holds; None where nothing says so.

    Source: Cisco, "How to Assign Privilege Levels with TACACS+ and RADIUS": the command shows
    what the user of that level may modify.
    """
    if in_view:
        return "a parser view shows only the lines that it may change"
    if privilege is None or privilege >= FULL_PRIVILEGE:
        return None
    return f"privilege {privilege} shows only the lines that it may change"


def lacks_of_a_device(config: str) -> str:
    r"""Lines of any device that a configuration is without; empty where it has them all.

    To a user at level 1 that may run the command IOS prints `boot-start-marker`, its end and `end`.

    Examples
    --------
    >>> lacks_of_a_device("boot-start-marker\nboot-end-marker\nend\n")
    'no hostname, no version, no interface'
    """
    first = {line.partition(" ")[0] for line in config.splitlines()}
    return ", ".join(f"no {command}" for command in _OF_ANY_DEVICE if command not in first)


def partial_configs(capture: Capture) -> Iterator[Gap]:
    """Yield a gap for each running-config that was taken with too low a privilege.

    By the privilege of a bundle, or what `show privilege` printed in the same session before it,
    or by the text, where it is what a device printed and names none. Those that have a gap already
    are left out, and the forms that show all at any level are judged by the text alone.
    """
    why, host = why_partial(capture.privilege, in_view=False), None
    for section in capture.sections:
        command = section.command or ""
        if section.host != host or command.split(" ")[0] in _CHANGES:
            host, why = section.host, why_partial(capture.privilege, in_view=False)
        if section.taken_for == PRIVILEGE:
            text = section.output
            why = why_partial(privilege_of(text), in_view=is_in_view(text))
        elif section.gap is not None or section.kind is not SectionKind.CONFIG:
            continue
        elif why is not None and section.command == RUNNING_CONFIG:
            yield Gap(command, GapKind.PARTIAL, why, GapCause.PRIVILEGE)
        elif lack := _lack_of(section):
            yield Gap(command, GapKind.PARTIAL, lack, GapCause.NO_DEVICE)


def _lack_of(section: Section) -> str:
    """What a device's running-config is without.

    A typed one may be composed, so it has to lack all of it, unless it stands at a prompt where
    no user sees the whole.
    """
    if section.command not in _WHOLE_CONFIGS or section.origin not in _TAKEN_FROM_A_DEVICE:
        return ""
    lack = lacks_of_a_device(section.output)
    is_certain = section.origin is Origin.MANIFEST or _is_of_user_exec(section)
    return lack if is_certain or lack == lacks_of_a_device("") else ""


def _is_of_user_exec(section: Section) -> bool:
    """Whether the running-config was typed at `r1>`, the prompt of privilege 1.

    The other form shows all at any level.
    """
    split = split_prompt(section.shown.partition("\n")[0].strip())
    is_user_exec = split is not None and split[0].rstrip().endswith(_USER_EXEC)
    return is_user_exec and section.command == RUNNING_CONFIG
