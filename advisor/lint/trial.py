"""Lines before their proof: whether a hit has any, what they are, and what IOS makes of them."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from advisor.capture.masking import mask_quoted_line
from advisor.device.device import Device, with_tree
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit
from advisor.lint.judge import Key
from advisor.lint.remedies import remedy_lines
from advisor.lint.sandbox import UnsafeValueError
from advisor.lint.site import TemplateFaultError, site_commands
from advisor.settings.values import Budgets

_MOST_EDITS: Final = 8  # of a device, kept for what comes to the same config again
# Releases that know a command by its older spelling alone, and the spellings; IOS takes these up to
# 12.2. Source: Cisco IOS command references of 12.0-12.4, as in advisor/ios/edit/command_keys.py.
_OLDER_RELEASES: Final = ("12.0", "12.1")
_OLDER_WORDS: Final = (
    ("ppp multilink group ", "multilink-group "),
    ("ppp multilink fragment delay ", "ppp multilink fragment-delay "),
)
APPLIED = "applied: no line refused"  # the step of a proof that lines were applied


class UnprovenError(Exception):
    """A remedy does not hold; the message says at which step and why."""


class RollbackError(UnprovenError):
    """What the lines replace could not come back."""


class Trial(Struct, frozen=True):
    """A device before and after an edit."""

    before: Device
    after: Device


class Standard(Struct, frozen=True):
    """What a remedy is held to: rules it must not break, the findings of the device, budgets."""

    rules: Sequence[Rule]
    known: frozenset[Key]
    budgets: Budgets


def has_lines(rule: Rule, hit: Hit[Any]) -> bool:
    """Whether a remedy of a hit is lines to paste."""
    return rule.card.remedy is not None and hit.curable


def lines_of(rule: Rule, hit: Hit[Any]) -> tuple[str, ...]:
    """Lines to paste.

    Raises
    ------
    UnprovenError
        If a value of the configuration must not stand in a snippet, or a template of the user
        cannot be filled.
    """
    template = rule.card.remedy or ""
    try:
        if rule.site is not None:
            return site_commands(rule.site, f"remedy/{template}", hit.evidence)
        return remedy_lines(template, hit)
    except UnsafeValueError as error:
        raise UnprovenError(f"a name in the config is unsafe to paste ({error})") from error
    except TemplateFaultError as error:
        raise UnprovenError(f"the template fails: {error}") from error


def spelled(device: Device, lines: Sequence[str]) -> tuple[str, ...]:
    """Lines as the release of the device spells their commands."""
    version = device.facts.version
    if version is None or not version.value.startswith(_OLDER_RELEASES):
        return tuple(lines)
    for words, older in _OLDER_WORDS:
        lines = [line.replace(words, older) for line in lines]
    return tuple(lines)


def edited(device: Device, after: ConfigTree) -> Device:
    """The device with the config that an edit leaves; of the same config it is made once."""
    kept = device.derived(_by_config)
    if after in kept:
        kept.move_to_end(after)
    else:
        kept[after] = with_tree(device, after)
        if len(kept) > _MOST_EDITS:
            kept.popitem(last=False)
    return kept[after]


def on_the_way(device: Device, tree: ConfigTree) -> Device:
    """The device with a config that a step of an edit leaves: read anew where no edit ends in it.

    It is not kept: the many steps of a paste would drive out the edits that are asked for again.
    """
    return device.derived(_by_config).get(tree) or with_tree(device, tree)


def _by_config(_: Device) -> OrderedDict[ConfigTree, Device]:
    return OrderedDict()


def snippet_of(lines: Sequence[str]) -> ConfigTree:
    """Lines to paste as IOS reads them."""
    return parse_config("".join(f"{line}\n" for line in lines), "remedy")


def applied(tree: ConfigTree, lines: Sequence[str]) -> ConfigTree:
    """The config with lines applied.

    Raises
    ------
    UnprovenError
        If IOS would refuse one.
    """
    edit = apply(tree, snippet_of(lines))
    if edit.refused:
        refusal = edit.refused[0]
        line = mask_quoted_line(refusal.text)
        raise UnprovenError(f"IOS would refuse `{line}`: {refusal.reason}")
    return edit.tree
