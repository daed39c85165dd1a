"""Comments to this tool in a configuration: `! advisor: …`, also behind a command."""

from typing import Final

from advisor.ios.patterns import pattern

WORD: Final = "advisor:"
_FREE_TEXT: Final = ("description ", "remark ")  # IOS takes all that follows as text
_BEHIND: Final = pattern(r"\s!\s*advisor:")


def directive_of(text: str) -> str | None:
    """What a comment says to this tool; None of any other line.

    >>> directive_of("! advisor: ignore[TXR001] until the move")
    'ignore[TXR001] until the move'
    """
    said = text.lstrip("! \t")
    if not text.startswith("!") or not said.startswith(WORD):
        return None
    return said.removeprefix(WORD).strip()


def without_directive(text: str) -> tuple[str, str | None]:
    """A command and what a comment behind it says to this tool, if there is one.

    >>> without_directive("tx-ring-limit 16 ! advisor: ignore[TXR001]")
    ('tx-ring-limit 16', 'ignore[TXR001]')
    """
    found = None if text.startswith(_FREE_TEXT) else _BEHIND.search(text)
    if found is None:
        return text, None
    return text[: found.start()].rstrip(), text[found.end() :].strip()
