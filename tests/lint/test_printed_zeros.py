"""What a router or a config prints as 0, or far too large, is judged or left out: never divided by.

One line after the other has its numbers replaced; everything that reads, judges and predicts runs.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.predict.what_if import InputError
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import Settings

pytestmark = pytest.mark.slow
FIXTURES = Path(__file__).parents[2] / "fixtures"
SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)
NUMBER = re.compile(r"\d+")


SHOWN = sorted(str(each.relative_to(FIXTURES)) for each in FIXTURES.glob("show/*/*.txt"))


ZERO, HUGE = "0", "99999999999999999999"


def with_numbers_replaced(text: str, number: str) -> set[bytes]:
    """The text with all numbers of one line, then for 0 of every other one and of its neighbours.

    So any two neighbours are 0 together.
    """
    return {*_with_numbers_replaced(text, number)} - {text.encode()}


def _with_numbers_replaced(text: str, number: str) -> Iterator[bytes]:
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if NUMBER.search(line):
            for reach in (0, 1) if number == ZERO and place % 2 else (0,):
                around = slice(max(place - reach, 0), place + reach + 1)
                replaced = [NUMBER.sub(number, each) for each in lines[around]]
                yield "\n".join([*lines[: around.start], *replaced, *lines[around.stop :]]).encode()


def with_a_number_replaced(text: str, number: str) -> Iterator[bytes]:
    """The text with one number after the other replaced."""
    for found in NUMBER.finditer(text):
        yield f"{text[: found.start()]}{number}{text[found.end() :]}".encode()


@pytest.mark.parametrize("number", [ZERO, HUGE])
@pytest.mark.parametrize("name", SHOWN)
def test_no_rule_divides_by_what_is_printed(name: str, number: str) -> None:
    for payload in with_numbers_replaced((FIXTURES / name).read_text("utf-8"), number):
        verdict = review([Source("r1.txt", payload)], RULES, SETTINGS)
        assert {file.file for file in verdict.coverage} == {"r1.txt"}  # a prompt has a number


@pytest.mark.parametrize("number", [ZERO, HUGE])
@pytest.mark.parametrize("name", ["configs/seed-002-router.ios", "configs/seed-004-dlsw.ios"])
def test_no_rule_divides_by_what_is_configured(name: str, number: str) -> None:
    for payload in with_a_number_replaced((FIXTURES / name).read_text("utf-8"), number):
        verdict = review([Source("r1.txt", payload)], RULES, SETTINGS)
        assert [file.file for file in verdict.coverage] == ["r1.txt"]


def test_no_prediction_indexes_by_what_is_printed() -> None:
    text = (FIXTURES / "show/sessions/12.2-atm-ring.txt").read_text("utf-8")
    for payload in with_numbers_replaced(text, "0"):
        reading, *_ = read_devices([Source("r1.txt", payload)], SETTINGS)
        with suppress(InputError):
            predict_device(reading.device, "r1.txt", SETTINGS, None, ())
        assert reading.coverage[0].file == "r1.txt"
