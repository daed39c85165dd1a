"""The grammar of IOS release names: `12.4(15)T9`, `12.0(5)XE3`, `15.1(4)M`, `16.9.2`."""

import re
from typing import Final

from msgspec import Struct

from advisor.units import whole

_RELEASE: Final = re.compile(
    r"(?P<major>\d+)\.(?P<minor>\d+)\((?P<release>\d+)(?P<minor_letter>[a-z])?"
    r"(?:\.(?P<interim>[\d.]+))?\)(?P<train>[A-Z]*)(?P<rebuild>\d+)?(?P<rebuild_letter>[a-z])?"
)
_DOTTED: Final = re.compile(
    r"(?P<major>\d+)\.(?P<minor>\d+)\.(?P<release>\d+)(?P<minor_letter>[a-z])?"
)
FIRST_XE_MAJOR: Final = 16  # from this release on, IOS and IOS XE have the same number


class Release(Struct, frozen=True):
    """The parts of a release of IOS or IOS XE.

    `12.4(15)T9` has major 12, minor 4, release 15, train `T`, rebuild 9. `interim` is the text in
    the brackets after the release (`4.0.55` has `0.55`). Mainline has an empty train.
    """

    major: int
    minor: int
    release: int
    interim: str | None
    train: str
    rebuild: int | None
    text: str


def release_of(text: str) -> Release | None:
    """Parts of a release name; None if the text is not a release name.

    Source of the grammar: Cisco's "IOS and NX-OS Software Reference Guide".

    >>> release = release_of("12.4(15)T9")
    >>> release.major, release.minor, release.release, release.train, release.rebuild
    (12, 4, 15, 'T', 9)
    >>> release_of("03.11.01.E") is None
    True
    """
    match = _RELEASE.fullmatch(text)
    if match is not None:
        rebuild = match["rebuild"]
        return Release(
            whole(match["major"]),
            whole(match["minor"]),
            whole(match["release"]),
            match["interim"],
            match["train"],
            whole(rebuild) if rebuild else None,
            text,
        )
    dotted = _DOTTED.fullmatch(text)
    if dotted is None or whole(dotted["major"]) < FIRST_XE_MAJOR:
        return None
    major, minor, release = (whole(dotted[name]) for name in ("major", "minor", "release"))
    return Release(major, minor, release, None, "", None, text)
