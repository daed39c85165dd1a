"""Simulated routers: IOS-like SSH servers on the loopback address, for trials.

They answer from the files of a bundle, or from a simulated link in real time, and can show the
faults of real devices. Importing
`advisor.collect.demo.ssh_server` needs asyncssh, the extra `demo`; the script of a router does not.
"""
