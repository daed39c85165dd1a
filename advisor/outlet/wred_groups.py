"""Groups of traffic that the user states for a class, and the WRED row of each group."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.policy import PolicyClass
from advisor.facts.selectable import Selectable
from advisor.ios.syntax.names import dscp_code, dscp_name, precedence_code
from advisor.outlet.wred_rows import Defaults, WredRow, row_of, wred_rows
from advisor.quantity import Unknown
from advisor.settings.values import Traffic

_CODES_PER_PRECEDENCE = 8


class Group(Struct, frozen=True):
    """Packets of a class that share a row; `row` is None if the class has no WRED."""

    name: str
    stated: Traffic
    row: WredRow | None


def groups_of(
    policy_class: PolicyClass | None,
    stated: tuple[Traffic, ...],
    selectable: Selectable,
    defaults: Defaults,
) -> tuple[Group, ...] | Unknown:
    """Stated groups of a class with their rows, or why the row of one of them is not known."""
    groups: list[Group] = []
    for statement in stated:
        row = None
        if policy_class is not None and policy_class.wred is not None:
            known = _row(policy_class, statement, selectable, defaults)
            if isinstance(known, Unknown):
                return Unknown(f"{statement.source}: {known.reason}")
            row = known
        groups.append(Group(name_of(statement), statement, row))
    return tuple(_told_apart(groups))


def name_of(statement: Traffic) -> str:
    """Name of a statement: its group, its DSCP, its precedence, else its class."""
    if statement.group is not None:
        return statement.group
    if statement.marking is None:
        return statement.class_name
    return statement.marking.removeprefix("dscp ")


def answers_to(statement: Traffic, key: str) -> bool:
    """Whether `flows.KEY` names a statement: by its group, DSCP or precedence.

    >>> from advisor.settings.values import Traffic
    >>> answers_to(Traffic("*", "*", "A", (), None, 1, "saturated", "", "precedence 4"), "4")
    True
    """
    word = (statement.marking or "").partition(" ")[2]
    return key.lower() in {name_of(statement).lower(), word}


def with_flows(stated: tuple[Traffic, ...], flows: Mapping[str, int]) -> tuple[Traffic, ...]:
    """Statements with the TCP flows that `flows` gives for their group, DSCP or precedence."""
    moved = []
    for statement in stated:
        count = next((number for key, number in flows.items() if answers_to(statement, key)), None)
        if count is not None and statement.tcp is not None:
            moved.append(replace(statement, tcp=replace(statement.tcp, flows=count)))
        else:
            moved.append(statement)
    return tuple(moved)


def _told_apart(groups: list[Group]) -> Iterator[Group]:
    """Groups with unique names: the model identifies groups by name."""
    names = [group.name for group in groups]
    for index, group in enumerate(groups):
        before = names[:index].count(group.name)
        yield replace(group, name=f"{group.name} ({before + 1})") if before else group


def _row(
    policy_class: PolicyClass, statement: Traffic, selectable: Selectable, defaults: Defaults
) -> WredRow | Unknown:
    wred = policy_class.wred
    if wred is None or wred.scheme not in ("precedence", "dscp"):
        kind = wred.scheme if wred is not None else "nothing"
        return Unknown(f"class {policy_class.name} drops by {kind}, which is not modelled")
    dscp = dscp_of(statement)
    if dscp is None:
        rows = wred_rows(wred, selectable, defaults)
        possible_rows = (*rows.rows, *rows.unnamed)
        only = {(row.min_threshold, row.max_threshold, row.denominator) for row in possible_rows}
        if len(only) == 1 and not rows.unknown and not rows.unnamed_unknown:
            return possible_rows[0]
        return Unknown(
            f"states no dscp or precedence, and class {policy_class.name} has a row for each"
        )
    if not codes_of(statement, dscp) & selectable.dscps:
        return Unknown(f"class {policy_class.name} does not match {statement.marking}")
    row = row_of(wred, dscp, defaults)
    if row is None:
        code = dscp_name(dscp) if wred.scheme == "dscp" else f"precedence {dscp // 8}"
        software = defaults.platform.software
        return Unknown(
            f"the default thresholds of {code} are not known for {software}: configure a row"
        )
    return row


def dscp_of(statement: Traffic) -> int | None:
    """DSCP of a statement; the class selector of a precedence; None where none is stated."""
    if statement.marking is None:
        return None
    scheme, _, word = statement.marking.partition(" ")
    if scheme == "dscp":
        return dscp_code(word)
    precedence = precedence_code(word)
    return None if precedence is None else precedence * _CODES_PER_PRECEDENCE


def codes_of(statement: Traffic, dscp: int) -> frozenset[int]:
    """The DSCPs that a statement of this DSCP speaks of: all of a precedence."""
    if statement.marking is not None and statement.marking.startswith("precedence"):
        return frozenset(range(dscp, dscp + _CODES_PER_PRECEDENCE))
    return frozenset({dscp})
