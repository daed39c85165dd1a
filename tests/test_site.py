"""The documentation site: it builds, loads nothing from elsewhere, and its examples run in order."""

import re
import shlex
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.lint.rulebook import rules_of
from advisor.settings import Settings
from advisor.theory.formulas import formulas
from tools.site import ROOT, build, pages

DOCS = ROOT / "docs"
LESSONS = (
    DOCS / "site/index.md",
    DOCS / "tutorial.md",
    DOCS / "fix.md",
    *sorted((DOCS / "how-to").glob("*.md")),
)
BLOCK = re.compile(r"<!-- (run|file (\S+)) -->\n((?:    .*\n|\n(?=    ))+)")
INPUTS = {
    "r1.cfg": "configs/wan-edge-512k.ios",
    "spoke.cfg": "configs/production/1941-dmvpn-spoke.ios",
    "calibration.toml": "dlsw/calibration-3640.toml",
    "sites.csv": "dlsw/sites.csv",
    "backups": "configs/production",
}
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[\w-]*)?\)")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, source in INPUTS.items():
        origin = ROOT / "fixtures" / source
        (shutil.copytree if origin.is_dir() else shutil.copy)(origin, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def steps(page: Path) -> Iterator[tuple[str | None, str]]:
    """The files and the commands of a page in their order."""
    for found in BLOCK.finditer(page.read_text("utf-8")):
        text = re.sub(r"^    ", "", found[3], flags=re.MULTILINE)
        if found[2]:
            yield found[2], text
        else:
            yield from ((None, line) for line in text.splitlines() if line)


@pytest.mark.slow
@pytest.mark.parametrize("page", LESSONS, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(
    page: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = 0
    for file, text in steps(page):
        if file is not None:
            (here / file).write_text(text, encoding="utf-8")
            continue
        program, *arguments = shlex.split(text)
        code = run(arguments)
        said = capsys.readouterr()
        assert (program, code in (0, 1)) == ("advisor", True), f"{text}: {code}\n{said.err}"
        commands += 1
    assert commands


def test_the_tutorial_cures_its_router(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file, text in steps(DOCS / "tutorial.md"):
        if file is not None:
            (here / file).write_text(text, encoding="utf-8")
        elif "fix" in text or "r1.new.cfg" in text:
            capsys.readouterr()
            last = run(shlex.split(text)[1:])
    assert last == 0
    assert "0 errors, 0 warnings" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"])
def test_a_link_of_a_page_outside_the_site_leads_somewhere(page: str) -> None:
    links = LINK.findall((ROOT / page).read_text("utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="mkdocs-material is in the extra docs")
    folder = tmp_path_factory.mktemp("site")
    build(folder)
    return folder


class Loads(HTMLParser):
    """Addresses that a page loads by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        stated = dict(attrs)
        name = "href" if tag == "link" and "canonical" not in (stated.get("rel") or "") else "src"
        if tag in ("link", "script", "img", "iframe") and (address := stated.get(name)):
            self.found.append(address)


def test_home_leads_to_the_what_if_page_where_the_site_has_it() -> None:
    assert '<a href="what-if/">' in pages(has_page=True)["index.md"]
    assert "what-if" not in pages()["index.md"]


@pytest.mark.slow
def test_each_rule_and_each_formula_has_a_page(site: Path) -> None:
    names = [f"rules/{rule.card.id}" for rule in rules_of(Settings())]
    names += [f"formulas/{name}" for name in formulas()]
    assert [name for name in names if not (site / name / "index.html").is_file()] == []


@pytest.mark.slow
def test_each_link_within_the_site_leads_somewhere(site: Path) -> None:
    broken = [
        (str(page.relative_to(site)), link)
        for page in site.rglob("*.html")
        for link in re.findall(r'<a href="([^"#:]+)[#"]', page.read_text("utf-8"))
        if not link.startswith("/") and not (page.parent / link).exists()
    ]
    assert broken == []


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loaded = {
        address for page in site.rglob("*.html") for address in Loads(page.read_text("utf-8")).found
    }
    assert loaded
    assert sorted(address for address in loaded if re.match(r"(?:https?:)?//", address)) == []


@pytest.mark.slow
def test_it_is_searched_without_a_server(site: Path) -> None:
    assert "tx-ring-too-deep-for-llq" in (site / "search/search_index.json").read_text("utf-8")
