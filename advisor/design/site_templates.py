"""Templates of a site: they replace those of a designed edge; see `lint.site`."""

from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.assets import asset_dir
from advisor.lint.site import Site, TemplateFaultError, checked, read_templates

_OURS: Final = "design"  # the folder of our templates that a site replaces


class EdgeTemplates(Struct, frozen=True):
    """The templates of a folder that `--templates` names."""

    folder: str
    site: Site


def edge_templates(folder: Path) -> EdgeTemplates:
    """A folder whose templates replace some of ours; every one of them compiles.

    Raises
    ------
    TemplateFaultError
        If it is no folder, replaces nothing, or one of its templates is not Jinja2.
    TemplateBoundError
        If one of them takes too much to compile.
    """
    if not folder.is_dir():
        raise TemplateFaultError(f"--templates {folder}: is no folder")
    ours = asset_dir("templates") / _OURS
    names = sorted(path.relative_to(ours).as_posix() for path in ours.rglob("edge*/*.j2"))
    names = ["edge.j2", *names]
    own = tuple(read_templates(folder))
    if not any(template.name in names for template in own):
        raise TemplateFaultError(
            f"--templates {folder}: has none of the templates that it may replace: "
            f"{', '.join(names)}"
        )
    site = Site(tuple(replace(each, name=f"{_OURS}/{each.name}") for each in own))
    return EdgeTemplates(str(folder), checked(site))
