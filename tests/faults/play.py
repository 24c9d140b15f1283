"""The play: runs are made while the storm blows; then everything is judged."""

import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from acciones.models import Run
from acciones.publish import publish
from tests.acciones import cast as people

from .crowd import Crowd, insist
from .stage import HORIZON_SECONDS, Stage
from .storm import Storm
from .verdict import ENDED, Books, judge

LOOK_SECONDS = 0.2
LONGEST = 4
"""At most so many times the runs that were asked for."""


def play(
    stage: Stage, runs: int, source: random.Random, *, points: Collection[str]
) -> dict[str, Any]:
    """Return the figures of one performance.

    It goes on after so many runs until there was a death at each of ``points``.
    """
    cast = people.assemble(stage.wire)
    cast.cancel.status_lookup = cast.status
    cast.cancel.save()
    publish(cast.cancel)
    cast.site.open_per_site = LONGEST * runs
    cast.site.save()
    stock = stage.stock(LONGEST * runs)
    orders = wanted(stock, runs, lambda: set(points) - died(stage))
    crowd = Crowd(cast, stage.shop, stage.books, source)
    storm = Storm(stage.shop, stage.database_url, stage.valkey, stage.workers, source)
    began = time.monotonic()
    with ThreadPoolExecutor() as pool:
        acts = [pool.submit(storm.blow), pool.submit(crowd.come, orders)]
        crowd.all_agreed.wait()
        stormy = time.monotonic() - began
        storm.calm()
        calm = _wait(list(crowd.runs.values()))
        crowd.over.set()
        storm.ended.set()
        for act in acts:
            act.result()
    figures = judge(cast.site.pk, crowd.runs, Books(stage.books))
    deaths = sum((worker.deaths for worker in stage.workers), Counter[str]())
    figures["unreached"] = sorted(set(points) - died(stage))
    return figures | {
        "deaths": dict(sorted(deaths.items())),
        "killed": deaths.total(),
        "valkey_kills": storm.valkey_kills,
        "backends_cut": storm.backends,
        "callbacks": crowd.callbacks,
        "storm_s": round(stormy, 1),
        "longest_s": round(max(crowd.seconds), 1),
        "calm_s": round(calm, 1),
        "horizon_s": HORIZON_SECONDS,
    }


def wanted(
    orders: list[str], least: int, wants_more: Callable[[], object]
) -> Iterator[str]:
    """Return the least orders, and further ones for as long as they are wanted."""
    for number, order in enumerate(orders):
        if number >= least and not wants_more():
            return
        yield order


def died(stage: Stage) -> set[str]:
    """Return how workers have died so far."""
    return {name for worker in stage.workers for name in worker.deaths}


def _wait(runs: list[Any]) -> float:
    """Return the seconds of calm until every run has ended, at most the horizon."""
    began = time.monotonic()
    while (waited := time.monotonic() - began) < HORIZON_SECONDS:
        left = insist(
            lambda: Run.objects.filter(pk__in=runs).exclude(state__in=ENDED).count()
        )
        if not left:
            break
        time.sleep(LOOK_SECONDS)
    return waited
