"""`diff --git` takes a repository as data: what it reads, what it says, and that nothing runs."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.cli import git_store, git_tree, run
from advisor.cli.endings import WrongUseError
from advisor.cli.git_tree import two_trees

pytestmark = pytest.mark.slow  # every test starts processes of git

CONFIG = "hostname a\ninterface Serial0/0\n bandwidth 512\nend\n"
Said = pytest.CaptureFixture[str]


class Git:
    """A repository on disk. `ran` is made by whatever runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ran = folder.parent / "ran"

    def __call__(self, *words: str, stdin: str = "") -> str:
        name = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
        done = subprocess.run(  # noqa: S603
            ["git", *name, *words],  # noqa: S607
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
            input=stdin,
        )
        return done.stdout.strip()

    def commit(self, **files: str) -> str:
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_cfg", ".cfg")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        self("add", "--all", "--force")
        self("commit", "--quiet", "--allow-empty", "--message", "change")
        return self("rev-parse", "HEAD")

    def commit_of_tree(self, tree: str) -> str:
        return self("commit-tree", tree, "-m", "tree")

    def object_of(self, name: str) -> Path:
        identity = self("rev-parse", name)
        return self.folder / ".git/objects" / identity[:2] / identity[2:]

    def script(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch '{self.ran}'\nexec cat\n", "utf-8")
        path.chmod(0o755)
        return path


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A repository with two versions of a.cfg, and a folder with b.cfg in both."""
    made = Git(tmp_path / "repository")
    made.folder.mkdir()
    monkeypatch.chdir(made.folder)
    made("init", "--quiet", "--initial-branch=main")
    made.commit(a_cfg=CONFIG, sites__b_cfg=CONFIG)
    made.commit(a_cfg=CONFIG + "! changed\n")
    return made


def files(revisions: str, *paths: str) -> tuple[dict[str, str], dict[str, str], tuple[str, ...]]:
    """Files of both ends, and what is not read."""
    with two_trees(revisions, paths) as trees:
        old, new = (
            {
                path.relative_to(tree.folder).as_posix(): path.read_text("utf-8")
                for path in sorted(tree.folder.rglob("*"))
                if path.is_file()
            }
            for tree in (trees.old, trees.new)
        )
        return old, new, trees.unread


HARMFUL = {
    "a filter": ("filter.x.smudge", "{script}"),
    "a filter process": ("filter.x.process", "{script}"),
    "a monitor": ("core.fsmonitor", "{script}"),
    "hooks": ("core.hooksPath", "{folder}/hooks"),
    "a pager": ("core.pager", "{script}"),
    "an alias": ("alias.cat-file", "!{script}"),
    "a text conversion": ("diff.x.textconv", "{script}"),
    "a helper for passwords": ("credential.helper", "!{script}"),
    "a file to include": ("include.path", "{folder}/more"),
    "a trace": ("trace2.normalTarget", "{ran}"),
    "refs of an alternate": ("core.alternateRefsCommand", "{script}"),
}


@pytest.mark.parametrize(("key", "text"), list(HARMFUL.values()), ids=list(HARMFUL))
def test_nothing_that_the_configuration_names_runs(git: Git, key: str, text: str) -> None:
    script = git.script(git.folder.parent / "script")
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        git.script(git.folder / "hooks" / hook)
        git.script(git.folder / ".git/hooks" / hook)
    (git.folder / "more").write_text(f"[core]\n\tpager = {script}\n", "utf-8")
    (git.folder / ".gitattributes").write_text("* filter=x diff=x\n", "utf-8")
    git.commit()
    (git.folder / ".git/info/attributes").write_text("* filter=x diff=x\n", "utf-8")
    git.ran.unlink(missing_ok=True)  # our own commit ran the hooks
    places = {"script": script, "folder": git.folder, "ran": git.ran}
    git("config", "core.compression", "1")
    config = git.folder / ".git/config"
    section, _, name = key.rpartition(".")
    first, _, second = section.partition(".")
    head = f'[{first} "{second}"]' if second else f"[{first}]"
    with config.open("a", encoding="utf-8") as file:
        file.write(f'{head}\n\t{name} = "{text.format(**places)}"\n')
    old, new, unread = files("HEAD~2..HEAD")
    assert (old["a.cfg"], new["a.cfg"], unread) == (CONFIG, CONFIG + "! changed\n", ())
    assert not git.ran.exists()


@pytest.mark.parametrize("url", ["ext::sh -c touch% {ran}", "{folder}"], ids=["program", "folder"])
def test_nothing_is_fetched_for_an_object_that_is_missing(git: Git, url: str, capsys: Said) -> None:
    script = git.script(git.folder.parent / "script")
    git.object_of("HEAD:a.cfg").unlink()
    settings = {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": str(script),
        "remote.origin.url": url.format(ran=git.ran, folder=git.folder),
        "protocol.ext.allow": "always",
    }
    for key, text in settings.items():
        git("config", key, text)
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 3
    said = capsys.readouterr().err
    assert "a.cfg: is not read, its blob" in said
    assert "is missing or damaged" in said
    assert not git.ran.exists()


@pytest.mark.parametrize(
    "variables",
    [
        pytest.param({"GIT_TRACE": "{ran}", "GIT_TRACE2_EVENT": "{ran}"}, id="traces"),
        pytest.param(
            {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor",
             "GIT_CONFIG_VALUE_0": "{script}"},
            id="settings",
        ),
        pytest.param({"GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/nowhere"}, id="another repository"),
        pytest.param({"GIT_OBJECT_DIRECTORY": "/nowhere"}, id="other objects"),
    ],
)  # fmt: skip
def test_variables_of_git_change_nothing(
    git: Git, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = git.script(git.folder.parent / "script")
    for name, text in variables.items():
        monkeypatch.setenv(name, text.format(ran=git.ran, script=script))
    assert files("HEAD~1..HEAD")[1]["a.cfg"] == CONFIG + "! changed\n"
    assert not git.ran.exists()


@pytest.mark.parametrize("folder", ["bin", "."])
def test_a_program_of_the_repository_is_not_run_as_git(
    git: Git, folder: str, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    git.script(git.folder / folder / "git")
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{git.folder / folder}{os.pathsep}/usr/bin")
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 2
    assert "is of the repository, and is not run" in capsys.readouterr().err
    assert not git.ran.exists()


def _tagged(git: Git) -> None:
    git("tag", "--annotate", "--message", "t", "v1", "HEAD~1")
    git("tag", "light", "HEAD")


def _cloned(git: Git) -> None:
    git("update-ref", "refs/remotes/origin/main", "HEAD~1")
    for key, text in {
        "remote.origin.url": "/nowhere",
        "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
        "branch.main.remote": "origin",
        "branch.main.merge": "refs/heads/main",
    }.items():
        git("config", key, text)


def _nothing(_: Git) -> None: ...


@pytest.mark.parametrize(
    ("revisions", "prepare"),
    [
        pytest.param("HEAD~1..HEAD", _nothing, id="by generation"),
        pytest.param("HEAD^..", _nothing, id="the parent and HEAD"),
        pytest.param("main^1..main", _nothing, id="a branch"),
        pytest.param("refs/heads/main~1..heads/main", _nothing, id="longer names"),
        pytest.param("v1..light", _tagged, id="tags"),
        pytest.param("v1^{}..v1-0-g{new}", _tagged, id="a peeled tag, as describe names"),
        pytest.param("origin/main..main", _cloned, id="a branch of a remote"),
        pytest.param("@{upstream}..HEAD", _cloned, id="the upstream"),
        pytest.param("main@{u}..@", _cloned, id="the upstream, short"),
        pytest.param("HEAD@{1}..HEAD@{0}", _nothing, id="the log of HEAD"),
        pytest.param("main@{1}..main", _nothing, id="the log of a branch"),
        pytest.param("{old}..{new}", _nothing, id="short hashes"),
        pytest.param("{old}...{new}", _nothing, id="where they part"),
        pytest.param(":/change~1..HEAD", _nothing, id="no revision of that message"),
    ],
)
def test_revisions_are_those_that_git_knows(
    git: Git, revisions: str, prepare: Callable[[Git], None]
) -> None:
    prepare(git)
    names = {"old": git("rev-parse", "--short", "HEAD~1"), "new": git("rev-parse", "--short", "@")}
    for short, identity in names.items():
        revisions = revisions.replace(f"{{{short}}}", identity)
    if "/change~" in revisions:
        with pytest.raises(WrongUseError, match="no revision"):
            files(revisions)
        return
    old, new, _ = files(revisions)
    assert (old["a.cfg"], new["a.cfg"]) == (CONFIG, CONFIG + "! changed\n")


def _worktree(git: Git) -> Path:
    git("worktree", "add", "--quiet", "--detach", "../linked", "HEAD")
    return git.folder.parent / "linked"


def _subfolder(git: Git) -> Path:
    (git.folder / "empty").mkdir()
    return git.folder / "empty"


def _packed(git: Git) -> Path:
    git("gc", "--quiet", "--aggressive")
    return git.folder


def _borrowing(git: Git) -> Path:
    git("clone", "--quiet", "--shared", ".", "../borrowing")
    return git.folder.parent / "borrowing"


def _by_a_file(git: Git) -> Path:
    (git.folder / ".git").rename(git.folder.parent / "elsewhere")
    (git.folder / ".git").write_text("gitdir: ../elsewhere\n", "utf-8")
    return git.folder


def _with_another_work_tree(git: Git) -> Path:
    git("config", "core.worktree", "/")
    return git.folder


def _shallow(git: Git) -> Path:
    git("clone", "--quiet", "--depth=2", f"file://{git.folder}", "../shallow")
    return git.folder.parent / "shallow"


@pytest.mark.parametrize(
    "place",
    [_worktree, _subfolder, _packed, _borrowing, _by_a_file, _with_another_work_tree, _shallow],
)
def test_a_path_is_read_wherever_the_repository_keeps_it(
    git: Git, place: Callable[[Git], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = place(git)
    monkeypatch.chdir(folder)
    up = "../" if folder.name == "empty" else ""
    old, new, unread = files("HEAD~1..HEAD", f"{up}a.cfg")
    assert (old, new) == ({"a.cfg": CONFIG}, {"a.cfg": CONFIG + "! changed\n"})
    assert not unread


def test_hashes_of_sha256_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git = Git(tmp_path / "long")
    git.folder.mkdir()
    monkeypatch.chdir(git.folder)
    git("init", "--quiet", "--object-format=sha256")
    git.commit(sites__b_cfg=CONFIG)
    git.commit(sites__b_cfg=CONFIG + "!\n")
    assert files("HEAD~1..HEAD", "sites")[0] == {"sites/b.cfg": CONFIG}


@pytest.mark.parametrize(
    ("path", "read"),
    [
        pytest.param("sites", {"sites/b.cfg"}, id="a folder"),
        pytest.param("sites/b.cfg", {"sites/b.cfg"}, id="a file"),
        pytest.param("*.cfg", {"a.cfg"}, id="a glob"),
        pytest.param("s*/[b].cfg", {"sites/b.cfg"}, id="a glob of folders"),
        pytest.param("**/*.cfg", {"a.cfg", "sites/b.cfg"}, id="a glob of any folders"),
        pytest.param("**", {"a.cfg", "sites/b.cfg"}, id="any folders"),
        pytest.param("./sites/../a.cfg", {"a.cfg"}, id="a way round"),
        pytest.param(".", {"a.cfg", "sites/b.cfg"}, id="all"),
    ],
)
def test_only_the_asked_files_are_read(
    git: Git, path: str, read: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    git.commit(**{".hidden_cfg": CONFIG})
    asked: list[str] = []
    blob = git_store.Repository.blob

    def counted(self: git_store.Repository, identity: str) -> bytes:
        asked.append(identity)
        return blob(self, identity)

    monkeypatch.setattr(git_store.Repository, "blob", counted)
    with two_trees("HEAD~1..HEAD", [path]) as trees:
        written = {
            found.relative_to(trees.new.folder).as_posix()
            for found in trees.new.folder.rglob("*")
            if found.is_file() and found.stat().st_size
        }
        assert trees.new.paths
    assert written == read
    assert len(asked) == 2 * len(read)


def test_a_name_with_a_star_is_that_file_where_a_revision_has_it(git: Git) -> None:
    git.commit(**{"[a]_cfg": "hostname star\n"})
    assert files("HEAD~1..HEAD", "[a].cfg")[1] == {"[a].cfg": "hostname star\n"}


def _link(git: Git) -> str:
    (git.folder / "link.cfg").symlink_to("/etc/passwd")
    git.commit()
    return "link.cfg"


def _submodule(git: Git) -> str:
    git("update-index", "--add", "--cacheinfo", f"160000,{git('rev-parse', 'HEAD')},module")
    git("commit", "--quiet", "--message", "module")
    return "module"


def _lfs(git: Git) -> str:
    git.commit(a_cfg="version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    return "a.cfg"


def _damaged(git: Git) -> str:
    file = git.object_of("HEAD:a.cfg")
    file.chmod(0o600)
    file.write_bytes(b"no zlib")
    return "a.cfg"


def _without_a_folder(git: Git) -> str:
    git.object_of("HEAD:sites").unlink()
    return "sites"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        pytest.param(_link, "is a link in git and is not followed", id="a link"),
        pytest.param(_submodule, "is a submodule in git and is not followed", id="a submodule"),
        pytest.param(_lfs, "is a pointer of Git LFS", id="LFS"),
        pytest.param(_damaged, "is missing or damaged", id="a damaged object"),
        pytest.param(_without_a_folder, "is missing or damaged", id="a missing folder"),
    ],
)
def test_what_is_not_read_is_named_and_left_out_of_both_revisions(
    git: Git, damage: Callable[[Git], str], reason: str, capsys: Said
) -> None:
    path = damage(git)
    others = {"a.cfg", "sites/b.cfg"} - {path, f"{path}/b.cfg"}
    old, new, unread = files("HEAD~1..HEAD", *others, path)
    assert set(old) == set(new) == others
    assert [line.partition(": ")[0] for line in unread] == [path]
    assert run(["diff", "--git", "HEAD~1..HEAD", path]) == 3
    assert reason in capsys.readouterr().err


def _becomes_a_link(git: Git) -> None:
    (git.folder / "sites/b.cfg").unlink()
    (git.folder / "sites/b.cfg").symlink_to("../a.cfg")


def _becomes_a_document(git: Git) -> None:
    (git.folder / "sites/b.cfg").rename(git.folder / "sites/other.json")


def _is_hidden(git: Git) -> None:
    (git.folder / "sites/b.cfg").rename(git.folder / "sites/.b.cfg")


def _moves_into_a_hidden_folder(git: Git) -> None:
    (git.folder / "sites/.old").mkdir()
    (git.folder / "sites/b.cfg").rename(git.folder / "sites/.old/b.cfg")


@pytest.mark.parametrize(
    "change", [_becomes_a_link, _becomes_a_document, _is_hidden, _moves_into_a_hidden_folder]
)
def test_a_configuration_that_is_no_longer_read_is_not_called_gone(
    git: Git, change: Callable[[Git], None], capsys: Said
) -> None:
    git.commit(sites__b_cfg=CONFIG.replace("hostname a", "hostname b"))
    change(git)
    git.commit()
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 3
    assert "sites/b.cfg of b, which is gone" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["..", "../escaped.cfg", "/escaped.cfg"])
def test_a_name_that_leads_out_of_its_folder_is_not_written(
    git: Git, name: str, tmp_path: Path
) -> None:
    blob = bytes.fromhex(git("rev-parse", "HEAD:a.cfg"))
    raw = b"100644 " + name.encode() + b"\0" + blob
    file = tmp_path / "raw"
    file.write_bytes(raw)
    tree = git("hash-object", "-t", "tree", "--literally", "-w", str(file))
    outer = git("mktree", stdin=f"040000 tree {tree}\tsites\n100644 blob {blob.hex()}\ta.cfg\n")
    _, new, unread = files(f"HEAD..{git.commit_of_tree(outer)}")
    assert set(new) == {"a.cfg"}
    assert unread == (f"sites/{name}: is no name of a file; not compared",)


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [
        pytest.param("_MOST_FILES", 1, "more than 1 files", id="files"),
        pytest.param("_MOST_ENTRIES", 2, "more than 2 names", id="names"),
        pytest.param("_MOST_BYTES", 10, "more than 0 MB", id="bytes"),
    ],
)
@pytest.mark.usefixtures("git")
def test_a_limit_is_named(
    limit: str, value: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_tree, limit, value)
    with pytest.raises(WrongUseError, match=said):
        files("HEAD~1..HEAD")
    if limit != "_MOST_ENTRIES":
        monkeypatch.setattr(git_tree, limit, 1000)
        assert files("HEAD~1..HEAD", "a.cfg")[1]


@pytest.mark.parametrize(
    "place",
    [
        *("packed-refs", "refs/heads/main", "refs/heads/a/b", "shallow", "config", "logs/HEAD"),
        *("objects/info/alternates", "objects/pack/pack-0.idx", "objects/{blob}"),
    ],
)
def test_a_pipe_in_the_repository_is_said_before_git_waits_for_it(
    git: Git, place: str, capsys: Said
) -> None:
    blob = git.object_of("HEAD:a.cfg")
    file = git.folder / ".git" / place.format(blob=f"{blob.parent.name}/{blob.name}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 2
    assert capsys.readouterr().err == f"advisor: --git: {file}: is not a regular file\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param("rev-parse", "0.5 s (limit): git rev-parse", id="a name"),
        pytest.param("cat-file", "0.5 s (limit): ", id="an object"),
    ],
)
def test_git_that_gives_no_answer_is_given_up(
    git: Git, command: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    program = git.folder.parent / "bin/git"
    program.parent.mkdir()
    real = shutil.which("git")
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *{command}*) exec sleep 9;; esac\nexec {real} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setattr(git_store, "_MOST_SILENT_SECONDS", 0.5)
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 2
    assert f"--git: no answer for {said}" in capsys.readouterr().err


@pytest.mark.usefixtures("git")
def test_reading_ends_at_its_limit(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    monkeypatch.setattr(git_store, "MOST_SECONDS", 0.0)
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 2
    assert "longer than 0 s (limit): name fewer paths" in capsys.readouterr().err


@pytest.fixture
def private(git: Git) -> Path:
    """The folder of git of another repository, with a device of its own."""
    other = Git(git.folder.parent / "private")
    other.folder.mkdir()
    other("init", "--quiet", "--initial-branch=main")
    other.commit(a_cfg="hostname PRIVATE\nend\n")
    other.commit(a_cfg="hostname PRIVATE\n! changed\nend\n")
    return other.folder / ".git"


def _instead(path: Path, target: Path) -> None:
    if path.is_dir():
        path.rename(path.with_name("gone"))
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def _written(path: Path, payload: bytes) -> None:
    path.write_bytes(payload)


def _common(own: Path, other: Path) -> None:
    (own / "commondir").write_text(f"{other}\n", "utf-8")


def _alternate_beside_a_link(own: Path, _: Path) -> None:
    (own / "x").symlink_to("/")
    _written(own / "objects/info/alternates", b"../x/../../../private/.git/objects\n")


LEADS_OUT: dict[str, Callable[[Path, Path], None]] = {
    "a link of git": _instead,
    "a link of objects": lambda own, other: _instead(own / "objects", other / "objects"),
    "a link of refs": lambda own, other: _instead(own / "refs", other / "refs"),
    "a link of packs": lambda own, _: _instead(own / "objects/pack", Path("/etc")),
    "a link of logs": lambda own, other: _instead(own / "logs", other / "logs"),
    "a link of a branch": lambda own, _: _instead(own / "refs/heads/main", Path("/dev/zero")),
    "a common folder": _common,
    "a common folder behind a NUL": lambda own, _: _written(own / "commondir", b"..\0"),
    "an alternate before a NUL": lambda own, other: _written(
        own / "objects/info/alternates", os.fsencode(other / "objects") + b"\0"
    ),
    "an alternate beside a link": _alternate_beside_a_link,
    "an alternate in quotes": lambda own, _: _written(own / "objects/info/alternates", b'"/x"\n'),
    "a link to a folder": lambda own, _: _instead(own / "refs/heads/x", Path("../tags")),
}


@pytest.mark.parametrize("lead", list(LEADS_OUT.values()), ids=list(LEADS_OUT))
def test_what_leads_out_of_the_repository_is_refused(
    git: Git, private: Path, lead: Callable[[Path, Path], None], capsys: Said
) -> None:
    lead(git.folder / ".git", private)
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 2
    said = capsys.readouterr()
    assert "not followed" in said.err
    assert not said.out


def _alternate(own: Path, other: Path) -> Path:
    (own / "objects/info/alternates").write_text(f"# ours\n{other / 'objects'}\n", "utf-8")
    (own / "refs/heads/main").write_bytes((other / "refs/heads/main").read_bytes())
    return other / "objects"


def _alternate_of_an_alternate(own: Path, other: Path) -> Path:
    between = own.parent.parent / "between"
    (between / "info").mkdir(parents=True)
    (between / "info/alternates").write_text(f"{other / 'objects'}\n", "utf-8")
    _alternate(own, other)
    (own / "objects/info/alternates").write_text("../../../between\n", "utf-8")
    return other / "objects"


def _named_by_a_file(own: Path, other: Path) -> Path:
    own.rename(own.with_name("gone"))
    own.write_text(f"gitdir: {other}\n", "utf-8")
    return other


@pytest.mark.parametrize("lead", [_alternate, _alternate_of_an_alternate, _named_by_a_file])
def test_another_folder_that_is_read_is_named(
    git: Git, private: Path, lead: Callable[[Path, Path], Path], capsys: Said
) -> None:
    place = lead(git.folder / ".git", private)
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 0
    assert f"objects are read from {place}" in capsys.readouterr().err


def test_a_pipe_in_borrowed_objects_is_said(git: Git, private: Path, capsys: Said) -> None:
    _alternate(git.folder / ".git", private)
    os.mkfifo(private / "objects/pack/pack-0.idx")
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 2
    assert "pack-0.idx: is not a regular file" in capsys.readouterr().err


def test_a_linked_work_tree_is_read_without_a_word(
    git: Git, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.chdir(_worktree(git))
    assert run(["diff", "--git", "HEAD~1..HEAD"]) == 0
    assert not capsys.readouterr().err


def test_a_file_of_many_is_read_alone(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = git("rev-parse", "HEAD:a.cfg")
    tree = git("mktree", stdin="".join(f"100644 blob {blob}\tf{n}\n" for n in range(100)))
    for _ in range(4):  # 10^10 files
        tree = git("mktree", stdin="".join(f"040000 tree {tree}\td{n}\n" for n in range(100)))
    root = git("mktree", stdin=f"040000 tree {tree}\tbomb\n100644 blob {blob}\ta.cfg\n")
    bomb = git.commit_of_tree(root)
    monkeypatch.setattr(git_tree, "_MOST_ENTRIES", 1000)
    assert set(files(f"HEAD..{bomb}", "a.cfg")[1]) == {"a.cfg"}
    with pytest.raises(WrongUseError, match="more than 1,000 names of files and folders"):
        files(f"HEAD..{bomb}")


def test_without_a_repository_it_is_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["diff", "--git", "a..b"]) == 2
    assert "is in no work tree of a git repository" in capsys.readouterr().err
