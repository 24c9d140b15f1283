"""Every class of address that we must not connect to, and what passes."""

import asyncio
import socket
from typing import Any

import pytest

from maya.lib import addresses

REFUSED = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]


@pytest.fixture(autouse=True)
def _no_exemptions(settings: Any) -> None:
    settings.MAYA_DEV_ENDPOINTS = []


def resolve_to(monkeypatch: pytest.MonkeyPatch, *found: str) -> list[str]:
    asked: list[str] = []

    async def getaddrinfo(self: Any, host: str, port: int, **more: Any) -> Any:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in found]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("ip", REFUSED)
def test_a_name_that_leads_inside_is_refused(
    monkeypatch: pytest.MonkeyPatch, ip: str
) -> None:
    resolve_to(monkeypatch, ip)
    with pytest.raises(addresses.Refused):
        asyncio.run(addresses.resolve("https://shop.example/agent"))


@pytest.mark.parametrize("ip", REFUSED)
def test_a_literal_inside_address_is_refused_before_any_look_up(ip: str) -> None:
    host = f"[{ip}]" if ":" in ip else ip
    with pytest.raises(addresses.Refused):
        addresses.judge(f"https://{host}/agent")


def test_one_inside_address_among_public_ones_refuses_the_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolve_to(monkeypatch, "93.184.216.34", "10.0.0.1")
    with pytest.raises(addresses.Refused):
        asyncio.run(addresses.resolve("https://shop.example/agent"))


@pytest.mark.parametrize("ip", ["93.184.216.34", "2606:2800:220:1::1", "8.8.8.8"])
def test_a_public_address_is_pinned_after_one_look_up(
    monkeypatch: pytest.MonkeyPatch, ip: str
) -> None:
    asked = resolve_to(monkeypatch, ip)
    target = asyncio.run(addresses.resolve("https://shop.example/agent"))
    assert (target.ip, target.host) == (ip, "shop.example")
    assert asked == ["shop.example"]


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.example/",
        "ftp://shop.example/",
        "https://shop.example:8443/",
        "https://user:pass@shop.example/",
        "https://user@shop.example/",
        "https:///agent",
        "https://",
        "",
        "https://shop.example:99999/",
        "https://[::1/",
        "https://shop.example\\@127.0.0.1/",
        "//shop.example/",
        "javascript:alert(1)",
    ],
)
def test_other_forms_are_refused(url: str) -> None:
    with pytest.raises(addresses.Refused):
        addresses.judge(url)


@pytest.mark.parametrize(
    "url", ["https://0x7f000001/", "https://2130706433/", "https://127.1/"]
)
def test_disguised_loopback_is_refused(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    resolve_to(monkeypatch, "127.0.0.1")  # what the system's resolver makes of them
    with pytest.raises(addresses.Refused):
        asyncio.run(addresses.resolve(url))


def test_only_the_exact_origin_is_exempt(settings: Any) -> None:
    settings.MAYA_DEV_ENDPOINTS = ["http://127.0.0.1:8701"]
    addresses.judge("http://127.0.0.1:8701/agent/refund-order")
    for url in (
        "http://127.0.0.1:8702/",
        "https://127.0.0.1:8701/",
        "http://127.0.0.1:87011/",
        "http://localhost:8701/",
        "http://127.0.0.1:8701@evil.example/",
    ):
        with pytest.raises(addresses.Refused):
            addresses.judge(url)
