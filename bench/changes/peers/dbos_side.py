# mypy: ignore-errors
# Its packages are in an environment of its own
"""DBOS Transact: a workflow that waits for an approval and makes one HTTP step.

python dbos_side.py DATABASE_URL ENDPOINT
"""

import sys

import httpx
from dbos import DBOS, SetWorkflowID
from lines import serve

URL, ENDPOINT = sys.argv[1:]
client = httpx.Client(timeout=15, limits=httpx.Limits(max_connections=32))
DBOS(config={"name": "bench", "system_database_url": URL, "log_level": "ERROR"})


@DBOS.step()
def change(key: str) -> str:
    """Make the change."""
    headers = {"x-maf-idempotency-key": key}
    return client.post(ENDPOINT, json={"runId": key}, headers=headers).text


@DBOS.workflow()
def refund(key: str) -> str:
    """Wait for the approval, then make the change."""
    if not DBOS.recv("approval", timeout_seconds=60):
        raise TimeoutError
    return change(key)


def whole(key: str) -> None:
    """Begin, approve and see it through."""
    with SetWorkflowID(key):
        handle = DBOS.start_workflow(refund, key)
    DBOS.send(key, True, "approval")
    handle.get_result()


DBOS.launch()
serve(whole, whole)
DBOS.destroy()
