"""What withholds the lines of a remedy, and what is told beside them."""

import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from advisor.device.reading import Source
from advisor.ground.quantity import Figure
from advisor.lint.cards import Rule, load_rules
from advisor.lint.findings import Appearing, Finding, Metric, Severity, SideEffect
from advisor.lint.run import review
from advisor.lint.trial import harm_of, why_beyond
from advisor.settings import Settings

RULES = load_rules(Settings().budgets)
CARDS = sorted((Path(__file__).parents[2] / "rules").glob("*/*.toml"))
LOSS = "interface Serial0/0 > class ORDERS"


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.stem)
def test_each_card_says_whether_it_is_harm(card: Path) -> None:
    assert "harm" in tomllib.loads(card.read_text("utf-8"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.card.id)
def test_what_is_not_about_packets_is_no_harm(rule: Rule) -> None:
    others = ("PRS", "COL", "PLT", "SUP", "SLA", "REF004", "REF010")

    assert not (rule.card.harm and rule.card.id.startswith(others))


NEW = Appearing("LLQ004", "policy-map WAN > class VOICE", Severity.WARNING, harm=True)


@pytest.mark.parametrize(
    ("new", "cured", "withholds"),
    [
        pytest.param(NEW, Severity.WARNING, True, id="harm as severe as what is cured"),
        pytest.param(NEW, Severity.INFO, True, id="harm that is more severe"),
        pytest.param(NEW, Severity.ERROR, False, id="harm that is milder than what is cured"),
        pytest.param(
            replace(NEW, harm=False), Severity.INFO, False, id="a finding that is no harm"
        ),
        pytest.param(
            replace(NEW, severity=Severity.INFO), Severity.INFO, False, id="information"
        ),
        pytest.param(
            replace(NEW, is_measured=True), Severity.INFO, False,
            id="what was measured before the change",
        ),
    ],
)  # fmt: skip
def test_a_new_finding_withholds_lines_only_where_it_is_harm(
    new: Appearing, cured: Severity, withholds: bool
) -> None:
    assert (harm_of([new], cured) is not None) is withholds


def percent(value: float, low: float, high: float) -> Figure:
    return Figure(value, low, high, "%")


def loss(before: str, after: str, budget: float | None = 1.0, counted: float | None = None) -> str:
    """Why a loss withholds lines; the figures as "value low high"."""
    old, new = (percent(*map(float, text.split())) for text in (before, after))
    effect = SideEffect(LOSS, Metric.LOSS, old, new, budget, measured=counted)
    return why_beyond([effect], ["policy-map WAN > class BULK"])


@pytest.mark.parametrize(
    ("before", "after", "withholds"),
    [
        pytest.param("0.5 0.4 0.6", "2 1.8 2.2", True, id="it leaves its budget"),
        pytest.param("0.5 0.1 2.5", "2 0.5 9", True, id="it leaves its budget in a wide interval"),
        pytest.param("0.5 0.1 2.5", "0.9 0.5 9", False, id="it may leave its budget"),
        pytest.param("0.2 0.1 0.3", "0.9 0.8 1", False, id="it stays within its budget"),
        pytest.param("11.2 11.1 11.4", "11.8 10.9 12.7", False, id="beyond before, intervals meet"),
        pytest.param("12.4 10.8 14", "18.6 17.7 19.4", True, id="beyond before, and no value met"),
    ],
)
def test_a_figure_withholds_lines_only_beyond_its_budget_and_its_interval(
    before: str, after: str, withholds: bool
) -> None:
    assert bool(loss(before, after)) is withholds


@pytest.mark.parametrize(
    ("budget", "counted", "withholds"),
    [
        pytest.param(None, None, False, id="the profile has no budget"),
        pytest.param(1.0, 0.0, False, id="none was lost where the model has loss"),
        pytest.param(1.0, 12.0, True, id="what was lost is what the model has"),
    ],
)
def test_a_loss_that_was_measured_to_be_less_withholds_nothing(
    budget: float | None, counted: float | None, withholds: bool
) -> None:
    assert bool(loss("12 11 13", "18 17 19", budget, counted)) is withholds


@pytest.mark.parametrize(
    ("subject", "withholds"),
    [
        ("policy-map WAN > class ORDERS", False),
        ("interface Serial0/0 > class ORDERS", False),
        ("interface Serial0/1 > class ORDERS", True),
        ("policy-map WAN > class OTHERS", True),
        ("interface Serial0/0", True),
    ],
)
def test_the_class_of_a_finding_may_pay_for_its_cure(subject: str, withholds: bool) -> None:
    more = SideEffect(LOSS, Metric.LOSS, percent(12, 11, 13), percent(18, 17, 19), 1.0)
    beyond = SideEffect(LOSS, Metric.LOSS, percent(0.5, 0.4, 0.6), percent(2, 1.8, 2.2), 1.0)

    assert bool(why_beyond([more], [subject])) is withholds
    assert bool(why_beyond([beyond], [subject])) is withholds


CONFIG = """\
version 12.4
hostname edge
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 160
 class class-default
  fair-queue
interface Serial0/0/0
 bandwidth 512
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 tx-ring-limit 9
 service-policy output WAN
ip sla 7
 udp-jitter 192.0.2.2 16384 codec g729a
 tos 184
 frequency 30
ip sla schedule 7 life forever start-time now
end
"""
COUNTED = """\
 Serial0/0/0

  Service-policy output: WAN

    Class-map: VOICE (match-any)
      481100 packets, 30790400 bytes
      30 second offered rate 48000 bps, drop rate 1000 bps
      Match: ip dscp ef
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 160 (kbps) Burst 4000 (Bytes)
        (pkts matched/bytes matched) 479000/30656000
        (total drops/bytes drops) 12/768

    Class-map: class-default (match-any)
      481100 packets, 307904000 bytes
      30 second offered rate 430000 bps, drop rate 9000 bps
      Match: any
"""
PROBE = """\
Round Trip Time (RTT) for       Index 7
        Latest RTT: 61 milliseconds
Latest operation start time: 10:12:31.120 UTC Mon Mar 3 2008
Latest operation return code: OK
RTT Values:
        Number Of RTT: 1000             RTT Min/Avg/Max: 20/61/400 milliseconds
"""
CONTROLLER = """\
Interface Serial0/0/0
Hardware is GT96K
 tx_limited=1(9)
"""
CPU = "CPU utilization for five seconds: 71%/9%; one minute: 66%; five minutes: 64%\n"
OUTPUTS = {
    "show policy-map interface": COUNTED,
    "show ip sla statistics": PROBE,
    "show controllers Serial0/0/0": CONTROLLER,
    "show processes cpu": CPU,
}


def found(outputs: dict[str, str]) -> dict[tuple[str, str], Finding]:
    parts = {"show running-config": CONFIG, **outputs}
    log = "".join(f"edge#{command}\n{text}" for command, text in parts.items()) + "edge#\n"
    verdict = review([Source("edge.log", log.encode())], RULES, Settings())
    return {(each.rule, each.object): each for each in verdict.findings}


@pytest.mark.parametrize("command", OUTPUTS)
def test_an_output_more_takes_no_lines_away(command: str) -> None:
    every, fewer = found(OUTPUTS), found({k: v for k, v in OUTPUTS.items() if k != command})

    for key, finding in fewer.items():
        if finding.remedy is not None and finding.remedy.lines and key in every:
            remedy = every[key].remedy
            assert remedy is not None
            assert remedy.lines, remedy.advice


def test_a_probe_of_before_is_a_cost_and_not_a_judge_of_the_state_after() -> None:
    outputs = {command: text for command, text in OUTPUTS.items() if text != CPU}

    remedy = found(outputs)["TXR001", "interface Serial0/0/0"].remedy

    assert remedy is not None
    assert remedy.lines == ("interface Serial0/0/0", " tx-ring-limit 1")
    assert [str(cost) for cost in remedy.costs] == [
        "SLA001 (error) appears on ip sla 7, by what was measured before the change"
    ]


FIXTURES = Path(__file__).parents[2] / "fixtures/bundles"


def found_in(files: list[Path]) -> dict[tuple[str, str], Finding]:
    verdict = review([Source(path.name, path.read_bytes()) for path in files], RULES, Settings())
    return {(each.rule, each.object): each for each in verdict.findings}


@pytest.mark.slow
@pytest.mark.parametrize("bundle", ["a1", "wan-edge-demo"])
def test_no_output_of_a_bundle_takes_lines_away(bundle: str) -> None:
    files = sorted((FIXTURES / bundle).iterdir())
    every = found_in(files)
    outputs = [path for path in files if path.name.startswith("show_")]
    for left_out in outputs:
        fewer = found_in([path for path in files if path != left_out])
        for key in fewer.keys() & every.keys():
            before, now = fewer[key].remedy, every[key].remedy
            if before is not None and before.lines:
                assert now is not None
                assert now.lines, (left_out.name, key, now.advice)
