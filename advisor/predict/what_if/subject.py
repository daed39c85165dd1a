"""What is predicted: one configuration or bundle, or the configuration of a stated link."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from advisor.bounded import STDIN
from advisor.device.inputs import Inputs, first_folder
from advisor.device.reading import read_source
from advisor.device.source import Source, device_sources
from advisor.predict.what_if.errors import InputError
from advisor.predict.what_if.moves import Moves, moves_of
from advisor.predict.what_if.stated import refuse_wrong_statements
from advisor.predict.what_if.stated_link import StatedLink, stated_source
from advisor.settings.file import read_traffic
from advisor.settings.load import load_settings
from advisor.settings.values import Flags, Settings


class Subject(Struct, frozen=True):
    """A config to predict with the settings in force and the moves that flags ask for."""

    source: Source
    settings: Settings
    interface: str | None
    moves: tuple[Moves, ...]


def subject_of(
    path: str | None,
    flags: Flags,
    *,
    link: StatedLink | None = None,
    interface: str | None = None,
    overrides: Sequence[str] = (),
) -> Subject:
    """The config that is asked for, or that the flags of a link would have, with its settings.

    Raises
    ------
    InputError
        If none is named, several are, or it cannot be read, or a statement names a class or an
        interface that the device has not.
    SettingsError
        If the settings cannot be used.
    """
    moves = moves_of(_key_values(overrides))
    if link is not None:
        if path is not None:
            raise InputError("--link: replaces PATH; give only one of them")
        stated = stated_source(link)
        settings = load_settings(Path.cwd(), flags)
        if flags.traffic is not None:  # a site's own tables need not be about this link
            own = replace(settings, traffic=read_traffic(flags.traffic).stated.traffic)
            refuse_wrong_statements((read_source(stated.source, own).device,))
        settings = replace(settings, traffic=(*stated.traffic, *settings.traffic))
        return Subject(stated.source, settings, interface, (stated.moves, moves))
    if path is None:
        raise InputError("predict: takes PATH, --link RATE, --hops FILE or --scenario FILE")
    settings = load_settings(first_folder([path]), flags)
    source = only_source(path)
    if settings.traffic:
        refuse_wrong_statements((read_source(source, settings).device,))
    return Subject(source, settings, interface, (moves,))


def only_source(path: str) -> Source:
    """The one file or bundle that a path names.

    Raises
    ------
    InputError
        If it names none, or several.
    """
    inputs = Inputs([path])
    sources = list(islice(inputs, 2))
    is_folder = path != STDIN and Path(path).is_dir()
    if is_folder and any(not source.is_bundle for source in sources):
        raise InputError(f"{path}: is a folder; predict takes one file or bundle")
    if not sources:
        raise InputError("; ".join((*inputs.unreadable, *inputs.declined)))
    if len(sources) > 1:
        raise InputError(f"{path}: names more than one file; predict takes one")
    devices = device_sources(sources[0])
    if len(devices) > 1:
        raise InputError(f"{path}: holds {len(devices)} devices; predict takes a file of one")
    return sources[0]


def _key_values(overrides: Sequence[str]) -> Mapping[str, str]:
    moved: dict[str, str] = {}
    for override in overrides:
        key, equals, value = override.partition("=")
        if not equals:
            raise InputError(f"--set {override}: write KEY=VALUE, like tx-ring-limit=5")
        if key.strip() in moved:
            raise InputError(f"--set {override}: {key.strip()} is set twice")
        moved[key.strip()] = value.strip()
    return moved
