"""Files that this tool wrote: they stand beside configurations, and are none."""

import re
from typing import Final

_LOOK_BYTES: Final = 4096

# How each output begins; a report without findings is known by its last line.
_FIRST: Final = re.compile(
    rb"""! [^\r\n]*:[ ](?:rollback[ ]of[ ]the[ ]whole[ ])?plan[ ]by[ ]advisor[ ]  # fix --format ios
    | (?:error|warning|info)\[[A-Z]{3}\d{3}\][ ][a-z0-9-]+[ ]\(\w+\) \s*? $  # lint, audit
    | \S[^\r\n]*:[ ](?:error|warning|info)[ ][A-Z]{3}\d{3}[ ][a-z0-9-]+:[ ]  # concise
    | [A-Z]{3}\d{3}[ ][a-z0-9-]+ \s*? $                                      # explain
    | ---[ ]a/[^\r\n]*\r?\n\+\+\+[ ]b/[^\r\n]*\r?\n@@[ ]                       # fix --format diff
    | \{\s*"schema":[ ]\d+,\s*"version":[ ]"[^"]*",                          # --format json
    """,
    re.VERBOSE | re.MULTILINE,
)
_LAST: Final = re.compile(
    rb"^\d+ files?, \d+ lines?, QoS lines understood \d+ of \d+: [^\r\n]*\s*\Z", re.MULTILINE
)


def is_own_output(payload: bytes) -> bool:
    r"""Say whether a file is a report or a snippet of remedies of this tool.

    Examples
    --------
    >>> is_own_output(b"! r4 (r4.cfg): plan by advisor 0.1.0: no lines\n! ====\n")
    True
    >>> is_own_output(b"! r4, to be changed on Monday\nhostname r4\n")
    False
    """
    head, tail = payload[:_LOOK_BYTES], payload[-_LOOK_BYTES:]
    return _FIRST.match(head) is not None or _LAST.search(tail) is not None
