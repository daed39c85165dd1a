"""From text to the bytes of a file: line ends, encodings, and files that were cut or damaged."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from random import Random
from typing import Final

from tests.fuzz.absurd import SECRET

OF_LINES: Final = ("\r\n", "\r\r\n", "\n\r")
LINE_ENDS: Final = (*OF_LINES, "\r", "\v", "\f", "\x85", "\u2028", "\u2029", "\x1e")
_PLAIN_SHARE: Final = 0.55
_DOCUMENT_SHARE: Final = 0.9
_WORDS_BYTES: Final = 50


def document(text: str, random: Random) -> bytes:
    """Bytes of a file that has to be UTF-8, and nearly always is."""
    if random.random() < _DOCUMENT_SHARE:
        return text.encode("utf-8", "surrogatepass")
    return encoded(text, random)


def encoded(text: str, random: Random) -> bytes:
    """Bytes of a file that holds the text, in most cases as an editor writes it.

    Damage never falls on the words before a secret: without them nobody could know it for one.
    """
    if random.random() < _PLAIN_SHARE:
        return text.encode("utf-8", "surrogatepass")
    if random.random() < 0.5:
        text = _with_line_ends(text, random)
    payload = _encoded(text, random)
    damaged = _damaged(payload, random)
    return damaged if _before_secrets(damaged) <= _before_secrets(payload) else payload


def _before_secrets(payload: bytes) -> set[bytes]:
    """What stands before each secret, in UTF-16 too."""
    secret = SECRET.encode("ascii")
    pieces = (payload if secret in payload else payload.replace(b"\0", b"")).split(secret)
    return {piece[-_WORDS_BYTES:] for piece in pieces[:-1]}


def _with_line_ends(text: str, random: Random) -> str:
    end = random.choice(LINE_ENDS)
    if SECRET in text and end not in OF_LINES:  # IOS knows no such line end: it joins the lines
        end = "\r\n"
    if random.random() < 0.5:
        return text.replace("\n", end)
    pieces = text.split("\n")
    ends = [random.choice(("\n", end)) for _ in pieces]
    return "".join(piece + mark for piece, mark in zip(pieces, ends, strict=True))


def _encoded(text: str, random: Random) -> bytes:
    kind = random.randrange(8)
    if kind == 0:
        return BOM_UTF16_LE + text.encode("utf-16-le", "surrogatepass")
    if kind == 1:
        return BOM_UTF16_BE + text.encode("utf-16-be", "surrogatepass")
    if kind == 2:
        return text.encode("utf-16-le", "surrogatepass")
    if kind == 3:
        return text.encode("latin-1", "replace")
    if kind == 4:
        return BOM_UTF8 + text.encode("utf-8", "surrogatepass")
    return text.encode("utf-8", "surrogatepass")


def _damaged(payload: bytes, random: Random) -> bytes:
    kind = random.randrange(8)
    place = random.randrange(len(payload) + 1)
    if kind == 0:
        return payload[:place]
    if kind == 1:
        return payload[place:]
    if kind == 2:
        return payload[:place] + bytes(random.randrange(256) for _ in range(8)) + payload[place:]
    if kind == 3:
        return payload[:place] + b"\0" * random.choice((1, 5000)) + payload[place:]
    if kind == 4:
        octets = bytearray(payload)
        for _ in range(min(10, len(octets))):
            octets[random.randrange(len(octets))] = random.randrange(256)
        return bytes(octets)
    return payload
