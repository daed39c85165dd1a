"""Values of a `dlsw remote-peer` line."""

from msgspec import Struct

from advisor.facts.dlsw import PeerOptions, Transport


class PeerLine(Struct, frozen=True):
    """A peer to name. List 0 stands for all rings and bridge groups.

    `primary` is the peer that it stands in for, None where it stands in for no other. `filters`
    are options that limit what the peer carries.
    """

    list_number: int
    transport: Transport
    address: str
    primary: str | None = None
    filters: str = ""

    @property
    def words(self) -> str:
        """What follows `dlsw remote-peer`."""
        backup = f" backup-peer {self.primary}" if self.primary else ""
        return f"{self.list_number} {self.transport} {self.address}{backup}{self.filters}"


def filters_of(options: PeerOptions) -> str:
    """The options that keep frames from a peer, as they are entered: its backup needs them too."""
    filters = {
        "bytes-netbios-out": options.bytes_netbios_out,
        "dest-mac": options.dest_mac,
        "dmac-output-list": options.dmac_output_list,
        "host-netbios-out": options.host_netbios_out,
        "lsap-output-list": options.lsap_output_list,
    }
    return "".join(f" {word} {value}" for word, value in filters.items() if value is not None)
