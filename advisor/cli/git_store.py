"""Reads the objects of a git repository through git; nothing that the repository names runs.

Git starts in a folder of our own: it has links to the names and the objects of the repository, and
a configuration that we write. Git never opens the configuration, the hooks, the attributes or the
index of the repository. See docs/decisions/020-a-repository-is-data.md.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from time import monotonic
from typing import IO, Final

from msgspec import Struct

from advisor.cli.endings import WrongUseError
from advisor.cli.git_folder import GitFolder
from advisor.ground.bounded import LARGEST_BYTES, MEGABYTE, has_more
from advisor.report import printable

MOST_SECONDS: Final = 120.0
_MOST_SILENT_SECONDS: Final = 20.0  # of a command or an object, as on a disk that is gone
_LARGEST_ALLOCATION: Final = "512m"  # of git, for one object and what it is a delta of
_FORMATS: Final = {"extensions.objectformat": "sha256", "extensions.refstorage": "reftable"}
_FOLDER_MODE, _LINK_MODE, _SUBMODULE_MODE = 0o040000, 0o120000, 0o160000
_KIND_OF_MODE: Final = 0o170000


class ObjectError(Exception):
    """An object is missing, damaged or too large; the text says which."""


class TreeEntry(Struct, frozen=True):
    """One name of a folder: `identity` is the hash of a blob, a tree or a submodule's commit."""

    name: str
    mode: int
    identity: str

    @property
    def is_folder(self) -> bool:
        return self.mode & _KIND_OF_MODE == _FOLDER_MODE

    @property
    def not_entered(self) -> str:
        """Name the kind of an entry that is never followed; empty for files and folders."""
        kinds = {_LINK_MODE: "link", _SUBMODULE_MODE: "submodule"}
        return kinds.get(self.mode & _KIND_OF_MODE, "")


class Revision(Struct, frozen=True):
    """A commit, and the second of its date since 1970 (UTC)."""

    commit: str
    at_s: int


class Repository:
    """Objects of a repository, and commits by the names that people write; `top` has `.git`."""

    def __init__(self, source: GitFolder, own: Path) -> None:
        self.top = source.top
        self.notes = source.notes
        self._own = own
        self._program = _git_outside(source.top)
        self._environment = _environment(own, source.shared / "objects")
        self._ends_at = monotonic() + MOST_SECONDS
        self._batch: subprocess.Popen[bytes] | None = None
        self._timer: Timer | None = None

    def commit(self, name: str) -> str:
        """Hash of the commit that a revision names.

        Raises
        ------
        WrongUseError
            If there is none.
        """
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return self._asked(*words, unless=f"--git: no revision {name!r}")

    def merge_base(self, old: str, new: str) -> str:
        """The commit where two commits part.

        Raises
        ------
        WrongUseError
            If the repository does not have it.
        """
        lost = "no common commit is here; a shallow clone may lack it: fetch more of it"
        return self._asked("merge-base", old, new, unless=f"--git: {lost}")

    def history(self, name: str) -> list["Revision"]:
        """The commits of a revision and of its first parents, newest first.

        Raises
        ------
        WrongUseError
            If there is none.
        """
        words = ("rev-list", "--first-parent", "--timestamp", "--end-of-options", self.commit(name))
        lines = (self._output(*words) or b"").decode("ascii", "replace").splitlines()
        pairs = (line.split() for line in lines)
        return [Revision(commit, int(stamp)) for stamp, commit in pairs]

    def entries(self, tree: str) -> Iterator[TreeEntry]:
        """Entries of a folder, by the hash of its tree or `COMMIT^{tree}`.

        Raises
        ------
        ObjectError
            If the tree cannot be read.
        """
        payload = self._object(tree, b"tree")
        size = len(tree.partition("^")[0]) // 2
        start = 0
        while start < len(payload):
            blank, end = payload.find(b" ", start), payload.find(b"\0", start)
            identity = payload[end + 1 : end + 1 + size]
            mode = payload[start:blank]
            if not start < blank < end or len(identity) < size or mode.strip(b"01234567"):
                raise ObjectError(f"its tree {tree} is damaged")
            name = os.fsdecode(payload[blank + 1 : end])
            yield TreeEntry(name, int(mode, 8), identity.hex())
            start = end + 1 + size

    def blob(self, identity: str) -> bytes:
        """Content of a file.

        Raises
        ------
        ObjectError
            If it cannot be read or is too large.
        """
        return self._object(identity, b"blob")

    def check_time(self) -> None:
        """Raise `WrongUseError` when the time for reading is over."""
        if monotonic() > self._ends_at:
            raise WrongUseError(
                f"--git: reading takes longer than {MOST_SECONDS:g} s (limit): name fewer paths"
            )

    def _silent_until(self) -> float:
        return min(self._ends_at, monotonic() + _MOST_SILENT_SECONDS)

    def _silent(self, what: str) -> WrongUseError:
        self.check_time()
        return WrongUseError(f"--git: no answer for {_MOST_SILENT_SECONDS:g} s (limit): {what}")

    def close(self) -> None:
        """End the process that reads objects; the next object starts another one."""
        if self._timer is not None:
            self._timer.cancel()
        if self._batch is not None:
            self._batch.kill()
            with suppress(OSError):
                self._batch.__exit__(None, None, None)
        self._batch = self._timer = None

    def _object(self, name: str, kind: bytes) -> bytes:
        self.check_time()
        questions, answers = self._started()
        try:
            questions.write(f"{name}\n".encode())
            questions.flush()
            if not has_more(answers.fileno(), self._silent_until()):
                self.close()
                raise self._silent(name)
            head = answers.readline().split()
            if head[-1:] == [b"missing"]:
                raise ObjectError(f"its {kind.decode()} {name} is missing or damaged")
            size = int(head[2]) if len(head) == 3 else -1  # noqa: PLR2004 -- hash, kind, size
            payload = answers.read(size + 1)[:-1] if 0 <= size <= LARGEST_BYTES else b""
        except OSError:  # git has ended
            head, size, payload = [], -1, b""
        if size > LARGEST_BYTES:
            self.close()
            raise ObjectError(f"is larger than {LARGEST_BYTES // MEGABYTE} MB (limit)")
        if len(payload) != size or head[1] != kind:
            self.close()
            self.check_time()
            raise ObjectError(f"its {kind.decode()} {name} is damaged")
        return payload

    def _started(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._batch is None:
            self._batch = self._process("cat-file", "--batch")
            self._timer = Timer(max(self._ends_at - monotonic(), 0), self._batch.kill)
            self._timer.daemon = True
            self._timer.start()
        assert self._batch.stdin is not None  # noqa: S101 -- both are pipes
        assert self._batch.stdout is not None  # noqa: S101
        return self._batch.stdin, self._batch.stdout

    def _process(self, *words: str) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 -- words of ours, and revisions after their options
                [self._program, "--no-pager", *words],
                cwd=self._own,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise WrongUseError(f"--git: git cannot be run: {error.strerror}") from error

    def _output(self, *words: str, stdin: bytes = b"") -> bytes | None:
        """Output of a git command; None where it fails."""
        with self._process(*words) as process:
            try:
                output, _ = process.communicate(stdin, max(self._silent_until() - monotonic(), 0))
            except subprocess.TimeoutExpired:
                process.kill()
                raise self._silent(f"git {words[0]}") from None
        return output if process.returncode == 0 else None

    def _asked(self, *words: str, unless: str) -> str:
        output = self._output(*words)
        if not output:
            raise WrongUseError(printable(unless))
        return output.split()[0].decode("ascii", "replace")

    def configure(self, configuration: bytes) -> None:
        """Write our configuration: of the repository's, formats and the upstreams of branches."""
        listed = self._output("config", "--file", "-", "--no-includes", "--null", "--list",
                              stdin=configuration)  # fmt: skip
        lines = ["[core]", "repositoryformatversion = 1", "bare = true"]
        for item in (listed or b"").decode("utf-8", "surrogateescape").split("\0"):
            key, _, value = item.partition("\n")
            section, _, rest = key.partition(".")
            middle, _, name = rest.rpartition(".")
            if _FORMATS.get(key) == value.lower():
                lines += (f"[{section}]", f"{rest} = {value.lower()}")
            elif (section, name) in (
                ("branch", "remote"),
                ("branch", "merge"),
                ("remote", "fetch"),
            ):
                lines += (f"[{section} {_quoted(middle)}]", f"{name} = {_quoted(value)}")
        payload = "\n".join(lines).encode("utf-8", "surrogateescape")
        (self._own / "config").write_bytes(payload + b"\n")


@contextmanager
def opened(source: GitFolder) -> Iterator[Repository]:
    """Open a repository.

    Raises
    ------
    WrongUseError
        If there is no git, or the repository cannot be read.
    """
    with TemporaryDirectory(prefix="advisor-git-") as temporary:
        own = Path(temporary)
        try:
            _link(source, own)
        except OSError as error:
            raise WrongUseError(f"--git: {own}: {error.strerror}") from error
        repository = Repository(source, own)
        try:
            repository.configure(source.configuration)
            yield repository
        finally:
            repository.close()


def _link(source: GitFolder, own: Path) -> None:
    """Fill a folder of git with links to what names commits, and no configuration."""
    (own / "HEAD").write_bytes(source.head)
    (own / "logs").mkdir()
    for name, target in source.names:
        (own / name).symlink_to(target, target_is_directory=target.is_dir())
    (own / "config").touch()


def _git_outside(top: Path) -> str:
    """The user's git: a program that lies in the repository is none."""
    program = shutil.which("git")
    if program is None:
        raise WrongUseError("--git: git cannot be run: there is none on the PATH")
    real = os.path.realpath
    if not os.path.isabs(program) or Path(real(program)).is_relative_to(real(top)):  # noqa: PTH117
        raise WrongUseError(printable(f"--git: {program} is of the repository, and is not run"))
    return program


def _environment(own: Path, objects: Path) -> dict[str, str]:
    """Environment of git: no variable of the caller's git, no file of anybody's settings."""
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return inherited | {
        "GIT_DIR": str(own),
        "GIT_OBJECT_DIRECTORY": str(objects.absolute()),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "HOME": str(own),  # git before 2.32 does not know the variable above
        "XDG_CONFIG_HOME": str(own),
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOC_LIMIT": _LARGEST_ALLOCATION,
        "LC_ALL": "C",
    }


def _quoted(text: str) -> str:
    """A value or a subsection as git's configuration holds it."""
    return '"' + text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") + '"'
