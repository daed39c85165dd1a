"""What the user states: advisor.toml, `[tool.advisor]`, --traffic files and profiles.

Errors name the file, the line, the key and the nearest right key.
"""

from pathlib import Path

from msgspec import Struct

from advisor.faults import AdvisorError

MOST_FLOWS = 10_000  # TCP flows of one statement


class SettingsError(AdvisorError):
    """A settings or traffic file is unreadable or says something it cannot say."""


class Budgets(Struct, frozen=True):
    """What a class of traffic may cost. None: this profile does not judge it.

    Sources: 25 ms of ring leaves a T1 with the default ring of 2 alone; 10 ms of serialization is
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
        ring_wait_ms=12.0,
        priority_queue_ms=10.0,
        bandwidth_queue_ms=100.0,
        default_queue_ms=300.0,
        jitter_ms=20.0,
        loss_percent=0.5,
    ),
}


class PacketShare(Struct, frozen=True):
    """One size of a mix: IP bytes and its share of the packets."""

    ip_bytes: int
    share: float


class StatedTcp(Struct, frozen=True):
    """TCP flows of a `[[traffic]]` table; None where the table does not say.

    `rtt_low_ms` and `rtt_high_ms` are without queueing here; `transfer_bytes` None: the flows
    always have something to send. `target_share_percent` is of all TCP bytes of the output.
    """

    flows: int
    rtt_low_ms: float | None = None
    rtt_high_ms: float | None = None
    receiver_window_bytes: int | None = None
    transfer_bytes: int | None = None
    target_share_percent: float | None = None


class Traffic(Struct, frozen=True):
    """One `[[traffic]]` table: what a class of an interface is offered.

    `device` and `interface` are globs. `sizes` is empty where the sizes are not stated;
    `packets_per_second` is of all streams together, None where the rate is not stated, 0 where
    the class carries nothing. `arrivals` is "periodic", "poisson" or "saturated" (always packets
    waiting). `marking` ("dscp af11", "precedence 5") and `group` say which packets of the class
    are meant, None: all of them; `tcp` that they react to loss.
    """

    device: str
    interface: str
    class_name: str
    sizes: tuple[PacketShare, ...]
    packets_per_second: float | None
    streams: int
    arrivals: str
    source: str  # "voice.toml:3", shown as the source of the figures
    marking: str | None = None
    group: str | None = None
    tcp: StatedTcp | None = None


class Transactions(Struct, frozen=True):
    """One `[[traffic]]` table of SNA transactions: the peak that DLSw+ of a device carries.

    `device` is a glob; bytes are those of one transaction, as a terminal of the site sees them.
    """

    device: str
    peak_tps: float
    out_bytes: int
    in_bytes: int
    ru_bytes: int
    source: str


class DlswDesign(Struct, frozen=True):
    """The `[dlsw]` table: what the peers are meant to be for each other.

    `redundant_peers` are sets of head ends that back each other up, by peer-id or device name.
    `fault_domain_peers` is how many peers may be lost with one router; its survivor carries twice
    as many.
    """

    redundant_peers: tuple[tuple[str, ...], ...] = ()
    fault_domain_peers: int | None = None
    source: str = ""  # "advisor.toml:3"


class Settings(Struct, frozen=True):
    """Settings in force; `file` is None where they are built in."""

    budgets: Budgets = PROFILES["voice"]
    profile: str = "voice"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str = "warning"
    traffic: tuple[Traffic, ...] = ()
    transactions: tuple[Transactions, ...] = ()
    dlsw: DlswDesign = DlswDesign()
    file: str | None = None


class Flags(Struct, frozen=True):
    """What the command line states of the settings; None or empty where it does not."""

    config: Path | None = None
    profile: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    traffic: Path | None = None
