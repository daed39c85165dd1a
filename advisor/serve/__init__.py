"""The what-if page: answers, a server on loopback, and a folder that needs no server."""
