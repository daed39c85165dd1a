"""What predict shows beyond a budget, lint has a finding or a reason for on that output."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from advisor import api
from advisor.lint.findings import Severity, Verdict
from advisor.model import QueueKind
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.settings import PROFILES
from tests.support.runs import verdict_of

FIXTURES: Final = Path(__file__).parent.parent / "fixtures" / "configs"
BUDGETS: Final = PROFILES["voice"]
LEAST_MOS: Final = 3.6  # ITU-T G.107: below it many users are dissatisfied
DELAYS_MS: Final = {
    QueueKind.PRIORITY.value: BUDGETS.priority_queue_ms,
    QueueKind.BANDWIDTH.value: BUDGETS.bandwidth_queue_ms,
}

VOICE = "version 15.2\nhostname r1\nclass-map match-any VOICE\n match dscp ef\n"
SHAPED = f"""{VOICE}
license udi pid CISCO2911/K9 sn FCZ1111AAAA
policy-map QUEUES
 class VOICE
  priority percent 20
 class class-default
  fair-queue
policy-map SHAPER
 class class-default
  shape average 100000000
  service-policy QUEUES
interface GigabitEthernet0/1
 description MPLS
 bandwidth 100000
 speed 1000
 service-policy output SHAPER
end
"""
MEMBER = " encapsulation ppp\n ppp multilink\n ppp multilink group 1\n"
BUNDLE = f"""{VOICE}
policy-map WAN
 class VOICE
  priority 256
 class class-default
  fair-queue
interface Multilink1
 ppp multilink
 ppp multilink interleave
 ppp multilink fragment delay 10
 ppp multilink group 1
 service-policy output WAN
interface Serial0/0
 bandwidth 768
 clock rate 768000
{MEMBER}interface Serial0/1
 bandwidth 768
 clock rate 768000
{MEMBER}end
"""
SLOW = f"""{VOICE}
policy-map WAN
 class VOICE
  priority 128
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 20
 service-policy output WAN
end
"""
CALLS = '[[traffic]]\nclass = "VOICE"\ncalls = {}\ncodec = "g729"\n'


def beyond(predicted: ClassPrediction) -> Iterator[str]:
    """Figures of a class that are beyond a budget."""
    budget_ms = DELAYS_MS.get(predicted.kind, BUDGETS.default_queue_ms)
    if budget_ms is not None and predicted.mean.value > budget_ms:
        yield f"mean {predicted.mean.value} ms"
    is_llq, loss = predicted.kind == QueueKind.PRIORITY, predicted.loss
    if is_llq and loss is not None and loss.value > (BUDGETS.loss_percent or 0.0):
        yield f"loss {loss.value} %"
    if predicted.call is not None and predicted.call.mos.value < LEAST_MOS:
        yield f"MOS {predicted.call.mos.value}"


def unsaid(report: api.Report | Verdict, shown: tuple[api.Prediction, ...]) -> list[str]:
    """Figures beyond a budget of which lint says nothing."""
    said = [(each.device, each.object) for each in report.findings if each.prediction is not None]
    said += [(each.device, each.object) for each in report.findings if each.severity != "info"]
    said += [(each.device, each.object) for each in report.skipped]
    return [
        f"{predicted.object} > class {predicted.class_name}: {figure}"
        for predicted in shown
        if isinstance(predicted, ClassPrediction)
        for figure in beyond(predicted)
        if not any(
            device == predicted.device
            and (place.startswith(predicted.object) or f"class {predicted.class_name}" in place)
            for device, place in said
        )
    ]


def unshown(report: api.Report | Verdict, shown: tuple[api.Prediction, ...]) -> list[str]:
    """Warnings on the delay of an output of which predict shows no figure."""
    outputs = {(each.device, each.object) for each in shown}
    return [
        f"{finding.rule} {finding.object}"
        for finding in report.findings
        if finding.severity is not Severity.INFO
        and finding.prediction is not None
        and finding.prediction.ring_bound_ms is not None
        and (finding.device, finding.object) not in outputs
    ]


@pytest.mark.parametrize(
    ("config", "calls"),
    [
        pytest.param(SHAPED, None, id="a clean shaper of 100 Mb/s"),
        pytest.param(BUNDLE, None, id="a bundle whose members have no ring"),
        pytest.param(SHAPED, 500, id="calls whose packets come between two intervals"),
        pytest.param(SLOW, None, id="a long ring"),
        pytest.param(SLOW, 3, id="a long ring, and calls that fit"),
        pytest.param(SLOW, 9, id="more calls than fit"),
    ],
)
def test_predict_and_lint_agree_in_kind(config: str, calls: int | None, tmp_path: Path) -> None:
    traffic = tmp_path / "traffic.toml"
    traffic.write_text(CALLS.format(calls))
    texts = {"r1": config}
    run = api.of_texts(texts) if calls is None else api.of_texts(texts, traffic=traffic)
    report, shown = api.lint(run), api.predict(run)
    assert unsaid(report, shown) == []
    assert unshown(report, shown) == []


def test_calls_that_nobody_states_have_no_loss_and_no_quality() -> None:
    voice = next(
        each for each in api.predict(api.of_texts({"r1": SHAPED})) if each.class_name == "VOICE"
    )
    assert isinstance(voice, ClassPrediction)
    assert (voice.loss, voice.call) == (None, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in sorted(FIXTURES.rglob("*.ios"))]
)
def test_predict_and_lint_of_a_fixture_agree_in_kind(path: Path) -> None:
    run = api.read(path)
    try:
        shown = api.predict(run)
    except api.AdvisorError:
        pytest.skip("nothing to predict")
    report = verdict_of(path)
    assert unsaid(report, shown) == []
    assert unshown(report, shown) == []
