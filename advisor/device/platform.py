"""Which platform a device is, from all that was seen of it: the one decision.

Each piece of evidence leaves some families and generations possible. The strongest comes first; a
weaker one may narrow what is left, and contradicts where it leaves nothing. A family that stays
open is not known: no default of one of the candidates is taken for it.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeVar, cast

from msgspec import Struct

from advisor.device.platforms import (
    SERIES_7500,
    XE_FAMILIES,
    Family,
    Generation,
    Strength,
    Trait,
    families_of,
)
from advisor.ios.syntax import Location

__all__ = [
    "JUDGED_FAMILIES",
    "Decision",
    "Evidence",
    "FamilyName",
    "Generation",
    "decide",
    "family_words",
]

Choice = TypeVar("Choice")

_WITHOUT_MARK_OF_XE: Final = (Generation.HQF, Generation.XE)
_WITH_RINGS: Final = (Family.SOFTWARE, Family.DISTRIBUTED)
_CLASSIC_FAMILIES: Final = tuple(
    family for family in Family if family not in (Family.QFP, Family.XE_WITHOUT_QFP)
)


FamilyName = Literal[
    "software", "distributed", "qfp", "xe-without-qfp", "mls-switch", "mqc-switch", "lab", "other"
]
JUDGED_FAMILIES: Final[tuple[FamilyName, ...]] = (
    *("software", "distributed", "qfp", "xe-without-qfp", "mqc-switch", "lab"),
)


def family_words(names: Iterable[FamilyName]) -> tuple[str, ...]:
    """Families in words, for the catalogue of rules."""
    return tuple(map(str, families_of(" ".join(names))))


class Evidence(Struct, frozen=True):
    """A text that says something of the platform, and its place.

    `at` is None of a statement of the user: `text` then names the setting.
    """

    text: str
    strength: Strength
    trait: Trait
    at: Location | None = None

    def __str__(self) -> str:
        return self.text if self.at is None else f"{self.text}, {self.at}"


class Decision(Struct, frozen=True, cache_hash=True):
    """The platform of a device and the evidence for it, strongest first.

    `families` are all that remain possible; one is a known family. `generation` is the one taken
    among `generations`. `because` are the words of the evidence that decides the generation.
    """

    families: tuple[Family, ...]
    generation: Generation
    generations: tuple[Generation, ...]
    because: str
    model: Evidence | None
    processor: Evidence | None
    release: Evidence | None
    decides_family: Evidence | None
    evidence: tuple[Evidence, ...]
    contradicting: tuple[Evidence, ...]

    @property
    def assumed(self) -> bool:
        """Whether the generation is taken for granted."""
        return len(self.generations) > 1

    @property
    def doubts_defaults(self) -> bool:
        """Whether default values are not sure: of an open generation, or derived (QFP)."""
        return self.assumed or self.is_qfp

    @property
    def family(self) -> Family | None:
        """The family; None where several remain possible."""
        return self.families[0] if len(self.families) == 1 else None

    @property
    def model_name(self) -> str | None:
        """Name of the hardware: "2811", "ISR4331"; None where nothing names it."""
        return self.model.trait.model if self.model is not None else None

    @property
    def processor_name(self) -> str | None:
        """Name of the processor or engine: "NPE300"; None where nothing names it."""
        return self.processor.trait.processor if self.processor is not None else None

    @property
    def release_name(self) -> str | None:
        """The release, or the two numbers of the `version` line."""
        return self.release.trait.release if self.release is not None else None

    @property
    def exact_release(self) -> str | None:
        """The release with its train, where an image beside the `version` line names it."""
        named, known = self.release_name, set(self.contradicting)
        exact = (piece.trait.release for piece in self.evidence if piece not in known)
        of_it = (item for item in exact if named and item and item.startswith(f"{named}("))
        return next(of_it, named)

    @property
    def family_name(self) -> FamilyName | None:
        """The family as a card names it; None where several remain possible."""
        return None if self.family is None else cast("FamilyName", self.family.short)

    @property
    def title(self) -> str:
        """The family in words; of an open family what is known of the software."""
        if self.family is not None:
            return str(self.family)
        if self.generation is Generation.XE:
            return "IOS XE on unknown hardware"
        return "a 7500, with VIPs or without" if self.is_open_7500 else "an unknown platform"

    @property
    def is_open_7500(self) -> bool:
        """Whether it is a 7500 and nothing shows whether VIPs forward its packets."""
        return self.families == SERIES_7500

    def holds_for(self, names: Sequence[FamilyName]) -> bool:
        """Whether what holds for these families may hold for this device."""
        return any(family.short in names for family in self.families)

    def surely_holds_for(self, names: Sequence[FamilyName]) -> bool:
        """Whether the families include one of IOS XE, if this device may run IOS XE."""
        return not self.may_be_xe or any(family.short in names for family in XE_FAMILIES)

    @property
    def software(self) -> str:
        """The family where it decides the defaults, else the generation."""
        return str(self.generation) if self.has_classic_defaults else self.title

    @property
    def is_pre_hqf(self) -> bool:
        return self.generation is Generation.PRE_HQF

    @property
    def is_xe(self) -> bool:
        return self.generation is Generation.XE

    @property
    def is_qfp(self) -> bool:
        return self.family is Family.QFP

    @property
    def may_be_distributed(self) -> bool:
        """Whether evidence names a 7500: VIPs take distributed WRED beside distributed WFQ."""
        return Family.DISTRIBUTED in self.families and Family.LAB not in self.families

    @property
    def may_be_xe(self) -> bool:
        """Whether nothing rules out IOS XE."""
        return Generation.XE in self.generations

    @property
    def has_classic_defaults(self) -> bool:
        """Whether the defaults of software routers hold: a lab image runs their software."""
        is_router = any(family in self.families for family in (Family.SOFTWARE, Family.LAB))
        return not self.is_xe and is_router

    @property
    def has_classic_rings(self) -> bool:
        """Whether it has the transmit rings of software-forwarding routers."""
        return not self.is_xe and any(
            family in self.families for family in (*_WITH_RINGS, Family.LAB)
        )


def decide(evidence: Iterable[Evidence]) -> Decision:
    """Narrow families and generations by the evidence; a contradiction leaves them as they are.

    15.x without a line that only IOS XE prints is HQF. Where several generations remain, the
    oldest is taken.
    """
    ranked = sorted(evidence, key=lambda piece: piece.strength)
    families, generations = tuple(Family), tuple(Generation)
    because, decides_family = "no `version` line", None
    contradicting: list[Evidence] = []
    model: Evidence | None = None
    for piece in ranked:
        if piece.strength is Strength.HINT:
            continue
        if model is not None and _is_other_model(piece, model):
            contradicting.append(piece)
            continue
        if piece.strength is Strength.UNKNOWN_NAME and not _is_any(families):
            continue
        if piece.strength is Strength.SYNTAX and not _tells_generation(families, generations):
            continue
        left_families = _narrowed(families, piece.trait.families)
        left_generations = _narrowed(generations, piece.trait.generations)
        left_families, left_generations = _consistent(left_families, left_generations)
        if not left_families or not left_generations:
            contradicting.append(piece)
            continue
        if left_generations != generations and piece.trait.generations:
            because = piece.text
        if left_families != families:
            decides_family = piece
        families, generations = left_families, left_generations
        model = model or (piece if piece.trait.model is not None else None)
    if generations == _WITHOUT_MARK_OF_XE:
        families, generations = _consistent(families, (Generation.HQF,))
    agreeing = [piece for piece in ranked if piece not in contradicting]
    return Decision(
        families=families,
        generation=generations[0],
        generations=generations,
        because=because,
        model=model,
        processor=next((piece for piece in agreeing if piece.trait.processor is not None), None),
        release=next((piece for piece in agreeing if piece.trait.release is not None), None),
        decides_family=decides_family if len(families) == 1 else None,
        evidence=tuple(ranked),
        contradicting=tuple(contradicting),
    )


def _is_any(families: tuple[Family, ...]) -> bool:
    """Whether no name decides: a 7500 and IOS XE are known, as far as families go."""
    return Family.SOFTWARE in families and Family.OTHER in families


def _tells_generation(families: tuple[Family, ...], generations: tuple[Generation, ...]) -> bool:
    """Whether the syntax of a policy counts: nothing stronger decides, and no VIP may take it."""
    is_7500 = Family.DISTRIBUTED in families and Family.LAB not in families
    return len(generations) > 1 and not is_7500


def _is_other_model(piece: Evidence, model: Evidence) -> bool:
    """Whether a second `show version` names another model; other commands spell models anew."""
    is_of_both = piece.strength is model.strength is Strength.SHOW_VERSION
    return is_of_both and piece.trait.model not in (None, model.trait.model)


def _narrowed(possible: tuple[Choice, ...], allowed: tuple[Choice, ...]) -> tuple[Choice, ...]:
    return tuple(choice for choice in possible if choice in allowed) if allowed else possible


def _consistent(
    families: tuple[Family, ...], generations: tuple[Generation, ...]
) -> tuple[tuple[Family, ...], tuple[Generation, ...]]:
    """Families and generations without those that have no partner: QFP runs IOS XE alone."""
    if Generation.XE not in generations:
        families = tuple(family for family in families if family in _CLASSIC_FAMILIES)
    elif generations == (Generation.XE,):
        families = tuple(family for family in families if family in XE_FAMILIES)
    if families and all(family in (Family.QFP, Family.XE_WITHOUT_QFP) for family in families):
        generations = tuple(choice for choice in generations if choice is Generation.XE)
    elif families and all(family not in XE_FAMILIES for family in families):
        generations = tuple(choice for choice in generations if choice is not Generation.XE)
    return families, generations
