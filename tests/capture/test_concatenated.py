"""Configurations one behind the other are read as each of them by itself."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.device.index import read_devices
from advisor.device.inspection import inspect_device
from advisor.device.reading import Source
from advisor.settings import Settings
from tests.capture.test_sessions import said
from tests.support.runs import FIXTURES


def understood(text: str) -> dict[str, object]:
    """Facts of each device of a text."""
    readings = read_devices([Source("all.ios", text.encode())], Settings())
    return {
        reading.device.name: dict(said(inspect_device(reading, ())))["facts"]  # type: ignore[call-overload]
        for reading in readings
    }


def _configs() -> dict[str, str]:
    """Configurations of the fixtures that name their device, one of each name."""
    texts: dict[str, str] = {}
    for path in sorted((FIXTURES / "configs").rglob("*.ios")):
        text = path.read_bytes().decode("utf-8", "replace")
        for reading in read_devices([Source(path.name, text.encode())], Settings()):
            if reading.device.is_ios and reading.device.facts.hostname is not None:
                texts.setdefault(reading.device.name, text.rstrip("\n") + "\n")
    return texts


CONFIGS = _configs()


@cache
def alone() -> dict[str, object]:
    return {name: understood(text)[name] for name, text in CONFIGS.items()}


@pytest.mark.parametrize(
    "names", [list(CONFIGS), list(reversed(CONFIGS))], ids=["a to z", "z to a"]
)
def test_all_fixtures_in_one_file(names: list[str]) -> None:
    assert understood("".join(CONFIGS[name] for name in names)) == alone()


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [*pairwise([*CONFIGS, next(iter(CONFIGS))])])
def test_pair_of_fixtures_with_line_ends_of_a_terminal(first: str, second: str) -> None:
    text = (CONFIGS[first] + CONFIGS[second]).replace("\r\n", "\n").replace("\n", "\r\n")

    assert understood(text) == {first: alone()[first], second: alone()[second]}


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=40)
@given(st.permutations(list(CONFIGS)), st.integers(2, 6))
def test_configurations_in_any_order(names: list[str], count: int) -> None:
    some = names[:count]

    assert understood("".join(CONFIGS[name] for name in some)) == {
        name: alone()[name] for name in some
    }
