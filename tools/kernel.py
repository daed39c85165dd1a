"""Builds the kernel of `advisor.theory.kernel` from its C sources.

``python -m tools.kernel`` writes `kernel.wasm` and the hash of the sources beside it; ``--check``
builds it elsewhere and compares. Both need the extra `kernel`: the compiler is a package of PyPI.
"""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

ROOM = Path(__file__).parents[1] / "advisor/theory/kernel"
WASM, HASH = ROOM / "kernel.wasm", ROOM / "kernel.sha256"
# No floating-point contraction or reordering: the same digits on every machine.
FEATURES = "mvp+bulk_memory+sign_ext+mutable_globals+nontrapping_fptoint"
FLAGS = [
    *("-target", "wasm32-freestanding", f"-mcpu={FEATURES}"),
    *("-std=c17", "-O3", "-flto", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"),
    *("-nostdlib", "-Wl,--no-entry", "-s"),
]


def sources() -> list[Path]:
    """Every C source and header, in order of name."""
    return sorted((ROOM / "source").glob("*.[ch]"))


def hash_of_sources() -> str:
    """One hash of the names, the texts and the flags of the compiler."""
    digest = sha256(" ".join(FLAGS).encode())
    for source in sources():
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()


def build(out: Path) -> None:
    """Compile and link the kernel.

    Raises
    ------
    subprocess.CalledProcessError
        If the compiler refuses; it has said why.
    """
    units = [str(source) for source in sources() if source.suffix == ".c"]
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, *units, "-o", str(out)]
    subprocess.run(command, check=True)  # noqa: S603 -- our own arguments


def main(arguments: list[str]) -> int:
    """Build, or check what is committed; the exit status."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write(f"{__doc__}\n")
        return 2
    with TemporaryDirectory() as directory:
        built = Path(directory) / WASM.name
        build(built)
        text = built.read_bytes()
    if not arguments:
        WASM.write_bytes(text)
        HASH.write_text(hash_of_sources() + "\n", "ascii")
        return 0
    if text == WASM.read_bytes() and hash_of_sources() == HASH.read_text("ascii").strip():
        return 0
    sys.stderr.write("kernel.wasm is not what its sources give: run python -m tools.kernel\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
