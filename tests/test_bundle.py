"""A capture on disk: written whole, read back the same, damage said and never raised."""

import json
import stat
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.capture.clock import CaptureTime, TimeSource
from advisor.capture.cuts import read_capture
from advisor.capture.outputs import outputs
from advisor.capture.read_bundle import MANIFEST, is_bundle, read_bundle
from advisor.capture.sections import Capture, Gap, GapCause, GapKind, SectionKind, answer
from advisor.capture.write_bundle import BundleError, write_bundle

BUNDLES = Path(__file__).parents[1] / "fixtures" / "bundles"
CPU = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%\n"
RUN = "version 12.4\nhostname a1\nend\n"
ASKED = CaptureTime(datetime(2008, 4, 18, 13, 15, 22), "UTC", TimeSource.MANIFEST, None)  # noqa: DTZ001
SMALL = Capture(
    "a1",
    (
        answer("show processes cpu", CPU, host="a1", time=ASKED),
        answer("show running-config", RUN, host="a1"),
    ),
    device="a1",
    address="192.0.2.1",
    privilege=15,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_bundle(SMALL, tmp_path / "a1")
    return tmp_path / "a1"


def without_files(capture: Capture) -> Capture:
    return replace(capture, file="", sections=tuple(replace(s, file="") for s in capture.sections))


def test_bundle_is_a_file_for_each_command_and_a_manifest(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {"running-config", "show_processes_cpu.txt", MANIFEST}
    assert (folder / "show_processes_cpu.txt").read_text(encoding="utf-8") == CPU
    assert is_bundle(folder)


def test_manifest_says_what_was_asked_when_and_with_what_result(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    first, second = manifest.pop("commands")
    assert manifest == {"schema": 1, "device": "a1", "host": "192.0.2.1", "privilege": 15}
    assert (first["command"], first["file"]) == ("show processes cpu", "show_processes_cpu.txt")
    assert (first["asked_at"], first["bytes"]) == ("2008-04-18T13:15:22Z", len(CPU))
    assert (first["complete"], first["reason"], len(first["sha256"])) == (True, "", 64)
    assert (second["command"], second["asked_at"]) == ("show running-config", None)


def test_only_the_owner_may_read_it(folder: Path) -> None:
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert (modes, stat.S_IMODE(folder.stat().st_mode)) == ({0o600}, 0o700)


def test_nothing_but_the_bundle_is_left_beside_it(folder: Path) -> None:
    write_bundle(SMALL, folder)
    assert [path.name for path in folder.parent.iterdir()] == ["a1"]


def test_what_was_written_is_read(folder: Path) -> None:
    read = read_bundle(folder)
    assert without_files(read) == without_files(SMALL)
    assert [each.file for each in read.sections] == [
        str(folder / "show_processes_cpu.txt"),
        str(folder / "running-config"),
    ]
    assert read.sections[0].time == ASKED
    assert read.gaps == ()


def test_prompts_are_left_out(tmp_path: Path) -> None:
    write_bundle(read_capture(f"a1#sh proc cpu\n{CPU}", "log.txt"), tmp_path / "a1")
    (section,) = read_bundle(tmp_path / "a1").sections
    assert (section.command, section.text, section.host) == ("show processes cpu", CPU, None)


def test_configuration_without_its_command_is_the_running_one(tmp_path: Path) -> None:
    write_bundle(read_capture(RUN, "a1.cfg"), tmp_path / "a1")
    (section,) = read_bundle(tmp_path / "a1").sections
    assert (section.taken_for, section.kind) == ("show running-config", SectionKind.CONFIG)
    assert section.file.endswith("running-config")


@pytest.mark.parametrize(
    ("commands", "files"),
    [
        (["show policy-map interface Serial0/1/0"], ["show_policy-map_interface_Serial0-1-0.txt"]),
        (["show version", "show version"], ["show_version.txt", "show_version.2.txt"]),
        (["show x", "SHOW X"], ["show_x.txt", "SHOW_X.2.txt"]),
        (
            ["show running-config", "show running-config"],
            ["running-config", "show_running-config.txt"],
        ),
        (["show running-config interface A0"], ["show_running-config_interface_A0.txt"]),
        (["../../etc/passwd"], ["etc-passwd.txt"]),
        (["% |"], ["command.txt"]),
        (["show processes cpu | include CPU"], ["show_processes_cpu_include_CPU.txt"]),
    ],
    ids=" and ".join,
)
def test_file_is_named_after_its_command(
    tmp_path: Path, commands: list[str], files: list[str]
) -> None:
    sections = tuple(answer(command, "one\n") for command in commands)
    write_bundle(Capture("a1", sections), tmp_path / "a1")
    assert [Path(each.file).name for each in read_bundle(tmp_path / "a1").sections] == files


def test_new_bundle_takes_the_place_of_the_old(folder: Path) -> None:
    write_bundle(Capture("a1", (answer("show version", "Cisco IOS Software\n"),)), folder)
    assert [each.command for each in read_bundle(folder).sections] == ["show version"]


def test_folder_with_a_file_of_someone_else_is_left_alone(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BundleError, match=r"notes\.txt, which is not part of a bundle"):
        write_bundle(Capture("a1", ()), folder)
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert len(read_bundle(folder).sections) == 3


def test_folder_that_is_no_bundle_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "r1.cfg").write_text(RUN, encoding="utf-8")
    with pytest.raises(BundleError, match=r"r1\.cfg"):
        write_bundle(SMALL, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["r1.cfg"]


@pytest.mark.parametrize("name", ["a1.cfg", "nowhere/a1"])
def test_folder_that_cannot_be_is_an_error_of_ours(tmp_path: Path, name: str) -> None:
    (tmp_path / "a1.cfg").write_text(RUN, encoding="utf-8")
    with pytest.raises(BundleError):
        write_bundle(SMALL, tmp_path / name)


def change(folder: Path, **values: object) -> None:
    """Edit the manifest's entry of the first command."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    manifest["commands"][0] |= values
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


BUSY = Gap("show interfaces", GapKind.MISSING, "CPU at 91 %", GapCause.BUSY)
PARTIAL = Gap(
    "show running-config", GapKind.PARTIAL, "privilege 7 shows only what it may change",
    GapCause.PRIVILEGE,
)  # fmt: skip


@pytest.mark.parametrize("gap", [BUSY, PARTIAL], ids=["no output", "a part of an output"])
def test_a_gap_keeps_its_cause_and_detail(tmp_path: Path, gap: Gap) -> None:
    config = answer("show running-config", RUN, gap=gap if gap.kind is GapKind.PARTIAL else None)
    missing = (gap,) if gap.kind is GapKind.MISSING else ()
    write_bundle(Capture("a1", (config,), missing=missing), tmp_path / "a1")
    assert read_bundle(tmp_path / "a1").gaps == (gap,)


def test_manifest_has_the_gap_as_one_text_for_a_person(tmp_path: Path) -> None:
    write_bundle(Capture("a1", (), missing=(BUSY,)), tmp_path / "a1")
    (entry,) = json.loads((tmp_path / "a1" / MANIFEST).read_text(encoding="utf-8"))["commands"]
    assert (entry["reason"], entry["cause"], entry["detail"]) == (
        "held back: CPU at 91 %", "held back", "CPU at 91 %",
    )  # fmt: skip


def test_a_command_that_the_image_does_not_know_is_no_gap(tmp_path: Path) -> None:
    write_bundle(Capture("a1", (), unsupported=("show queueing",)), tmp_path / "a1")
    read = read_bundle(tmp_path / "a1")
    assert (read.unsupported, read.gaps) == (("show queueing",), ())


def test_a_cause_that_does_not_exist_is_refused_without_its_text(folder: Path) -> None:
    change(folder, complete=False, cause="s3nt1nel")
    (gap,) = [gap for gap in read_bundle(folder).gaps if gap.command == MANIFEST]
    assert gap.kind is GapKind.UNUSED
    assert gap.detail == "commands[0].cause: Invalid enum value"


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        (None, GapKind.MISSING, "show_processes_cpu.txt is not there"),
        (CPU[:20], GapKind.CUT, f"show_processes_cpu.txt has 20 of {len(CPU)} bytes"),
        (
            CPU.replace("8%", "9%"),
            GapKind.CHANGED,
            "show_processes_cpu.txt was changed after it was written",
        ),
        (
            CPU + "more\n",
            GapKind.CHANGED,
            "show_processes_cpu.txt was changed after it was written",
        ),
    ],
    ids=["gone", "cut", "edited", "longer"],
)
def test_damaged_file_is_said(folder: Path, text: str | None, kind: GapKind, detail: str) -> None:
    path = folder / "show_processes_cpu.txt"
    if text is None:
        path.unlink()
    else:
        path.write_text(text, encoding="utf-8")
    read = read_bundle(folder)
    assert read.gaps == (Gap("show processes cpu", kind, detail),)
    assert [each.text for each in read.sections] == ([] if text is None else [text]) + [RUN]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"file": "../secret.txt"}, GapKind.UNREADABLE),
        ({"file": "/etc/hostname"}, GapKind.UNREADABLE),
        ({"file": ".."}, GapKind.UNREADABLE),
        ({"file": "a\x00b"}, GapKind.UNREADABLE),
        ({"file": "link"}, GapKind.UNREADABLE),
        ({"file": "folder"}, GapKind.UNREADABLE),
        ({"file": "none"}, GapKind.MISSING),
        ({"file": None, "complete": False, "reason": "% Invalid input"}, GapKind.MISSING),
        ({"complete": False, "reason": "no prompt"}, GapKind.CUT),
    ],
    ids=["above the folder", "an absolute path", "the folder above", "a null byte", "a link out",
         "a folder", "no such file", "a command that was refused", "an output that was cut off"],
)  # fmt: skip
def test_entry_without_a_file_to_read_is_said(
    folder: Path, values: dict[str, object], kind: GapKind
) -> None:
    (folder.parent / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "link").symlink_to(folder.parent / "secret.txt")
    (folder / "folder").mkdir()
    change(folder, **values)
    read = read_bundle(folder)
    assert [each.kind for each in read.gaps if each.command == "show processes cpu"] == [kind]
    assert all("secret" not in each.text for each in read.sections)


def test_file_that_a_manifest_lists_twice_is_read_once(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    manifest["commands"] *= 2
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    read = read_bundle(folder)
    commands = [section.command for section in read.sections]
    assert commands == ["show processes cpu", "show running-config"]
    assert read.gaps == ()


def test_file_that_a_manifest_lists_for_two_commands_is_of_the_first(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    manifest["commands"].append({**manifest["commands"][0], "command": "show version"})
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    read = read_bundle(folder)
    assert [section.command for section in read.sections] == [
        "show processes cpu",
        "show running-config",
    ]
    assert [str(gap) for gap in read.gaps] == [
        "show version: unreadable, show_processes_cpu.txt is listed for another command"
    ]


@pytest.mark.parametrize(
    ("manifest", "detail"),
    [
        ("{", "not JSON"),
        ("[]", "Expected 'object'"),
        ('{"schema": 2, "device": null, "host": null, "privilege": null, "commands": []}',
         "schema 2; this version reads 1"),
        ('{"schema": 1}', "missing required field 'device'"),
        ("[" * 100_000, ""),
        (b"\xff\xfe{}", ""),
    ],
    ids=["cut", "a list", "of a later schema", "without its keys", "very deep", "not UTF-8"],
)  # fmt: skip
def test_manifest_that_cannot_be_read_leaves_loose_files(
    folder: Path, manifest: str | bytes, detail: str
) -> None:
    payload = manifest if isinstance(manifest, bytes) else manifest.encode()
    (folder / MANIFEST).write_bytes(payload)
    read = read_bundle(folder)
    (gap,) = read.gaps
    assert (gap.command, gap.kind) == (MANIFEST, GapKind.UNREADABLE)
    assert detail in gap.detail
    assert [each.command for each in read.sections] == [None, "show processes cpu"]


def test_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    read = read_bundle(tmp_path / "none")
    assert (read.sections, [each.kind for each in read.gaps]) == ((), [GapKind.MISSING])


def test_file_that_the_manifest_does_not_list_is_read_as_a_loose_one(folder: Path) -> None:
    (folder / "show_dlsw_peers.txt").write_text("Peers:   state\n", encoding="utf-8")
    read = read_bundle(folder)
    assert read.sections[-1].taken_for == "show dlsw peers"
    assert read.gaps == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("running-config.old", "version 12.4\nhostname old\ninterface Serial0/0\nend\n"),
        ("session.log", f"other9#show processes cpu\n{CPU}other9#\n"),
    ],
    ids=["an older configuration", "a log of another router"],
)  # fmt: skip
def test_file_beside_the_manifest_takes_no_place_of_one_that_it_lists(
    folder: Path, name: str, text: str
) -> None:
    before = read_bundle(folder)
    (folder / name).write_text(text, encoding="utf-8")
    read = read_bundle(folder)
    (gap,) = read.gaps
    assert read.sections == before.sections
    assert f"{name} is not in the manifest" in gap.detail


def test_router_with_llq_wred_and_ip_sla() -> None:
    read = read_bundle(BUNDLES / "a1")
    assert (read.device, read.address, read.privilege, read.gaps) == ("a1", "192.0.2.1", 15, ())
    assert [each.taken_for for each in read.sections] == [
        "show privilege", "show version", "show processes cpu", "show interfaces",
        "show policy-map interface", "show controllers", "show ip sla statistics aggregated",
        "show running-config",
    ]  # fmt: skip


def test_bundle_of_a_user_without_the_privilege_says_what_it_lacks() -> None:
    read = read_bundle(BUNDLES / "head1-incomplete")
    assert [str(each) for each in read.gaps] == [
        "show running-config: missing, privilege 1 is too low",
        "show dlsw circuits: cut, no prompt within 60 s",
    ]


TEXTS = st.text(max_size=200)
TIMES = st.none() | st.datetimes(datetime(1993, 3, 1), datetime(2100, 1, 1)).map(  # noqa: DTZ001
    lambda local: CaptureTime(local, "UTC", TimeSource.MANIFEST, None)
)
COMMANDS = st.sampled_from([*outputs()]) | st.text(min_size=1, max_size=150)


@st.composite
def captures(draw: st.DrawFn) -> Capture:
    device = draw(st.none() | TEXTS)
    sections = []
    for command in draw(st.lists(COMMANDS, max_size=4)):
        gap = draw(st.none() | st.builds(Gap, st.just(command), st.just(GapKind.CUT), TEXTS))
        if gap is not None and not gap.detail:
            gap = None
        sections.append(answer(command, draw(TEXTS), host=device, time=draw(TIMES), gap=gap))
    missing = draw(st.lists(st.builds(Gap, COMMANDS, st.just(GapKind.MISSING), TEXTS.filter(bool))))
    return Capture("", tuple(sections), device, draw(st.none() | TEXTS), draw(st.none() | st.integers(0, 15)),
                   tuple(missing))  # fmt: skip


@given(captures())
def test_round_trip(capture: Capture) -> None:
    with TemporaryDirectory() as parent:
        write_bundle(capture, Path(parent) / "bundle")
        assert without_files(read_bundle(Path(parent) / "bundle")) == capture


@given(st.sampled_from(["a1", "head1-incomplete"]), st.data())
def test_tampering_never_raises(name: str, data: st.DataObject) -> None:
    with TemporaryDirectory() as parent:
        folder = Path(parent) / name
        folder.mkdir()
        for path in (BUNDLES / name).iterdir():
            payload = path.read_bytes()
            at = data.draw(st.integers(0, len(payload)))
            end = data.draw(st.integers(at, len(payload)) | st.just(at))
            changed = payload[:at] + data.draw(st.binary(max_size=3)) + payload[end:]
            (folder / path.name).write_bytes(changed)
        assert read_bundle(folder).file == str(folder)


NAMED_CONFIG = f"version 12.4\nhostname a1\n{'interface Serial0/0' + chr(10)}end\n"
POLICY = " Serial0/0\n  Service-policy output: WAN\n    Class-map: V (match-all)\n      1 packets\n"


@pytest.mark.parametrize(
    ("command", "text", "taken_for"),
    [
        pytest.param("show processes cpu", NAMED_CONFIG, ["config"], id="a configuration"),
        pytest.param("show clock", NAMED_CONFIG, ["config"], id="one for a time"),
        pytest.param("", NAMED_CONFIG, ["config"], id="no command"),
        pytest.param("show processes cpu", POLICY, ["show policy-map interface"], id="counters"),
        pytest.param("show running-config", CPU, ["show processes cpu"], id="the next answer"),
        pytest.param(
            "show processes cpu", f"{CPU}a1#show policy-map interface\n{POLICY}a1#\n",
            ["show processes cpu", "show policy-map interface"], id="a session",
        ),
        pytest.param(
            "show policy-map interface Serial0/0", POLICY, ["show policy-map interface"],
            id="what the command asks for",
        ),
    ],
)  # fmt: skip
def test_an_answer_is_what_its_text_is(
    tmp_path: Path, command: str, text: str, taken_for: list[str]
) -> None:
    entry = {"command": command, "file": "a.txt", "bytes": len(text), "complete": True}
    manifest = {"schema": 1, "device": "a1", "host": None, "privilege": 15, "commands": [entry]}
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    (tmp_path / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    sections = read_bundle(tmp_path).sections

    assert [
        "config" if each.kind is SectionKind.CONFIG else each.taken_for for each in sections
    ] == taken_for
    assert {each.host for each in sections} == {"a1"}
    assert "".join(each.text for each in sections) == text
