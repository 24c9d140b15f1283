"""``ask_customer`` and ``note_answer``: what nobody knows stays unknown till told."""

import re

from agente import statements
from agente.language.situation import folded
from agente.models import Question, Turn

from .tool import Context, Result, Tool, refused, schema, text

ASK, NOTE = "ask_customer", "note_answer"

FACT = text(
    "Nombre corto del dato, por ejemplo «unopened».", 64, pattern="^[a-z][a-z0-9_]*$"
)
ABOUT = {
    "type": "string",
    "description": "De qué registro se trata, por ejemplo «order:4821».",
    "maxLength": 300,
}


def ask() -> Tool:
    """Return the tool that asks the customer and ends the turn."""
    return Tool(
        name=ASK,
        description=(
            "Pregunta al cliente un dato que ningún sistema sabe. El dato queda como "
            "desconocido hasta que responda; no lo supongas."
        ),
        schema=schema(
            {"fact": FACT, "question": text("La pregunta.", 600)}, about=ABOUT
        ),
        effect=_ask,
    )


def note() -> Tool:
    """Return the tool that keeps the customer's answer as their statement."""
    return Tool(
        name=NOTE,
        description=(
            "Guarda lo que el cliente acaba de responder, como declaración suya y no "
            "como hecho comprobado."
        ),
        schema=schema(
            {"fact": FACT, "answer": text("Cómo entiendes su respuesta.", 300)},
            about=ABOUT,
        ),
        effect=_note,
    )


SECRETS = re.compile(
    r"contrasen|password|\bpin\b|\bcvv\b|\bcvc\b|\bnip\b|clave|codigo de (?:seguridad|"
    r"verificacion)|numero de (?:la |tu )?tarjeta"
)

NO_SECRETS = "No se piden contraseñas, claves ni números de tarjeta."


def _ask(context: Context) -> Result:
    arguments = context.call.arguments
    if SECRETS.search(folded(arguments["question"])):
        return refused("secret", NO_SECRETS)
    Question.objects.create(
        conversation_id=context.turn.conversation_id,
        turn=context.turn,
        fact=arguments["fact"],
        about=arguments.get("about", ""),
        text=arguments["question"],
    )
    return Result({"status": "asked"}, ends=arguments["question"])


def _note(context: Context) -> Result:
    if context.turn.kind != Turn.Kind.MESSAGE:
        return refused("no_message", "Aquí el cliente no ha dicho nada.")
    arguments = context.call.arguments
    evidence = statements.record(
        context.turn,
        fact=arguments["fact"],
        about=arguments.get("about", ""),
        answer=arguments["answer"],
    )
    return Result(
        {"status": "noted", "note": "Es lo que dice el cliente, no un hecho."},
        evidence=evidence,
    )
