"""Findings of a hub whose alike interfaces are judged once are those where each is judged."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings

from advisor.device.reading import Reading, Source, read_source
from advisor.lint import alike_interfaces
from advisor.lint.alike_interfaces import Judge, Prove, judged_by_alike
from advisor.lint.cards import load_rules
from advisor.lint.findings import Finding, Said
from advisor.lint.judge import Key
from advisor.lint.run import DeviceVerdict, judged
from advisor.settings import Settings
from tests.support.drawn_hubs import hubs
from tests.support.hubs import hub_of

pytestmark = pytest.mark.slow
COPIES = 5  # with two of a kind judged there are enough to leave out
SETTINGS = Settings()
RULES = load_rules(SETTINGS.budgets)
FIXTURES = Path(__file__).parents[2] / "fixtures"
EXAMPLES = [
    pytest.param(text, id=f"{rule.card.id} {number}{word}")
    for rule in RULES
    for number, example in enumerate(rule.card.example)
    for word, text in (("bad", example.bad), ("good", example.good))
    if text is not None
]
# The whole takes time as the square of the interfaces: what larger hubs have, a smaller one has.
MOST_INTERFACES = 10
CONFIGS = [
    pytest.param(text, id=str(path.relative_to(FIXTURES)))
    for path in sorted(FIXTURES.glob("**/*.ios"))
    if (text := path.read_text("utf-8", "replace")).count("\ninterface ") <= MOST_INTERFACES
]


def told(verdict: DeviceVerdict) -> Counter[bytes]:
    return Counter(map(msgspec.json.encode, (*verdict.findings, *verdict.skipped)))


@pytest.mark.parametrize("text", [*EXAMPLES, *CONFIGS])
def test_an_alike_interface_is_judged_as_if_it_were_alone(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = hub_of(text, COPIES)
    if hub is None:
        return  # it has no interface, or shares all with others
    reading = read_source(Source("hub.ios", hub.encode()), SETTINGS)
    folded = judged(reading, RULES, SETTINGS, is_guarded=False)
    monkeypatch.setattr(alike_interfaces, "judged_by_alike", lambda *_: None)
    whole = judged(reading, RULES, SETTINGS, is_guarded=False)

    assert told(folded) == told(whole)


# IOS refuses the step to the bundle that LFI001 makes, and names the bundle.
_REFUSED_BUNDLES = "\n".join(
    (
        "class-map match-all VOICE\n match ip dscp ef",
        "class-map match-all DATA\n match ip dscp af21",
        *(
            f"policy-map WAN{port}\n class VOICE\n  priority 64\n class DATA\n"
            f"  bandwidth percent 90\ninterface Serial0/{port}\n"
            f" ip address 10.0.{port}.1 255.255.255.252\n clock rate 768000\n"
            f" encapsulation ppp\n service-policy output WAN{port}"
            for port in range(COPIES)
        ),
        "end\n",
    )
)


@settings(max_examples=20, deadline=None)
@example(_REFUSED_BUNDLES)
@given(hubs())
def test_a_drawn_hub_is_judged_as_a_whole(text: str) -> None:
    reading = read_source(Source("hub.ios", text.encode()), SETTINGS)
    folded = judged(reading, RULES, SETTINGS, is_guarded=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alike_interfaces, "judged_by_alike", lambda *_: None)
        whole = judged(reading, RULES, SETTINGS, is_guarded=False)

    assert told(folded) == told(whole)


ROUTER = """hostname {name}
class-map match-all VOICE
 match ip dscp ef
"""
LINK = """policy-map {policy}
 class VOICE
  priority 128
 class class-default
  fair-queue
interface {port}
 description to {name}
 bandwidth {rate}
 encapsulation ppp
 tx-ring-limit 16
 service-policy output {policy}
"""


def router(name: str, first: int, *, rates: tuple[int, ...] = (512, 768)) -> str:
    links = (
        LINK.format(policy=f"{name}-{n}", port=f"Serial{n}/0", name=f"{name}-{n}", rate=rate)
        for n, rate in enumerate(rates * COPIES, start=first)
    )
    return "".join((ROUTER.format(name=name), *links))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("other", router("other", 10), id="other names"),
        pytest.param("other", "!\n" + router("other", 10), id="other lines"),
        pytest.param("other", router("other", 10, rates=(768, 512)), id="another order"),
        pytest.param("other", router("other", 95), id="ports that do not sort as their digits"),
        pytest.param("x", router("x", 10), id="a name that is a word of IOS's"),
        pytest.param("r", router("r", 10) + "ip route 0.0.0.0 0.0.0.0 Serial12/0\n", id="a route"),
        pytest.param("r", router("r", 10) + "line vty 0 4\n", id="another line"),
        pytest.param("r", router("r", 9000), id="ports that look like stand-ins"),
    ],
)
def test_a_router_is_judged_by_what_is_kept_of_another(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(read_source(Source("a.ios", router("first", 20).encode()), SETTINGS), RULES, SETTINGS,
           is_guarded=False)  # fmt: skip
    reading = read_source(Source("b.ios", text.encode()), SETTINGS)
    folded = judged(reading, RULES, SETTINGS, is_guarded=False)
    monkeypatch.setattr(alike_interfaces, "judged_by_alike", lambda *_: None)
    whole = judged(reading, RULES, SETTINGS, is_guarded=False)

    assert told(folded) == told(whole)
    assert {finding.device for finding in folded.findings} == {name}


PRINTED = "Building configuration...\n"
CHANNEL = (
    "interface Serial1/0:{0}\n bandwidth 768\n ip address 10.0.{0}.1 255.255.255.252\n"
    " encapsulation ppp\n tx-ring-limit 16\n service-policy output WAN\n"
)
CHANNELS = (
    "hostname hub\nclass-map match-all VOICE\n match ip dscp ef\npolicy-map WAN\n class VOICE\n"
    "  priority 128\n class class-default\n  random-detect\n"
) + "".join(map(CHANNEL.format, range(12)))
TIMESLOTS = "controller E1 1/0\n" + "".join(
    f" channel-group {n} timeslots {n + 1}\n" for n in range(12)
)


@pytest.mark.parametrize(
    ("text", "is_folded"),
    [
        pytest.param(f"{CHANNELS}end\n", True, id="channels whose controller is not shown"),
        pytest.param(f"{TIMESLOTS}{CHANNELS}end\n", False, id="channels with a rate by timeslots"),
        pytest.param(PRINTED + router("hub", 10), True, id="a capture without its `end`"),
        pytest.param(
            f"{PRINTED}{CHANNELS}interface Serial2/0\n bandwidth 7",
            True,
            id="a capture that ends inside of an interface",
        ),
        pytest.param(
            f"{PRINTED}{CHANNELS}% Invalid input detected at '^' marker.\nend\n",
            False,
            id="a capture with an error that IOS printed",
        ),
    ],
)
def test_channels_and_captures_without_an_end_are_judged_as_a_whole(
    text: str, is_folded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes: list[bool] = []

    def spy(*given: Any) -> Said | None:
        said = judged_by_alike(*given)
        outcomes.append(said is not None)
        return said

    reading = read_source(Source("hub.ios", text.encode()), SETTINGS)
    monkeypatch.setattr(alike_interfaces, "judged_by_alike", spy)
    folded = judged(reading, RULES, SETTINGS, is_guarded=False)
    monkeypatch.setattr(alike_interfaces, "judged_by_alike", lambda *_: None)
    whole = judged(reading, RULES, SETTINGS, is_guarded=False)

    assert outcomes == [is_folded]
    assert told(folded) == told(whole)


def test_alike_interfaces_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged_devices: list[int] = []

    def spy(
        reading: Reading, _: object, found: frozenset[Key], judge: Judge, prove: Prove
    ) -> Said | None:
        def counted(imaginary: Reading) -> Said | None:
            judged_devices.append(len(imaginary.device.facts.interfaces))
            return judge(imaginary)

        return judged_by_alike(reading, (object(),), found, counted, prove)

    monkeypatch.setattr(alike_interfaces, "judged_by_alike", spy)
    reading = read_source(Source("hub.ios", router("hub", 10).encode()), SETTINGS)

    verdict = judged(reading, RULES, SETTINGS, is_guarded=False)

    assert judged_devices == [4]
    assert sum(finding.rule == "TXR001" for finding in verdict.findings) == 2 * COPIES


def test_a_rule_that_fails_on_alike_interfaces_fails_on_the_whole_device() -> None:
    reading = read_source(Source("hub.ios", router("hub", 10).encode()), SETTINGS)

    found = frozenset[Key]()

    assert judged_by_alike(reading, (object(),), found, lambda _: None, lambda _: {}) is None


SHARED = (
    ROUTER + "policy-map WAN\n class VOICE\n  priority 300\n class class-default\n  fair-queue\n"
)
REFUSED = "interface {port}\n bandwidth {rate}\n encapsulation ppp\n service-policy output WAN\n"


def test_a_finding_that_names_other_units_is_told_by_the_whole_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ports = (REFUSED.format(port=f"Serial{n}/0", rate=(256, 768)[n % 2]) for n in range(10, 22))
    text = "".join((SHARED.format(name="hub"), *ports, "end\n"))
    reading = read_source(Source("hub.ios", text.encode()), SETTINGS)
    outcomes: list[Said | None] = []
    proven_whole: set[str] = set()

    def spy(
        of: Reading, kept_for: tuple[object, ...], found: frozenset[Key], judge: Judge, prove: Prove
    ) -> Said | None:
        def counted(keys: frozenset[Key]) -> Mapping[Key, Finding]:
            proven_whole.update(rule for rule, _ in keys)
            return prove(keys)

        outcomes.append(judged_by_alike(of, kept_for, found, judge, counted))
        return outcomes[-1]

    monkeypatch.setattr(alike_interfaces, "judged_by_alike", spy)
    folded = judged(reading, RULES, SETTINGS, is_guarded=False)
    monkeypatch.setattr(alike_interfaces, "judged_by_alike", lambda *_: None)
    whole = judged(reading, RULES, SETTINGS, is_guarded=False)

    assert outcomes != [None]
    assert any("Serial12/0" in each.message for each in folded.findings)
    assert any(
        each.void_by is not None and each.void_by.object == "interface Serial10/0"
        for each in folded.findings
        if each.object.startswith("interface Serial11/0")
    )
    assert proven_whole == {"LLQ002"}  # what is void by another unit is told by two of a kind
    assert told(folded) == told(whole)
