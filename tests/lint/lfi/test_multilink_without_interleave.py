"""LFI005: fragments of MLPPP between which nothing goes."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Hit
from advisor.lint.checks.lfi import PacketBudget
from advisor.lint.checks.lfi.bundles import NoInterleave
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

MULTILINK_WITHOUT_INTERLEAVE = CHECKS["multilink-without-interleave"]
SERIALIZATION_OVER_BUDGET = CHECKS["serialization-over-budget"]

PARAMS = PacketBudget(serialization_ms=10.0)
DELAY, SIZE = " ppp multilink fragment delay 10\n", " ppp multilink fragment size 400\n"
CLOCK, LABEL = " clock rate 512000\n", " bandwidth 512\n"


def bundle(lines: str, *members: str, priority: str = "priority 64") -> str:
    text = (
        "version 12.4\nclass-map match-all VOICE\n match ip dscp ef\npolicy-map EDGE\n"
        f" class VOICE\n  {priority}\n class class-default\n  fair-queue\n"
        f"interface Multilink1\n ppp multilink\n{lines} ppp multilink group 1\n"
        " service-policy output EDGE\n"
    )
    for number, line in enumerate(members):
        text += (
            f"interface Serial0/{number}\n{line} encapsulation ppp\n ppp multilink\n"
            " ppp multilink group 1\n"
        )
    return text


def found(text: str) -> list[Hit[NoInterleave]]:
    return hits_of(MULTILINK_WITHOUT_INTERLEAVE.find(device_of(text), PARAMS))


@pytest.mark.parametrize(
    ("lines", "is_found"),
    [
        pytest.param(DELAY, True, id="a delay alone"),
        pytest.param(SIZE, True, id="a size alone"),
        pytest.param(DELAY + " ppp multilink interleave\n", False, id="with interleaving"),
        pytest.param(DELAY + " no ppp multilink interleave\n", True, id="switched off"),
        pytest.param(" ppp multilink interleave\n", False, id="interleaving alone has a delay"),
        pytest.param("", False, id="no fragments: LFI001 judges the bundle"),
        pytest.param(DELAY + " shutdown\n", False, id="shut down"),
    ],
)
def test_fragments_without_interleaving(lines: str, is_found: bool) -> None:
    assert bool(found(bundle(lines, CLOCK + LABEL))) is is_found


@pytest.mark.parametrize("priority", ["priority 64", "bandwidth 64"])
def test_it_is_an_error_with_an_llq_or_without(priority: str) -> None:
    text = bundle(DELAY, CLOCK + LABEL, priority=priority)

    assert hit_of(MULTILINK_WITHOUT_INTERLEAVE.find(device_of(text), PARAMS)).severity is None


def test_it_stands_alone_for_the_packet_that_is_too_long() -> None:
    device = device_of(bundle(DELAY, CLOCK + LABEL))

    assert (
        hits_of(SERIALIZATION_OVER_BUDGET.find(device, SERIALIZATION_OVER_BUDGET.params(10.0, 768)))
        == []
    )


@pytest.mark.parametrize(
    ("text", "delay_ms", "members", "multiclass"),
    [
        pytest.param(bundle(DELAY, CLOCK + LABEL), None, [], False, id="the delay is right"),
        pytest.param(bundle(DELAY.replace("10", "20"), CLOCK + LABEL), 10, [], False,
                     id="the delay is too long"),
        pytest.param(bundle(DELAY.replace("10", "5"), CLOCK), None, ["Serial0/0"], False,
                     id="a member without bandwidth"),
        pytest.param(bundle(DELAY, CLOCK + LABEL, CLOCK + LABEL), None, [], True,
                     id="two members"),
    ],
)  # fmt: skip
def test_what_the_lines_set_beside_interleaving(
    text: str, delay_ms: int | None, members: list[str], multiclass: bool
) -> None:
    evidence = hit_of(MULTILINK_WITHOUT_INTERLEAVE.find(device_of(text), PARAMS)).evidence

    names = [member.name for member in evidence.members]
    assert (evidence.delay_ms, names, evidence.multiclass) == (delay_ms, members, multiclass)


@pytest.mark.parametrize(
    ("delay", "advice"),
    [
        pytest.param("10", None, id="the stated delay stays"),
        pytest.param(
            "20",
            "the fragment delay becomes 10 ms, the budget of a fragment, for the 20 ms stated: 2 "
            "times as many fragments of a full packet, each with a header",
            id="a delay over the budget",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["Multilink1", "Dialer1", "Virtual-Template1"])
def test_a_new_delay_is_named_above_the_lines(kind: str, delay: str, advice: str | None) -> None:
    members = (CLOCK + LABEL,) if kind == "Multilink1" else ()
    text = bundle(DELAY.replace("10", delay), *members)
    text = text.replace("interface Multilink1", f"interface {kind}")

    (hit,) = found(text)
    assert hit.evidence.delay_ms == (10 if advice else None)
    assert not hit.curable or hit.advice == advice


def test_a_member_of_an_unknown_rate_has_to_be_stated_first() -> None:
    hit = hit_of(
        MULTILINK_WITHOUT_INTERLEAVE.find(device_of(bundle(DELAY.replace("10", "5"), "")), PARAMS)
    )

    assert "`bandwidth` of each member" in (hit.advice or "")


@pytest.mark.parametrize(
    ("kbps", "lines", "needless"),
    [
        pytest.param(
            1536, DELAY.replace("10", "5"), "ppp multilink fragment delay 5", id="a T1: 7.9 ms"
        ),
        pytest.param(1536, SIZE, SIZE.strip(), id="a size, on a T1"),
        pytest.param(1000, DELAY, None, id="1 Mb/s: 12 ms"),
    ],
)
def test_fragments_that_no_packet_needs_are_taken_away(
    kbps: int, lines: str, needless: str | None
) -> None:
    port = f" clock rate {kbps}000\n bandwidth {kbps}\n"
    evidence = hit_of(
        MULTILINK_WITHOUT_INTERLEAVE.find(device_of(bundle(lines, port)), PARAMS)
    ).evidence

    assert evidence.needless == needless


@pytest.mark.parametrize(
    ("lines", "members", "is_found"),
    [
        pytest.param(DELAY.replace("10", "500"), ("",), False,
                     id="500 ms of the 1544 kb/s that IOS takes: 96,500 bytes"),
        pytest.param(DELAY.replace("10", "24"), (CLOCK + LABEL,), False, id="1536 bytes at 512"),
        pytest.param(DELAY.replace("10", "23"), (CLOCK + LABEL,), True, id="1472 bytes at 512"),
        pytest.param(DELAY.replace("10", "24"), (CLOCK + LABEL, CLOCK + " bandwidth 256\n"), True,
                     id="one member cuts"),
        pytest.param(" mtu 1600\n" + DELAY.replace("10", "24"), (CLOCK + LABEL,), True,
                     id="a longer MTU is cut"),
        pytest.param(SIZE.replace("400", "1500"), (CLOCK + LABEL,), False, id="a size of the MTU"),
        pytest.param(DELAY, (" clock rate 1536000\n bandwidth 1536\n",), False,
                     id="1920 bytes of a T1"),
        pytest.param(DELAY.replace("10", "500"), (), True, id="no member, no rate: it may cut"),
    ],
)  # fmt: skip
def test_fragments_that_cut_no_packet_are_none(
    lines: str, members: tuple[str, ...], is_found: bool
) -> None:
    assert bool(found(bundle(lines, *members))) is is_found


def test_a_delay_that_cuts_nothing_leaves_the_packet_to_lfi001() -> None:
    device = device_of(bundle(DELAY.replace("10", "500"), CLOCK + LABEL))

    assert (
        len(
            hits_of(
                SERIALIZATION_OVER_BUDGET.find(device, SERIALIZATION_OVER_BUDGET.params(10.0, 768))
            )
        )
        == 1
    )


@pytest.mark.parametrize(
    ("priority", "has_lines"),
    [
        pytest.param("priority 64", True, id="voice waits"),
        pytest.param("bandwidth 64", False, id="no voice is worth taking the bundle down"),
    ],
)
def test_lines_are_for_voice(priority: str, has_lines: bool) -> None:
    hit = hit_of(
        MULTILINK_WITHOUT_INTERLEAVE.find(
            device_of(bundle(DELAY, CLOCK + LABEL, priority=priority)), PARAMS
        )
    )

    assert hit.curable is has_lines


@pytest.mark.parametrize(
    ("policies", "lost"),
    [
        pytest.param("", "EDGE", id="the policy of the bundle"),
        pytest.param(
            "policy-map EDGE\n class class-default\n  shape average 256000\n"
            "  service-policy INNER\n",
            "INNER",
            id="the policy inside its shaper",
        ),
    ],
)
def test_a_policy_that_is_not_in_the_text_may_have_an_llq(policies: str, lost: str) -> None:
    bundle_alone = (
        f"interface Multilink1\n ppp multilink\n{DELAY} service-policy output EDGE\nend\n"
    )
    (hit,) = found(f"{policies}{bundle_alone}")

    assert (hit.severity, hit.curable) == (None, False)
    assert hit.advice is not None
    assert hit.advice.startswith(f"policy-map {lost} is not in this text")
