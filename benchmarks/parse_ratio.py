"""Bare parse of the same files: this reader against ciscoconfparse2, as a ratio.

    python benchmarks/parse_ratio.py [--at-least RATIO] [PATH ...]

ciscoconfparse2 lives in a virtual environment of its own (`.venv-oracle`, made by `.ci/run`). Run
by another Python, the script starts itself again with that one. Without PATH it takes
fixtures/configs and, where present, a corpus of real ones. Files are read and decoded
ahead; the rounds alternate between the parsers, each over all files, and the least CPU time of
each counts. Both start from the text and end with a tree whose lines know their parents or
children. Exit 1 where the ratio is below `--at-least`.
"""

import argparse
import gc
import importlib
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ORACLE = ROOT / ".venv-oracle" / "bin" / "python"
FOLDERS = [
    ROOT / "fixtures" / "configs",
    ROOT.parent / "shared" / "corpus" / "configs" / "ios",
]
ROUNDS = 7


def texts(paths: Sequence[Path]) -> list[str]:
    from advisor.ios.terminal import decode  # noqa: PLC0415 -- after the path is set

    files = sorted(
        file
        for path in paths
        for file in ([path] if path.is_file() else path.rglob("*"))
        if file.is_file()
    )
    return [decode(file.read_bytes())[0] for file in files]


def seconds(parse: Callable[[str], object], inputs: Sequence[str]) -> float:
    """CPU time of one round over all inputs: other processes do not count."""
    gc.collect()
    start = time.process_time()
    for text in inputs:
        parse(text)
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description="Parse speed against ciscoconfparse2")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--at-least", type=float, default=0.0, metavar="RATIO")
    arguments = parser.parse_args()
    if importlib.util.find_spec("ciscoconfparse2") is None:
        if not ORACLE.exists():
            print(f"no ciscoconfparse2 here and no {ORACLE}: run .ci/run once", file=sys.stderr)
            return 2
        return subprocess.run([ORACLE, *sys.argv], check=False).returncode
    sys.path.insert(0, str(ROOT))

    from advisor.ios.syntax.reader import parse_config  # noqa: PLC0415 -- after the path is set

    oracle = importlib.import_module("ciscoconfparse2").CiscoConfParse
    inputs = texts(arguments.paths or [folder for folder in FOLDERS if folder.is_dir()])
    lines = sum(text.count("\n") for text in inputs)
    rounds = [
        (
            seconds(parse_config, inputs),
            seconds(lambda text: oracle(text.split("\n"), syntax="ios"), inputs),
        )
        for _ in range(ROUNDS)
    ]
    ours_s, theirs_s = (min(column) for column in zip(*rounds, strict=True))
    print(f"{len(inputs)} files, {lines} lines, best of {ROUNDS} rounds")
    print(f"advisor          {ours_s * 1e3:8.1f} ms  {ours_s / lines * 1e6:6.2f} us/line")
    print(f"ciscoconfparse2  {theirs_s * 1e3:8.1f} ms  {theirs_s / lines * 1e6:6.2f} us/line")
    print(f"ratio            {theirs_s / ours_s:8.1f}")
    return int(theirs_s / ours_s < arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
