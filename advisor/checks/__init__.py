"""All built-in checks, in one visible table: a new check is a file and a line here."""

from advisor.checks.base import AnyCheck
from advisor.checks.ref import undefined_policy_map

_ALL: tuple[AnyCheck, ...] = (undefined_policy_map.CHECK,)

CHECKS: dict[str, AnyCheck] = {check.name: check for check in _ALL}
