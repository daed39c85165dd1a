"""The picture of the HTML report in README.

    python -m tools.picture            # draws it; needs Chromium and Playwright
    python -m tools.picture --check    # says whether it is current; needs neither

The hash of the page that was drawn, its data and its templates, stands beside the picture.
"""

import argparse
import json
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs/pictures/report.png"
KNOWN = PICTURE.with_suffix(".json")
_WIDTH, _HEIGHT = 1100, 1720
_ARGUMENTS = ("lint", "fixtures/configs/wan-edge-512k.ios", "--format", "html", "--output")


def page() -> str:
    """HTML text of the report that is drawn."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "report.html")
        command = (sys.executable, "-m", "advisor", *_ARGUMENTS, str(file))
        subprocess.run(command, cwd=ROOT, check=False, capture_output=True)  # noqa: S603 -- ours
        return file.read_text("utf-8")


def digest(text: str) -> str:
    """The marks that tell one page from another."""
    return sha256(text.encode()).hexdigest()


def is_current() -> bool:
    """Whether the picture is of the page as it is now."""
    known: str = json.loads(KNOWN.read_text("utf-8"))["page"]
    return known == digest(page())


def draw() -> None:
    """Draw the picture, light, of the top of the page."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- a check does without

    text = page()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("needs Chromium")
    with TemporaryDirectory() as folder, sync_playwright() as player:
        file = Path(folder, "report.html")
        file.write_text(text, encoding="utf-8")
        browser = player.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        shown = browser.new_page(
            viewport={"width": _WIDTH, "height": _HEIGHT}, color_scheme="light"
        )
        shown.goto(file.as_uri())
        shown.screenshot(path=PICTURE)
        browser.close()
    KNOWN.write_text(json.dumps({"page": digest(text)}, indent=2) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="say whether it is current")
    if not parser.parse_args().check:
        draw()
        return 0
    if is_current():
        return 0
    print("docs/pictures/report.png is out of date: run `python -m tools.picture`", file=sys.stderr)  # noqa: T201
    return 1


if __name__ == "__main__":
    sys.exit(main())
