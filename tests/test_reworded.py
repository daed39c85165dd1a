"""Words decide nothing: with every source, remark and reason reworded the decisions are the same."""

import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.reading import Source, read_source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Verdict
from advisor.lint.run import review
from advisor.predict.comparison import compared
from advisor.predict.what_if import InputError
from advisor.predict.what_if.formula_cases import formula_cases
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.subject import Subject
from advisor.settings import Settings
from advisor.settings.file import read_traffic
from tests.support.runs import verdict_of

FIXTURES = Path(__file__).parents[1] / "fixtures"
RULES = load_rules(Settings().budgets)
NONSENSE = ("xyzzy", "bandwidth rate version 12 shorter queue-limit minimum-thresh kept, not read")
PROSE = frozenset({"source", "because", "why", "reason", "weak", "said"})
ROOMS = (
    "ground.quantity",
    "device",
    "theory",
    "outlet",
    "predict",
    "design",
    "lint.checks",
)
FIELDS = frozenset(  # what the outcome is: words are left out of it
    {"rule", "severity", "confidence", "object", "device", "level", "lines", "rollback"}
    | {"value", "low", "high", "bound", "unit", "bound_ms", "least_ms", "class_name", "never_empty"}
    | {"agreement", "metric", "basis", "kind", "name", "converged", "certain", "ms"}
)


def prose_fields() -> Iterator[tuple[type[Struct], str]]:
    """Fields of our Structs that hold a sentence."""
    for name, module in sorted(sys.modules.items()):
        if not name.startswith(tuple(f"advisor.{room}" for room in ROOMS)):
            continue
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, Struct) and found.__module__ == name:
                for field in found.__struct_fields__:
                    annotation = str(found.__annotations__.get(field, ""))
                    if field in PROSE and "str" in annotation and "tuple" not in annotation:
                        yield found, field


def reword(monkeypatch: pytest.MonkeyPatch, nonsense: str) -> None:
    """Every sentence that our code reads from now on is nonsense."""
    for found, field in list(prose_fields()):
        member = vars(found)[field]

        def words(self: Struct, member: Any = member) -> str | None:
            return None if member.__get__(self) is None else nonsense

        monkeypatch.setattr(found, field, property(words))


def cases() -> list[tuple[str, str | None]]:
    paths = [
        *sorted((FIXTURES / "configs").rglob("*.ios")),
        *sorted((FIXTURES / "show" / "sessions").glob("*.txt")),
        *sorted((FIXTURES / "bundles").iterdir()),
        *(FIXTURES / "dlsw" / folder for folder in ("overloaded", "design")),
    ]
    found: list[tuple[str, str | None]] = [
        (path.relative_to(FIXTURES).as_posix(), None) for path in paths
    ]
    found.append(("configs/seed-001-7200.ios", "traffic/seed-001.toml"))
    found.extend(
        (f"configs/composed/wred-{kind}-e1.ios", f"traffic/wred-{kind}.toml")
        for kind in ("balanced", "unbalanced")
    )
    return found


def figures_of(value: Any) -> Any:
    """What an outcome decides, without its sentences."""
    if isinstance(value, dict):
        return {
            key: figures_of(inner)
            for key, inner in value.items()
            if key in FIELDS or isinstance(inner, dict) or holds_records(inner)
        }
    return [figures_of(inner) for inner in value] if isinstance(value, list | tuple) else value


def holds_records(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(inner, dict) for inner in value)


def decided(path: str, traffic: str | None, known: Verdict | None = None) -> list[object]:
    stated = read_traffic(FIXTURES / traffic).stated.traffic if traffic else ()
    settings, inputs = Settings(traffic=stated), Inputs([str(FIXTURES / path)])
    verdict = known or review(inputs, RULES, settings)
    skipped = [(skip.rule, skip.object) for skip in verdict.skipped]
    found: list[object] = [verdict.findings, skipped]
    for reading in read_devices(inputs, settings):
        device = reading.device
        try:
            found.append(predict_device(device, device.name, settings, None, ()))
        except InputError:
            found.append(None)
        found.append(compared(device, settings))
    return [figures_of(msgspec.to_builtins(outcome, enc_hook=str)) for outcome in found]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "traffic", "nonsense"),
    [
        pytest.param(*case, nonsense, id=" with ".join(filter(None, case)))
        for case, nonsense in zip(cases(), cycle(NONSENSE), strict=False)
    ],
)
def test_reworded_sentences_change_no_decision(
    path: str, traffic: str | None, nonsense: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = decided(path, traffic, None if traffic else verdict_of(FIXTURES / path))

    reword(monkeypatch, nonsense)
    assert decided(path, traffic) == before


def test_the_words_are_reworded(monkeypatch: pytest.MonkeyPatch) -> None:
    path = FIXTURES / "configs" / "wan-edge-512k.ios"
    reword(monkeypatch, NONSENSE[0])

    reading = read_source(Source(path.name, path.read_bytes()), Settings())
    cases = formula_cases("ring-bound", Subject(reading, Settings()))

    lines = [line for case in cases for line in case.lines]
    assert lines
    assert all(NONSENSE[0] in line for line in lines)
