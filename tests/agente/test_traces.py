"""A message, its turn, its reads and its proposal are one trace."""

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from maya.lib import trace

from .talk import Talk


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_tracer", provider.get_tracer("tests"))
    yield exporter
    provider.shutdown()


def trace_of(spans: InMemorySpanExporter, name: str) -> int:
    """Return the trace of the newest span with this name."""
    found: list[ReadableSpan] = [
        span for span in spans.get_finished_spans() if span.name == name
    ]
    assert found[-1].context
    return int(found[-1].context.trace_id)


def test_a_proposal_belongs_to_its_message(
    ana: Talk, spans: InMemorySpanExporter
) -> None:
    ana.type("Revisa el pedido 4821 y prepara un reembolso")
    assert trace_of(spans, "message") == trace_of(spans, "turn")
    assert trace_of(spans, "tools") == trace_of(spans, "turn")
    first = trace_of(spans, "turn")
    ana.type("Sí, está sin abrir")
    run = ana.run()
    second = trace_of(spans, "turn")
    assert second != first
    assert trace_of(spans, "propose") == second
    assert run.trace.split("-")[1] == format(second, "032x")
    ana.confirm()
    assert trace_of(spans, "confirm") == second
