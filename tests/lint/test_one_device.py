"""A device is judged by one pure function: here or in another process, alone or among others."""

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import pytest
from msgspec.structs import replace

from advisor.device.index import Index, index_of
from advisor.device.inputs import Inputs
from advisor.device.reading import DeviceInputs, Source
from advisor.device.sources import SourcesInMemory
from advisor.ground.faults import Guard
from advisor.lint.cards import Rule, load_rules
from advisor.lint.plan import RemedySelection, plan_device, plan_run
from advisor.lint.run import DeviceVerdict, lint_device, merge, review
from advisor.settings import Settings
from advisor.settings.file import read_traffic
from tests.support.runs import FIXTURES, branches

STATED = read_traffic(min((FIXTURES / "traffic").glob("*.toml"))).stated.traffic
SETTINGS = Settings(traffic=STATED)
RULES = load_rules(SETTINGS.budgets)
ALL = RemedySelection(tuple(rule.card.id for rule in RULES))
# Bundles, show outputs, pairs of peers and ends of links, and configurations of each folder.
CONFIGS = FIXTURES / "configs"
SOURCES = Inputs(
    [
        *(str(FIXTURES / kind) for kind in ("bundles", "dlsw", "links", "show")),
        *map(str, sorted(CONFIGS.glob("*.ios"))),
        *(
            str(min(folder.glob("*.ios")))
            for folder in sorted(CONFIGS.iterdir())
            if folder.is_dir()
        ),
    ]
)


@cache
def index() -> Index:
    return index_of(SOURCES, SETTINGS)


@cache
def devices() -> tuple[DeviceInputs, ...]:
    return tuple(index().inputs(SOURCES))


@cache
def verdicts() -> tuple[DeviceVerdict, ...]:
    """Verdicts of this process."""
    return tuple(lint_device(inputs, index().fleet, RULES, SETTINGS) for inputs in devices())


@pytest.fixture(scope="module")
def another_process() -> Iterator[Executor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.mark.slow
def test_a_device_of_each_folder_has_the_same_verdict_in_another_process(
    another_process: Executor,
) -> None:
    of_each_folder = {str(Path(each.name).parent): place for place, each in enumerate(devices())}
    assert len(of_each_folder) > 20
    for place in of_each_folder.values():
        inputs = devices()[place]
        there = another_process.submit(lint_device, inputs, index().fleet, RULES, SETTINGS)
        assert verdicts()[place] == there.result(), inputs.name


@pytest.mark.slow
def test_the_remedies_of_a_device_are_planned_the_same_in_another_process(
    another_process: Executor,
) -> None:
    (inputs,) = (each for each in devices() if each.name.endswith("configs/wan-edge-512k.ios"))
    there = another_process.submit(plan_device, inputs, index().fleet, RULES, SETTINGS, ALL)

    here = plan_device(inputs, index().fleet, RULES, SETTINGS, ALL)
    assert here.edited is not None
    assert here.edited.before != here.edited.after
    assert here == there.result()


@pytest.mark.slow
def test_the_verdict_of_a_run_is_the_merge_of_its_devices() -> None:
    assert merge(verdicts(), SETTINGS) == review(SOURCES, RULES, SETTINGS)


@pytest.mark.slow
def test_a_device_says_which_statements_of_the_user_it_answers_to() -> None:
    answered = {statement for verdict in verdicts() for statement in verdict.used}
    unanswered = merge(verdicts(), SETTINGS).skipped
    assert answered
    assert len(answered) + sum(skip.rule == "traffic" for skip in unanswered) == len(set(STATED))


def failing(*_: object) -> Iterator[object]:
    raise ZeroDivisionError


def with_a_rule_that_fails() -> list[Rule]:
    bad = RULES[0]
    card = replace(bad.card, id="BAD001", name="bad-rule")
    return [replace(bad, card=card, bound=replace(bad.check, find=failing)), *RULES]


def test_a_defect_of_a_rule_travels_in_the_verdict() -> None:
    inputs = DeviceInputs(branches(1)[0])
    whole = lint_device(inputs, index().fleet, RULES, Settings())

    verdict = lint_device(inputs, index().fleet, with_a_rule_that_fails(), Settings())

    assert [(fault.subject, fault.rule) for fault in verdict.faults] == [("branch0.ios", "BAD001")]
    assert verdict.findings == whole.findings


def test_without_a_guard_a_defect_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        review(branches(1), with_a_rule_that_fails(), Settings())


@pytest.mark.parametrize(
    "prompt",
    [
        pytest.param(b"r1#", id="whose host is that of the configuration"),
        pytest.param(b"", id="that are of the only configuration of the folder"),
    ],
)
def test_a_configuration_that_cannot_be_read_leaves_its_show_outputs(
    prompt: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = b"CPU utilization for five seconds: 88%/77%; one minute: 88%; five minutes: 88%\n"
    cpu = Source("a/cpu.txt", prompt + b"show processes cpu\n" + rates if prompt else rates)
    config = Source("a/r1.cfg", b"hostname r1\ninterface Serial0\n bandwidth 64\nend\n")

    def unreadable(*_: object) -> object:
        raise ValueError

    monkeypatch.setattr("advisor.device.reading.parse_config", unreadable)
    guard = Guard()
    verdict = review([config, cpu], RULES, Settings(), guard)

    assert [fault.subject for fault in guard.faults] == ["a/r1.cfg"]
    assert [covered.file for covered in verdict.coverage] == ["a/cpu.txt"]


class Counted:
    """Inputs that count how often one is read again."""

    def __init__(self, sources: tuple[Source, ...]) -> None:
        self.kept = SourcesInMemory(sources)
        self.loads = 0

    def __iter__(self) -> Iterator[Source]:
        return iter(self.kept)

    def load(self, place: int) -> Source | None:
        self.loads += 1
        return self.kept.load(place)


def test_one_device_is_held_at_a_time() -> None:
    sources = Counted(
        tuple(Source(each.name, each.payload.replace(b"dlsw", b"! ")) for each in branches(9))
    )
    ahead: list[int] = []

    review(
        sources, RULES, Settings(), on_progress=lambda done, _: ahead.append(sources.loads - done)
    )

    assert ahead == [0] * 9


def test_a_finding_on_a_show_output_of_a_bundle_is_in_the_plan_of_its_device() -> None:
    bundle = Inputs([str(FIXTURES / "bundles" / "head1-incomplete")])

    plan = plan_run(bundle, RULES, Settings(), ALL)

    (device,) = plan.devices
    cured = [finding for step in device.steps for finding in step.cures]
    assert [finding.rule for finding in device.by_hand].count("DLS008") == 4
    assert len(cured) + len(device.by_hand) == len(plan.verdict.findings)


def test_every_finding_of_a_bundle_is_in_the_one_plan_of_its_device() -> None:
    bundle = Inputs([str(FIXTURES / "bundles" / "wan-edge-demo")])

    plan = plan_run(bundle, RULES, Settings(), ALL)

    (device,) = plan.devices
    cured = [finding for step in device.steps for finding in step.cures]
    known = [(finding.rule, finding.object) for finding in (*cured, *device.by_hand)]
    assert sorted(known) == sorted(
        (finding.rule, finding.object) for finding in plan.verdict.findings
    )
