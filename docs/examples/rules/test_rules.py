"""The examples of the rules in this folder keep their promises."""

from pathlib import Path

from advisor.checks import broken_promises


def test_examples_keep_their_promises() -> None:
    assert broken_promises(Path(__file__).parent) == ()
