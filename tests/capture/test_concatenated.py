"""Configurations one behind the other are read as each of them by itself."""

from collections.abc import Callable, Iterable
from functools import cache

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


@cache
def configs() -> dict[str, str]:
    """Configurations of the fixtures that name their device, one of each name."""
    texts: dict[str, str] = {}
    for path in sorted((FIXTURES / "configs").rglob("*.ios")):
        text = path.read_bytes().decode("utf-8", "replace")
        for reading in read_devices([Source(path.name, text.encode())], Settings()):
            if reading.device.is_ios and reading.device.facts.hostname is not None:
                texts.setdefault(reading.device.name, text.rstrip("\n") + "\n")
    return texts


@cache
def alone() -> dict[str, object]:
    return {name: understood(text)[name] for name, text in configs().items()}


@pytest.mark.parametrize(
    ("order", "line_end"),
    [
        pytest.param(list, "\n", id="a to z"),
        pytest.param(reversed, "\n", id="z to a"),
        pytest.param(list, "\r\n", id="with line ends of a terminal"),
    ],
)
def test_all_fixtures_in_one_file(
    order: Callable[[dict[str, str]], Iterable[str]], line_end: str
) -> None:
    text = "".join(configs()[name] for name in order(configs())).replace("\r\n", "\n")

    assert understood(text.replace("\n", line_end)) == alone()


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=40)
@given(st.deferred(lambda: st.permutations(list(configs()))), st.integers(2, 6))
def test_configurations_in_any_order(names: list[str], count: int) -> None:
    some = names[:count]

    assert understood("".join(configs()[name] for name in some)) == {
        name: alone()[name] for name in some
    }
