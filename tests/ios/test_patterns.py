"""A pattern that is compiled late is the pattern."""

import re

import pytest

from advisor.ios import pattern


@pytest.mark.parametrize("method", ["match", "fullmatch", "search", "findall", "split"])
def test_it_answers_as_the_compiled_pattern_does(method: str) -> None:
    late, compiled = pattern("B+", re.IGNORECASE), re.compile("B+", re.IGNORECASE)
    for text in ("bb", "abba", "x"):
        first, again = getattr(late, method)(text), getattr(late, method)(text)
        assert str(first) == str(again) == str(getattr(compiled, method)(text))


def test_nothing_is_compiled_before_its_use() -> None:
    late = pattern("(")
    with pytest.raises(re.error):
        late.match("x")


def test_it_has_no_attribute_that_a_pattern_has_not() -> None:
    assert not hasattr(pattern("x"), "_fields")
    with pytest.raises(AttributeError):
        pattern("x").no_such_method  # type: ignore[attr-defined]  # noqa: B018
