"""Sessions inside a session: who hops with telnet or ssh may meet a router of the same name."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from advisor.capture.sections import Section, SectionKind

# Names that IOS gives by itself, or that people leave as they are.
_FACTORY: Final = frozenset(("router", "switch", "cisco", "yourname", "ap", "gateway", "localhost"))
_SIGNS: Final = (
    *("Trying ", "Connected to ", "onnection ", "ssh ", "login ", "assword:", "== ", "-- "),
    *("** ", "## "),
)
_EVENT: Final = re.compile(
    r"""^Trying[ ][^\n]{0,80}?(?P<open>[\w.:-]{1,80}?)
        (?:[ ]?\([^\n]{0,80}\))?[ ]{0,3}\.\.\.[ ]?Open\b
      | ^Connected[ ]to[ ](?P<connected>[\w.:-]{1,80}?)\.?\s*$
      | ^(?P<resumed>\[Resuming[ ]connection[ ]\d{1,3}[ ]to[ ](?P<again>[\w.:-]{1,80}))
      | ^(?:[^\n]{0,80}?[^\w\s"'(),.;-][ ]{0,2}|spawn[ ])
        (?:ssh|[rs]login)[ ](?:\S+[ ])*?(?:\S+@)?(?P<ssh>[\w.:-]+)\s*$
      | ^\(?\S{1,64}@(?P<asked>[\w.:-]{1,80})(?:'s[ ]password|\)[ ]Password):
      | ^(?P<mark>[=*#-])(?P=mark){2,}[ ](?P<framed>\d{1,3}(?:\.\d{1,3}){3})[ ](?P=mark){3,}\s*$
      | ^(?P<closed>\[?Connection[ ](?:to[ ]\S+[ ])?closed\b)
    """,
    re.MULTILINE | re.VERBOSE,
)


def sessions_of(sections: Sequence[Section], names: Sequence[str | None]) -> list[str | None]:
    """Address that each section was taken at, where its name alone does not tell the device.

    None at the first device of the log, and where a name means one device: it was not met twice
    by a hop from itself, and is none that IOS gives by itself.
    """
    targets = _targets(sections)
    if not any(targets):
        return [None] * len(sections)
    saying = [
        place for place, section in enumerate(sections) if section.kind is not SectionKind.UNKNOWN
    ]
    same = {
        names[place]
        for ahead, place in pairwise(saying)
        if names[ahead] == names[place] and targets[ahead] != targets[place]
    }
    told = {place: targets[place] if _is_open(names[place], same) else None for place in saying}
    session = next(iter(told.values()), None)
    sessions = []
    for place in range(len(sections)):  # what says nothing goes with what stands ahead of it
        session = told.get(place, session)
        sessions.append(session)
    return sessions


def is_of_factory(name: str) -> bool:
    """Whether a name is one that IOS gives by itself, or that people leave as it is."""
    return name.lower() in _FACTORY


def _is_open(name: str | None, same: set[str | None]) -> bool:
    """Whether a name leaves open which device it means."""
    return name is not None and (name in same or is_of_factory(name))


def _targets(sections: Sequence[Section]) -> list[str | None]:
    """Address of the last hop ahead of each section; None at the first device."""
    path: list[str] = []
    targets: list[str | None] = []
    for section in sections:
        targets.append(path[-1] if path else None)
        if any(sign in section.text for sign in _SIGNS):
            _follow(section, path)
    return targets


def _follow(section: Section, path: list[str]) -> None:
    """Go where the lines of a section lead: on to another device, and back from it."""
    is_refused = section.refusal is not None
    for event in _EVENT.finditer(section.text):
        target = event["open"] or event["connected"] or event["again"]
        target = target or event["asked"] or event["framed"]
        target = target or (None if is_refused else event["ssh"])
        if event["closed"]:
            del path[-1:]
        elif target is not None and path[-1:] != [target]:
            path.append(target)
