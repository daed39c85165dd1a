"""Builds the documentation site: the pages of docs/, and a page of each rule, formula and file.

Run ``python -m tools.site FOLDER``; ``mkdocs`` and its theme come with the extra ``docs``. The site
needs no network: search, fonts and pictures are files of its own. With ``--what-if`` it has the
page in which the product runs, as `advisor serve --export` writes it: that needs npm.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from advisor.capture.read_bundle import Manifest
from advisor.lint.rulebook import rules_of
from advisor.report.rules import help_markdown
from advisor.serve.export import export
from advisor.settings import Settings
from advisor.settings.file import SettingsTable
from advisor.settings.read_scenarios import scenario_schema
from advisor.settings.traffic_keys import TrafficTable
from advisor.theory.formulas import formulas
from tools.formulas import BOX, formula_section

ROOT: Final = Path(__file__).parents[1]
CONFIGURATION: Final = ROOT / "mkdocs.yml"
_LEFT_OUT: Final = ("site", "manual", "rules.md", "formulas.md")  # parts of it, or generated below
_TO_RULE: Final = re.compile(r"\((?:\.\./)?rules\.md#([a-z]{3}\d{3})[\w-]*\)")
_TO_FORMULA: Final = re.compile(r"\((?:\.\./)?formulas\.md#([\w-]+)\)")
_TO_PAGES: Final = re.compile(r"\(((?:\.\./)?)(rules|formulas)\.md\)")
_WHAT_IF: Final = "<!-- what-if -->"
_TO_WHAT_IF: Final = (
    '<a href="what-if/">Try it here</a>: move a ring with the mouse, in a page in which the '
    "product itself runs. Nothing that you paste leaves it."
)
_MARKS: Final = re.compile(r"^<!-- .* -->\n", re.MULTILINE)  # what the tests look for


def pages(*, has_page: bool = False) -> dict[str, str]:
    """The text of each page by its path; Home leads to the what-if page where the site has it."""
    docs = ROOT / "docs"
    found = {
        str(path.relative_to(docs)): path.read_text("utf-8")
        for path in docs.rglob("*.md")
        if path.relative_to(docs).parts[0] not in _LEFT_OUT
    }
    found |= {path.name: path.read_text("utf-8") for path in (docs / "site").glob("*.md")}
    found["index.md"] = found["index.md"].replace(_WHAT_IF, _TO_WHAT_IF if has_page else "")
    found |= dict(_rule_pages()) | dict(_formula_pages())
    found["keys.md"] = _keys_page()
    return {name: _linked(text, name.count("/")) for name, text in found.items()}


def _rule_pages() -> Iterator[tuple[str, str]]:
    rules = rules_of(Settings())
    rows = [
        f"| [{rule.card.id}]({rule.card.id}.md) | {rule.card.name} | {rule.card.severity} "
        f"| {rule.card.level or 'by hand'} | {rule.card.title.replace('|', '/')} |"
        for rule in rules
    ]
    table = "\n".join(
        ("| rule | name | severity | remedy | fires when |", "|---|---|---|---|---|", *rows)
    )
    yield "rules/index.md", f"# Rules\n\n{table}\n"
    for rule in rules:
        yield (
            f"rules/{rule.card.id}.md",
            f"# {rule.card.id} {rule.card.name}\n\n{help_markdown(rule)}",
        )


def _formula_pages() -> Iterator[tuple[str, str]]:
    rows = [
        f"| [{name}]({name}.md) | {item.title} | {'; '.join(item.methods)} |"
        for name, item in formulas().items()
    ]
    table = "\n".join(("| name | what it gives | `method` in reports |", "|---|---|---|", *rows))
    yield "formulas/index.md", f"# Formulas\n\n{BOX}\n{table}\n"
    for name, item in formulas().items():
        section = "\n".join(formula_section(item))
        yield f"formulas/{name}.md", section.replace("## ", "# ", 1)


def _keys_page() -> str:
    """Every key of every file that a user writes, by the types that read them."""
    parts = [
        (
            "advisor.toml",
            msgspec.json.schema(SettingsTable, schema_hook=lambda _: {"title": "any"}),
        ),
        ("Traffic: a `[[traffic]]` table", msgspec.json.schema(TrafficTable)),
        ("manifest.json of a bundle", msgspec.json.schema(Manifest)),
        ("Scenario files", scenario_schema()),
    ]
    head = (
        "# Keys of files\n\nMade of the types that read them. [Files that you can write](files.md) "
        "has examples, and `--table` of `size dlsw`, which is a CSV file.\n"
    )
    return "\n".join((head, *(f"## {title}\n\n{_tables(schema)}" for title, schema in parts)))


def _tables(schema: Mapping[str, Any]) -> str:
    blocks = []
    for name, shape in schema["$defs"].items():
        if properties := shape.get("properties"):
            words = " ".join(str(shape.get("description", "")).split())
            needed = shape.get("required", ())
            rows = [
                f"| `{key}` | {_kind(value)} | {_default(key, value, needed)} |"
                for key, value in properties.items()
            ]
            table = "\n".join(("| key | value | default |", "|---|---|---|", *rows))
            blocks.append(f"### {name}\n\n{words}\n\n{table}\n")
    return "\n".join(blocks)


def _kind(value: Mapping[str, Any] | bool) -> str:
    if isinstance(value, bool):  # the schema of anything, or of nothing
        return "any"
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if kinds := value.get("anyOf"):
        return " or ".join(dict.fromkeys(_kind(kind) for kind in kinds if kind != {"type": "null"}))
    if values := value.get("enum"):
        return ", ".join(f"`{word}`" for word in values)
    name = str(value.get("type", "any"))
    if name == "array":
        item = value.get("items")
        return f"array of {_kind(item)}" if isinstance(item, dict) else "array"
    signs = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "above"}
    limits = [f"{words} {value[key]:,}" for key, words in signs.items() if key in value]
    return ", ".join((name, *limits))


def _default(key: str, value: Mapping[str, Any] | bool, needed: Iterable[str]) -> str:
    if key in needed or isinstance(value, bool):
        return "required" if key in needed else ""
    default = value.get("default")
    return "" if default in (None, [], {}) or isinstance(default, dict) else f"`{default}`"


def _linked(text: str, depth: int) -> str:
    up = "../" * depth
    text = _TO_RULE.sub(lambda found: f"({up}rules/{found[1].upper()}.md)", _MARKS.sub("", text))
    text = _TO_FORMULA.sub(lambda found: f"({up}formulas/{found[1]}.md)", text)
    return _TO_PAGES.sub(lambda found: f"({up}{found[2]}/index.md)", text)


def build(target: Path, *, has_page: bool = False) -> None:
    """Write the site; a broken link, or a page that no menu has, ends it.

    Raises
    ------
    subprocess.CalledProcessError
        If mkdocs finds a fault.
    """
    with TemporaryDirectory() as temporary:
        source = Path(temporary) / "docs"
        for name, text in pages(has_page=has_page).items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text, "utf-8")
        for folder in ("pictures", "validation", "examples"):
            ignored = shutil.ignore_patterns("*.md", "__pycache__")
            shutil.copytree(ROOT / "docs" / folder, source / folder, ignore=ignored)
        shutil.copy(ROOT / "docs/schema.json", source)
        configuration = Path(temporary) / "mkdocs.yml"
        configuration.write_text(CONFIGURATION.read_text("utf-8"), "utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
        places = ["--config-file", str(configuration), "--site-dir", str(target.absolute())]
        quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        subprocess.run([*command, *places], check=True, env=quiet)  # noqa: S603


def main() -> None:
    """Build the site into the folder that the command line names."""
    target, has_page = Path(sys.argv[1]), sys.argv[2:] == ["--what-if"]
    build(target, has_page=has_page)
    if has_page:
        export(target / "what-if", None)


if __name__ == "__main__":
    main()
