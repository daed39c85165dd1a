"""Reading takes time linear in the input: every expression, every kind of line, every reader."""

import importlib.util
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest

from advisor.device.reading import Source, read_source
from advisor.predict.size import loads_by_host, read_traffic_table
from advisor.settings import Settings
from advisor.settings.document import document_of
from advisor.settings.traffic import TrafficFile, traffic_of

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
# A line of so many characters, where its cost is their square, takes far longer than the least
# time that counts, on a fast machine too.
LONGEST = 8192  # for one expression
LONGEST_READ = 16384  # of a line in a text, whose other lines cost something too
SHARE = 101  # of the texts that the benchmark makes of the fixtures, each 101st


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


PATTERNS, READERS = benchmark("doubling_patterns"), benchmark("doubling_readers")
# The expressions that take secrets out of a text have tests of their own.
ELSEWHERE = ()


@pytest.mark.slow
@pytest.mark.parametrize("package", PATTERNS.READERS)
def test_an_expression_takes_time_linear_in_the_line(package: str) -> None:
    uses = [use for use in PATTERNS.uses((package,)) if not use.place.startswith(ELSEWHERE)]
    slow = [str(found) for use in uses for found in islice(PATTERNS.slow(use, LONGEST), 1)]

    assert slow == []


@pytest.mark.parametrize(
    ("pattern", "is_slow"),
    [
        pytest.param(r"a\s*:?\s*b", True, id="two repeats share a run"),
        pytest.param(r"a\s*+:?\s*+b", False, id="a run is taken whole"),
        pytest.param(r"[A-Z][\w-]*\d\S*:", True, id="a repeat holds what ends it"),
    ],
)
def test_the_measure_tells_a_line_that_costs_more_than_its_length(
    pattern: str, is_slow: bool
) -> None:
    use = PATTERNS.Use("example", PATTERNS.re.compile(pattern), "match")

    assert any(PATTERNS.slow(use, LONGEST)) is is_slow


@pytest.mark.slow
def test_a_text_takes_time_linear_in_its_longest_line_and_in_its_lines() -> None:
    texts = islice(READERS.texts(), 0, None, SHARE)
    slow = [
        str(found) for text in texts if (found := READERS.growth(text, LONGEST_READ)) is not None
    ]

    assert slow == []


def sites(count: int) -> str:
    rows = (f"site{n},1,100,100,1000,hub{n}\n" for n in range(count))
    return "site,tps,out_bytes,in_bytes,ru,host\n" + "".join(rows)


def tables(count: int) -> str:
    return "".join(
        f'[[traffic]]\nclass = "C{n}"\ncalls = 1\ncodec = "g729"\n' for n in range(count)
    )


def sections(count: int) -> str:
    return "".join(f"r1#show arp {n}\n% Invalid input detected\n" for n in range(count))


def read_sites(text: str) -> object:
    return loads_by_host(read_traffic_table(text, "sites.csv"), "sites.csv")


def read_tables(text: str) -> object:
    document = document_of(text, "advisor.toml")
    return traffic_of(document, document.convert(document.table, TrafficFile).traffic)


def read_sections(text: str) -> object:
    return read_source(Source("r1.txt", text.encode()), Settings())


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param(sites, read_sites, id="sites, each with a host of its own"),
        pytest.param(tables, read_tables, id="tables of traffic"),
        pytest.param(sections, read_sections, id="refused commands, each at its prompt"),
    ],
)
def test_a_file_takes_time_linear_in_its_entries(
    text: Callable[[int], str], read: Callable[[str], object]
) -> None:
    assert READERS.growth(READERS.Text("a file", "entries", text, read), 2048) is None


def test_the_fixtures_are_read_whole_so_that_their_lines_reach_the_readers() -> None:
    shows = [fixture for fixture in READERS.fixtures() if fixture.family != "configs"]
    taken = [(fixture.place, fixture.read(fixture.text).taken) for fixture in shows]

    assert [where for where, many in taken if not many or not any(t.understood for t in many)] == []
