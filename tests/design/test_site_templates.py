"""`advisor design --templates`: a site's own templates in place of ours."""

from pathlib import Path

import pytest

from advisor.assets import asset_dir
from advisor.design.edge import EdgeDesign, RefusedDemand, design_edge
from advisor.design.edge_demand import EdgeFlags, edge_demand
from advisor.lint.site import TemplateFaultError
from advisor.settings import Settings

OURS = asset_dir("templates") / "design"
POLICY = (OURS / "edge" / "policy.j2").read_text(encoding="utf-8")


def site(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return folder


def designed(folder: Path) -> EdgeDesign | RefusedDemand:
    flags = EdgeFlags(link="1536k", calls=3, data=("af21=20%",), templates=str(folder))
    return design_edge(edge_demand(flags), Settings())


def test_a_template_of_the_site_stands_in_place_of_ours(tmp_path: Path) -> None:
    text = POLICY.replace(
        "policy-map {{ policy_map }}\n",
        "policy-map {{ policy_map }}\n description WAN of {{ interface }}, {{ link_kbps }} kb/s\n",
    )
    design = designed(site(tmp_path, "edge/policy.j2", text))

    assert isinstance(design, EdgeDesign), design
    assert " description WAN of Serial0/0/0, 1536 kb/s" in design.lines
    assert "interface Serial0/0/0" in design.lines  # of our own templates
    assert len(design.proof) == 4


def test_what_a_template_of_the_site_makes_is_proven_too(tmp_path: Path) -> None:
    text = POLICY.replace("  fair-queue\n", "  priority 64\n")
    refusal = designed(site(tmp_path, "edge/policy.j2", text))

    assert isinstance(refusal, RefusedDemand), refusal
    assert refusal.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("policy-map X\n{% if %}\n", "policy.j2:2: Expected an expression", id="syntax"),
        pytest.param(
            "\n\n{{ polcy_map }}\n", "policy.j2:3: 'polcy_map' is undefined", id="no such value"
        ),
        pytest.param(
            "{% for each in classes %}\n{{ each.rate }}\n{% endfor %}\n", "policy.j2:2: ",
            id="no such field",
        ),
        pytest.param(
            "{{ classes.__class__.__mro__ }}\n", "policy.j2:1: access to attribute '__class__'",
            id="out of the sandbox",
        ),
        pytest.param("\n{{ 1 / 0 }}\n", "policy.j2:2: division by zero", id="a failing template"),
        pytest.param(
            '\n{% include "edge/none.j2" %}\n', "policy.j2:2: edge/none.j2", id="no such template"
        ),
    ],
)  # fmt: skip
def test_a_fault_of_a_template_names_its_file_and_line(
    text: str, said: str, tmp_path: Path
) -> None:
    folder = site(tmp_path, "edge/policy.j2", text)

    with pytest.raises(TemplateFaultError) as fault:
        designed(folder)

    assert said in str(fault.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("edge/polcy.j2", "none of the templates that it may replace", id="misspelt"),
        pytest.param("remedy/priority.j2", "none of the templates", id="a remedy is not replaced"),
    ],
)
def test_a_folder_that_replaces_nothing_is_wrong_use(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TemplateFaultError, match=said):
        designed(site(tmp_path, name, "policy-map X\n"))


def test_a_folder_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(TemplateFaultError, match="is no folder"):
        designed(tmp_path / "nowhere")


def test_a_line_with_control_characters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TemplateFaultError, match="control characters"):
        designed(site(tmp_path, "edge/policy.j2", f"{POLICY}\x1b[2J reload\n"))


def test_every_template_of_an_edge_can_be_copied_as_it_is(tmp_path: Path) -> None:
    for path in OURS.rglob("edge*/*.j2"):
        site(tmp_path, path.relative_to(OURS).as_posix(), path.read_text(encoding="utf-8"))
    own = designed(tmp_path)
    ours = design_edge(
        edge_demand(EdgeFlags(link="1536k", calls=3, data=("af21=20%",))), Settings()
    )

    assert isinstance(own, EdgeDesign)
    assert isinstance(ours, EdgeDesign)
    assert own.lines == ours.lines
