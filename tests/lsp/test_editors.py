"""Settings and extensions of editors: what docs/editor.md shows works, where the editor is there."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tools import textmate

PAGE = Path("docs/editor.md").read_text("utf-8")
EXTENSION = Path("editors/vscode")
EDGE = Path("fixtures/configs/wan-edge-512k.ios")
PATIENCE_S = 100


def block(language: str) -> str:
    """The block of the page in a language."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that finds the `advisor` of these tests."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    return subprocess.run(  # noqa: S603
        command,
        cwd=cwd,
        env={**os.environ, "PATH": path, "HOME": str(cwd)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


# Colours


def test_the_grammar_of_colours_is_made_of_the_grammar_of_the_tool() -> None:
    assert textmate.GRAMMAR.read_text("utf-8") == textmate.text()


def scopes(line: str) -> dict[str, str]:
    """The innermost scope of each part of a line: the first pattern that matches at a place wins."""
    grammar: Any = textmate.grammar()
    rules = [rule for rule in grammar["patterns"] if "include" not in rule]
    rules += grammar["repository"]["values"]["patterns"]
    found: dict[str, str] = {}
    place = 0
    while place < len(line):
        matches = [
            (m.start(), n, m) for n, rule in enumerate(rules) if (m := start(rule, line, place))
        ]
        if not matches:
            break
        _, number, match = min(matches, key=lambda item: item[:2])
        captures = rules[number].get("captures", {"0": rules[number]})
        found |= {
            match[int(group)]: known["name"]
            for group, known in captures.items()
            if match[int(group)]
        }
        place = max(match.end(), place + 1)
    return found


def start(rule: dict[str, Any], line: str, place: int) -> re.Match[str] | None:
    return re.compile(rule.get("match") or rule["begin"]).search(line, place)


@pytest.mark.parametrize(
    ("line", "word", "scope"),
    [
        pytest.param("! a comment", "! a comment", "comment.line", id="a comment"),
        pytest.param("policy-map WAN-EDGE", "WAN-EDGE", "entity.name.section", id="a policy"),
        pytest.param("class-map match-any VOICE", "VOICE", "entity.name.section", id="a class"),
        pytest.param(" tx-ring-limit 10", "tx-ring-limit", "support.function.qos", id="a ring"),
        pytest.param(" no ip redirects", "no", "keyword.operator.negation", id="a negation"),
        pytest.param(" match ip dscp ef", "ef", "constant.language.dscp", id="a DSCP"),
        pytest.param(" description to Rome", "to Rome", "string.unquoted", id="a description"),
        pytest.param(
            "ip route 10.0.0.0 255.0.0.0 Serial0/0", "10.0.0.0", "constant.numeric", id="IP"
        ),
        pytest.param(" tunnel source Serial0/0", "Serial0/0", "variable.other", id="an interface"),
        pytest.param("hostname R1", "hostname", "keyword.other", id="any other command"),
    ],
)
def test_a_word_has_the_scope_of_what_it_is(line: str, word: str, scope: str) -> None:
    assert scopes(line).get(word, "").startswith(scope)


# Visual Studio Code

_ACTIVATE = """
const Module = require("module");
const load = Module._load;
const started = [];
class LanguageClient {
  constructor(...given) { started.push(given); }
  async start() {}
  async stop() { started.push("stopped"); }
}
const settings = { command: "advisor", files: "**/*.ios" };
const fakes = {
  vscode: {
    workspace: {
      getConfiguration: () => ({ get: (name) => settings[name] }),
      createFileSystemWatcher: (glob) => glob,
    },
    window: { showErrorMessage: (text) => started.push(text) },
  },
  "vscode-languageclient/node": { LanguageClient },
};
Module._load = (name, ...rest) => fakes[name] ?? load(name, ...rest);
const extension = require("./extension.js");
(async () => {
  await extension.activate({ subscriptions: [] });
  await extension.deactivate();
  console.log(JSON.stringify(started));
})();
"""


def test_a_workspace_cannot_set_the_command_that_is_started() -> None:
    told = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    settings = told["contributes"]["configuration"]["properties"]
    assert settings["advisor.command"]["scope"] == "machine"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_extension_starts_the_server_and_stops_it() -> None:
    outcome = run("node", "-e", _ACTIVATE, cwd=EXTENSION)
    assert outcome.returncode == 0, outcome.stderr
    client, stopped = json.loads(outcome.stdout)
    assert client[2] == {"command": "advisor", "args": ["lsp"]}
    assert client[3]["documentSelector"][1] == {"scheme": "file", "pattern": "**/*.ios"}
    assert stopped == "stopped"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_the_extension_is_packaged_with_what_it_needs(tmp_path: Path) -> None:
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules"))
    installed = run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)
    if installed.returncode != 0 and re.search(
        r"ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT", installed.stderr
    ):
        pytest.skip("the registry of npm is not reached")
    assert installed.returncode == 0, installed.stderr
    assert run("npm", "pack", cwd=folder).returncode == 0
    with tarfile.open(folder / "ios-advisor-0.1.0.tgz") as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    told = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    paths = [told["main"], *(item["path"] for item in told["contributes"]["grammars"])]
    paths += (item["configuration"] for item in told["contributes"]["languages"])
    assert {path.removeprefix("./") for path in paths} <= names
    assert "node_modules/vscode-languageclient/node.js" in names


# Neovim

_PRINT = """
local deadline = vim.loop.now() + 30000
while vim.loop.now() < deadline and #vim.diagnostic.get(0) == 0 do vim.wait(100) end
for _, item in ipairs(vim.diagnostic.get(0)) do
  print(item.lnum + 1, item.code or item.user_data.lsp.code, item.message)
end
vim.cmd("qa!")
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="nvim is not installed")
def test_neovim_shows_findings_with_the_settings_of_the_page(tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    settings, config = tmp_path / "init.lua", tmp_path / "edge.ios"
    settings.write_text(block("lua"), "utf-8")
    (tmp_path / "print.lua").write_text(_PRINT, "utf-8")
    config.write_text(EDGE.read_text("utf-8"), "utf-8")
    outcome = run(
        *("nvim", "--headless", "-u", str(settings), str(config)),
        *("-c", f"luafile {tmp_path / 'print.lua'}"),
        cwd=tmp_path,
    )
    assert re.search(r"^51\s+TXR001\s+a ring of 10 packets", outcome.stderr, re.MULTILINE), outcome
