"""Which inputs are of one device: show outputs join by host, or by folder without a host."""

import pytest

from advisor.device.index import index_of, read_devices
from advisor.device.reading import Source
from advisor.device.sources import SourcesInMemory
from advisor.ground.faults import Guard
from advisor.settings import DlswDesign, Settings
from tests.support.runs import branches


def config(name: str) -> bytes:
    return f"hostname {name}\ninterface Serial0/0\n bandwidth 64\nend\n".encode()


CPU = b"CPU utilization for five seconds: 8%/7%; one minute: 8%; five minutes: 8%\n"


def cpu_of(host: str) -> bytes:
    return f"{host}#show processes cpu\n".encode() + CPU + f"{host}#\n".encode()


FRAGMENTS = (
    b"r1#show frame-relay fragment\n"
    b"interface       dlci  frag-type    frag-size  in-frag    out-frag   dropped-frag\n"
    b"Serial0/0.1     100   end-to-end   640        50         70         0\n"
)
NO_HOST = b"------------------ show processes cpu ------------------\n\n" + CPU


@pytest.mark.parametrize(
    ("files", "groups"),
    [
        pytest.param(
            {"a/r1.cfg": config("r1"), "b/r2.cfg": config("r2"), "c/x.txt": cpu_of("r2")},
            [["a/r1.cfg"], ["b/r2.cfg", "c/x.txt"]],
            id="the host of a prompt names the configuration, in whatever folder",
        ),
        pytest.param(
            {"c/x.txt": cpu_of("r1"), "a/r1.cfg": config("r1")},
            [["a/r1.cfg", "c/x.txt"]],
            id="the show output may come first",
        ),
        pytest.param(
            {"a/r1.cfg": config("r1"), "a/x.txt": FRAGMENTS + cpu_of("r1")},
            [["a/r1.cfg", "a/x.txt"]],
            id="a table with a column of interfaces holds no interface of a configuration",
        ),
        pytest.param(
            {"a/r1.cfg": config("r1"), "a/x.txt": NO_HOST},
            [["a/r1.cfg", "a/x.txt"]],
            id="without a host it is of the only configuration of its folder",
        ),
        pytest.param(
            {"a/r1.cfg": config("r1"), "a/r2.cfg": config("r2"), "a/x.txt": NO_HOST},
            [["a/r1.cfg"], ["a/r2.cfg"], ["a/x.txt"]],
            id="beside two configurations it is of neither",
        ),
        pytest.param(
            {"a/r1.cfg": config("r1"), "a/x.txt": cpu_of("r9")},
            [["a/r1.cfg"], ["a/x.txt"]],
            id="a host without a configuration is a device of its own",
        ),
        pytest.param(
            {"a/r1.cfg": config("r1"), "b/r1.cfg": config("r1"), "b/log/x.txt": cpu_of("r1")},
            [["a/r1.cfg"], ["b/r1.cfg", "b/log/x.txt"]],
            id="of two configurations of its name it is of the one in its folder",
        ),
        pytest.param(
            {"a/r1.cfg": config("r1"), "b/r1.cfg": config("r1"), "c/x.txt": cpu_of("r1")},
            [["a/r1.cfg"], ["b/r1.cfg"], ["c/x.txt"]],
            id="of two that are as far away it is of neither",
        ),
        pytest.param(
            {"a/x.txt": cpu_of("r9"), "b/y.txt": cpu_of("r9")},
            [["a/x.txt", "b/y.txt"]],
            id="show outputs of one host are one device",
        ),
        pytest.param(
            {"a/r1.log": b"r1#show running-config\n" + config("core"), "b/x.txt": cpu_of("core")},
            [["a/r1.log", "b/x.txt"]],
            id="the hostname of a configuration wins over its prompt",
        ),
    ],
)
def test_inputs_of_one_device(files: dict[str, bytes], groups: list[list[str]]) -> None:
    sources = SourcesInMemory(tuple(Source(name, payload) for name, payload in files.items()))

    index = index_of(sources, Settings())

    found = [[source.name for source in inputs.sources] for inputs in index.inputs(sources)]
    assert found == groups


def test_an_output_of_one_of_two_devices_of_a_name_is_not_complete() -> None:
    files = {"a/r1.cfg": config("r1"), "b/r1.cfg": config("r1"), "c/x.txt": cpu_of("r1")}
    sources = [Source(name, payload) for name, payload in files.items()]
    *_, shows = read_devices(sources, Settings())
    assert "a/r1.cfg, b/r1.cfg bear its name" in shows.incomplete[0]


def test_show_outputs_of_a_host_are_read_with_its_device() -> None:
    sources = [Source("r1.cfg", config("r1")), Source("x.txt", cpu_of("r1"))]

    (reading,) = read_devices(sources, Settings())

    assert len(reading.device.seen.cpu) == 1


def ends(sources: tuple[Source, ...], design: DlswDesign | None = None) -> list[str]:
    index = index_of(SourcesInMemory(sources), Settings(dlsw=design or DlswDesign()))
    return [end.device for end in index.fleet.ends]


def test_the_index_holds_the_peers_of_all_devices() -> None:
    assert ends(branches(3)) == ["branch0", "branch1", "branch2"]


def test_one_device_alone_has_no_other_to_contribute_to() -> None:
    assert ends(branches(1)) == []


def test_settings_that_pair_devices_need_the_name_of_one_alone() -> None:
    design = DlswDesign(redundant_peers=(("branch0", "branch1"),))

    assert ends(branches(1), design) == ["branch0"]


def test_an_input_that_shows_a_defect_belongs_to_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> object:
        raise ValueError

    monkeypatch.setattr("advisor.device.glance.loose_shows", failing)
    guard = Guard()
    sources = SourcesInMemory((Source("r1.cfg", config("r1")), Source("x.txt", cpu_of("r1"))))

    index = index_of(sources, Settings(), guard)

    assert [fault.subject for fault in guard.faults] == ["x.txt"]
    assert [inputs.name for inputs in index.inputs(sources)] == ["r1.cfg"]
