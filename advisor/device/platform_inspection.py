"""The decision on a platform as a tree: family, generation and model, with the evidence."""

from collections.abc import Iterable, Iterator

from advisor.device.nodes import Leaf, Many, Node, Record
from advisor.device.platform import Decision, Evidence
from advisor.platform.family import Strength


def platform_members(platform: Decision) -> tuple[tuple[str, Node], ...]:
    """Model, family and generation, with the evidence: strongest first."""
    model, family = platform.model, platform.decides_family
    queueing = (
        ("generation", Leaf(platform.generation.value)),
        ("assumed", Leaf(platform.assumed)),
        ("because", Leaf(platform.because)),
        ("possible", _words(platform.generations)),
    )
    return (
        ("platform", Leaf(platform.model_name, model.at if model is not None else None)),
        ("family", Leaf(platform.family, family.at if family is not None else None)),
        ("queueing", Record(queueing)),
        ("platform_evidence", Many(tuple(_evidence(piece) for piece in platform.evidence))),
        ("contradicting", Many(tuple(_evidence(piece) for piece in platform.contradicting))),
    )


def _evidence(piece: Evidence) -> Record:
    trait = piece.trait
    members = (
        ("evidence", Leaf(piece.text)),
        ("kind", Leaf(piece.strength.name.lower().replace("_", " "))),
        ("families", _words(trait.families)),
        ("generations", _words(trait.generations)),
        ("model", Leaf(trait.model)),
        ("processor", Leaf(trait.processor)),
        ("grade", Leaf(trait.grade.value)),
    )
    return Record(members, piece.at)


def named_by_lines(platform: Decision) -> Iterator[tuple[str, Node]]:
    """Model and release that lines of the configuration name."""
    own = [
        piece
        for piece in platform.evidence
        if piece.strength not in (Strength.SHOW_VERSION, Strength.INVENTORY, Strength.STATED)
    ]
    model = next((piece for piece in own if piece.trait.model is not None), None)
    releases = (piece for piece in own if piece.trait.release is not None)
    release = next(
        (piece for piece in releases if piece.strength is not Strength.VERSION_LINE), None
    )
    yield "platform", Leaf(model.trait.model, model.at) if model is not None else Leaf(None)
    yield "release", Leaf(release.trait.release, release.at) if release is not None else Leaf(None)


def _words(values: Iterable[str]) -> Many:
    return Many(tuple(Leaf(str(value)) for value in values))
