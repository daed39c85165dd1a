"""The file of a finding for formats that want one, also where it has no line."""

from collections.abc import Mapping

from advisor.lint.findings import Finding, Verdict


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
