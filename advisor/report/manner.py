"""How a verdict is shown: what the command line asks of every renderer."""

from msgspec import Struct

from advisor.lint.cards import Rule
from advisor.lint.findings import Finding, Severity, is_failure
from advisor.report.style import Style


class Manner(Struct, frozen=True):
    """Colour and width, how much is told, the rules in force, and what fails a run.

    If `is_quiet`, only findings are shown. `fail_on` is the mildest severity that fails, None where
    none does.
    """

    style: Style = Style()
    is_quiet: bool = False
    is_verbose: bool = False
    rules: tuple[Rule, ...] = ()
    fail_on: Severity | None = Severity.WARNING

    def fails(self, finding: Finding) -> bool:
        """Whether a finding fails the run, as the exit code says it."""
        incomplete = [rule.card.id for rule in self.rules if rule.card.incomplete]
        return is_failure(finding, incomplete, self.fail_on)
