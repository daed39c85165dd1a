"""What the rules on IP SLA probes share."""
