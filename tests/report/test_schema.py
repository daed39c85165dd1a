"""Every JSON output is as its schema says, and the schema lets no key go."""

import json
from pathlib import Path

import jsonschema
import pytest

from advisor.cli import run
from advisor.report.schema import output_names, output_schema, output_schemas

FIXTURES = Path(__file__).parents[2] / "fixtures"
EDGE = str(FIXTURES / "configs" / "wan-edge-512k.ios")
TCP = str(FIXTURES / "configs" / "composed" / "wred-balanced-e1.ios")
FLOWS = str(FIXTURES / "traffic" / "wred-balanced.toml")
BUNDLE = str(FIXTURES / "bundles" / "wan-edge-demo")
SCENARIOS = str(FIXTURES / "scenarios" / "wred-three-groups.json")
HOPS = f'[[hop]]\nname = "a"\nconfig = "{EDGE}"\n\n[[hop]]\nname = "b"\ndelay_ms = 18\n'
SIZES = (
    "--platform", "3640", "--tps", "100", "--out-bytes", "2000", "--in-bytes", "1000", "--ru",
    "1024", "--redundant",
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param("lint", ("lint", EDGE), id="lint"),
        pytest.param("fix", ("fix", EDGE), id="fix"),
        pytest.param("lint --statistics", ("lint", EDGE, "--statistics"), id="counts of rules"),
        pytest.param("predict", ("predict", EDGE), id="predict"),
        pytest.param("predict", ("predict", TCP, "--traffic", FLOWS), id="predict with WRED"),
        pytest.param("predict", ("predict", EDGE, "--simulate"), id="predict and simulate"),
        pytest.param(
            "predict --sweep", ("predict", EDGE, "--sweep", "tx-ring-limit=1..3"), id="a sweep"
        ),
        pytest.param(
            "predict --sweep",
            ("predict", TCP, "--traffic", FLOWS, "--sweep", "wred-min=5..15:5"),
            id="a sweep of shares",
        ),
        pytest.param("predict --hops", ("predict", "--hops", "hops.toml"), id="a path"),
        pytest.param("predict --scenario", ("predict", "--scenario", SCENARIOS), id="scenarios"),
        pytest.param("inspect", ("inspect", BUNDLE), id="inspect"),
        pytest.param("size dlsw", ("size", "dlsw", *SIZES), id="size"),
        pytest.param(
            "design wred",
            ("design", "wred", "--rate", "2m", "--flows", "af11=3,af12=3", "--share", "af11=50%"),
            id="design",
        ),
    ],
)
def test_an_output_conforms_to_its_schema(
    name: str, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hops.toml").write_text(HOPS, "utf-8")

    code = run([*arguments, "--format", "json", "--output", "out.json"])

    printed = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert code in (0, 1, 3)
    assert printed
    jsonschema.Draft202012Validator(output_schema(name)).validate(printed)


@pytest.mark.parametrize("name", output_names())
def test_a_schema_is_one(name: str) -> None:
    schema = output_schema(name)

    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"].startswith("urn:ios-advisor:")
    assert schema["version"] == 1


@pytest.mark.parametrize("file", sorted((FIXTURES / "scenarios").glob("*.json")), ids=str)
def test_scenario_files_conform_to_their_schema(file: Path, tmp_path: Path) -> None:
    scenarios = json.loads(file.read_text("utf-8"))
    if file.stem.endswith("_truth"):
        pytest.skip("results, no scenarios")
    assert run(["schema", "scenarios", "--output", str(tmp_path / "schema.json")]) == 0
    schema = json.loads((tmp_path / "schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(scenarios)
    broken = scenarios[0] if isinstance(scenarios, list) else scenarios
    assert not validator.is_valid(broken | {"excess_bandwidth": "unfair"})
    assert not validator.is_valid({key: broken[key] for key in broken if key != "link"})


def test_the_schema_of_all_outputs_is_that_of_lint_at_its_root() -> None:
    schema = output_schemas()

    assert schema["$ref"] == "#/$defs/Report"
    assert tuple(schema["outputs"]) == output_names()


def test_a_key_that_goes_is_noticed() -> None:
    validator = jsonschema.Draft202012Validator(output_schema("predict"))

    with pytest.raises(jsonschema.ValidationError):
        validator.validate([{"outcome": "predicted", "device": "r1"}])


def test_an_output_that_no_command_prints_has_no_schema(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["schema", "none"]) == 2
    assert "there are lint, lint --format jsonl, lint --statistics, fix" in capsys.readouterr().err
