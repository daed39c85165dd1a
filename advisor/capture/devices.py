"""Which device each section of a file is of: a session may hop, and a file may hold many configs.

A configuration is of its `hostname`, an output of the device whose prompt it stands behind. What
has no prompt is of the configuration, or of the `show version`, that stands ahead of it.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from advisor.capture.config_boundaries import foreign_hostname_of, hostname_of
from advisor.capture.cuts import CONFIGURE
from advisor.capture.outputs import CLOCK, VERSION
from advisor.capture.sections import Capture, Section, SectionKind
from advisor.ios.syntax.detect import Dialect

# Sessions inside a session: who hops with telnet or ssh may meet a router of the same name.

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


# IOS shows no more of a long hostname in its prompts.
PROMPT_CHARACTERS: Final = 20

_UPTIME: Final = re.compile(r"^(\S+) uptime is ", re.MULTILINE)
_BETWEEN_SESSIONS: Final = ("terminal length", "exit", "logout", "quit")
_RUNNING: Final = "more system:running-config"
_OTHER_CONFIGS: Final = ("show startup-config", "show configuration", "more ")


def by_device(capture: Capture) -> tuple[Capture, ...]:
    """Part a capture into one for each device, in the order in which they first occur.

    Two devices of one name are two where the session hopped from one to the other. The sections of
    a device keep their order and their lines. A capture of one device, or of none
    that is named, is returned as it is.
    """
    names = _names(capture.sections)
    sessions = sessions_of(capture.sections, names)
    sections_of: dict[tuple[str | None, str | None, Dialect | None], list[Section]] = {}
    keys = zip(names, sessions, _systems(capture.sections, names), strict=True)
    for key, section in zip(keys, capture.sections, strict=True):
        sections_of.setdefault(key, []).append(section)
    if len(sections_of) == 1:
        return (capture,)
    return tuple(
        replace(
            capture,
            sections=tuple(sections),
            device=name if session is None else f"{name}@{session}",
            session=session,
        )
        for (name, session, _), sections in sections_of.items()
    )


def _systems(sections: Sequence[Section], names: Sequence[str | None]) -> Sequence[Dialect | None]:
    """The other system of each configuration; text beside one, like its date, is of the same."""
    systems = [section.foreign_config for section in sections]
    for place in reversed(range(len(sections))):
        if sections[place].kind is SectionKind.UNKNOWN and sections[place].command is None:
            beside = (at for at in (place + 1, place - 1) if 0 <= at < len(names))
            same = (systems[at] for at in beside if names[at] == names[place])
            systems[place] = next(same, None)
    return systems


def full_names(shown: Iterable[str], names: Iterable[str]) -> Mapping[str, str]:
    """Name of the device for each name that a prompt shows, which may be cut.

    Examples
    --------
    >>> full_names(["branch-office-berlin", "r1"], ["branch-office-berlin-rt1", "r10"])
    {'branch-office-berlin': 'branch-office-berlin-rt1', 'r1': 'r1'}
    """
    known = set(names)
    ordered = sorted(known)
    return {
        prompt: prompt if prompt in known else _only_longer(prompt, ordered) for prompt in shown
    }


def _only_longer(shown: str, names: Sequence[str]) -> str:
    """The only one of sorted names that a prompt may have cut; else what it shows."""
    place = bisect_right(names, shown)
    longer = [name for name in names[place : place + 2] if name.startswith(shown)]
    return longer[0] if _may_be_cut(shown) and len(longer) == 1 else shown


def configured_name(section: Section) -> str | None:
    """Name that a configuration gives to its device; None for one that was only stored on it."""
    if section.kind is not SectionKind.CONFIG:
        return None
    command = section.command or ""
    is_stored = command.startswith(_OTHER_CONFIGS) and not command.startswith(_RUNNING)
    if is_stored and section.host is not None:
        return None
    if section.foreign_config is not None:
        return foreign_hostname_of(section.shown) or str(section.foreign_config)
    return hostname_of(section.lines)


def version_name(section: Section) -> str | None:
    """Name in the `show version` behind no prompt, or behind one that may be cut from this name."""
    if section.taken_for != VERSION:
        return None
    uptime = _UPTIME.search(section.shown)
    if uptime is None:
        return None
    is_cut = _may_be_cut(section.host or "") and uptime[1].startswith(section.host or "")
    return uptime[1] if section.host is None or is_cut else None


def rivals_of(shown: str, names: Iterable[str]) -> tuple[str, ...]:
    """Sorted names that a prompt may be cut from; empty where it is cut from one at most.

    Examples
    --------
    >>> rivals_of("branch-office-berlin", ["branch-office-berlin-1", "branch-office-berlin-2"])
    ('branch-office-berlin-1', 'branch-office-berlin-2')
    >>> rivals_of("r1", ["r10", "r11"])
    ()
    """
    longer = sorted({name for name in names if name.startswith(shown)})
    is_known = shown in longer or not _may_be_cut(shown)
    return () if is_known or len(longer) == 1 else tuple(longer)


def _may_be_cut(shown: str) -> bool:
    return len(shown) >= PROMPT_CHARACTERS


def _names(sections: Sequence[Section]) -> list[str | None]:
    """Name of the device of each section; None where nothing in the file names any."""
    configured = [configured_name(section) or version_name(section) for section in sections]
    known = {name for name in configured if name is not None}
    hosts = {section.host for section in sections if section.host is not None}
    full = _full_prompts(hosts, known)
    pairs = list(zip(sections, configured, strict=True))
    first: dict[str, str] = {}
    renamed: dict[str, str] = {}
    for section, name in pairs:
        if section.host is not None and name is not None:
            first.setdefault(section.host, name)
            if section.command == CONFIGURE and name != section.host:
                renamed[section.host] = name
    current: dict[str, str] = {}
    names: list[str | None] = []
    for section, name in pairs:
        host = section.host
        if host is None:
            names.append(name)
            continue
        if name is not None:
            current[host] = name
        device = current.get(host) or first.get(host) or full[host]
        names.append(_last_name(device, renamed))
    for host in hosts:
        if rivals_of(host, known):
            _name_in_turn(host, pairs, names)
    return _by_neighbours(sections, names)


def _name_in_turn(
    host: str, pairs: Sequence[tuple[Section, str | None]], names: list[str | None]
) -> None:
    """Name the sections of a cut prompt that fits several devices, each by what stands ahead.

    A configuration and a `show version` tell the device. A command that repeats one behind them,
    and the start of another session, may be of any: such an output keeps the cut name. A clock
    needs no device.
    """
    current = None
    commands: set[str] = set()
    for place, (section, name) in enumerate(pairs):
        if section.host != host:
            continue
        command = section.command or ""
        if name is not None:
            commands = commands if name == current else set()
            current = name
        elif command in commands or command.startswith(_BETWEEN_SESSIONS):
            current = None
        commands.add(command)
        names[place] = current or (host if section.taken_for != CLOCK else None)


def _full_prompts(hosts: Collection[str], configured: Collection[str]) -> Mapping[str, str]:
    """Full name of each prompt: that of a configuration, else of a longer prompt."""
    names = full_names(hosts, configured)
    ordered = sorted(hosts)
    return {
        host: _only_longer(host, ordered) if name == host and host not in configured else name
        for host, name in names.items()
    }


def _last_name(name: str, renamed: Mapping[str, str]) -> str:
    """Name of a device at the end of the session, in which it may have got another one."""
    passed = set()
    while name in renamed and name not in passed:
        passed.add(name)
        name = renamed[name]
    return name


def _by_neighbours(sections: Sequence[Section], names: Iterable[str | None]) -> list[str | None]:
    """Give each section without a name that of the section before it; the first ones, of the next.

    A section that repeats a command of the sections before it gets the name of the next one. A host
    with only prompts and no outputs (a jump host) is not a device.
    """
    told = list(names)
    saying = {
        name
        for section, name in zip(sections, told, strict=True)
        if section.kind is not SectionKind.UNKNOWN or _asks(section)
    }
    told = [name if name in saying else None for name in told]
    repeated = _repeated(sections)
    for place in range(len(told) - 2, -1, -1):
        if told[place] is None and repeated[place]:
            told[place] = told[place + 1]
    name = next((name for name in told if name is not None), None)
    for place, own in enumerate(told):
        told[place] = name = own if own is not None else name
    return told


def _asks(section: Section) -> bool:
    return section.command is not None and section.command.startswith(("show ", "write terminal"))


def _repeated(sections: Sequence[Section]) -> list[bool]:
    """Whether each section without a prompt repeats a command of those ahead of it."""
    commands: set[str | None] = set()
    repeated = []
    for section in sections:
        if section.host is not None:
            commands.clear()
        repeated.append(section.command is not None and section.command in commands)
        commands.add(section.command)
    return repeated
