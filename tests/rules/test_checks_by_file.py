"""A check is known by its function: nothing else names it, and only what is asked for is imported."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from advisor.lint.cards import bind, catalogue
from advisor.lint.checks import CheckError, Checks
from advisor.settings import Budgets

CHECK = """
from advisor.device.device import Device
from advisor.lint.checks.base import Found, NoParams
def find_ring_too_odd(device: Device) -> Found[NoParams]:
    return iter(())
"""
CARD = (Path(__file__).parents[2] / "rules/ref/REF006-queueing-policy-on-input.toml").read_text(
    "utf-8"
)


def package(folder: Path, name: str, files: dict[str, str]) -> Path:
    """A package of checks in a folder; a family without files of its own is made for each."""
    for file, text in {"__init__.py": "", **files}.items():
        path = folder / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        (path.parent / "__init__.py").touch()
    return folder / name


def checks_in(
    folder: Path, name: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Checks:
    path = package(folder, name, files)
    monkeypatch.syspath_prepend(str(folder))
    return Checks(name, [str(path)])


def test_a_function_of_a_family_is_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = checks_in(tmp_path, "made_up_1", {"new/ring.py": CHECK}, monkeypatch)
    assert list(checks) == ["ring-too-odd"]
    assert checks["ring-too-odd"].wants == ()


def test_a_check_and_a_card_are_a_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = checks_in(tmp_path, "made_up_2", {"new/ring.py": CHECK}, monkeypatch)
    card = CARD.replace('"queueing-policy-on-input"', '"ring-too-odd"')
    card = re.sub(r"(?m)^message .*", 'message = "odd"', card)
    (tmp_path / "cards/new").mkdir(parents=True)
    (tmp_path / "cards/new/NEW001-ring-too-odd.toml").write_text(card, "utf-8")
    (entry,) = catalogue(tmp_path / "cards")
    assert "ring-too-odd" in entry.card.check
    assert bind(entry, Budgets(), checks).check is checks["ring-too-odd"]


def test_what_rules_share_is_no_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"new/ring.py": CHECK, "new/rows.py": "ROWS = 3\n"}
    assert list(checks_in(tmp_path, "made_up_3", files, monkeypatch)) == ["ring-too-odd"]


def test_a_family_may_be_one_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = checks_in(tmp_path, "made_up_4", {"new.py": CHECK}, monkeypatch)
    assert checks["ring-too-odd"].wants == ()


def test_two_checks_of_one_name_are_an_error_that_names_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"one/odd.py": CHECK, "two/odd.py": CHECK}
    checks = checks_in(tmp_path, "made_up_5", files, monkeypatch)
    with pytest.raises(CheckError, match=r"made_up_5\.two\.odd: made_up_5\.one\.odd"):
        list(checks)


def test_checks_in_a_zip_file_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = package(tmp_path, "made_up_6", {"new/ring.py": CHECK})
    archive = tmp_path / "wheel.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for module in path.rglob("*.py"):
            file.write(module, module.relative_to(tmp_path))
    monkeypatch.syspath_prepend(str(archive))
    for module in path.rglob("*.py"):
        module.unlink()
    checks = Checks("made_up_6", [f"{archive}/made_up_6"])
    assert list(checks) == ["ring-too-odd"]
    assert checks["ring-too-odd"].wants == ()


def test_binding_a_card_imports_the_module_of_its_check_alone() -> None:
    code = (
        "import sys\n"
        "from advisor.lint.cards import bind, catalogue\n"
        "from advisor.settings import Budgets\n"
        "bind(next(e for e in catalogue() if e.card.id == 'CBW001'), Budgets())\n"
        "print(*(name for name in sys.modules if name.startswith('advisor.lint.checks.')))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert set(ran.stdout.split()) == {
        *("advisor.lint.checks.base", "advisor.lint.checks.cbw"),
        *("advisor.lint.checks.ref", "advisor.lint.checks.ref"),  # what it shares
    }
