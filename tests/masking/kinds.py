"""Every kind of command of IOS and IOS XE that holds a secret, whole and abbreviated.

`S` is the secret.
"""

import re
from typing import Final

S: Final = "S3ntinelQ7"

# What the kind is, the command as IOS prints it, and as an engineer may type it.
_TABLE: Final = """
enable secret | enable secret 0 S | ena sec 0 S
enable password | enable password level 7 S | en pass S
enable secret of a view level | enable secret level 7 9 S | ena secr level 7 9 S
user with password | username bob privilege 15 password 0 S | usern bob pass S
user with secret | username bob secret 9 S | user bob sec S
name of a user | username S privilege 15 | usern S priv 15
password of a line | password 7 S | passw S
login of a line | login user S | logi us S
lock of a mode | privilege exec level 5 S | priv exe lev 5 S
SNMP community | snmp-server community S RO | snmp-s comm S
SNMP user | snmp-server user u g v3 auth md5 S priv des56 S | snmp-serv us u g v3 au md S
SNMP host | snmp-server host 192.0.2.1 version 2c S | snmp-s ho 192.0.2.1 S
SNMP group | snmp-server group S v3 priv | snmp-s gr S v3
SNMP contact | snmp-server contact S | snmp-s cont S
SNMP location | snmp-server location S | snmp-s loc S
SNMP engine of a peer | snmp-server engineID remote 192.0.2.1 S | snmp-s en r 192.0.2.1 S
TACACS+ key | tacacs-server key 7 S | tacacs-server ke S
TACACS+ host with key | tacacs-server host 192.0.2.1 key S | tac ho 192.0.2.1 ke S
TACACS+ server key | key 6 S | ke 6 S
RADIUS key | radius-server key S | radius ke S
RADIUS host with key | radius-server host 192.0.2.1 auth-port 1812 key S | rad ho 192.0.2.1 ke S
RADIUS server of a group | server-private 192.0.2.1 timeout 5 key S | server-p 192.0.2.1 ke S
RADIUS client of CoA | client 192.0.2.1 server-key S | cli 192.0.2.1 server-k S
RADIUS automated tester | automate-tester username S | automate-t us S
RADIUS pac key | pac key 0 S | pac ke S
LDAP bind | bind authenticate root-dn cn=x,dc=y password S | bi auth root-dn cn=S pass S
LDAP base | base-dn S | base S
AAA banner on a line | aaa authentication banner #S# | aaa authen ban #S#
AAA group name | aaa group server tacacs+ S | aaa gr se tacacs+ S
key of a chain | key-string 7 S | key-str S
ISAKMP key | crypto isakmp key S address 192.0.2.1 | cry isa ke S add 192.0.2.1
pre-shared key of a keyring | pre-shared-key address 192.0.2.1 key S | pre-sh add 192.0.2.1 ke S
pre-shared key of IKEv2 | pre-shared-key local S | pre-shared-k loc S
key of a client group | crypto isakmp client configuration group S | cry isa cli conf gr S
IKEv2 profile identity | identity local fqdn S | ident loc fq S
xauth of a server list | set aggressive-mode password S | set aggr pass S
EzVPN group | group g key S | gro g ke S
EzVPN user | username u password S | usern u passw S
IPsec session key | set session-key inbound esp 256 cipher S authenticator S | set sess inb esp 256 ci S
PKI enrollment password | password S | passwo S
PKI enrollment URL | enrollment url http://u:S@192.0.2.1 | enr ur http://u:S@192.0.2.1
PKI export | crypto pki export x pkcs12 tftp: password S | cry pk exp x pk tftp: pass S
PKI import of PEM | crypto key import rsa x pem terminal S | cry ke imp rsa x pem te S
PKI server | database url ftp://u:S@192.0.2.1 | datab ur ftp://u:S@192.0.2.1
PPP CHAP password | ppp chap password 0 S | pp ch pass S
PPP CHAP name | ppp chap hostname S | ppp ch ho S
PPP PAP | ppp pap sent-username u password S | pp pa sent u pass S
PPP EAP | ppp eap password S | pp eap pass S
dialer string | dialer string S | dia st S
dialer map with a name | dialer map ip 192.0.2.1 name S | dia ma ip 192.0.2.1 na S
L2TP password | l2tp tunnel password 0 S | l2tp tu pass S
L2TP class | authentication S | authen S
L2TP digest | digest secret 0 S hash md5 | dig sec S
VPDN domain | request-dialin domain S | request-d dom S
VPDN source | vpdn authen-before-forward S | vpd auth S
OSPF key | ip ospf authentication-key 0 S | ip os authentication-k S
OSPF digest | ip ospf message-digest-key 1 md5 S | ip osp mess 1 md S
OSPF virtual link | area 1 virtual-link 192.0.2.1 authentication-key S | are 1 vi 192.0.2.1 auth S
OSPFv3 IPsec | ospfv3 authentication ipsec spi 256 md5 S | ospfv auth ips sp 256 md S
IPv6 OSPF | ipv6 ospf encryption ipsec spi 256 esp null sha1 S | ipv6 os enc ips spi 256 S
EIGRP named key | authentication mode hmac-sha-256 0 S | authe mo hmac S
RIP key chain | ip rip authentication key-chain S | ip rip auth key S
IS-IS password | isis password S level-2 | isi pass S
IS-IS area | area-password S | area-pass S
IS-IS domain | domain-password S | domain-p S
BGP password | neighbor 192.0.2.1 password 7 S | neighbor 192.0.2.1 pass S
BGP description | neighbor 192.0.2.1 description S | nei 192.0.2.1 desc S
BGP AO | neighbor 192.0.2.1 ao S include-tcp-options | nei 192.0.2.1 ao S
HSRP | standby 1 authentication md5 key-string S | stan 1 au md key-s S
HSRP text | standby authentication S | stand au S
VRRP | vrrp 1 authentication text S | vrr 1 auth tex S
GLBP | glbp 1 authentication md5 key-string 0 S | glb 1 auth md ke S
MSDP | ip msdp password peer 192.0.2.1 0 S | ip msd pas peer 192.0.2.1 S
LDP | mpls ldp neighbor 192.0.2.1 password S | mpl ldp nei 192.0.2.1 pass S
LDP default | mpls ldp password option 1 for 10 S | mpl ld passw opt 1 for 10 S
RSVP | ip rsvp authentication key S | ip rsv auth key S
NHRP | ip nhrp authentication S | ip nh auth S
WCCP | ip wccp web-cache password 0 S | ip wc web pass S
NTP | ntp authentication-key 1 md5 S 7 | ntp authentication-k 1 md S
HTTP client | ip http client password 0 S | ip ht cl pass S
HTTP client name | ip http client username S | ip ht cl us S
HTTP proxy | ip http client proxy-server S proxy-port 80 | ip htt cl proxy-s S
FTP password | ip ftp password 7 S | ip ft pass S
FTP name | ip ftp username S | ip ft use S
TFTP | ip tftp blocksize S | ip tft S
SCP user | ip scp username S password S | ip sc usern S pass S
RCMD | ip rcmd remote-username S | ip rcm remote-u S
RCMD host | ip rcmd remote-host a 192.0.2.1 S enable | ip rc remote-h a 192.0.2.1 S
SSH name | ip ssh pubkey-chain username S | ip ss pub usern S
SSH public key of a user | key-hash ssh-rsa S | key-h ssh-rsa S
archive path | path scp://u:S@192.0.2.1/$h | pat scp://u:S@192.0.2.1
boot of a URL | boot system ftp://u:S@192.0.2.1/c2800.bin | boo sys ftp://u:S@192.0.2.1/c2800.bin
boot of a configuration | boot config tftp://S/x nvbypass | boo conf tftp://S/x
boot network | boot network tftp://u:S@192.0.2.1/x | boo net tftp://u:S@192.0.2.1/x
WPA key | wpa-psk ascii 0 S | wpa-p as 0 S
WEP key | encryption key 1 size 128bit 0 S transmit-key | encr ke 1 si 128 0 S
guest SSID | dot11 ssid S | dot1 ssi S
WLAN of XE | security wpa psk set-key ascii 0 S | sec wpa ps set as 0 S
SAP key | sap pmk S mode-list gcm-encrypt | sap pm S
CTS | cts credentials id u password S | ct cred id u pass S
SXP | cts sxp default password 0 S | cts sx def pass S
MACsec key chain | mka pre-shared-key key-chain S | mk pre ke S
MACsec connectivity key | cryptographic-algorithm aes-128-cmac S | cryptog aes S
MAB | mab request format attribute 2 0 S | ma req for attr 2 S
802.1X credentials | dot1x credentials S | dot1 cre S
EAP profile | eap profile S | ea prof S
802.1X supplicant password | anonymous-id S | anon S
Kerberos | kerberos srvtab entry host/r@X 0 932423 1 1 8 S | kerb srv ent host/r@X S
Kerberos realm | kerberos local-realm S | ker local-r S
RMON | rmon event 1 log trap S description x owner y | rmo ev 1 log tra S
RMON owner | rmon event 1 log owner S | rmo ev 1 lo ow S
chat script | chat-script x "" "ATDT S" TIMEOUT 30 CONNECT | chat-s x S
modem script | script dialer S | scr dia S
cellular profile | cellular 0 lte profile create 1 S chap u S | cell 0 lt prof cr 1 S
cellular PIN | lte sim unlock S | lt si unl S
Kron | cli copy run tftp://u:S@192.0.2.1 | cl copy run S
Kron policy | kron policy-list S | kro pol S
autocommand | autocommand telnet S | autoc telnet S
alias | alias exec x show S | ali exe x S
menu | menu m command 1 telnet S | men m comm 1 S
menu title | menu m title #S# | men m tit #S#
macro | macro description S | mac desc S
macro trace | macro global apply x S | macr gl app x S
EEM action | action 1.0 cli command "S" | acti 1.0 cl comm "S"
EEM mail | action 2 mail server "u:S@h" to "x" | act 2 mai ser "u:S@h"
EEM variable | event manager environment _p S | ev man env _p S
EEM policy | event manager policy S.tcl type user | ev man pol S.tcl
EEM name | event manager session cli username S | ev man ses cl us S
call-home mail | mail-server u:S@192.0.2.1 priority 1 | mail-s u:S@192.0.2.1
call-home URL | destination address http https://h/x?user=u&pass=S | dest addr http https://h/?p=S
call-home contact | contact-email-addr S@example.com | contact-e S@example.com
call-home proxy | http-proxy "S" port 80 | http-p "S"
call-home site | street-address S | street-a S
Smart Licensing token | license smart register idtoken S | lic sm reg idt S
Smart Licensing URL | license smart url https://u:S@h/x | lic sm ur https://u:S@h
SIP credentials | credentials username u password 7 S realm r | cred us u pass S
SIP authentication | authentication username u password 0 S | authent us u pass S
SIP registrar | registrar dns:S expires 3600 | regi dns:S
phone password | username u password S | user u passwo S
phone PIN | pin S | pi S
phone of voice register | voice register pool S | voi reg po S
telephony service | web admin system name S password S | web adm sys na S pass S
dial peer | destination-pattern S | dest S
conference bridge | dspfarm profile S | dspf prof S
H.323 key | security password-group S | secu pass S
H.323 gateway | h323-gateway voip h323-id S | h323-g vo h323 S
gatekeeper | security token required-for all S | sec tok S
gatekeeper zone | zone local S example.com | zon loc S
NETCONF | netconf-yang ssh password S | netconf ss pas S
RESTCONF | restconf token S | restc S
DDNS URL | add http://u:S@h/update?hostname=<h> | ad http://u:S@h
DDNS method | ip ddns update method S | ip ddn up meth S
EzVPN mode | crypto ipsec client ezvpn S | cry ips cli ez S
WebVPN | webvpn gateway S | webv gat S
WebVPN SSO | web-agent-url http://u:S@h | web-a http://u:S@h
WebVPN secret | secret-key S | secret-k S
RTP conference | ip rtp compression S | ip rt comp S
STUN | stun authentication S | stu auth S
STUN of SIP | shared-secret 0 S | shared-s S
DLSw NetBIOS | dlsw netbios-keepalive-filter S | dls netb S
BSTUN | bstun key S | bst ke S
X.25 | x25 password S | x2 pass S
X.25 host | x25 host S 12345 | x2 ho S
CNS password | cns password S | cn pass S
CNS id | cns id string S | cn id str S
CNS config | cns config initial 192.0.2.1 event S | cn conf S
management tunnel | mgmt-tunnel key S | mgmt-t S
mediatrace | mediatrace initiator source-ip 192.0.2.1 S | mediat in S
app hosting | run-opts 1 "-e PASSWORD=S" | run-o 1 "-e P=S"
app of XE | app-hosting appid S | app-h app S
guest shell | guestshell run echo S | guests run echo S
TCL | tclsh tftp://u:S@192.0.2.1/x.tcl | tcls S
TCL secret | puts S | put S
probe of HTTP | http get http://h/x?user=u&pass=S | htt ge http://h/?p=S
probe of HTTP, raw | http raw http://h S | htt raw http://h S
probe of HTTP, header | Authorization: Basic S | authoriz S
probe of FTP | ftp get ftp://u:S@h/x | ft ge ftp://u:S@h/x
probe of DNS | dns S name-server 192.0.2.1 | dn S name-s 192.0.2.1
probe proxy | proxy http://u:S@h | prox http://u:S@h
probe tag | tag S | ta S
probe owner | owner S | own S
probe key | ip sla key-chain S | ip sl key S
HTTP match | match protocol http header-field "Authorization: S" | mat pro htt S
HTTP match of a URL | match protocol http url "*pass=S*" | ma prot htt ur "*S*"
match of a header | match protocol http c-header-field "S" | mat prot htt c-h "S"
remark of a list | access-list 10 remark S | access-l 10 rem S
remark in a list | 10 remark S | 10 rem S
remark alone | remark S | rema S
description | description S | desc S
description of a group | peer-group description S | peer-g desc S
description of a VRF | vrf x description S | vrf x desc S
description of a track | track 1 description S | trac 1 desc S
description of a map | crypto map m 1 description S | cry map m 1 desc S
cookie of a list entry | access-list 101 permit ip any any log S | access-l 101 per ip an an log S
comment | ! S | !S
event of XE | event tag x cli pattern "S" | even tag x cli pat "S"
login block | login quiet-mode access-class S x | logi qui S x
logging by name | logging host S | logg ho S
DNS host | ip host S 192.0.2.1 | ip hos S 192.0.2.1
DNS domain | ip domain name S | ip dom na S
DHCP option | option 150 ascii S | opti 150 asc S
DHCP client id | client-identifier S | client-i S
PPPoE service | pppoe-client service-name S | pppoe-c ser S
ADSL | dsl username S | ds us S
ISDN | isdn answer1 S:S | isd ans S
VTP | vtp password S hidden | vt pass S
VTP domain | vtp domain S | vt dom S
UDLD | udld key S | udl ke S
port security of a template | template S | templ S
type 5 hash anywhere | hostname r1 $1$abcd$S | host r1 $1$abcd$S
RADIUS key of CoA, on a line of its own | server-key 7 S | server-ke 7 S
RADIUS key of CoA, cut elsewhere | server-key S | server-k S
DHCP database | ip dhcp database ftp://u:S@192.0.2.1/x | ip dh data ftp://u:S@192.0.2.1/x
HTTP path | ip http path ftp://u:S@192.0.2.1/ | ip ht pat ftp://u:S@192.0.2.1/
NBAR module | ip nbar pdlm tftp://u:S@192.0.2.1/x | ip nb pd tftp://u:S@192.0.2.1/x
bulk statistics URL | url primary ftp://u:S@192.0.2.1/ | ur pri ftp://u:S@192.0.2.1/
PKI revocation list | crl query ldap://u:S@192.0.2.1 | crl q ldap://u:S@192.0.2.1
PKI OCSP | ocsp url http://u:S@192.0.2.1 | oc ur http://u:S@192.0.2.1
PKI list of a server | cdp-url http://u:S@192.0.2.1/x.crl | cdp-u http://u:S@192.0.2.1/x.crl
kept log | logging persistent url ftp://u:S@192.0.2.1 size 8 | logg pers url ftp://u:S@192.0.2.1
log by name with a login | logging host u:S@192.0.2.1 | logg ho u:S@192.0.2.1
NTP server with a key | ntp server ntp.example.com key S | ntp ser ntp.example.com ke S
SNMP engine | snmp-server engineID local S | snmp-s eng loc S
core dump | exception core-file S | exc core-f S
core dump by FTP | exception dump ftp://u:S@192.0.2.1 | exc du ftp://u:S@192.0.2.1
call-home address | destination address http https://u:S@h/x | dest add ht https://u:S@h/x
CNS image | cns image server http://u:S@h status http://u:S@h | cns im ser http://u:S@h
URL of a phone service | url services http://u:S@h/x | url serv http://u:S@h/x
voice application | application service x http://u:S@h/x.vxml | appl serv x http://u:S@h/x.vxml
session target | session target sip-server:u:S@h | sess tar sip-server:u:S@h
packet capture | monitor capture x export ftp://u:S@h/x | mon cap x exp ftp://u:S@h/x
EEM folder | event manager directory user policy ftp://u:S@h | ev man dir us pol ftp://u:S@h
EEM applet | event manager applet S | ev man app S
boot of a TFTP server | boot system tftp u:S@h 192.0.2.1 | boo sys tf u:S@h 192.0.2.1
old probe of HTTP | type http operation get url http://u:S@h/x | typ ht op get url http://u:S@h/x
old probe of FTP | type ftp operation get url ftp://u:S@h/x | typ ft op get url ftp://u:S@h/x
copy at a prompt | copy ftp://u:S@192.0.2.1/x flash: | cop ftp://u:S@192.0.2.1/x fl
archive copy | configure replace ftp://u:S@192.0.2.1/x | conf rep ftp://u:S@192.0.2.1/x
a command of no IOS | frobnicate with S | frob S
"""


def kinds() -> list[tuple[str, str, str]]:
    """What each kind is, in full and abbreviated, with the secret in place."""
    rows = []
    for line in _TABLE.strip().splitlines():
        name, whole, short = (part.strip() for part in line.split(" | "))
        rows.append((name, _planted(whole), _planted(short)))
    return rows


def _planted(text: str) -> str:
    return re.sub(r"(?<![A-Za-z0-9-])S(?![A-Za-z0-9-])", S, text)
