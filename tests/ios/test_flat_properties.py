"""QoS sections nest the same with their indentation and without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.ios.syntax import Line
from advisor.ios.syntax.reader import parse_config

pytestmark = pytest.mark.slow


def nesting(line: Line) -> list[tuple[str, int]]:
    return [(each.text, len(each.children)) for each in line.walk()]


WORDS = st.sampled_from(["priority 64", "bandwidth 64", "fair-queue", "random-detect", "set dscp ef",
                         "random-detect dscp 10 20 40", "queue-limit 64", "service-policy CHILD",
                         "shape average 64000", "no priority"])  # fmt: skip
CLASSES = st.lists(st.tuples(st.sampled_from(["A", "B", "class-default"]), st.lists(WORDS)))
MATCHES = st.lists(st.sampled_from(["match ip dscp ef", "match any", "description x"]))
SETTINGS = st.lists(st.sampled_from(["mtu 1500", "service-policy output P", "ip address dhcp",
                                     "tx-ring-limit 3", "no shutdown"]))  # fmt: skip
CIRCUITS = st.lists(st.sampled_from(["vbr-nrt 512 512", "tx-ring-limit 3", "encapsulation aal5snap",
                                     "service-policy output P"]))  # fmt: skip


def block(depth: int, head: str, body: list[str]) -> list[str]:
    return [" " * depth + head, *(" " * (depth + 1) + line for line in body)]


@st.composite
def qos_texts(draw: st.DrawFn) -> str:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        lines += block(0, "class-map match-any A", draw(MATCHES))
        lines += ["policy-map P"]
        for name, actions in draw(CLASSES):
            lines += block(1, f"class {name}", actions)
        lines += block(0, "interface ATM0/0", draw(SETTINGS))
        lines += block(1, "pvc 0/100", draw(CIRCUITS))
    return "\n".join(lines) + "\n"


@given(qos_texts())
def test_qos_nests_the_same_with_and_without_indentation(text: str) -> None:
    indented, flat = (
        parse_config(text),
        parse_config("".join(line.lstrip() for line in text.splitlines(keepends=True))),
    )
    assert [nesting(line) for line in flat.lines] == [nesting(line) for line in indented.lines]
