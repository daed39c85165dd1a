"""Every output of the corpus is read, or declined at a line; values agree with other parsers'.

The expected values are those of Genie (JSON), NAPALM (JSON) and ntc-templates (YAML, flat).
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.capture.transcript import transcript
from advisor.ground.units import bps_from_kbps
from advisor.shows.interfaces.reader import ObservedInterface
from advisor.shows.output import LayoutError
from tests.support.outside import CORPUS, needs
from tests.support.readers import (
    read_controllers,
    read_cpu_processes,
    read_interfaces,
    read_version,
)

SHOW = CORPUS / "show"
needs_corpus = needs(SHOW)
Reader = Callable[[str, str], Any]

READ: list[tuple[Reader, str]] = [
    (read_interfaces, "show_interfaces/*.txt"),
    (read_interfaces, "show_interfaces_ethernet0_0/*.txt"),
    (read_interfaces, "show_interfaces_gigabitethernet1/*.txt"),
    (read_interfaces, "show_interfaces_gigabitethernet1_2/*.txt"),
    (read_interfaces, "show_interfaces_gigabitethernet1_6/*.txt"),
    (read_interfaces, "show_interfaces_tunnel10/*.txt"),
    (read_interfaces, "session_capture/*_show_int_*.txt"),
    (read_cpu_processes, "show_processes_cpu/*.txt"),
    (read_cpu_processes, "show_processes_cpu_sorted/*.txt"),
    (read_version, "show_version/*.txt"),
    (read_version, "session_capture/unicon*_show_version.txt"),
]
# Other commands, and boxes that print another layout: named, never half read.
DECLINED: list[tuple[Reader, str, str]] = [
    (read_interfaces, "show_interfaces_*_capab/*.txt", "capabilities of a port"),
    (read_interfaces, "show_interfaces_*counter*/*.txt", "a table of counters"),
    (read_interfaces, "show_interface_*counters/*.txt", "a table of counters"),
    (read_interfaces, "show_interface_te_account/*.txt", "accounting"),
    (read_interfaces, "show_interface_link/*.txt", "a table of down times"),
    (read_interfaces, "show_interfaces_*stat*/*.txt", "the status table of a switch"),
    (read_interfaces, "show_interfaces_*switc*/*.txt", "switchport settings"),
    (read_interfaces, "show_interfaces_trans*/*.txt", "optics"),
    (read_interfaces, "show_interfaces_trunk/*.txt", "trunks"),
    (read_interfaces, "session_capture/*_show_interfaces_wired_0.txt", "an access point"),
    (read_controllers, "show_controllers_ethernet-controller*/*.txt", "controllers of a switch"),
    (read_cpu_processes, "show_processes_cpu_platform*/*.txt", "the platform's processes"),
    (read_version, "session_capture/oxidized__nxos*.txt", "NX-OS"),
    (read_version, "session_capture/genie__generic_show_version*.txt", "an access point"),
]


def text_of(path: Path) -> str:
    return transcript(path.read_text(encoding="utf-8", errors="replace"))


def files(pattern: str) -> Iterator[Path]:
    yield from sorted(SHOW.glob(pattern))


@needs_corpus
@pytest.mark.parametrize(
    ("reader", "path"),
    [
        pytest.param(reader, path, id=f"{path.parent.name}/{path.stem}")
        for reader, pattern in READ
        for path in files(pattern)
    ],
)
def test_an_output_of_the_corpus_is_read(reader: Reader, path: Path) -> None:
    assert reader(text_of(path), path.name)


@needs_corpus
@pytest.mark.parametrize(
    ("reader", "path"),
    [
        pytest.param(reader, path, id=f"{path.parent.name}/{path.stem} is {what}")
        for reader, pattern, what in DECLINED
        for path in files(pattern)
    ],
)
def test_another_output_is_declined_at_a_line(reader: Reader, path: Path) -> None:
    with pytest.raises(LayoutError) as declined:
        reader(text_of(path), path.name)
    assert declined.value.at.line >= 1


def interfaces_of(path: Path) -> dict[str, ObservedInterface]:
    return {each.name: each for each in read_interfaces(text_of(path), path.name)}


def expected_json(path: Path) -> Any:
    return json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))


def expected_rows(path: Path) -> list[dict[str, str]]:
    """Rows of an ntc-templates expectation: `- key: "value"`, lists left out."""
    rows: list[dict[str, str]] = []
    for line in path.with_suffix(".expected.yml").read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(r'  (- |  )(\w+): "?(.*?)"?', line)
        if found is None:
            continue
        if found[1] == "- ":
            rows.append({})
        rows[-1][found[2]] = found[3].replace('\\"', '"')
    return rows


GENIE_QUEUES = {
    "input_queue_size": "input_size_packets",
    "input_queue_max": "input_limit_packets",
    "input_queue_drops": "input_drops_packets",
    "input_queue_flushes": "input_flushes_packets",
    "total_output_drop": "total_output_drops_packets",
    "queue_strategy": "strategy",
    "output_queue_size": "output_size_packets",
    "output_queue_max": "output_limit_packets",
}
GENIE_COUNTERS = {
    "in_pkts": "input_packets",
    "in_octets": "input_bytes",
    "in_no_buffer": "no_buffer_packets",
    "in_broadcast_pkts": "broadcasts_packets",
    "in_runts": "runts_packets",
    "in_giants": "giants_packets",
    "in_throttles": "throttles",
    "in_errors": "input_errors",
    "in_crc_errors": "crc_errors",
    "in_frame": "frame_errors",
    "in_overrun": "overruns",
    "in_ignored": "ignored_packets",
    "out_pkts": "output_packets",
    "out_octets": "output_bytes",
    "out_underruns": "underruns",
    "out_errors": "output_errors",
    "out_interface_resets": "interface_resets",
    "out_collision": "collisions",
    "out_unknown_protocl_drops": "unknown_protocol_drops_packets",
    "out_late_collision": "late_collisions",
    "out_deferred": "deferred_packets",
    "out_lost_carrier": "lost_carrier",
    "out_no_carrier": "no_carrier",
    "out_buffer_failure": "output_buffer_failures",
    "out_buffers_swapped": "output_buffers_swapped_out",
}


def genie_differences(seen: ObservedInterface, genie: dict[str, Any]) -> Iterator[str]:
    pairs: dict[str, tuple[object, object]] = {
        "mtu": (seen.mtu_bytes, genie.get("mtu")),
        "delay": (seen.delay_us, genie.get("delay")),
        "description": (seen.description, genie.get("description")),
        "mac_address": (seen.mac_address, genie.get("mac_address")),
        "type": (seen.hardware, genie.get("type")),
    }
    if isinstance(genie.get("bandwidth"), int):
        pairs["bandwidth"] = (seen.bandwidth_bps, bps_from_kbps(genie["bandwidth"]))
    if "txload" in genie:
        pairs["txload"] = (round((seen.txload_ratio or 0) * 255), int(genie["txload"][:-4]))
    queues, counters = genie.get("queues", {}), genie.get("counters", {})
    pairs |= {k: (getattr(seen.queues, v), queues.get(k)) for k, v in GENIE_QUEUES.items()}
    pairs |= {k: (getattr(seen.counters, v), counters.get(k)) for k, v in GENIE_COUNTERS.items()}
    rate, ours = counters.get("rate"), seen.output_rate
    if rate and ours:
        pairs["load_interval"] = (ours.interval_s, rate["load_interval"])
        pairs["out_rate"] = (ours.rate_bps, rate["out_rate"])
        pairs["out_rate_pkts"] = (ours.rate_packets_per_s, rate["out_rate_pkts"])
    yield from (name for name, (mine, theirs) in pairs.items() if mine != theirs)


# Where Genie is wrong or says it otherwise, by interface and field.
GENIE_DIFFERS = {
    ("GigabitEthernet0/0/0", "queue_strategy"): "keeps the first word of `Class-based queueing`",
    ("Dialer1", "queue_strategy"): "keeps the first word of `weighted fair`",
    ("BDI105", "in_broadcast_pkts"): "misses `broadcasts(` without a blank",
    **{
        ("BDI105", name): "misses an input queue that stands without the output drops"
        for name in GENIE_QUEUES
    },
    **{
        ("pseudowire1", name): "takes the RX and TX lines of a pseudowire, which are not read here"
        for name in ("in_pkts", "in_octets", "out_pkts", "out_octets")
    },
}


@needs_corpus
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem)
        for path in files("show_interfaces/genie*.txt")
        if path.with_suffix(".expected.json").exists()
    ],
)
def test_interfaces_agree_with_genie(path: Path) -> None:
    ours = interfaces_of(path)
    genie = {name.lower(): interface for name, interface in expected_json(path).items()}
    differences = {
        (name, field)
        for name, interface in ours.items()
        for field in genie_differences(interface, genie[name.lower()])
    }
    assert differences <= GENIE_DIFFERS.keys()


NTC_FIELDS: dict[str, Callable[[ObservedInterface], object]] = {
    "link_status": lambda seen: seen.link,
    "protocol_status": lambda seen: (
        f"{seen.protocol} ({seen.port_state})" if seen.port_state else seen.protocol
    ),
    "hardware_type": lambda seen: seen.hardware,
    "mac_address": lambda seen: seen.mac_address,
    "description": lambda seen: seen.description,
    "mtu": lambda seen: seen.mtu_bytes,
    "last_input": lambda seen: seen.last_input,
    "last_output": lambda seen: seen.last_output,
    "queue_size": lambda seen: seen.queues.input_size_packets,
    "queue_max": lambda seen: seen.queues.input_limit_packets,
    "queue_drops": lambda seen: seen.queues.input_drops_packets,
    "queue_flushes": lambda seen: seen.queues.input_flushes_packets,
    "queue_output_drops": lambda seen: seen.queues.total_output_drops_packets,
    "queue_strategy": lambda seen: seen.queues.strategy,
    "input_rate": lambda seen: seen.input_rate and seen.input_rate.rate_bps,
    "output_pps": lambda seen: seen.output_rate and seen.output_rate.rate_packets_per_s,
    "input_packets": lambda seen: seen.counters.input_packets,
    "output_packets": lambda seen: seen.counters.output_packets,
    "input_errors": lambda seen: seen.counters.input_errors,
    "output_errors": lambda seen: seen.counters.output_errors,
    "crc": lambda seen: seen.counters.crc_errors,
    "runts": lambda seen: seen.counters.runts_packets,
    "abort": lambda seen: seen.counters.aborts,
    "vlan_id": lambda seen: seen.vlan_id,
}
NTC_DIFFERS = {
    (name, "input_packets"): "misses the count where `no buffer` is not printed"
    for name in ("FastEthernet0/1/0", "FastEthernet0/1/1", "FastEthernet1")
}


@needs_corpus
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in files("show_interfaces/ntc*.txt")]
)
def test_interfaces_agree_with_ntc_templates(path: Path) -> None:
    ours = interfaces_of(path)
    differences = {
        (row["interface"], field, mine, row[field])
        for row in expected_rows(path)
        for field, get in NTC_FIELDS.items()
        if str("" if (mine := get(ours[row["interface"]])) is None else mine) != row[field]
    }
    assert {each for each in differences if each[:2] not in NTC_DIFFERS} == set()


@needs_corpus
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in files("show_interfaces/napalm*.txt")]
)
def test_interfaces_agree_with_napalm(path: Path) -> None:
    ours, napalm = interfaces_of(path), expected_json(path)
    for name, interface in napalm.items():
        assert (ours[name].mtu_bytes, ours[name].description or "") == (
            interface["mtu"],
            interface["description"],
        )
        assert (ours[name].protocol == "up") == interface["is_up"]


@needs_corpus
def test_processes_agree_with_ntc_templates() -> None:
    (path,) = files("show_processes_cpu/ntc*.txt")
    table = read_cpu_processes(text_of(path), path.name)
    assert [
        (each.pid, each.runtime_ms, each.invocations, each.one_minute_percent, each.name)
        for each in table.processes
    ] == [
        (
            int(row["process_pid"]),
            int(row["process_runtime"]),
            int(row["process_invoked"]),
            float(row["process_cpu_usage_1_min"]),
            row["process_name"],
        )
        for row in expected_rows(path)
    ]


@needs_corpus
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in files("show_version/ntc*.txt")]
)
def test_version_agrees_with_ntc_templates(path: Path) -> None:
    seen, (row,) = read_version(text_of(path), path.name), expected_rows(path)
    assert (seen.version_text, seen.image_name, seen.hostname, seen.config_register) == (
        row["version"],
        row["software_image"],
        row["hostname"],
        row["config_register"],
    )
    assert (seen.restarted_at or "") == row["restarted"]
    assert (seen.image_file or "").rpartition(":")[2].lstrip("/") == row["running_image"].lstrip(
        "/"
    )


@needs_corpus
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in files("show_version/genie*.txt")]
)
def test_version_agrees_with_genie(path: Path) -> None:
    seen, genie = read_version(text_of(path), path.name), expected_json(path)["version"]
    assert (seen.hostname, seen.image_file, seen.reload_reason, seen.image_name) == (
        genie["hostname"],
        genie["system_image"],
        genie["last_reload_reason"],
        genie["image_id"],
    )
    assert seen.processor_memory_bytes == int(genie["main_mem"]) * 1024
