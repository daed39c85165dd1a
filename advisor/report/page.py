"""A page of parts as HTML: templates fill themselves, and a policy lets nothing else in."""

import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from advisor import __version__
from advisor.assets import asset_dir

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_FOLDER: Final = "report"
# What could end a script or start another one; JSON reads the escapes as the same characters.
_UNSAFE_IN_SCRIPT: Final = re.compile("[<>&\u2028\u2029]")
FOOTER: Final = (
    f"advisor {__version__}. A delay is a mean with its interval, and the bound that no packet may "
    "exceed. Text that might be a secret is masked. This file loads nothing from a network."
)


class More(Struct, frozen=True):
    """What the page puts in when it is needed.

    `devices` are the articles of devices by their anchors, `owners` the anchors of the devices in
    which those of findings stand, `rows` all rows of the table of findings.
    """

    devices: Mapping[str, str] = {}
    owners: Mapping[str, str] = {}
    rows: tuple[Struct, ...] = ()


class Page(Struct, frozen=True):
    """A page: each part is a Struct with the name of its `template` and what that shows."""

    title: str
    summary: str
    parts: tuple[Struct, ...]
    incomplete: tuple[str, ...] = ()
    more: More = More()
    footer: str = FOOTER


def page_text(page: Page) -> str:
    """HTML text of a page."""
    css, script = asset("report.css"), asset("report.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(css)}'",
            f"script-src '{_hash(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    more = msgspec.json.encode(page.more).decode("utf-8")
    escaped = _UNSAFE_IN_SCRIPT.sub(lambda char: f"\\u{ord(char[0]):04x}", more)
    return filled(
        "page.html.j2",
        page=page,
        policy=policy,
        css=markup(css),
        script=markup(script),
        more=markup(escaped),
    )


def filled(template: str, **values: Any) -> str:  # noqa: ANN401 -- whatever a template shows
    """HTML text of a template in templates/report; every value is escaped unless it is markup."""
    return _environment().get_template(f"{_FOLDER}/{template}").render(values)


def markup(text: str) -> "Markup":
    """Text that is HTML or SVG already, made by this package of escaped values."""
    from markupsafe import Markup  # noqa: PLC0415

    return Markup(text)  # noqa: S704 -- see above


@cache
def asset(name: str) -> str:
    """Text of a file beside the templates; without a line break at its end."""
    return (asset_dir("templates") / _FOLDER / name).read_text("utf-8").rstrip("\n")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    return Environment(
        loader=FileSystemLoader(asset_dir("templates")),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
