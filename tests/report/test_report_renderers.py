"""Renderers of a verdict: what a person, an editor and a program are shown."""

import json

import jsonschema
import pytest
from msgspec.structs import replace

from advisor.device.coverage import DeviceCoverage, FileCoverage, Unjudged, Wanted
from advisor.ground.quantity import Basis, Figure, Input, exact
from advisor.lint.findings import (
    Appearing,
    Cause,
    Confidence,
    Cost,
    Finding,
    Forecast,
    JointGain,
    Level,
    Metric,
    Place,
    Remedy,
    Severity,
    SideEffect,
    Skipped,
    StandIn,
    TwoEnded,
    Verdict,
)
from advisor.lint.run import ranked
from advisor.report import brief, json_report, lint_text
from advisor.report.first_steps import first_steps, top_lines
from advisor.report.schema import output_schemas
from advisor.report.terminal import RenderOptions, Style

RING = Finding(
    device="R1",
    rule="TXR001",
    name="tx-ring-too-deep-for-llq",
    severity=Severity.WARNING,
    confidence=Confidence.LIKELY,
    object="interface Serial0/0 > policy-map EDGE",
    locations=(
        Place("r1.cfg", 15, "tx-ring-limit 10", 2, 18),
        Place("r1.cfg", 9, "policy-map EDGE"),
    ),
    message="a ring of 10 can hold EDGE back 258 ms, a ring of 1 only 47 ms",
    prediction=Forecast(
        "ring wait",
        Figure(246.5, 240.0, 253.1, "ms", 257.8),
        Figure(35.2, 35.2, 35.2, "ms", 46.9),
        (
            exact("wire_rate_bps", 512_000, Basis.CONFIGURED, "r1.cfg:13"),
            Input("packet_bytes", 920, 340, 1500, Basis.ASSUMED, "IMIX to MTU"),
        ),
    ),
    remedy=Remedy(
        Level.NEEDS_WINDOW,
        ("interface Serial0/0", " tx-ring-limit 1"),
        ("interface Serial0/0", " tx-ring-limit 10"),
        ("the finding is gone", "rolled back: the config is as before"),
    ),
    sources=("Cisco document 6142",),
)
CUT = Finding(
    device="r2.cfg",
    rule="PRS002",
    name="truncated-config",
    severity=Severity.ERROR,
    confidence=Confidence.CERTAIN,
    object="config",
    locations=(),
    message="the config ends inside a banner",
    prediction=None,
    remedy=Remedy(Level.MANUAL, advice="save the config again"),
    sources=(),
)
VERDICT = Verdict(
    (RING, CUT),
    (
        Skipped("R1", "LFI001", "interface Serial0/1", "the rate of the wire is not known"),
        Skipped("R1", "LFI001", "interface Serial0/2", "the rate of the wire is not known"),
    ),
    (
        FileCoverage(
            file="r1.cfg",
            device="R1",
            taken_for="Cisco IOS configuration",
            lines=40,
            qos_lines=12,
            qos_lines_understood=11,
            is_draft=True,
            unjudged=(Unjudged("dlsw", 3),),
            assumed=("IOS generation: pre-HQF",),
        ),
    ),
    (DeviceCoverage("R1", ("show version",), (Wanted("show processes cpu", ("CPU001",)),)),),
    ("r2.cfg: cut inside a banner",),
)
QUIET = RenderOptions(is_quiet=True)
VERBOSE = RenderOptions(is_verbose=True)
CLEAN = replace(VERDICT, findings=(), skipped=(), incomplete=())

FULL = """\
warning[TXR001] tx-ring-too-deep-for-llq (likely)
   --> r1.cfg:15  R1: interface Serial0/0 > policy-map EDGE
   |
 9 | policy-map EDGE
15 | tx-ring-limit 10
   |               ^^
   |
    a ring of 10 can hold EDGE back 258 ms, a ring of 1 only 47 ms
    ring wait: about 246 ms (range 240–253, worst case 258) → 35.2 ms (worst case 46.9)
    given: wire_rate_bps 512000 (configured, r1.cfg:13)
    given: packet_bytes 920 (range 340–1500) (assumed, IMIX to MTU)
    remedy (needs-window):
      interface Serial0/0
       tx-ring-limit 1
    rollback:
      interface Serial0/0
       tx-ring-limit 10
    proof: the finding is gone
    proof: rolled back: the config is as before

error[PRS002] truncated-config (certain)
   --> r2.cfg: config
    the config ends inside a banner
    remedy (manual): save the config again

By device
  R1: 1 finding
    interface Serial0/0  246 → 35.2 ms  TXR001
  r2.cfg: 1 finding
    config    PRS002

Not judged
  LFI001  the rate of the wire is not known
          R1: interface Serial0/1, R1: interface Serial0/2

Coverage
  r1.cfg (R1): Cisco IOS configuration, a draft (nothing in it shows that a device printed it), 40 lines; QoS lines understood: 11 of 12
  not judged yet: dlsw (3 lines)
  assumed: IOS generation: pre-HQF
  captured: show version
  missing: show processes cpu, for CPU001

1 file, 40 lines, QoS lines understood 11 of 12: 1 error, 1 warning, 0 info, 2 not judged; \
incomplete: r2.cfg: cut inside a banner
"""

BRIEF = """\
warning[TXR001] (likely) a ring of 10 can hold EDGE back 258 ms, a ring of 1 only 47 ms
  --> r1.cfg:15: tx-ring-limit 10  (R1: interface Serial0/0 > policy-map EDGE)
  ring wait: about 246 ms (range 240–253, worst case 258) → 35.2 ms (worst case 46.9)
  paste (needs-window; more: advisor explain TXR001 r1.cfg):
    interface Serial0/0
     tx-ring-limit 1

error[PRS002] the config ends inside a banner
  --> r2.cfg: config
  by hand: save the config again
  more: advisor explain PRS002 r2.cfg

Do first (errors, then voice, then data)
  1. TXR001 R1, interface Serial0/0 > policy-map EDGE: a ring of 10 can hold EDGE back 258 ms, \
a ring of 1 only 47 ms; ring wait: 246 → 35.2 ms; in a window; lines: \
advisor fix r1.cfg --rule TXR001
  2. PRS002 r2.cfg, config: the config ends inside a banner; by hand: save the config again

not judged: LFI001: the rate of the wire is not known  \
(R1: interface Serial0/1, R1: interface Serial0/2)

1 file, 40 lines, QoS lines understood 11 of 12: 1 error, 1 warning, 0 info, 2 not judged; \
incomplete: r2.cfg: cut inside a banner; 1 show output that rules need missing; \
-v: what was read, assumed, missing
"""

CONCISE = """\
r1.cfg:15:2: warning TXR001 tx-ring-too-deep-for-llq: R1: interface Serial0/0 > policy-map EDGE: \
a ring of 10 can hold EDGE back 258 ms, a ring of 1 only 47 ms
r2.cfg: error PRS002 truncated-config: r2.cfg: config: the config ends inside a banner
not judged: LFI001: the rate of the wire is not known: \
R1: interface Serial0/1, R1: interface Serial0/2
captured: show version
missing: show processes cpu, for CPU001
1 file, 40 lines, QoS lines understood 11 of 12: 1 error, 1 warning, 0 info, 2 not judged; \
incomplete: r2.cfg: cut inside a banner
"""


def test_a_verbose_report_holds_everything() -> None:
    assert brief.render(VERDICT, VERBOSE) == lint_text.render(VERDICT) == FULL


def test_a_short_report_says_what_to_do() -> None:
    assert brief.render(VERDICT, RenderOptions()) == BRIEF


LONG = replace(
    RING,
    message=" ".join(["a ring of 10 can hold EDGE back 258 ms, which is said at length"] * 9),
    locations=(Place("a-very/long/path/to/a/configuration/r1.cfg", 15, "tx-ring-limit 10 " * 9),),
)
PASTES = [Remedy(Level.SAFE, tuple(f"line {n}" for n in range(lines))) for lines in range(9)]


@pytest.mark.parametrize("width", [60, 80, 100, 200, None])
@pytest.mark.parametrize("remedy", [*PASTES, None, Remedy(Level.MANUAL, advice="do " * 300)])
def test_a_finding_fits_eight_lines(remedy: Remedy | None, width: int | None) -> None:
    for finding in (RING, LONG):
        verdict = replace(CLEAN, findings=(replace(finding, remedy=remedy),))
        said = brief.render(verdict, RenderOptions(Style(width=width), is_quiet=True))
        lines = said.splitlines()
        assert len(lines) <= 8
        assert width is None or max(map(len, lines)) <= max(width, 80)


def test_concise_report_is_a_line_for_each_finding() -> None:
    notes = "".join(f"{line}\n" for line in lint_text.notes(VERDICT))
    assert lint_text.render_concise(VERDICT) + notes == CONCISE


def test_clean_verdict_still_states_its_coverage() -> None:
    said = lint_text.render(CLEAN)
    assert said.startswith("Coverage\n")
    assert said.endswith("0 errors, 0 warnings, 0 info, 0 not judged; complete\n")


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(brief.render(CLEAN, QUIET), id="full and quiet"),
        pytest.param(lint_text.render_concise(CLEAN), id="concise"),
    ],
)
def test_nothing_is_said_where_findings_alone_are_shown(said: str) -> None:
    assert said == ""


def test_color_is_added_to_nothing_but_the_look() -> None:
    colored = lint_text.render(VERDICT, RenderOptions(Style(color=True)))
    assert "\x1b[1;33mwarning[TXR001]\x1b[0m" in colored
    bare = colored
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[34m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m"):
        bare = bare.replace(code, "")
    assert bare == FULL


def test_lines_of_a_second_file_are_shown_under_its_name() -> None:
    places = (Place("r1.cfg", 3, "tx-ring-limit 10"), Place("r2.cfg", 120, "tx-ring-limit 2"))
    said = lint_text.render(replace(VERDICT, findings=(replace(RING, locations=places),)), QUIET)
    assert said.splitlines()[1:8] == [
        "    --> r1.cfg:3  R1: interface Serial0/0 > policy-map EDGE",
        "    |",
        "  3 | tx-ring-limit 10",
        "    |               ^^",
        "    ::: r2.cfg",
        "    |",
        "120 | tx-ring-limit 2",
    ]


def test_a_very_long_line_is_cut() -> None:
    finding = replace(RING, locations=(Place("r1.cfg", 1, "x" * 1_000_000),))
    said = lint_text.render(replace(VERDICT, findings=(finding,)))
    assert max(map(len, said.splitlines())) < 200


def of_fleet(devices: int, findings: int) -> Verdict:
    """A verdict of equal devices, each with findings on as many interfaces."""
    return replace(
        CLEAN,
        findings=tuple(
            replace(RING, device=f"R{device}", object=f"interface Serial0/{number} > class VOICE")
            for number in range(findings)
            for device in range(devices)
        ),
    )


@pytest.mark.parametrize(
    ("devices", "findings", "told", "lines"),
    [
        pytest.param(1, 1, 1, ["  R0: 1 finding"], id="one"),
        pytest.param(
            2, 2, 4, ["    interface Serial0/1  246 → 35.2 ms  TXR001"], id="each in its table"
        ),
        pytest.param(
            3, 20, 60, ["    8 more objects: TXR001 (8)"], id="many objects",
        ),
        pytest.param(45, 1, 45, ["  5 more devices: TXR001 (5)"], id="many devices"),
    ],
)  # fmt: skip
def test_tables_of_a_long_report_are_cut(
    devices: int, findings: int, told: int, lines: list[str]
) -> None:
    said = lint_text.render(of_fleet(devices, findings)).splitlines()
    assert sum(line.startswith("warning[TXR001]") for line in said) == told
    assert set(lines) <= set(said)


def test_a_short_report_tells_the_first_findings() -> None:
    said = brief.render(of_fleet(30, 2), RenderOptions())
    assert said.count("warning[TXR001]") == 20
    assert "20 more findings: TXR001 20; -v shows them" in said


def test_findings_that_differ_in_their_place_alone_are_told_once() -> None:
    said = brief.render(of_fleet(2, 4), RenderOptions())
    assert said.count("warning[TXR001]") == 2
    assert "  also interface Serial0/1 > class VOICE, interface Serial0/2 > class VOICE" in said
    assert "lines for each to paste (needs-window): advisor fix r1.cfg --rule TXR001" in said


BOTH_ENDS = Remedy(
    Level.NEEDS_WINDOW,
    ("interface Multilink1",),
    advice="the other end needs the same",
    two_ended=TwoEnded("Serial0/0"),
    costs=(Cost(finding=Appearing("LLQ003", "class VOICE", Severity.INFO)),),
)
TWO_ENDS = replace(RING, rule="LFI001", remedy=BOTH_ENDS)
MERGED = Remedy(
    Level.NEEDS_WINDOW,
    (" tx-ring-limit 1",),
    merged=StandIn("LFI001", TWO_ENDS.object, has_same_lines=False),
)
REFUSED = Cause("LLQ002", "interface Serial0/0")


FASTER = SideEffect(
    "interface Serial0/0 > class VOICE",
    Metric.DELAY,
    Figure(79.4, 70, 90, "ms"),
    Figure(10.1, 9, 12, "ms"),
)
TOGETHER = JointGain(("TXR001", "LFI001"), FASTER)


@pytest.mark.parametrize(
    ("findings", "steps"),
    [
        pytest.param(
            (RING, TWO_ENDS),
            ["TXR001 R1", "LFI001 R1, interface Serial0/0 > policy-map EDGE: a ring of 10 can hold"],
            id="a link is changed at both ends",
        ),
        pytest.param(
            (replace(RING, remedy=MERGED), TWO_ENDS),
            ["LFI001 R1"],
            id="a cure that stands for another has its place",
        ),
        pytest.param(
            tuple(replace(RING, object=f"interface Serial0/{n}") for n in range(3)),
            ["TXR001 R1, interface Serial0/0 and 2 more places"],
            id="one command for several places is one step",
        ),
        pytest.param(
            (replace(RING, void_by=REFUSED), replace(RING, rule="TXR003", object="interface x")),
            ["TXR003"],
            id="what a certain refusal makes void is no step",
        ),
        pytest.param(
            (replace(RING, void_by=replace(REFUSED, is_sure=False)), TWO_ENDS),
            ["TXR001", "LFI001"],
            id="what rests on a doubtful refusal is a step",
        ),
        pytest.param(
            (replace(CUT, confidence=Confidence.POSSIBLE), RING),
            ["PRS002 r2.cfg, config: the config ends inside a banner; check before", "TXR001"],
            id="what may be none is looked at in its place in the report",
        ),
        pytest.param(
            (replace(RING, together=TOGETHER), replace(TWO_ENDS, together=TOGETHER),
             replace(RING, object="interface Serial0/1")),
            ["TXR001 and LFI001 R1, interface Serial0/0 > policy-map EDGE and 1 more place: a ring"],
            id="rules with a joint gain are one step, with the other places of one of them",
        ),
    ],
)  # fmt: skip
def test_the_first_steps_are_cures_each_once(
    findings: tuple[Finding, ...], steps: list[str]
) -> None:
    told = first_steps(findings, {"R1": "r1.cfg"})
    assert len(told) == len(steps)
    assert all(step.startswith(start) for step, start in zip(told, steps, strict=True))


def test_a_joint_gain_has_a_command_for_the_lines_of_all_its_rules() -> None:
    pair = [replace(each, together=TOGETHER) for each in (RING, TWO_ENDS)]
    step, *_ = first_steps(pair, {"R1": "r1.cfg"})
    assert "in a window for both ends of the link; lines: " in step
    assert step.endswith("advisor fix r1.cfg --rule TXR001 --rule LFI001")


def test_a_step_says_what_its_lines_give_back_to_voice() -> None:
    link = replace(TWO_ENDS, remedy=replace(BOTH_ENDS, shorter=(FASTER,)))
    step, _ = first_steps((link, CUT), {"R1": "r1.cfg"})
    words = "priority class VOICE waits 79.4 ms on average while the line is full (70 to 90)"
    ends = "10.1 ms with the remedy; the other end needs the same; in a window for both ends"
    assert f"{words}, {ends} of the link; lines: advisor fix" in step
    assert (
        "  note: delay of VOICE 79.4 → 10.1 ms; the other end needs the same; costs"
        in brief.render(replace(CLEAN, findings=(link,)), RenderOptions())
    )


def test_the_costs_and_the_other_end_stand_below_the_lines() -> None:
    said = brief.render(replace(CLEAN, findings=(TWO_ENDS,)), RenderOptions())
    cost = "costs LLQ003 (info) appears on class VOICE"
    assert f"  note: the other end needs the same; {cost}" in said.splitlines()


def test_a_file_without_qos_says_so() -> None:
    bare = replace(CLEAN.coverage[0], qos_lines=0, qos_lines_understood=0)
    said = brief.render(replace(CLEAN, coverage=(bare,)), RenderOptions())
    assert "QoS lines understood 0 of 0 (no QoS here: no rule applied): 0 errors" in said


def test_many_objects_of_one_reason_are_counted() -> None:
    skipped = tuple(Skipped("R1", "LFI001", f"interface Serial0/{n}", "why") for n in range(9))
    said = brief.render(replace(CLEAN, skipped=skipped), RenderOptions())
    assert (
        "not judged: LFI001: why  (R1: interface Serial0/0, R1: interface Serial0/1 and 7" in said
    )


class TestJson:
    def test_report_conforms_to_the_schema(self) -> None:
        schema = output_schemas()
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        errors = validator.iter_errors(json.loads(json_report.render(VERDICT)))
        assert [error.message for error in errors] == []

    @pytest.mark.parametrize(
        "key",
        [
            "schema",
            "version",
            "complete",
            "incomplete",
            "summary",
            "findings",
            "coverage",
            "devices",
        ],
    )
    def test_schema_refuses_a_report_that_lacks(self, key: str) -> None:
        report = json.loads(json_report.render(VERDICT))
        del report[key]
        with pytest.raises(jsonschema.ValidationError, match=f"'{key}' is a required property"):
            jsonschema.Draft202012Validator(output_schemas()).validate(report)

    def test_schema_has_its_dialect_and_version(self) -> None:
        schema = output_schemas()
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert (schema["$id"], schema["version"]) == ("urn:ios-advisor:report:1", 1)

    def test_finding_has_the_fields_of_every_format(self) -> None:
        finding = json.loads(json_report.render(VERDICT))["findings"][0]
        assert list(finding) == [
            "device",
            "rule",
            "name",
            "severity",
            "confidence",
            "object",
            "locations",
            "message",
            "prediction",
            "remedy",
            "sources",
            "object_kind",
            "suppressed",
            "void_by",
            "then",
            "together",
            "title",
            "harm",
        ]
        assert finding["locations"][0] == {
            "file": "r1.cfg",
            "line": 15,
            "text": "tx-ring-limit 10",
            "column": 2,
            "end_column": 18,
        }
        assert list(finding["prediction"]) == [
            "metric",
            "before",
            "after",
            "inputs",
            "improvement",
            "ring_bound_ms",
            "class_bound_ms",
            "is_felt",
            "method",
            "after_method",
        ]
        assert finding["prediction"]["before"] == {
            "value": 246.5,
            "low": 240.0,
            "high": 253.1,
            "unit": "ms",
            "bound": 257.8,
            "contested": False,
        }
        assert finding["prediction"]["inputs"][1]["basis"] == "assumed"
        assert finding["remedy"]["level"] == "needs-window"

    def test_verdict_says_whether_it_is_complete_and_why_not(self) -> None:
        cut, clean = (json.loads(json_report.render(each)) for each in (VERDICT, CLEAN))
        assert (cut["complete"], cut["incomplete"]) == (False, ["r2.cfg: cut inside a banner"])
        assert (clean["complete"], clean["incomplete"]) == (True, [])

    def test_summary_counts_what_is_in_the_report(self) -> None:
        assert json.loads(json_report.render(VERDICT))["summary"] == {
            "files": 1,
            "lines": 40,
            "qos_lines": 12,
            "qos_lines_understood": 11,
            "error": 1,
            "warning": 1,
            "info": 0,
            "skipped": 2,
            "suppressed": 0,
        }


def test_a_million_characters_of_a_line_are_cut_at_once() -> None:
    finding = replace(RING, locations=(Place("r1.cfg", 1, "x" * 1_000_000),))
    said = brief.render(
        replace(CLEAN, findings=(finding,)), RenderOptions(Style(width=80), is_quiet=True)
    )
    assert max(map(len, said.splitlines())) <= 80


def test_files_of_one_router_are_counted_once_and_a_step_names_the_first() -> None:
    places = [(replace(RING.locations[0], file=name),) for name in ("a.log", "b.log")]
    found = tuple(replace(RING, locations=at) for at in places)
    verdict = replace(VERDICT, findings=found, devices=VERDICT.devices * 2)
    said = brief.render(verdict, RenderOptions())
    assert ", 1 device, " in said
    assert ": 0 errors, 1 warning, 0 info" in said
    told = first_steps((*found, TWO_ENDS), {"R1": "a.log"})
    assert told[0].endswith("advisor fix a.log --rule TXR001")


def test_a_gain_that_a_probe_refutes_says_so_and_its_own_lines_come_first() -> None:
    effect = replace(FASTER, measured=15.0)
    ring = replace(RING, remedy=replace(MERGED, shorter=(effect,)))
    assert ring.cured_by is None
    assert replace(ring, remedy=replace(MERGED, shorter=(FASTER,))).cured_by is not None
    first, _ = first_steps((ring, TWO_ENDS), {"R1": "r1.cfg"})
    words = "a probe measured 15 ms there and back: the prediction is too high"
    assert first.startswith("TXR001 R1")
    assert f"10.1 ms with the remedy ({words}); in a window; then measure again; lines: " in first
    said = brief.render(replace(CLEAN, findings=(ring,)), RenderOptions())
    assert "paste it and measure again ahead of LFI001" in said


def test_lines_at_one_end_come_ahead_of_those_that_cut_a_link_for_little_more() -> None:
    first, whole = (replace(FASTER, after=Figure(ms, ms, ms, "ms")) for ms in (15.0, 10.1))
    stand_in = StandIn("LFI001", TWO_ENDS.object, has_same_lines=False, cuts_link=True)
    ring = replace(RING, remedy=replace(MERGED, shorter=(first,), merged=stand_in))
    link = replace(TWO_ENDS, remedy=replace(BOTH_ENDS, shorter=(whole,)))
    assert [item.rule for item in ranked((link, ring))] == ["TXR001", "LFI001"]
    one, two = first_steps((ring, link), {"R1": "r1.cfg"})
    assert one.startswith("TXR001 R1")
    assert "measure again" not in one
    assert "shortens what TXR001 leaves of VOICE: 15 → 10.1 ms" in two


def test_what_may_be_harmless_is_a_step_only_where_nothing_else_is_due() -> None:
    forecast = Forecast("delay", Figure(40, 5, 60, "ms"), Figure(20, 3, 40, "ms"), ())
    contested = replace(
        RING, severity=Severity.INFO, confidence=Confidence.POSSIBLE, prediction=forecast
    )
    step, *others = first_steps((contested, replace(contested, object="x")), {"R1": "r1.cfg"})
    assert "to look up, it may be harmless" in step
    assert "delay: 5–60 ms → 3–40 ms" in step
    assert not others
    assert first_steps((contested, replace(RING, remedy=None)), {}) == first_steps(
        (replace(RING, remedy=None), contested), {}
    )
    worse = replace(forecast, after=Figure(20, 8, 40, "ms"))
    assert not replace(contested, prediction=worse).is_open


FELT = replace(RING, harm="calls are late")


@pytest.mark.parametrize(
    ("findings", "felt"),
    [
        pytest.param((FELT,), "Calls are late (TXR001).", id="a warning is felt"),
        pytest.param(
            (FELT, replace(FELT, rule="LFI001")), "Calls are late (TXR001).",
            id="what two rules do to users is told once",
        ),
        pytest.param(
            (replace(FELT, severity=Severity.INFO, confidence=Confidence.POSSIBLE),),
            "Perhaps nothing; if it does harm: calls are late (TXR001).",
            id="what may be harmless is felt perhaps",
        ),
        pytest.param((CUT,), None, id="a cut copy harms nobody, and does not prove that"),
    ],
)  # fmt: skip
def test_the_top_tells_what_users_feel(findings: tuple[Finding, ...], felt: str | None) -> None:
    told = dict(top_lines(replace(VERDICT, findings=findings), findings))
    assert told.get("If nothing is done") == felt
    assert "ot judged: LFI001: the rate of the wire is not known." in told["What is not certain"]
