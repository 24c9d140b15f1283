"""Judges where we may connect: public addresses, HTTPS, port 443, and nothing else.

``ipaddress.is_global`` is no judge: on Python 3.11 it passes 6to4, NAT64, multicast
and cloud metadata addresses. So there is an explicit list (IANA special-purpose
registries). One look-up; if any address of a name is refused, the name is refused;
the connection then goes to the address that was judged, so a second look-up can't
answer differently.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

REFUSED_V4 = [
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's wire server: public by number only
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
]
# IPv6 is the other way round: only global unicast, less what hides in it
UNICAST_V6 = ipaddress.IPv6Network("2000::/3")
REFUSED_V6 = [
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # Teredo, ORCHID, benchmarking …
        "2001:db8::/32",
        "2002::/16",  # 6to4 carries an IPv4 address of anybody's choice
        "2620:4f:8000::/48",
        "3fff::/20",
    )
]


class Refused(ValueError):
    """An address that we do not connect to; the message is safe to show an owner."""


@dataclass(frozen=True)
class Target:
    """A judged destination: connect to ``ip``, speak to ``host``."""

    ip: str
    host: str


def is_public(address: IPAddress) -> bool:
    """Say whether an address belongs to the public internet."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        return address in UNICAST_V6 and not any(address in net for net in REFUSED_V6)
    return not any(address in net for net in REFUSED_V4)


def origin_of(url: str) -> str:
    """Return ``scheme://host[:port]`` as MAYA_DEV_ENDPOINTS writes it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def judge(url: str) -> None:
    """Check what can be seen in the address itself; raises ``Refused``."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Refused("La dirección no es válida.") from error
    if parts.username is not None or parts.password is not None or "\\" in url:
        raise Refused("La dirección no puede llevar usuario ni contraseña.")
    if not parts.hostname:
        raise Refused("La dirección no tiene servidor.")
    if origin_of(url) in settings.MAYA_DEV_ENDPOINTS:
        return
    if parts.scheme != "https":
        raise Refused("La dirección debe empezar por https://.")
    if port not in (None, 443):
        raise Refused("Solo se admite el puerto 443.")
    try:
        literal = ipaddress.ip_address(parts.hostname)
    except ValueError:
        return
    if not is_public(literal):
        raise Refused("La dirección no es pública.")


async def resolve(url: str) -> Target:
    """Judge an address and look its name up once; raises ``Refused`` or ``OSError``."""
    judge(url)
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return Target(ip=_pick(url, found), host=host)


def _pick(url: str, found: Sequence[tuple[object, ...]]) -> str:
    addresses = [str(entry[4][0]) for entry in found]  # type: ignore[index]
    if not addresses:
        raise Refused("El servidor no tiene dirección.")
    if origin_of(url) not in settings.MAYA_DEV_ENDPOINTS:
        for address in addresses:
            if not is_public(ipaddress.ip_address(address.partition("%")[0])):
                raise Refused("La dirección no es pública.")
    return addresses[0]
