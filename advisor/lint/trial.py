"""Lines before their proof: what IOS makes of them, and what withholds them."""

import re
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from advisor.capture.masking import mask_quoted_line
from advisor.device.device import Device, with_edit
from advisor.ground.quantity import number
from advisor.ground.questions import derived
from advisor.ios.edit.apply import apply
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit
from advisor.lint.findings import Appearing, Renamed, Severity, SideEffect
from advisor.lint.judge import Hits, Key, keys_before, keys_of, severity_of
from advisor.lint.sandbox import UnsafeValueError
from advisor.lint.site import TemplateFaultError, remedy_lines, site_commands
from advisor.settings import Budgets

# Rules for withholding the lines of a remedy, and for side effects told beside them instead.
#
# A new finding withholds where its card says `harm`, where it is no information and at least as
# severe as what is cured, and where it is not what was measured before the change. A figure
# withholds where it is of another class and leaves its budget, or is beyond it and gets worse so
# that its intervals before and after do not meet, unless a measurement refutes it. All else is a
# cost.


def appearing(
    hits: Hits, known: Collection[Key], renamed: Sequence[Renamed] = ()
) -> tuple[Appearing, ...]:
    """Findings after an edit that are not among those before it, under the names before it."""
    found: dict[Key, Appearing] = {}
    for rule, hit in hits.pairs:
        ((rule_id, subject),) = keys_before(keys_of([(rule, hit)]), renamed)
        key, severity = (rule_id, subject), severity_of(rule, hit)
        worst = found.get(key)
        if key not in known and (worst is None or severity.rank < worst.severity.rank):
            card, is_harm = rule.card, bool(rule.card.harm)
            found[key] = Appearing(rule_id, subject, severity, is_harm, card.measured, card.objects)
    return tuple(found[key] for key in sorted(found))


def harm_of(new: Iterable[Appearing], cured: Severity) -> Appearing | None:
    """The first new finding that withholds lines which cure one of this severity."""
    return next((item for item in new if _withholds(item, cured)), None)


def _withholds(new: Appearing, cured: Severity) -> bool:
    if new.severity is Severity.INFO or new.is_measured:
        return False
    return new.harm and new.severity.rank <= cured.rank


def why_beyond(worse: Iterable[SideEffect], cured: Collection[str]) -> str:
    """Say which figures withhold lines; "" where none does.

    Parameters
    ----------
    worse
        Figures that the lines make worse.
    cured
        Objects of the findings that they cure: what a class of one of them pays is the price of
        its cure.
    """
    return "; ".join(_beyond(worse, cured))


def _beyond(worse: Iterable[SideEffect], cured: Collection[str]) -> Iterator[str]:
    for effect in worse:
        is_beyond = effect.leaves_budget or effect.is_worse_beyond_budget
        if is_beyond and not any(_is_of(effect, subject) for subject in cured):
            budget = number(effect.budget or 0.0)
            yield f"they take {effect} and its budget is {budget} {effect.before.unit}"


def _is_of(effect: SideEffect, subject: str) -> bool:
    """Whether a figure is of the class that an object is: at this output, or of its policy."""
    output, _, name = effect.object.rpartition(" > class ")
    steps = subject.split(" > ")
    is_here = subject.startswith(("policy-map ", f"{output} > "))
    return is_here and f"class {name}" in steps


# Lines before their proof: whether a hit has any, what they are, and what IOS makes of them.

_MOST_EDITS: Final = 8  # of a device, kept for what comes to the same config again
# Releases that know a command by its older spelling alone, and the spellings; IOS takes these up to
# 12.2. Source: Cisco IOS command references of 12.0-12.4, as in advisor/ios/edit/__init__.py.
_OLDER_RELEASES: Final = ("12.0", "12.1")
_OLDER_WORDS: Final = (
    ("ppp multilink group ", "multilink-group "),
    ("ppp multilink fragment delay ", "ppp multilink fragment-delay "),
)
_DIRECTED: Final = re.compile(r"frame-relay (?:cir|mincir|bc|be) (?:in|out) ")
_UNDIRECTED: Final = re.compile(r"^( frame-relay (?:cir|mincir|bc|be)) (\d+)$")
# The step of a proof that lines were applied.
APPLIED = "checked on a model of the router: no line refused"


class UnprovenError(Exception):
    """A remedy does not hold; the message says at which step and why, `subject` what appears."""

    def __init__(self, why: str, subject: str | None = None) -> None:
        super().__init__(why)
        self.subject = subject


class RollbackError(UnprovenError):
    """The lines replace text that could not come back."""


class Trial(Struct, frozen=True):
    """A device before and after an edit."""

    before: Device
    after: Device


class Standard(Struct, frozen=True):
    """Requirements on a remedy: rules it must not break, the findings of the device, budgets."""

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
    """Lines as the release of the device, and its map-classes, spell their commands."""
    version, lines = device.facts.version, tuple(_outbound(device, lines))
    if version is None or not version.value.startswith(_OLDER_RELEASES):
        return lines
    for words, older in _OLDER_WORDS:
        lines = tuple(line.replace(words, older) for line in lines)
    return lines


def _outbound(device: Device, lines: Sequence[str]) -> Iterator[str]:
    """Rates and bursts of output where a map-class has them by direction: without `out`, of both.

    Source: Cisco IOS Wide-Area Networking Command Reference, `frame-relay bc`.
    """
    if not any(map(_UNDIRECTED.match, lines)):
        yield from lines
        return
    directed = {
        section.text
        for section in device.facts.tree.commands()
        if section.words[0] == "map-class"
        and any(_DIRECTED.match(line.text) for line in section.children)
    }
    place = ""
    for line in lines:
        place = place if line.startswith(" ") else line
        yield _UNDIRECTED.sub(r"\1 out \2", line) if place in directed else line


def edited(device: Device, after: ConfigTree) -> Device:
    """The device with the config that an edit leaves; of the same config it is made once."""
    kept = _by_config(device)
    if after in kept:
        kept.move_to_end(after)
    else:
        kept[after] = with_edit(device, after)
        if len(kept) > _MOST_EDITS:
            kept.popitem(last=False)
    return kept[after]


def pasted(device: Device, lines: Sequence[str]) -> Device:
    """The device after a paste; its lines are newer than what outputs show of the device."""
    return edited(device, apply(device.facts.tree, snippet_of(lines)).tree)


def on_the_way(device: Device, tree: ConfigTree) -> Device:
    """The device with a config that a step of an edit leaves: read anew where no edit ends in it.

    It is not kept: the many steps of a paste would drive out the edits that are asked for again.
    """
    return _by_config(device).get(tree) or with_edit(device, tree)


@derived
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
