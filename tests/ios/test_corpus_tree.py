"""The corpus of real configurations: every line is in the tree, every system is named."""

from pathlib import Path

import pytest

from advisor.ios.syntax.detect import Dialect, identify
from advisor.ios.syntax.reader import parse_config
from advisor.ios.terminal import decode
from tests.support.outside import CORPUS, needs

CONFIGS = CORPUS / "configs"
FILES = sorted(path for path in CONFIGS.rglob("*") if path.is_file())

needs_corpus = needs(CONFIGS)

BY_FOLDER = {
    "ios": Dialect.IOS,
    "fragments": Dialect.IOS,
    "nxos": Dialect.NXOS,
    "asa": Dialect.ASA,
    "iosxr": Dialect.IOS_XR,
    "eos": Dialect.EOS,
}
MIXED = "a test of a grammar that mixes systems"
CUMULUS = "Cumulus Linux: /etc/network/interfaces and FRR"
XR_ROUTING = "interfaces named with four numbers inside `router isis`: IOS XR"
# Files that stand in a folder of another system than they are of: part of name -> (system, reason).
MISPLACED = {
    "cisco_mpls.cfg": (Dialect.IOS_XR, "`mpls ldp` as a section, TenGigE0/0/2/0"),
    "cisco_system.cfg": (Dialect.NXOS, "`system default switchport`, `admin-vdc`: NX-OS only"),
    "ibgp-no-update-source__r1.cfg": (Dialect.EOS, "Ethernet1, addresses and routes with /length"),
    "ibgp-no-update-source__r2.cfg": (Dialect.EOS, "Ethernet1, addresses and routes with /length"),
    "10-isis__P5.cfg": (Dialect.IOS_XR, XR_ROUTING),
    "10-isis__PE1.cfg": (Dialect.IOS_XR, XR_ROUTING),
    "10-isis__PE6.cfg": (Dialect.IOS_XR, XR_ROUTING),
    "15-provider-standard__PE1.cfg": (Dialect.IOS_XR, "`segment-routing mpls sr-prefer`"),
    "inter-as__10-igp__P6.cfg": (Dialect.IOS_XR, "interfaces inside `area 0`"),
    "srv6__10-isis-ipv6__P3.cfg": (Dialect.IOS_XR, XR_ROUTING),
    "onug_cost_optimized_s3_path__bl01__": (Dialect.DEBIAN, CUMULUS),
    "onug_cost_optimized_s3_path__leaf": (Dialect.DEBIAN, CUMULUS),
    "onug_cost_optimized_s3_path__spine": (Dialect.DEBIAN, CUMULUS),
    "__ios-listener.cfg": (Dialect.IOS, "the IOS neighbour: FastEthernet0/0, masks, `ipv4 vrf`"),
    "eos_ospf_bgp__dlh15__": (Dialect.IOS, "`version 15.7` and `Current configuration : N bytes`"),
    "cisco_xr_ios_vpnv4__CE3__": (Dialect.IOS, "the IOS customer routers of an XR lab: 15.7"),
    "cisco_xr_ios_vpnv4__CE4__": (Dialect.IOS, "the IOS customer routers of an XR lab: 15.7"),
    "cisco_dynamic_access_policy_record.cfg": (Dialect.ASA, "access policies: ASA only"),
    "cisco_interface.cfg": (Dialect.IOS_XR, f"`ipv4 address`, {MIXED}"),
    "cisco_logging.cfg": (Dialect.ASA, f"`logging asdm`, {MIXED}"),
    "cisco_qos.cfg": (Dialect.NXOS, f"`class type network-qos`, {MIXED}"),
    "cisco_role.cfg": (Dialect.NXOS, "`role name`: NX-OS only"),
    "cisco_vlan.cfg": (Dialect.FASTIRON, f"`tagged ethe 1/2`, {MIXED}"),
    "f5_bigip_structured": (Dialect.F5, "nodes and pools"),
    "sonic_bgp_lab": (Dialect.FRR, "the routing of SONiC is FRRouting"),
    "extreme_netiron": (Dialect.FASTIRON, "a NetIron"),
    "paloalto_panos": (Dialect.PANOS, "a PAN-OS firewall"),
    "ironware_ICX7150": (Dialect.FASTIRON, "an ICX"),
    "checkpoint_bond_vlan__inside__": (Dialect.NXOS, "the Nexus inside the firewall: `vdc inside`"),
}


def text_of(path: Path) -> str:
    return decode(path.read_bytes())[0]


def expected(path: Path) -> Dialect:
    misplaced = (system for part, (system, _) in MISPLACED.items() if part in path.name)
    return next(misplaced, None) or BY_FOLDER[path.parent.name]


@needs_corpus
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_file_comes_back_byte_for_byte(path: Path) -> None:
    text, encoding = decode(path.read_bytes())
    assert parse_config(text).text().encode(encoding) == path.read_bytes()


@needs_corpus
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_system_is_named(path: Path) -> None:
    assert identify(text_of(path)).dialect is expected(path)


@needs_corpus
def test_every_misplaced_file_is_there() -> None:
    names = [path.name for path in FILES]
    assert [part for part in MISPLACED if not any(part in name for name in names)] == []


@needs_corpus
def test_no_whole_configuration_is_taken_for_cut() -> None:
    trees = {path.name: parse_config(text_of(path)) for path in FILES if path.parent.name == "ios"}
    assert {name: tree.problems for name, tree in trees.items() if tree.problems} == {}


@needs_corpus
def test_no_indented_configuration_is_taken_for_flat() -> None:
    flat = [path.name for path in FILES if parse_config(text_of(path)).flat]
    assert flat == []
