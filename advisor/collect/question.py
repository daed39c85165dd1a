"""What a device asks: for the password, for something else, or nothing but the next command."""

import re
from collections.abc import Iterable
from typing import Final

from advisor.capture.masking import REMOVED, mask_quoted_line

_LONGEST_SHOWN: Final = 80
_LONGEST_QUESTION: Final = 200
_LINES_OF_A_MENU: Final = 25
_CHOICES_OF_A_MENU: Final = 2
_LINES_BESIDE_CHOICES: Final = 3

_PASSWORD: Final = re.compile(
    r"password|passcode|passphrase|passwort|kennwort|mot de passe|contrase\u00f1a|senha",
    re.IGNORECASE,
)
# The words of a dialog that wants another password than the one that was given.
_OF_A_CHANGE: Final = re.compile(
    r"\b(?:new|old|current|previous|again|re-?type\w*|re-?enter\w*|confirm\w*|verify|repeat\w*"
    r"|chang\w*|expir\w*|reset\w*|renew\w*|choose|update\w*|must)\b",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"[?:\]]\s*\Z|\[[^\[\]]{1,40}\][?:>#]?\s*\Z|\((?:y|yes)/(?:n|no)\)|\[(?:y|yes)/(?:n|no)\]"
    r"|\[confirm\]|press (?:return|enter|any key|space)|hit (?:return|enter|any key)"
    r"|--more--|\bselection\b",
    re.IGNORECASE,
)
_BEFORE_AN_ANSWER: Final = re.compile(r"\[confirm\]|[(\[](?:y|yes)/(?:n|no)[)\]]", re.IGNORECASE)
# IOS warns of other characters than letters, digits and hyphens, and takes them all the same.
_PROMPT: Final = re.compile(rb"[A-Za-z0-9_][!-~]{0,79}[>#]")
_NOT_IN_A_PROMPT: Final = re.compile(rb"[?\[\]<>#:\"]")
_OF_ANOTHER_MODE: Final = re.compile(rb"\((?:conf|cfg|boot|y/n|yes)", re.IGNORECASE)
_WORDS_THAT_ASK: Final = re.compile(
    rb"(?:user(?:name)?|login|pass(?:word|code|wd)?|selection|select|choice|choose|option|menu"
    rb"|yes|no|y|n|y/n|yes/no|confirm|continue|enter|more|answer|command|press|return)",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(r"\s{0,20}[(\[]?\d{1,3}[.)\]:]?\s+\S")
_CHOOSE: Final = re.compile(r"\b(?:select|selection|choose|choice|option|menu)\b", re.IGNORECASE)
_DIALOG_WORDS: Final = frozenset(
    (
        *("--more--", "a", "again", "an", "and", "answer", "any", "change", "changed", "choice"),
        *("choose", "code", "confirm", "confirmation", "continue", "current", "different", "do"),
        *("enable",),
        *("enter", "erase", "expired", "expires", "for", "get", "has", "have", "is", "it", "key"),
        *("login", "menu", "more", "must", "name", "new", "no", "now", "nvram", "of", "old", "on"),
        *("or", "passcode", "passphrase", "password", "please", "press", "proceed", "re-enter"),
        *("re-type", "reenter", "reload", "reset", "retype", "return", "selection", "set"),
        *("started", "started!", "system", "the", "this", "to", "token", "type", "user"),
        *("username", "verification", "verify", "want", "with", "yes", "you", "your"),
    )
)
_WORD: Final = re.compile(r"[^\s?!.,:;()\[\]/>#]+")


def is_for_the_password(prompt: str, around: str = "") -> bool:
    """Whether a prompt asks for the password of a login, and for no other.

    Parameters
    ----------
    prompt
        The question itself.
    around
        What is said with it: a title, instructions.

    Examples
    --------
    >>> is_for_the_password("Password: "), is_for_the_password("Enter new password:")
    (True, False)
    >>> is_for_the_password("Password:", "Your password has expired")
    False
    """
    if len(prompt) > _LONGEST_QUESTION or not _PASSWORD.search(prompt):
        return False
    if _OF_A_CHANGE.search(prompt) or "?" in prompt or "\n" in prompt.strip():
        return False
    return not (_PASSWORD.search(around) and _OF_A_CHANGE.search(around))


def shown(text: str, secrets: Iterable[str] = ()) -> str:
    """Text of a device for a report: one short printable line, without what may be a secret.

    A line made of the words of dialogs alone stays, though `password` is among them.

    Examples
    --------
    >>> shown("Enter new password: "), shown("Password of the day is tiger7:")
    ('Enter new password:', 'Password <removed>')
    """
    line = "".join(each if each.isprintable() else " " for each in text[-_LONGEST_QUESTION:])
    line = " ".join(line.split())
    for secret in sorted((each for each in secrets if each), key=len, reverse=True):
        line = line.replace(secret, REMOVED)
    if not {each.casefold() for each in _WORD.findall(line)} <= _DIALOG_WORDS:
        line = mask_quoted_line(line)
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}\u2026"


def last_line(seen: bytes | bytearray) -> bytes:
    """What stands where the cursor is."""
    end = bytes(seen[-_LONGEST_QUESTION - 1 :])
    return end.rsplit(b"\n", 1)[-1].rsplit(b"\r", 1)[-1].strip(b"\0\b ")


def unfinished(seen: bytes | bytearray) -> str:
    """What stands on the last line as a question for a secret does, a colon at its end."""
    last = last_line(seen)
    return last.decode("latin-1") if last.endswith(b":") else ""


def prompt_of(seen: bytes | bytearray) -> bytes:
    """The prompt that a device stands at; empty where it is none, or may ask something.

    `name>` or `name#` alone on its line, without a character or a word of a question, and not
    under a question or a list of choices.
    """
    last = last_line(seen)
    name = last[:-1]
    if not _PROMPT.fullmatch(last) or _NOT_IN_A_PROMPT.search(name):
        return b""
    if _OF_ANOTHER_MODE.search(name) or _WORDS_THAT_ASK.fullmatch(name):
        return b""
    return b"" if _is_asked_above(seen) else last


def question_of(seen: bytes | bytearray) -> str:
    """The question that a device waits at; empty where the text does not look like one."""
    lines = _lines(seen)
    asked = next((each for each in reversed(lines) if each.strip()), "")
    if _QUESTION.search(asked[-_LONGEST_QUESTION:]) or _is_menu(lines):
        return asked
    above = lines[-2] if len(lines) > 1 else ""
    return above if prompt_like(last_line(seen)) and _BEFORE_AN_ANSWER.search(above) else ""


def prompt_like(line: bytes) -> bool:
    """Whether a line could be a prompt but for where it stands."""
    return _PROMPT.fullmatch(line) is not None


def _lines(seen: bytes | bytearray) -> list[str]:
    text = bytes(seen[-_LINES_OF_A_MENU * _LONGEST_SHOWN :]).decode("latin-1")
    return [each[-_LONGEST_QUESTION:] for each in text.replace("\r", "\n").split("\n") if each]


def _is_asked_above(seen: bytes | bytearray) -> bool:
    lines = _lines(seen)
    return _is_menu(lines) or (len(lines) > 1 and _BEFORE_AN_ANSWER.search(lines[-2]) is not None)


def _is_menu(lines: list[str]) -> bool:
    """Whether the last lines are choices, and those beside them say that one is to be made."""
    at = [number for number, line in enumerate(lines) if _CHOICE.match(line)]
    if len(at) < _CHOICES_OF_A_MENU or len(lines) - 1 - at[-1] > _LINES_BESIDE_CHOICES:
        return False
    beside = (*lines[max(at[0] - _LINES_BESIDE_CHOICES, 0) : at[0]], *lines[at[-1] + 1 :])
    return any(_CHOOSE.search(line) for line in beside)
