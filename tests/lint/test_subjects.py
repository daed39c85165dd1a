"""A check that is not imported for a device would have found nothing: no hit, and no skip."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.device.device import Device
from advisor.device.index import index_of, read_devices
from advisor.device.inputs import Inputs
from advisor.device.reading import Source, read_source
from advisor.device.sources import SourcesInMemory
from advisor.ground.faults import Guard
from advisor.lint.cards import Rule, load_rules
from advisor.lint.judge import may_find
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read

pytestmark = pytest.mark.slow

FIXTURES = Path(__file__).parents[2] / "fixtures"
RULES = load_rules(Settings().budgets)
PLAIN = """\
version 15.1
hostname PLAIN
interface GigabitEthernet0/0
 ip address 10.0.0.1 255.255.255.0
interface Serial0/0
 bandwidth 512
 ip address 10.0.1.1 255.255.255.252
 ip access-group 10 in
router ospf 1
 network 10.0.0.0 0.0.255.255 area 0
access-list 10 permit 10.0.0.0 0.255.255.255
end
"""


def left_out(device: Device) -> Iterator[Rule]:
    judging = may_find(device, RULES)
    return (rule for rule in RULES if rule not in judging)


def found_by_those_left_out(device: Device) -> set[str]:
    return {rule.card.id for rule in left_out(device) if [*rule.check.find(device, rule.params)]}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.card.id)
def test_nothing_is_missed_of_an_example(rule: Rule) -> None:
    for example in rule.card.example:
        stated = settings_of_text(example.settings) if example.settings else Settings()
        beside = [source(f"beside {place}", text) for place, text in enumerate(example.beside)]
        for text in filter(None, (example.bad, example.good)):
            own = source("example", text)
            index = index_of(SourcesInMemory((own, *beside)), stated)
            for each in (own, *beside):
                device = read_source(each, stated, index.fleet).device
                assert found_by_those_left_out(device) == set()


def source(name: str, text: str) -> Source:
    return Source(name, text.lstrip("\n").encode())


@pytest.mark.parametrize("folder", ["bundles", "configs", "dlsw", "show"])
def test_nothing_is_missed_of_a_fixture(folder: str) -> None:
    devices = [
        each.device for each in read_devices(Inputs([str(FIXTURES / folder)]), Settings(), Guard())
    ]

    assert devices
    for device in devices:
        assert found_by_those_left_out(device) == set()


def test_a_router_without_queueing_needs_few_families() -> None:
    needed = [rule for rule in RULES if rule not in [*left_out(device_read(PLAIN))]]

    assert {rule.file.partition("/")[0] for rule in needed} == {"prs", "ref"}


def test_an_output_of_a_router_brings_all_that_may_judge_it() -> None:
    shown = "PLAIN#show interfaces Serial0/0\nSerial0/0 is up, line protocol is up\n"
    device = device_read(PLAIN + shown)

    assert "llq" not in {rule.file.partition("/")[0] for rule in left_out(device)}
