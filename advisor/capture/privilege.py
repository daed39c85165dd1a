"""What a session may see: below privilege 15 `show running-config` prints a part, and ends well."""

import re
from collections.abc import Iterator
from typing import Final

from advisor.capture.commands import ShowCommand
from advisor.capture.sections import Capture, Gap, GapKind, Section, SectionKind
from advisor.numerals import whole

FULL_PRIVILEGE: Final = 15
_LEVEL: Final = re.compile(r"Current privilege level is ([0-9]{1,2})\b")
_VIEW: Final = re.compile(r"View Context with view")
_CHANGES: Final = ("enable", "disable", "login", "exit", "end", "quit", "logout")


def privilege_of(text: str) -> int | None:
    """Level that `show privilege` prints; None in a parser view, or where it says neither."""
    found = _LEVEL.search(text)
    return whole(found[1]) if found is not None else None


def is_in_view(text: str) -> bool:
    """Whether `show privilege` says that the session is in a parser view."""
    return _VIEW.search(text) is not None


def why_partial(privilege: int | None, *, in_view: bool) -> str | None:
    """Why a configuration is a part of what the device holds; None where nothing says so.

    Source: Cisco, "How to Assign Privilege Levels with TACACS+ and RADIUS": the command shows
    what the user of that level may modify.
    """
    if in_view:
        return "a parser view: it shows only what that may change"
    if privilege is None or privilege >= FULL_PRIVILEGE:
        return None
    return f"privilege {privilege}: it shows only what that may change"


def partial_configs(capture: Capture) -> Iterator[Gap]:
    """Yield a gap for each running-config that was taken with too low a privilege.

    By the privilege of a bundle, or what `show privilege` printed in the same session before it.
    Those that have a gap already are left out, and so are the forms that show all at any level.
    """
    why, host = why_partial(capture.privilege, in_view=False), None
    for section in capture.sections:
        command = section.command or ""
        if section.host != host or command.split(" ")[0] in _CHANGES:
            host, why = section.host, why_partial(capture.privilege, in_view=False)
        if section.taken_for is ShowCommand.PRIVILEGE:
            text = section.output
            why = why_partial(privilege_of(text), in_view=is_in_view(text))
        elif why is not None and section.gap is None and _is_filtered(section):
            yield Gap(command, GapKind.PARTIAL, why)


def _is_filtered(section: Section) -> bool:
    """Whether IOS printed the configuration by what the privilege may change."""
    return section.kind is SectionKind.CONFIG and section.command == ShowCommand.RUNNING_CONFIG
