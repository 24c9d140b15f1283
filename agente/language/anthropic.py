"""Anthropic's models; imported only where a site uses them."""

from functools import lru_cache

from anthropic import AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from agente.models import Language

from .kept_http import KEPT_CLIENTS, TIMEOUT, client
from .speaker import Speaker, settings

DEFAULT_URL = "https://api.anthropic.com"


def anthropic(row: Language) -> Speaker:
    """Return a speaker for Anthropic's API, or for a server that speaks it."""
    provider = AnthropicProvider(
        anthropic_client=_client(row.base_url or DEFAULT_URL, row.key)
    )
    model = AnthropicModel(row.name, provider=provider)
    return Speaker(model, row.name, network=True, settings=settings())


@lru_cache(maxsize=KEPT_CLIENTS)
def _client(base_url: str, key: str) -> AsyncAnthropic:
    # Our attempts are the only attempts: the SDK would retry a 500 unseen
    return AsyncAnthropic(
        base_url=base_url,
        api_key=key or "none",
        max_retries=0,
        timeout=TIMEOUT,
        http_client=client(),
    )
