"""A capture on disk: a folder with a manifest and one file for each command."""

from advisor.bundle.manifest import MANIFEST, SCHEMA
from advisor.bundle.read import is_bundle, read_bundle
from advisor.bundle.write import BundleError, write_bundle

__all__ = ["MANIFEST", "SCHEMA", "BundleError", "is_bundle", "read_bundle", "write_bundle"]
