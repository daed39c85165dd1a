"""All that a command says by its words and its mode, worked out once for each pair."""

from functools import lru_cache

from msgspec import Struct

from advisor.ios.edit.command_keys import Key
from advisor.ios.edit.keys import (
    family_of,
    is_off_by_default,
    is_on_by_default,
    kept_words,
    ordered_group,
    setting_key,
    use_of,
)
from advisor.ios.syntax.modes import opens_mode


class Meaning(Struct, frozen=True):
    """What a command says.

    `words` are those of the command in its one form, without `no`; `family` what one `no` takes
    away together; `group` the settings among which order is meaning; `uses` the policy-map or
    class-map it names; `opens` the mode it opens; `is_default` is true where the device is so
    without the command.
    """

    negative: bool
    words: tuple[str, ...]
    key: Key
    family: Key | None
    group: Key | None
    uses: Key | None
    opens: str | None
    is_default: bool


@lru_cache(maxsize=1 << 15)
def meaning_of(mode: str, text: str) -> Meaning:
    """Read a command that is given, or stored, in a mode."""
    first, _, rest = text.partition(" ")
    negative = first == "no" and bool(rest)
    words = kept_words(mode, rest if negative else text)
    key = setting_key(mode, words)
    if negative:
        is_default = is_off_by_default(mode, words)
    else:
        is_default = words == key and is_on_by_default(mode, key)
    return Meaning(
        negative=negative,
        words=words,
        key=key,
        family=family_of(mode, words),
        group=ordered_group(mode, words),
        uses=None if negative else use_of(mode, words),
        opens=None if negative else opens_mode(mode, " ".join(words)),
        is_default=is_default,
    )
