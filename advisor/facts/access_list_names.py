"""Names of all access lists of a config, those that are not read further too."""

from advisor.facts.config import Facts

_NUMBERED = 3  # words in `access-list 700 …`
_OPENERS = {
    ("ip", "access-list"): 3,  # ip access-list extended NAME
    ("ipv6", "access-list"): 2,
    ("mac", "access-list"): 3,
}


def access_list_names(facts: Facts) -> frozenset[str]:
    """Names and numbers that `match access-group` may refer to: IP, IPv6 and MAC lists."""
    names = {known.name for known in facts.access_lists}
    for line in facts.tree.commands():
        words = line.words
        if words[0] == "access-list" and len(words) >= _NUMBERED:
            names.add(words[1])
            continue
        position = _OPENERS.get((words[0], words[1] if len(words) > 1 else ""))
        if position is not None and len(words) > position:
            names.add(words[position])
    return frozenset(names)
