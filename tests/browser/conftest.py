"""Headless Chromium through Playwright; what needs it is skipped where there is none."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

_REQUIRED = os.environ.get("ADVISOR_BROWSER") == "required"  # as .ci/run says
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def _chromium() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is not None:
        return path
    if _REQUIRED:
        pytest.fail("Chromium is missing")
    pytest.skip("needs Chromium, as Debian's package `chromium`")


@pytest.fixture(scope="module")  # its event loop is left before the tests of another file
def browser() -> Iterator["Browser"]:
    path = _chromium()
    if not _REQUIRED:
        pytest.importorskip("playwright.sync_api")
    from playwright import sync_api as playwright  # noqa: PLC0415 -- may not be there

    with playwright.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=path, args=list(_FLAGS))
        yield browser
        browser.close()


class Opened:
    """A page of a file, with what it asked for and what it said."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.asked: list[str] = []
        self.said: list[str] = []
        self.left = 0  # times that the page asked whether to leave it
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", self._answer)

    def _answer(self, dialog: "Dialog") -> None:
        if dialog.type == "beforeunload":
            self.left += 1
        else:
            self.said.append(dialog.message)
        dialog.accept()

    def open(self, file: Path, anchor: str = "") -> "Page":
        self.page.goto(file.as_uri() + anchor)
        return self.page


@pytest.fixture
def opened(browser: "Browser") -> Iterator[Opened]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Opened(context.new_page())
    context.close()
