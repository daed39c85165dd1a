"""Groups of traffic that the user states for a class, and the WRED row that each of them meets."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Generation
from advisor.facts.policy import PolicyClass
from advisor.facts.selectable import Selectable
from advisor.ios.syntax.names import dscp_code, dscp_name, precedence_code
from advisor.outlet.wred_rows import WredRow, row_of, wred_rows
from advisor.quantity import Unknown
from advisor.settings.values import Traffic

_CODES_PER_PRECEDENCE = 8


class Group(Struct, frozen=True):
    """Packets of a class that share a row; `row` None: WRED is not on in the class."""

    name: str
    stated: Traffic
    row: WredRow | None


def groups_of(
    each: PolicyClass | None,
    stated: tuple[Traffic, ...],
    selectable: Selectable,
    generation: Generation,
) -> tuple[Group, ...] | Unknown:
    """Stated groups of a class with their rows, or why the row of one of them is not known."""
    found: list[Group] = []
    for said in stated:
        row = None
        if each is not None and each.wred is not None:
            known = _row(each, said, selectable, generation)
            if isinstance(known, Unknown):
                return Unknown(f"{said.source}: {known.reason}")
            row = known
        found.append(Group(name_of(said), said, row))
    return tuple(_told_apart(found))


def name_of(said: Traffic) -> str:
    """How a statement is called: its group, its DSCP, its precedence, else its class."""
    if said.group is not None:
        return said.group
    if said.marking is None:
        return said.class_name
    return said.marking.removeprefix("dscp ")


def answers_to(said: Traffic, key: str) -> bool:
    """Whether `flows.KEY` speaks of a statement: by its group, DSCP or precedence.

    >>> from advisor.settings.values import Traffic
    >>> answers_to(Traffic("*", "*", "A", (), None, 1, "saturated", "", "precedence 4"), "4")
    True
    """
    word = (said.marking or "").partition(" ")[2]
    return key.lower() in {name_of(said).lower(), word}


def with_flows(stated: tuple[Traffic, ...], flows: Mapping[str, int]) -> tuple[Traffic, ...]:
    """Statements with other numbers of TCP flows, by what `answers_to`."""
    moved = []
    for said in stated:
        count = next((n for key, n in flows.items() if answers_to(said, key)), None)
        if count is not None and said.tcp is not None:
            moved.append(replace(said, tcp=replace(said.tcp, flows=count)))
        else:
            moved.append(said)
    return tuple(moved)


def _told_apart(groups: list[Group]) -> Iterator[Group]:
    """Groups with names of their own: the model tells them apart by these."""
    names = [group.name for group in groups]
    for place, group in enumerate(groups):
        before = names[:place].count(group.name)
        yield replace(group, name=f"{group.name} ({before + 1})") if before else group


def _row(
    each: PolicyClass, said: Traffic, selectable: Selectable, generation: Generation
) -> WredRow | Unknown:
    wred = each.wred
    if wred is None or wred.scheme not in ("precedence", "dscp"):
        kind = wred.scheme if wred is not None else "nothing"
        return Unknown(f"class {each.name} drops by {kind}, which is not modelled")
    dscp = dscp_of(said)
    if dscp is None:
        rows = wred_rows(wred, selectable, generation)
        only = {(row.min_threshold, row.max_threshold, row.denominator) for row in rows.rows}
        if len(only) == 1 and not rows.unknown:
            return rows.rows[0]
        return Unknown(f"says no dscp or precedence, and class {each.name} has a row for each")
    possible = _codes(said, dscp) & selectable.dscps
    if not possible:
        return Unknown(f"class {each.name} does not match {said.marking}")
    row = row_of(wred, dscp, generation)
    if row is None:
        code = dscp_name(dscp) if wred.scheme == "dscp" else f"precedence {dscp // 8}"
        return Unknown(
            f"the default thresholds of {code} are not known for {generation}: configure a row"
        )
    return row


def dscp_of(said: Traffic) -> int | None:
    """DSCP of a statement; the class selector of a precedence; None where none is stated."""
    if said.marking is None:
        return None
    scheme, _, word = said.marking.partition(" ")
    if scheme == "dscp":
        return dscp_code(word)
    precedence = precedence_code(word)
    return None if precedence is None else precedence * _CODES_PER_PRECEDENCE


def _codes(said: Traffic, dscp: int) -> frozenset[int]:
    if said.marking is not None and said.marking.startswith("precedence"):
        return frozenset(range(dscp, dscp + _CODES_PER_PRECEDENCE))
    return frozenset({dscp})
