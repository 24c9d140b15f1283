"""OpenAI-compatible servers: hosted ones, vLLM, Ollama, llama.cpp."""

from functools import lru_cache

from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider

from agente.models import Language

from .kept_http import KEPT_CLIENTS, TIMEOUT, client
from .speaker import Speaker, settings

DEFAULT_URL = "https://api.openai.com/v1"


def openai(row: Language) -> Speaker:
    """Return a speaker for an OpenAI-compatible server."""
    provider = OpenAIProvider(
        openai_client=_client(row.base_url or DEFAULT_URL, row.key)
    )
    profile = OpenAIModelProfile(
        openai_chat_streaming_requires_finish_reason=row.finish_reason_required
    )
    model = OpenAIChatModel(row.name, provider=provider, profile=profile)
    return Speaker(
        model,
        row.name,
        network=True,
        finish_required=row.finish_reason_required,
        settings=settings(),
    )


@lru_cache(maxsize=KEPT_CLIENTS)
def _client(base_url: str, key: str) -> AsyncOpenAI:
    # Our attempts are the only attempts: the SDK would retry a 500 unseen
    return AsyncOpenAI(
        base_url=base_url,
        api_key=key or "none",
        max_retries=0,
        timeout=TIMEOUT,
        http_client=client(),
    )
