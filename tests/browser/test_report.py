"""The HTML report as a browser shows it: it acts by itself alone, and everyone can use it."""

import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

from advisor.cli import run
from tests.browser.conftest import Opened

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EDGE = ROOT / "fixtures/configs/wan-edge-512k.ios"
HUB = ROOT / "fixtures/configs/planted"
FORMS = ("lint", "predict", "sweep", "diff", "path", "size")


def report(folder: Path, *arguments: str) -> Path:
    file = folder / "report.html"
    assert run([*arguments, "--format", "html", "--output", str(file)]) in (0, 1, 3)
    return file


Pages = Callable[[str], Path]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """The page of a form, made once: a browser changes no file."""
    return cache(lambda form: page_of(form, tmp_path_factory.mktemp("page")))


SIZED = "--tps 100 --out-bytes 2000 --in-bytes 1000 --ru 1024 --redundant"
WORDS = {
    "one device": ("lint", str(EDGE)),
    "predict": ("predict", str(EDGE)),
    "sweep": ("predict", str(EDGE), "--sweep", "tx-ring-limit=1..6"),
    "size": ("size", "dlsw", "--platform", "3640", *SIZED.split()),
}


def page_of(form: str, folder: Path) -> Path:
    """A page of a command, with something in every part of it."""
    if form in WORDS:
        return report(folder, *WORDS[form])
    if form == "many devices":
        return many(folder)
    if form == "lint":
        long = folder / ("captured-at-the-branches-" * 6)
        shutil.copytree(ROOT / "fixtures/bundles", long)
        return report(folder, "lint", str(EDGE), str(long))
    if form == "path":
        hops = folder / "path.toml"
        hops.write_text(
            f'codec = ["g729"]\n[[hop]]\nname = "up"\nconfig = "{EDGE}"\n'
            'interface = "Serial0/0/0"\n',
            encoding="utf-8",
        )
        return report(folder, "predict", "--hops", str(hops))
    new = folder / "new.ios"
    new.write_text(
        EDGE.read_text("utf-8").replace("tx-ring-limit 10", "tx-ring-limit 30"), encoding="utf-8"
    )
    return report(folder, "diff", str(EDGE), str(new))


def many(folder: Path) -> Path:
    """More devices than are shown at first."""
    for number in range(34):
        text = EDGE.read_text("utf-8").replace("br-lisbon", f"br-{number:02}")
        (folder / f"r{number:02}.cfg").write_text(text, encoding="utf-8")
    return report(folder, "lint", str(folder), "--select", "TXR001,LLQ")


@pytest.mark.parametrize("form", FORMS)
def test_a_page_asks_for_nothing_and_has_no_error(form: str, opened: Opened, pages: Pages) -> None:
    file = pages(form)
    opened.open(file).wait_for_load_state("networkidle")
    assert opened.asked == [file.as_uri()]
    assert opened.said == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("form", FORMS)
def test_axe_finds_no_barrier(
    form: str, theme: Literal["light", "dark"], opened: Opened, pages: Pages
) -> None:
    axe = pytest.importorskip("axe_playwright_python")
    page = opened.page
    page.emulate_media(color_scheme=theme)
    opened.open(pages(form))
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run().then((result) => result.violations)")
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


@pytest.mark.parametrize("form", FORMS)
def test_a_phone_needs_no_sideways_scroll(form: str, opened: Opened, pages: Pages) -> None:
    opened.page.set_viewport_size({"width": 390, "height": 800})
    page = opened.open(pages(form))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_hostile_names_do_nothing(opened: Opened, tmp_path: Path) -> None:
    text = EDGE.read_text("utf-8")
    names = {
        "WAN-EDGE": "</script><script>alert(1)</script>",
        "VOICE": "<img/src=x/onerror=alert(2)>",
        "br-lisbon": "'\"><svg/onload=alert(3)>",
    }
    for name, hostile in names.items():
        text = text.replace(name, hostile)
    config = tmp_path / "r1.cfg"
    config.write_text(text, encoding="utf-8")
    file = report(tmp_path, "lint", str(config))
    page = opened.open(file)
    page.wait_for_load_state("networkidle")
    page.fill("#search", "policy")  # rows are made anew
    assert opened.said == []
    assert opened.asked == [file.as_uri()]
    assert "<img/src=x/onerror=alert(2)>" in page.inner_text("main")
    assert page.locator("main script, main img, main svg[onload]").count() == 0


class TestFindings:
    def test_search_leaves_the_rows_and_devices_that_fit(
        self, opened: Opened, pages: Pages
    ) -> None:
        page = opened.open(pages("lint"))
        page.fill("#search", "lisbon TXR001")
        assert page.locator("#rows tbody tr").count() == 1
        assert page.inner_text("#shown").startswith("1 of ")
        shown = page.locator("article.device:visible")
        assert [each.get_attribute("data-name") for each in shown.all()] == ["br-lisbon"]
        page.click("form button[type=reset]")
        page.wait_for_function("document.querySelectorAll('#rows tbody tr').length > 1")
        assert page.locator("article.device:visible").count() > 1

    def test_filters_choose_by_severity_and_rule(self, opened: Opened, pages: Pages) -> None:
        page = opened.open(pages("lint"))
        page.select_option("#severity", "info")
        badges = page.locator("#rows .badge").all_inner_texts()
        assert set(badges) == {"info"}
        page.select_option("#severity", "")
        page.select_option("#rule", "TXR001")
        rules = page.locator("#rows tbody td:nth-child(3)").all_inner_texts()
        assert {rule.split()[0] for rule in rules} == {"TXR001"}

    def test_a_heading_sorts_by_the_keyboard(self, opened: Opened, pages: Pages) -> None:
        page = opened.open(pages("lint"))
        page.focus("th[data-key=rule] button")
        page.keyboard.press("Enter")
        rules = page.locator("#rows tbody td:nth-child(3)").all_inner_texts()
        assert rules == sorted(rules)
        assert page.get_attribute("th[data-key=rule]", "aria-sort") == "ascending"
        page.keyboard.press("Enter")
        assert page.locator("#rows tbody td:nth-child(3)").all_inner_texts()[0] == max(rules)

    def test_a_row_leads_to_its_finding_and_opens_it(self, opened: Opened, pages: Pages) -> None:
        page = opened.open(pages("lint"))
        page.locator("#rows tbody a").nth(3).click()
        finding = page.locator("details#f4[open]")
        finding.wait_for()  # the browser tells of a new anchor later
        assert finding.is_visible()

    def test_the_first_stop_of_the_keyboard_is_past_the_head(
        self, opened: Opened, pages: Pages
    ) -> None:
        page = opened.open(pages("lint"))
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the report"


class TestManyDevices:
    def test_one_that_waits_is_put_in_for_its_finding(self, opened: Opened, pages: Pages) -> None:
        file = pages("many devices")
        page = opened.open(file)
        assert page.locator(".lazy").count() > 0
        page.fill("#search", "br-33")
        page.locator("#rows tbody a").first.click()
        finding = page.locator("article[data-name=br-33] details[open]").first
        finding.wait_for()
        assert finding.is_visible()

    def test_a_print_has_all_of_them_as_they_are_folded(self, opened: Opened, pages: Pages) -> None:
        page = opened.open(pages("many devices"))
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator(".lazy").count() == 0
        assert page.locator("details[open]").count() == 0

    def test_27_small_files_print_on_12_pages(self, opened: Opened, tmp_path: Path) -> None:
        configs = ROOT / "fixtures/configs"
        small = [*sorted(configs.glob("*.ios")), *sorted((configs / "composed").glob("*.*"))][:27]
        page = opened.open(report(tmp_path, "lint", *map(str, small)))
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) <= 12


def test_a_print_of_one_device_is_unfolded(opened: Opened, pages: Pages) -> None:
    page = opened.open(pages("one device"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 0


def test_a_plan_is_copied_as_it_is_pasted(opened: Opened, pages: Pages) -> None:
    page = opened.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened.open(pages("one device"))
    page.locator("button.copy").first.click()
    page.wait_for_function("document.querySelector('button.copy').textContent === 'Copied'")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == page.locator(".plan pre").first.inner_text().strip()
    assert " ppp multilink interleave" in copied.splitlines()


def test_the_button_turns_the_theme(opened: Opened, pages: Pages) -> None:
    opened.page.emulate_media(color_scheme="light")
    page = opened.open(pages("one device"))
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


def test_it_prints_on_paper(opened: Opened, pages: Pages) -> None:
    page = opened.open(pages("one device"))
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF-")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 2


@pytest.fixture
def of_one_name(tmp_path: Path) -> Path:
    """A report of two devices of one long name, one of them with a shorter ring."""
    for limit in (10, 30):
        text = EDGE.read_text("utf-8").replace("br-lisbon", "b" * 300)
        text = text.replace("tx-ring-limit 10", f"tx-ring-limit {limit}")
        (tmp_path / f"ring-{limit}.cfg").write_text(text, encoding="utf-8")
    return report(tmp_path, "lint", str(tmp_path), "--select", "TXR,LLQ,QLM")


def test_the_table_tells_devices_of_one_name_apart_and_filters_by_them(
    opened: Opened, of_one_name: Path
) -> None:
    page = opened.open(of_one_name)
    assert "ring-30.cfg)" in page.locator(".hurts a").first.inner_text()
    choice = page.locator("#device option", has_text="ring-10.cfg").inner_text()
    page.select_option("#device", choice)
    assert set(page.locator("#rows tbody td:nth-child(4)").all_inner_texts()) == {choice}
    shown = page.locator(
        "article.device:visible h3"
    ).all_text_contents()  # of what is outside the screen too
    assert shown == [choice]


def test_a_long_name_leaves_room_for_the_other_columns(opened: Opened, of_one_name: Path) -> None:
    page = opened.open(of_one_name)
    table = "document.querySelector('#rows').closest('.scroll')"
    assert page.evaluate(f"{table}.scrollWidth <= {table}.clientWidth")


@pytest.mark.parametrize(("column", "place"), [("before", 6), ("after", 7)])
def test_figures_sort_as_they_are_shown_and_those_without_stand_last(
    column: str, place: int, opened: Opened, of_one_name: Path
) -> None:
    page = opened.open(of_one_name)
    for is_rising in (True, False):
        page.click(f"th[data-key={column}] button")
        shown = page.locator(f"#rows tbody td:nth-child({place})").all_inner_texts()
        figures = [float(text.split()[0]) for text in shown if text]
        assert len(figures) > 1
        assert figures == sorted(figures, reverse=not is_rising)
        assert "" not in shown[: len(figures)]
        assert shown[len(figures) :] == [""] * (len(shown) - len(figures))
