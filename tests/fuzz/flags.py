"""Flags of the command line with values from sane to absurd."""

from random import Random
from typing import Final

from tests.fuzz import absurd

_KEYS: Final = ("tx-ring-limit", "bandwidth", "mtu", "fragment", "load", "wred-min", "flows.af11")
_RATES: Final = (
    "512k",
    "2M",
    "64k",
    "1544000",
    "1G",
    "0.5M",
    "8",
    "1e3k",
    "k",
    "-1M",
    "1e400",
    "\u0663k",
)
_ENCAPS: Final = ("ppp", "hdlc", "frame-relay", "aal5snap", "aal5mux", "mlppp", "ethernet", "", "x")
_CODECS: Final = ("g711", "g729", "g723", "g726", "g722", "", "G.729", "\x1b[31m")
_CODES: Final = ("af11", "af12", "af13", "ef", "0", "46", "63", "64", "default", "cs1", "-1", "")
_PLATFORMS: Final = ("3640", "NPE-300", "RSP4", "2811", "", " ", "x", "\x1b[31m", "7206VXR", "npe")
_RULES: Final = (
    "TXR001",
    "all",
    "REF",
    "wred",
    "WRD001",
    "dlsw",
    "",
    "T",
    "\x1b",
    "formulas",
    "kingman",
)
TRANSACTIONS: Final = (
    *("--tps", "50", "--out-bytes", "100"),
    *("--in-bytes", "1000", "--ru", "1024"),
)
FORMULAS: Final = (
    *("serialization", "atm-cells", "particles", "ring-bound", "class-bound"),
    *("ring-content", "saturated-wait"),
    *("unfinished-work", "llq-queue", "fragment-size", "shaper-interval", "priority-rate"),
    *("priority-burst", "r-factor", "dlsw-frames", "dlsw-cpu", "dlsw-calibration", "formulas"),
)


def _some(random: Random, sane: tuple[str, ...]) -> str:
    kind = random.random()
    if kind < 0.6:
        return random.choice(sane)
    return absurd.number(random) if kind < 0.85 else absurd.name(random)


def _range(random: Random) -> str:
    ends = [random.choice(("1", "2", "5", "10", "20", "64", "512", "0.5")) for _ in range(2)]
    if random.random() < 0.3:
        ends[random.randrange(2)] = absurd.number(random)
    step = random.choice(("", "", ":1", ":0", ":2", ":0.001", ":-1", ":" + absurd.number(random)))
    return f"{ends[0]}..{ends[1]}{step}"


def assignment(random: Random) -> tuple[str, str]:
    """`--set KEY=VALUE`."""
    key = random.choice(_KEYS) if random.random() < 0.9 else absurd.name(random)
    return "--set", f"{key}={_some(random, ('1', '5', '64', '512', '1500', '90'))}"


def sweep(random: Random) -> tuple[str, str]:
    """`--sweep KEY=A..B`, short in most cases: each point is a prediction."""
    key = random.choice(_KEYS) if random.random() < 0.9 else absurd.name(random)
    return "--sweep", f"{key}={_range(random)}"


def link(random: Random) -> tuple[str, ...]:
    """`predict` of a link without a config."""
    words = ["predict", "--link", _some(random, _RATES)]
    optional = (
        ("--encap", _some(random, _ENCAPS)),
        ("--llq", _some(random, _RATES)),
        ("--tx-ring-limit", _some(random, ("1", "2", "5", "64"))),
        ("--calls", _some(random, ("1", "2", "10", "1000"))),
        ("--codec", _some(random, _CODECS)),
        ("--background", _some(random, ("64", "576", "1500", "9000"))),
        assignment(random),
        ("--interface", _some(random, ("Serial0/0", "link"))),
        ("--format", random.choice(("json", "csv", "full", "plot"))),
        ("--profile", _some(random, ("voice", "data", "dlsw"))),
    )
    return (*words, *_chosen(random, optional))


def size(random: Random, *paths: str) -> tuple[str, ...]:
    """`size dlsw`, of flags or of files."""
    optional = (
        ("--platform", _some(random, _PLATFORMS)),
        ("--tps", _some(random, ("1", "50", "900", "1e6"))),
        ("--out-bytes", _some(random, ("0", "100", "4000"))),
        ("--in-bytes", _some(random, ("0", "100", "4000"))),
        ("--ru", _some(random, ("1", "256", "1024"))),
        ("--lf", _some(random, ("516", "1470", "17800"))),
        ("--peers", _some(random, ("1", "100", "300"))),
        ("--redundant",),
        ("--fault-domain", _some(random, ("1", "250", "100000"))),
        ("--survivor-limit", _some(random, ("50", "1", "100"))),
        ("--lan", random.choice(("ethernet", "token-ring"))),
        ("--format", "json"),
    )
    most = len(optional) if not paths else 4
    return ("size", "dlsw", *paths, *_chosen(random, optional, most))


def design(random: Random) -> tuple[str, ...]:
    """`design wred`."""
    code = random.choice(_CODES)
    optional = (
        ("--target-delay", _some(random, ("10", "100", "500"))),
        ("--packet", _some(random, ("64", "576", "1500"))),
        ("--dscp", ",".join(random.sample(_CODES, random.randrange(1, 4)))),
        ("--flows", f"{code}={_some(random, ('1', '3', '20'))}"),
        ("--share", f"{code}={_some(random, ('1%', '20%', '60%', '100%'))}"),
        ("--rtt", _some(random, ("1", "100", "600"))),
        ("--release", _some(random, ("12.2", "15.1", "xe", "12.0", "12.2(33)SRE"))),
        ("--basis", random.choice(("dscp", "precedence"))),
        ("--format", "json"),
    )
    return ("design", "wred", "--rate", _some(random, _RATES), *_chosen(random, optional))


def words(random: Random) -> tuple[str, ...]:
    """A command that takes words alone."""
    return random.choice(
        (
            ("explain", _some(random, (*_RULES, *FORMULAS))),
            ("rules", "list"),
            ("rules", "docs"),
            ("schema",),
            ("config", "show", "--profile", _some(random, ("voice", "data", "strict"))),
            (
                "collect",
                "--dry-run",
                _some(random, ("r1", "r1:22", "[::1]:22", "bob:x@r1", "r1:99999")),
            ),
            ("collect", "--print-authorization", "--select", _some(random, _RULES)),
            (absurd.name(random), absurd.name(random)),
            ("inspect", "input.cfg", "--command", absurd.name(random)),
            ("lint", absurd.name(random).replace("/", "")),
        )
    )


def rule_flags(random: Random) -> tuple[str, ...]:
    """Flags of `lint` that choose rules."""
    optional = (
        ("--select", _some(random, _RULES)),
        ("--ignore", _some(random, _RULES)),
        ("--profile", _some(random, ("voice", "data", "strict"))),
        ("--severity", random.choice(("error", "warning", "info", "x"))),
        ("--fail-on", random.choice(("error", "never", "info", "x"))),
        ("--quiet",),
        ("--no-color",),
    )
    return _chosen(random, optional, 2)


def _chosen(
    random: Random, optional: tuple[tuple[str, ...], ...], most: int = 4
) -> tuple[str, ...]:
    count = random.randrange(min(most, len(optional)) + 1)
    return tuple(word for flag in random.sample(optional, count) for word in flag)
