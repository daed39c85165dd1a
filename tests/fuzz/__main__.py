"""Fuzz every reader and every command.

python -m tests.fuzz SEED COUNT [--jobs N] [--first INDEX] [--save DIR] [--no-shrink]
python -m tests.fuzz --replay SEED:INDEX [--save DIR]

Exit code 1 where a fault was found.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.case import Case, make_case
from tests.fuzz.execution import Bench
from tests.fuzz.pool import Pool
from tests.fuzz.report import Tally
from tests.fuzz.worker import Task


def main() -> int:
    """Run what the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    asked.add_argument("seed", type=int, nargs="?")
    asked.add_argument("count", type=int, nargs="?")
    asked.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked.add_argument("--first", type=int, default=0, metavar="INDEX")
    asked.add_argument("--save", type=Path, default=Path(".benchmarks/fuzz"), metavar="DIR")
    asked.add_argument("--no-shrink", action="store_true")
    asked.add_argument("--replay", metavar="SEED:INDEX")
    given = asked.parse_args()
    if given.replay:
        seed, _, index = given.replay.partition(":")
        return replay(int(seed), int(index), given.save)
    if given.seed is None or given.count is None:
        asked.error("takes SEED COUNT, or --replay SEED:INDEX")
    tasks = [Task(given.seed, given.first + number) for number in range(given.count)]
    tally = Tally()
    start = time.monotonic()
    for task, answer in Pool(tasks, given.jobs).answers():
        tally.add(task, answer)
        _progress(tally, given.count, start)
    took_s = time.monotonic() - start
    sys.stderr.write("\n")
    sys.stdout.writelines(f"{line}\n" for line in tally.lines(given.seed, took_s))
    if not given.no_shrink:
        for folder in _saved(tally, given.jobs, given.save):
            sys.stdout.write(f"saved {folder}\n")
    return 1 if tally.causes else 0


def replay(seed: int, index: int, folder: Path) -> int:
    """Save one input and say what is wrong with it."""
    case = make_case(seed, index)
    if case is None:
        sys.stdout.write(f"{seed}:{index} mutates ../shared/corpus, which is not there\n")
        return 0
    place = save(case, folder / f"{seed}-{index}")
    bench = Bench()
    try:
        outcome = bench.run(case)
    finally:
        bench.remove()
    sys.stdout.write(f"{case.kind}, saved in {place}, {outcome.took_s:.2f} s\n")
    for call in case.calls:
        sys.stdout.write(f"advisor {call.words!a}\n")
    for fault in outcome.faults:
        sys.stdout.write(f"{fault.kind}, {fault.place}, by {fault.target}\n{fault.detail}\n")
    return 1 if outcome.faults else 0


def save(case: Case, folder: Path) -> Path:
    """Write the files of a case, and what was run on them."""
    for name, payload in case.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(payload)
    said = [f"case {case.seed}:{case.index}, {case.kind}; main file {case.main}"]
    said += [f"reader {name} ({case.command})" for name in case.readers]
    said += [f"advisor {call.words!a} < {call.stdin or os.devnull}" for call in case.calls]
    (folder / "case.txt").write_text("\n".join(said) + "\n", "utf-8")
    return folder


def _saved(tally: Tally, jobs: int, folder: Path) -> Iterator[Path]:
    """Shrink the first input of each cause; one that is lost with its worker is saved as it is."""
    for task, answer in Pool(tally.first_tasks(), jobs).answers():
        case = answer.case or make_case(task.seed, task.index)
        if case is not None and task.group is not None:
            kind = "".join(char if char.isalnum() else "-" for char in "-".join(task.group))
            yield save(case, folder / f"{task.seed}-{task.index}-{kind}"[:150])


def _progress(tally: Tally, count: int, start: float) -> None:
    took_s = time.monotonic() - start
    rate = tally.inputs / took_s if took_s else 0.0
    done = tally.inputs + tally.skipped
    if done % 20 == 0 or done == count:
        sys.stderr.write(f"\r{done}/{count}  {rate:.1f}/s  {len(tally.causes)} causes ")
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
