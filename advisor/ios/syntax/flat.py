"""Nest the rows of a configuration without indentation by the modes that its commands open."""

from typing import Final

from msgspec import Struct, field

from advisor.ios.syntax.modes import GLOBAL, belongs, is_global_word, opens_mode
from advisor.ios.syntax.scan import Scan
from advisor.ios.syntax.tree import Kind

# First words that are global whatever mode knows them too.
_ALWAYS_GLOBAL: Final = frozenset(
    (
        *("access-list", "banner", "boot", "class-map", "controller", "dial-peer", "hostname"),
        *("interface", "line", "map-class", "policy-map", "route-map", "snmp-server"),
        *("username", "voice-port"),
    )
)

# `exit-…` -> the mode that it leaves; `show running-config` prints it beside the block it ends.
_EXITS: Final = {
    "exit-address-family": "address-family",
    "exit-af-interface": "af-interface",
    "exit-af-topology": "topology",
    "exit-peer-policy": "router-template",
    "exit-peer-session": "router-template",
    "exit-service-family": "address-family",
    "exit-sf-interface": "af-interface",
    "exit-sf-topology": "topology",
}

_LEAVE: Final = ("exit", "quit")


class _Modes(Struct):
    """The commands whose modes are open, outermost first, and what a `!` closed last."""

    rows: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    closed: tuple[list[int], list[str]] = field(default_factory=lambda: ([], []))

    def close_all(self) -> None:
        """Leave every mode, as a separator suggests."""
        if self.rows:
            self.closed = (self.rows, self.names)
            self.rows, self.names = [], []

    def forget(self) -> None:
        """Leave every mode for good."""
        self.rows, self.names, self.closed = [], [], ([], [])

    def depth_for(self, text: str) -> int:
        """Find the innermost open mode that knows a command; 0 is the global mode."""
        left = _EXITS.get(text)
        if left in self.names:
            return len(self.names) - 1 - self.names[::-1].index(left)
        return next(
            (i for i in range(len(self.names), 0, -1) if belongs(self.names[i - 1], text)), 0
        )

    def reopen_for(self, text: str) -> int:
        """Take a `!` back where the command can only belong to a mode that it closed.

        To IOS a `!` is a comment; `show running-config` prints one inside some blocks too.
        """
        if self.rows or not self.closed[0] or is_global_word(text):
            return 0
        self.rows, self.names = self.closed
        depth = self.depth_for(text)
        if not depth:
            self.forget()
        return depth

    def follow(self, depth: int, row: int, text: str) -> None:
        """Follow a command given at a depth into the mode that it opens, or out of one."""
        if text in _LEAVE and depth:
            depth -= 1
        around = self.names[depth - 1] if depth else GLOBAL
        opened = opens_mode(around, text)
        del self.rows[depth:], self.names[depth:]
        # The lines under a command are one run of the text: what stands behind this one can no
        # longer be under a command before it.
        self.closed = ([], [])
        if opened is not None:
            self.rows.append(row)
            self.names.append(opened)


def nest_by_mode(scan: Scan, parents: list[int], *, strays_only: bool) -> int:
    """Nest rows that stand at the top although their command belongs to an open mode.

    A command is tried in the innermost open mode first, then outwards; what no open mode knows
    is global. A word that nothing here knows is in the open mode where the next known command
    still is, else global. `exit` leaves a mode, `!` and `end` leave all.

    Parameters
    ----------
    scan
        The rows.
    parents
        Row under which each row stands, -1 at the top; changed in place.
    strays_only
        The text is indented otherwise: nest only what cannot be a global command, or was typed
        at a prompt that shows a mode.

    Returns
    -------
    int
        How many commands were nested.
    """
    modes = _Modes()
    undecided: list[tuple[int, int]] = []  # row, and the depth it asks for
    nested = 0
    for row, kind in enumerate(scan.kinds):
        if parents[row] >= 0:
            continue
        text, prompt = scan.texts[row], scan.config_prompts.get(row)
        if kind is not Kind.COMMAND and kind is not Kind.OPAQUE:
            undecided.append((row, 0))
            if text == "!" and kind is Kind.COMMENT:
                modes.forget() if strays_only else modes.close_all()
            continue
        strict = strays_only and prompt is None
        depth = _depth(modes, text, prompt, strict=strict)
        if not depth and modes.rows and not strict and not is_global_word(text):
            undecided.append((row, len(modes.rows)))
            continue
        undecided.append((row, depth))
        nested += _place(undecided, depth, modes.rows, scan, parents)
        modes.follow(depth, row, text)
    return nested


def _place(
    undecided: list[tuple[int, int]], depth: int, rows: list[int], scan: Scan, parents: list[int]
) -> int:
    """Nest the rows up to a command of known depth; those before a global one stay at the top."""
    nested = 0
    for row, wanted in reversed(undecided) if depth else ():
        depth = max(depth, wanted)
        parents[row] = rows[depth - 1]
        nested += scan.kinds[row] is Kind.COMMAND
    undecided.clear()
    return nested


def _depth(modes: _Modes, text: str, prompt: str | None, *, strict: bool) -> int:
    if strict:
        return 0 if is_global_word(text) else modes.depth_for(text)
    if text == "end" or prompt == "config" or _is_always_global(text):
        modes.forget()
        return 0
    if text in _LEAVE:
        return len(modes.rows)
    depth = modes.depth_for(text) or modes.reopen_for(text)
    if not depth and prompt is not None and not is_global_word(text):
        return len(modes.rows)  # the prompt shows a mode, and the tables do not know it all
    return depth


def _is_always_global(text: str) -> bool:
    first = text.split(None, 1)[0]
    return first in _ALWAYS_GLOBAL or (first == "version" and "." in text)
