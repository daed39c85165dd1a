"""Names of all access lists of a config, including lists that are not read."""

from advisor.facts.config import Facts


def access_list_names(facts: Facts) -> frozenset[str]:
    """Names and numbers that `match access-group` may refer to: IP, IPv6 and MAC lists."""
    names = {access_list.name for access_list in facts.access_lists}
    for line in facts.tree.commands():
        match line.words:
            case (
                ["access-list", name, *_]
                | ["ipv6", "access-list", name, *_]
                | ["ip" | "mac", "access-list", _, name, *_]
            ):
                names.add(name)
    return frozenset(names)
