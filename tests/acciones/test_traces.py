"""One trace from proposal to callback, and log lines that say what they speak of."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry import trace as otel
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from acciones.models import Run
from acciones.steps.approve import approve
from acciones.steps.confirm import confirm
from acciones.steps.dispatch import dispatch
from acciones.tokens import issue
from maya.lib import trace

from .cast import Cast
from .conftest import Shop
from .test_callbacks import send


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Collect spans as an exporter would, without touching the global provider."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_tracer", provider.get_tracer("tests"))
    yield exporter
    provider.shutdown()


def test_a_change_is_one_trace(
    cast: Cast, shop: Shop, spans: InMemorySpanExporter
) -> None:
    shop.mood("pending")
    with trace.span("turn", conversation=cast.conversation.pk):
        run = cast.offer()

    confirm(run.pk, cast.customer, token=issue(run))
    approve(run.pk, member=cast.owner, surface="admin", digest=run.digest)
    dispatch(run.pk)
    assert send(run.pk) == 200
    told = spans.get_finished_spans()
    assert [span.name for span in told] == [
        "propose",
        "turn",
        "confirm",
        "approve",
        "dispatch",
        "callback",
    ]
    assert len({span.context.trace_id for span in told}) == 1
    assert dict(told[-1].attributes or {})["maya.run"] == str(run.pk)


def test_nothing_is_kept_or_sent_by_default(cast: Cast) -> None:
    run = cast.offer()
    assert Run.objects.get(pk=run.pk).trace == ""
    assert not isinstance(otel.get_tracer_provider(), TracerProvider)


def test_log_lines_carry_run_and_conversation(caplog: Any) -> None:
    record = logging.LogRecord("x", 20, "", 0, "hola", None, None)
    with trace.span("x", conversation="c-1"), trace.span("y", run="r-1"):
        trace.About().filter(record)
    assert vars(record)["about"] == " conversation=c-1 run=r-1"
    trace.About().filter(record)
    assert vars(record)["about"] == ""
