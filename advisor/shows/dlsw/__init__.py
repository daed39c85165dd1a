"""The `show dlsw` outputs."""
