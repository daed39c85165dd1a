"""Figures beside the text: those of `predict`, `explain` and `lint`, at the lines that make them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from advisor import api
from advisor.api import editor
from advisor.ground.quantity import figure, number
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.report.predictions import mean_words

EDGE = Path("fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
CIRCUITS = Path("fixtures/configs/production/2611xm-frame-relay-branch.ios").read_text("utf-8")
FORCE = editor.settings_at("")


HUB = EDGE.removesuffix("end\n") + "".join(
    f"interface Serial1/{port}\n bandwidth 512\n encapsulation ppp\n service-policy output WAN-EDGE\n"
    for port in range(8)
)


def hover(text: str, line: str) -> str:
    """What is shown at the first line of a text that is this one."""
    opened = editor.open_text("r1.ios", text, FORCE)
    shown = editor.hover(opened, [row.strip() for row in opened.rows].index(line))
    return "" if shown is None else shown


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        pytest.param("tx-ring-limit 10", "(10 + 1) * 23.562 = 259.2 ms", id="the bound of a ring"),
        pytest.param("tx-ring-limit 10", "w + c + s = ", id="the mean behind a ring"),
        pytest.param("priority 128", "128000 * 0.2 / 8 = 3200 bytes", id="the burst of an LLQ"),
        pytest.param("bandwidth 512", "8 * 1508 / 512000 = 23.56 ms", id="the rate of a line"),
        pytest.param("bandwidth 16", "SIGNALING: delay unknown", id="a class without traffic"),
        pytest.param("class VOICE", "recursion of the full ring", id="the method of a class"),
        pytest.param("class-map match-any VOICE", "#### interface Serial0/0/0", id="a class-map"),
        pytest.param("policy-map WAN-EDGE", "| VOICE |", id="a policy-map"),
        pytest.param("service-policy output WAN-EDGE", "| VOICE |", id="an attachment"),
    ],
)
def test_a_hover_shows(line: str, shown: str) -> None:
    assert shown in hover(EDGE, line)


@pytest.mark.parametrize(
    "line", ["ip cef", "description LAN with phones", "class-map match-any FROM-PHONES", "!", "end"]
)
def test_a_line_without_a_part_in_a_figure_shows_none(line: str) -> None:
    assert hover(EDGE, line) == ""


def test_a_fragment_of_a_circuit_shows_its_size_and_its_time() -> None:
    shown = hover(CIRCUITS, "frame-relay fragment 320")
    assert "fragment-size: Fragment that takes a given time" in shown
    assert "#### interface Serial0/0.101" in shown


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(mean_words, id="the mean of predict"),
        pytest.param(lambda item: figure(item.congested.mean), id="the figure that lint judges"),
        pytest.param(lambda item: f"{number(item.bound_ms)} ms", id="the worst case"),
        pytest.param(lambda item: item.method, id="the method"),
    ],
)
def test_a_hover_has_the_words_of_predict(words: Callable[[ClassPrediction], str]) -> None:
    predicted = api.predict(api.of_texts({"r1.ios": EDGE}))
    voice = next(item for item in predicted if item.class_name == "VOICE")
    assert isinstance(voice, ClassPrediction)
    assert words(voice) in hover(EDGE, "tx-ring-limit 10")


def test_a_delay_stands_behind_each_output_of_a_range() -> None:
    opened = editor.open_text("r1.ios", EDGE, FORCE)
    row = opened.rows.index(" service-policy output WAN-EDGE\n")
    ring = next(item for item in opened.findings if item.rule == "TXR001")
    assert ring.prediction is not None
    assert list(editor.delays(opened, 0, row)) == [(row, f"VOICE {figure(ring.prediction.before)}")]
    assert list(editor.delays(opened, 0, row - 1)) == []


def test_of_a_shared_policy_three_outputs_are_shown_and_the_others_counted() -> None:
    shown = hover(HUB, "policy-map WAN-EDGE")
    assert shown.count("#### interface") == 3
    assert "and 6 outputs more that it is about" in shown
