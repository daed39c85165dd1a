"""Masks secrets, line by line, in every bundle and every report that leaves the tool."""

from advisor.capture.masking.document import redact_config, without_secrets
from advisor.capture.masking.exec import mask_captured, mask_command
from advisor.capture.masking.line import (
    mask_line,
    mask_output_line,
    mask_quoted,
    mask_quoted_line,
    removed_words,
    typed_words,
)
from advisor.capture.masking.outputs import mask_output
from advisor.capture.masking.words import REMOVED, is_masked

__all__ = [
    "REMOVED",
    "is_masked",
    "mask_captured",
    "mask_command",
    "mask_line",
    "mask_output",
    "mask_output_line",
    "mask_quoted",
    "mask_quoted_line",
    "redact_config",
    "removed_words",
    "typed_words",
    "without_secrets",
]
