"""A capture on disk: a folder with a manifest and one file for each command."""

from advisor.capture.bundle.read import MANIFEST, SCHEMA, is_bundle, read_bundle, with_texts
from advisor.capture.bundle.write import BundleError, refuse_others, write_bundle

__all__ = [
    "MANIFEST",
    "SCHEMA",
    "BundleError",
    "is_bundle",
    "read_bundle",
    "refuse_others",
    "with_texts",
    "write_bundle",
]
