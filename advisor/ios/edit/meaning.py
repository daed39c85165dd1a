"""The meaning of a command by its words and its mode, computed once for each pair."""

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
from advisor.ios.syntax.abbreviations import spelled_out
from advisor.ios.syntax.modes import opens_mode


class Meaning(Struct, frozen=True):
    """The meaning of a command.

    `words` are the words of its canonical form, without `no`. `family` names the settings that
    one `no` removes together, `group` the settings whose order has a meaning, `uses` the
    policy-map or class-map that it names, `opens` the mode that it opens. `is_default` is true if
    the device behaves so without the command.
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
    """Read a command that is typed or stored in a mode."""
    text = spelled_out(mode, text)
    first, _, argument = text.partition(" ")
    negative = first == "no" and bool(argument)
    words = kept_words(mode, argument if negative else text)
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
