"""What a finding is known by from run to run, whatever its line and its numbers are."""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from advisor.lint.findings import Finding

_BETWEEN = "\0"  # no name holds it


def fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """Fingerprint of each finding, from its device, rule and object path.

    Two findings of one key have their number in the order of the report too: a reader takes equal
    fingerprints for one finding.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    for finding in findings:
        seen[finding.key] += 1
        number = seen[finding.key]
        parts = finding.key if number == 1 else (*finding.key, str(number))
        words = _BETWEEN.join(parts).encode("utf-8", "surrogateescape")
        yield sha256(words).hexdigest()
