"""A text that is edited: its findings at once, remedies when somebody asks for them.

An editor asks again at each keystroke. Findings are those of `advisor lint`, without proofs: the
engine keeps the answers on all that the edit leaves as it was. A remedy is proven for the finding
that the user looks at.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.index import index_of
from advisor.device.reading import Reading, Source, read_device
from advisor.device.sources import sources_of
from advisor.ground.faults import Fault, Guard, faults_of, guarded
from advisor.ground.questions import Kept
from advisor.lint.cards import Rule
from advisor.lint.findings import Finding, Verdict
from advisor.lint.rulebook import is_asked_for
from advisor.lint.run import DeviceVerdict, judged, merge, proven_findings
from advisor.settings import Settings


class OpenText(Struct, frozen=True, eq=False):
    """A text with the devices in it, and its verdict without remedies.

    `faults` are defects of the program that showed: what they concern is not judged.
    """

    readings: tuple[Reading, ...]
    verdict: Verdict
    faults: tuple[Fault, ...]

    @property
    def is_ios(self) -> bool:
        """Whether it holds a configuration or outputs of IOS."""
        return any(
            reading.device.is_ios and (reading.config is not None or reading.shown)
            for reading in self.readings
        )


def open_text(source: Source, rules: Sequence[Rule], settings: Settings) -> OpenText:
    """Judge a text, without proofs; a defect is kept to its device or rule."""
    return completed(open_quickly(source, rules, settings), rules, settings)


def open_quickly(source: Source, rules: Sequence[Rule], settings: Settings) -> OpenText:
    """Judge a text by the rules whose figures need no solution of the model."""
    guard = Guard()
    sources = sources_of((source,))
    readings: list[Reading] = []
    index = index_of(sources, settings, guard)
    for inputs in index.inputs(sources):
        with guarded(guard, inputs.name):
            readings.append(read_device(inputs, settings, index.fleet))
    read = OpenText(tuple(readings), merge((), settings), faults_of(guard))
    _, quick = _QUICK.of(id(rules), lambda: (rules, _without_solved(rules)))
    return _judged(read, quick, settings)


def completed(opened: OpenText, rules: Sequence[Rule], settings: Settings) -> OpenText:
    """The same text judged by all rules; what they share with the first ones is kept."""
    return _judged(opened, rules, settings)


# The rules without a solution, for rules whose identity is the key and so stays their own.
_QUICK: Final = Kept[int, tuple[Sequence[Rule], Sequence[Rule]]](4)


def _without_solved(rules: Sequence[Rule]) -> Sequence[Rule]:
    return tuple(rule for rule in rules if not rule.card.solved)


def _judged(opened: OpenText, rules: Sequence[Rule], settings: Settings) -> OpenText:
    guard = Guard()
    verdicts: list[DeviceVerdict] = []
    for reading in opened.readings:
        with guarded(guard, reading.device.name):
            if is_asked_for(reading.device.name, settings):
                verdict = judged(reading, rules, settings, is_guarded=True, proves=False)
                guard.take(verdict.faults)
                verdicts.append(verdict)
    faults = dict.fromkeys((*opened.faults, *guard.faults))
    return OpenText(opened.readings, merge(verdicts, settings), tuple(faults))


def with_remedies(
    opened: OpenText, findings: Iterable[Finding], rules: Sequence[Rule], settings: Settings
) -> tuple[Finding, ...]:
    """Some findings of a text with their remedies, each proven by itself."""
    wanted = list(findings)
    return tuple(
        finding
        for reading in opened.readings
        if (keys := _keys_at(reading, wanted))
        for finding in proven_findings(reading, rules, settings, keys)
    )


def _keys_at(reading: Reading, findings: Iterable[Finding]) -> frozenset[tuple[str, str]]:
    name = reading.device.name
    return frozenset((item.rule, item.object) for item in findings if item.device == name)
