"""Runs over many devices: the fixtures, and as many copies of a router as are asked for."""

import os
import pickle
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from advisor.device.inputs import Inputs
from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.findings import Verdict
from advisor.lint.run import review
from advisor.settings import Settings

FIXTURES = Path(__file__).parents[2] / "fixtures"
SHARED = "ADVISOR_TESTS"  # the folder of a run of the tests, of all its workers


def all_fixtures() -> Inputs:
    """Every configuration, bundle and show output, with DLSw+ peers of several devices."""
    return Inputs([str(FIXTURES)])


def verdict_of(path: Path) -> Verdict:
    """The verdict on a fixture without settings: the first test that asks for it makes it."""
    made = Path(os.environ[SHARED], "-".join(path.relative_to(FIXTURES).parts))
    with suppress(FileNotFoundError):
        verdict: Verdict = pickle.loads(made.read_bytes())  # noqa: S301 -- our own bytes
        return verdict
    verdict = review(Inputs([str(path)]), load_rules(Settings().budgets), Settings())
    whole = made.with_suffix(f".{uuid4()}")  # another worker may make it as well
    whole.write_bytes(pickle.dumps(verdict))
    whole.replace(made)
    return verdict


def branches(count: int) -> tuple[Source, ...]:
    """Configurations of one layout, each with its own name and its own DLSw+ peer."""
    text = (FIXTURES / "configs" / "wan-edge-512k.ios").read_text("utf-8")
    return tuple(
        Source(f"branch{number}.ios", _branch(text, number).encode()) for number in range(count)
    )


def _branch(text: str, number: int) -> str:
    lines = (line for line in text.splitlines() if not line.startswith(("hostname ", "end")))
    head = (
        f"hostname branch{number}",
        f"dlsw local-peer peer-id 10.0.{number}.1",
        f"dlsw remote-peer 0 tcp 10.0.{number + 1}.1",
    )
    return "\n".join((*lines, *head, "end", ""))
