"""Chooses the model that answers for a site."""

from collections.abc import Callable

from acciones.models import Site
from agente.models import Language

from .openai import openai
from .scripted import NAME, scripted
from .speaker import Speaker


def _scripted(row: Language | None = None) -> Speaker:
    return Speaker(scripted(), NAME, network=False)


def _anthropic(row: Language) -> Speaker:
    from .anthropic import anthropic  # noqa: PLC0415  its import costs 0.8 s

    return anthropic(row)


PROVIDERS: dict[str, Callable[[Language], Speaker]] = {
    Language.Provider.SCRIPTED: _scripted,
    Language.Provider.OPENAI: openai,
    Language.Provider.ANTHROPIC: _anthropic,
}


def speaker_of(site: Site) -> Speaker:
    """Return the model that answers for a site; the scripted one by default."""
    row = Language.objects.filter(site=site).first()
    return _scripted() if row is None else PROVIDERS[row.provider](row)
