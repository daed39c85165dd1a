"""Rules and formulas: the list, the explanation of one, what it finds here, and the catalogue."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import asdict

from advisor.device.platform import family_words
from advisor.lint.cards import Card, CatalogueEntry, Rule
from advisor.lint.findings import Finding
from advisor.report import all_printable, printable
from advisor.report.document import filled
from advisor.report.lint_text import finding_lines
from advisor.report.terminal import Style, Verbatim, fitted, paragraphs

if TYPE_CHECKING:
    from advisor.theory.formulas import Formula

_ALL_FORMULAS: Final = "formulas"
# By the family of a rule.
FORMULAS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "TXR": ("ring-bound", "saturated-wait", "class-bound"),
    "LFI": ("serialization", "fragment-size"),
    "SHP": ("shaper-interval",),
    "LLQ": ("priority-rate", "priority-burst"),
}


class FoundHere(Struct, frozen=True):
    """A finding, and the formulas of its rule with the numbers of its output."""

    finding: Finding
    formulas: tuple[str, ...]


def render_list(rules: Sequence[CatalogueEntry], style: Style | None = None) -> str:
    """One line for each rule."""
    style = style or Style()
    columns = zip(
        *((rule.card.id, rule.card.severity, rule.card.name) for rule in rules), strict=True
    )
    widths = tuple(max(map(len, column)) for column in columns) or (0, 0, 0)
    return fitted((_listed(rule.card, widths, style) for rule in rules), style.width)


def _listed(card: Card, widths: Sequence[int], style: Style) -> str:
    severity = style.severity(card.severity.ljust(widths[1]), card.severity)
    return f"{card.id:<{widths[0]}}  {severity}  {card.name:<{widths[2]}}  {card.title}"


def _standing_of(rule: Rule) -> str:
    """Severity, level of the remedy, and the first version that has the rule where it is ours."""
    since = f", since {rule.card.since}" if rule.card.since else ""
    return f"severity {rule.severity}, remedy {rule.card.level or 'by hand'}{since}"


def _parts_of_examples(card: Card) -> Iterator[tuple[str, str]]:
    """The texts of the examples with their titles."""
    for example in card.example:
        if example.settings is not None:
            yield "Settings", example.settings
        for beside in example.beside:
            yield "Another device of the run", beside
        yield "Found in", example.bad
        if example.remedy is not None:
            yield "Remedy", example.remedy
        if example.good is not None:
            yield "Clean", example.good


def render_explanation(rule: Rule, style: Style | None = None, *, is_brief: bool = False) -> str:
    """Why the rule exists, its parameters, examples, remedy and sources; no examples if brief."""
    style = style or Style()
    return fitted(_explanation(rule, style, is_brief=is_brief), style.width)


def _explanation(rule: Rule, style: Style, *, is_brief: bool) -> Iterator[str]:
    card = rule.card
    yield style.bold(f"{card.id} {card.name}")
    yield card.title
    yield _standing_of(rule)
    yield f"platforms: {', '.join(family_words(card.families))}"
    yield ""
    yield from paragraphs(dedent(card.why).strip(), style.width)
    if values := asdict(rule.params):
        yield from ("", style.bold("Parameters"))
        yield from (f"  {name} = {value}" for name, value in values.items())
    for title, text in () if is_brief else _parts_of_examples(card):
        yield from ("", style.bold(title))
        yield from (Verbatim(f"  {line}".rstrip()) for line in text.strip("\n").split("\n"))
    if card.no_remedy is not None:
        yield from ("", style.bold("No lines to paste"))
        yield from (f"  {line}" for line in dedent(card.no_remedy).strip().split("\n"))
    yield from ("", style.bold("Sources"))
    yield from (f"  {source}" for source in card.sources)


def explained(name: str, style: Style, cases: Sequence[str] | None = None) -> str | None:
    """The formula of that name, or a line for each formula; None if the name is no formula.

    `cases` are lines with the numbers of a config, in place of the example.
    """
    from advisor.theory.formulas import formulas  # noqa: PLC0415 -- SARIF needs no formulas

    if name.lower() == _ALL_FORMULAS:
        names = (f"{formula.name:<16}  {formula.title}" for formula in formulas().values())
        return fitted(names, style.width)
    formula = formulas().get(name.lower())
    return None if formula is None else render_formula(formula, style, cases)


def render_formula(formula: "Formula", style: Style, cases: Sequence[str] | None = None) -> str:
    """The formula, symbols, numbers of `cases`, else of an example, how it follows, its limits."""
    lines = [style.bold(f"{formula.name}: {formula.title}"), "", f"    {formula.formula}", ""]
    lines += (f"  {symbol}" for symbol in formula.symbols)
    if cases is None:
        lines.append(f"  example  {formula.example}")
    else:
        lines += ("  here", *(f"    {printable(case)}" for case in cases))
    for title, text in (("derivation", formula.derivation), ("limits", formula.limits)):
        lines += ("", style.bold(title), *paragraphs(text, style.width))
    lines += ("", f"  source   {formula.source}")
    return fitted(lines, style.width)


def is_at(path: str, output: str) -> bool:
    """Whether an object is an output, a part of it, or around it."""
    return f"{path} > ".startswith(f"{output} > ") or f"{output} > ".startswith(f"{path} > ")


def render_found(found: Sequence[FoundHere], why_not: Sequence[str], style: Style) -> str:
    """Each finding of a rule in a config with its numbers; a word where there is none.

    `why_not` are the reasons why the config was not judged as a whole.
    """
    lines = ["", style.bold("Here")]
    lines += (f"  not judged: {printable(reason)}" for reason in why_not)
    if not found and not why_not:
        lines.append("  nothing is found; `advisor lint -v` says what could not be judged")
    for here in found:
        finding = all_printable(here.finding)
        lines += ("", *(line for line in finding_lines(finding, style)))
        lines += (f"    {printable(formula)}" for formula in here.formulas)
    return fitted(lines, style.width)


def render_names(rules: Sequence[Rule], style: Style) -> str:
    """A line for each rule that a name means."""
    lines = (f"{rule.card.id}  {rule.card.name}: {rule.card.title}" for rule in rules)
    return fitted((*lines, "", "advisor explain RULE explains one of them"), style.width)


def render_pages(rules: Sequence[Rule]) -> str:
    """The catalogue as Markdown: a table of all rules, then a section for each."""
    pages = [(rule.card, help_markdown(rule)) for rule in rules]
    return filled("rules.md.j2", pages=pages)


def help_markdown(rule: Rule) -> str:
    """The page of one rule without its heading."""
    card = rule.card
    return filled(
        "rule.md.j2",
        card=card,
        standing=_standing_of(rule),
        platforms=", ".join(family_words(card.families)),
        why=dedent(card.why).strip(),
        parameters=asdict(rule.params),
        examples=[*_parts_of_examples(card)],
        no_remedy=None if card.no_remedy is None else dedent(card.no_remedy).strip(),
    )
