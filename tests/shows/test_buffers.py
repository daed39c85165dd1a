"""`show buffers`, `show mls qos interface statistics` and the control processors of IOS XE."""

from pathlib import Path
from typing import Any

import pytest

from advisor.capture.transcript import transcript
from advisor.shows.buffers import (
    BufferPool,
    MarkedPackets,
    PortQueue,
    SwitchPort,
    read_buffer_pools,
    read_switch_ports,
)
from advisor.shows.cpu import read_control_processors

SHOW = Path(__file__).parents[2] / "fixtures/show"


def shown(name: str) -> str:
    return transcript((SHOW / f"{name}.txt").read_text())


def pool(name: str) -> BufferPool:
    pools = read_buffer_pools(shown("buffers/12.4-pools"), "f").records
    return next(pool for pool in pools if pool.name == name)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        pytest.param("Small", "peak", 97, id="the most buffers that a pool had"),
        pytest.param("Middle", "misses", 410, id="packets that found a pool empty"),
        pytest.param("Middle", "failures", 188, id="packets that got no buffer"),
        pytest.param("Small", "no_memory", 2, id="failures for want of memory"),
        pytest.param("Serial0/0", "fallbacks", 31, id="packets of an interface in public buffers"),
        pytest.param("Serial0/0", "failures", None, id="a pool that counts no failures"),
        pytest.param("Header", "cache_size", 256, id="the cache of a pool"),
    ],
)
def test_a_pool_has_its_counters(name: str, field: str, value: int | None) -> None:
    assert getattr(pool(name), field) == value


def port() -> SwitchPort:
    (port,) = read_switch_ports(shown("mls_qos_interface/12.2SE-statistics"), "f").records
    return port


@pytest.mark.parametrize(
    ("found", "value"),
    [
        (lambda: port().queues[5], PortQueue(1, "dropped", (4021, 7, 0))),
        (lambda: port().dropped_packets, 4028),
        (lambda: port().marked[1], MarkedPackets("dscp", "incoming", 46, 81022)),
        (lambda: port().out_of_profile, 12),
    ],
    ids=["a queue by its thresholds", "all drops", "a value by its code", "the policer"],
)
def test_a_port_of_a_switch_has_its_counters(found: Any, value: object) -> None:
    assert found() == value


def test_a_core_has_its_load_and_its_slot() -> None:
    rows = read_control_processors(
        shown("platform_software_status_control_processor_brief/xe-16"), "f"
    ).records
    assert [(row.slot, row.core, row.idle_percent) for row in rows[-2:]] == [
        ("RP0", 0, 94.0),
        ("RP0", 1, 2.0),
    ]
