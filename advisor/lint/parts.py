"""The part of a device that a remedy can bear upon: its proof costs what the part costs."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from typing import Any, Final

from msgspec.structs import replace

from advisor.device.device import Device, with_tree
from advisor.ios.edit.apply import apply
from advisor.ios.edit.reach import Part, Reach
from advisor.ios.syntax.tree import ConfigTree, Location
from advisor.lint.cards import Rule
from advisor.lint.checks.base import Hit
from advisor.lint.judge import Hits, Key, judge, keys_of
from advisor.lint.trial import Trial, UnprovenError, edited, has_lines, lines_of, snippet_of

_FEW: Final = 5  # remedies that are cheaper to prove on the whole device
_MOST_UNFAITHFUL: Final = 3  # a trial costs a lint of the part
_WORTH_A_PART: Final = 3  # a part is linted twice: it must be this much smaller than the whole


class Parts:
    """Cuts out of the edited configs of a device what the edit can bear upon.

    A part stands for the whole only where, before the edit, the rules say of it word for word what
    they say of the same lines in the whole. After some that do not, no other one is tried.
    """

    def __init__(self, device: Device, rules: Sequence[Rule], hits: Hits) -> None:
        self.device, self.rules, self.hits = device, rules, hits
        self._curable = [(rule, hit) for rule, hit in hits.pairs if has_lines(rule, hit)]
        self._faithful: dict[frozenset[int], Device | None] = {}  # the part before the edit

    def of(self, after: ConfigTree) -> Trial | None:
        """Part of an edited config; None where only the whole will do, or costs no more."""
        unfaithful = sum(1 for before in self._faithful.values() if before is None)
        if len(self._curable) <= _FEW or unfaithful >= _MOST_UNFAITHFUL:
            return None
        part = self._worthwhile(self._reach.part(after))
        if part is None:
            part = self._worthwhile(self._reach.part(after, siblings=False))
            if part is None or not self._hold_together:
                return None
        if part.places not in self._faithful:
            before = with_tree(self.device, part.before)
            self._faithful[part.places] = before if self._is_faithful(part, before) else None
        before_edit = self._faithful[part.places]
        if before_edit is None:
            return None
        return Trial(before_edit, edited(before_edit, part.after))

    def _worthwhile(self, part: Part | None) -> Part | None:
        dear = part is None or part.lines * _WORTH_A_PART > self._reach.lines
        return None if dear else part

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self.device.facts.tree)

    @cached_property
    def _hold_together(self) -> bool:
        """Whether all remedies, applied at once, cure all and break nothing on the whole device.

        What subinterfaces do to each other through their main interface shows here.
        """
        snippets: list[tuple[str, ...]] = []
        cured: set[Key] = set()
        for rule, hit in self._curable:
            with suppress(UnprovenError):  # it will not be given either
                snippets.append(lines_of(rule, hit))
                cured.add((rule.card.id, hit.object))
        # what is removed goes last: lines before it may enter it
        snippets.sort(key=lambda lines: lines[0].startswith("no "))
        applied = apply(self.device.facts.tree, snippet_of(tuple(chain(*snippets))))
        remaining = keys_of(judge(with_tree(self.device, applied.tree), self.rules).pairs)
        return not applied.refused and remaining <= keys_of(self.hits.pairs) - cured

    def _is_faithful(self, part: Part, before: Device) -> bool:
        file, place_of = self.device.facts.tree.file, self._reach.place_of

        def is_in_it(at: Location) -> bool:
            place = place_of.get(at.line) if at.file == file else None
            return place is None or place in part.places

        judged = judge(before, self.rules)
        if not set(judged.skipped) <= set(self.hits.skipped):
            return False
        anywhere = self._of_the_text
        return [(rule.card.id, hit) for rule, hit in judged.pairs] == [
            (rule.card.id, hit)
            for rule, hit in self.hits.pairs
            if all(map(is_in_it, hit.at)) or (rule.card.id, hit) in anywhere
        ]

    @cached_property
    def _of_the_text(self) -> list[tuple[str, Hit[Any]]]:
        """Hits that stay when all lines are gone: they are about the text, as one that is cut."""
        bare = with_tree(self.device, replace(self.device.facts.tree, lines=()))
        return [(rule.card.id, hit) for rule, hit in judge(bare, self.rules).pairs]
