"""Settings of single rules, of devices and of profiles: what is in force, and what is refused."""

import shutil
from pathlib import Path
from textwrap import dedent

import pytest

from advisor.cli import run
from advisor.lint.cards import is_selected
from advisor.lint.rulebook import SelectionError, of_device, resolved, rules_of
from advisor.report.settings_text import render
from advisor.settings import Flags, Settings, SettingsError
from advisor.settings.file import load_settings

ROOT = Path(__file__).parents[1] / "docs/examples/rules"
EDGE = """\
version 15.1
hostname {name}
policy-map WAN
 class class-default
  fair-queue
 class VOICE
  priority 128
class-map match-all VOICE
 match ip dscp ef
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 10
 service-policy output WAN
end
"""
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("br-1", "hub"):
        Path(f"{name}.cfg").write_text(EDGE.format(name=name), encoding="utf-8")
    return tmp_path


def stated(text: str) -> Settings:
    Path("advisor.toml").write_text(text, encoding="utf-8")
    return load_settings(Path.cwd())


def concise(capsys: Said, *arguments: str) -> list[str]:
    run(["lint", "br-1.cfg", "hub.cfg", "--format", "concise", "-q", *arguments])
    return [line for line in capsys.readouterr().out.splitlines() if "TXR001" in line]


@pytest.mark.parametrize(
    ("text", "device", "name", "expected"),
    [
        ("[budgets]\nring_wait_ms = 30", "br-1", "ring_wait_ms", 30.0),
        (
            "[[override]]\ndevice = 'br-*'\n[override.budgets]\nring_wait_ms = 30",
            "br-1",
            "ring_wait_ms",
            30.0,
        ),
        (
            "[[override]]\ndevice = 'br-*'\n[override.budgets]\nring_wait_ms = 30",
            "hub",
            "ring_wait_ms",
            25.0,
        ),
        ("[[override]]\ndevice = 'br-*'\nprofile = 'data'", "br-1", "ring_wait_ms", 50.0),
        (
            (
                "[[override]]\ndevice = 'br-*'\nprofile = 'data'\n"
                "[[override]]\ndevice = '*-1'\nprofile = 'strict'"
            ),
            "br-1",
            "ring_wait_ms",
            21.0,
        ),
        (
            (
                "profile = 'branch'\n[profiles.branch]\nextends = 'strict'\n"
                "[profiles.branch.budgets]\njitter_ms = 7"
            ),
            "br-1",
            "jitter_ms",
            7.0,
        ),
        (
            (
                "profile = 'branch'\n[profiles.branch]\nextends = 'strict'\n"
                "[profiles.branch.budgets]\njitter_ms = 7"
            ),
            "br-1",
            "ring_wait_ms",
            21.0,
        ),
        (
            (
                "profile = 'b'\n[profiles.a]\nextends = 'data'\n[profiles.a.budgets]\nrtt_ms = 70\n"
                "[profiles.b]\nextends = 'a'"
            ),
            "br-1",
            "rtt_ms",
            70.0,
        ),
        (
            "profile = 'b'\n[profiles.b]\n[profiles.b.budgets]\nrtt_ms = 70\n[budgets]\nrtt_ms = 80",
            "br-1",
            "rtt_ms",
            80.0,
        ),
    ],
)
def test_the_last_layer_that_states_a_budget_wins(
    text: str, device: str, name: str, expected: float
) -> None:
    settings = stated(text)
    _, own = of_device(rules_of(settings), settings, device)
    assert getattr(own.budgets, name) == expected


def test_the_profile_of_the_flag_wins_over_that_of_an_override() -> None:
    Path("advisor.toml").write_text("[[override]]\ndevice = '*'\nprofile = 'data'\n", "utf-8")
    settings = load_settings(Path.cwd(), Flags(profile="strict"))
    _, own = of_device(rules_of(settings), settings, "br-1")
    assert own.budgets.ring_wait_ms == 21.0


@pytest.mark.parametrize(
    ("text", "severities"),
    [
        ("[rules.TXR001]\nseverity = 'info'", ["info", "info"]),
        ("[rules.tx-ring-too-deep-for-llq]\nseverity = 'error'", ["error", "error"]),
        ("[rules.TXR]\nseverity = 'info'", ["info", "info"]),
        ("[rules.TXR001]\nseverity = 'error'\n[rules.TXR]\nseverity = 'info'", ["error", "error"]),
        (
            "[[override]]\ndevice = 'br-*'\n[override.rules.TXR001]\nseverity = 'info'",
            ["info", "warning"],
        ),
        ("[rules.TXR001]\nenabled = false", []),
        ("[[override]]\ndevice = 'br-*'\n[override.rules.TXR001]\nenabled = false", ["warning"]),
        (
            (
                "[rules.TXR001]\nenabled = false\n"
                "[[override]]\ndevice = 'hub'\n[override.rules.TXR001]\nenabled = true"
            ),
            ["warning"],
        ),
        ("[[override]]\ndevice = 'br-*'\nignore = ['TXR']", ["warning"]),
        ("[[override]]\ndevice = 'br-*'\nselect = ['REF']", ["warning"]),
        ("[rules.TXR001]\nring_wait_ms = 1000", []),
        (
            "[[override]]\ndevice = 'br-*'\n[override.rules.TXR001]\nring_wait_ms = 1000",
            ["warning"],
        ),
    ],
)
def test_findings_follow_the_settings_of_rules_and_devices(
    text: str, severities: list[str], capsys: Said
) -> None:
    Path("advisor.toml").write_text(text, encoding="utf-8")
    found = sorted(concise(capsys), key=lambda line: line.partition(":")[0])
    assert [line.split()[1] for line in found] == severities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "\n[rules.WRD001]\ntarget = 3",
            "advisor.toml:3: [rules.WRD001] unknown key target; ",
        ),
        ("[rules.TXR01]\nseverity = 'info'", "advisor.toml:2: [rules.TXR01] names no rule; did "),
        (
            "[rules.TXR001]\nseverity = 'warn'",
            "advisor.toml:2: [rules.TXR001] severity: unknown 'warn'; did you mean warning?",
        ),
        (
            "[rules.TXR001]\nenabled = 'no'",
            "advisor.toml:2: [rules.TXR001] enabled: expected true or false",
        ),
        (
            "[rules.TXR001]\nring_wait_ms = 'long'",
            "advisor.toml:2: [rules.TXR001] ring_wait_ms: expected a number, got text",
        ),
        (
            "[rules.TXR001]\nring_wait_ms = -1",
            "advisor.toml:2: [rules.TXR001] ring_wait_ms: expected a number from 0 upwards",
        ),
        (
            "[rules.TXR]\nring_wait_ms = 20",
            "advisor.toml:2: [rules.TXR] ring_wait_ms is of one rule, and ",
        ),
        ("[rules]\nTXR001 = 'off'", "advisor.toml:2: [rules] TXR001: expected a table, [rules."),
        (
            "[[override]]\ndevice = 'x'\n[override.rules.TXR001]\nsevrity = 'info'",
            "advisor.toml:4: [rules.TXR001] unknown key sevrity; did you mean severity?",
        ),
        ("[[override]]\nprofile = 'data'", "advisor.toml:1: [[override]] device is missing"),
        (
            "[[override]]\ndevice = 'x'\nprofle = 'data'",
            "advisor.toml:3: [[override]] unknown key profle; did you mean profile?",
        ),
        (
            "[[override]]\ndevice = 'x'\nprofile = 'dat'",
            "advisor.toml:3: [[override]] profile: unknown 'dat'; did you mean data?",
        ),
        (
            "[[override]]\ndevice = 'x'\n[override.budgets]\nring_wait = 3",
            "advisor.toml:4: [[override.budgets]] unknown key ring_wait; did you mean ring_wait_ms?",
        ),
        ("[profiles.voice]\n", "advisor.toml:1: [profiles] voice is a built-in profile: "),
        (
            "[profiles.a]\nextends = 'voce'",
            "advisor.toml:2: [profiles.a] extends: unknown 'voce'; did you mean voice?",
        ),
        (
            "[profiles.a]\nextends = 'b'\n[profiles.b]\nextends = 'a'",
            "advisor.toml:2: [profiles.a] extends: a extends itself",
        ),
        (
            "[profiles.a]\nextend = 'voice'",
            "advisor.toml:2: [profiles.a] unknown key extend; did you mean extends?",
        ),
        ("[rules.'']\nseverity = 'info'", "advisor.toml:2: [rules.] names no rule; "),
        ("\n[site]\nticket = 42", "advisor.toml:3: [site] ticket: expected text, got a whole "),
        ("[platforms]\n'br-*' = 2811", "advisor.toml:2: [platforms] br-*: expected text, got a "),
        (
            "# \u2028\n[rules.TXR001]\nseverity = 'warn'",
            "advisor.toml:3: [rules.TXR001] severity: unknown 'warn'; did you mean warning?",
        ),
        (
            '[profiles."a \\"b\\""]\nextend = "voice"',
            'advisor.toml:2: [profiles.a "b"] unknown key extend; did you mean extends?',
        ),
        ("profile = 'brnch'\n[profiles.branch]", "advisor.toml:1: profile: unknown 'brnch'; did "),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place_and_the_nearest_word(
    text: str, expected: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        rules_of(stated(text))
    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ignore = ['all']", "advisor.toml:1 ignore: no rule is left to run"),
        (
            "[[override]]\ndevice = 'x'\nignore = ['all']",
            "advisor.toml:1: [[override]]: no rule is left to run",
        ),
        (
            "[[override]]\ndevice = 'x'\nignore = ['TXX001']",
            "advisor.toml:3 ignore: no rule 'TXX001'; did you mean TXR001?",
        ),
        ("ignore = ['']", "advisor.toml:1 ignore: no rule ''; `advisor rules list` shows all"),
        (
            "select = ['TXR001']\n[rules.TXR001]\nenabled = false",
            "advisor.toml:3: no rule is left to run",
        ),
    ],
)
def test_a_selection_that_leaves_no_rule_is_refused(text: str, expected: str) -> None:
    settings = stated(text)
    with pytest.raises(SelectionError) as caught:
        resolved(rules_of(settings), settings)
    assert str(caught.value) == expected


STATED = """\
profile = "a \\"b\\""
ignore = ["LLQ013"]
[profiles."a \\"b\\""]
extends = "data"
select = ["TXR", "REF"]
[profiles."a \\"b\\"".budgets]
ring_wait_ms = 33
[profiles."a \\"b\\"".rules.TXR]
severity = "info"
[budgets]
jitter_ms = 44
[rules.WRD001]
target_ms = 50
[[override]]
device = "hub-[ab]*"
profile = "strict"
[override.rules.DLS]
enabled = false
[site]
ticket = "a \\u001b \\"b\\""
[[suppress]]
rule = ["TXR001", "LFI"]
device = "br-[1]"
object = "interface Serial0/0"
reason = "a \\"b\\""
until = 2099-01-01
"""


@pytest.mark.parametrize("device", ["br-1", "hub-a"])
def test_what_config_show_prints_holds_the_same_for_each_device(device: str) -> None:
    settings = stated(STATED)
    again = stated(render(settings))
    (rules, before), (read, after) = (
        of_device(rules_of(each), each, device) for each in (settings, again)
    )
    assert [(each.severity, each.is_on, each.params) for each in rules] == [
        (each.severity, each.is_on, each.params) for each in read
    ]
    for key in ("profile", "select", "ignore", "budgets", "site"):
        assert getattr(before, key) == getattr(after, key)
    assert [
        (each.rules, each.device, each.object, each.reason, each.until) for each in before.suppress
    ] == [
        (each.rules, each.device, each.object, each.reason, each.until) for each in after.suppress
    ]


def test_config_show_names_the_folders_of_rules(capsys: Said) -> None:
    Path("site").mkdir()
    Path("site/a.toml").write_text((ROOT / "ACM001-cdp-on-wan.toml").read_text("utf-8"), "utf-8")
    shutil.copytree(ROOT / "templates/remedy", "site/templates/remedy")
    Path("site/templates/remedy/load-interval-too-long.j2").unlink()
    Path("advisor.toml").write_text(
        "rule-dirs = ['site']\n[rules.ACM001]\nseverity = 'info'", "utf-8"
    )
    assert run(["config", "show", "--config", "advisor.toml"]) == 0
    shown = capsys.readouterr().out
    Path("shown.toml").write_text(shown, "utf-8")
    settings = load_settings(Path.cwd(), Flags(config=Path("shown.toml")))
    assert [folder.path for folder in settings.rule_folders] == [Path("site")]


def test_a_selection_of_an_override_leaves_the_others_alone() -> None:
    settings = stated("[[override]]\ndevice = 'br-*'\nselect = ['REF']")
    rules = rules_of(settings)
    settings = resolved(rules, settings)
    assert all(is_selected(rule, settings) for rule in rules)


class TestConfigShow:
    TEXT = (
        "profile = 'branch'\n[profiles.branch]\nextends = 'strict'\n"
        "[profiles.branch.budgets]\njitter_ms = 7\n"
        "[rules.WRD001]\nseverity = 'info'\n"
        "[[override]]\ndevice = 'br-*'\nprofile = 'data'\n[override.rules.WRD001]\nenabled = false\n"
    )

    def shown(self, capsys: Said, *arguments: str) -> str:
        Path("advisor.toml").write_text(self.TEXT, encoding="utf-8")
        assert run(["config", "show", *arguments]) == 0
        return capsys.readouterr().out

    @pytest.mark.parametrize(
        "line",
        [
            'profile = "branch"  # advisor.toml:1',
            "# jitter_ms = 7.0  # advisor.toml:5",
            "# ring_wait_ms = 21.0  # profile strict",
            'fail-on = "warning"  # built-in',
            'severity = "info"  # advisor.toml:7',
            "[[override]]  # advisor.toml:8",
        ],
    )
    def test_says_where_a_value_comes_from(self, line: str, capsys: Said) -> None:
        assert line in self.shown(capsys).splitlines()

    @pytest.mark.parametrize(
        "line",
        [
            'profile = "data"  # advisor.toml:8',
            "ring_wait_ms = 50.0  # profile data",
            "enabled = false  # advisor.toml:12",
        ],
    )
    def test_shows_what_holds_for_a_device(self, line: str, capsys: Said) -> None:
        assert line in self.shown(capsys, "--device", "br-7").splitlines()

    def test_shows_every_parameter_of_every_rule(self, capsys: Said) -> None:
        shown = self.shown(capsys, "--verbose", "--device", "br-7")
        assert '# severity = "info", enabled = false' in shown
        assert "# priority_share_percent = 33.0" in shown

    def test_what_it_shows_is_read_as_the_same_settings(self, capsys: Said) -> None:
        before = stated(self.TEXT)
        after = stated(self.shown(capsys))
        assert (after.budgets, after.profile) == (before.budgets, before.profile)
        devices = [rules_of(settings) for settings in (before, after)]
        assert devices[0] == devices[1]


class TestDevices:
    def test_only_devices_of_the_name_are_reported(self, capsys: Said) -> None:
        assert [line[:4] for line in concise(capsys, "--device", "br-*")] == ["br-1"]

    def test_a_name_of_no_device_is_wrong_use_with_the_nearest(self, capsys: Said) -> None:
        assert run(["lint", "br-1.cfg", "--device", "br-2"]) == 2
        said = capsys.readouterr().err
        assert "--device br-2: no device of the run; did you mean br-1?" in said

    def test_only_plans_of_its_devices_are_printed(self, capsys: Said) -> None:
        run(["fix", "br-1.cfg", "hub.cfg", "--device", "hub"])
        shown = capsys.readouterr().out
        assert "hub" in shown
        assert "br-1" not in shown

    def test_a_baseline_is_compared_for_its_devices(self, capsys: Said) -> None:
        run(["baseline", "br-1.cfg", "hub.cfg", "--out", "known.json"])
        capsys.readouterr()
        code = run(["diff", "known.json", "hub.cfg", "--device", "hub"])
        assert (code, "br-1" in capsys.readouterr().out) == (0, False)

    def test_a_name_of_no_device_of_two_states_is_wrong_use(self, capsys: Said) -> None:
        assert run(["diff", "br-1.cfg", "hub.cfg", "--device", "br-2"]) == 2
        assert "--device br-2: no device of the run" in capsys.readouterr().err

    def test_a_name_of_no_device_of_a_baseline_and_of_now_is_wrong_use(self, capsys: Said) -> None:
        run(["baseline", "br-1.cfg", "hub.cfg", "--out", "known.json"])
        assert run(["diff", "known.json", "hub.cfg", "--device", "br-2"]) == 2
        assert "--device br-2: no device of the run" in capsys.readouterr().err

    def test_a_device_of_one_of_two_states_is_compared(self) -> None:
        assert run(["diff", "br-1.cfg", "hub.cfg", "--device", "br-1"]) == 0

    def test_inspect_shows_its_devices(self, capsys: Said) -> None:
        assert run(["inspect", "br-1.cfg", "hub.cfg", "--device", "hub"]) == 0
        assert "br-1" not in capsys.readouterr().out


class TestPage:
    """docs/settings.md shows what holds."""

    PAGE = (Path(__file__).parents[1] / "docs/settings.md").read_text("utf-8")

    def shown(self, name: str) -> str:
        block = self.PAGE.partition(f"<!-- {name} -->\n")[2].partition("<!--")[0]
        return dedent(block)

    def test_its_settings_are_in_force_for_their_devices(self) -> None:
        settings = stated(self.shown("settings"))
        rules = rules_of(settings)
        settings = resolved(rules, settings)
        of_hub, hub = of_device(rules, settings, "hub-1")
        assert (settings.budgets.jitter_ms, hub.budgets.jitter_ms) == (40.0, 20.0)
        assert [rule.is_on for rule in rules if rule.card.id == "DLS003"] == [False]
        assert [rule.is_on for rule in of_hub if rule.card.id == "DLS003"] == [True]

    def test_its_command_prints_what_it_shows(self, capsys: Said) -> None:
        Path("advisor.toml").write_text(self.shown("settings"), encoding="utf-8")
        _, *arguments = self.shown("command").split()
        assert run(arguments) == 0
        assert self.shown("shows").rstrip() in capsys.readouterr().out
