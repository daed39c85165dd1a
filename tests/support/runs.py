"""Runs over many devices: the fixtures, and as many copies of a router as are asked for."""

from pathlib import Path

from advisor.device.inputs import Inputs
from advisor.device.reading import Source

FIXTURES = Path(__file__).parents[2] / "fixtures"


def all_fixtures() -> Inputs:
    """Every configuration, bundle and show output, with DLSw+ peers of several devices."""
    return Inputs([str(FIXTURES)])


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
