"""What a keystroke makes anew in a large text: the section that it is in, and figures that it moves."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest

from advisor.api import editor
from advisor.facts.read_interfaces import read_interface
from advisor.ground.questions import forget
from advisor.ios.syntax import Line
from advisor.model import Interface
from advisor.theory.solution import Solution
from advisor.theory.solver import solve_all

HEAD = (
    "version 12.4\nhostname HUB\nclass-map match-any VOICE\n match ip dscp ef\n"
    "class-map match-any DATA\n match ip dscp af31\npolicy-map WAN\n class VOICE\n  priority 300\n"
    " class DATA\n  bandwidth 200\n class class-default\n  fair-queue\n"
)
PORT = (
    "interface Serial{0}/0\n description site {0}\n bandwidth 768\n encapsulation ppp\n"
    " tx-ring-limit 10\n service-policy output WAN\n!\n"
)
FEW, MANY = 12, 24
MOST_SOLVED = 16  # corners of two cases of one output: as it is, and with the advised ring
FORCE = editor.settings_at("")


def hub(ports: int) -> str:
    routes = (f"ip route 10.1.{number}.0 255.255.255.0 Null0\n" for number in range(200))
    sections = (PORT.format(port) for port in range(ports))
    return HEAD + "".join(sections) + "".join(routes) + "end\n"


Work = Callable[..., Counter[str]]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    """What is done when a line of an open hub becomes another one."""
    done: Counter[str] = Counter()

    def reading(line: Line, *others: object) -> None:
        done["sections read"] += 1
        read_interface(line, *others)  # type: ignore[arg-type]

    def solving(interfaces: Sequence[Interface]) -> Sequence[Solution]:
        done["interfaces solved"] += len(interfaces)
        return solve_all(interfaces)

    def proving(*_: object) -> None:
        done["proofs"] += 1

    monkeypatch.setattr("advisor.facts.read_config.read_interface", reading)
    monkeypatch.setattr("advisor.theory.solver.solve_all", solving)
    monkeypatch.setattr("advisor.lint.prove.remedy_of", proving)

    def of_edit(ports: int, before: str, after: str, *, is_first: bool = False) -> Counter[str]:
        forget()
        text = hub(ports)
        opened = editor.open_text("hub.cfg", text, FORCE)
        done.clear()
        edited = editor.open_quickly("hub.cfg", text.replace(before, after, 1), opened)
        if not is_first:
            edited = editor.completed(edited)
        assert edited.faults == ()
        return Counter(done)

    yield of_edit
    forget()


@pytest.mark.parametrize(
    ("before", "after", "sections"),
    [
        pytest.param(" description site 5", " description site X", 1, id="a description"),
        pytest.param("ip route 10.1.7.0", "ip route 10.2.7.0", 0, id="a route"),
        pytest.param("  fair-queue\n", "  fair-queue \n", 0, id="a blank"),
    ],
)
def test_a_key_that_moves_no_figure_solves_nothing(
    work: Work, before: str, after: str, sections: int
) -> None:
    assert work(FEW, before, after) == Counter({"sections read": sections} if sections else {})


def test_the_ring_of_one_interface_is_solved_alone(work: Work) -> None:
    done = work(FEW, "tx-ring-limit 10", "tx-ring-limit 7")
    assert done["sections read"] == 1
    assert 0 < done["interfaces solved"] <= MOST_SOLVED


def test_a_class_of_a_shared_policy_is_solved_once_for_all_interfaces(work: Work) -> None:
    few, many = (work(ports, "  bandwidth 200", "  bandwidth 230") for ports in (FEW, MANY))
    assert few == many
    assert 0 < many["interfaces solved"] <= MOST_SOLVED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("tx-ring-limit 10", "tx-ring-limit 7", id="a ring"),
        pytest.param(" bandwidth 768", " bandwidth 700", id="a rate"),
        pytest.param("  bandwidth 200", "  bandwidth 230", id="a class of the shared policy"),
        pytest.param("  bandwidth 200", "  queue-limit 900", id="a queue"),
    ],
)
def test_the_first_findings_of_a_keystroke_wait_for_no_solution(
    work: Work, before: str, after: str
) -> None:
    assert work(FEW, before, after, is_first=True)["interfaces solved"] == 0


def test_a_keystroke_proves_nothing(work: Work) -> None:
    assert work(FEW, "tx-ring-limit 10", "tx-ring-limit 64")["proofs"] == 0
