"""``change_*``: only ever proposes; consent, decision and dispatch are elsewhere."""

from acciones import inputs
from acciones.models import Action
from acciones.steps.propose import propose
from agente.evidence import gather
from agente.models import Outcome

from .tool import Context, Result, Tool


def tool(action: Action) -> Tool:
    """Return the tool that proposes one change."""

    def effect(context: Context) -> Result:
        arguments = context.call.arguments
        run = propose(
            conversation=context.conversation,
            action=action,
            arguments=arguments,
            evidence=gather(context.conversation, action, arguments),
        )
        Outcome.objects.create(run=run)
        return Result({"status": "proposed", "note": NOTE}, run=run)

    return Tool(
        name=action.tool_name,
        description=(
            f"{action.description} Solo prepara la propuesta: la confirma el cliente "
            "en su tarjeta, y nada se envía antes."
        ),
        schema=inputs.model_schema(action),
        told=action.tool_name,
        effect=effect,
    )


NOTE = "El cliente ve la propuesta en una tarjeta. Nada se ha hecho todavía."
