"""Nests the rows of a configuration: by indentation, or by the modes that commands open."""

from bisect import bisect_left
from typing import Final

from msgspec import Struct, field

from advisor.ios.syntax import LineKind
from advisor.ios.syntax.abbreviations import doubt_about, spelled_out
from advisor.ios.syntax.modes import (
    GLOBAL,
    belongs,
    claims,
    is_global_command,
    is_global_word,
    is_known_word,
    is_local,
    knows,
    opens_mode,
)
from advisor.ios.syntax.scan import Scan

# Nest the rows of an indented configuration.

_LEAVE: Final = ("exit", "quit")


class Nesting(Struct, frozen=True):
    """The parent row of each row, -1 at the top.

    `nested` counts the commands under another command. `strays` are the rows of commands at the
    top that only another mode knows. A text with more strays than nested commands has lost its
    indentation.
    """

    parents: list[int]
    nested: int
    strays: list[int]


def nest_by_indentation(scan: Scan) -> Nesting:
    """Nest rows by their columns.

    The parent of a row is the nearest row before it with a smaller column. A comment, blank or
    noise row between two rows of a block is in the block; after the last command of the block it
    is in the block only if it is indented. The indentation below a command is an accident if that
    command opens no mode and the outer mode knows both lines.
    """
    parents = [-1] * len(scan.texts)
    pending: list[tuple[int, int]] = []  # row, and its column if that has a meaning
    nested = 0
    strays: list[int] = []
    columns, texts = scan.columns, scan.texts
    open_rows: list[int] = []  # possible parents of the next row, outermost first
    open_columns: list[int] = []
    modes: dict[int, str | None] = {}
    for row, kind in enumerate(scan.kinds):
        if kind is not LineKind.COMMAND and kind is not LineKind.OPAQUE:
            pending.append((row, columns[row] if kind is LineKind.COMMENT else 0))
            continue
        column = columns[row]
        left = _left_mode(open_rows, modes, texts) if texts[row] in _LEAVE else None
        if pending:
            depth = bisect_left(open_columns, column) if left is None else left + 1
            _place(pending, depth, open_rows, open_columns, parents)
        if left is not None:
            parents[row] = open_rows[left]
            nested += 1
            del open_columns[left:], open_rows[left:]
            continue
        while open_columns and open_columns[-1] >= column:
            del open_columns[-1], open_rows[-1]
        if len(open_rows) > 1 and _is_accident(open_rows, modes, texts, row):
            del open_columns[-1], open_rows[-1]
        if open_rows:
            parents[row] = open_rows[-1]
            nested += 1
        elif is_local(texts[row]):
            strays.append(row)
        if kind is LineKind.COMMAND:
            open_rows.append(row)
            open_columns.append(column)
    _place(pending, 0, open_rows, open_columns, parents)
    return Nesting(parents, nested, strays)


def _place(
    pending: list[tuple[int, int]],
    depth: int,
    open_rows: list[int],
    open_columns: list[int],
    parents: list[int],
) -> None:
    """Nest rows that are not commands, by document order and their column."""
    for row, column in reversed(pending):
        if column:
            depth = max(depth, bisect_left(open_columns, column))
        if depth:
            parents[row] = open_rows[depth - 1]
    pending.clear()


def _is_accident(
    open_rows: list[int], modes: dict[int, str | None], texts: list[str], row: int
) -> bool:
    """Say whether an indented row is a sibling of the command above it, not a child."""
    _settle_modes(open_rows, modes, texts)
    around = modes[open_rows[-2]]
    if around is None or modes[open_rows[-1]] is not None:
        return False
    return belongs(around, texts[open_rows[-1]]) and belongs(around, texts[row])


def _left_mode(open_rows: list[int], modes: dict[int, str | None], texts: list[str]) -> int | None:
    """Return the depth of the mode that an `exit` leaves, wherever the `exit` is printed."""
    _settle_modes(open_rows, modes, texts)
    depths = range(len(open_rows) - 1, max(len(open_rows) - 3, -1), -1)
    return next((depth for depth in depths if modes[open_rows[depth]] is not None), None)


def _settle_modes(open_rows: list[int], modes: dict[int, str | None], texts: list[str]) -> None:
    """Find the mode that each open row opens; `modes` remembers it, None means "unknown"."""
    settled = len(open_rows)
    while settled and open_rows[settled - 1] not in modes:
        settled -= 1
    for depth in range(settled, len(open_rows)):
        around = modes[open_rows[depth - 1]] if depth else GLOBAL
        opened = None if around is None else opens_mode(around, texts[open_rows[depth]])
        modes[open_rows[depth]] = opened


# Nest the rows of a configuration without indentation, by the modes that its commands open.

# First words that are always global, even if a mode knows them too.
_ALWAYS_GLOBAL: Final = frozenset(
    (
        *("access-list", "banner", "boot", "class-map", "controller", "dial-peer", "hostname"),
        *("interface", "line", "map-class", "policy-map", "route-map", "snmp-server"),
        *("username", "voice-port"),
    )
)

# `exit-…` -> the mode that it leaves; `show running-config` does not indent it with its block.
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

_NEGATIONS: Final = ("no", "default")


class _Modes(Struct):
    """The commands whose modes are open, outermost first, and the modes that `!` closed last."""

    rows: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    closed: tuple[list[int], list[str]] = field(default_factory=lambda: ([], []))

    def close_all(self) -> None:
        """Leave every mode at a separator."""
        if self.rows:
            self.closed = (self.rows, self.names)
            self.rows, self.names = [], []

    def forget(self) -> None:
        """Leave every mode for good."""
        self.rows, self.names, self.closed = [], [], ([], [])

    def depth_for(self, text: str) -> int:
        """Find the innermost open mode that knows a command; 0 is the global mode."""
        exited_mode = _EXITS.get(text)
        if exited_mode in self.names:
            return len(self.names) - 1 - self.names[::-1].index(exited_mode)
        return next(
            (
                depth
                for depth in range(len(self.names), 0, -1)
                if belongs(self.names[depth - 1], text)
            ),
            0,
        )

    def nearest_for(self, text: str) -> int | None:
        """Find the innermost mode with the command that a misspelt one is nearest to.

        0 is the global mode: whatever the command opens there, the open modes end. None where no
        mode has one, or where it may be of an open mode as well as global.
        """
        near_global = _misspelt(GLOBAL, text)
        for depth in range(len(self.names), 0, -1):
            near = _misspelt(self.names[depth - 1], text)
            if near is not None:
                return depth if near_global in (None, near) else None
        return None if near_global is None else 0

    def reopen_for(self, text: str) -> int:
        """Undo a `!` if the command can only belong to a mode that it closed.

        IOS reads `!` as a comment; `show running-config` also prints it inside some blocks.
        """
        if self.rows or not self.closed[0] or _may_be_global(text):
            return 0
        self.rows, self.names = self.closed
        depth = self.depth_for(text)
        if not depth:
            self.forget()
        return depth

    def follow(self, depth: int, row: int, text: str) -> None:
        """Follow a command at a depth into the mode that it opens, or out of a mode."""
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

    A command is tried in the innermost open mode first, then outwards, as IOS does. If no open mode
    knows it and its words prove that it is global, it is. A misspelt command stands where the
    command that it is nearest to would. Any other command belongs to the open
    mode of the next known command, else it is global: the tables are not complete, and a section
    must not end at a line that they lack. `exit` leaves a mode, `!` and `end` leave all modes.

    Parameters
    ----------
    scan
        The rows.
    parents
        The parent row of each row, -1 at the top; changed in place.
    strays_only
        The rest of the text is indented: nest only a command that cannot be global, or that was
        typed at a prompt with a mode.

    Returns
    -------
    int
        The number of nested commands.
    """
    modes = _Modes()
    undecided: list[tuple[int, int]] = []  # row and its wanted depth
    nested = 0
    for row, kind in enumerate(scan.kinds):
        if parents[row] >= 0:
            continue
        text, prompt = scan.texts[row], scan.config_prompts.get(row)
        if kind is not LineKind.COMMAND and kind is not LineKind.OPAQUE:
            undecided.append((row, 0))
            if text == "!" and kind is LineKind.COMMENT:
                modes.forget() if strays_only else modes.close_all()
            continue
        strict = strays_only and prompt is None
        depth = _depth(modes, text, prompt, strict=strict)
        near = None
        if not depth and modes.rows and not strict and not is_known_word(text):
            near = modes.nearest_for(text)
            depth = near or depth
        is_undecided = near is None and not is_global_command(text)
        if not depth and modes.rows and not strict and is_undecided:
            undecided.append((row, len(modes.rows)))
            continue
        undecided.append((row, depth))
        nested += _place_flat(undecided, depth, modes.rows, scan, parents)
        modes.follow(depth, row, text)
    return nested


def _place_flat(
    undecided: list[tuple[int, int]], depth: int, rows: list[int], scan: Scan, parents: list[int]
) -> int:
    """Nest the rows up to a command of known depth; those before a global one stay at the top."""
    nested = 0
    for row, row_depth in reversed(undecided) if depth else ():
        depth = max(depth, row_depth)
        parents[row] = rows[depth - 1]
        nested += scan.kinds[row] is LineKind.COMMAND
    undecided.clear()
    return nested


def _depth(modes: _Modes, text: str, prompt: str | None, *, strict: bool) -> int:
    if strict:
        return 0 if _may_be_global(text) else modes.depth_for(text)
    claimed = bool(modes.names) and claims(modes.names[-1], text)
    if text == "end" or prompt == "config" or (_is_always_global(modes, text) and not claimed):
        modes.forget()
        return 0
    if text in _LEAVE:
        return len(modes.rows)
    depth = modes.depth_for(text) or modes.reopen_for(text)
    if not depth and prompt is not None and not is_global_word(text):
        return len(modes.rows)  # the prompt shows a mode, and the tables are not complete
    return depth


def _misspelt(mode: str, text: str) -> str | None:
    """The first keyword that a command of a mode is a typing error of."""
    doubt = doubt_about(mode, text)
    if doubt is None or doubt.ambiguous:
        return None
    words = [word for word in text.split() if word not in _NEGATIONS]
    return doubt.keywords[0] if words and words[0] == doubt.word else None


def _may_be_global(text: str) -> bool:
    return is_global_word(text) and not is_local(text)


def _is_always_global(modes: _Modes, text: str) -> bool:
    if spelled_out(GLOBAL, text).startswith("default interface "):
        return True  # no mode has it, and each has `default`
    if not any(knows(name, text) for name in modes.names):
        text = spelled_out(GLOBAL, text)
    first = text.split(None, 1)[0]
    return first in _ALWAYS_GLOBAL or (first == "version" and "." in text)
