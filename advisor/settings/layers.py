"""What the user states of rules and budgets, and where: profiles, the file, devices, flags."""

from typing import Final

from msgspec import Struct

BUILT_IN: Final = "built-in"  # the origin of what nobody states


class StatedBudget(Struct, frozen=True):
    """One key of a `[budgets]` table."""

    name: str
    value: float
    source: str  # "advisor.toml:3", the source that reports name


class StatedNames(Struct, frozen=True):
    """Ids, names or prefixes of rules, in a `select` or an `ignore`."""

    names: tuple[str, ...]
    source: str


class StatedRule(Struct, frozen=True):
    """One key of a `[rules.NAME]` table: `severity`, `enabled`, or a parameter of the rule.

    `rule` is an id or a name; a prefix, too, of what is no parameter.
    """

    rule: str
    key: str
    value: object
    source: str


class Layer(Struct, frozen=True):
    """What one place states; what it does not state is that of the layers below it."""

    budgets: tuple[StatedBudget, ...] = ()
    select: StatedNames | None = None
    ignore: StatedNames | None = None
    rules: tuple[StatedRule, ...] = ()


class OwnProfile(Struct, frozen=True):
    """A `[profiles.NAME]` table: a profile of the user, which begins as another one."""

    name: str
    extends: str
    layer: Layer
    source: str


class Override(Struct, frozen=True):
    """An `[[override]]` table: what holds for devices of these names. `device` is a glob."""

    device: str
    profile: str | None
    layer: Layer
    source: str


class Layers(Struct, frozen=True):
    """All layers, from the most general to the most special.

    They are the profile, the file, the overrides that hold for a device in the order of the file,
    and the flags. The profile is that of the flag, else of the last of these overrides that states
    one, else of the file.
    """

    profile: str = "voice"
    profile_source: str = BUILT_IN
    is_profile_of_flag: bool = False
    profiles: tuple[OwnProfile, ...] = ()
    file: Layer = Layer()
    overrides: tuple[Override, ...] = ()
    flags: Layer = Layer()

    def everywhere(self) -> tuple[Layer, ...]:
        """Every layer, whether it is in force or not."""
        of_devices = (override.layer for override in self.overrides)
        of_profiles = (profile.layer for profile in self.profiles)
        return (*of_profiles, self.file, *of_devices, self.flags)
