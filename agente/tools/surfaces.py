"""``show_*``: shows a surface; the agent says which, the readings say what is on it."""

from agente.models import SurfaceTemplate
from agente.surfaces import values
from agente.surfaces.show import PREFIX, SHOWN, Invalid, show

from .tool import Context, Result, Tool, refused


def tool(template: SurfaceTemplate) -> Tool:
    """Return the tool that shows one surface."""

    def effect(context: Context) -> Result:
        try:
            show(template, context.turn, context.conversation)
        except values.Missing as error:
            return refused("missing_reading", f"Antes consulta «lookup_{error}».")
        except Invalid as error:
            return refused("invalid_surface", str(error))
        return Result({"status": SHOWN, "surface": template.surface_id})

    return Tool(
        name=f"{PREFIX}{template.name}", description=template.description, effect=effect
    )
