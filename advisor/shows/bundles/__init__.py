"""Members of multilink bundles, and fragment sizes of circuits."""
