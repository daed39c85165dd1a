"""A text that is edited: its findings at once, remedies when somebody asks for them.

An editor asks again at each keystroke. Findings are those of `advisor lint`, without proofs: the
engine keeps the answers on all that the edit leaves as it was. A remedy is proven for the finding
that the user looks at.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from advisor.device.index import index_of
from advisor.device.reading import Reading, Source, read_device
from advisor.device.sources import sources_of
from advisor.ground.faults import Fault, Guard, faults_of, guarded
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
    guard = Guard()
    sources = sources_of((source,))
    readings: list[Reading] = []
    verdicts: list[DeviceVerdict] = []
    index = index_of(sources, settings, guard)
    for inputs in index.inputs(sources):
        with guarded(guard, inputs.name):
            reading = read_device(inputs, settings, index.fleet)
            readings.append(reading)
            if is_asked_for(reading.device.name, settings):
                verdict = judged(reading, rules, settings, is_guarded=True, proves=False)
                guard.take(verdict.faults)
                verdicts.append(verdict)
    return OpenText(tuple(readings), merge(verdicts, settings), faults_of(guard))


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
