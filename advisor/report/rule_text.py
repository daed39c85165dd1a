"""Rules as text for the terminal: the list of rules, and the explanation of one."""

from collections.abc import Iterator, Sequence
from textwrap import dedent

from msgspec.structs import asdict

from advisor.device.platform import family_words
from advisor.lint.cards import Card, Entry, Rule
from advisor.report.terminal import Style, Verbatim, fitted, paragraphs


def render_list(rules: Sequence[Entry], style: Style | None = None) -> str:
    """One line for each rule."""
    style = style or Style()
    widest = (max(map(len, column)) for column in zip(*map(_cells, rules), strict=True))
    widths = tuple(widest) or (0, 0, 0)
    return fitted((_listed(rule, widths, style) for rule in rules), style.width)


def _cells(rule: Entry) -> tuple[str, str, str]:
    return rule.card.id, rule.card.severity, rule.card.name


def _listed(rule: Entry, widths: Sequence[int], style: Style) -> str:
    id_, severity, name = (
        cell.ljust(width) for cell, width in zip(_cells(rule), widths, strict=True)
    )
    return f"{id_}  {style.severity(severity, rule.card.severity)}  {name}  {rule.card.title}"


def parameters(rule: Rule) -> dict[str, object]:
    """Parameters in force, by name."""
    return asdict(rule.params)


def level_of(card: Card) -> str:
    """Level of the remedy in words."""
    return card.level or "by hand"


def standing_of(rule: Rule) -> str:
    """Severity, level of the remedy, and the first version that has the rule where it is ours."""
    since = f", since {rule.card.since}" if rule.card.since else ""
    return f"severity {rule.severity}, remedy {level_of(rule.card)}{since}"


def render_explanation(rule: Rule, style: Style | None = None, *, is_brief: bool = False) -> str:
    """Why the rule exists, its parameters, examples, remedy and sources; no examples if brief."""
    style = style or Style()
    return fitted(_explanation(rule, style, is_brief=is_brief), style.width)


def _explanation(rule: Rule, style: Style, *, is_brief: bool) -> Iterator[str]:
    card = rule.card
    yield style.bold(f"{card.id} {card.name}")
    yield card.title
    yield standing_of(rule)
    yield f"platforms: {', '.join(family_words(card.families))}"
    yield ""
    yield from paragraphs(dedent(card.why).strip(), style.width)
    if values := parameters(rule):
        yield ""
        yield style.bold("Parameters")
        yield from (f"  {name} = {value}" for name, value in values.items())
    for example in () if is_brief else card.example:
        if example.settings is not None:
            yield from _block("Settings", example.settings, style)
        for beside in example.beside:
            yield from _block("Another device of the run", beside, style)
        yield from _block("Found in", example.bad, style)
        if example.remedy is not None:
            yield from _block("Remedy", example.remedy, style)
        if example.good is not None:
            yield from _block("Clean", example.good, style)
    if card.no_remedy is not None:
        yield ""
        yield style.bold("No lines to paste")
        yield from (f"  {line}" for line in dedent(card.no_remedy).strip().split("\n"))
    yield ""
    yield style.bold("Sources")
    yield from (f"  {source}" for source in card.sources)


def _block(title: str, text: str, style: Style) -> Iterator[str]:
    yield ""
    yield style.bold(title)
    yield from (Verbatim(f"  {line}".rstrip()) for line in text.strip("\n").split("\n"))
