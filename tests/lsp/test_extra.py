"""`advisor lsp` without the packages of its extra."""

import builtins
import sys
from typing import Any

import pytest

from advisor.cli import run


def test_a_missing_extra_is_named_with_its_install_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def without_pygls(name: str, *others: Any) -> Any:
        if name.partition(".")[0] in ("pygls", "lsprotocol"):
            raise ModuleNotFoundError(name=name)
        return real(name, *others)

    for name in [*sys.modules]:
        if name.startswith(("advisor.lsp", "pygls", "lsprotocol")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without_pygls)
    assert run(["lsp"]) == 2
    said = capsys.readouterr().err
    assert "advisor: lsp needs pygls: pip install" in said
    assert "[lsp]" in said
