"""Texts in which a parser that goes by columns alone differs, and why our tree stands."""

from typing import Final

from advisor.device.second_reasons import Reason

# A text, the reason, and the lines that differ for this reason.
DIFFERENCES: Final[tuple[tuple[str, Reason, list[int]], ...]] = (
    ("banner motd ^C\ninterface Se9\n^C\nend\n", Reason.BANNER, [2, 3]),
    ("crypto pki c\n certificate 01\n  3082 01\n  quit\n", Reason.CERTIFICATE, [3, 4]),
    ("crypto key p\n key-string\n  3082 01\n  quit\n exit\n", Reason.KEY, [3, 4]),
    ("macro name X\nshutdown\n@\nend\n", Reason.MACRO, [2, 3]),
    ("line 0\n vacant-message ^C\n hi\n^C\n login\n", Reason.BLOCK_END, [5]),
    ("Building configuration...\nhostname r1\nend\n", Reason.TERMINAL, [1]),
    ("r1(config)#interface Se0\nr1(config-if)#shutdown\n", Reason.PROMPT, [1, 2]),
    ("hostname r1\n--More--\x08\x08\x08\x08\x08\x08\x08\x08end\n", Reason.RESIDUE, [2]),
    ("interface Se0\nbandwidth 64\n", Reason.FLAT, [2]),
    ("interface Se0\n shutdown\nexit\n", Reason.EXIT, [3]),
    ("interface Se0\n mtu 1500\n exit\n hostname r1\n shutdown\n", Reason.EXIT, [4, 5]),
    ("policy-map X\n class A\n--More--  priority 64\n", Reason.RESIDUE, [3]),
    ("policy-map X\n  class A\n\tpriority 64\n", Reason.TABS, [3]),
    ("interface Se0\n mtu 1500\n shutdown\nbandwidth 64\n", Reason.NOT_INDENTED, [4]),
    ("router rip\n network 10.0.0.0\n  network 11.0.0.0\n", Reason.UNEVEN, [3]),
    ("interface Se0\n mtu 1500 ! advisor: ignore[TXR001] wanted\n", Reason.COMMENT, [2]),
    ("interface Se0\n band 64\n", Reason.ABBREVIATION, [2]),
    ("line 0\n band 5\n  quit\n  neighbor 1\n", Reason.UNEXPLAINED, [4]),
)
