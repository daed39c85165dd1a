"""Facts about platforms: tables with sources."""
