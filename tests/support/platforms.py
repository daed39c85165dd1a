"""Platforms for tests, decided by a stated name: "pre-hqf", "hqf", "qfp", "ISR4331"."""

from advisor.device.platform import Decision, Evidence, decide
from advisor.device.platforms import Strength, trait_stated


def platform_named(name: str) -> Decision:
    """The decision where only a statement of the user speaks of the platform."""
    trait = trait_stated(name)
    assert trait is not None, name
    return decide([Evidence(f"platform {name}", Strength.STATED, trait)])
