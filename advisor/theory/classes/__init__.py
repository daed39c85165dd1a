"""The queues of an interface: below saturation, full, first in first out."""
