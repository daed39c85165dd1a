"""The picture of the report in README is of the report as it is."""

from tools.picture import KNOWN, PICTURE, digest, is_current


def test_the_picture_is_current() -> None:
    assert is_current(), "run `python -m tools.picture`"


def test_the_picture_is_there_beside_its_hash() -> None:
    assert PICTURE.read_bytes().startswith(b"\x89PNG")
    assert KNOWN.is_file()


def test_another_page_has_another_hash() -> None:
    assert digest("a") != digest("b")
