# mypy: ignore-errors
# Its packages are in an environment of its own
"""LangGraph with its PostgreSQL checkpointer: an interrupt, a resume, one tool call.

python langgraph_side.py DATABASE_URL ENDPOINT
"""

import sys
import threading
from typing import TypedDict

import httpx
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from lines import serve
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

URL, ENDPOINT = sys.argv[1:]
client = httpx.Client(timeout=15, limits=httpx.Limits(max_connections=32))


class State(TypedDict):
    """What is passed on."""

    key: str
    approved: bool
    answer: str


def ask(state: State) -> dict[str, bool]:
    """Wait for the approval."""
    return {"approved": bool(interrupt("approve?"))}


def change(state: State) -> dict[str, str]:
    """Make the change."""
    headers = {"x-maf-idempotency-key": state["key"]}
    answer = client.post(ENDPOINT, json={"runId": state["key"]}, headers=headers)
    return {"answer": answer.text}


# As PostgresSaver.from_conn_string opens its one connection, but several
pool = ConnectionPool(
    URL,
    min_size=8,
    max_size=16,
    kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
)
saver = PostgresSaver(pool)
saver.setup()
builder = StateGraph(State)
builder.add_node("ask", ask)
builder.add_node("change", change)
builder.add_edge(START, "ask")
builder.add_edge("ask", "change")
builder.add_edge("change", END)
graph = builder.compile(checkpointer=saver)


def step(what: object, key: str) -> None:
    """Carry a thread on, with every step durable before the next."""
    config = {"configurable": {"thread_id": key}}
    graph.invoke(what, config, durability="sync")


def whole(key: str) -> None:
    """Begin, approve and see it through."""
    step({"key": key, "approved": False, "answer": ""}, key)
    step(Command(resume=True), key)


def double(key: str) -> None:
    """Begin, and approve twice at the same moment."""
    step({"key": key, "approved": False, "answer": ""}, key)
    gate = threading.Barrier(2)

    def resume() -> None:
        gate.wait()
        step(Command(resume=True), key)

    threads = [threading.Thread(target=resume) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


serve(whole, double)
pool.close()
