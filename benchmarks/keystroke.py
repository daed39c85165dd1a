"""What a keystroke costs in a text of 5,000 lines: 100 interfaces with one policy, and routes.

    python benchmarks/keystroke.py [--rounds N]

The text is open in an editor; a key changes one line, and the time runs until diagnostics of the
whole text are ready to be sent: the first ones, in which figures that the model has to solve are as
they were before, and then all. It is the work of the server itself, without the pause of the keys
that it waits for: CPU time, the least and the median of the rounds, and the median on the clock.
Each round types another value, so that no earlier round has answered it. Goal: 100 ms to the first.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Iterator

from pygls.protocol import default_converter
from pygls.workspace import PositionCodec

from advisor.api.editor import InForce, settings_at
from advisor.lsp.documents import Document

MOST_MS = 100
LINES = 5_000
PORTS = 100
HEAD = (
    "version 12.4\nhostname HUB\n!\nclass-map match-any VOICE\n match ip dscp ef\n"
    "class-map match-any DATA\n match ip dscp af31\npolicy-map WAN\n class VOICE\n  priority 300\n"
    " class DATA\n  bandwidth 200\n  random-detect\n class class-default\n  fair-queue\n!\n"
)
PORT = (
    "interface Serial{0}/{1}\n description site {2}\n bandwidth 768\n"
    " ip address 10.{1}.{0}.1 255.255.255.252\n no ip redirects\n no ip proxy-arp\n"
    " encapsulation ppp\n tx-ring-limit 10\n service-policy output WAN\n!\n"
)
ROUTE = "ip route 10.{}.{}.0 255.255.255.0 10.0.0.2\n"


def hub() -> str:
    text = HEAD + "".join(PORT.format(port // 8, port % 8, port) for port in range(PORTS))
    count = LINES - text.count("\n") - 1
    return text + "".join(ROUTE.format(100 + n // 250, n % 250) for n in range(count)) + "end\n"


KEYS = {  # what a key changes, and into what
    "a description": (" description site 50\n", " description site 50{}\n"),
    "a route": ("ip route 10.101.7.0", "ip route 10.101.7.{}"),
    "the ring of an interface": (" tx-ring-limit 10\n", " tx-ring-limit {}\n"),
    "the rate of an interface": (" bandwidth 768\n", " bandwidth 7{}\n"),
    "a command that is not whole": (" description site 51\n", " descr{}\n service-po\n"),
    "a class of the shared policy": ("  bandwidth 200\n", "  bandwidth 2{}\n"),
}


def typed(text: str, key: str, rounds: int) -> Iterator[str]:
    before, after = KEYS[key]
    return (text.replace(before, after.format(11 + number), 1) for number in range(rounds))


def measure(document: Document, force: InForce, text: str) -> tuple[float, float, float, float]:
    """CPU time and time on the clock to the first and to all diagnostics of a key, in ms."""
    converter = default_converter()
    wall, cpu = time.perf_counter(), time.process_time()
    document.change(text, 2)
    converter.unstructure(document.diagnostics(document.opened_quickly(force)))
    first = time.process_time() - cpu, time.perf_counter() - wall
    converter.unstructure(document.diagnostics(document.opened(force)))
    times = (*first, time.process_time() - cpu, time.perf_counter() - wall)
    first_cpu, first_wall, all_cpu, all_wall = (1000 * seconds for seconds in times)
    return first_cpu, first_wall, all_cpu, all_wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    gc.set_threshold(1_000_000)  # as the command has it
    text, force = hub(), settings_at("")
    document = Document("file:///hub.cfg", text, 1, PositionCodec())
    found = document.diagnostics(document.opened(force))
    print(f"{text.count(chr(10))} lines, {len(found)} findings; goal {MOST_MS} ms to the first")
    print(f"{'':<30}{'first':>24}{'all':>25}")
    print(f"{'key':<30}" + 2 * f"{'least':>8}{'median':>8}{'clock':>8} ")
    for key in KEYS:
        measure(document, force, text)
        measured = [measure(document, force, edited) for edited in typed(text, key, rounds)]
        first_cpu, first_wall, all_cpu, all_wall = zip(*measured, strict=True)
        cells = ((first_cpu, first_wall), (all_cpu, all_wall))
        print(
            f"{key:<30}"
            + " ".join(
                f"{min(cpu):>8.0f}{statistics.median(cpu):>8.0f}{statistics.median(wall):>8.0f}"
                for cpu, wall in cells
            )
        )


if __name__ == "__main__":
    main()
