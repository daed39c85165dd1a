"""`show ip sla statistics` and its older forms."""
