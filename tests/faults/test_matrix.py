"""A seeded part of the fault matrix; ``make faults`` runs all of it."""

import json
import subprocess
import sys

from tests.live.servers import ROOT

RUNS = 30
SECONDS = 240
"""Far more than it takes, on a machine that does other things too."""


def test_runs_survive_kills_of_everything_and_happen_once() -> None:
    """Workers, Valkey and PostgreSQL's connections die; no run is lost or doubled."""
    command = ["-m", "tests.faults", "--runs", str(RUNS), "--workers", "2"]
    ended = subprocess.run(
        [sys.executable, *command, "--some-points"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert ended.stdout, ended.stderr
    figures = json.loads(ended.stdout.splitlines()[-1])
    assert figures["lost"] == figures["doubled"] == figures["untrue"] == []
    assert figures["runs"] == sum(figures["states"].values()) == RUNS
    assert figures["states"]["done"] > RUNS / 2
    assert figures["killed"] >= 3
    assert figures["calm_s"] < figures["horizon_s"]
    assert ended.returncode == 0
