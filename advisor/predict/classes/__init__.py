"""Every class of an output, solved over what is not known."""
