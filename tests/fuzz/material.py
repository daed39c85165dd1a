"""What is mutated: the fixtures of the project, and the corpus where one lies beside it."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

ROOT: Final = Path(__file__).resolve().parents[2]
FIXTURES: Final = ROOT / "fixtures"
CORPUS: Final = ROOT.parent / "shared/corpus"
_LARGEST_BYTES: Final = 60_000  # larger files take the time of ten others
_TEXTS: Final = (".ios", ".txt", ".cfg", "")


class Seed(Struct, frozen=True):
    """A file to mutate; `command` is that whose output it holds, where its folder names one."""

    name: str
    text: str
    command: str | None = None


# Folders of fixtures/show whose outputs stand alone, by the command that prints them.
COMMANDS: Final = {
    "atm_pvc": "show atm pvc",
    "atm_vc": "show atm vc",
    "controllers_serial": "show controllers serial",
    "interfaces": "show interfaces",
    "ip_sla": "show ip sla statistics",
    "policy_map": "show policy-map",
    "policy_map_interface": "show policy-map interface",
    "processes_cpu": "show processes cpu",
    "queue": "show queue serial0",
    "queueing": "show queueing",
    "version": "show version",
}
DLSW_COMMANDS: Final = ("peers", "circuits", "statistics", "capabilities", "reachability")
ALL_COMMANDS: Final = (
    *COMMANDS.values(),
    *(f"show dlsw {word}" for word in DLSW_COMMANDS),
    *("show ip sla statistics aggregated", "show rtr operational-state", "show rtr collection"),
    *("show queueing random-detect", "show queueing fair", "show queueing interface serial0"),
    *("show processes cpu history", "show running-config", "show clock", "show privilege"),
    *("show ip sla monitor statistics", "show ip sla monitor collection-statistics"),
)


@cache
def configs() -> tuple[Seed, ...]:
    """Configurations."""
    return _read((FIXTURES / "configs").rglob("*")) + _read((FIXTURES / "dlsw").rglob("*.cfg"))


@cache
def shows() -> tuple[Seed, ...]:
    """Show outputs of one command, logs of sessions, and files of bundles."""
    files = [*(FIXTURES / "show").rglob("*.txt"), *(FIXTURES / "bundles").rglob("*")]
    return _read(files) + _read((FIXTURES / "dlsw").rglob("*.txt"))


@cache
def corpus() -> tuple[Seed, ...]:
    """Files of the corpus; none where it is not there."""
    return _read(CORPUS.glob("*/**/*")) if CORPUS.is_dir() else ()


@cache
def bundles() -> tuple[dict[str, bytes], ...]:
    """Files of each bundle, by their name."""
    folders = sorted(path for path in (FIXTURES / "bundles").iterdir() if path.is_dir())
    return tuple(
        {file.name: file.read_bytes() for file in sorted(folder.iterdir())} for folder in folders
    )


@cache
def documents(pattern: str) -> tuple[str, ...]:
    """Texts of settings, traffic and scenario files below the fixtures."""
    return tuple(path.read_text("utf-8") for path in sorted(FIXTURES.glob(pattern)))


def _read(paths: Iterable[Path]) -> tuple[Seed, ...]:
    seeds = []
    for path in sorted(paths):
        if path.is_file() and path.suffix in _TEXTS and path.stat().st_size <= _LARGEST_BYTES:
            text = path.read_bytes().decode("latin-1").replace("\r\n", "\n")
            seeds.append(Seed(path.name, text, _command(path)))
    return tuple(seeds)


def _command(path: Path) -> str | None:
    if path.parent.name == "dlsw":
        kind = next((word for word in DLSW_COMMANDS if word in path.name), None)
        return f"show dlsw {kind}" if kind else None
    return COMMANDS.get(path.parent.name)
