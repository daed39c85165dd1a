"""Words of flags."""

from collections.abc import Sequence


def words(values: Sequence[str]) -> tuple[str, ...]:
    """Words of a flag that may be repeated and may hold commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())
