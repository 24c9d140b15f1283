"""Run the bank: `python -m demo.bank`."""

import uvicorn

from demo.bank.app import build
from demo.bank.config import Config

GRACE = 2
"""Seconds an answer under way may still take when the process is told to stop."""


def main() -> None:
    """Serve the bank on the loopback address until the process is told to stop."""
    config = Config.from_env()
    uvicorn.run(
        build(config),
        host="127.0.0.1",
        port=config.port,
        log_level="warning",
        timeout_graceful_shutdown=GRACE,
    )


if __name__ == "__main__":
    main()
