"""The parts of a SARIF log that reports use, as the format names them.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0. Columns count from
1, and an end column is the first one behind the region.
"""

from collections.abc import Mapping

from msgspec import Struct

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


class _Object(Struct, frozen=True, rename="camel", omit_defaults=True):
    """An object of the format: what has its default is left out."""


class Message(_Object, frozen=True):
    """Words for a reader."""

    text: str
    markdown: str | None = None


class Region(_Object, frozen=True):
    """A part of a file."""

    start_line: int
    start_column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    snippet: Message | None = None


class ArtifactLocation(_Object, frozen=True):
    """A file."""

    uri: str


class PhysicalLocation(_Object, frozen=True):
    """A part of a file, or the file as a whole."""

    artifact_location: ArtifactLocation
    region: Region | None = None


class LogicalLocation(_Object, frozen=True):
    """An object of a device."""

    fully_qualified_name: str
    kind: str


class Location(_Object, frozen=True):
    """Where a result is."""

    physical_location: PhysicalLocation | None = None
    logical_locations: tuple[LogicalLocation, ...] = ()


class Replacement(_Object, frozen=True):
    """A part of a file, and what stands there instead."""

    deleted_region: Region
    inserted_content: Message | None = None


class ArtifactChange(_Object, frozen=True):
    """Changes of one file."""

    artifact_location: ArtifactLocation
    replacements: tuple[Replacement, ...]


class Fix(_Object, frozen=True):
    """Changes that cure a result."""

    description: Message
    artifact_changes: tuple[ArtifactChange, ...]


class Suppression(_Object, frozen=True):
    """Who accepts a result: a comment of the file, or something outside of it."""

    kind: str
    justification: str | None = None
    properties: Mapping[str, object] | None = None


class Result(_Object, frozen=True):
    """A finding."""

    rule_id: str
    level: str
    message: Message
    locations: tuple[Location, ...]
    partial_fingerprints: Mapping[str, str]
    rule_index: int | None = None
    related_locations: tuple[Location, ...] = ()
    fixes: tuple[Fix, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    properties: Mapping[str, object] | None = None


class Configuration(_Object, frozen=True):
    """The level of a rule, which is always written: the format has a default of its own."""

    level: str


class Descriptor(_Object, frozen=True):
    """A rule."""

    id: str
    name: str
    short_description: Message
    full_description: Message
    help: Message
    default_configuration: Configuration
    properties: Mapping[str, object]


class Component(_Object, frozen=True):
    """The program, with its rules."""

    name: str
    version: str
    rules: tuple[Descriptor, ...]


class Tool(_Object, frozen=True):
    """What made the log."""

    driver: Component


class Notification(_Object, frozen=True):
    """What went wrong while the log was made."""

    level: str
    message: Message


class Invocation(_Object, frozen=True):
    """The run of the program."""

    execution_successful: bool
    tool_execution_notifications: tuple[Notification, ...] = ()


class Run(_Object, frozen=True):
    """One run: no log of this program has two."""

    tool: Tool
    invocations: tuple[Invocation, ...]
    results: tuple[Result, ...]
    column_kind: str
    properties: Mapping[str, object]


class Log(Struct, frozen=True, rename={"schema": "$schema"}):
    """The whole log."""

    schema: str
    version: str
    runs: tuple[Run, ...]
