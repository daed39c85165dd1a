"""Formats for programs: each is valid by its schema or its reader, and nothing in it is obeyed."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest
from junitparser import JUnitXml
from markdown_it import MarkdownIt
from msgspec.structs import replace
from typer.main import get_group

from advisor.cli.app import all_commands
from advisor.device.coverage import FileCoverage
from advisor.lint.cards import load_rules
from advisor.lint.findings import (
    Finding,
    Level,
    Place,
    Remedy,
    Severity,
    Skipped,
    StandIn,
    Suppressed,
    Verdict,
)
from advisor.report import formats, json_report, line_formats, lint_text, safe, sarif
from advisor.report.formats import VERDICTS, Formats
from advisor.report.schema import output_schema
from advisor.report.terminal import RenderOptions
from advisor.settings import Settings
from tests.report.test_report_renderers import CUT, RING, VERDICT

RULES = load_rules(Settings().budgets)
MANNER = RenderOptions(rules=RULES)
SCHEMA = json.loads((Path(__file__).parent / "sarif" / "sarif-2.1.0.json").read_text("utf-8"))
ACCEPTED = replace(RING, object="interface Serial0/1", suppressed=Suppressed("r1.cfg:3", "known"))
SECRET = "s3nt1nel-9f"  # noqa: S105 -- what no report may show
HERE = "interface Serial0/0"
HOSTILE = {
    "a workflow command": "%0A::error title=forged::x",
    "a line break": "a\n::error::forged",
    "the end of CDATA": "]]><failure/>",
    "markup": "<script>alert(1)</script></details>",
    "a formula": "=cmd|' /C calc'!A0",
    "a terminal escape": "\x1b[2J\x07",
    "a mention": "@everyone",
    "a fence": "```",
    "quotes": "\"'&",
    "an overwrite": "\u202etxt.exe",
}


def offered(command: str) -> list[str]:
    """The words that `--format` of a command takes."""
    found: Any = get_group(all_commands())
    for word in command.split():
        found = found.commands[word]
    (option,) = (param for param in found.params if "--format" in param.opts)
    return list(option.type.choices)


def named(text: str) -> Finding:
    """A finding whose names, lines and messages are this text."""
    return replace(
        RING,
        device=text,
        object=f"interface {text}",
        message=f"a ring of {text}",
        locations=(Place(text, 3, text, 1, 1 + len(text)),),
        remedy=Remedy(Level.MANUAL, advice=text),
    )


def of(*findings: Finding) -> Verdict:
    return Verdict(findings, (), (FileCoverage("r1.cfg", "R1", "config", 9, 0, 0),))


def sarif_run(verdict: Verdict) -> dict[str, Any]:
    log = json.loads(sarif.render(verdict, MANNER))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


class TestTable:
    @pytest.mark.parametrize(
        ("command", "table"),
        [
            pytest.param("lint", VERDICTS, id="lint"),
            pytest.param("audit", VERDICTS, id="audit"),
            pytest.param("diff", formats.COMPARISONS, id="diff"),
            pytest.param("collect", formats.FLEETS, id="collect"),
            pytest.param("collect", formats.DRY_RUNS, id="a dry run"),
            pytest.param("fix", formats.PLANS, id="fix"),
            pytest.param("inspect", formats.INSPECTIONS, id="inspect"),
            pytest.param("size dlsw", formats.SIZINGS, id="size"),
            pytest.param("design wred", formats.WRED_DESIGNS, id="design wred"),
            pytest.param("design edge", formats.EDGE_DESIGNS, id="design edge"),
        ],
    )
    def test_the_command_line_offers_the_formats_of_the_table(
        self, command: str, table: Formats[Any]
    ) -> None:
        assert offered(command) == list(table)
        assert all(callable(table.renderer(form)) for form in table)

    def test_predict_offers_what_one_of_its_results_has(self) -> None:
        tables = (formats.PREDICTIONS, formats.SWEEPS, formats.SHARES, formats.PATHS)
        named = {form for table in (*tables, formats.SCENARIOS) for form in table}

        assert set(offered("predict")) == named
        for table in (*tables, formats.SCENARIOS):
            assert all(callable(table.renderer(form)) for form in table)

    def test_an_audit_has_the_formats_of_a_verdict(self) -> None:
        assert set(formats.AUDITS) <= set(VERDICTS)

    @pytest.mark.parametrize("form", VERDICTS)
    def test_a_format_shows_a_finding(self, form: str) -> None:
        assert "TXR001" in VERDICTS.render(VERDICT, form, MANNER)

    @pytest.mark.parametrize(
        "form", ["full", "html", "markdown", "sarif", "junit", "github", "csv"]
    )
    def test_lines_for_which_another_remedy_stands_say_so(self, form: str) -> None:
        stand_in = StandIn("SHP002", "interface Serial0/0", has_same_lines=False)
        remedy = Remedy(Level.SAFE, (" tx-ring-limit 1",), merged=stand_in)
        shown = VERDICTS.render(of(replace(RING, remedy=remedy)), form, MANNER)

        assert "no need to paste where SHP002 is done" in " ".join(shown.split())

    @pytest.mark.parametrize("form", VERDICTS)
    def test_no_format_shows_a_secret(self, form: str) -> None:
        line = f"enable secret 5 {SECRET}"
        finding = replace(
            RING,
            object=f"line {line}",
            message=f"`{line}` is not understood",
            locations=(Place("r1.cfg", 3, line, 1, 1 + len(line)),),
            remedy=Remedy(Level.SAFE, (line,), (f"no {line}",)),
        )
        verdict = replace(
            of(finding),
            skipped=(Skipped("R1", "TXR001", f"line {line}", f"`{line}`"),),
            incomplete=(f"`{line}` is not understood",),
        )

        shown = VERDICTS.render(verdict, form, MANNER)

        assert "TXR001" in shown
        assert SECRET not in shown

    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    @pytest.mark.parametrize("form", VERDICTS)
    def test_no_format_holds_a_character_that_a_terminal_obeys(self, form: str, text: str) -> None:
        shown = VERDICTS.render(of(named(text)), form, MANNER)

        assert "TXR001" in shown
        assert [char for char in shown if not char.isprintable() and char not in "\r\n\u200b"] == []


class TestSarif:
    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    def test_a_log_is_valid_by_the_schema(self, text: str) -> None:
        (result,) = sarif_run(of(named(text)))["results"]

        assert result["ruleId"] == "TXR001"
        assert re.fullmatch(r"[\w.%/~-]+", uri_of(result))

    def test_a_result_has_its_level_rule_and_region(self) -> None:
        run = sarif_run(VERDICT)
        result = run["results"][0]
        region = result["locations"][0]["physicalLocation"]["region"]
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]

        assert (result["level"], rule["id"]) == ("warning", "TXR001")
        assert rule["help"]["markdown"].startswith("The transmit ring")
        assert "## " not in rule["help"]["markdown"]
        assert (region["startLine"], region["startColumn"], region["endColumn"]) == (15, 16, 18)
        assert region["snippet"]["text"] == "10"

    def test_the_help_of_a_rule_of_a_user_names_no_version(self) -> None:
        rules = [replace(rule, card=replace(rule.card, since="")) for rule in RULES]
        log = json.loads(sarif.render(of(RING), RenderOptions(rules=tuple(rules))))
        (rule,) = log["runs"][0]["tool"]["driver"]["rules"]

        assert "remedy needs-window\n" in rule["help"]["text"]
        assert "Severity warning, remedy needs-window.\n" in rule["help"]["markdown"]

    def test_a_finding_without_a_line_is_in_the_file_of_its_device(self) -> None:
        result = sarif_run(of(replace(CUT, device="R1")))["results"][0]

        assert uri_of(result) == "r1.cfg"
        assert "region" not in result["locations"][0]["physicalLocation"]

    def test_what_the_run_lacks_is_a_notification(self) -> None:
        (invocation,) = sarif_run(VERDICT)["invocations"]

        assert invocation["executionSuccessful"] is False
        assert invocation["toolExecutionNotifications"][0]["message"]["text"] == (
            "r2.cfg: cut inside a banner"
        )

    @pytest.mark.parametrize(
        ("by", "kind"),
        [
            pytest.param("r1.cfg:3", "inSource", id="by a comment of the configuration"),
            pytest.param("advisor.toml:3", "external", id="by the settings"),
            pytest.param("baseline known.json", "external", id="by a baseline"),
        ],
    )
    def test_what_the_user_accepts_is_suppressed(self, by: str, kind: str) -> None:
        (result,) = sarif_run(of(replace(RING, suppressed=Suppressed(by, "known"))))["results"]
        (suppression,) = result["suppressions"]

        assert (suppression["kind"], suppression["justification"]) == (kind, "known")

    def test_a_remedy_that_replaces_the_line_is_a_change_of_the_file(self) -> None:
        (fix,) = sarif_run(VERDICT)["results"][0]["fixes"]
        (change,) = fix["artifactChanges"]
        (replacement,) = change["replacements"]

        assert replacement["insertedContent"]["text"] == "tx-ring-limit 1"
        assert replacement["deletedRegion"] == {"startLine": 15, "startColumn": 2, "endColumn": 18}

    @pytest.mark.parametrize(
        ("lines", "rollback"),
        [
            pytest.param(
                (HERE, " tx-ring-limit 1"),
                ("interface Serial0/1", " tx-ring-limit 10"),
                id="another section",
            ),
            pytest.param(
                (HERE, " tx-ring-limit 1", " no fair-queue"),
                (HERE, " fair-queue", " tx-ring-limit 10"),
                id="two lines",
            ),
            pytest.param(
                (HERE, " bandwidth 512"), (HERE, " tx-ring-limit 10"), id="another command"
            ),
            pytest.param(
                (HERE, " tx-ring-limit 1"), (HERE, " no tx-ring-limit 1"), id="a new line"
            ),
        ],
    )
    def test_a_remedy_that_changes_more_is_no_change_of_the_file(
        self, lines: tuple[str, ...], rollback: tuple[str, ...]
    ) -> None:
        finding = replace(RING, remedy=Remedy(Level.SAFE, lines, rollback))
        (result,) = sarif_run(of(finding))["results"]

        assert "fixes" not in result
        assert result["properties"]["remedy"]["lines"] == list(lines)

    def test_a_line_that_is_masked_or_abbreviated_has_no_columns(self) -> None:
        places = (Place("r1.cfg", 15, "tx-ring-limit 10"),)
        (result,) = sarif_run(of(replace(RING, locations=places)))["results"]

        assert "fixes" not in result
        assert "startColumn" not in result["locations"][0]["physicalLocation"]["region"]


def uri_of(result: dict[str, Any]) -> str:
    return str(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])


def marks(verdict: Verdict) -> list[str]:
    results = sarif_run(verdict)["results"]
    entries = json.loads(line_formats.render_gitlab(replace(verdict, findings=verdict.standing)))
    assert [entry["fingerprint"] for entry in entries] == [
        result["partialFingerprints"][sarif.FINGERPRINT]
        for result in results
        if "suppressions" not in result
    ]
    return [result["partialFingerprints"][sarif.FINGERPRINT] for result in results]


class TestFingerprint:
    def test_it_stays_where_the_line_the_message_and_the_figures_change(self) -> None:
        moved = replace(
            RING,
            locations=(Place("other.cfg", 99, "tx-ring-limit 11"),),
            message="a ring of 11",
            prediction=None,
            severity=Severity.ERROR,
        )
        assert marks(of(RING)) == marks(of(moved))

    @pytest.mark.parametrize("field", ["device", "rule", "object"])
    def test_it_tells_device_rule_and_object_apart(self, field: str) -> None:
        assert marks(of(RING)) != marks(of(replace(RING, **{field: "other"})))

    def test_two_findings_of_one_key_have_two(self) -> None:
        assert len(set(marks(of(RING, RING, RING)))) == 3

    def test_the_parts_of_a_key_do_not_run_together(self) -> None:
        left, right = replace(RING, device="a", rule="bc"), replace(RING, device="ab", rule="c")
        assert marks(of(left)) != marks(of(right))


class TestJunit:
    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    def test_a_hostile_name_is_text(self, text: str) -> None:
        suites = JUnitXml.fromstring(line_formats.render_junit(of(named(text)), MANNER).encode())
        (case,) = [case for suite in suites for case in suite if case.name != "read"][:1]

        assert (suites.failures, suites.errors) == (1, 0)
        assert [type(result).__name__ for result in case.result] == ["Failure"]

    def test_each_device_has_a_suite_with_its_findings(self) -> None:
        suites = JUnitXml.fromstring(line_formats.render_junit(VERDICT, MANNER).encode())

        assert [(suite.name, suite.tests, suite.failures, suite.errors) for suite in suites] == [
            ("R1", 4, 1, 0),
            ("r2.cfg", 2, 0, 0),  # PRS002 says that something is not read: an error of the run
            ("run", 1, 0, 1),
        ]

    def test_no_two_cases_have_one_name(self) -> None:
        (place,) = RING.locations[:1]
        elsewhere = replace(RING, locations=(replace(place, file="old/r1.cfg"),))
        text = line_formats.render_junit(of(RING, elsewhere, RING), MANNER)
        suite, _ = JUnitXml.fromstring(text.encode())
        at = f"{place.file}:{place.line}"

        assert [case.name.rpartition("EDGE")[2] for case in suite][1:] == [
            f" ({at})",
            f" (old/r1.cfg:{place.line})",
            f" ({at}) (2)",
        ]

    @pytest.mark.parametrize(
        ("fail_on", "failures"),
        [(Severity.ERROR, 0), (Severity.WARNING, 1), (None, 0)],
        ids=["errors fail", "warnings fail", "nothing fails"],
    )
    def test_what_fails_is_what_the_exit_code_says(
        self, fail_on: Severity | None, failures: int
    ) -> None:
        suites = JUnitXml.fromstring(
            line_formats.render_junit(of(RING), RenderOptions(fail_on=fail_on)).encode()
        )
        assert suites.failures == failures

    def test_what_is_accepted_and_what_is_not_judged_is_skipped(self) -> None:
        text = line_formats.render_junit(replace(VERDICT, findings=(ACCEPTED,)), MANNER)
        suites = JUnitXml.fromstring(text.encode())
        results = [result for suite in suites for case in suite for result in case.result]
        said = [result.message for result in results if isinstance(result, junitparser.Skipped)]

        assert (
            said
            == ["accepted by r1.cfg:3: known"]
            + ["not judged: the rate of the wire is not known"] * 2
        )


COMMAND = re.compile(r"::(error|warning|notice)(?: (?P<named>[^:]*))?::(?P<data>.*)")


class TestGithub:
    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    def test_each_line_is_one_command_whose_data_is_escaped(self, text: str) -> None:
        lines = line_formats.render_github(
            of(named(text)), RenderOptions(is_quiet=True)
        ).splitlines()
        (command,) = [COMMAND.fullmatch(line) for line in lines]

        assert command is not None
        parts = dict(part.split("=", 1) for part in command["named"].split(","))
        assert [name for name in parts if "col" not in name.lower()] == ["file", "line", "title"]
        for value in (*parts.values(), command["data"]):
            assert re.search(r"%(?!25|0A|0D|3A|2C)", value) is None

    def test_a_percent_sign_survives(self) -> None:
        assert "%250A::error" in line_formats.render_github(of(named("%0A::error")))

    def test_the_place_and_the_level_are_those_of_the_finding(self) -> None:
        first = line_formats.render_github(VERDICT).splitlines()[0]
        assert first.startswith("::warning file=r1.cfg,line=15,col=2,endColumn=17,title=TXR001 ")

    def test_what_is_accepted_is_no_annotation(self) -> None:
        assert line_formats.render_github(of(ACCEPTED), RenderOptions(is_quiet=True)) == ""

    def test_what_the_run_lacks_is_a_warning(self) -> None:
        said = line_formats.render_github(VERDICT, RenderOptions(is_quiet=True)).splitlines()[-1]
        assert said == "::warning title=advisor%2C not complete::r2.cfg: cut inside a banner"


class TestGitlab:
    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    def test_an_entry_has_what_the_format_asks_for(self, text: str) -> None:
        (entry,) = json.loads(line_formats.render_gitlab(of(named(text))))

        assert entry.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert entry["location"]["lines"] == {"begin": 3}

    def test_a_finding_without_a_line_is_on_the_first_one_of_its_file(self) -> None:
        (entry,) = json.loads(line_formats.render_gitlab(of(replace(CUT, device="R1"))))
        assert entry["location"] == {"path": "r1.cfg", "lines": {"begin": 1}}

    def test_a_path_starts_in_the_current_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        places = (Place(str(tmp_path / "a" / ".." / "r1.cfg"), 3, ""),)
        (entry,) = json.loads(line_formats.render_gitlab(of(replace(RING, locations=places))))
        assert entry["location"]["path"] == "r1.cfg"


class TestCsv:
    def rows(self, verdict: Verdict) -> list[dict[str, str]]:
        text = line_formats.render_csv(verdict)
        assert text.endswith("\r\n")
        return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))

    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    def test_no_cell_is_a_formula(self, text: str) -> None:
        (row,) = self.rows(of(named(text)))
        assert [cell for cell in row.values() if cell.startswith(("=", "+", "-", "@", "\t"))] == []

    @pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
    def test_a_cell_that_would_be_computed_stands_behind_a_quote(self, start: str) -> None:
        assert safe(f"{start}1+1") == f"'{start}1+1"

    def test_a_row_has_the_figures_and_the_lines(self) -> None:
        row, cut = self.rows(VERDICT)

        assert (row["before"], row["before_bound"], row["after"], row["unit"]) == (
            "246.5", "257.8", "35.2", "ms",
        )  # fmt: skip
        assert row["lines"] == "interface Serial0/0\n tx-ring-limit 1"
        assert (cut["file"], cut["line"], cut["before"]) == ("", "", "")

    def test_what_is_accepted_is_a_row_with_the_reason(self) -> None:
        (row,) = self.rows(of(ACCEPTED))
        assert (row["suppressed_by"], row["suppressed_reason"]) == ("r1.cfg:3", "known")


class TestJsonl:
    def test_each_line_is_of_the_schema_and_the_last_one_says_whether_all_was_read(self) -> None:
        *findings, summary = [
            json.loads(line) for line in json_report.render_lines(VERDICT).splitlines()
        ]
        for line in (*findings, summary):
            jsonschema.Draft202012Validator(output_schema("lint --format jsonl")).validate(line)

        assert [(line["kind"], line["rule"]) for line in findings] == [
            ("finding", "TXR001"),
            ("finding", "PRS002"),
        ]
        assert (summary["kind"], summary["complete"]) == ("summary", False)
        assert summary["summary"]["warning"] == 1

    def test_a_finding_has_the_fields_of_json(self) -> None:
        line = json.loads(json_report.render_lines(VERDICT).splitlines()[0])
        report = json.loads(VERDICTS.render(VERDICT, "json", MANNER))

        assert line == {"kind": "finding", **report["findings"][0]}


MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})


class TestMarkdown:
    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    def test_a_hostile_name_is_text(self, text: str) -> None:
        html = MARKDOWN.render(lint_text.render_markdown(of(named(text)), MANNER))
        tags = set(re.findall(r"<(/?\w+)", html))

        assert tags <= {
            f"{end}{tag}"
            for tag in ("details", "summary", "p", "h3", "pre", "code", "ul", "li", "br")
            for end in ("", "/")
        }
        assert html.count("<details>") == html.count("</details>") == 2
        assert "@everyone" not in html

    def test_a_finding_folds_with_its_remedy(self) -> None:
        text = lint_text.render_markdown(VERDICT, MANNER)

        assert text.startswith("### advisor: 1 error, 1 warning\n")
        assert "<summary>⚠️ TXR001 R1: " in text
        assert "```text\ninterface Serial0/0\n tx-ring-limit 1\n```" in text

    def test_a_report_that_is_too_long_fits_a_comment_and_says_what_is_left(self) -> None:
        many = tuple(replace(RING, object=f"interface Serial0/{port}") for port in range(500))
        text = lint_text.render_markdown(of(*many), MANNER)
        left = re.search(r"… and (\d+) warnings: too long for a comment", text)

        assert left is not None
        assert len(text) <= 65_536
        assert text.count("<summary>⚠️") + int(left[1]) == 500
        assert "QoS lines understood" in text

    def test_nothing_found_is_not_clean_where_not_all_was_read(self) -> None:
        partial = replace(of(), incomplete=("r2.cfg: cut",))
        assert lint_text.render_markdown(partial, MANNER).startswith(
            "### advisor: no findings, and not all was read"
        )
