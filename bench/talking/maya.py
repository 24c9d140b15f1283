"""Maya: messages stored, turns run by a worker's threads, every step in its rows.

Nothing of the product is left out but what the peers lack too: the model speaks from
the script, and the shop answers a lookup at once, without a network.
"""

import random
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import django

django.setup()

from django.db import connections  # noqa: E402
from pydantic_ai.messages import (  # noqa: E402
    ModelMessage,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import (  # noqa: E402
    AgentInfo,
    DeltaToolCall,
    DeltaToolCalls,
    FunctionModel,
)

from acciones.executors import lookup  # noqa: E402
from acciones.models import Customer, Run, Site, Visitor  # noqa: E402
from acciones.readers import FOUND, Reading  # noqa: E402
from acciones.visitors import open_session  # noqa: E402
from agente.language.speaker import Speaker  # noqa: E402
from agente.loop import infer  # noqa: E402
from agente.loop.run import run_turn  # noqa: E402
from agente.models import Message, ToolCall, Turn  # noqa: E402
from agente.turns import start_message  # noqa: E402
from maya.lib import canonical  # noqa: E402
from maya.seeds.shop import write_shop  # noqa: E402

from . import story  # noqa: E402
from .orders import obey  # noqa: E402

SECRET = "bench-secret-0123456789abcdef-0123456789"
PATIENCE = 60
"""Seconds for a connection of the pool, on a machine that does other things too."""
STEPS = [(f"transfer_to_{story.SPECIALIST}", story.REASON), *story.CALLS]


async def _speak(
    messages: list[ModelMessage], info: AgentInfo
) -> AsyncIterator[str | DeltaToolCalls]:
    await story.PACE.begin()
    seen = sum(isinstance(p, ToolReturnPart) for m in messages for p in m.parts)
    made = sum(isinstance(p, ToolCallPart) for m in messages for p in m.parts)
    if seen != made:
        raise RuntimeError(f"{made} calls and {seen} results")
    if seen < len(STEPS):
        name, arguments = STEPS[seen]
        text = canonical.compact(arguments).decode()
        yield {0: DeltaToolCall(name=name, json_args=text, tool_call_id=f"c{seen}")}
        return
    async for word in story.PACE.words():
        yield word


async def _answer_at_once(prepared: lookup.Prepared) -> Reading:
    return Reading(FOUND, dict(story.ORDER))


MODEL = FunctionModel(stream_function=_speak, model_name="script")


def _speaker(site: Site) -> Speaker:
    return Speaker(MODEL, "script", network=False)


def _visitors(site: Site, count: int) -> list[Visitor]:
    """Open sessions of as many customers; signing in is no part of a turn."""
    opened = []
    for _ in range(count):
        visitor, _ = open_session(site)
        visitor.customer = Customer.objects.create(
            site=site, external_id=uuid4().hex, name="Ana López"
        )
        visitor.save()
        opened.append(visitor)
    return opened


def _turn(visitor: Visitor) -> Any:
    """Store a message and answer it, as the web and a worker's thread do."""
    try:
        started = start_message(
            visitor=visitor,
            conversation_id=None,
            message_id=uuid4().hex,
            text=story.ASKED,
        )
        run_turn(started.turn_id)
        return started.turn_id
    finally:
        connections.close_all()


def _check(turns: list[Any]) -> None:
    """See that every row is there: a turn that failed early would be a cheap one."""
    done = Turn.objects.filter(pk__in=turns, state=Turn.State.DONE).count()
    called = ToolCall.objects.filter(turn__in=turns, state=ToolCall.State.DONE).count()
    said = Message.objects.filter(turn__in=turns, author=Message.Author.AGENT).count()
    proposed = Run.objects.filter(toolcall__turn__in=turns).count()
    got = (done, called, said, proposed)
    if got != (len(turns), len(turns) * len(STEPS), len(turns), len(turns)):
        raise RuntimeError(f"of {len(turns)} turns only {got}")


class Worker:
    """One worker process, with a thread for each turn that is in flight."""

    def play(self, turns: int) -> None:
        """Play so many turns at the same time."""
        visitors = _visitors(_new_site(), turns)
        with ThreadPoolExecutor(turns) as pool:
            _check(list(pool.map(_turn, visitors)))

    def paced(self, at_once: int, rounds: int, think: float, gap: float) -> Any:
        """Keep so many turns in flight with a model that speaks at a model's pace."""
        story.PACE.think, story.PACE.gap = think, gap
        visitors = _visitors(_new_site(), at_once)

        def talk(visitor: Visitor) -> list[Any]:
            time.sleep(random.uniform(0, 5 * think))
            return [_turn(visitor) for _ in range(rounds)]

        began = time.process_time()
        with ThreadPoolExecutor(at_once) as pool:
            told = [turn for turns in pool.map(talk, visitors) for turn in turns]
        spent = time.process_time() - began
        story.PACE.think = story.PACE.gap = 0.0
        _check(told)
        return {"turns": len(told), "seconds": spent}


def main() -> None:
    """Seed the demo's shop and wait for orders."""
    # 200 connections at once: opened before, as in a worker that has been up a while
    pool = connections["default"].settings_dict["OPTIONS"]["pool"]
    pool |= {"min_size": pool["max_size"], "timeout": PATIENCE}
    patch.object(infer, "speaker_of", _speaker).start()
    patch.object(lookup.Prepared, "send", _answer_at_once).start()
    worker = Worker()
    obey(worker.play, paced=worker.paced)


def _new_site() -> Site:
    """Seed the demo's shop anew: a site may be proposed only so much in a day."""
    name = f"tienda-{uuid4().hex[:8]}"
    return write_shop(site_id=name, kid="k1", secret=SECRET, url="https://shop.example")


if __name__ == "__main__":
    main()
