"""Inputs of a run: their names, what each holds, and tasks over many of them."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from glob import glob, has_magic
from pathlib import Path
from typing import Final, Protocol, TypeVar, runtime_checkable

from msgspec import Struct, field

from advisor.capture.cuts import read_capture
from advisor.capture.devices import by_device, version_name
from advisor.capture.exports import export_of, is_json_export
from advisor.capture.outputs import outputs
from advisor.capture.pasted import plain_payload
from advisor.capture.sections import Capture, GapKind, Section, SectionKind
from advisor.device.repeated import main_config
from advisor.ground.questions import question
from advisor.ground.units import whole
from advisor.ios.terminal import is_binary, text_of

# Files that this tool wrote: they stand beside configurations, and are none.

_LOOK_BYTES: Final = 4096

# How each output begins; a report without findings is known by its last line.
_FIRST: Final = re.compile(
    rb"""! [^\r\n]*:[ ](?:rollback[ ]of[ ]the[ ]whole[ ])?plan[ ]by[ ]advisor[ ]  # fix --format ios
    | (?:error|warning|info)\[[A-Z]{3}\d{3}\][ ]                            # lint, audit
    | \S[^\r\n]*:[ ](?:error|warning|info)[ ][A-Z]{3}\d{3}[ ][a-z0-9-]+:[ ]  # concise
    | [A-Z]{3}\d{3}[ ][a-z0-9-]+ \s*? $                                      # explain
    | ---[ ]a/[^\r\n]*\r?\n\+\+\+[ ]b/[^\r\n]*\r?\n@@[ ]                       # fix --format diff
    | \{\s*"schema":[ ]\d+,\s*"version":[ ]"[^"]*",                          # --format json
    """,
    re.VERBOSE | re.MULTILINE,
)
_LAST: Final = re.compile(
    rb"^\d+ files?, \d+ lines?, QoS lines understood \d+ of \d+: [^\r\n]*\s*\Z", re.MULTILINE
)


def is_own_output(payload: bytes) -> bool:
    r"""Say whether a file is a report or a snippet of remedies of this tool.

    Examples
    --------
    >>> is_own_output(b"! r4 (r4.cfg): plan by advisor 0.1.0: no lines\n! ====\n")
    True
    >>> is_own_output(b"! r4, to be changed on Monday\nhostname r4\n")
    False
    """
    head, tail = payload[:_LOOK_BYTES], payload[-_LOOK_BYTES:]
    return _FIRST.match(head) is not None or _LAST.search(tail) is not None


# Tasks over many inputs, and the process that does them: this one, others, a cluster.

Job = TypeVar("Job", bound="SizedJob")
Result = TypeVar("Result")
_Job_contra = TypeVar("_Job_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)


class SizedJob(Protocol):
    """A job that knows how much of an input it carries."""

    @property
    def size_bytes(self) -> int:
        """Size of the input."""
        ...


class Task(Protocol[_Job_contra, _Result_co]):
    """A task for many jobs, in this process or another. It pickles."""

    def __call__(self, job: _Job_contra, /) -> _Result_co:
        """Do one job."""
        ...

    def lost(self, job: _Job_contra, fault: str, /) -> _Result_co:
        """Result of a job that ends every process that does it; `fault` is the kind."""
        ...


class TaskRunner(Protocol):
    """Does a task with many jobs; the results come in the order of the jobs."""

    def __call__(self, task: Task[Job, Result], jobs: Iterable[Job], /) -> Iterator[Result]:
        """Yield a result for each job."""
        ...


def in_this_process(task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[Result]:
    """Do one job after the other in this process."""
    return (task(job) for job in jobs)


# Names of files: what a pattern or a handle means, and which files of a folder are inputs.

# Files that stand beside configurations in a repository and cannot be one.
NO_CAPTURES: Final = (
    *(".csv", ".html", ".json", ".md", ".pdf", ".py", ".rst", ".toml", ".yaml", ".yml"),
)
_HANDLES: Final = "/dev/fd"
_MOST_LINKS: Final = 8  # /dev/stdout leads to /proc/self/fd/1
MANIFEST: Final = "manifest.json"  # as the bundle has it, which a folder of configs need not import


def matches(pattern: str) -> list[str]:
    """Names that a pattern means, sorted.

    `**` goes into folders, not behind links to them, which may lead in a circle.
    """
    parts = [part for part in pattern.split(os.sep) if part]  # noqa: PTH206 -- as it is typed
    starts = {os.sep if pattern.startswith(os.sep) else ""}
    for place, part in enumerate(parts, start=1):
        if part != "**":
            starts = {
                os.path.join(start, name)  # noqa: PTH118
                for start in starts
                for name in glob(part, root_dir=start or None)  # noqa: PTH207
            }
        elif place < len(parts):
            starts = {folder for start in starts for folder in _folders(start)}
    return sorted(start or os.curdir for start in starts)


def _folders(start: str) -> Iterator[str]:
    """A folder and all below it that are not hidden."""
    for parent, folders, _ in os.walk(start or os.curdir):
        folders[:] = (name for name in folders if not name.startswith("."))
        yield parent if start else parent[2:]


def is_link(path: str) -> bool:
    return os.path.islink(path)  # noqa: PTH114 -- names may hold any bytes


def is_named(file: Path, path: str) -> bool:
    """Say whether a path, which is a file, a folder or a pattern, has a file read.

    Links count as what they lead to; a file that does not exist is not read.
    """
    if not file.is_file():
        return False
    if os.path.isdir(path):  # noqa: PTH112 -- names stay as the user typed them
        return _is_below(file, path)
    if not os.path.exists(path) and has_magic(path):  # noqa: PTH110
        return any(is_named(file, match) for match in matches(path))
    return os.path.exists(path) and os.path.samefile(file, path)  # noqa: PTH110, PTH121


def _is_below(file: Path, folder: str) -> bool:
    target = Path(os.path.realpath(file))
    try:
        parts = target.relative_to(os.path.realpath(folder)).parts
    except ValueError:
        return False
    if any(part.startswith(".") for part in parts):
        return False
    if target.name == MANIFEST:
        return True
    payload = target.read_bytes()
    if is_json_export(payload):
        return True
    return not (
        target.name.lower().endswith(NO_CAPTURES) or is_binary(payload) or is_own_output(payload)
    )


def handle_of(output: Path) -> int | None:
    """Number of the open file that a path like /dev/stdout or /dev/fd/63 means."""
    path = output
    for _ in range(_MOST_LINKS):
        if path.name.isdecimal() and os.path.realpath(path.parent) == os.path.realpath(_HANDLES):
            return whole(path.name)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None


def is_excluded(path: str, found: str, globs: Iterable[str]) -> bool:
    """Whether one of the globs that the user excludes means a file.

    A glob without a slash means each file and folder of that name in `found`, the part of the path
    that the user did not type. One with a slash means a path, or its end, and all below it.

    Examples
    --------
    >>> is_excluded("backups/asa/fw1.cfg", "asa/fw1.cfg", ["asa"])
    True
    >>> is_excluded("backups/old/r1.cfg", "old/r1.cfg", ["asa", "old/*.txt"])
    False
    """
    for pattern in (stated.rstrip("/") for stated in globs):
        if "/" not in pattern:
            if any(fnmatchcase(part, pattern) for part in found.split(os.sep)):  # noqa: PTH206
                return True
        elif any(
            fnmatchcase(path, start + pattern + end) for start in ("", "*/") for end in ("", "/*")
        ):
            return True
    return False


# An input of a run as it was read: which device it is of, and what it holds.

_MARKS_OF_A_CONFIG = (b"\ninterface ", b"\nhostname ")  # cheap; some tables have such a head
_LINE_OF_A_CONFIG = re.compile(rb"\n(?:interface [A-Za-z-]+ ?\d|hostname [^\s:])")
_MARKS_OF_A_DEVICE = (
    *(b"hostname", b"version", b"olicy", b"interface", b"nterface", b"five seconds", b"Peers:"),
)
_NAMES_A_DEVICE = re.compile(r"\bhostname \S|\bversion 1[0-7]\.\d")
_TOLD_TWICE = (b"\nhostname ", b"\nversion ")
_SIGNS_OF_MANY = (
    *(b"#", b">", b" uptime is ", b"\nsystem {", b"\nset system ", b"\nset version "),
    *(b"\n: Saved", b"\nASA Version "),
)
_FOREIGN_STARTS = (b";", b"#", b"/", b"! model", b"! ADTRAN", b"! Version")
# Signs of a file of several devices: a prompt, a second configuration, a second `show version`.
_MANY_DEVICES = re.compile(
    rb"^(?:[\[(\d][^\n#>]{0,40}[ \])])?[^\n ]{0,64}[#>]|^hostname [^\0]*\nhostname "
    rb"|^version [^\0]*\nversion | uptime is [^\0]*(?: uptime is |\nhostname )"
    rb"|^hostname [^\0]* uptime is |^end[ \t]*\r?\n(?:[ \t]*(?:![^\n]*)?\n)*+[ \t]*[^\s!]"
    rb"|^(?:system \{|set (?:system|version) |: Saved|ASA Version )"
    rb"|\A\s*(?:[;#/]|[\w-]+ \{|! (?:model|ADTRAN|Version))[^\0]*\nversion 1[0-7]\.\d",
    re.MULTILINE,
)


class Source(Struct, frozen=True):
    """An input as it was read: a file, a bundle, or what a file holds of one of its devices.

    `capture` holds all files of a bundle, or the part of a file, which is `payload` too.
    `is_pasted` where a margin or marks were taken off its lines: columns in the file are not known.
    `is_among_others` where the user did not name this input alone: a folder or a glob holds it, or
    other inputs stand beside it. There, a file of another system is skipped.
    """

    name: str
    payload: bytes
    capture: Capture | None = None
    is_pasted: bool = False
    is_among_others: bool = False

    @property
    def is_bundle(self) -> bool:
        """Whether it is a bundle, not a file or a part of one."""
        return self.capture is not None and not self.payload

    @property
    def size_bytes(self) -> int:
        """Size of what was read; of a bundle in characters."""
        sections = self.capture.sections if self.capture is not None else ()
        return len(self.payload) + sum(len(section.text) for section in sections)


class DeviceInputs(Struct, frozen=True):
    """The inputs of one device: its configuration or bundle, and show outputs of other files.

    Where the run has no configuration of it, `shows` holds at least one file.
    """

    config: Source | None
    shows: tuple[Source, ...] = ()
    others: tuple[str, ...] = ()  # files with another configuration of the same name
    rivals: tuple[str, ...] = ()  # names that the cut prompt of the shows may be of

    @property
    def sources(self) -> tuple[Source, ...]:
        """All inputs."""
        return (*filter(None, (self.config,)), *self.shows)

    @property
    def name(self) -> str:
        """Name of the first input."""
        return self.sources[0].name

    @property
    def size_bytes(self) -> int:
        """Size of all inputs."""
        return sum(source.size_bytes for source in self.sources)


def source_of(name: str, payload: bytes, *, is_among_others: bool = False) -> Source:
    """Make an input of a file, without what a paste adds ahead of its lines.

    Where another tool keeps texts in JSON, the lines are those of the texts, and the name says so.
    """
    export = export_of(payload)
    if export is not None and export.part:
        name = f"{name}#{export.part}"
    plain = plain_payload(payload if export is None else export.text)
    return Source(name, plain, is_pasted=plain is not payload, is_among_others=is_among_others)


def sources_of_texts(texts: Mapping[str, bytes]) -> Iterator[Source]:
    """Make inputs of texts by their names; those of a folder with a manifest are one bundle."""
    folders: dict[str, dict[str, bytes]] = {}
    for name, payload in texts.items():
        folder, _, file = name.rpartition("/")
        folders.setdefault(folder, {})[file] = payload
    for folder, files in folders.items():
        capture = _held_bundle(folder, files)
        if capture is not None:
            yield Source(capture.file, b"", capture, is_among_others=len(folders) > 1)
            continue
        for file, payload in files.items():
            name = f"{folder}/{file}" if folder else file
            yield source_of(name, payload, is_among_others=len(texts) > 1)


def _held_bundle(folder: str, files: Mapping[str, bytes]) -> Capture | None:
    if "manifest.json" not in files:
        return None
    from advisor.capture.read_bundle import MANIFEST, read_bundle  # noqa: PLC0415 -- few are bundles

    capture = read_bundle(Path(folder or "bundle"), files)
    of_manifest = (gap for gap in capture.missing if gap.command == MANIFEST)
    return None if any(gap.kind is not GapKind.UNUSED for gap in of_manifest) else capture


def capture_of(source: Source) -> Capture:
    """Sections of an input."""
    if source.capture is not None:
        return source.capture
    return _captured(source.payload, source.name)


@question(8)  # the index asks for what is read next, and all rivals of a name
def _captured(payload: bytes, name: str) -> Capture:
    return read_capture(text_of(payload), name)


def is_config_at_a_glance(source: Source) -> bool:
    """Whether an input is a bundle, or holds a line that only a configuration has."""
    payload = source.payload
    return source.is_bundle or (
        any(mark in payload for mark in _MARKS_OF_A_CONFIG)
        and _LINE_OF_A_CONFIG.search(payload) is not None
    )


def loose_shows(source: Source) -> Capture | None:
    """Sections of a file of show outputs of IOS; None of a bundle, or where it holds more."""
    if is_config_at_a_glance(source):
        return None
    capture = capture_of(source)
    kinds = {section.kind for section in capture.sections}
    if any(section.other_system is not None for section in capture.sections):
        return None
    return None if SectionKind.CONFIG in kinds or SectionKind.SHOW not in kinds else capture


def tells_a_device(source: Source) -> bool:
    """Whether a text that may be about devices holds what one printed: it names it or counts."""
    if not any(mark in source.payload for mark in _MARKS_OF_A_DEVICE):
        return False
    return any(map(_is_of_a_device, capture_of(source).sections))


def _is_of_a_device(section: Section) -> bool:
    if section.kind is SectionKind.SHOW:
        output = outputs().get(section.taken_for or "")
        return output is not None and bool(output.reads)
    is_config = section.kind is SectionKind.CONFIG and section.foreign_config is None
    is_held = is_config or section.gap is not None
    return is_held and _NAMES_A_DEVICE.search(section.text) is not None


def device_sources(source: Source) -> tuple[Source, ...]:
    """Part a file into what it holds of each device; the file itself where it is of one."""
    if source.capture is not None or not _may_hold_many(source.payload):
        return (source,)
    captures = by_device(capture_of(source))
    if len(captures) == 1:
        return (source,)
    return tuple(
        Source(
            source.name,
            "".join(section.text for section in part.sections).encode(),
            part,
            source.is_pasted,
            source.is_among_others,
        )
        for part in captures
    )


def _may_hold_many(payload: bytes) -> bool:
    """Whether a file has what only one of several devices has; most are passed by a few marks."""
    text = b"\n" + payload
    has_sign = (
        any(mark in text for mark in _SIGNS_OF_MANY)
        or any(text.count(mark) > 1 for mark in _TOLD_TWICE)
        or text.lstrip().startswith(_FOREIGN_STARTS)
        or b" {" in text.lstrip().partition(b"\n")[0]
        or text.partition(b"\nend")[2].strip(b" \t\r\n!")
    )
    return bool(has_sign) and _MANY_DEVICES.search(payload) is not None


def config_of(source: Source) -> Section | None:
    """The configuration that counts of those that an input holds."""
    sections = capture_of(source).sections
    return main_config([section for section in sections if section.kind is SectionKind.CONFIG])


def host_of(capture: Capture) -> str | None:
    """The device by the manifest of a bundle, else by a `show version` or by the first prompt."""
    shown = next((section.host for section in capture.sections if section.host), None)
    told = next((name for section in capture.sections if (name := version_name(section))), None)
    return capture.device or told or shown


# Inputs of a run that can be read more than once.


@runtime_checkable
class Sources(Protocol):
    """Inputs of a run: iterated in order, and each read again by its place in that order."""

    def __iter__(self) -> Iterator[Source]:
        """Read each input once."""
        ...

    def load(self, place: int) -> Source | None:
        """Read one input again; None where it no longer exists."""
        ...


class SourcesInMemory(Struct, frozen=True):
    """Inputs that are in memory."""

    sources: tuple[Source, ...]

    def __iter__(self) -> Iterator[Source]:
        return iter(self.sources)

    def load(self, place: int) -> Source | None:
        return self.sources[place]


class PerDevice(Struct):
    """Inputs of a run, a file of several devices once for each of them.

    The parts of one file are kept, those of the file that was read last.
    """

    sources: Sources
    # Place of a file, and of a part in it; None for a file of one device.
    _places: list[tuple[int, int | None]] = field(default_factory=list)
    _last: tuple[int, tuple[Source, ...]] | None = None

    def __iter__(self) -> Iterator[Source]:
        self._places.clear()
        for place, source in enumerate(self.sources):
            parts = device_sources(source)
            is_whole = len(parts) == 1 and parts[0] is source
            self._places += ((place, None if is_whole else at) for at in range(len(parts)))
            yield from parts

    def load(self, place: int) -> Source | None:
        outer, number = self._places[place]
        if number is None:
            return self.sources.load(outer)
        if self._last is None or self._last[0] != outer:
            source = self.sources.load(outer)
            self._last = (outer, () if source is None else device_sources(source))
        parts = self._last[1]
        return parts[number] if number < len(parts) else None


def sources_of(sources: Iterable[Source]) -> Sources:
    """Inputs of one device each that can be read again; what can be iterated only is kept."""
    if isinstance(sources, PerDevice):
        return sources
    return PerDevice(sources if isinstance(sources, Sources) else SourcesInMemory(tuple(sources)))
