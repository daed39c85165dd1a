"""Every class of an output, solved over the range of its unknown inputs."""
