"""``search_policy``: finds passages of the owner's rules, each with its origin."""

from acciones.readers import FOUND, NOT_FOUND, Reading
from agente.knowledge.observe import observe
from agente.knowledge.search import MAXIMUM_QUESTION, search

from .tool import Context, Result, Tool, schema, text

NAME = "search_policy"


def tool() -> Tool:
    """Return the tool that searches the site's policies."""
    return Tool(
        name=NAME,
        description=(
            "Busca en las políticas del sitio. Devuelve pasajes con título y sección; "
            "cítalos por su referencia entre corchetes."
        ),
        schema=schema({"question": text("Qué se quiere saber.", MAXIMUM_QUESTION)}),
        told=NAME,
        store=_find,
    )


def _find(context: Context, reading: Reading) -> Result:
    found = search(context.conversation.site, context.call.arguments["question"])
    if not found:
        return Result({"status": NOT_FOUND})
    evidence = observe(context.turn, found)
    passages = [
        {
            "reference": passage.reference,
            "title": passage.title,
            "section": passage.section,
            "heading": passage.heading,
            "text": passage.text,
        }
        for passage in found
    ]
    return Result({"status": FOUND, "passages": passages}, evidence=evidence[0])
