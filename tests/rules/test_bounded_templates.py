"""A template of a user ends within its bounds, and reads nothing outside of its folder."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from advisor.cli import run
from advisor.ground.assets import asset_dir
from advisor.lint import template_process
from advisor.lint.cards import load_rules
from advisor.lint.judge import judge
from advisor.lint.sandbox import TemplateLimits
from advisor.lint.site import (
    SiteTemplate,
    SiteTemplates,
    TemplateBoundError,
    TemplateFaultError,
    checked,
    filled_lines,
    remedy_lines,
    site_commands,
)
from advisor.lint.template_process import FILLER
from advisor.settings import Settings
from advisor.settings.file import settings_of_text
from tests.support.devices import device_read

pytestmark = pytest.mark.slow

Said = pytest.CaptureFixture[str]
QUICK = TemplateLimits(cpu_s=0.15, run_s=60, clock_s=5, memory_bytes=64 * 2**20)

TOO_LONG = "takes more than 0.15 s of processor time"
TOO_LARGE = "takes more than 64 MB of memory"
TOO_DEEP = "is nested too deeply, or includes or calls itself"
ATTACKS = {
    "nested loops": ("\n" + "{% for a in range(99999) %}" * 4 + "{% endfor %}" * 4, 2, TOO_LONG),
    "filters in filters": (
        "{% for a in range(99999) %}{{ range(99999) | map('string') | unique | max }}{% endfor %}",
        1,
        TOO_LONG,
    ),
    "a list that is sorted again and again": (
        "{% for a in range(99999) %}{% set b = range(99999) | sort | list %}{% endfor %}",
        1,
        TOO_LONG,
    ),
    "a search in a list that is searched": (
        "{% set a = range(99999) | list %}{% for b in a %}{% if -1 in a %}x{% endif %}{% endfor %}",
        None,
        TOO_LONG,
    ),
    "a width of format": ('\n\n{{ "{:>900000000}".format(1) }}', 3, TOO_LARGE),
    "a width of a filter": ("{{ '%900000000d' | format(1) }}", 1, TOO_LARGE),
    "a width of a remainder": ("{{ '%900000000d' % 1 }}", 1, TOO_LARGE),
    "a width of center": ("{{ 'x'.center(900000000) }}", 1, TOO_LARGE),
    "zeros": ("{{ 'x'.zfill(900000000) }}", 1, TOO_LARGE),
    "tabs": ("{{ ('\\t' * 9999).expandtabs(99999) }}", 1, TOO_LARGE),
    "text that doubles": (
        ("{% set n = namespace(x='x' * 999) %}\n"
        "{% for a in range(40) %}{% set n.x = n.x ~ n.x %}{% endfor %}"),
        2,
        "",
    ),
    "lists that double": (
        "{% set n = namespace(x=[1]) %}{% for a in range(40) %}{% set n.x = n.x + n.x %}{% endfor %}",
        1,
        TOO_LARGE,
    ),
    "replaced text": (
        "{% set x = 'x' * 9999 %}{{ x.replace('x', x).replace('x', 'xx') }}",
        1,
        TOO_LARGE,
    ),
    "joined text": ("{{ range(99999) | join('x' * 9999) }}", 1, TOO_LARGE),
    "numbers that are squared": (
        "{% set n = namespace(x=99) %}{% for a in range(99) %}{% set n.x = n.x * n.x %}{% endfor %}",
        1,
        "",
    ),
    "a power": ("{{ 9 ** 999999999 }}", 1, "a product or a power makes too much"),
    "a product": ("{{ 'x' * 999999999 }}", 1, "a product or a power makes too much"),
    "a product of a list": ("{{ [1] * 999999999 }}", 1, "a product or a power makes too much"),
    "much text": (
        "{% for a in range(99999) %}xxxxxxxxxx{% endfor %}",
        None,
        "makes more than 100000 characters",
    ),
    "many lines": (
        "{% for a in range(2000) %}x\n{% endfor %}",
        None,
        "makes more than 1000 lines",
    ),
    "a macro that calls itself": ("{% macro m() %}{{ m() }}{% endmacro %}\n{{ m() }}", None, TOO_DEEP),
    "a template that includes itself": ("\n{% include 'SELF' %}", None, TOO_DEEP),
    "a template that extends itself": ("{% extends 'SELF' %}", None, TOO_DEEP),
    "a loop that calls itself": (
        "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
        None,
        TOO_DEEP,
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> TemplateLimits:
    monkeypatch.setattr(template_process, "LIMITS", QUICK)
    return QUICK


@pytest.fixture(scope="module", autouse=True)
def _process() -> Iterator[None]:
    yield
    FILLER.end()


CARD = """\
id       = "ACM009"
name     = "a-rule"
severity = "warning"
title    = "A title"
message  = "{section}: {absent}, {present}"
why      = "Because."
remedy   = "a-rule.j2"
level    = "safe"

[declared]
must = ["service timestamps log datetime"]

[[example]]
bad = "version 15.1\\nhostname R1\\nend\\n"
remedy = "service timestamps log datetime"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("r1.cfg", "version 15.1\nhostname r1\nend\n")


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, "utf-8")


def site(text: str, *more: SiteTemplate) -> SiteTemplates:
    return SiteTemplates((SiteTemplate("remedy/x.j2", "mine/x.j2", text), *more))


ALL = SiteTemplates(
    tuple(
        SiteTemplate(
            f"remedy/{name}.j2", f"mine/{name}.j2", text.replace("SELF", f"remedy/{name}.j2")
        )
        for name, (text, _, _) in ATTACKS.items()
    )
)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_template_meets_a_bound_that_is_named_with_file_and_line(name: str) -> None:
    _, line, bound = ATTACKS[name]
    with pytest.raises(TemplateBoundError) as error:
        filled_lines(ALL, f"remedy/{name}.j2", {})
    said = str(error.value)
    assert said.startswith(f"mine/{name}.j2:" + ("" if line is None else f"{line}: "))
    assert "process" not in said.removesuffix(TOO_LONG)
    assert said.endswith(bound)


def test_a_call_that_never_comes_back_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_process, "LIMITS", TemplateLimits(cpu_s=60, clock_s=0.3))
    own = site(ATTACKS["nested loops"][0])
    with pytest.raises(TemplateBoundError, match=r"^mine/x\.j2: takes more than 0\.3 s$"):
        filled_lines(own, "remedy/x.j2", {})
    assert filled_lines(site("hostname {{ name }}"), "remedy/x.j2", {"name": "R1"}) == (
        "hostname R1",
    )


def test_all_templates_of_a_run_have_a_bound_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        template_process, "LIMITS", TemplateLimits(cpu_s=1, run_s=0.1, each_s=0.001)
    )
    own = site("{% for a in range(99999) %}{% set b = a * 2 %}{% endfor %}")

    def all_of_a_run() -> list[object]:
        return [filled_lines(own, "remedy/x.j2", {}) for _ in range(20)]

    with pytest.raises(TemplateBoundError, match=r"the templates take more than 0\.1 s"):
        all_of_a_run()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", TOO_DEEP, id="brackets"),
        pytest.param("{% if 1 %}" * 3000 + "{% endif %}" * 3000, "", id="sections"),
        pytest.param("{{ 1" + " + 1" * 20000 + " }}", "", id="a sum"),
        pytest.param("{{ x" + ".x" * 40000 + " }}", "", id="a path"),
        pytest.param("{{ -" + "-" * 50000 + "1 }}", TOO_DEEP, id="signs"),
        pytest.param("{{ x }}" * 14000, TOO_LONG, id="many values"),
    ],
)
def test_a_template_that_does_not_compile_in_its_bounds_is_named(text: str, said: str) -> None:
    with pytest.raises((TemplateBoundError, TemplateFaultError)) as error:
        checked(site(text))
    assert str(error.value).startswith("mine/x.j2:")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ lipsum() }}", "'lipsum' is undefined"),
        ("{{ cycler(1) }}", "'cycler' is undefined"),
        ("{{ x | random }}", "No filter named 'random'"),
        ("{{ x | tojson }}", "No filter named 'tojson'"),
        ("{{ range(10 ** 1) }}", "a product or a power makes too much"),
        ("{{ range(1000000) }}", "Range too big"),
        ("{% include '/etc/passwd' %}", "/etc/passwd"),
        ("{% include '../../../etc/passwd' %}", "etc/passwd"),
        ("{% extends 'report/page.html.j2' %}", "report/page.html.j2"),
        ("{% import 'mine/x.j2' as x %}", "mine/x.j2"),
        ("{{ x.__class__ }}", "access to attribute '__class__'"),
        ("{{ ''.join.__self__ }}", "access to attribute '__self__'"),
        ("{{ '{0.__class__}'.format(x) }}", "access to attribute '__class__'"),
        ("{{ self.__init__.__globals__ }}", "access to attribute '__init__'"),
        ("{{ x.update({1: 2}) }}", "access to attribute 'update'"),
        ("{{ dict(a=1) }}", "'dict' is undefined"),
    ],
)
def test_what_no_template_of_commands_needs_is_not_there(text: str, said: str) -> None:
    with pytest.raises((TemplateFaultError, TemplateBoundError)) as error:
        filled_lines(site(text), "remedy/x.j2", {"x": {"a": 1}})
    assert str(error.value).startswith("mine/x.j2")
    assert said in str(error.value)


class Inner(Struct, frozen=True):
    """A part of evidence: a template names its fields and its properties."""

    interface: str
    items: tuple[int, ...] = (1, 2)

    @property
    def label(self) -> str:
        return f"{self.interface}!" if "!" in self.interface else self.interface.upper()


class Values(Struct, frozen=True):
    """Evidence of a check."""

    place: Inner
    kbps: int = 2**70
    ratio: float = 0.5
    absent: str | None = None


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "interface {{ place.interface }}\n mtu {{ place['items'][1] }}",
            ("interface s0", " mtu 2"),
        ),
        ("{% for each in place.items %}x {{ each }}\n{% endfor %}", ("x 1", "x 2")),
        ("x {{ place.label }} {{ kbps }} {{ '%g' | format(ratio) }}", (f"x S0 {2**70} 0.5",)),
        ("{% if absent is none %}x{% endif %}{{ '' if absent else 'y' }}", ("xy",)),
    ],
)
def test_evidence_is_in_the_other_process_what_it_is_here(
    text: str, lines: tuple[str, ...]
) -> None:
    assert site_commands(site(text), "remedy/x.j2", Values(Inner("s0"))) == lines


def linked_to(target: str) -> None:
    Path("site/templates/remedy").mkdir(parents=True)
    Path("site/templates/remedy/priority.j2").symlink_to(target)


def fifo(_: str) -> None:
    Path("site/templates/remedy").mkdir(parents=True)
    os.mkfifo("site/templates/remedy/priority.j2")


def folder(_: str) -> None:
    Path("site/templates/remedy/priority.j2").mkdir(parents=True)


def large(size: str) -> None:
    Path("site/templates/remedy").mkdir(parents=True)
    Path("site/templates/remedy/priority.j2").write_text("x" * int(size), "utf-8")


def linked_folder(_: str) -> None:
    Path("site/templates").mkdir(parents=True)
    Path("elsewhere").mkdir()
    Path("elsewhere/priority.j2").write_text("x", "utf-8")
    Path("site/templates/remedy").symlink_to(Path("elsewhere").absolute())


def all_linked(_: str) -> None:
    Path("site").mkdir()
    Path("elsewhere/remedy").mkdir(parents=True)
    Path("elsewhere/remedy/priority.j2").write_text("x", "utf-8")
    Path("site/templates").symlink_to("../elsewhere")


def many(number: str) -> None:
    Path("site/templates/remedy").mkdir(parents=True)
    for each in range(int(number)):
        Path(f"site/templates/remedy/{each}.j2").touch()


@pytest.mark.parametrize(
    ("make", "argument", "said"),
    [
        pytest.param(linked_to, "/etc/hostname", "priority.j2: cannot be read: is a link, ", id="link"),
        pytest.param(linked_to, "/dev/zero", "priority.j2: cannot be read: is a link, ", id="device"),
        pytest.param(linked_to, "nowhere", "priority.j2: cannot be read: is a link, ", id="nothing"),
        pytest.param(fifo, "", "priority.j2: cannot be read: is not a regular file", id="pipe"),
        pytest.param(folder, "", "priority.j2: cannot be read: is not a regular file", id="folder"),
        pytest.param(large, "100001", "priority.j2: cannot be read: larger than 100 kB", id="large"),
        pytest.param(linked_folder, "", "site/templates/remedy: is a link, ", id="linked folder"),
        pytest.param(all_linked, "", "site/templates: is a link, ", id="all linked"),
        pytest.param(many, "501", "site/templates: holds more than 500 templates", id="too many"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("here")
def test_a_template_that_is_no_file_of_its_folder_is_refused_at_once(
    make: Callable[[str], None], argument: str, said: str, capsys: Said
) -> None:
    make(argument)
    assert run(["lint", "r1.cfg", "--rules", "site"]) == 2
    assert said in capsys.readouterr().err


RULES = ["--rules", "site"]
EDGE = ["design", "edge", "--link", "512k", "--calls", "1"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "command",
    [
        ["lint", "r1.cfg", *RULES],
        ["fix", "r1.cfg", *RULES],
        ["lint", "r1.cfg", *RULES, "--format", "html"],
        ["rules", "test", *RULES],
        ["suppress", "r1.cfg", *RULES, "--rule", "ACM009", "--reason", "x"],
        ["diff", "r1.cfg", "r2.cfg", *RULES],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_template_that_never_ends_ends_a_command(
    command: list[str], capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template_process, "LIMITS", TemplateLimits(cpu_s=0.3))
    write("site/a.toml", CARD)
    write("site/templates/remedy/a-rule.j2", ATTACKS["nested loops"][0])
    write("r2.cfg", Path("r1.cfg").read_text("utf-8").replace("r1", "r2"))
    assert run(command) == 2
    said = capsys.readouterr().err
    assert "site/templates/remedy/a-rule.j2:2: takes more than" in said
    assert len(said.splitlines()) == 1


@pytest.mark.usefixtures("here")
def test_a_header_has_bounds_too(capsys: Said) -> None:
    write("site/a.toml", CARD)
    write("site/templates/remedy/a-rule.j2", "{{ missing[0] }}")
    write("site/templates/snippet/header.j2", ATTACKS["nested loops"][0])
    assert run(["fix", "r1.cfg", *RULES]) == 2
    assert f"site/templates/snippet/header.j2:2: {TOO_LONG}" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_no_module_of_the_folder_that_is_judged_is_imported(capsys: Said) -> None:
    for name in ("jinja2", "msgspec", "multiprocessing", "pickle", "signal", "resource"):
        write(f"{name}.py", "open('ran', 'w')")
    write("site/a.toml", CARD)
    write("site/templates/remedy/a-rule.j2", "{{ missing[0] }}")
    write("r2.cfg", Path("r1.cfg").read_text("utf-8").replace("r1", "r2"))
    two = ["r1.cfg", "r2.cfg", "--workers", "2"]
    assert run(["lint", *two, *RULES, "--select", "ACM009", "--fail-on", "never"]) == 0
    assert not Path("ran").exists()
    assert "service timestamps log datetime" in capsys.readouterr().out


def test_every_template_of_ours_makes_in_the_other_process_what_it_makes_here() -> None:
    root = asset_dir("templates")
    paths = sorted((root / "remedy").rglob("*.j2"))
    names = [path.relative_to(root).as_posix() for path in paths]
    own = SiteTemplates(
        tuple(SiteTemplate(name, name, (root / name).read_text("utf-8")) for name in names)
    )
    compared = 0
    for rule in load_rules(Settings().budgets):
        for example in rule.card.example if rule.card.remedy else ():
            settings = settings_of_text(example.settings) if example.settings else Settings()
            for _, hit in judge(device_read(example.bad.lstrip("\n"), settings), [rule]).pairs:
                if hit.curable:
                    template = f"remedy/{rule.card.remedy}"
                    assert site_commands(own, template, hit.evidence) == remedy_lines(
                        rule.card.remedy or "", hit
                    )
                    compared += 1
    assert compared > len(paths)
