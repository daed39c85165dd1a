"""Proofs on a part of a large device say what proofs on the whole of it say."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.reading import Source
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import Location
from advisor.lint.cards import Rule, load_rules
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.ref.undefined_policy_map import Evidence
from advisor.lint.findings import Confidence
from advisor.lint.judge import Hits, judge, keys_of
from advisor.lint.parts import Parts
from advisor.lint.prove import remedy_of
from advisor.lint.run import review
from advisor.lint.trial import Standard
from advisor.settings.values import Settings
from tests.support.devices import device_read

SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)

POLICIES = """\
hostname r1
class-map match-all VOICE
 match ip dscp ef
class-map match-all DATA
 match ip dscp af11
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
policy-map WRED
 class DATA
  bandwidth 64
  random-detect
  random-detect precedence 3 40 20 10
policy-map SHAPED
 class class-default
  shape average 256000
  service-policy EDGE
"""
BODIES = (
    " bandwidth 512\n encapsulation ppp\n tx-ring-limit 32\n service-policy output EDGE\n",
    " bandwidth 256\n encapsulation ppp\n tx-ring-limit 10\n service-policy output SHAPED\n",
    " clock rate 128000\n encapsulation ppp\n service-policy output EDGE\n",
    " bandwidth 2048\n encapsulation ppp\n tx-ring-limit 2\n service-policy output WRED\n",
    " bandwidth 1024\n encapsulation ppp\n service-policy input EDGE\n",
    " bandwidth 4096\n encapsulation ppp\n tx-ring-limit 1\n no fair-queue\n",
    " bandwidth 512\n encapsulation ppp\n ppp multilink\n ppp multilink group 1\n",
    " bandwidth 512\n encapsulation ppp\n tx-ring-limit 2\n service-policy output NONE\n",
)
CIRCUIT = " pvc 1/{n}\n  vbr-nrt 512 512\n  tx-ring-limit {ring}\n  service-policy output EDGE\n"


def serial(number: int, body: str) -> str:
    return f"interface Serial{number // 8}/{number % 8}\n{body}"


def circuit(number: int, ring: int) -> str:
    head = f"interface ATM9/0.{number} point-to-point\n"
    return head + CIRCUIT.format(n=number + 32, ring=ring)


def edited(device: Device, commands: str) -> Any:
    return apply(device.facts.tree, parse_config(commands, "remedy")).tree


SERIALS = POLICIES + "".join(serial(number, BODIES[0]) for number in range(12))
CIRCUITS = POLICIES + "interface ATM9/0\n" + "".join(circuit(number, 32) for number in range(1, 30))
RING = "interface Serial0/3\n tx-ring-limit 2\n"


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(BODIES), min_size=8, max_size=14),
    st.lists(st.sampled_from((1, 32)), max_size=12),
    st.booleans(),
)
def test_every_remedy_is_the_one_that_the_whole_device_proves(
    bodies: list[str], rings: list[int], bundle: bool
) -> None:
    text = POLICIES + "".join(serial(number, body) for number, body in enumerate(bodies))
    text += "interface ATM9/0\n" + "".join(circuit(n, ring) for n, ring in enumerate(rings, 1))
    if bundle:
        text += "interface Multilink1\n ppp multilink\n service-policy output EDGE\n"
    device = device_read(text, SETTINGS, file="r1.ios")
    hits = judge(device, RULES)
    parts = Parts(device, RULES, hits)
    standard = Standard(RULES, keys_of(hits.pairs), SETTINGS.budgets)
    for rule, hit in hits.pairs:
        on_part = remedy_of(device, rule, hit, standard, parts=parts)
        assert on_part == remedy_of(device, rule, hit, standard)


@pytest.mark.parametrize(
    ("text", "edit", "interfaces"),
    [
        pytest.param(SERIALS, RING, ["Serial0/3"], id="an interface stands alone"),
        pytest.param(
            CIRCUITS,
            "interface ATM9/0.7\n pvc 1/39\n  tx-ring-limit 3\n",
            ["ATM9/0", "ATM9/0.7"],
            id="a subinterface stands with its main interface",
        ),
    ],
)
def test_what_is_linted_anew(text: str, edit: str, interfaces: list[str]) -> None:
    device = device_read(text, SETTINGS, file="r1.ios")
    part = Parts(device, RULES, judge(device, RULES)).of(edited(device, edit))
    assert part is not None
    heads = [line.text.split() for line in part.after.facts.tree.lines]
    assert [words[1] for words in heads if words[0] == "interface"] == interfaces


def parts_with(find: Any) -> tuple[Parts, Device]:
    """Parts of a device that is also judged by a rule that looks at all of its interfaces."""
    by_name = {rule.card.id: rule for rule in RULES}
    rule = by_name["REF001"]
    rules: tuple[Rule, ...] = (*RULES, replace(rule, check=replace(rule.check, find=find)))
    device = device_read(SERIALS, SETTINGS, file="r1.ios")
    hits: Hits = judge(device, rules)
    return Parts(device, rules, hits), device


def test_a_rule_that_counts_interfaces_calls_for_the_whole_device() -> None:
    def many(device: Device, params: object) -> Iterator[Hit[Evidence] | Skip]:
        del params
        count = len(device.facts.interfaces)
        at = Location("r1.ios", 1)
        yield Hit("device", (at,), Evidence(str(count), "interfaces", ""), Confidence.CERTAIN)

    parts, device = parts_with(many)
    assert parts.of(edited(device, RING)) is None


def test_a_rule_that_skips_a_part_calls_for_the_whole_device() -> None:
    def few(device: Device, params: object) -> Iterator[Hit[Evidence] | Skip]:
        del params
        if len(device.facts.interfaces) < 10:
            yield Skip("device", "too few interfaces")

    parts, device = parts_with(few)
    assert parts.of(edited(device, RING)) is None


CUT = "version 12.4\n" + POLICIES


def lines_judged(count: int, end: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Lines that are judged in all to prove the remedies of so many interfaces."""
    text = CUT + "".join(serial(number, BODIES[0]) for number in range(count)) + end
    judged = 0

    def counted(device: Device, rules: Any, *rest: Any) -> Hits:
        nonlocal judged
        judged += sum(1 for _ in device.facts.tree.walk())
        return judge(device, rules, *rest)

    monkeypatch.setattr("advisor.lint.prove.judge", counted)
    verdict = review([Source("r1.ios", text.encode())], RULES, SETTINGS)
    given = [each for each in verdict.findings if each.remedy and each.remedy.lines]
    assert len(given) >= count
    return judged


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("", id="no end"),
        pytest.param("              ^\n% Invalid input detected at '^' marker.\n", id="an error"),
        pytest.param("banner motd ^\nnobody ends it\n", id="an open banner"),
    ],
)
def test_proofs_on_a_text_that_is_cut_cost_what_those_on_a_whole_one_do(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = lines_judged(40, "end\n", monkeypatch)
    assert lines_judged(40, end, monkeypatch) <= 2 * whole


@pytest.mark.parametrize("end", ["end\n", ""])
def test_proofs_cost_in_proportion_to_the_interfaces(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = lines_judged(25, end, monkeypatch)
    assert lines_judged(100, end, monkeypatch) <= 4.5 * few


def test_every_remedy_of_a_cut_text_is_the_one_that_the_whole_device_proves() -> None:
    text = CUT + "".join(serial(number, BODIES[number % 8]) for number in range(16))
    device = device_read(text, SETTINGS, file="r1.ios")
    hits = judge(device, RULES)
    parts = Parts(device, RULES, hits)
    standard = Standard(RULES, keys_of(hits.pairs), SETTINGS.budgets)
    for rule, hit in hits.pairs:
        on_part = remedy_of(device, rule, hit, standard, parts=parts)
        assert on_part == remedy_of(device, rule, hit, standard)


def test_a_few_remedies_are_proven_on_the_whole_device() -> None:
    policy = POLICIES.partition("policy-map WRED")[0]
    device = device_read(
        policy + serial(0, BODIES[0]) + "interface Loopback0\n" * 40, SETTINGS, file="r1.ios"
    )
    assert Parts(device, RULES, judge(device, RULES)).of(edited(device, RING)) is None
