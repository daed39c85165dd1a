"""The statements of the user: settings, traffic and profiles, and the layers they stand in."""

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from advisor.ground.faults import AdvisorError

# Statements of the user on rules and budgets, by place: profiles, the file, devices, flags.

BUILT_IN: Final = "built-in"  # the origin of what nobody states


class StatedBudget(Struct, frozen=True):
    """One key of a `[budgets]` table."""

    name: str
    value: float
    source: str  # "advisor.toml:3", the source that reports name


class StatedNames(Struct, frozen=True):
    """Ids, names or prefixes of rules, in a `select` or an `ignore`."""

    names: tuple[str, ...]
    source: str


class StatedRule(Struct, frozen=True):
    """One key of a `[rules.NAME]` table: `severity`, `enabled`, or a parameter of the rule.

    `rule` is an id or a name; a prefix, too, of what is no parameter.
    """

    rule: str
    key: str
    value: object
    source: str


class Layer(Struct, frozen=True):
    """Statements of one place; a missing one comes from the layers below it."""

    budgets: tuple[StatedBudget, ...] = ()
    select: StatedNames | None = None
    ignore: StatedNames | None = None
    rules: tuple[StatedRule, ...] = ()


class OwnProfile(Struct, frozen=True):
    """A `[profiles.NAME]` table: a profile of the user, which begins as another one."""

    name: str
    extends: str
    layer: Layer
    source: str


class Override(Struct, frozen=True):
    """An `[[override]]` table: what holds for devices of these names. `device` is a glob."""

    device: str
    profile: str | None
    layer: Layer
    source: str


class Layers(Struct, frozen=True):
    """All layers, from the most general to the most special.

    They are the profile, the file, the overrides that hold for a device in the order of the file,
    and the flags. The profile is that of the flag, else of the last of these overrides that states
    one, else of the file.
    """

    profile: str = "voice"
    profile_source: str = BUILT_IN
    is_profile_of_flag: bool = False
    profiles: tuple[OwnProfile, ...] = ()
    file: Layer = Layer()
    overrides: tuple[Override, ...] = ()
    flags: Layer = Layer()

    def everywhere(self) -> tuple[Layer, ...]:
        """Every layer, whether it is in force or not."""
        of_devices = (override.layer for override in self.overrides)
        of_profiles = (profile.layer for profile in self.profiles)
        return (*of_profiles, self.file, *of_devices, self.flags)


# The statements of the user: advisor.toml, `[tool.advisor]`, --traffic files and profiles.
#
# Errors name the file, the line, the key and the nearest right key.

MOST_FLOWS = 10_000  # of one statement


class SettingsError(AdvisorError):
    """A settings or traffic file is unreadable or holds an invalid statement."""


class Budgets(Struct, frozen=True):
    """The limits of delay, jitter, loss and CPU. None: the profile does not judge this quantity.

    Sources: 25 ms of ring wait accepts a T1 with the default ring of 2; 21 ms (strict)
    hold two fragments of 10 ms with their headers; 10 ms of serialization is
    Cisco's rule for LFI up to 768 kb/s.
    """

    ring_wait_ms: float | None = 25.0
    serialization_ms: float | None = 10.0
    priority_queue_ms: float | None = 20.0
    bandwidth_queue_ms: float | None = 200.0
    default_queue_ms: float | None = 500.0
    rtt_ms: float = 100.0
    jitter_ms: float | None = 30.0
    loss_percent: float | None = 1.0
    cpu_percent: float = 50.0


PROFILES = {
    "voice": Budgets(),
    "video": Budgets(serialization_ms=15.0, loss_percent=0.1),
    "data": Budgets(
        ring_wait_ms=50.0,
        serialization_ms=None,
        priority_queue_ms=None,
        bandwidth_queue_ms=300.0,
        default_queue_ms=800.0,
        jitter_ms=None,
        loss_percent=None,
        cpu_percent=60.0,
    ),
    "dlsw": Budgets(
        ring_wait_ms=50.0,
        serialization_ms=None,
        priority_queue_ms=None,
        bandwidth_queue_ms=100.0,
        default_queue_ms=500.0,
        jitter_ms=None,
        loss_percent=None,
    ),
    "strict": Budgets(
        ring_wait_ms=21.0,
        priority_queue_ms=10.0,
        bandwidth_queue_ms=100.0,
        default_queue_ms=300.0,
        jitter_ms=20.0,
        loss_percent=0.5,
    ),
}


class ReturnPath(StrEnum):
    """The way back of IP SLA probes: `[ip_sla] return_path`."""

    UNSTATED = "unstated"
    IDLE = "idle"
    LOADED = "loaded"


class PacketShare(Struct, frozen=True):
    """One size of a mix: IP bytes and its share of the packets."""

    ip_bytes: int
    share: float


class StatedTcp(Struct, frozen=True):
    """TCP flows of a `[[traffic]]` table; None if the table does not state a value.

    `rtt_low_ms` and `rtt_high_ms` exclude the queueing on this interface. Without
    `transfer_bytes`, the flows always have data to send. `target_share_percent` is the share of
    all TCP bytes of the output.
    """

    flows: int
    rtt_low_ms: float | None = None
    rtt_high_ms: float | None = None
    receiver_window_bytes: int | None = None
    transfer_bytes: int | None = None
    target_share_percent: float | None = None


class StatedJitter(Struct, frozen=True):
    """Periodic packets, each up to `jitter_ms` late."""

    jitter_ms: float


class StatedBursts(Struct, frozen=True):
    """Bursts that begin independently; their packets follow each other by `spacing_ms`."""

    packets: int
    spacing_ms: float


class StatedOnOff(Struct, frozen=True):
    """Streams that are silent by turns, like calls with voice activity detection: mean times."""

    on_ms: float
    off_ms: float

    @property
    def active_ratio(self) -> float:
        return self.on_ms / (self.on_ms + self.off_ms)


class StatedBacklog(Struct, frozen=True):
    """The number of packets that always wait."""

    packets: int


Pattern = StatedJitter | StatedBursts | StatedOnOff | StatedBacklog


class Traffic(Struct, frozen=True):
    """One `[[traffic]]` table: the traffic offered to a class of an interface.

    `device` and `interface` are globs. `sizes` is empty if the table states no sizes.
    `packets_per_second` is the mean of all streams together: None if the table states no rate, 0 if
    the class carries no traffic. `arrivals` is "periodic", "poisson", "bursts", "on-off" or
    "saturated" (packets always wait); `pattern` has what the table states beyond. Each stream has
    `conversations`. `marking` ("dscp af11", "precedence 5") and `group` select packets of the
    class; None selects all of them. Traffic with `tcp` reacts to loss. `of_ip_sla`: the IP SLA
    operations of the config that fall in the class; sizes and rates are theirs. `is_moved`: a
    what-if states it, in place of what was measured of the class. `of_calls`: `sizes` are those of
    a codec, as its packets enter a tunnel.
    """

    device: str
    interface: str
    class_name: str
    sizes: tuple[PacketShare, ...]
    packets_per_second: float | None
    streams: int
    arrivals: str
    source: str  # "voice.toml:3", the source that reports name
    marking: str | None = None
    group: str | None = None
    tcp: StatedTcp | None = None
    pattern: Pattern | None = None
    conversations: int = 1
    of_ip_sla: bool = False
    is_moved: bool = False
    of_calls: bool = False


class Transactions(Struct, frozen=True):
    """One `[[traffic]]` table of SNA transactions: the peak load on DLSw+ of a device.

    `device` is a glob. The bytes are those of one transaction, as seen by a terminal of the site.
    """

    device: str
    peak_tps: float
    out_bytes: int
    in_bytes: int
    ru_bytes: int
    source: str


class DlswDesign(Struct, frozen=True):
    """The `[dlsw]` table: the intended redundancy of the peers.

    `redundant_peers` are sets of head ends that back each other up, by peer-id or device name.
    `fault_domain_peers` is the number of peers that one router failure may take down; the
    surviving router then carries twice this number. `peers_source` and `limit_source` are the
    places of these keys, like "advisor.toml:3".
    """

    redundant_peers: tuple[tuple[str, ...], ...] = ()
    fault_domain_peers: int | None = None
    peers_source: str = ""
    limit_source: str = ""


class StatedPlatform(Struct, frozen=True):
    """The platform of devices, as the user states it: a model or a family. `device` is a glob."""

    device: str
    platform: str
    source: str  # "advisor.toml:3", "--platform"


class StatedRate(Struct, frozen=True):
    """The rate of lines that no file states. `device` and `interface` are globs."""

    device: str
    interface: str
    rate_bps: float
    source: str  # "advisor.toml:3", "--rate"


class StatedSuppression(Struct, frozen=True):
    """One `[[suppress]]` table: findings that the user accepts, and why.

    `device` is a glob, `object` the first steps of an object path, each a glob; empty: every
    object. `rules` are ids, names or prefixes. The table holds until the end of the day `until`.
    """

    device: str
    object: str
    rules: tuple[str, ...]
    reason: str
    until: date | None
    file: str
    line: int

    @property
    def source(self) -> str:
        return f"{self.file}:{self.line}"


RULES_FLAG = "--rules"


class RuleFolder(Struct, frozen=True):
    """A folder of rules that the user names, by a flag or in a file that a flag names."""

    path: Path
    source: str  # "advisor.toml:3", "--rules"


class Settings(Struct, frozen=True):
    """Settings in force; `file` is None for the built-in settings.

    `budgets`, `profile`, `select`, `ignore` and `rules` are what `layers` state together; `origins`
    says of a key where its value comes from. Without `suppresses`, no table, no comment of a
    configuration and no baseline suppresses a finding. Without `today`, none of them expires.
    `baseline` is a file of accepted findings. Only devices whose names fit a glob of `devices` are
    reported; all if there is none. Files that a glob of `exclude` means are not read.
    """

    budgets: Budgets = PROFILES["voice"]
    profile: str = "voice"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str = "warning"
    traffic: tuple[Traffic, ...] = ()
    transactions: tuple[Transactions, ...] = ()
    dlsw: DlswDesign = DlswDesign()
    platforms: tuple[StatedPlatform, ...] = ()
    rates: tuple[StatedRate, ...] = ()
    file: str | None = None
    return_path: ReturnPath = ReturnPath.UNSTATED
    suppress: tuple[StatedSuppression, ...] = ()
    suppresses: bool = True
    today: date | None = None
    baseline: Path | None = None
    rules: tuple[StatedRule, ...] = ()
    layers: Layers = Layers()
    origins: dict[str, str] = {}
    devices: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    rule_folders: tuple[RuleFolder, ...] = ()
    site: tuple[tuple[str, str], ...] = ()  # words of the `[site]` table, for its templates


class Flags(Struct, frozen=True):
    """Settings from the command line; None or empty if a flag is absent."""

    config: Path | None = None
    profile: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    traffic: Path | None = None
    platform: str | None = None
    rates: tuple[str, ...] = ()
    no_suppress: bool = False
    baseline: Path | None = None
    devices: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    rules: tuple[Path, ...] = ()
