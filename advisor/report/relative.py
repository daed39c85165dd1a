"""Names of files as programs of a repository take them."""

import os
from pathlib import PurePath
from urllib.parse import quote


def relative_path(name: str) -> str:
    """The path of a file from the current folder, with slashes; others as they are.

    >>> relative_path("./sites/r1.cfg"), relative_path("/tmp/r1.cfg")
    ('sites/r1.cfg', '/tmp/r1.cfg')
    """
    path = os.path.normpath(name)
    if os.path.isabs(path):  # noqa: PTH117 -- a name may be of any bytes
        below = os.path.relpath(path)
        path = path if below.startswith(os.pardir) else below
    return PurePath(path).as_posix()


def relative_uri(name: str) -> str:
    """The same as a URI reference.

    >>> relative_uri("sites/r 1%.cfg"), relative_uri("/tmp/r1.cfg")
    ('sites/r%201%25.cfg', 'file:///tmp/r1.cfg')
    """
    path = relative_path(name)
    quoted = quote(path.encode("utf-8", "surrogateescape"), safe="/")
    return f"file://{quoted}" if path.startswith("/") else quoted
