"""A quantity is one number wherever it is shown: lint, predict, WRED, explain and size.

The numbers are those of the printed outputs: JSON of `lint`, `predict` and `size`, text of
`explain`.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec
import pytest

from advisor.cli import run
from advisor.device.device import Device
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.reading import Source, read_source
from advisor.ground.quantity import Figure, figure, number
from advisor.lint.cards import load_rules
from advisor.lint.findings import Verdict
from advisor.lint.run import review
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.predict.what_if import InputError
from advisor.predict.what_if.formula_cases import formula_cases
from advisor.predict.what_if.moves import Moves
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.subject import Subject
from advisor.report import json_report, lint_text, predictions
from advisor.report.terminal import RenderOptions
from advisor.settings import Settings
from advisor.settings.file import load_settings, read_traffic, settings_of_text
from tests.support.runs import verdict_of

pytestmark = pytest.mark.slow
FIXTURES = Path(__file__).parents[1] / "fixtures"
RULES = load_rules(Settings().budgets)
FORMULAS = ("serialization", "ring-bound", "fragment-size", "shaper-interval", "priority-burst")
COMPOSED = {
    # a class with a queue-limit in ms, WRED in ms and stated flows; a shaper; a slow wire
    "limit-in-ms": (
        (
            "version 15.1\nhostname R1\nclass-map match-any DATA\n match ip dscp af11 af12\n"
            "class-map match-all VOICE\n match ip dscp ef\n"
            "policy-map WAN\n class VOICE\n  priority 96 4000\n class DATA\n  bandwidth 128\n"
            "  queue-limit 300 ms\n  random-detect dscp-based\n"
            "  random-detect dscp af11 100 ms 250 ms 10\n  random-detect dscp af12 50 ms 250 ms 10\n"
            " class class-default\n  fair-queue\n"
            "interface Serial0/0\n bandwidth 512\n clock rate 512000\n encapsulation ppp\n"
            " tx-ring-limit 9\n service-policy output WAN\n"
        ),
        (
            '[[traffic]]\nclass = "DATA"\ndscp = "af11"\ntcp_flows = 3\npacket_bytes = 1500\n'
            '[[traffic]]\nclass = "DATA"\ndscp = "af12"\ntcp_flows = 3\npacket_bytes = 500\n'
        ),
    ),
    "class-over-its-link": (
        (
            "version 12.3\nhostname R2\nclass-map match-any DATA\n match ip dscp af11\n"
            "policy-map WAN\n class DATA\n  bandwidth 45000\n  random-detect dscp-based\n"
            "  random-detect dscp af11 300 600 10\n"
            "interface Serial0/0\n bandwidth 1544\n clock rate 1544000\n"
            " service-policy output WAN\n"
        ),
        '[[traffic]]\nclass = "DATA"\ndscp = "af11"\ntcp_flows = 3\n',
    ),
    "voice-in-a-shaper": (
        (
            "version 12.4(24)T\nhostname R3\nclass-map match-all VOICE\n match ip dscp ef\n"
            "policy-map CHILD\n class VOICE\n  priority percent 30\n class class-default\n"
            "  queue-limit 20000 bytes\n"
            "policy-map PARENT\n class class-default\n  shape average 256000\n"
            "  service-policy CHILD\n"
            "interface Serial0/0\n bandwidth 512\n clock rate 512000\n encapsulation frame-relay\n"
            " service-policy output PARENT\n"
        ),
        "",
    ),
}

Shown = dict[tuple[str, str, str], dict[str, set[tuple[float, ...]]]]


class Case:
    """Inputs of a run, with what is stated of its traffic."""

    def __init__(
        self, sources: list[Source], settings: Settings, alone: Path | None = None
    ) -> None:
        self.sources, self.settings, self.alone = sources, settings, alone
        self.devices = [each.device for each in read_devices(sources, settings)]

    @cached_property
    def verdict(self) -> Verdict:
        if self.alone is not None:
            return verdict_of(self.alone)
        return review(self.sources, RULES, self.settings)

    @cached_property
    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(json_report.render(self.verdict))
        return report

    def predicted(self, device: Device) -> list[dict[str, Any]]:
        try:
            found = predict_device(device, device.name, self.settings, None, ())
        except InputError:
            return []
        predictions: list[dict[str, Any]] = json.loads(json_report.encoded(found))
        return predictions

    def explained(self, name: str) -> Iterator[tuple[str, str, str]]:
        for source in self.sources:
            try:
                reading = read_source(source, self.settings)
                cases = formula_cases(name, Subject(reading, self.settings))
            except InputError:
                continue
            for case in cases:
                yield from ((case.device, case.object, line) for line in case.lines)


@cache
def case_of(name: str) -> Case:
    if name in COMPOSED:
        text, traffic = COMPOSED[name]
        stated = settings_of_text(traffic).traffic
        return Case([Source(f"{name}.ios", text.encode())], Settings(traffic=stated))
    path, _, traffic = name.partition(" with ")
    settings = load_settings(FIXTURES / path) if (FIXTURES / path).is_dir() else Settings()
    if traffic:
        settings = Settings(traffic=read_traffic(FIXTURES / traffic).stated.traffic)
    alone = FIXTURES / path if settings == Settings() else None
    return Case(list(Inputs([str(FIXTURES / path)])), settings, alone)


def names() -> list[str]:
    paths = [
        *sorted((FIXTURES / "configs").rglob("*.ios")),
        *sorted((FIXTURES / "show" / "sessions").glob("*.txt")),
        *sorted((FIXTURES / "bundles").iterdir()),
        *(FIXTURES / "dlsw" / folder for folder in ("overloaded", "design")),
    ]
    found = [path.relative_to(FIXTURES).as_posix() for path in paths]
    seeds = sorted(path.name for path in (FIXTURES / "traffic").glob("seed-001*.toml"))
    found += [f"configs/seed-001-7200.ios with traffic/{traffic}" for traffic in seeds]
    found += ["configs/seed-002-router.ios with traffic/seed-002.toml"]
    for kind in ("balanced", "unbalanced"):
        found.append(f"configs/composed/wred-{kind}-e1.ios with traffic/wred-{kind}.toml")
    return [*COMPOSED, *found]


ALL = names()
# Rates of packets differ on purpose: lint judges the congested case. The rest of an LLQ is a range.
NOT_OF_THE_OUTPUT = ("packets_per_second", "offered_kbps", "load_percent")
SAME = {"packet_bytes in": "mean_ip_bytes of"}


def known_as(name: str) -> str:
    for start, other in SAME.items():
        if name.startswith(start):
            return name.replace(start, other)
    return name


def objects_of(outlet: Outlet, class_names: Mapping[str, None]) -> set[str]:
    """Object paths that findings use for an output and its classes."""
    found = {outlet.label, outlet.policy_label}
    for name in class_names:
        found.add(f"policy-map {outlet.queueing.name} > class {name}")
        found.add(f"{outlet.policy_label} > class {name}")
    return found


@cache
def inputs_shown(case: Case) -> Shown:
    """Every input of an output: device, object and name to the places that show it."""
    shown: Shown = defaultdict(lambda: defaultdict(set))
    report = case.report
    for device in case.devices:
        by_label = {outlet.label: outlet for outlet in outlets(device)}
        for label, outlet in by_label.items():
            classes = dict.fromkeys(each.name for each in outlet.queueing.classes)
            wanted = objects_of(outlet, classes)
            for finding in report["findings"]:
                on = finding["object"].partition(" > group ")[0]
                if finding["device"] == device.name and on in wanted and finding["prediction"]:
                    name = on.rpartition(" > class ")[2] if " > class " in on else None
                    put(shown, (device.name, label), finding["rule"], name, finding["prediction"])
        for prediction in case.predicted(device):
            if prediction["object"] not in by_label or "inputs" not in prediction:
                continue
            place = device.name, prediction["object"]
            name = prediction["class_name"]
            put(shown, place, "predict", name, prediction)
            shares = (prediction["wred"] or {}).get("shares")
            if shares:
                put(shown, place, "wred", name, shares)
    return shown


def put(
    shown: Shown, place: tuple[str, str], where: str, name: str | None, said: dict[str, Any]
) -> None:
    for given in said["inputs"]:
        if given["name"].startswith(NOT_OF_THE_OUTPUT):
            continue
        label = known_as(given["name"])
        if label == "class_rate_bps":
            label = f"class_rate_bps of {name}"
        ends = tuple(float(given[end]) for end in ("value", "low", "high"))
        shown[*place, label][where].add(ends)


@pytest.mark.parametrize("name", ALL)
def test_an_input_is_one_number_in_lint_predict_and_wred(name: str) -> None:
    shown = inputs_shown(case_of(name))

    differing = {
        key: dict(places)
        for key, places in shown.items()
        if len({ends for found in places.values() for ends in found}) > 1
    }
    assert not differing


def test_the_fixtures_show_the_same_inputs_in_several_places() -> None:
    met: dict[str, set[str]] = defaultdict(set)
    for name in ALL:
        for (_, _, label), places in inputs_shown(case_of(name)).items():
            if len(places) > 1:
                met[label.partition(" of ")[0]] |= places.keys()

    assert met.keys() >= {
        "wire_rate_bps",
        "mtu_bytes",
        "overhead_bytes",
        "overhead_bytes_before_cells",
        "tx_ring_limit_packets",
        "background_mean_ip_bytes",
        "mean_ip_bytes",
        "queue_limit_packets",
    }


def last_number(line: str) -> float:
    found = re.search(r"= ([\d.]+) (?:ms|bytes)", line)
    assert found is not None, line
    return float(found[1])


def lfi_time(finding: dict[str, Any], lines: list[str]) -> bool:
    return {last_number(line) for line in lines} == {
        round(finding["prediction"]["before"]["value"], 2)
    }


def ring_bound(finding: dict[str, Any], lines: list[str]) -> bool:
    bound = finding["prediction"]["ring_bound_ms"]["before"]
    return max(last_number(line) for line in lines) == round(float(bound), 1)


def class_bound(finding: dict[str, Any], lines: list[str]) -> bool:
    bound = finding["prediction"]["class_bound_ms"]["before"]
    return {last_number(line) for line in lines} == {round(float(bound), 1)}


def solved_delay(finding: dict[str, Any], lines: list[str]) -> bool:
    if finding["prediction"]["metric"].startswith("longest wait in the ring"):
        return True  # the mean delay is not what it judges: a shaper stands before the ring
    said = msgspec.convert(finding["prediction"]["before"], Figure)
    return lines[-1].endswith(f": {figure(said)}")


def fragment(finding: dict[str, Any], lines: list[str]) -> bool:
    sizes = {int(last_number(line)) for line in lines}
    return all(f"fragments of {size} bytes" in finding["message"] for size in sizes)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("formula", "rule", "agrees"),
    [
        pytest.param("serialization", "LFI001", lfi_time, id="the longest packet"),
        pytest.param("ring-bound", "TXR001", ring_bound, id="the bound of the ring"),
        pytest.param("class-bound", "TXR001", class_bound, id="the bound of the class"),
        pytest.param("saturated-wait", "TXR001", solved_delay, id="the delay of the LLQ"),
        pytest.param("fragment-size", "LFI001", fragment, id="the fragment"),
    ],
)
def test_what_explain_reckons_is_what_lint_says(
    name: str, formula: str, rule: str, agrees: Callable[[dict[str, Any], list[str]], bool]
) -> None:
    case = case_of(name)
    lines: dict[tuple[str, str], list[str]] = defaultdict(list)
    for device, label, line in case.explained(formula):
        lines[device, label].append(line)

    for finding in case.report["findings"]:
        said = lines.get((finding["device"], finding["object"]))
        if finding["rule"] == rule and said:
            assert agrees(finding, said), (said, finding)


@pytest.mark.parametrize("name", ALL)
def test_the_interval_of_a_shaper_is_one_number_in_explain_and_predict(name: str) -> None:
    case = case_of(name)
    shown = inputs_shown(case)

    for device, label, line in case.explained("shaper-interval"):
        ends = {ends for found in shown[device, label, "tc_ms"].values() for ends in found}
        assert {value for value, _, _ in ends} <= {last_number(line)}


@pytest.mark.parametrize("folder", ["overloaded", "design"])
def test_size_shows_the_load_and_the_slope_that_lint_judges_by(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(FIXTURES / "dlsw" / folder)
    findings = printed(capsys, "lint", path)["findings"]
    sized = {
        router["router"]: router["size"]
        for router in printed(capsys, "size", "dlsw", path)["routers"]
    }
    judged = {
        finding["device"]: {given["name"]: given for given in finding["prediction"]["inputs"]}
        for finding in findings
        if finding["rule"] in ("DLS001", "DLS002", "DLS010") and finding["prediction"]
    }
    predicted = {name: inputs for name, inputs in judged.items() if "fps" in inputs}

    assert predicted
    for device, inputs in predicted.items():
        slope = inputs["cpu_percent_per_fps"]["value"]
        assert inputs["fps"]["value"] == pytest.approx(sized[device]["load"]["fps"])
        assert slope == pytest.approx(sized[device]["slope_percent"])


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    run([*words, "--format", "json"])
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


RING_RULES = ("TXR001", "TXR002")


class RingFinding:
    """A finding on a ring, and the prediction of the same output behind the ring that it shows."""

    def __init__(self, case: Case, finding: dict[str, Any]) -> None:
        self.case, self.finding = case, finding
        self.device = next(each for each in case.devices if each.name == finding["device"])
        self.said: dict[str, Any] = finding["prediction"]

    def predicted(self, limit: int | None) -> list[ClassPrediction]:
        """Classes of the output, in force or behind a ring of `limit`."""
        moves = () if limit is None else (Moves((("tx-ring-limit", float(limit)),)),)
        settings, name = self.case.settings, self.device.name
        return [
            prediction
            for prediction in predict_device(self.device, name, settings, None, moves)
            if isinstance(prediction, ClassPrediction)
            and prediction.object == self.finding["object"]
            and prediction.congested is not None
        ]

    @property
    def advised(self) -> int:
        found = re.search(r"tx-ring-limit (\d+)", self.finding["message"])
        assert found is not None
        return int(found[1])


def ring_findings(name: str) -> Iterator[RingFinding]:
    """Findings on rings whose LLQ the model solves."""
    case = case_of(name)
    for finding in case.report["findings"]:
        said = finding["prediction"]
        if finding["rule"] in RING_RULES and said and said["class_bound_ms"]:
            yield RingFinding(case, finding)


def shown_ends(found: RingFinding) -> Iterator[tuple[str, int | None]]:
    """The two ends that a finding shows, each with the ring behind it."""
    if found.finding["rule"] == "TXR002":
        yield "before", found.advised
        return
    yield "before", None
    yield "after", found.advised


@pytest.mark.parametrize("name", ALL)
def test_the_delay_of_a_finding_is_that_of_predict_in_the_congested_case(name: str) -> None:
    for found in ring_findings(name):
        for end, limit in shown_ends(found):
            first, *_ = found.predicted(limit)
            assert first.congested is not None
            assert found.said[end] == json.loads(json_report.encoded(first.congested.mean))
            assert found.said["ring_bound_ms"][end] == first.congested.ring_bound_ms
            assert found.said["class_bound_ms"][end] == first.congested.class_bound_ms


@pytest.mark.parametrize("name", ALL)
def test_the_text_of_predict_has_the_figures_of_the_text_of_lint(name: str) -> None:
    text = lint_text.render(
        case_of(name).verdict, RenderOptions(is_verbose=True)
    )  # every finding in full
    for found in ring_findings(name):
        for end, limit in shown_ends(found):
            first, *_ = found.predicted(limit)
            assert first.congested is not None
            printed_by_predict = predictions.render((first,))
            mean = figure(first.congested.mean)
            assert mean in printed_by_predict
            assert mean in text
            ring_ms, class_ms = (
                number(found.said[bound][end]) for bound in ("ring_bound_ms", "class_bound_ms")
            )
            bounds = f"ring_bound {ring_ms} ms, class_bound {class_ms} ms"
            assert bounds in printed_by_predict
            assert re.search(rf"ring_bound .*\b{re.escape(ring_ms)} ms", text)
            assert re.search(rf"class_bound .*\b{re.escape(class_ms)} ms", text)


def test_the_fixtures_have_findings_on_rings() -> None:
    met = [found.finding["rule"] for name in ALL for found in ring_findings(name)]

    assert met.count("TXR001") > 10
    assert met.count("TXR002") > 10


@pytest.mark.parametrize("name", ALL)
def test_no_remedy_of_a_ring_makes_the_delay_worse(name: str) -> None:
    for found in ring_findings(name):
        if found.said["after"] is not None:
            before, after, saved = (found.said[key] for key in ("before", "after", "improvement"))
            assert after["value"] <= before["value"] * (1 + 1e-9)  # sums of floats
            assert 0 <= saved["low"] <= saved["value"] <= saved["high"]
            assert saved["value"] == pytest.approx(before["value"] - after["value"])


def test_a_ring_has_one_finding() -> None:
    for name in ALL:
        case = case_of(name)
        for device in case.devices:
            ring_of = {outlet.label: outlet.ring_key for outlet in outlets(device)}
            rings = [
                ring_of[finding["object"]]
                for finding in case.report["findings"]
                if finding["rule"] == "TXR001"
                and finding["device"] == device.name
                and finding["object"] in ring_of
            ]
            assert len(case.devices) > len({d.name for d in case.devices}) or len(rings) == len(
                set(rings)
            )
