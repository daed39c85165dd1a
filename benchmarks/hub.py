"""Lint of hubs: what 100 interfaces cost against 10, whatever they share.

    python benchmarks/hub.py [--interfaces N ...] [--kinds KIND ...]

Each kind is a hub of one shape: one shared policy, channels with deep rings in a whole capture and
in one that was cut, a policy each, rates of their own, bundles, Frame Relay circuits with one
map-class or one each, plain interfaces, unused class-maps. Each run is a fresh process, its start
included: that is what a user waits for. Goal: 100 interfaces take at most 3 times the time of 10.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

HEAD = "version 12.4\nhostname HUB\nclass-map match-any VOICE\n match ip dscp ef\n"
DATA = "class-map match-any DATA\n match ip dscp af31\n"
MOST_RATIO = 3.0


def policy(name: str) -> str:
    return (
        f"policy-map {name}\n class VOICE\n  priority 300\n class DATA\n  bandwidth 200\n"
        "  random-detect\n class class-default\n  fair-queue\n"
    )


def serial(number: int, name: str, kbps: int = 768) -> str:
    return (
        f"interface Serial{number // 8}/{number % 8}\n bandwidth {kbps}\n"
        f" ip address 10.{number // 64}.{number % 64}.1 255.255.255.252\n encapsulation ppp\n"
        f" service-policy output {name}\n"
    )


def shared(count: int) -> Iterator[str]:
    yield policy("WAN")
    yield from (serial(n, "WAN") for n in range(count))


def channels(count: int) -> Iterator[str]:
    """Channels with a deep ring: TXR001, TXR002 and LFI001 find something at each."""
    yield "policy-map WAN\n class VOICE\n  priority 128\n class class-default\n  fair-queue\n"
    for n in range(count):
        channel = serial(n, "WAN").replace("/", "/0:", 1)
        yield channel.replace(" service", " tx-ring-limit 16\n service")


def cut(count: int) -> Iterator[str]:
    """The same in a capture that ends inside of an interface."""
    yield "Building configuration...\n"
    yield from channels(count)
    yield "interface Serial9999/0\n bandwidth 7\n"


def own(count: int) -> Iterator[str]:
    for n in range(count):
        yield policy(f"WAN{n}") + serial(n, f"WAN{n}")


def rates(count: int) -> Iterator[str]:
    yield policy("WAN")
    yield from (serial(n, "WAN", 512 + 64 * (n % 8)) for n in range(count))


def bundles(count: int) -> Iterator[str]:
    yield policy("WAN")
    for n in range(count):
        yield (
            f"interface Multilink{n + 1}\n bandwidth 768\n ppp multilink\n"
            f" ppp multilink group {n + 1}\n service-policy output WAN\n"
        )
    for n in range(2 * count):
        yield (
            f"interface Serial{n // 8}/{n % 8}\n bandwidth 384\n encapsulation ppp\n"
            f" ppp multilink\n ppp multilink group {n // 2 + 1}\n"
        )


def circuits(count: int, map_class: Callable[[int], str]) -> Iterator[str]:
    yield "interface Serial0/0\n encapsulation frame-relay\n frame-relay traffic-shaping\n"
    for n in range(count):
        yield (
            f"interface Serial0/0.{n + 16} point-to-point\n"
            f" frame-relay interface-dlci {n + 16}\n  class {map_class(n)}\n"
        )


def one_map_class(count: int) -> Iterator[str]:
    yield policy("WAN")
    yield "map-class frame-relay FR\n frame-relay cir 256000\n service-policy output WAN\n"
    yield from circuits(count, lambda _: "FR")


def map_class_each(count: int) -> Iterator[str]:
    yield policy("WAN")
    for n in range(count):
        yield f"map-class frame-relay F{n}\n frame-relay cir 256000\n service-policy output WAN\n"
    yield from circuits(count, lambda n: f"F{n}")


def plain(count: int) -> Iterator[str]:
    yield from (serial(n, "WAN").rpartition(" service-policy")[0] for n in range(80 * count))


def unused(count: int) -> Iterator[str]:
    yield from (f"class-map match-any C{n}\n match ip dscp {n % 64}\n" for n in range(10 * count))


CUT = "channels, cut"  # without `end`
KINDS = {
    "shared": shared,
    "channels": channels,
    CUT: cut,
    "own": own,
    "rates": rates,
    "bundles": bundles,
    "one-map-class": one_map_class,
    "map-class-each": map_class_each,
    "plain (x 80)": plain,
    "unused class-maps (x 10)": unused,
}


def seconds(folder: Path, text: str) -> float:
    """Least time of two fresh runs of the command line."""
    file = folder / "hub.cfg"
    file.write_text(text)
    command = [sys.executable, "-m", "advisor", "lint", str(file)]
    times = []
    for _ in range(2):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--interfaces", type=int, nargs="+", default=[10, 100])
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    asked = parser.parse_args()
    print(f"{'kind':<26}" + "".join(f"{count:>10}" for count in asked.interfaces) + "     ratio")
    with TemporaryDirectory() as folder:
        for kind in asked.kinds:
            texts = [
                HEAD + DATA + "".join(KINDS[kind](count)) + ("" if kind == CUT else "end\n")
                for count in asked.interfaces
            ]
            times = [seconds(Path(folder), text) for text in texts]
            row = "".join(f"{each:>8.2f} s" for each in times)
            print(f"{kind:<26}{row}{times[-1] / times[0]:>8.1f} x   goal {MOST_RATIO:g} x")


if __name__ == "__main__":
    main()
