"""Our tree beside ciscoconfparse2's parse, and the device as a check for ciscoconfparse2 gets it.

Runs in a virtual environment of its own, because ciscoconfparse2 pins its dependencies exactly:
`python -m pytest -m oracle tests/oracle` with the root of the repository as working directory.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings

from advisor.capture.cuts import read_capture
from advisor.capture.sections import SectionKind
from advisor.checks import as_ciscoconfparse, location_of
from advisor.cli import run
from advisor.device.second_parser import listed, parsed
from advisor.ios.syntax import ConfigTree, Location
from advisor.ios.syntax.detect import Dialect, identify
from advisor.ios.syntax.reader import parse_config
from advisor.ios.terminal import decode
from tests.ios.test_edit_properties import config_texts
from tests.oracle.second_opinion import Opinion, second_opinion
from tests.oracle.second_reasons import Reason
from tests.support.devices import device_of
from tests.support.outside import CORPUS

pytest.importorskip("loguru", reason="needs the oracle's own environment")

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

ROOT = Path(__file__).parents[2]
CONFIGS = CORPUS / "configs"
FOLDERS = [ROOT / "fixtures" / "configs", CONFIGS / "ios", CONFIGS / "fragments"]
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.is_file())
# Of a line that is no command: where it stands says nothing of our sections.
NO_COMMAND = (Reason.BANNER, Reason.CERTIFICATE, Reason.KEY, Reason.MACRO, Reason.TERMINAL)
Said = pytest.CaptureFixture[str]
# A text in which a parser that goes by columns alone differs, the reason why our tree stands, and
# the lines that differ for this reason.
DIFFERENCES: tuple[tuple[str, Reason, list[int]], ...] = (
    ("banner motd ^C\ninterface Se9\n^C\nend\n", Reason.BANNER, [2, 3]),
    ("crypto pki c\n certificate 01\n  3082 01\n  quit\n", Reason.CERTIFICATE, [3, 4]),
    ("crypto key p\n key-string\n  3082 01\n  quit\n exit\n", Reason.KEY, [3, 4]),
    ("macro name X\nshutdown\n@\nend\n", Reason.MACRO, [2, 3]),
    ("line 0\n vacant-message ^C\n hi\n^C\n login\n", Reason.BLOCK_END, [5]),
    ("Building configuration...\nhostname r1\nend\n", Reason.TERMINAL, [1]),
    ("r1(config)#interface Se0\nr1(config-if)#shutdown\n", Reason.PROMPT, [1, 2]),
    ("hostname r1\n--More--\x08\x08\x08\x08\x08\x08\x08\x08end\n", Reason.RESIDUE, [2]),
    ("interface Se0\nbandwidth 64\n", Reason.FLAT, [2]),
    ("interface Se0\n shutdown\nexit\n", Reason.EXIT, [3]),
    ("interface Se0\n mtu 1500\n exit\n hostname r1\n shutdown\n", Reason.EXIT, [4, 5]),
    ("policy-map X\n class A\n--More--  priority 64\n", Reason.RESIDUE, [3]),
    ("policy-map X\n  class A\n\tpriority 64\n", Reason.TABS, [3]),
    ("interface Se0\n mtu 1500\n shutdown\nbandwidth 64\n", Reason.NOT_INDENTED, [4]),
    ("router rip\n network 10.0.0.0\n  network 11.0.0.0\n", Reason.UNEVEN, [3]),
    ("interface Se0\n mtu 1500 ! advisor: ignore[TXR001] wanted\n", Reason.COMMENT, [2]),
    ("interface Se0\n band 64\n", Reason.ABBREVIATION, [2]),
    ("line 0\n band 5\n  quit\n  neighbor 1\n", Reason.UNEXPLAINED, [4]),
)


@cache
def written() -> dict[str, dict[str, list[int]]]:
    """Lines of each file in which the two differ, by reason."""
    with (Path(__file__).parent / "differences.toml").open("rb") as file:
        differences: dict[str, dict[str, list[int]]] = tomllib.load(file)
    return differences


def trees(path: Path) -> Iterator[ConfigTree]:
    text, _ = decode(path.read_bytes())
    for section in read_capture(text, path.name).sections:
        if section.kind is SectionKind.CONFIG and identify(section.text).dialect is Dialect.IOS:
            yield parse_config(section.text, path.name)


def by_reason(opinion: Opinion) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for difference in opinion.differences:
        if difference.reason not in NO_COMMAND:
            found.setdefault(difference.reason, []).append(difference.number)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_sections_agree_but_for_the_written_differences(path: Path) -> None:
    opinions = [second_opinion(tree) for tree in trees(path)]

    assert [opinion.failure for opinion in opinions] == [None] * len(opinions)
    assert [found for each in opinions if (found := by_reason(each))] == [
        each for name, each in written().items() if name == path.name
    ]


def test_each_written_difference_has_a_file() -> None:
    if CONFIGS.is_dir():
        assert set(written()) <= {path.name for path in FILES}


@pytest.mark.parametrize(("text", "reason", "numbers"), DIFFERENCES)
def test_a_difference_has_the_reason_that_its_lines_show(
    text: str, reason: Reason, numbers: list[int]
) -> None:
    differences = second_opinion(parse_config(text)).differences

    assert [each.number for each in differences if each.reason is reason] == numbers


def test_every_reason_has_a_text() -> None:
    assert {reason for _, reason, _ in DIFFERENCES} == set(Reason)


def test_an_empty_text_has_nothing_to_compare() -> None:
    assert second_opinion(parse_config("")) == Opinion()


def test_equal_texts_are_equal_in_every_line_and_section() -> None:
    tree = parse_config("hostname r1\n!\ninterface Se0\n shutdown\n\nend\n")

    assert second_opinion(tree) == Opinion(4, 4, 1, 1)


def test_a_section_is_equal_if_both_have_the_same_lines_in_it() -> None:
    tree = parse_config("interface Se0\n mtu 1500\nbandwidth 64\ninterface Se1\n mtu 1500\n")

    opinion = second_opinion(tree)
    assert (opinion.lines, opinion.equal_lines) == (5, 4)
    assert (opinion.sections, opinion.equal_sections) == (2, 1)


def test_lines_have_the_numbers_of_the_file_where_the_text_is_a_part_of_it() -> None:
    tree = parse_config("interface Se0\nbandwidth 64\n", "r1.txt", first_line=101)

    (difference,) = second_opinion(tree).differences
    assert (difference.number, difference.ours, difference.theirs) == (102, 101, None)


def test_a_text_that_ciscoconfparse2_fails_on_is_not_compared() -> None:
    tree = parse_config("macro name X\nshutdown\n")

    assert second_opinion(tree) == Opinion(failure="IndexError")


def their_parents(tree: ConfigTree) -> dict[int, int]:
    """The line above each line of what ciscoconfparse2 makes of a listed tree, 0 at the top."""
    made = listed(tree)
    return {
        made.numbers[line.linenum]: 0 if line.parent is line else made.numbers[line.parent.linenum]
        for line in (parsed(made.lines).objs if made.lines else ())
    }


def our_parents(tree: ConfigTree) -> dict[int, int]:
    parents = {line.number: 0 for line in tree.commands()}
    for line in tree.walk():
        parents |= {child.number: line.number for child in line.commands()}
    return parents


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_check_gets_the_sections_of_our_tree(path: Path) -> None:
    for tree in trees(path):
        ours, theirs = our_parents(tree), their_parents(tree)
        assert {number: theirs.get(number) for number in ours} == ours


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(config_texts())
def test_a_check_gets_the_sections_of_our_tree_of_any_text(text: str) -> None:
    tree = parse_config(text)
    ours, theirs = our_parents(tree), their_parents(tree)
    assert {number: theirs.get(number) for number in ours} == ours


FLAT = """\
banner motd ^C
interface Serial9/9
^C
interface Serial0/0
ip address 192.0.2.1 255.255.255.252
interface Serial0/1
shutdown
"""


def test_a_search_finds_sections_of_a_flat_text_and_none_of_a_banner() -> None:
    parse = as_ciscoconfparse(device_of(FLAT))

    found = parse.find_parent_objects("^interface", r"^\s+ip address")
    assert [line.text for line in found] == ["interface Serial0/0"]
    assert [line.text for line in parse.find_objects("^interface")] == [
        "interface Serial0/0",
        "interface Serial0/1",
    ]


def test_a_line_that_was_found_has_its_place_in_the_file() -> None:
    device = device_of(FLAT)

    (line,) = as_ciscoconfparse(device).find_objects("shutdown")
    assert location_of(device, line) == Location("r1.ios", 7)


def test_all_checks_of_a_device_share_one_parse() -> None:
    device = device_of(FLAT)

    assert as_ciscoconfparse(device) is as_ciscoconfparse(device)
    assert as_ciscoconfparse(device) is not as_ciscoconfparse(device, factory=True)


def test_a_factory_knows_the_addresses_of_an_interface() -> None:
    parse = as_ciscoconfparse(device_of(FLAT), factory=True)

    (line,) = parse.find_objects("^interface Serial0/0")
    assert str(line.ipv4_addr) == "192.0.2.1"


LOGGED = """\
from advisor.device.second_parser import parsed
parse = parsed(["username a password s3nt1nel"])
for fails in (lambda: parsed(["macro name s3nt1nel", "shutdown"]), lambda: parse.find_objects("([")):
    try:
        fails()
    except Exception as error:
        print(type(error).__name__)
"""


def test_a_failure_of_ciscoconfparse2_is_not_logged() -> None:
    command = [sys.executable, "-W", "default", "-c", LOGGED]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603

    assert (ended.stdout.split(), ended.stderr) == (["IndexError", "error"], "")


def test_a_parse_of_another_text_is_not_reached_by_the_lines_of_a_device() -> None:
    other: Any = as_ciscoconfparse(device_of(FLAT)).objs[-1]

    with pytest.raises(IndexError):
        location_of(device_of("hostname r1\n"), other)


EXAMPLE = ROOT / "docs" / "examples" / "ciscoconfparse"
PAGE = (ROOT / "docs" / "ciscoconfparse.md").read_text("utf-8")
BRANCH = """\
hostname r1
banner motd ^C
interface Serial9/9
^C
router rip
 network 10.0.0.0
  network 11.0.0.0
interface FastEthernet0/0
 ip address 192.0.2.1 255.255.255.0
 no ip redirects
interface FastEthernet0/1
 ip address 198.51.100.1 255.255.255.0
end
"""


def shown(name: str) -> str:
    return dedent(PAGE.partition(f"<!-- {name} -->\n")[2].partition("<!--")[0])


@pytest.fixture
def branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r1.cfg").write_text(BRANCH, "utf-8")
    Path("docs").symlink_to(ROOT / "docs")


def test_the_check_of_the_page_is_that_of_the_example() -> None:
    check = shown("check").replace("```python\n", "").replace("```\n", "")

    assert check in (EXAMPLE / "ip_redirects.py").read_text("utf-8")


def test_the_names_of_the_page_are_those_of_ciscoconfparse2() -> None:
    parse = as_ciscoconfparse(device_of(BRANCH))
    found = {}
    for row in shown("names").splitlines()[2:]:
        old, new = re.findall(r"`(\w+)", row)
        assert not hasattr(parse, old)
        lines = getattr(parse, new)("^interface", "no ip redirects")
        found[new] = [line.text.strip() for line in lines]
    assert found == {
        "find_parent_objects": ["interface FastEthernet0/0"],
        "find_parent_objects_wo_child": ["interface FastEthernet0/1"],
        "find_child_objects": ["no ip redirects"],
    }


@pytest.mark.usefixtures("branch")
@pytest.mark.parametrize("command", shown("commands").splitlines())
def test_a_command_of_the_page_ends_well(command: str, capsys: Said) -> None:
    assert run(shlex.split(command)[1:]) == 0
    assert "ACM010" in capsys.readouterr().out


@pytest.mark.usefixtures("branch")
def test_the_check_of_the_example_finds_an_interface_at_its_line(capsys: Said) -> None:
    run(["lint", "r1.cfg", "--rules", str(EXAMPLE), "--select", "ACM010", "--format", "json"])

    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["object"], finding["locations"][0]["line"]) == ("interface FastEthernet0/1", 11)


@pytest.mark.usefixtures("branch")
def test_a_check_that_ciscoconfparse2_fails_in_costs_its_own_verdict_alone(capsys: Said) -> None:
    check = Path(shutil.copytree(EXAMPLE, "site")) / "ip_redirects.py"
    with_factory = check.read_text("utf-8").replace("parse(device)", "parse(device, factory=True)")
    check.write_text(with_factory, "utf-8")
    Path("r1.cfg").write_text(BRANCH.replace("end\n", "ipv6 route ::/0 2001:db8::1\n"), "utf-8")

    assert run(["lint", "r1.cfg", "--rules", "site"]) == 4
    assert "NotImplementedError at site/ip_redirects.py" in capsys.readouterr().out
