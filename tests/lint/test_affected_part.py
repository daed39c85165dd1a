"""A remedy that is proven on the part of a device which it affects is proven as on the device."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings

from advisor.device.reading import Source, read_source
from advisor.lint import affected_part, alike_interfaces
from advisor.lint.run import DeviceVerdict, judged
from tests.lint.test_alike_interfaces import (
    CHANNELS,
    CONFIGS,
    EXAMPLES,
    PRINTED,
    RULES,
    SETTINGS,
)
from tests.support.drawn_hubs import hubs
from tests.support.hubs import hub_of

pytestmark = pytest.mark.slow
COPIES = 4  # of each interface: enough of them share what they use, and a part is smaller


def told(verdict: DeviceVerdict) -> Counter[bytes]:
    return Counter(map(msgspec.json.encode, (*verdict.findings, *verdict.skipped)))


def assert_proven_alike(text: str, patched: pytest.MonkeyPatch) -> None:
    reading = read_source(Source("hub.ios", text.encode()), SETTINGS)
    with patched.context() as patch:
        patch.setattr(alike_interfaces, "judged_by_alike", lambda *_: None)
        patch.setattr(affected_part, "_LEAST_UNITS", 3)
        by_parts = judged(reading, RULES, SETTINGS, is_guarded=False)
        patch.setattr(affected_part, "_LEAST_UNITS", 10**9)
        again = read_source(Source("hub.ios", text.encode()), SETTINGS)
        whole = judged(again, RULES, SETTINGS, is_guarded=False)

    assert told(by_parts) == told(whole)


@pytest.mark.parametrize("text", [*EXAMPLES, *CONFIGS][::5])
def test_a_remedy_is_proven_on_its_part_as_on_the_device(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = hub_of(text, COPIES)
    if hub is not None:  # else it has no interface, or shares all with others
        assert_proven_alike(hub, monkeypatch)


@settings(max_examples=20, deadline=None)
@given(hubs())
def test_a_remedy_of_a_drawn_hub_is_proven_on_its_part_as_on_the_device(text: str) -> None:
    assert_proven_alike(text, pytest.MonkeyPatch())


def test_a_remedy_of_a_capture_without_its_end_is_proven_on_its_part_as_on_the_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert_proven_alike(f"{PRINTED}{CHANNELS}interface Serial2/0\n bandwidth 7", monkeypatch)
