"""Run the scenarios that fit: ``make conformance``.

The others ask for fixture tools, prompts and resources that no bank has. Ends with 1
when one fails.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from demo.bank.app import build
from demo.bank.config import Config
from tests.demo.conftest import scratch_database
from tests.demo.process import free_port

from . import node

SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-error",
    "dns-rebinding-protection",
)
TOKEN = "bank-token-0123456789abcdef"
PATIENCE_SECONDS = 20


class WithToken:
    """The bank as somebody sees it who holds its token: the suite cannot send one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the header; pass on whatever else came, above all Host and Origin."""
        if scope["type"] == "http":
            token = (b"authorization", f"Bearer {TOKEN}".encode())
            scope = {**scope, "headers": [*scope["headers"], token]}
        await self.app(scope, receive, send)


@contextmanager
def running_bank() -> Iterator[str]:
    """Serve the bank on a database of its own; yield where its MCP server is."""
    port = free_port()
    with scratch_database() as database:
        config = Config(
            port=port,
            database_url=database,
            secret="test-secret-0123456789abcdef",
            token=TOKEN,
            kid="k1",
            site_id="banco",
            maya_url="http://127.0.0.1:8700",
        )
        app = WithToken(build(config))
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            _wait_for(server)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.should_exit = True
            thread.join()


def _wait_for(server: uvicorn.Server) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not server.started:
        if time.monotonic() > deadline:
            raise RuntimeError("the bank does not listen")
        time.sleep(0.05)


def main() -> int:
    """Run each scenario and say how it went; return the exit code."""
    node.install()
    failed = 0
    with running_bank() as url:
        for scenario in SCENARIOS:
            is_good, told = node.passes(scenario, url)
            print(f"{'ok' if is_good else 'FAILED':7}{scenario}", flush=True)
            if not is_good:
                failed += 1
                print(told)
    print(f"{len(SCENARIOS) - failed} of {len(SCENARIOS)} scenarios pass")
    return min(failed, 1)


sys.exit(main())
