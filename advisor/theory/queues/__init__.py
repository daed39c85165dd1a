"""All queues of an interface at once: the recursion of scheduler, ring and wire."""
