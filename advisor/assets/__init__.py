"""Finds rules, templates and the bundle of the demo, in the checkout or in the installed wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def asset_dir(name: str) -> Path:
    """Folder of shipped assets.

    Parameters
    ----------
    name : str
        ``"rules"``, ``"templates"`` or ``"fixtures/bundles/wan-edge-demo"``.

    Raises
    ------
    FileNotFoundError
        If neither the wheel nor the checkout holds it: the installation is broken.
    """
    for folder in (_PACKAGE / "_assets" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"{name}/ is missing from the installation at {_PACKAGE}")
