"""A session that hops over routers says of each what its own clean log says."""

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.device.index import read_devices
from advisor.device.inspection import Leaf, Many, Node, Record, inspect_device
from advisor.device.reading import Reading, Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import Budgets, Settings
from tests.support.session_logs import (
    MESSAGES,
    PAGERS,
    STAMPS,
    Block,
    Noise,
    clean,
    log_of,
    routers,
)

ROUTERS = routers()
BLOCKS = tuple(block for blocks in ROUTERS for block in blocks)
SEPARATE = tuple(
    Source(f"{blocks[0].host}.log", clean(blocks).encode(), None) for blocks in ROUTERS
)


def said(node: Node) -> object:
    """The values of a tree of what was understood, without the lines that state them."""
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Many):
        return [said(item) for item in node.items]
    return {name: said(value) for name, value in node.members if not name.endswith("_at")}


def understood(sources: Sequence[Source]) -> dict[str, object]:
    """What is said of each device: facts, observations, and which outputs were understood."""
    return {
        reading.device.name: understood_of(reading) for reading in read_devices(sources, Settings())
    }


def understood_of(reading: Reading) -> object:
    record = inspect_device(reading, ())
    coverage = next(node for name, node in record.members if name == "coverage")
    assert isinstance(coverage, Record)
    outputs = next(node for name, node in coverage.members if name == "outputs")
    kept = {name: said(node) for name, node in record.members if name != "coverage"}
    commands = [(output["command"], output["understood"]) for output in said(outputs)]  # type: ignore[attr-defined]
    return kept | {"outputs": commands}


def findings(sources: Sequence[Source]) -> set[tuple[str, str, str, str]]:
    verdict = review(sources, load_rules(Budgets()), Settings())
    return {
        (finding.device, finding.rule, finding.object, str(finding.severity))
        for finding in verdict.findings
    }


@cache
def understood_alone() -> dict[str, object]:
    return understood(SEPARATE)


@cache
def findings_alone() -> set[tuple[str, str, str, str]]:
    return findings(SEPARATE)


ALL = Noise(
    stamp=STAMPS[0],
    pager=PAGERS[0],
    pager_lines=5,
    messages=MESSAGES,
    message_lines=2,
    is_wrapped=True,
    line_end="\r\n",
)


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(Noise(), id="hops alone"),
        pytest.param(Noise(line_end="\r\n"), id="line ends of a terminal"),
        *(pytest.param(Noise(stamp=stamp), id=f"stamp {stamp}on each line") for stamp in STAMPS),
        *(
            pytest.param(Noise(stamp=stamp, is_each_line_stamped=False), id=f"{stamp}on prompts")
            for stamp in STAMPS
        ),
        *(pytest.param(Noise(pager=pager), id=f"pager {pager!r}") for pager in PAGERS),
        *(pytest.param(Noise(messages=(text,)), id=f"message {text[:24]}") for text in MESSAGES),
        pytest.param(Noise(messages=MESSAGES, message_lines=1), id="a message ahead of each line"),
        pytest.param(Noise(is_wrapped=True), id="wrapped at 80 columns"),
        pytest.param(ALL, id="all at once"),
    ],
)
def test_session_of_five_routers_is_read_as_their_own_logs(noise: Noise) -> None:
    sources = [Source("session.log", log_of(BLOCKS, noise).encode())]

    assert understood(sources) == understood_alone()


def test_session_of_five_routers_has_the_findings_of_each() -> None:
    assert findings([Source("session.log", log_of(BLOCKS, ALL).encode())]) == findings_alone()


def in_turns(order: Sequence[int]) -> tuple[Block, ...]:
    """The commands of each router in their order, the routers in any."""
    waiting = [list(blocks) for blocks in ROUTERS]
    typed = [waiting[router].pop(0) for router in order if waiting[router]]
    return (*typed, *(block for blocks in waiting for block in blocks))


NOISES = st.builds(
    Noise,
    stamp=st.sampled_from(("", *STAMPS)),
    is_each_line_stamped=st.booleans(),
    pager=st.sampled_from(("", *PAGERS)),
    pager_lines=st.integers(1, 30),
    messages=st.lists(st.sampled_from(MESSAGES), max_size=3).map(tuple),
    message_lines=st.integers(1, 9),
    is_wrapped=st.booleans(),
    line_end=st.sampled_from(("\n", "\r\n")),
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(NOISES, st.lists(st.integers(0, len(ROUTERS) - 1), max_size=25))
def test_session_that_hops_in_any_order_is_read_as_the_logs_of_each(
    noise: Noise, order: list[int]
) -> None:
    sources = [Source("session.log", log_of(in_turns(order), noise).encode())]

    assert understood(sources) == understood_alone()
    assert findings(sources) == findings_alone()
