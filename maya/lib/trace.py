"""Traces from message to callback, across processes; off unless OTLP is configured.

A row keeps the W3C ``traceparent`` of what made it, and whoever carries that row on
continues the same trace. The same context puts run and conversation on every log line.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from opentelemetry import trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_propagator = TraceContextTextMapPropagator()
_about: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)
_tracer = trace.get_tracer("maya")
FIELDS = ("conversation", "turn", "run", "action")


def configure() -> None:
    """Export spans to ``OTEL_EXPORTER_OTLP_ENDPOINT``, when that is set."""
    if not settings.MAYA_OTLP_ENDPOINT:
        return
    # Half a second of imports that only those who export should pay for
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    provider = TracerProvider(resource=Resource({"service.name": "maya"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def carrier() -> str:
    """Return the current ``traceparent`` for a row, or nothing when not tracing."""
    headers: dict[str, str] = {}
    _propagator.inject(headers)
    return headers.get("traceparent", "")


@contextmanager
def span(name: str, *, parent: str = "", **about: Any) -> Iterator[trace.Span]:
    """Run a block as one span; ``parent`` is the ``traceparent`` that a row kept.

    ``about`` (conversation, turn, run, action …) becomes the span's attributes and
    goes on the log lines written inside.
    """
    known = {key: str(value) for key, value in about.items() if value is not None}
    outer = _about.set({**(_about.get() or {}), **known})
    context = _propagator.extract({"traceparent": parent}) if parent else None
    try:
        with _tracer.start_as_current_span(
            name,
            context=context,
            attributes={f"maya.{key}": value for key, value in known.items()},
        ) as current:
            yield current
    finally:
        _about.reset(outer)


class About(logging.Filter):
    """Adds ``about`` to each record: which run and conversation a line speaks of."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Write the fields in a fixed order, or nothing."""
        known = _about.get() or {}
        words = [f"{key}={known[key]}" for key in FIELDS if key in known]
        record.about = "".join(f" {word}" for word in words)
        return True
