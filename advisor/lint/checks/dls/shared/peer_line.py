"""Values of a `dlsw remote-peer` line."""

from msgspec import Struct

from advisor.facts.dlsw import Transport


class PeerLine(Struct, frozen=True):
    """A peer to name. List 0 stands for all rings and bridge groups.

    `primary` is the peer that it stands in for, None where it stands in for no other.
    """

    list_number: int
    transport: Transport
    address: str
    primary: str | None = None

    @property
    def words(self) -> str:
        """What follows `dlsw remote-peer`."""
        backup = f" backup-peer {self.primary}" if self.primary else ""
        return f"{self.list_number} {self.transport} {self.address}{backup}"
