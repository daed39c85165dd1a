"""What is known of a platform: tables with sources."""
