"""Every command line of the README and of the pages runs as it is printed, beside its files."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.cli import run

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
WAN_EDGE = "configs/wan-edge-512k.ios"
FILES = {
    **dict.fromkeys(("r1.cfg", "old.cfg", "new.cfg", "session.log", "wan-edge-512k.ios"), WAN_EDGE),
    **dict.fromkeys(("backups/r1.cfg", "configs/r1.cfg"), WAN_EDGE),
    "sites.csv": "dlsw/sites.csv",
    "own.toml": "dlsw/calibration-3640.toml",
}
JUDGING = ("lint", "diff")  # 1 is a finding
GIT = ("-c", "user.name=t", "-c", "user.email=t@example.com")
WRITTEN = {
    "site.toml": """\
[[traffic]]
class = "BULK"
dscp = "af11"
tcp_flows = 3

[[traffic]]
class = "BULK"
dscp = "af12"
tcp_flows = 6
""",
}
# A class with WRED, and a policy that is not there: pages ask for both of `r1.cfg`.
MORE = """\
class-map match-any BULK
 match dscp af11 af12
policy-map WRED
 class BULK
  bandwidth percent 60
  random-detect dscp-based
  random-detect dscp af11 12 40 10
  random-detect dscp af12 8 40 5
interface Serial0/0/1
 clock rate 6000000
 encapsulation ppp
 service-policy output WRED
interface Serial0/0/2
 service-policy output GONE
end
"""
# What asks a router, waits for a client or a change, or needs a cluster, a repository or another
# package.
ELSEWHERE = re.compile(
    r"advisor (?:collect|audit|demo-router|serve|lsp)\b|--scheduler |--watch\b|oxidized\.git"
    r"|docs/examples/ciscoconfparse|trends bundles/"
)


def command_lines(page: Path) -> Iterator[list[str]]:
    """Command lines of a page in their order, with the lines that continue them."""
    text = page.read_text("utf-8").replace("\\\n", " ")
    for line in re.findall(r"^(?: {4})?(?:\$ )?(advisor [a-z].*)$", text, re.MULTILINE):
        if not ELSEWHERE.search(line):
            words = shlex.split(line, comments=True)[1:]
            yield words[: words.index(">")] if ">" in words else words


def example(name: str) -> str:
    """A file that docs/files.md shows."""
    page = (ROOT / "docs/files.md").read_text("utf-8")
    found = re.search(rf"<!-- {re.escape(name)} -->\n(.*?)<!-- ", page, re.DOTALL)
    assert found is not None, name
    return "".join(f"{line[4:]}\n" for line in found[1].splitlines())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the pages name, and nothing else."""
    monkeypatch.chdir(tmp_path)
    for name, fixture in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "fixtures" / fixture, tmp_path / name)
    config = (tmp_path / "r1.cfg").read_text("utf-8")
    (tmp_path / "r1.cfg").write_text(config.replace("end\n", MORE), "utf-8")
    for name, text in {**WRITTEN, "cases.json": example("cases.json")}.items():
        (tmp_path / name).write_text(text, "utf-8")
    _, path = re.findall(r"```toml\n(.*?)```", PAGES[0].read_text("utf-8"), re.DOTALL)
    (tmp_path / "path.toml").write_text(path, "utf-8")
    shutil.copytree(ROOT / "fixtures/bundles/wan-edge-demo", tmp_path / "r1")
    for name in ("fixtures", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    for words in ("init --quiet --initial-branch main", "add configs", "commit --quiet -m configs"):
        subprocess.run(["git", *GIT, *words.split()], check=True, cwd=tmp_path)  # noqa: S603, S607
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_command_lines_of_a_page_run_as_printed(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = []
    for words in command_lines(page):
        code = run(words)
        said = capsys.readouterr().err
        if code != 0 and (code != 1 or words[0] not in JUDGING):
            wrong.append((shlex.join(words), code, said.strip()))
    assert not wrong, "\n".join(map(str, wrong))
