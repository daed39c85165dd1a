"""What terminals, loggers and people leave in a capture; and secrets, each on a line of its own."""

from random import Random
from typing import Final

from tests.fuzz import absurd

_NOISE: Final = (
    *(" --More-- ", " --More-- \x08\x08\x08\x08\x08\x08\x08\x08\x08        ", "<--- More --->"),
    *("r1#", "r1>", "r1(config-if)#", "r1#show version", "r1#sh run", "[r1:~]$ ", "r1#  show  pol"),
    *("*Mar  1 00:00:01.123: %SYS-5-CONFIG_I: Configured from console by bob on vty0", "^", "%"),
    *("00:01:02: %LINK-3-UPDOWN: Interface Serial0/0, changed state to down", "% Invalid input"),
    *("% Incomplete command.", '% Ambiguous command:  "sh i"', "Building configuration...", "end"),
    *("Current configuration : 99999 bytes", "Current configuration : " + absurd.HUGE + " bytes"),
    *(
        "Load for five secs: 1%/0%; one minute: 1%; five minutes: 1%",
        "!",
        "\x0c",
        "\x1b[2J",
        "\x00",
    ),
    *("Time source is NTP, 25:61:61.999 UTC Mon Feb 31 2099", "--- show version ---", "Password:"),
    *("Time source is NTP, 10:00:00.123 UTC Fri Apr 18 2008", "! comment {{7*7}}", "version 99.9"),
    *("Using 1234 out of 5678 bytes", "Connection closed by foreign host.", "\\", "", "   ", "\t"),
    *("------------------ show running-config ------------------", "===== show interfaces ====="),
)
_DELIMITERS: Final = ("^C", "\x03", "#", "!", " ", "\x1b", "e", "\u00e9", "^", "$", "C", "^^", "")
_BANNERS: Final = ("banner motd ", "banner exec ", "banner login  ", "menu m title ", "banner ")
_BODIES: Final = ("hello", "interface Serial0/0", " tx-ring-limit 9", "^", "C", "end", "", "quit")

# What a router's secret stands behind, wherever the line is; `{}` is the secret.
_KEYED: Final = (
    *("enable secret 0 {}", "enable password {}", "enable secret 5 {}", "enable password 7 {}"),
    *("username bob privilege 15 password 0 {}", "username bob secret 0 {}", " password 7 {}"),
    *("username {} secret 5 x", "snmp-server community {} RO", "snmp-server host 192.0.2.1 {}"),
    *("snmp-server host 192.0.2.1 version 2c {}", "tacacs-server host 192.0.2.1 key {}"),
    *("snmp-server user u g v3 auth md5 {} priv des56 {}", "tacacs-server key 7 {}"),
    *("radius-server key 7 {}", "radius-server host 192.0.2.1 key {}", " pre-shared-key {}"),
    *("crypto isakmp key {} address 192.0.2.1", "  key-string {}", "  key-string 7 {}"),
    *(" ppp chap password 0 {}", " ppp pap sent-username bob password 0 {}", " key 0 {}"),
    *(" ip ospf message-digest-key 1 md5 {}", " ip ospf authentication-key {}"),
    *(" neighbor 192.0.2.1 password {}", " standby 1 authentication {}", " wpa-psk ascii 0 {}"),
    *("ntp authentication-key 1 md5 {}", "ip ftp password {}", "ip http client password {}"),
    *(" path ftp://bob:{}@192.0.2.1/x", " authentication text {}", "line vty 0 4\n password {}"),
)
# What people write in a configuration, where nobody knows what it is.
_FREE: Final = (
    *("interface Serial9/9\n description {}", "interface Serial9/9\n description pw is {}"),
    *("access-list 10 remark {}", "alias exec x {}", "banner motd #{}#", "banner login #\n{}\n#"),
    *('event manager applet a\n action 1 cli command "{}"', "menu m title ^C\n{}\n^C"),
    *("!Last configuration change by {}", "macro name m\n{}\n@", "frobnicate with {}"),
    *(
        "key chain k\n key 1\n  key-string\n   {}\n   quit",
        "crypto isakmp peer address 1.2.3.4\n {}",
    ),
)
_PREFIXES: Final = tuple(
    line.rpartition("\n")[2].partition("{}")[0].strip() for line in (*_KEYED, *_FREE)
)


def with_noise(lines: list[str], random: Random) -> None:
    """Put lines of a terminal session between those of the text."""
    for _ in range(random.choice((1, 1, 2, 5, 30))):
        lines.insert(random.randrange(len(lines) + 1), random.choice(_NOISE))


def with_banner(lines: list[str], random: Random) -> None:
    """Put a banner in, whose end may be missing or stand where nobody expects it."""
    start = random.choice(_DELIMITERS)
    end = start if random.random() < 0.7 else random.choice(_DELIMITERS)
    body = [random.choice(_BODIES) for _ in range(random.randrange(4))]
    place = random.randrange(len(lines) + 1)
    lines[place:place] = [random.choice(_BANNERS) + start, *body, random.choice(_BODIES) + end]


def with_keyed_secrets(text: str, random: Random) -> str:
    """Put one to three secrets in, each behind words that say so."""
    lines = text.split("\n")
    for _ in range(random.randrange(1, 4)):
        secret = random.choice(_KEYED).replace("{}", absurd.SECRET)
        lines.insert(random.randrange(len(lines) + 1), secret)
    return "\n".join(lines)


def with_free_secret(text: str, random: Random) -> str:
    """Put a secret where a whole configuration may hold any words."""
    lines = text.split("\n")
    heads = [row for row, line in enumerate(lines) if line == "!" or line.startswith("interface ")]
    secret = random.choice(_FREE).replace("{}", absurd.SECRET)
    lines.insert(random.choice(heads or [len(lines)]), secret)
    return "\n".join(lines)


def words_before(context: str) -> str:
    """The words of ours that a secret stands behind, to tell one leak from another."""
    context = " ".join(context.split())
    known = [
        prefix for prefix in _PREFIXES if prefix and context.endswith(" ".join(prefix.split()))
    ]
    return max(known, key=len) if known else "other words"
