"""A device to findings: rules judge it, remedies are proven."""
