"""Rules of users: what they find, what they cure, and what is refused with file, line and key."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from advisor.checks import broken_promises
from advisor.cli import run
from advisor.ground.faults import AdvisorError
from advisor.lint import own_rules

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs/examples/rules"
PAGE = (ROOT / "docs/own-rules.md").read_text("utf-8")
Said = pytest.CaptureFixture[str]

CONFIG = """\
version 15.1
hostname r1
interface Serial0/0
 bandwidth 512
 encapsulation ppp
interface Serial0/1
 shutdown
 load-interval 30
end
"""
CARD = """\
id       = "ACM009"
name     = "a-rule"
severity = "warning"
title    = "A title"
message  = "{section}: {absent}, {present}"
why      = "Because."
no_remedy = "by hand"

[declared]
must = ["service timestamps log datetime*"]
"""
PYTHON_CARD = CARD.partition("[declared]")[0] + 'check = "a-rule"\n'
CHECK = """\
from collections.abc import Iterator
from msgspec import Struct
from advisor.checks import Check, Confidence, Device, Hit, NoParams, Skip

class Evidence(Struct, frozen=True):
    section: str
    absent: str
    present: str

def find(device, params):
    {body}

CHECK = Check(NoParams, Evidence, find)
"""
HIT = "Hit(OBJECT, (), EVIDENCE, Confidence.CERTAIN)"
EVIDENCE = "Evidence('a', 'b', 'c')"


def hit(**changed: str) -> str:
    """A hit of `CHECK`; words of `HIT` may be given other values."""
    values = {"OBJECT": "'x'", "EVIDENCE": EVIDENCE, **changed}
    text = HIT
    for word, value in values.items():
        text = text.replace(word, value)
    return f"yield {text}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "site").mkdir()
    return tmp_path


def write(name: str, text: str) -> None:
    path = Path("site") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def shown(name: str) -> str:
    return dedent(PAGE.partition(f"<!-- {name} -->\n")[2].partition("<!--")[0])


def found(capsys: Said, text: str, *arguments: str) -> list[str]:
    """Objects of the findings of own rules in a text."""
    Path("r1.cfg").write_text(text, encoding="utf-8")
    run(["lint", "r1.cfg", "--rules", "site", "--select", "ACM", "--format", "json", *arguments])
    return [each["object"] for each in json.loads(capsys.readouterr().out)["findings"]]


class TestExamples:
    def test_their_promises_hold(self) -> None:
        assert broken_promises(EXAMPLES) == ()

    def test_they_are_found_and_cured(self, capsys: Said) -> None:
        assert run(["fix", "r1.cfg", "--rules", str(EXAMPLES), "--rule", "ACM"]) == 0
        plan = capsys.readouterr().out
        assert "! ACME network operations, change without a ticket\n! r1: ACM001, ACM002\n" in plan
        assert "\ninterface Serial0/0\n no cdp enable\n" in plan
        assert "\ninterface Serial0/0\n load-interval 60\n" in plan

    def test_settings_tune_a_parameter_and_give_words_to_the_header(self, capsys: Said) -> None:
        settings = shown("settings").replace("docs/examples/rules", str(EXAMPLES))
        Path("advisor.toml").write_text(settings, encoding="utf-8")
        run(["fix", "r1.cfg", "--rules", str(EXAMPLES), "--rule", "ACM"])
        plan = capsys.readouterr().out
        assert "change CHG0042\n" in plan
        assert "\n load-interval 30\n" in plan

    def test_workers_judge_by_them_too(self, capsys: Said) -> None:
        for number in range(3):
            text = CONFIG.replace("hostname r1", f"hostname r{number}")
            Path(f"r{number}.cfg").write_text(text, encoding="utf-8")
        command = ["lint", ".", "--rules", str(EXAMPLES), "--select", "ACM", "--format", "concise"]
        run([*command, "-q", "--workers", "1"])
        alone = capsys.readouterr().out
        run([*command, "-q", "--workers", "2"])
        assert capsys.readouterr().out == alone
        assert alone.count("ACM002") == 3


@pytest.mark.parametrize(
    ("declared", "text", "objects"),
    [
        ("must = ['ip cef']", "ip cef\nend\n", []),
        ("must = ['ip cef']", "no ip cef\nend\n", ["configuration"]),
        ("must = ['IP  CEF']", "ip cef\nend\n", []),
        ("must_not = ['ip http server']", "ip http server\nend\n", ["configuration"]),
        ("must_not = ['ip http*']", "no ip http server\nend\n", []),
        (
            "section = 'interface *'\nmust = ['no ip redirects']",
            "interface Serial0/0\n no ip redirects\ninterface Serial0/1\n mtu 1500\nend\n",
            ["interface Serial0/1"],
        ),
        (
            "section = 'interface *'\nhaving = ['encapsulation ppp']\nmust = ['no cdp enable']",
            "interface Serial0/0\n encapsulation ppp\ninterface Serial0/1\n mtu 1500\nend\n",
            ["interface Serial0/0"],
        ),
        (
            "section = 'interface *'\nlacking = ['shutdown']\nmust = ['no cdp enable']",
            "interface Serial0/0\n encapsulation ppp\ninterface Serial0/1\n shutdown\nend\n",
            ["interface Serial0/0"],
        ),
        (
            "section = 'policy-map * > class *'\nhaving = ['priority *']\nmust_not = ['fair-queue']",
            "policy-map A\n class V\n  priority 8\n  fair-queue\n class B\n  fair-queue\nend\n",
            ["policy-map A > class V"],
        ),
        ("section = 'interface X*'\nmust = ['mtu 9']", "interface Serial0/0\n mtu 1500\nend\n", []),
    ],
)
def test_a_declared_check_finds_the_sections_it_is_about(
    declared: str, text: str, objects: list[str], capsys: Said
) -> None:
    write("a.toml", CARD.partition("[declared]")[0] + f"[declared]\n{declared}\n")
    assert found(capsys, f"version 12.4\nhostname r1\n{text}") == objects


def test_what_is_missing_is_not_judged_in_a_text_that_is_cut(capsys: Said) -> None:
    write("a.toml", CARD)
    Path("r1.cfg").write_text(
        "Building configuration...\n\nCurrent configuration : 9000 bytes\nversion 12.4\n"
        "hostname r1\n",
        encoding="utf-8",
    )
    run(["lint", "r1.cfg", "--rules", "site", "--select", "ACM009", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert report["findings"] == []
    assert [skip["object"] for skip in report["skipped"]] == ["configuration"]


def test_a_secret_that_a_declared_rule_quotes_is_masked(capsys: Said) -> None:
    write(
        "a.toml",
        CARD.partition("[declared]")[0] + "[declared]\nmust_not = ['snmp-server community *']\n",
    )
    Path("r1.cfg").write_text(
        "version 12.4\nhostname r1\nsnmp-server community s3ntinel RW\nend\n", encoding="utf-8"
    )
    for form in ("full", "json", "concise"):
        run(["lint", "r1.cfg", "--rules", "site", "--select", "ACM009", "--format", form])
        said = capsys.readouterr()
        assert "ACM009" in said.out
        assert "s3ntinel" not in said.out + said.err


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (("severity", "serverity"), "site/a.toml:3: unknown key serverity; did you mean severity?"),
        (('"warning"', '"bad"'), "site/a.toml:3: severity: "),
        (("ACM009", "ACM9"), "site/a.toml:1: id: 'ACM9' is not like X001"),
        (("ACM009", "TXR001"), "site/a.toml: TXR001 is already used by txr/"),
        (("a-rule", "A rule"), "site/a.toml:2: name: 'A rule' is not like "),
        (("{absent}", "{absnt}"), "site/a.toml: unknown absnt in message; "),
        (("{absent}", "{absent.x}"), "site/a.toml:5: message: fields are plain names"),
        (("{absent}", "{absent:>99999}"), "site/a.toml:5: message: fields are plain names"),
        (("no_remedy = ", "remedy = "), "site/a.toml: a remedy needs a level"),
        (
            ('no_remedy = "by hand"', 'remedy = "x.j2"\nlevel = "safe"'),
            "site/a.toml remedy: there is no templates/remedy/x.j2",
        ),
        (("must =", "most ="), "site/a.toml:10: [declared] unknown key most; did you mean must?"),
        (('must = ["service timestamps log datetime*"]', ""), "site/a.toml:9: declared: it needs"),
        (("[declared]", 'check = "x"\n[declared]'), "site/a.toml:9: check: give either check or"),
        (('must = ["service', 'must = ["  ", "service'), "site/a.toml:9: declared: a pattern is"),
        (("must =", 'section = "a >  > b"\nmust ='), "site/a.toml:9: declared: a pattern is blank"),
        (
            ("[declared]", "params.x = 1\n[declared]"),
            "site/a.toml: unknown x in [params]; it takes none",
        ),
        (("[declared]", "[declared"), "site/a.toml:9: not TOML: "),
        (
            ("{absent}", "{absent}" * 20),
            "site/a.toml:5: message: has more than 2000 characters or 20",
        ),
        (("{absent}", "x" * 2000), "site/a.toml:5: message: has more than 2000 characters or 20"),
        (('"A title"', f"'{'x' * 2001}'"), "site/a.toml:4: title: has more than 2000 characters"),
        (
            ("must = [", "must = [" + "'x'," * 100),
            "site/a.toml:9: declared: has more than 100 patt",
        ),
        (
            ("datetime*", "*" * 200),
            "site/a.toml:9: declared: has more than 100 patterns, or one of",
        ),
        (
            ("[declared]", "params.x = -1\n[declared]"),
            "site/a.toml:9: params.x: expected a number",
        ),
        (("Because.", "x" * 250_000), "site/a.toml: cannot be read: larger than 250 kB"),
    ],
)
def test_a_card_that_cannot_be_used_is_refused(
    changed: tuple[str, str], expected: str, capsys: Said
) -> None:
    write("a.toml", CARD.replace(*changed, 1))
    assert run(["lint", "r1.cfg", "--rules", "site"]) == 2
    assert capsys.readouterr().err.removeprefix("advisor: ").startswith(expected)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link(path: Path) -> None:
    path.symlink_to("../r1.cfg")


def raw(path: Path) -> None:
    path.write_bytes(b"id = '\xff'")


def files(path: Path) -> None:
    for number in range(31):
        path.with_name(f"{number}.txt").touch()


def cards(path: Path) -> None:
    for number in range(11):
        text = CARD.replace("ACM009", f"ACM0{number:02}").replace("a-rule", f"a-rule-{number}")
        path.with_name(f"{number}.toml").write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (pipe, "site/a.toml: cannot be read: is not a regular file"),
        (device, "site/a.toml: cannot be read: is a link, which is not followed"),
        (link, "site/a.toml: cannot be read: is a link, which is not followed"),
        (raw, "site/a.toml: is not UTF-8 at byte 6"),
        (files, "site: holds more than 30 files: is it a folder of rules?"),
        (cards, "--rules: site holds more than 10 cards"),
    ],
)
def test_a_card_that_is_no_file_of_its_folder_is_refused_at_once(
    make: Callable[[Path], None], expected: str, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_rules, "_MOST_FILES", 30)
    monkeypatch.setattr(own_rules, "_MOST_CARDS", 10)
    make(Path("site/a.toml"))
    assert run(["lint", "r1.cfg", "--rules", "site"]) == 2
    assert capsys.readouterr().err.removeprefix("advisor: ").startswith(expected)


def test_a_message_quotes_some_of_many_lines(capsys: Said) -> None:
    write("a.toml", CARD.partition("[declared]")[0] + "[declared]\nmust_not = ['username *']\n")
    lines = "".join(f"username u{number} privilege 1\n" for number in range(30))
    Path("r1.cfg").write_text(f"version 15.1\nhostname r1\n{lines}end\n", "utf-8")
    run(["lint", "r1.cfg", "--rules", "site", "--select", "ACM009", "--format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["message"].count("`") == 20
    assert finding["message"].endswith(", 20 more")
    assert len(finding["locations"]) == 30


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("x = (\n", "site/a_rule.py:1: '(' was never closed"),
        ("\nimport no_such_module\n", "site/a_rule.py:2: ModuleNotFoundError: "),
        ("\n\n1 / 0\n", "site/a_rule.py:3: ZeroDivisionError: "),
        ("CHECK = 3\n", "site/a_rule.py: holds no CHECK"),
        (None, "site/a.toml check: no check is called 'a-rule', and there is no a_rule.py"),
        ("\nraise SystemExit(0)\n", "site/a_rule.py:2: SystemExit: 0"),
        ("x = '\0'\n", "site/a_rule.py:1: source code string cannot contain null bytes"),
        (CHECK.replace("Check(NoParams", "Check(dict"), "site/a_rule.py: params of its CHECK is"),
        (CHECK.replace("NoParams, Evidence", "NoParams, dict"), "site/a_rule.py: evidence of its"),
        (
            CHECK.replace(", find)", ", None)"),
            "site/a_rule.py: find of its CHECK is not a function",
        ),
        (CHECK.replace(", find)", ", find, 3)"), "site/a_rule.py: measure of its CHECK is not"),
        (
            CHECK.replace(", find)", ", find, wants='show version')"),
            "site/a_rule.py: wants of its CHECK is not a tuple of commands",
        ),
    ],
)
def test_a_check_that_cannot_be_used_is_refused(
    check: str | None, expected: str, capsys: Said
) -> None:
    write("a.toml", PYTHON_CARD)
    if check is not None:
        write("a_rule.py", check.replace("{body}", "yield"))
    assert run(["lint", "r1.cfg", "--rules", "site"]) == 2
    assert capsys.readouterr().err.removeprefix("advisor: ").startswith(expected)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("yield 1 / 0", "ZeroDivisionError at site/a_rule.py:11"),
        ("yield 3", "int in place of Hit or Skip at site/a_rule.py"),
        ("return 3", "TypeError at site/a_rule.py"),
        ("raise SystemExit(0)", "SystemExit at site/a_rule.py:11"),
        ("raise GeneratorExit", "GeneratorExit at site/a_rule.py:11"),
        ("while True: yield Skip('a', 'b')", "more than 100000 hits at site/a_rule.py"),
        ("yield Skip(1, 'b')", "object is int, not str at site/a_rule.py"),
        (hit(OBJECT="5"), "object is int, not str at site/a_rule.py"),
        (hit().replace("()", "None"), "at is no tuple of Location at site/a_rule.py"),
        (hit().replace("()", "(1,)"), "at is no tuple of Location at site/a_rule.py"),
        (hit(EVIDENCE="3"), "evidence is int, not Evidence at site/a_rule"),
        (
            hit(EVIDENCE="Evidence(object(), 1, 2)"),
            "evidence holds what is no text, number, tuple or Struct at site/a_rule.py",
        ),
        (hit().replace("Confidence.CERTAIN", "7"), "confidence is int, not Confidence at "),
    ],
)
def test_a_check_that_fails_costs_its_own_verdict_alone(body: str, said: str, capsys: Said) -> None:
    write("a.toml", PYTHON_CARD)
    write("a_rule.py", CHECK.format(body=body))
    Path("r1.cfg").write_text(CONFIG.replace("ppp", "ppp\n service-policy output X"), "utf-8")
    assert run(["lint", "r1.cfg", "--rules", "site", "--format", "json"]) == 4
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert any("r1.cfg: rule ACM009: its check failed" in why for why in report["incomplete"])
    assert said in out
    assert "REF001" in {each["rule"] for each in report["findings"]}
    assert "defects of advisor" not in err


@pytest.mark.parametrize("again", ["site", "./site/../site"])
def test_a_folder_that_settings_and_the_command_line_name_is_one(again: str, capsys: Said) -> None:
    write("a.toml", PYTHON_CARD)
    write("a_rule.py", CHECK.format(body=hit()))
    Path("advisor.toml").write_text("rule-dirs = ['site', 'site']", encoding="utf-8")
    lines = found(capsys, CONFIG, "--rules", "site", "--rules", again, "--select", "ACM009")
    assert len(lines) == 1


def test_what_a_check_prints_is_masked_and_spoils_no_report(capsys: Said) -> None:
    write("a.toml", PYTHON_CARD)
    write("a_rule.py", CHECK.format(body="print('snmp-server community s3cret RO')\n    " + hit()))
    run(["lint", "r1.cfg", "--rules", "site", "--format", "json"])
    out, err = capsys.readouterr()
    assert json.loads(out)["findings"]
    assert "snmp-server community <removed>" in err
    assert "s3cret" not in out + err


def test_python_of_a_folder_that_found_settings_name_is_not_run(capsys: Said) -> None:
    write("a.toml", PYTHON_CARD)
    write("a_rule.py", "from pathlib import Path\nPath('ran').touch()\n" + CHECK.format(body=hit()))
    Path("advisor.toml").write_text("rule-dirs = ['site']\n", encoding="utf-8")
    assert run(["lint", "r1.cfg"]) == 2
    assert "so it loads no rules, templates or Python; name the folder" in capsys.readouterr().err
    assert not Path("ran").exists()
    assert run(["lint", "r1.cfg", "--config", "advisor.toml", "--fail-on", "never"]) == 0
    assert Path("ran").exists()


def test_rules_of_a_folder_that_named_settings_name_judge(capsys: Said) -> None:
    write("a.toml", CARD)
    Path("advisor.toml").write_text("rule-dirs = ['site']\n", encoding="utf-8")
    named = ["--config", "advisor.toml", "--select", "ACM009", "--format", "concise"]
    run(["lint", "r1.cfg", *named])
    assert "ACM009 a-rule" in capsys.readouterr().out


TEMPLATE = "templates/remedy/a-rule.j2"
CURABLE = CARD.replace('no_remedy = "by hand"', 'remedy = "a-rule.j2"\nlevel = "safe"').replace(
    "datetime*", "datetime"
)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ missing[0] }}", "service timestamps log datetime"),
        ("{{ nothing }}", "the template fails: site/templates/remedy/a-rule.j2:1: 'nothing' is un"),
        (
            "\n{{ section.__class__.__mro__ }}",
            "the template fails: site/templates/remedy/a-rule.j2:",
        ),
        ("ip cef", "ACM009 is still found on configuration"),
        ("no hostname", "ACM009 is still found"),
    ],
)
def test_lines_of_a_template_are_proven_or_not_printed(
    template: str, expected: str, capsys: Said
) -> None:
    write("a.toml", CURABLE)
    write(TEMPLATE, template)
    run(["lint", "r1.cfg", "--rules", "site", "--select", "ACM009", "--format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    remedy = finding["remedy"]
    assert expected in "; ".join([*remedy["lines"], remedy["advice"] or ""])


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (TEMPLATE, "{% if %}", "site/templates/remedy/a-rule.j2:1: Expected an expression"),
        (
            "templates/remedy/tx-ring-limt.j2",
            "x",
            "no card asks for it, and it replaces no built-in one",
        ),
        (
            "templates/remedy/shared/attach.j2",
            "x",
            "no card asks for it, and it replaces no built-in one",
        ),
        ("templates/design/edge.j2", "x", "no card asks for it, and it replaces no built-in one"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused(
    name: str, text: str, expected: str, capsys: Said
) -> None:
    write("a.toml", CURABLE)
    write(TEMPLATE, "{{ missing[0] }}")
    write(name, text)
    assert run(["lint", "r1.cfg", "--rules", "site"]) == 2
    assert expected in capsys.readouterr().err


RING = """\
version 15.1
hostname r1
policy-map WAN
 class class-default
  fair-queue
 class VOICE
  priority 128
class-map match-all VOICE
 match ip dscp ef
interface Serial0/0
 bandwidth 512
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 10
 service-policy output WAN
end
"""


@pytest.mark.parametrize(
    ("template", "lines"),
    [
        (
            "interface {{ place.interface }}\n tx-ring-limit {{ advised }}\n load-interval 30\n",
            ["interface Serial0/0", " tx-ring-limit 1", " load-interval 30"],
        ),
        ("interface {{ place.interface }}\n load-interval 30\n", []),
    ],
)
def test_a_template_of_a_site_replaces_ours_and_is_proven(
    template: str, lines: list[str], capsys: Said
) -> None:
    Path("r1.cfg").write_text(RING, encoding="utf-8")
    write("templates/remedy/tx-ring-limit.j2", template)
    run(["lint", "r1.cfg", "--rules", "site", "--select", "TXR001", "--format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["remedy"]["lines"] == lines


@pytest.mark.parametrize(
    ("header", "code", "expected"),
    [
        ("! {{ device }}", 0, "! r1\n"),
        ("conf t", 2, "snippet/header.j2: 'conf t' is no comment"),
        ("! {{ nobody }}", 2, "header.j2:1: 'nobody' is undefined"),
    ],
)
def test_a_header_is_comments_alone(header: str, code: int, expected: str, capsys: Said) -> None:
    Path("r1.cfg").write_text(RING, encoding="utf-8")
    write("templates/snippet/header.j2", header)
    assert run(["fix", "r1.cfg", "--rules", "site"]) == code
    said = capsys.readouterr()
    assert expected in said.out + said.err


def test_a_folder_without_rules_is_refused(capsys: Said) -> None:
    assert run(["lint", "r1.cfg", "--rules", "site"]) == 2
    assert "--rules: site holds no card and no template" in capsys.readouterr().err
    assert run(["lint", "r1.cfg", "--rules", "sit"]) == 2
    assert "--rules: sit is no folder" in capsys.readouterr().err


def test_a_rule_of_a_user_is_looked_at_on_interfaces_that_are_alike(capsys: Said) -> None:
    write(
        "a.toml",
        CARD.partition("[declared]")[0]
        + "[declared]\nsection = 'interface Serial0/7'\nmust = ['no cdp enable']\n",
    )
    alike = "".join(f"interface Serial0/{number}\n bandwidth 512\n" for number in range(12))
    objects = found(capsys, f"version 12.4\nhostname r1\n{alike}end\n")
    assert objects == ["interface Serial0/7"]


class TestNewRules:
    @pytest.mark.parametrize("kind", [["--declared"], []])
    def test_what_is_written_passes(self, kind: list[str], capsys: Said) -> None:
        assert run(["rules", "new", "ACM003-a-new-rule", "--rules", "new", *kind]) == 0
        assert run(["rules", "test", "--rules", "new"]) == 0
        assert "ok    ACM003" in capsys.readouterr().out

    def test_its_test_passes_with_pytest(self) -> None:
        run(["rules", "new", "ACM003-a-new-rule", "--rules", "new"])
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "new"]
        done = subprocess.run(  # noqa: S603
            command,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert "1 passed" in done.stdout

    @pytest.mark.parametrize(
        ("title", "expected"),
        [
            ("a-rule", "write it like X001-no-cdp-on-wan"),
            ("TXR001-mine", "is ours"),
            ("X001-tx-ring-too-deep-for-llq", "is ours"),
            ("../X001-a", "write it like"),
        ],
    )
    def test_a_name_that_cannot_be_is_refused(
        self, title: str, expected: str, capsys: Said
    ) -> None:
        assert run(["rules", "new", title]) == 2
        assert expected in capsys.readouterr().err

    def test_a_file_that_exists_stays(self, capsys: Said) -> None:
        run(["rules", "new", "ACM003-a-new-rule", "--rules", "new"])
        Path("new/a_new_rule.py").write_text("mine", encoding="utf-8")
        assert run(["rules", "new", "ACM003-a-new-rule", "--rules", "new"]) == 2
        assert "exists" in capsys.readouterr().err
        assert Path("new/a_new_rule.py").read_text("utf-8") == "mine"


def test_a_failing_example_is_named(capsys: Said) -> None:
    run(["rules", "new", "ACM003-a-new-rule", "--rules", "new", "--declared"])
    card = Path("new/ACM003-a-new-rule.toml")
    card.write_text(card.read_text("utf-8").replace("Serial*", "Ethernet*"), encoding="utf-8")
    assert run(["rules", "test", "--rules", "new"]) == 1
    assert "bad must be found once, is found 0 times" in capsys.readouterr().out
    assert broken_promises(Path("new"))[0].startswith("ACM003: example 1: bad must be found once")


def test_broken_rules_are_raised() -> None:
    with pytest.raises(AdvisorError, match="holds no card"):
        broken_promises(Path("site"))


@pytest.mark.parametrize("command", shown("commands").splitlines())
def test_a_command_of_the_page_runs(command: str) -> None:
    run(["rules", "new", "ACM003-no-cdp-here", "--rules", "site-rules", "--declared"])
    _, *arguments = command.split()
    if arguments[:2] == ["rules", "new"]:
        Path("site-rules").rename("elsewhere")
    assert run(arguments) == 0


def test_the_declaration_of_the_page_is_one(capsys: Said) -> None:
    write("a.toml", CARD.partition("[declared]")[0] + shown("declared"))
    text = "policy-map A\n class V\n  priority 8\n  fair-queue 16\nend\n"
    assert found(capsys, f"version 12.4\nhostname r1\n{text}") == ["policy-map A > class V"]
