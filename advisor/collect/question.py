"""Tells output from questions: for a password, for an answer, or for more input."""

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from advisor.capture.masking import mask_quoted_line, without_secrets
from advisor.collect import DeviceError
from advisor.ios.terminal import decode, has_residue, render, without_pager

# Whether a device asks for the password, asks another question, or awaits a command.

_LONGEST_SHOWN: Final = 80
_LONGEST_QUESTION: Final = 200
_LONGEST_DIALOG: Final = 4000  # a secret that begins before the question is whole in it
_LINES_OF_A_MENU: Final = 25
_CHOICES_OF_A_MENU: Final = 2
_LINES_BESIDE_CHOICES: Final = 3

_WORD_FOR_IT: Final = r"(?:password|passwort|kennwort|mot de passe|contrase\u00f1a|senha)"
# Words of a dialog that wants another secret than the password that was given.
_OF_ANOTHER: Final = re.compile(
    r"\b(?:new|old|current|previous|again|re-?type\w*|re-?enter\w*|confirm\w*|verif\w*|repeat\w*"
    r"|chang\w*|expir\w*|reset\w*|renew\w*|choos\w*|chose\w*|updat\w*|must|set|another|different"
    r"|one[- ]?time|otp|oath|totp|hotp|token|tokencode|passcode|passphrase|pin|code|duo|securid|rsa"
    r"|factor|hint|challenge|ablauf\w*|abgelaufen|neues?|expir\u00e9\w*|nouveau|caducad\w*|nueva)\b",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"[?:\]]\s*\Z|\[[^\[\]]{1,40}\][?:>#]?\s*\Z|\((?:y|yes)/(?:n|no)\)|\[(?:y|yes)/(?:n|no)\]"
    r"|\[confirm\]|press (?:return|enter|any key|space)|hit (?:return|enter|any key)"
    r"|--more--|\bselection\b",
    re.IGNORECASE,
)
_BEFORE_AN_ANSWER: Final = re.compile(
    r"\[confirm\]|[(\[](?:y|yes)/(?:n|no)[)\]]"
    r"|\b(?:press|hit|type|enter|answer)\s+(?:(?:the|your|any|an?|either)\s+|[\"'`<\[(]){0,3}"
    r"(?:return|enter|yes|no|y|n|key|space|one-?time|code|pin|otp|token|passcode|password|choice"
    r"|selection|option|number|letter)\b",
    re.IGNORECASE,
)
_LINES_OF_A_QUESTION: Final = 4  # so many lines above a prompt may still be one
# IOS warns of other characters than letters, digits and hyphens, and takes them all the same.
_PROMPT: Final = re.compile(rb"[A-Za-z0-9_][!-~]{0,79}[>#]")
_NOT_IN_A_PROMPT: Final = re.compile(rb"[?\[\]<>#:\"]")
_OF_ANOTHER_MODE: Final = re.compile(rb"\((?:conf|cfg|boot|y/n|yes)", re.IGNORECASE)
# `r1(config-if)#`, `r1(boot)>`, `rommon 1 >`: a mode that the exec left.
_MODE_PROMPT: Final = re.compile(
    rb"[A-Za-z0-9_][!-~]{0,79}\((?:conf|cfg|boot)[!-~]{0,40}\)[>#]|rommon ?\d{0,4} ?>",
    re.IGNORECASE,
)
_WORDS_THAT_ASK: Final = re.compile(
    rb"(?:user(?:name)?|login|pass(?:word|code|wd)?|selection|select|choice|choose|option|menu"
    rb"|yes|no|y|n|y/n|yes/no|confirm|continue|enter|more|answer|command|press|return|token|otp"
    rb"|pin|code|passphrase|challenge|response|sure|proceed|reload|erase|really|ok|accept)",
    re.IGNORECASE,
)
# Such a word beside others asks too; no router is called so.
_PART_THAT_ASKS: Final = re.compile(
    rb"(?:\A|[-_./])(?:proceed|confirm|continue|reload|really|sure|password|passcode|yes|y/n)"
    rb"(?:\Z|[-_./])",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(r"\s{0,20}(?:[(\[]?\d{1,3}[.)\]:]?|[(\[]?[A-Za-z][.)\]:])\s+\S")
_CHOOSE: Final = re.compile(r"\b(?:select|selection|choose|choice|option|menu)\b", re.IGNORECASE)
_DIALOG_TEXT: Final = """
    --more-- a again an and answer any change changed choice choose code confirm confirmation
    continue current different do enable enter erase expired expires for get has have is it key
    login menu more must n name new no now nvram of old on one-time or otp passcode passphrase
    password please press proceed re-enter re-type reenter reload reset return retype selection
    set started started! system the this to token type user username verification verify want
    with y yes you your
"""
_DIALOG_WORDS: Final = frozenset(_DIALOG_TEXT.split())
_WORD: Final = re.compile(r"[^\s?!.,:;()\[\]/>#]+")


def asks_for_password(prompt: str, context: str = "", username: str = "") -> bool:
    """Whether a prompt asks for the password of a user, in a shape that is known, and no other.

    Every secret that is sent is sent to such a question alone.

    Parameters
    ----------
    prompt
        The question itself.
    context
        Text around it: a title, instructions, the lines above.
    username
        Who logs in; empty where the question is for no user's password, as that of `enable`.

    Examples
    --------
    >>> asks_for_password("Password: "), asks_for_password("Enter new password:")
    (True, False)
    >>> asks_for_password("Password:", "Your password has expired")
    False
    >>> asks_for_password("bob's password:", username="bob"), asks_for_password("bob's password:")
    (True, False)
    """
    text = prompt.strip()
    if len(text) > _LONGEST_QUESTION or _OF_ANOTHER.search(context):
        return False
    user = rf"{re.escape(username)}(?:@[\w.:-]{{1,64}})?"
    shapes = (
        _WORD_FOR_IT,
        *((rf"{user}'s {_WORD_FOR_IT}", rf"{_WORD_FOR_IT} for {user}") if username else ()),
        *((rf"\({user}\) ?{_WORD_FOR_IT}",) if username else ()),
    )
    return re.fullmatch(rf"(?i:{'|'.join(shapes)}) ?:", text) is not None


def shown(text: str, secrets: Iterable[str] = ()) -> str:
    """Text of a device for a report: one short printable line, without what may be a secret.

    A line made of the words of dialogs alone stays, though `password` is among them.

    Examples
    --------
    >>> shown("Enter new password: "), shown("Password of the day is tiger7:")
    ('Enter new password:', 'Password <removed>')
    """
    words = tuple(secret for secret in secrets if secret)
    text = without_secrets(words, text[-_LONGEST_DIALOG:])[-_LONGEST_QUESTION:]
    line = "".join(character if character.isprintable() else " " for character in text)
    line = without_secrets(words, " ".join(line.split()))
    if not {word.casefold() for word in _WORD.findall(line)} <= _DIALOG_WORDS:
        line = mask_quoted_line(line)
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}\u2026"


def last_line(output: bytes | bytearray) -> bytes:
    """Return the line of the cursor."""
    end = bytes(output[-_LONGEST_QUESTION - 1 :])
    return end.rsplit(b"\n", 1)[-1].rsplit(b"\r", 1)[-1].strip(b"\0\b ")


def unfinished(output: bytes | bytearray) -> str:
    """Return the last line if it asks for a secret, with a colon at its end."""
    last = last_line(output)
    return last.decode("latin-1") if last.endswith(b":") else ""


def prompt_of(output: bytes | bytearray) -> bytes:
    """The prompt that a device stands at; empty where it is none, or may ask something.

    `name>` or `name#` alone on its line, without a character or a word of a question, and not
    under a question or a list of choices.
    """
    last = last_line(output)
    name = last[:-1]
    if not _PROMPT.fullmatch(last) or _NOT_IN_A_PROMPT.search(name):
        return b""
    if _OF_ANOTHER_MODE.search(name) or _WORDS_THAT_ASK.fullmatch(name):
        return b""
    if _PART_THAT_ASKS.search(name) or _is_menu(_lines(output)) or is_asked_above(output):
        return b""
    return last


def other_prompt_of(own: bytes, output: bytes | bytearray) -> bytes:
    r"""The prompt of another name or mode that a device stands at; empty at its own or a question.

    Examples
    --------
    >>> other_prompt_of(b"r1#", b"text\nr2#"), other_prompt_of(b"r1#", b"text\nrommon 1 > ")
    (b'r2#', b'rommon 1 >')
    >>> other_prompt_of(b"r1#", b"text\nr1#"), other_prompt_of(b"r1#", b"text\nselection>")
    (b'', b'')
    """
    last = last_line(output)
    if last == own:
        return b""
    if _MODE_PROMPT.fullmatch(last) and not is_asked_above(output):
        return last
    return prompt_of(output)


def question_of(output: bytes | bytearray) -> str:
    """The question that a device waits at; empty where the text does not look like one."""
    lines = _lines(output)
    question = next((line for line in reversed(lines) if line.strip()), "")
    if _QUESTION.search(question[-_LONGEST_QUESTION:]) or _is_menu(lines):
        return question
    return _asked_above(output) if prompt_like(last_line(output)) else ""


def asks_in_a_line(output: bytes | bytearray) -> bool:
    """Whether the last line asks for an answer, though the cursor stands under it."""
    lines = [line for line in _lines(output) if line.strip()]
    return bool(lines) and _BEFORE_AN_ANSWER.search(lines[-1]) is not None


def prompt_like(line: bytes) -> bool:
    """Whether a line has the shape of a prompt, wherever it stands."""
    return _PROMPT.fullmatch(line) is not None


def _lines(output: bytes | bytearray) -> list[str]:
    text = bytes(output[-_LINES_OF_A_MENU * _LONGEST_SHOWN :]).decode("latin-1")
    lines = (render(line) for line in text.replace("\r", "\n").split("\n"))
    return [line[-_LONGEST_QUESTION:] for line in lines if line]


def is_asked_above(output: bytes | bytearray) -> bool:
    """Whether one of the lines just above the last one asks for an answer."""
    return bool(_asked_above(output))


def _asked_above(output: bytes | bytearray) -> str:
    lines = [line for line in _lines(output) if line.strip()]
    context = lines[-1 - _LINES_OF_A_QUESTION : -1]
    return next((line for line in reversed(context) if _BEFORE_AN_ANSWER.search(line)), "")


def _is_menu(lines: list[str]) -> bool:
    """Whether the last lines are choices, and those beside them say that one is to be made."""
    numbers = [number for number, line in enumerate(lines) if _CHOICE.match(line)]
    if len(numbers) < _CHOICES_OF_A_MENU or len(lines) - 1 - numbers[-1] > _LINES_BESIDE_CHOICES:
        return False
    neighbours = (
        *lines[max(numbers[0] - _LINES_BESIDE_CHOICES, 0) : numbers[0]],
        *lines[numbers[-1] + 1 :],
    )
    return any(_CHOOSE.search(line) for line in neighbours)


# Output of a command, as a terminal would show it.

_PAGER: Final = re.compile(rb"--More--|<--- ?More ?--->")
_ECHO_BYTES: Final = 4096
_BESIDE_A_PROMPT_BYTES: Final = 16  # line ends and fill characters between two of them
_LEAST_SCROLLED: Final = 8  # characters that IOS leaves of a command that it has scrolled
_LONGEST_LINE_BYTES: Final = 8192  # no line of IOS is a tenth of it


class Echo(Enum):
    """Kind of the first line of an answer."""

    NONE = auto()  # there is none yet
    OWN = auto()  # the command itself
    OTHER = auto()  # something else: what comes is no answer to the command


class TerminalAnswer(Struct, frozen=True):
    """Output of a command, without its echo and the prompt.

    `cut` says why it is not whole, None where the prompt came; `paged` where IOS held it at
    `--More--`, although it was told not to. `lost_lines` are those that are too long to be any of
    IOS; each is an empty line in `text`.
    """

    command: str
    text: str
    cut: DeviceError | None = None
    paged: bool = False
    lost_lines: int = 0


def is_at(prompt: bytes, output: bytes | bytearray) -> bool:
    """Whether what was read ends with a prompt that begins its line."""
    return bool(prompt) and output.endswith((b"\n" + prompt, b"\r" + prompt))


def prompts_at_end(prompt: bytes, output: bytes | bytearray, count: int) -> bool:
    """Whether what was read ends with so many prompts, and nothing else between them."""
    end = bytes(output[-(len(prompt) + _BESIDE_A_PROMPT_BYTES) * (count + 1) :])
    for _ in range(count):
        if not is_at(prompt, end):
            return False
        end = _without_prompt(prompt, end)
    return True


def _without_prompt(prompt: bytes, output: bytes) -> bytes:
    return output[: -len(prompt)].rstrip(b"\r\n\0 ")


def is_at_pager(output: bytes | bytearray) -> bool:
    """Whether an answer stands at a pager alone on its line."""
    return _PAGER.fullmatch(last_line(output)) is not None


def echo_of(command: str, prompt: bytes, output: bytes | bytearray) -> Echo:
    """Classify the first line of an answer; skip prompts and blank lines before it."""
    return _echo(command, prompt, bytes(output[:_ECHO_BYTES]))[0]


def after_echo(command: str, prompt: bytes, output: bytes | bytearray) -> str:
    """Return a short answer without the echo of its command; all of it where there is none."""
    return decode(bytes(output[_echo(command, prompt, bytes(output[:_ECHO_BYTES]))[1] :]))[0]


def _echo(command: str, prompt: bytes, start: bytes) -> tuple[Echo, int]:
    """The kind of the first line that has ended, and where the echo ends."""
    position = 0
    while (line_end := start.find(b"\n", position)) >= 0:
        raw, position = start[position:line_end].strip(b"\0\a\r\n "), line_end + 1
        while raw.startswith(prompt) and prompt:
            raw = raw[len(prompt) :].strip(b"\0\a\r\n ")
        line = render(decode(raw)[0]).strip()
        if not line:
            continue
        is_scrolled = line.startswith("$") and len(line) > _LEAST_SCROLLED
        if line == command or (is_scrolled and command.endswith(line[1:])):
            return Echo.OWN, position
        return Echo.OTHER, 0
    return (Echo.OTHER if len(start) == _ECHO_BYTES else Echo.NONE), 0


def text_of(command: str, output: bytes, prompt: bytes, blanks: int) -> tuple[str, int]:
    """Take echo, prompts, pager and lines that are too long out of what was read.

    Parameters
    ----------
    command
        What was sent.
    output
        All that came after it.
    prompt
        The prompt at its end.
    blanks
        Blank lines that were sent to find the end; each brought a prompt more.

    Returns
    -------
    tuple of str and int
        The text, and how many lines were too long: each is an empty one in it.
    """
    output = output[_echo(command, prompt, output[:_ECHO_BYTES])[1] :]
    for _ in range(blanks + 1):
        if is_at(prompt, b"\n" + output[-len(prompt) - 1 :]):
            output = _without_prompt(prompt, output)
            output += (
                b"\n" if output and not is_at(prompt, b"\n" + output[-len(prompt) - 1 :]) else b""
            )
    lines = [line.rstrip(b"\r") for line in output.split(b"\n")]
    lost = sum(len(line) > _LONGEST_LINE_BYTES for line in lines)
    short_lines = (line if len(line) <= _LONGEST_LINE_BYTES else b"" for line in lines)
    text = decode(b"\n".join(short_lines))[0].replace("\0", "")
    if has_residue(text) or "More" in text:
        text = "\n".join(without_pager(render(line))[0] for line in text.split("\n"))
    return text, lost
