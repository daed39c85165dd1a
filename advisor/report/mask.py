"""Secrets out of the lines that a report quotes. Fail-closed: what may be a secret is removed."""

import re

from msgspec.structs import replace

from advisor.findings import DeviceCoverage, FileCoverage, Finding, Place, Skipped, Verdict

REMOVED = "<removed>"

# Commands that take names, numbers and keywords alone: a class may well be called KEY-APPS.
_NO_SECRET = re.compile(
    r"(?:no )?(?:(?:class(?:-map)?|policy-map|service-policy|match|interface|priority|bandwidth"
    r"|shape|police|random-detect|queue-limit|fair-queue|tx-ring-limit|hold-queue|hostname"
    r"|version) "
    r"|service password-(?:encryption|recovery)\s*$)",
)
_MAY_BE_SECRET = re.compile(
    r"pass(?:word|wd|phrase)|pwd|secret|key|communit|\bmd5|\bsha\d*\b|auth|credential|psk|\bpin\b"
    r"|cipher|encrypt|\bwep|token(?!-?ring)|username|snmp-server|banner|certificate|sent-user|\blogin\b"
    r"|\bchap\b|\bpap\b|shared|private|hash",
    re.IGNORECASE,
)
# One of these is in whatever that finds; to look for them is twenty times as fast.
_HINTS = (
    *("pass", "pwd", "secret", "key", "communit", "md5", "sha", "auth", "credential", "psk", "pin"),
    *("cipher", "encrypt", "wep", "token", "username", "snmp-server", "banner", "certificate"),
    *("sent-user", "login", "chap", "pap", "private", "hash"),
)
# Words of IOS that may stay; a word that only contains one of them may be the secret itself.
_KEYWORD = re.compile(
    r"password|passwd|passphrase|secret|key|key-string|key-chain|keyring|pre-shared-key|community"
    r"|md5|sha|authentication|authentication-key|message-digest-key|auth|credentials|psk|wpa-psk"
    r"|pin|cipher|encryption|wep|token|username|sent-username|snmp-server|banner|certificate|login"
    r"|chap|pap|hash|server-private",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S+")
_LOGIN = re.compile(r"://.*@|[^\s:@]:[^\s@]+@")
_BLOB = re.compile(
    r"\$\w{1,4}\$\S+|\b(?:[0-9A-Fa-f]{8}\s+){3,}[0-9A-Fa-f]*|\b[0-9A-Fa-f]{16,}\b"
    r"|[A-Za-z0-9+/]{40,}={0,2}"
)
_IN_BACKTICKS = re.compile(r"`([^`]*)`")
_UNKNOWN_LINE = re.compile(r"(:\d+: ['\"])(.*)(['\"] is not the layout of )", re.DOTALL)
_TELLING_CHARACTERS = 4  # shorter pieces of a secret also occur as numbers and words of a message


def mask_line(line: str) -> str:
    """Return an IOS line without what may be a secret.

    Examples
    --------
    >>> mask_line("enable secret 5 $1$mERr$hx5r")
    'enable secret <removed>'
    >>> mask_line("username bob privilege 15")
    'username <removed>'
    >>> mask_line("service-policy output KEY-APPS")
    'service-policy output KEY-APPS'
    >>> mask_line("service password-encryption")
    'service password-encryption'
    >>> mask_line("token-ring"), mask_line("token 12ab")
    ('token-ring', 'token <removed>')
    """
    bare = _WORD.sub(_without_login, line) if "@" in line else line
    bare = _BLOB.sub(REMOVED, bare)
    folded = bare.casefold()
    if not _has_hint(folded) or _NO_SECRET.match(bare.lstrip().lower()):
        return bare
    found = _MAY_BE_SECRET.search(bare)
    if found is None:
        return bare
    start = bare.rfind(" ", 0, found.start()) + 1
    word = bare[start:].split(maxsplit=1)[0]
    kept = bare[: start + len(word)] if _KEYWORD.fullmatch(word) else bare[:start]
    return kept if kept == bare.rstrip() else f"{kept.rstrip()} {REMOVED}"


def _has_hint(folded: str) -> bool:
    for hint in _HINTS:  # noqa: SIM110 -- every line comes here, and `any` takes twice as long
        if hint in folded:
            return True
    return False


def _without_login(word: re.Match[str]) -> str:
    """A URL with a login, or `user:password@host` without its scheme."""
    return REMOVED if _LOGIN.search(word[0]) else word[0]


def mask_quoted(text: str) -> str:
    """Return a sentence with the IOS lines that it quotes in backticks masked.

    Examples
    --------
    >>> mask_quoted("`enable secret 5 xyz` was refused")
    '`enable secret <removed>` was refused'
    """
    return _IN_BACKTICKS.sub(lambda quoted: f"`{mask_line(quoted[1])}`", text)


def mask_reason(text: str) -> str:
    """Return a reason with the line of an unknown layout, which it quotes whole, masked.

    Examples
    --------
    >>> mask_reason("r1:7: 'snmp-server community xyz' is not the layout of show version")
    "r1:7: 'snmp-server <removed>' is not the layout of show version"
    """
    return mask_quoted(_UNKNOWN_LINE.sub(lambda at: f"{at[1]}{mask_line(at[2])}{at[3]}", text))


def mask_commands(text: str) -> str:
    """Return a list of commands, as coverage joins them, each masked.

    Examples
    --------
    >>> mask_commands("show run | i key xyz, show version")
    'show run | i key <removed>, show version'
    """
    return ", ".join(mask_line(each) for each in text.split(", "))


def _secrets_of(line: str) -> list[str]:
    """Pieces of a line that masking takes out, longest first."""
    if (masked := mask_line(line)) == line:
        return []
    kept = set(masked.split())
    pieces = [word for word in line.split() if word not in kept]
    return sorted((p for p in pieces if len(p) >= _TELLING_CHARACTERS), key=len, reverse=True)


def _finding(finding: Finding) -> Finding:
    message, shown_object = mask_quoted(finding.message), mask_quoted(finding.object)
    for place in finding.locations:
        for secret in _secrets_of(place.text):
            message = message.replace(secret, REMOVED)
            shown_object = shown_object.replace(secret, REMOVED)
    places = tuple(Place(at.file, at.line, mask_line(at.text)) for at in finding.locations)
    return replace(finding, message=message, object=shown_object, locations=places)


def _skipped(skipped: Skipped) -> Skipped:
    return replace(skipped, object=mask_quoted(skipped.object), reason=mask_quoted(skipped.reason))


def _coverage(coverage: FileCoverage) -> FileCoverage:
    unjudged = tuple(replace(each, what=mask_line(each.what)) for each in coverage.unjudged)
    assumed = tuple(mask_quoted(each) for each in coverage.assumed)
    taken_for = mask_commands(coverage.taken_for)
    return replace(coverage, taken_for=taken_for, unjudged=unjudged, assumed=assumed)


def _commands(coverage: DeviceCoverage) -> DeviceCoverage:
    return replace(coverage, captured=tuple(mask_line(each) for each in coverage.captured))


def masked(verdict: Verdict) -> Verdict:
    """Verdict without secrets; every renderer of a verdict starts with it.

    Remedies are left as they are: their lines are made of QoS statements alone and must stay
    exact to be pasted.
    """
    return replace(
        verdict,
        findings=tuple(_finding(each) for each in verdict.findings),
        skipped=tuple(_skipped(each) for each in verdict.skipped),
        coverage=tuple(_coverage(each) for each in verdict.coverage),
        devices=tuple(_commands(each) for each in verdict.devices),
        incomplete=tuple(mask_reason(each) for each in verdict.incomplete),
    )
