"""The what-if page without a server: the product in the browser, with the figures of the server."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import pytest

from advisor.serve.answer import answer
from advisor.serve.export import ExportError, export
from advisor.theory.kernel.threads import cores
from tests.browser.conftest import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EDGE = (ROOT / "fixtures/configs/wan-edge-512k.ios").read_text("utf-8")
RING = "fieldset[data-key=tx-ring-limit]"
SETTLED = "#plan:not([aria-busy]) section >> nth=0"
TIMES = "performance.getEntriesByName('figures').map((each) => each.duration)"
_FIRST_S = 10.0


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page; `ADVISOR_PYODIDE` names a folder with the parts, where there is no network."""
    given = os.environ.get("ADVISOR_PYODIDE")
    if given is None and shutil.which("npm") is None:
        pytest.skip("needs npm, or the parts in a folder that ADVISOR_PYODIDE names")
    made = tmp_path_factory.mktemp("exported") / "page"
    try:
        export(made, None if given is None else Path(given))
    except ExportError as error:
        pytest.skip(str(error))
    return made


class Visit:
    """One visit: the first figure after an empty cache, then the slider."""

    def __init__(self, page: "Page", url: str) -> None:
        self.page = page
        self.opened = Opened(page)
        begun = monotonic()
        page.goto(url)
        page.fill("#config", EDGE)
        page.locator("#figures section").wait_for(timeout=120_000)
        self.first_s = monotonic() - begun
        page.locator(SETTLED).wait_for()
        self.asked_at_first = len(self.opened.asked)


@pytest.fixture(scope="module")
def visit(folder: Path, browser: "Browser") -> Iterator[Visit]:
    handler = functools.partial(Silent, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        yield Visit(context.new_page(), f"http://127.0.0.1:{server.server_port}/")
        context.close()
        server.shutdown()
        thread.join()


def test_the_first_figure_comes_within_10_s(visit: Visit) -> None:
    busy = max(1.0, os.getloadavg()[0] / cores())  # others have their part of the cores
    assert visit.first_s < _FIRST_S * busy


@pytest.mark.parametrize("ring", [None, 1, 4])
def test_the_figures_are_those_of_the_server(visit: Visit, ring: int | None) -> None:
    moved = {} if ring is None else {"tx-ring-limit": ring}
    if ring is not None:
        visit.page.locator(f"{RING} input[type=range]").fill(str(ring))
        visit.page.wait_for_timeout(100)
        visit.page.locator(SETTLED).wait_for()
    asked = {"texts": {"pasted": EDGE}, "moved": moved}
    assert visit.page.inner_text("#status") == answer(asked)["said"]
    found = answer({**asked, "part": "plan"})["plan"]
    assert visit.page.inner_text("#findings-h") in found


def test_figures_follow_a_slider_within_500_ms(visit: Visit) -> None:
    for ring in (2, 3, 5, 7):
        visit.page.locator(f"{RING} input[type=range]").fill(str(ring))
        visit.page.wait_for_timeout(100)
        visit.page.locator(SETTLED).wait_for()
    assert min(visit.page.evaluate(TIMES)) < 500


def test_nothing_leaves_the_page(visit: Visit) -> None:
    assert "nothing of it leaves this page" in visit.page.inner_text("header")
    visit.page.click("#example")
    visit.page.locator("#output option", has_text="demo-branch").first.wait_for(state="attached")
    assert visit.opened.asked[visit.asked_at_first :] == []
    assert visit.opened.said == []
    tried = "fetch('http://127.0.0.2/').then(() => 'sent', () => 'refused')"
    assert visit.page.evaluate(tried) == "refused"
    assert "Content Security Policy" in visit.opened.said[0]
