"""Plots are well-formed XML with what was asked in them."""

from xml.etree import ElementTree as ET

import pytest

from advisor.report.svg import PlotAxis, PlotMark, Series, plot


def test_a_plot_is_xml_with_a_name_and_a_mark_for_each_point() -> None:
    series = Series("a & b", (PlotMark(1, 2, 1, 3, "<one>"), PlotMark(4, 5)), joined=True)
    root = ET.fromstring(plot("x < y", PlotAxis("across", 0, 10), PlotAxis("up", 0, 10), [series]))  # noqa: S314
    assert root.get("aria-label") == "x < y"
    assert len(root.findall("{http://www.w3.org/2000/svg}circle")) == 3  # one is the legend's


@pytest.mark.parametrize(
    ("axis", "words"),
    [
        pytest.param(
            PlotAxis("", 0, 300), ["0", "50", "100", "150", "200", "250", "300"], id="linear"
        ),
        pytest.param(PlotAxis("", 1, 4), ["1", "1.5", "2", "2.5", "3", "3.5", "4"], id="short"),
        pytest.param(PlotAxis("", 1, 4, is_whole=True), ["1", "2", "3", "4"], id="whole numbers"),
        pytest.param(PlotAxis("", 1, 3000, logarithmic=True), ["1", "10", "100", "1000"], id="log"),
        pytest.param(PlotAxis("", 0, 1, ticks=((0.5, "half"),)), ["half"], id="words of its own"),
    ],
)
def test_an_axis_has_round_ticks(axis: PlotAxis, words: list[str]) -> None:
    assert [word for _, word in axis.marked()] == words
