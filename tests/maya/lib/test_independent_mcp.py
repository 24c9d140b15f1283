"""Our MCP client against a server that is not ours: the protocol's own example."""

import asyncio
import os
import signal
import socket
import subprocess
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from maya.lib import background, mcp
from tests.live.servers import free_port

PACKAGE = "@modelcontextprotocol/server-everything@2026.8.31"
ROOT = Path(__file__).parents[3]
PLACE = ROOT / "var" / "everything"
NPM = [str(ROOT / ".ci" / "npm")]
QUIETLY = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
PATIENCE_SECONDS = 60
Result = TypeVar("Result")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Run the server from its package, which is installed once below ``var/``."""
    if not (PLACE / "node_modules" / PACKAGE.rpartition("@")[0]).exists():
        install = ["install", *QUIETLY, "--prefix", str(PLACE), PACKAGE]
        subprocess.run([*NPM, *install], check=True, timeout=300)
    run = ["exec", "--offline", "--prefix", str(PLACE), "--"]
    port = free_port()
    process = subprocess.Popen(
        [*NPM, *run, "mcp-server-everything", "streamableHttp"],
        env=os.environ | {"PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # npm starts the server as a child: both end together
        start_new_session=True,
    )
    try:
        _wait_for(process, port)
        address = f"http://127.0.0.1:{port}"
        yield address
        # Or the kept client would look for the server until the tests end
        background.loop().call_soon_threadsafe(mcp._forget, _server(address))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_for(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("the server does not listen")


@pytest.fixture
def server(address: str, settings: Any) -> mcp.Server:
    """Return the server as an owner would have written it down."""
    settings.MAYA_DEV_ENDPOINTS = [address]
    return _server(address)


def _server(address: str) -> mcp.Server:
    return mcp.Server(f"{address}/mcp")


def wait(work: Coroutine[Any, Any, Result]) -> Result:
    return background.run(work)


def test_its_tools_come_with_their_schemas_and_hints(server: mcp.Server) -> None:
    tools = {tool.name: tool for tool in wait(mcp.list_tools(server))}
    assert {"echo", "get-sum"} <= tools.keys()
    assert tools["get-sum"].input_schema["properties"].keys() == {"a", "b"}


def test_its_answers_are_ours_to_read(server: mcp.Server) -> None:
    echo = wait(mcp.call_tool(server, "echo", {"message": "¿qué tal?"}, reads=True))
    assert (echo.is_error, echo.text) == (False, "Echo: ¿qué tal?")
    total = wait(mcp.call_tool(server, "get-sum", {"a": 4800, "b": 21}, reads=True))
    assert "4821" in total.text
    given = {"location": "Chicago"}
    answer = wait(mcp.call_tool(server, "get-structured-content", given, reads=True))
    assert {"temperature", "conditions", "humidity"} == answer.data.keys()


def test_what_it_refuses_is_an_error_and_no_answer(server: mcp.Server) -> None:
    refused = wait(mcp.call_tool(server, "get-sum", {"a": "x"}, reads=True))
    assert refused.is_error


def test_many_at_once_share_one_kept_client(server: mcp.Server) -> None:
    async def many() -> list[str]:
        calls = [
            mcp.call_tool(server, "echo", {"message": str(number)}, reads=True)
            for number in range(10)
        ]
        return [answer.text for answer in await asyncio.gather(*calls)]

    assert wait(many()) == [f"Echo: {number}" for number in range(10)]
    assert [key[0] for key in mcp._kept].count(server.url) == 1
