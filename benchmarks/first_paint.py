"""First paint of a report of 500 devices and 5,000 findings, against an empty page of its size.

    python benchmarks/first_paint.py

Needs Chromium and Playwright. Both pages are opened in turn; the ratio is of the medians.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from advisor.device.coverage import DeviceCoverage, FileCoverage
from advisor.ground.quantity import Basis, Figure, exact
from advisor.lint.findings import (
    Confidence,
    Finding,
    Forecast,
    Level,
    Place,
    Remedy,
    Severity,
    Verdict,
)
from advisor.report.lint_page import render_lint

DEVICES, EACH, ROUNDS = 500, 10, 9
PAINT = """
() => new Promise((done) => {
  const told = performance.getEntriesByName("first-contentful-paint");
  if (told.length) return done(told[0].startTime);
  new PerformanceObserver((list, watcher) => {
    const found = list.getEntriesByName("first-contentful-paint");
    if (found.length) { watcher.disconnect(); done(found[0].startTime); }
  }).observe({ type: "paint", buffered: true });
})
"""


def finding(device: int, number: int) -> Finding:
    name, interface = f"router-{device:03}", f"interface Serial0/{number}/0"
    before, after = (Figure(value, value / 2, value * 2, "ms") for value in (90.0 + number, 12.0))
    given = tuple(
        exact(f"input_{each}", 1.0, Basis.CONFIGURED, f"{name}:{each}") for each in range(8)
    )
    return Finding(
        device=name,
        rule="TXR001",
        name="tx-ring-too-deep-for-llq",
        severity=Severity.WARNING,
        confidence=Confidence.LIKELY,
        object=interface,
        locations=(Place(f"{name}.cfg", 40 + number, " tx-ring-limit 16"),),
        message="a ring of 16 packets alone delays VOICE by up to 259 ms; tx-ring-limit 1 by 47 ms",
        prediction=Forecast("delay of VOICE", before, after, given),
        remedy=Remedy(
            Level.NEEDS_WINDOW, (interface, " tx-ring-limit 1"), (interface, " no tx-ring-limit 1")
        ),
        sources=("Cisco document 6142",),
    )


def report() -> str:
    findings = tuple(finding(device, number) for device in range(DEVICES) for number in range(EACH))
    files = tuple(
        FileCoverage(
            f"router-{device:03}.cfg", f"router-{device:03}", "Cisco IOS configuration", 300
        )
        for device in range(DEVICES)
    )
    devices = tuple(DeviceCoverage(f"router-{device:03}", (), ()) for device in range(DEVICES))
    return render_lint(Verdict(findings, (), files, devices), ())


def paint_ms(browser: Browser, file: Path) -> float:
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri(), wait_until="commit")
    taken: float = page.evaluate(PAINT)
    context.close()
    return taken


def main() -> int:
    path = shutil.which("chromium")
    if path is None:
        sys.exit("needs Chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as player:
        full, empty = Path(folder, "full.html"), Path(folder, "empty.html")
        text = report()
        full.write_text(text, encoding="utf-8")
        size = len(text.encode())
        head = '<!DOCTYPE html><html lang="en"><title>empty</title><p>empty</p><!--'
        empty.write_text(f"{head}{' ' * (size - len(head) - 3)}-->", encoding="utf-8")
        browser = player.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        taken: dict[Path, list[float]] = {full: [], empty: []}
        for _ in range(ROUNDS):
            for file, times in taken.items():
                times.append(paint_ms(browser, file))
        browser.close()
    of_full, of_empty = median(taken[full]), median(taken[empty])
    print(f"{DEVICES} devices, {DEVICES * EACH} findings, {size / 1e6:.1f} MB")
    print(f"first paint {of_full:.0f} ms, empty page of the same size {of_empty:.0f} ms")
    print(f"ratio {of_full / of_empty:.2f} (goal 3)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
