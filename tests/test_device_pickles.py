"""A device travels to another process: what is made of it once is not part of it."""

import pickle
from pathlib import Path

import pytest
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.reading import Source, read_source
from advisor.lint.cards import load_rules
from advisor.lint.judge import judge
from advisor.outlet.outlets import outlets
from advisor.settings import Settings

FIXTURES = Path(__file__).parents[1] / "fixtures"
RULES = load_rules(Settings().budgets)


PATHS = sorted((FIXTURES / "configs").rglob("*.ios")) + sorted((FIXTURES / "bundles").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(each, id=each.name) for each in PATHS])
def test_a_device_that_was_pickled_gives_the_same_findings(path: Path) -> None:
    for reading in read_devices(Inputs([str(path)]), Settings()):
        here = judge(reading.device, RULES)

        there = judge(pickle.loads(pickle.dumps(reading.device)), RULES)  # noqa: S301 -- our own bytes

        assert there.skipped == here.skipped
        assert [(rule.card.id, hit) for rule, hit in there.pairs] == [
            (rule.card.id, hit) for rule, hit in here.pairs
        ]


def edge() -> Device:
    path = FIXTURES / "configs" / "wan-edge-512k.ios"
    return read_source(Source(path.name, path.read_bytes()), Settings()).device


def test_outlets_are_made_once_for_a_device() -> None:
    device = edge()

    assert outlets(device) is outlets(device)


def test_an_edited_copy_of_a_device_has_outlets_of_its_own() -> None:
    device = edge()
    before = outlets(device)

    assert outlets(replace(device, name="copy")) is not before


def test_outlets_do_not_travel_with_a_device() -> None:
    device = edge()
    bytes_before = pickle.dumps(device)
    outlets(device)

    assert len(pickle.dumps(device)) <= len(bytes_before)
