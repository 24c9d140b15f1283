"""``transfer_to_*``: passes the conversation to another agent of the site."""

from acciones import events
from agente.models import Agent
from agente.queue import TABLE

from .tool import Context, Result, Tool, schema, text

PREFIX = "transfer_to_"


def tool(target: Agent) -> Tool:
    """Return the tool that hands the turn to another agent."""

    def effect(context: Context) -> Result:
        events.append(
            TABLE,
            context.turn.pk,
            type="agent.handoff",
            payload={
                "from": context.turn.agent,
                "to": target.name,
                "reason": context.call.arguments["reason"],
            },
        )
        context.turn.agent = target.name
        context.turn.save(update_fields=["agent"])
        return Result({"status": "handed_off", "to": target.name})

    return Tool(
        name=f"{PREFIX}{target.name}",
        description=f"Pasa la conversación a «{target.title}»: {target.description}",
        schema=schema({"reason": text("Por qué se la pasas.", 300)}),
        effect=effect,
    )
