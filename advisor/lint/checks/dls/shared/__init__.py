"""What the rules on DLSw+ share."""
