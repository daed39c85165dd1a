"""Values of the options as words; this module imports nothing heavy."""

from enum import StrEnum


class ReportFormat(StrEnum):
    """How `lint` and `audit` print: the formats of `advisor.report.formats`."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    GITLAB = "gitlab"
    MARKDOWN = "markdown"
    CSV = "csv"
    HTML = "html"


class SnippetFormat(StrEnum):
    """How `fix` prints."""

    IOS = "ios"
    DIFF = "diff"
    JSON = "json"
    MARKDOWN = "markdown"


class PredictionFormat(StrEnum):
    """How `predict` prints."""

    FULL = "full"
    JSON = "json"
    CSV = "csv"
    PLOT = "plot"
    SVG = "svg"
    HTML = "html"


class DiffFormat(StrEnum):
    """How `diff` prints: the formats of `advisor.report.formats`."""

    FULL = "full"
    JSON = "json"
    MARKDOWN = "markdown"
    GITHUB = "github"
    JUNIT = "junit"
    HTML = "html"


class LessonFormat(StrEnum):
    """How `demo` prints."""

    FULL = "full"
    JSON = "json"
    SVG = "svg"


class InspectionFormat(StrEnum):
    """How `inspect` prints."""

    TREE = "tree"
    JSON = "json"


class FleetFormat(StrEnum):
    """How `collect` prints."""

    FULL = "full"
    JSON = "json"


class FailOn(StrEnum):
    """The mildest severity that makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"


class Shown(StrEnum):
    """The mildest severity that is shown."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class FixLevel(StrEnum):
    """The most that a remedy may ask for."""

    SAFE = "safe"
    NEEDS_WINDOW = "needs-window"


class SizeFormat(StrEnum):
    """How `size` prints."""

    FULL = "full"
    JSON = "json"
    HTML = "html"


class DesignFormat(StrEnum):
    """How `design` prints."""

    FULL = "full"
    JSON = "json"
    MARKDOWN = "markdown"


class MarkingName(StrEnum):
    """Who marks the packets that a designed edge classifies."""

    TRUST = "trust"
    ACL = "acl"
    NBAR = "nbar"


class Lan(StrEnum):
    """LAN of DLSw+."""

    ETHERNET = "ethernet"
    TOKEN_RING = "token-ring"  # noqa: S105 -- a LAN


class Wan(StrEnum):
    """What carries the TCP connections of DLSw+."""

    SERIAL = "serial"
    ETHERNET = "ethernet"
    TOKEN_RING = "token-ring"  # noqa: S105 -- a LAN


class WredBasisName(StrEnum):
    """What WRED tells packets apart by."""

    DSCP = "dscp"
    PRECEDENCE = "precedence"
