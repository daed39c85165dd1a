"""Banners, menus, macros, certificates and keys: one line each, whatever their bodies say."""

import pytest

from advisor.ios.syntax import LineKind, ProblemKind
from advisor.ios.syntax.reader import parse_config


def opaque(text: str) -> list[tuple[str, int]]:
    """Text of each opaque line, and how many physical lines it holds."""
    lines = parse_config(text).walk()
    return [(line.text, line.raw.count("\n")) for line in lines if line.kind is LineKind.OPAQUE]


@pytest.mark.parametrize(
    "kind",
    [
        *("banner exec", "banner incoming", "banner login", "banner motd", "banner prompt-timeout"),
        *("banner slip-ppp", "banner config-save", "vacant-message", "refuse-message"),
        *("busy-message server1", "aaa authentication banner", "aaa authentication fail-message"),
        *("menu M1 title", "menu M1 prompt", "banner"),
    ],
)
@pytest.mark.parametrize("mark", ["^C", "\x03", "#", "@", "^", "$", "%", "~"])
def test_delimited_text_is_one_line(kind: str, mark: str) -> None:
    text = f"{kind} {mark}\ninterface A0\n mtu 1500\n!\n{mark}\nhostname R1\n"
    tree = parse_config(text)
    assert [line.text for line in tree.commands()] == [f"{kind} {mark}", "hostname R1"]
    assert [line.kind for line in tree.commands()] == [LineKind.OPAQUE, LineKind.COMMAND]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("banner motd #hi#\nend\n", [("banner motd #hi#", 1)], id="on one line"),
        pytest.param("banner motd ^Chi^C\n", [("banner motd ^Chi^C", 1)], id="on one line, ^C"),
        pytest.param("banner motd ^Core^\nend\n", [("banner motd ^Core^", 1)], id="^ and a C"),
        pytest.param("banner motd Zhi\nthereZ\n", [("banner motd Zhi", 2)], id="a letter"),
        pytest.param("banner motd #hi\nyou#\n", [("banner motd #hi", 2)], id="text on the first line"),
        pytest.param("banner motd ^C\r\nhi^C\r\n", [("banner motd ^C", 2)], id="CRLF"),
        pytest.param("banner motd ^CC\nhi\n^C\n", [("banner motd ^CC", 3)], id="as IOS doubles it"),
        pytest.param(
            "banner exec #\n#\nbanner login #\n\nx\n#\n",
            [("banner exec #", 2), ("banner login #", 4)],
            id="two banners",
        ),
        pytest.param(
            "line vty 0 4\n vacant-message #\nhi\n#\n login\n", [("vacant-message #", 3)],
            id="inside a block",
        ),
        pytest.param(
            "R1(config)#banner motd #\nhi\n#\n", [("banner motd #", 3)], id="typed at a prompt"
        ),
        pytest.param("macro name M\nmtu 9198\n@\nend\n", [("macro name M", 3)], id="a macro"),
        pytest.param(
            "crypto pki certificate chain C\n certificate ca 01\n  0A0B0C0D 01020304\n  \tquit\nend\n",
            [("certificate ca 01", 3)],
            id="a certificate",
        ),
        pytest.param(
            "crypto key pubkey-chain rsa\n named-key K\n  key-string\n   0A0B0C 0D\n  quit\n",
            [("key-string", 3)],
            id="a public key",
        ),
    ],
)  # fmt: skip
def test_extent_of_a_block(text: str, expected: list[tuple[str, int]]) -> None:
    assert opaque(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("no banner motd\n", id="a banner taken away"),
        pytest.param("banner motd Keep out\nhostname R1\n", id="a letter that does not come again"),
        pytest.param("banner login\n", id="no delimiter"),
        pytest.param("key chain K\n key 1\n  key-string 7 1234\n", id="a key on its line"),
        pytest.param("certificate ca 01 nvram:ca.cer\n", id="a certificate in a file"),
        pytest.param("menu M text 1 Hosts\n", id="a menu's choice"),
        pytest.param("description banner motd #\n", id="a banner in a description"),
    ],
)
def test_ordinary_commands(text: str) -> None:
    assert opaque(text) == []


@pytest.mark.parametrize(
    "opener",
    [
        pytest.param("banner motd ^C\n", id="banner"),
        pytest.param("macro name M\n", id="macro"),
        pytest.param("certificate ca 01\n 0A0B0C0D\n", id="certificate"),
        pytest.param("key-string\n", id="key"),
    ],
)
def test_block_without_its_end_takes_the_rest_and_is_reported(opener: str) -> None:
    tree = parse_config(f"hostname R1\n{opener}interface A0\n mtu 1500\ninterface B0\n")
    assert [line.text for line in tree.commands()] == ["hostname R1", opener.partition("\n")[0]]
    assert [(each.kind, each.number) for each in tree.problems] == [(ProblemKind.UNTERMINATED, 2)]
