"""A device with a secret at every place, numbered, so that a leak says where it comes from."""

from itertools import count

from tests.masking.kinds import S, kinds

_numbers = count(1)


def _marked(text: str) -> str:
    """Number each secret of a text."""
    while S in text:
        text = text.replace(S, f"zQ{next(_numbers):04d}q", 1)
    return text


_PLANTED = "\n".join(whole for _, whole, _ in kinds())
_NESTED = "\n".join(f"  {short}" for _, _, short in kinds()[::3] if "#" not in short)
_BARE = f"""\
version 15.1
hostname r1
class-map match-any VOICE
 description {S}
 match ip dscp ef
 match protocol http url "*{S}*"
class-map match-any BULK
 match access-group name ftp://u:{S}@h
 match ip dscp af11
policy-map WAN
 description {S}
 class VOICE
  priority 400
  description {S}
  police cir {S}
  frobnicate {S}
 class BULK
  bandwidth 20
  random-detect dscp-based
  random-detect dscp 10 40 20 10
  queue-limit 6
 class class-default
  fair-queue
policy-map OLD
 class ftp://u:{S}@h
  bandwidth 10
policy-map WNA
 class VOICE
  priority 64
interface Multilink2001100117
 description {S}
 bandwidth 256
 ip address 192.0.2.13 255.255.255.252
 ppp multilink
 ppp multilink fragment delay 40
 ppp multilink group 2001100117
 ppp chap password 0 {S}
 service-policy output WAN
interface Serial0/0
 description {S}
 bandwidth 512
 clock rate 512000
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 tx-ring-limit 64
 hold-queue 4096 out
 service-policy output WAN
{_NESTED}
interface Serial0/1
 description {S}
 bandwidth 512
 encapsulation frame-relay
 frame-relay map ip 192.0.2.6 100 {S}
 frame-relay interface-dlci 101
  class ftp://u:{S}@h
 service-policy output WAN-EDEG
interface ATM0/0.1 point-to-point
 pvc ftp://u:{S}@h 0/100
  ubr 512
  service-policy output WAN
dlsw local-peer peer-id 192.0.2.1 key {S}
dlsw remote-peer 0 tcp 192.0.2.2 password {S}
ip sla 1
 icmp-echo {S}.example.com
 tag {S}
 owner {S}
ip sla 2
 http get http://u:{S}@192.0.2.9/x?pass={S}
ip sla 3
 ftp get ftp://u:{S}@192.0.2.9/x
ip sla 4
 udp-jitter {S}.example.com 16384 codec g729a
ip sla 5
 http raw http://u:{S}@192.0.2.9/
  http-raw-request
  Authorization: Basic {S}
  exit
ip sla monitor 6
 type http operation get url http://u:{S}@192.0.2.9/
rtr 7
 type ftp operation get url ftp://u:{S}@192.0.2.9/x
ip sla schedule 1 start-time now life forever
ip sla schedule 2 start-time now life forever
aaa server radius dynamic-author
 client 192.0.2.1
 ser {S}
dial-peer voice 1 voip
 destination-pattern {S}
 session target sip-server:u:{S}@h
 max-conn 5
{_PLANTED}
banner motd ^C
 {S}
 class {S}
^C
access-list 101 permit tcp any any log {S}
! {S}
end
"""
CONFIG = _marked(_BARE)
LOG = _marked(
    f"""\
r1#conf t
Enter configuration commands, one per line.  End with CNTL/Z.
r1(config)#banner motd c
Enter TEXT message.  End with the character 'c'.
hostname {S}
vlan {S}
c
r1(config)#ban login ^
Enter TEXT message.  End with the character '^'.
class {S}
^
r1(config)#menu m title ^C
Enter TEXT message.  End with the character '^C'.
policy-map {S}
^C
r1(config)#macro name {S}
Enter macro commands one per line. End with the character '@'.
policy-map {S}
@
r1(config)#crypto key import rsa x pem terminal {S}
% Enter PEM-formatted public General Purpose key or certificate.
{S}
quit
r1(config)#end
r1#copy running-config ftp:
Address or name of remote host []? u:{S}@192.0.2.1
Destination filename [r1-confg]? {S}
Password: {S}
Writing {S} !!
r1#enable
Password: {S}
r1#test aaa group radius bob {S} legacy
r1#copy http://u:{S}@192.0.2.1/x flash:
r1#show running-config
Building configuration...

{_BARE}
r1#show interfaces Serial0/0
Serial0/0 is up, line protocol is up
  Hardware is GT96K Serial
  Description: {S}
  Internet address is 192.0.2.1/30
  MTU 1500 bytes, BW 512 Kbit/sec, DLY 20000 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  frobnicate {S}
r1#show policy-map interface Serial0/0
 Serial0/0

  Service-policy output: WAN

    Class-map: VOICE (match-any)
      1000 packets, 64000 bytes
      5 minute offered rate 24000 bps, drop rate 12000 bps
      Match: protocol http url "*{S}*"
      Description: {S}
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 400 (kbps) Burst 10000 (Bytes)
        (pkts matched/bytes matched) 1000/64000
        (total drops/bytes drops) 100/6400
r1#show ip sla statistics {S}
IPSLA operation id: 1
Owner: {S}
Tag: {S}
Target URL: http://u:{S}@192.0.2.9/
r1#show ip sla configuration
URL: http://u:{S}@192.0.2.9/
Proxy: {S}
r1#show users
*  2 vty 0     {S}      idle  00:00:00 192.0.2.1
r1#show snmp community
Community name: {S}
r1#show version
Cisco IOS Software, 2800 Software (C2800NM-ADVIPSERVICESK9-M), Version 12.4(15)T9, RELEASE SOFTWARE
System image file is "tftp://u:{S}@192.0.2.1/c2800.bin"
Last reload reason: reload by {S}
*Mar  1 00:00:01: %SYS-5-CONFIG_I: Configured from console by {S} on vty0
r1#show processes cpu | redirect ftp://u:{S}@192.0.2.1/x
r1#show dlsw peers
neighbor 192.0.2.1 password {S}
r1#show crypto isakmp key
default  192.0.2.1  {S}
r1#show running-config | include {S}
username {S} password 0 {S}
r1#
"""
)
