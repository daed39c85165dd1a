"""`[[traffic]]` says how packets arrive, and docs/traffic.md shows each of its keys."""

import re
from pathlib import Path

import pytest

from advisor.predict.what_if.path_hops import read_path
from advisor.report.settings_text import render
from advisor.settings import (
    Pattern,
    SettingsError,
    StatedBacklog,
    StatedBursts,
    StatedJitter,
    StatedOnOff,
    Traffic,
)
from advisor.settings.file import load_settings, read_traffic, settings_of_text
from advisor.settings.traffic_keys import ARRIVALS, TrafficTable

DOCS = (Path(__file__).parents[1] / "docs/traffic.md").read_text("utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", DOCS, re.DOTALL)
KEYS = [
    "class" if name == "class_name" else name for name in TrafficTable.__struct_fields__
]  # fmt: skip
SIZED = "packet_bytes = 100\npackets_per_second = 20\n"
BURSTS = 'arrivals = "bursts"\nburst_packets = 4\n'


def stated(text: str) -> tuple[Traffic, ...]:
    return settings_of_text(f'[[traffic]]\nclass = "V"\n{text}').traffic


@pytest.mark.parametrize("text", [text for text in EXAMPLES if "[[hop]]" not in text])
def test_an_example_of_the_docs_is_read(text: str) -> None:
    settings = settings_of_text(text)

    assert len(settings.traffic) + len(settings.transactions) == text.count("[[traffic]]")


@pytest.mark.parametrize("text", [text for text in EXAMPLES if "[[hop]]" in text])
def test_an_example_of_a_path_is_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "path.toml").write_text(text, encoding="utf-8")

    assert read_path(tmp_path / "path.toml").jitter_buffer_ms == 40


@pytest.mark.parametrize("key", KEYS)
def test_each_key_stands_in_the_docs(key: str) -> None:
    assert f"`{key}`" in DOCS


@pytest.mark.parametrize("arrivals", ARRIVALS)
def test_each_kind_of_arrivals_stands_in_the_docs(arrivals: str) -> None:
    assert f'| `"{arrivals}"` |' in DOCS


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        pytest.param(f"{SIZED}{BURSTS}", StatedBursts(4, 0.0), id="bursts at once"),
        pytest.param(
            f"{SIZED}{BURSTS}burst_spacing_ms = 1.5", StatedBursts(4, 1.5), id="bursts with gaps"
        ),
        pytest.param(
            f'{SIZED}arrivals = "on-off"\non_ms = 1000\noff_ms = 3000',
            StatedOnOff(1000, 3000),
            id="talk spurts",
        ),
        pytest.param(
            f'{SIZED}arrivals = "periodic"\njitter_ms = 5', StatedJitter(5), id="late packets"
        ),
        pytest.param("calls = 1\ncodec = 'G.729'\njitter_ms = 5", StatedJitter(5), id="late calls"),
        pytest.param(
            'packet_bytes = 100\narrivals = "saturated"\nbacklog_packets = 9',
            StatedBacklog(9),
            id="packets that always wait",
        ),
        pytest.param(SIZED, None, id="nothing more"),
    ],
)
def test_pattern(text: str, pattern: Pattern | None) -> None:
    (said,) = stated(text)

    assert said.pattern == pattern


def test_the_rate_of_talk_spurts_is_that_while_talking() -> None:
    (said,) = stated("calls = 2\ncodec = 'G.729'\narrivals = 'on-off'\non_ms = 1000\noff_ms = 3000")

    assert (said.streams, said.packets_per_second) == (2, 25)


def test_a_range_of_sizes_has_its_mean_and_its_ends() -> None:
    (said,) = stated("packet_bytes = { min = 64, max = 1500 }\npackets_per_second = 5")
    sizes = [size.ip_bytes for size in said.sizes]

    assert (min(sizes), max(sizes)) == (64, 1500)
    assert sum(size.ip_bytes * size.share for size in said.sizes) == pytest.approx(782, rel=1e-3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            f'{SIZED}arrivals = "bursts"\n',
            'settings:5: [[traffic]] arrivals = "bursts" needs burst_packets',
            id="bursts of unknown length",
        ),
        pytest.param(
            f'{SIZED}arrivals = "on-off"\non_ms = 4\n',
            'settings:5: [[traffic]] arrivals = "on-off" needs off_ms',
            id="talk spurts without silence",
        ),
        pytest.param(
            f"{SIZED}burst_packets = 4\n",
            'settings:5: [[traffic]] burst_packets goes with arrivals = "bursts"; the arrivals '
            'here are "poisson"',
            id="a key of other arrivals",
        ),
        pytest.param(
            f"{SIZED}burst_packet = 4\n",
            "settings:5: [[traffic]] unknown key burst_packet; did you mean burst_packets?",
            id="a misspelt key",
        ),
        pytest.param(
            f'{SIZED}arrivals = "burst"\n',
            "settings:5: [[traffic]] arrivals: unknown 'burst'; did you mean bursts?",
            id="misspelt arrivals",
        ),
        pytest.param(
            "calls = 1\ncodec = 'G.729'\narrivals = 'bursts'\nburst_packets = 2\n",
            'settings:5: [[traffic]] calls send no bursts: write arrivals = "periodic" or "on-off"',
            id="calls in bursts",
        ),
        pytest.param(
            "tcp_flows = 2\njitter_ms = 5\n",
            "settings:4: [[traffic]] tcp_flows send what the network lets them: drop jitter_ms",
            id="TCP with a pattern",
        ),
        pytest.param(
            "packet_bytes = { min = 900, max = 64 }\n",
            "settings:3: [[traffic]] packet_bytes: min 900 is above max 64",
            id="a range from its end",
        ),
    ],
)
def test_what_is_wrong_is_said_with_line_and_key(text: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        stated(text)

    assert str(caught.value) == said


@pytest.mark.parametrize("text", [text for text in EXAMPLES if "class =" in text])
def test_settings_in_force_can_be_read_again(text: str, tmp_path: Path) -> None:
    (tmp_path / "advisor.toml").write_text(text, encoding="utf-8")
    first = load_settings(tmp_path)
    tables = "[[traffic]]" + render(first).partition("[[traffic]]")[2]
    (tmp_path / "again.toml").write_text(tables, encoding="utf-8")
    again = read_traffic(tmp_path / "again.toml").stated.traffic

    def of(traffic: Traffic) -> tuple[object, ...]:
        rate = traffic.packets_per_second
        rounded = None if rate is None else round(rate, 9)
        return (traffic.class_name, rounded, traffic.streams, traffic.arrivals, traffic.pattern)

    assert [of(said) for said in again] == [of(said) for said in first.traffic]
