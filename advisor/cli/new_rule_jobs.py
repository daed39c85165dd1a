"""What `rules new` does: the files of a rule that passes, to be made one's own."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from advisor.assets import asset_dir
from advisor.checks import broken_promises
from advisor.cli.errors import Code
from advisor.cli.output import emit
from advisor.cli.wrong_use import WrongUseError
from advisor.lint.cards import catalogue
from advisor.report.printable import printable

_TITLE: Final = re.compile(r"([A-Z]{1,6}[0-9]{3})-([a-z0-9]+(?:-[a-z0-9]+)*)")
_TEST: Final = "test_rules.py"


def new_rule(title: str, folder: Path, *, is_declared: bool) -> Code:
    """Write the files of a rule; none that exists is touched.

    Raises
    ------
    WrongUseError
        If the name is not like one, is taken, or a file exists.
    """
    if (match := _TITLE.fullmatch(title)) is None:
        example = "X001-no-cdp-on-wan: capitals and three digits, then a name in small letters"
        raise WrongUseError(printable(f"rules new {title}: write it like {example}"))
    id_, name = match.groups()
    for entry in catalogue():
        if entry.card.id == id_ or entry.card.name == name:
            raise WrongUseError(f"rules new {title}: {entry.card.id} {entry.card.name} is ours")
    files = dict(_files(id_, name, folder, is_declared=is_declared))
    for path in files:
        if path.exists() and path.name != _TEST:
            raise WrongUseError(printable(f"rules new {title}: {path} exists"))
    for path, text in files.items():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            emit(text, path)
            emit(f"{printable(str(path))}\n", None)
    broken = broken_promises(folder)
    emit("".join(f"{printable(line)}\n" for line in broken), None)
    emit(f"try it: advisor rules test --rules {printable(str(folder))}\n", None)
    return Code.FINDINGS if broken else Code.CLEAN


def _files(id_: str, name: str, folder: Path, *, is_declared: bool) -> Iterator[tuple[Path, str]]:
    environment = Environment(  # noqa: S701 -- TOML, Python and IOS, not HTML
        loader=FileSystemLoader(asset_dir("templates") / "new-rule"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    kind = "declared" if is_declared else "python"

    def text(template: str) -> str:
        return environment.get_template(template).render(id=id_, name=name)

    yield folder / f"{id_}-{name}.toml", text(f"{kind}/card.toml.j2")
    if not is_declared:
        yield folder / f"{name.replace('-', '_')}.py", text(f"{kind}/check.py.j2")
    yield folder / "templates/remedy" / f"{name}.j2", text(f"{kind}/remedy.j2.j2")
    yield folder / _TEST, text("test.py.j2")
