"""Words and keys of a finding: its figures, remedy, file, fingerprint, the words to replace."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Final
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Figure, Input, Narrowing, count, ends, figure, number
from advisor.lint.findings import (
    Finding,
    Forecast,
    Longest,
    ObjectKind,
    Place,
    Severity,
    SideEffect,
    Verdict,
)
from advisor.report.coverage import first_of

CHECK: Final = "check"  # an error that may be none
FELT_UNITS: Final = ("ms", "%")  # a rate that a shaper gets is no gain to read
_MS: Final = "ms"
_LONG_MS: Final = 10_000
_NO = "no "
_BETWEEN = "\0"  # no name holds it


def forecast_line(forecast: Forecast) -> str:
    """The figure of a finding, now and with its remedy."""
    after = "" if forecast.after is None else f" → {figure(forecast.after)}"
    return f"{forecast.metric}: {figure(forecast.before)}{after}"


def kind_of(finding: Finding) -> str:
    """The severity in words: an error that may be none is to check."""
    return CHECK if finding.is_to_check else finding.severity


def fault_words(finding: Finding) -> str:
    """The fault in one clause, as it goes on after a colon."""
    title = finding.title or finding.message
    return title if title[1:2].isupper() else f"{title[:1].lower()}{title[1:]}"


def felt_effect(finding: Finding) -> SideEffect | None:
    """The delay of voice that the step for a finding shortens, with the lines of other rules."""
    return finding.together.effect if finding.together is not None else most_shortened(finding)


def more_places(objects: Iterable[str]) -> str:
    """The number of places beside the first, as it goes on after it; "" where it is alone."""
    others = len(set(objects)) - 1
    return f" and {count(others, 'more place')}" if others else ""


def by_hand_words(finding: Finding) -> str:
    """How the advice of a finding is taken: by hand, and a check ahead of all else."""
    return f"{CHECK} before anything else" if finding.is_to_check else "by hand"


def gain_words(finding: Finding) -> str:
    """The gain of a remedy for voice, else in the finding's own figure; "" where neither is."""
    effect = felt_effect(finding)
    if effect is not None:
        return wait_words(effect)
    forecast = finding.prediction
    if forecast is None or forecast.after is None or forecast.before.unit not in FELT_UNITS:
        return ""
    if finding.is_open:
        return f"{forecast.metric}: {range_text(forecast.before)} → {range_text(forecast.after)}"
    return change_words(forecast)


def change_words(forecast: Forecast) -> str:
    """The figure of a finding without its interval, now and with its remedy."""
    return f"{forecast.metric}: {cost(forecast)}"


def wait_words(effect: SideEffect) -> str:
    """The mean wait of a priority class with its interval, with the remedy, and its budget."""
    before, after, unit = effect.before, effect.after, effect.before.unit
    low, high = number(before.low), number(before.high)
    ends_of_it = f" ({low} to {high})" if low != high else ""
    then = "" if after is None else f", {number(after.value)} {unit} with the remedy"
    budget = "" if effect.budget is None else f", budget {number(effect.budget)} {unit}"
    if effect.budget is not None and after is not None and after.value > effect.budget:
        budget += f": {number(after.value - effect.budget)} {unit} above it remain"
    counted = f" ({effect.counted})" if effect.counted else ""
    now = f"{number(before.value)} {unit} on average while the line is full{ends_of_it}"
    return f"priority class {effect.class_name} waits {now}{then}{budget}{counted}"


def joint_words(finding: Finding) -> str:
    """The delay with the lines of other findings too; "" where no other shortens it."""
    joint = finding.together
    if joint is None:
        return ""
    return f"{' and '.join(joint.rules)} together: {effect_words(joint.effect)}"


def beside_words(finding: Finding) -> str:
    """The remedy of the plan that stands for that of a finding, and which to paste; "" without."""
    cure = finding.remedy.merged if finding.remedy is not None else None
    if cure is None:
        return ""
    if finding.cured_by is None:
        first = "paste it and measure again" if finding.is_refuted else "paste it"
        return f"{first} ahead of {cure.rule}, whose lines cure it too"
    if cure.has_same_lines:
        return f"the same lines as {cure.rule}: paste them once"
    return f"no need to paste where {cure.rule} is done, whose lines cure it too"


def note_words(finding: Finding) -> str:
    """The advice beside the lines of a finding: what stands for them, what they interrupt."""
    notes = finding.remedy.notes if finding.remedy is not None else ""
    return "; ".join(filter(None, (beside_words(finding), notes)))


def most_shortened(finding: Finding) -> SideEffect | None:
    """The priority class whose delay the lines of a finding shorten most.

    None where the figure of the finding is a share of packets: that is the harm.
    """
    forecast = finding.prediction
    if forecast is not None and forecast.is_felt and forecast.before.unit == "%":
        return None
    effects = () if finding.remedy is None else finding.remedy.shorter
    return max(effects, key=lambda item: item.saved, default=None)


def effect_words(effect: SideEffect) -> str:
    """A figure of a class before and with the lines: "delay of VOICE 79.4 → 10.1 ms"."""
    name = effect.group or effect.class_name
    after = "none" if effect.after is None else number(effect.after.value)
    counted = f" ({effect.counted})" if effect.counted else ""
    ends_of_it = f"{number(effect.before.value)} → {after} {effect.before.unit}"
    return f"{effect.metric} of {name} {ends_of_it}{counted}"


def value_text(known: Figure) -> str:
    """The value of a figure with its unit, without its interval; long times are in seconds.

    >>> value_text(Figure(9999, 9999, 9999, "ms")), value_text(Figure(161684, 161684, 161684, "ms"))
    ('9999 ms', '162 s')
    """
    if known.unit == _MS and known.value >= _LONG_MS:
        return f"{number(known.value / 1000)} s"
    return f"{number(known.value)} {known.unit}".rstrip()


def range_text(known: Figure) -> str:
    """The interval of a figure with its unit."""
    return f"{ends(known)} {known.unit}".rstrip()


def cost(forecast: Forecast) -> str:
    """The value of a figure, now and with its remedy."""
    before = value_text(forecast.before)
    if forecast.after is None:
        return before
    after = value_text(forecast.after)
    unit = f" {forecast.after.unit}"
    return f"{before.removesuffix(unit) if after.endswith(unit) else before} → {after}"


def forecast_lines(forecast: Forecast) -> Iterator[str]:
    """A figure now and with the remedy, and its bounds, a line each."""
    yield forecast_line(forecast)
    if forecast.improvement is not None:
        yield f"improvement: {figure(forecast.improvement)}"
    bounds = {"ring_bound": forecast.ring_bound_ms, "class_bound": forecast.class_bound_ms}
    said = [f"{name} {_longest(known)}" for name, known in bounds.items() if known is not None]
    if said:
        yield f"worst case: {', '.join(said)}"


def method_lines(forecast: Forecast) -> Iterator[str]:
    """The formula of a mean delay, or that it is sampled; none of arithmetic."""
    if forecast.method is not None:
        methods = (forecast.method, forecast.after_method)
        yield f"method: {' → '.join(dict.fromkeys(filter(None, methods)))}"


def given_lines(forecast: Forecast) -> Iterator[str]:
    """The method of a figure, then its inputs, a line each."""
    yield from method_lines(forecast)
    yield from (f"given: {input_text(entry)}" for entry in forecast.inputs)


def _longest(known: Longest) -> str:
    before, after = (
        "none" if end is None else f"{number(end)} ms" for end in (known.before, known.after)
    )
    return before if known.after is None else f"{before} → {after}"


def narrowing_words(item: Narrowing) -> str:
    """An input to state, and what a figure becomes with it."""
    low, high = (f"{ends(one.figure)} ({one.stated})" for one in (item.low, item.high))
    return f"{item.key} of {item.of}: {low} or {high}"


def input_text(entry: Input) -> str:
    """One input of a prediction with its basis and its source."""
    interval = ""
    if (low := number(entry.low)) != (high := number(entry.high)):
        interval = f" (range {low}–{high})"
    source = f", {entry.source}" if entry.source else ""
    return f"{entry.name} {number(entry.value)}{interval} ({entry.basis}{source})"


def told_lines(finding: Finding) -> Iterator[str]:
    """The message of a finding, its figure, its remedy or the advice, and the way on."""
    yield finding.message
    if finding.prediction is not None:
        yield forecast_line(finding.prediction)
    remedy = finding.remedy
    if remedy is not None and remedy.lines:
        yield f"remedy ({remedy.level}):"
        yield from (f"  {line}" for line in remedy.lines)
        yield "rollback:"
        yield from (f"  {line}" for line in remedy.rollback)
    if remedy is not None and (notes := note_words(finding)):
        yield f"{'advice' if remedy.lines else 'remedy (manual)'}: {notes}"
    yield f"explain: advisor explain {finding.rule}"


def sequel_words(finding: Finding) -> str:
    """The findings to mend next, once the name of a finding is right; "" where there are none."""
    if not finding.then:
        return ""
    first, *others = finding.then
    rules = list(dict.fromkeys(item.rule for item in others if item.rule != first.rule))
    more = f"; then {first_of(rules)}" if rules else ""
    return f"once the name is right, mend {first.rule}: {first.message}{more}"


def with_skipped_as_one(verdict: Verdict) -> Verdict:
    """A verdict whose files of other systems, where several are skipped, are one finding."""
    skipped = [finding for finding in verdict.standing if is_skipped_file(finding)]
    if len(skipped) <= 1:
        return verdict
    systems = Counter(file.other_system for file in verdict.coverage if file.other_system)
    named = ", ".join(f"{total} {system}" for system, total in systems.most_common())
    files = count(len(skipped), "file")
    message = f"recognised and skipped: {named}; -v lists them"
    one = replace(skipped[0], device=files, object="other systems", locations=(), message=message)
    others = tuple(
        finding
        for finding in verdict.findings
        if finding.suppressed is not None or not is_skipped_file(finding)
    )
    return replace(verdict, findings=(*others, one))


def of_skipped_files(verdict: Verdict, *, is_wanted: bool) -> Verdict:
    """A verdict with the findings of files that are skipped alone, or with all but those."""
    found = (item for item in verdict.standing if is_skipped_file(item) is is_wanted)
    return replace(verdict, findings=tuple(found))


def is_skipped_file(finding: Finding) -> bool:
    """Whether a finding says that a file is of another system."""
    return finding.object_kind is ObjectKind.FILE and finding.severity is Severity.INFO


class Replaced(Struct, frozen=True):
    """A line of a finding that its remedy replaces; `now` is None where it removes the line.

    From `start` up to `end` are the characters of the line that change.
    """

    at: Place
    now: str | None
    start: int
    end: int


def replaced(finding: Finding) -> Replaced | None:
    """The one line that the remedy of a finding replaces or removes.

    None where the remedy changes more than that, or another line than the one that is marked. Then
    the change cannot be said of a line of the file.
    """
    remedy, at = finding.remedy, finding.locations[:1]
    if remedy is None or not remedy.lines or not at or not at[0].text:
        return None
    *section, now = remedy.lines
    *section_before, before = remedy.rollback or ("",)
    if section != section_before or before.strip() != at[0].text:
        return None
    if not _are_nested(remedy.lines) or not _are_nested(remedy.rollback):
        return None
    text, now = at[0].text, now.strip()
    if now == f"{_NO}{text}":
        return Replaced(at[0], None, 0, len(text))
    if now.startswith(_NO) or now.split()[0] != text.split()[0]:
        return None
    return Replaced(at[0], now, *_difference(text.split(" "), now.split(" ")))


def _are_nested(lines: Sequence[str]) -> bool:
    """Whether each line is the section of the next one."""
    depths = [len(line) - len(line.lstrip()) for line in lines]
    return all(depth == index for index, depth in enumerate(depths))


def _difference(before: list[str], now: list[str]) -> tuple[int, int]:
    """Start and end of the words that only the older line has; of all words where none are."""
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    alike = 0
    while alike < min(len(before), len(now)) - same and before[~alike] == now[~alike]:
        alike += 1
    words = before[same : len(before) - alike]
    if not words:
        return 0, len(" ".join(before))
    start = sum(len(word) + 1 for word in before[:same])
    return start, start + len(" ".join(words))


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


def files_by_device(verdict: Verdict) -> dict[str, str]:
    """The first file of each device, by its name and by the name of the file."""
    files = {file.file: file.file for file in verdict.coverage}
    for file in reversed(verdict.coverage):
        if file.device is not None:
            files[file.device] = file.file
    return files


def file_of(finding: Finding, files: Mapping[str, str]) -> str:
    """The file of the line that is marked, else of the device; its name where neither is known."""
    if finding.locations:
        return finding.locations[0].file
    return files.get(finding.device, finding.device)


def path_of(finding: Finding, files: Mapping[str, str]) -> str:
    """The file or bundle of a finding."""
    from advisor.capture.read_bundle import RUNNING_CONFIG  # noqa: PLC0415 -- of a finding alone

    path = file_of(finding, files)
    folder, name = os.path.split(path)
    return folder if folder and name == RUNNING_CONFIG else path


def relative_path(name: str) -> str:
    """The path of a file from the current folder, with slashes; others as they are.

    >>> relative_path("./sites/r1.cfg"), relative_path("/tmp/r1.cfg")
    ('sites/r1.cfg', '/tmp/r1.cfg')
    """
    path = os.path.normpath(name)
    if os.path.isabs(path):  # noqa: PTH117 -- a name may be of any bytes
        below = os.path.relpath(path)
        path = path if below.startswith(os.pardir) else below
    return PurePath(path).as_posix()


def relative_uri(name: str) -> str:
    """The same as a URI reference.

    >>> relative_uri("sites/r 1%.cfg"), relative_uri("/tmp/r1.cfg")
    ('sites/r%201%25.cfg', 'file:///tmp/r1.cfg')
    """
    path = relative_path(name)
    quoted = quote(path.encode("utf-8", "surrogateescape"), safe="/")
    return f"file://{quoted}" if path.startswith("/") else quoted
