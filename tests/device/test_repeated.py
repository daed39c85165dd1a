"""What was taken twice: the newest by the clock counts, and the other is said."""

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Reading, Source, read_source
from advisor.settings import Settings


def stamped(time: str, host: str, command: str, printed: str) -> str:
    return f"[2024-05-01 {time}] {host}#{command}\n{printed}"


def cpu(percent: int) -> str:
    return f"CPU utilization for five seconds: {percent}%/1%; one minute: 1%; five minutes: 1%\n"


def interface(drops: int) -> str:
    return (
        "Serial0/0 is up, line protocol is up\n  Hardware is GT96K Serial\n  MTU 1500 bytes, BW 64 Kbit,"
        " DLY 20000 usec,\n     reliability 255/255, txload 1/255, rxload 1/255\n  Input queue: 0/75/0/0"
        f" (size/max/drops/flushes); Total output drops: {drops}\n"
        "     0 packets output, 0 bytes, 0 underruns\n"
    )


def config(bandwidth: int) -> str:
    return f"version 12.4\nhostname r1\ninterface Serial0/0\n bandwidth {bandwidth}\nend\n"


def read(*texts: str) -> list[Reading]:
    sources = [Source(f"{place}.log", text.encode()) for place, text in enumerate(texts)]
    return list(read_devices(sources, Settings()))


def drops(reading: Reading) -> int | None:
    shown = reading.device.seen.interface("Serial0/0")
    return shown.queues.total_output_drops_packets if shown is not None else None


def assumed(reading: Reading) -> list[str]:
    return [said for file in reading.coverage for said in file.assumed if "counts" in said]


NEW = stamped("11:00:00", "r1", "show interfaces", interface(2))
OLD = stamped("10:00:00", "r1", "show interfaces", interface(1))


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((OLD + NEW,), id="one session"),
        pytest.param((OLD, NEW), id="the older file first"),
        pytest.param((NEW, OLD), id="the newer file first"),
        pytest.param((config(64), NEW, OLD), id="beside a configuration"),
    ],
)
def test_newest_output_of_a_command_counts(texts: tuple[str, ...]) -> None:
    (reading,) = read(*texts)

    assert drops(reading) == 2
    (said,) = assumed(reading)
    assert said.startswith("show interfaces of ")
    assert said.endswith(" is older")


def test_outputs_without_a_time_count_in_their_order_and_that_is_said() -> None:
    (reading,) = read(*(text.partition("] ")[2] for text in (NEW, OLD)))

    assert drops(reading) == 1
    (said,) = assumed(reading)
    assert said.startswith("show interfaces of 1.log:1 counts; 0.log:1 stands ahead of it")


def test_outputs_with_different_arguments_both_count() -> None:
    text = stamped("10:00:00", "r1", "show interfaces Serial0/0", interface(1))

    (reading,) = read(text + NEW)

    assert assumed(reading) == []


def bandwidth(reading: Reading) -> float | None:
    stated = reading.device.facts.interfaces[0].bandwidth_bps
    return stated.value / 1000 if stated is not None else None


OLD_RUN = stamped("10:00:00", "r1", "show running-config", config(64))
NEW_RUN = stamped("11:00:00", "r1", "show running-config", config(128))


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param((OLD_RUN + NEW_RUN,), id="one session"),
        pytest.param((OLD_RUN, NEW_RUN), id="the older file first"),
        pytest.param((NEW_RUN, OLD_RUN), id="the newer file first"),
    ],
)
def test_newest_configuration_of_a_device_counts(texts: tuple[str, ...]) -> None:
    (reading,) = read(*texts)

    assert bandwidth(reading) == 128
    said = [text for file in reading.coverage for text in (*file.assumed, file.taken_for)]
    assert any("is older" in text for text in said)


def test_outputs_beside_an_older_configuration_count() -> None:
    (reading,) = read(NEW_RUN, OLD_RUN + OLD)

    assert bandwidth(reading) == 128
    assert drops(reading) == 1


def test_configurations_of_a_name_without_a_time_are_both_judged_and_that_is_said() -> None:
    first, second = read(config(64), config(128))

    assert [bandwidth(first), bandwidth(second)] == [64, 128]
    assert (
        "1.log holds another configuration of r1, and nothing tells that one is an older state of the other: both are judged"
        in first.coverage[0].assumed
    )


def test_configurations_of_a_name_in_one_file_are_one_device_and_that_is_said() -> None:
    (reading,) = read(config(64) + config(128))

    assert bandwidth(reading) == 128
    (said,) = assumed(reading)
    assert said.startswith("the configuration of 0.log:6 counts; that of 0.log:1 is another one")


def test_prompt_that_is_cut_joins_the_configuration_of_another_file() -> None:
    name = "branch-office-berlin-rt1"

    (reading,) = read(config(64).replace("r1", name), f"{name[:20]}#show proc cpu\n{cpu(8)}")

    assert reading.device.name == name
    assert len(reading.device.seen.cpu) == 1


def test_names_in_banners_make_no_device_the_older_one_of_another() -> None:
    banner = "banner motd ^C\nhostname r1\n^C\n"
    other = config(128).replace("hostname r1", f"{banner}hostname r2")

    readings = read(OLD_RUN, stamped("11:00:00", "r2", "show run", other))

    assert [reading.device.name for reading in readings] == ["r1", "r2"]


def test_newest_configuration_counts_where_the_log_stamps_each_line() -> None:
    def each_line(log: str, time: str) -> str:
        head, _, lines = log.partition("\n")
        stamps = "".join(f"[2024-05-01 {time}] {line}\n" for line in lines.splitlines())
        return f"{head}\n{stamps}"

    (reading,) = read(each_line(NEW_RUN, "11:00:01"), each_line(OLD_RUN, "10:00:01"))

    assert bandwidth(reading) == 128


@pytest.mark.parametrize(
    "command",
    ["wr t", "more system:running-config", "show run brief", "show run all", "show run view full"],
)
def test_running_configuration_counts_in_every_spelling(command: str) -> None:
    (reading,) = read(f"r1#show run\n{config(64)}r1#{command}\n{config(128)}r1#\n")

    shown = reading.device.facts.interface("Serial0/0")
    assert shown is not None
    assert shown.bandwidth_bps is not None
    assert shown.bandwidth_bps.value == 128_000


_ROUTER = """Router#show running-config
Building configuration...
!
version 12.4
hostname {name}
!
interface FastEthernet0/0
 ip address 10.0.0.1 255.255.255.0
!
interface Serial0/0
 ip address {address} 255.255.255.252
!
end
Router#
"""


@pytest.mark.parametrize(
    ("name", "addresses", "is_said"),
    [
        pytest.param("Router", ("192.0.2.1", "192.0.2.5"), True, id="addresses that differ"),
        pytest.param("Router", ("192.0.2.1", "192.0.2.1"), False, id="the same router again"),
        pytest.param("branch7", ("192.0.2.1", "192.0.2.5"), False, id="a name of one router"),
    ],
)
def test_second_router_of_the_name_of_new_ones_in_a_log_is_said(
    name: str, addresses: tuple[str, str], *, is_said: bool
) -> None:
    first, second = (_ROUTER.format(name=name, address=address) for address in addresses)
    text = (first + second).replace("Router#", f"{name}#")

    reading = read_source(Source("new.log", text.encode()), Settings())

    assert any("bears the name" in reason for reason in reading.incomplete) is is_said
