"""Figures that a remedy makes worse, beside the one that it improves: it is then not safe."""

from typing import Final

from advisor.device.device import Device, with_tree
from advisor.ios.syntax.tree import ConfigTree
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Watched
from advisor.quantity import figure

_TOLERATED_RATIO: Final = 0.05  # of the figure before
_TOLERATED_POINTS: Final = 0.1  # of percent: smaller differences print the same


def side_effects(rule: Rule, label: str, before: Device, after: ConfigTree) -> tuple[str, ...]:
    """Say each figure of an object that a remedy makes worse by more than 5 %, and by how much.

    `after` is the config with the remedy applied; it is read only where the rule watches a figure.
    """
    watched = rule.check.watched
    if watched is None:
        return ()
    cured = {known.metric: known for known in watched(with_tree(before, after), label)}
    if not cured:
        return ()
    return tuple(
        f"{known.metric}: {figure(known.figure)} before, {figure(cured[known.metric].figure)} after"
        for known in watched(before, label)
        if known.metric in cured and _is_worse(known, cured[known.metric])
    )


def _is_worse(before: Watched, after: Watched) -> bool:
    more = after.figure.value - before.figure.value
    loss = more if before.more_is_worse else -more
    return loss > max(_TOLERATED_POINTS, _TOLERATED_RATIO * before.figure.value)
