"""The rollback of an edit, computed from the config before and after the edit."""

from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.edit.difference import differing
from advisor.ios.edit.undo_steps import steps_back
from advisor.ios.edit.undo_text import snippet
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree


def undo_commands(before: ConfigTree, after: ConfigTree) -> tuple[str, ...] | None:
    """Commands that lead from one config back to another.

    Parameters
    ----------
    before, after : ConfigTree
        The config before the edit, and the edited one.

    Returns
    -------
    tuple of str, or None
        Lines of an indented snippet, in an order that IOS takes: policies are detached before
        they are deleted and attached after they are defined. Empty if both configs are equal.
        None if there is no exact way back: the snippet is tried on `after`, and a command is
        refused or the result is not `before`.
    """
    lines = snippet(steps_back(*differing(before, after)))
    rollback = parse_config("".join(f"{line}\n" for line in lines), "rollback")
    applied = apply(after, rollback)
    if applied.refused or not same_config(applied.tree, before):
        return None
    return lines
