"""Every regime of the queueing model and of WRED is reached by a case, and no solver stands idle."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import msgspec
import pytest
from msgspec.structs import replace

from advisor import model
from advisor.ground.questions import forget
from advisor.model import Framing
from advisor.theory import solution as queueing
from advisor.theory import wred
from advisor.theory.kernel import machine
from advisor.theory.solver import solve, solve_all
from advisor.theory.wred.solver import solve_wred
from tests.support.wred_classes import WredClass, behind, tcp_flows, udp_packets, wred_class
from tools.import_statements import imports_of, module_name

ROOT = Path(__file__).parents[2]
THEORY = Path(queueing.__file__).parent


def stream(name: str, arrival: model.Arrival, size_bytes: int) -> model.Traffic:
    return model.Traffic(name, name, arrival, model.SizeMix(((size_bytes, 1.0),)))


LLQ = model.Queue("voice", model.QueueKind.PRIORITY)
DATA = model.Queue("data", model.QueueKind.BANDWIDTH, 80.0)
FIFO = model.Queue("fifo", model.QueueKind.FIFO, limit_packets=100)
VOICE = stream("voice", model.Periodic(50), 60)


def link(*traffic: model.Traffic, queues: tuple[model.Queue, ...] = (LLQ, DATA),
         rate_kbps: float = 512) -> model.Interface:  # fmt: skip
    ring = model.TxRing(4)
    return model.Interface(rate_kbps * 1000, Framing(7), ring, queues, traffic)


def beside(arrival: model.Arrival) -> model.Interface:
    return link(VOICE, stream("data", arrival, 1000))


RANDOM = link(VOICE, stream("data", model.Poisson(25), 1000))
CASES = {
    queueing.Regime.SHAPED: replace(RANDOM, shaper=model.Shaper(384_000, 10.0)),
    queueing.Regime.LEVELS: link(
        VOICE,
        stream("data", model.Poisson(25), 1000),
        queues=(LLQ, model.Queue("data", model.QueueKind.PRIORITY, level=2)),
    ),
    queueing.Regime.POLICE: replace(
        RANDOM, queues=(replace(LLQ, class_policer=model.Policer(24_000, 1000)), DATA)
    ),
    queueing.Regime.PRECEDENCE: link(
        replace(VOICE, queue="fair", precedence=5),
        replace(stream("data", model.Poisson(25), 1000), queue="fair"),
        queues=(
            model.Queue("fair", model.QueueKind.FAIR, flow_limit_packets=64, by_precedence=True),
        ),
    ),
    queueing.Regime.EXCESS: replace(
        RANDOM,
        queues=(LLQ, replace(DATA, guarantee_bps=128_000.0)),
        excess=model.Excess.UNRESERVED_FIRST,
    ),
    queueing.Regime.SPURTS: link(
        stream("voice", model.OnOff(50, 1004, 1587), 60),
        stream("data", model.Poisson(25), 1000),
    ),
    queueing.Regime.BUNDLE: replace(
        RANDOM, members_bps=(RANDOM.rate_bps / 4, RANDOM.rate_bps * 3 / 4)
    ),
    queueing.Regime.DEEP: replace(RANDOM, ring=model.TxRing(4000)),
    queueing.Regime.ALONE: link(stream("voice", model.Poisson(50), 60)),
    queueing.Regime.ALONE_PERIODIC: link(VOICE),
    queueing.Regime.RING_FULL: beside(model.Saturated()),
    queueing.Regime.POISSON: beside(model.Poisson(25)),
    queueing.Regime.BURSTS: beside(model.Bursts(2, 12, 0.1)),
    queueing.Regime.PERIODIC: beside(model.Periodic(25, 2.0)),
    queueing.Regime.MODULATED: beside(model.OnOff(80, 300, 700)),
    queueing.Regime.FIFO: link(
        model.Traffic("voice", "fifo", model.Poisson(40), model.SizeMix(((600, 1.0),))),
        queues=(FIFO,),
    ),
    queueing.Regime.FIFO_PERIODIC: link(
        model.Traffic("voice", "fifo", model.Periodic(40), model.SizeMix(((600, 1.0),))),
        queues=(FIFO,),
    ),
    queueing.Regime.LLQ_OVERLOADED: link(
        stream("voice", model.Periodic(200), 600), stream("data", model.Saturated(), 1000)
    ),
}

SPARSE = replace(
    link(stream("voice", model.Periodic(1), 60), stream("data", model.Poisson(25), 1000)),
    ring=model.TxRing(64),
)
GOLD = model.Queue("gold", model.QueueKind.BANDWIDTH, 20.0)
TRAINS_BESIDE = link(
    VOICE,
    stream("gold", model.OnOff(40, 300, 700), 600),
    stream("data", model.Saturated(), 1000),
    queues=(LLQ, GOLD, DATA),
)


@pytest.mark.parametrize("regime", [pytest.param(regime, id=regime.name) for regime in CASES])
def test_a_case_is_answered_in_its_regime(regime: queueing.Regime) -> None:
    result = solve(CASES[regime]).classes[0]

    assert result.regime is regime
    assert 0 < result.low.mean_ms <= result.delay.mean_ms <= result.high.mean_ms


ALONE_AT = {
    f"{packets_per_s:g} packets/s at {rate_kbps:g} kb/s": link(
        stream("voice", model.Poisson(packets_per_s), 60),
        stream("video", model.Poisson(37), 60),
        queues=(LLQ, model.Queue("video", model.QueueKind.PRIORITY)),
        rate_kbps=rate_kbps,
    )
    for packets_per_s, rate_kbps in ((50, 512), (50, 83_158), (110, 83_158))
}


@pytest.mark.parametrize(
    "case",
    [
        *(pytest.param(case, id=regime.name) for regime, case in CASES.items()),
        *(pytest.param(case, id=name) for name, case in ALONE_AT.items()),
    ],
)
def test_figures_are_plain_numbers_as_json_takes_them(case: model.Interface) -> None:
    assert msgspec.json.encode(solve(case))


def test_every_regime_has_a_case() -> None:
    assert CASES.keys() == set(queueing.Regime)


SERIAL = model.Interface(3_000_000, Framing(7), model.TxRing(8), (), ())
FAST = model.Interface(8_000_000, Framing(7), model.TxRing(16), (), ())
PROFILE, HARSH = model.DropProfile(15, 30, 10), model.DropProfile(15, 30, 5)


def tcp(flows: int, profile: model.DropProfile | None = PROFILE, rtt_ms: float = 60,
        window: int = 44) -> model.Traffic:  # fmt: skip
    return tcp_flows(f"tcp {rtt_ms}", flows, rtt_ms, 1500, window, profile)


def one_class(
    *groups: model.Traffic, exponent: int | None = 9, limit: int = 128
) -> tuple[WredClass, ...]:
    return (
        wred_class(
            model.Queue("class-default", model.QueueKind.BANDWIDTH, 100, limit),
            groups,
            exponent,
        ),
    )


WRED_CASES = {
    wred.Regime.DIFFERENTIATION: (SERIAL, one_class(tcp(5), tcp(5, HARSH, rtt_ms=61), exponent=6)),
    wred.Regime.TAIL_DROP_FIRST: (
        SERIAL, one_class(tcp(20, model.DropProfile(60, 120, 10)), limit=64)
    ),
    wred.Regime.WINDOWS_END_FIRST: (
        SERIAL, one_class(tcp(4, model.DropProfile(100, 200, 10), window=8))
    ),
    wred.Regime.UNDER_USE: (
        FAST, one_class(tcp(8, model.DropProfile(1, 3, 1), rtt_ms=300), exponent=4, limit=64)
    ),
    wred.Regime.COLLAPSE: (FAST, one_class(tcp(30, rtt_ms=40), tcp(30, rtt_ms=41))),
    wred.Regime.SYNCHRONIZATION: (SERIAL, one_class(tcp(4), tcp(4, rtt_ms=61), exponent=1)),
    wred.Regime.NO_WRED: (SERIAL, one_class(tcp(5, None), exponent=None)),
    wred.Regime.NO_CONGESTION: (SERIAL, one_class(tcp(1, window=2))),
}  # fmt: skip


@pytest.mark.parametrize("regime", [pytest.param(regime, id=regime.name) for regime in WRED_CASES])
def test_a_class_with_wred_is_in_its_regime(regime: wred.Regime) -> None:
    line, classes = WRED_CASES[regime]

    forecast = solve_wred(behind(line, *classes))

    assert regime in forecast.classes[0].regimes
    assert msgspec.json.encode(forecast)
    for group in forecast.groups:
        assert 0 <= group.loss_ratio.low <= group.loss_ratio.estimate <= group.loss_ratio.high <= 1


def test_every_regime_of_wred_has_a_case() -> None:
    assert WRED_CASES.keys() == set(wred.Regime)


@contextmanager
def entered() -> Iterator[set[str]]:
    """Files of the functions that are called meanwhile."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(before)


ELSEWHERE = "advisor.theory.kernel.browser"  # in wasmtime's place: tests/theory/kernel


def modules_with_functions() -> set[str]:
    """Modules of the theory that compute something."""
    sources = sources_of_theory()
    return {module_name(path) for path, text in sources.items() if "\ndef " in text}


def modules_below_the_solvers() -> set[str]:
    """Those of them that the solvers import, by any number of steps."""
    _, imports = imports_of(sources_of_theory())
    reached, waiting = set[str](), [solve.__module__, solve_wred.__module__]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += [statement.target for statement in imports if statement.module == module]
    return reached & modules_with_functions()


def sources_of_theory() -> dict[str, str]:
    paths = [path for path in sorted(THEORY.rglob("*.py")) if path.name != "__init__.py"]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def test_the_cases_enter_every_module_below_the_solvers() -> None:
    machine.forget()  # an earlier test may have loaded the kernel
    forget()  # and its answers are kept
    with entered() as files:
        for case in (*CASES.values(), SPARSE, TRAINS_BESIDE):
            solve(case)
        solve_all((SPARSE,))
        solve_wred(behind(SERIAL, *one_class(udp_packets("udp", 260, 1500, PROFILE))))
        solve_wred(
            behind(SERIAL, *one_class(tcp(7, window=39)))
        )  # of no other test: curves are kept
        for line, classes in WRED_CASES.values():
            solve_wred(behind(line, *classes))

    modules = {module_name(Path(file).relative_to(ROOT).as_posix())
               for file in files if Path(file).is_relative_to(ROOT)}  # fmt: skip
    assert modules_below_the_solvers() - modules == {ELSEWHERE}
