"""The bank's four tools, as a model reads them and a caller may call them."""

from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field, create_model

from demo.bank import cards, ledger
from demo.bank.database import Database
from demo.bank.loan import LONGEST, SHORTEST, USUAL
from demo.bank.shapes import ApartadoCreado, Panorama, PlanAplicado, Simulacion

# PostgreSQL stores no NUL, and an id or a key has no use for anything invisible.
Id = Annotated[str, Field(max_length=64, pattern=r"^[!-~]+$")]
Months = Annotated[
    int, Field(strict=True, ge=SHORTEST, le=LONGEST, description="Plazo en meses")
]
Rate = Annotated[
    float, Field(strict=True, gt=0, lt=100, description="Tasa anual en por ciento")
]
Name = Annotated[
    str,
    Field(
        max_length=60,
        pattern=r"^[^\s\x00-\x1f\x7f]([^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f])?$",
        description="Sin espacios al principio ni al final",
    ),
]
Amount = Annotated[
    str,
    Field(
        pattern=r"^(0\.(0[1-9]|[1-9][0-9])|[1-9][0-9]{0,8}\.[0-9]{2})$",
        description="Importe en pesos con dos decimales, por ejemplo 500.00",
    ),
]
Key = Annotated[
    str,
    Field(
        max_length=128,
        pattern=r"^[!-~]+$",
        description="Una por operación: repetirla devuelve el mismo resultado",
    ),
]

READS = ToolAnnotations(
    read_only_hint=True,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)
ADDS = ToolAnnotations(
    read_only_hint=False,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)
REPLACES = ADDS.model_copy(update={"destructive_hint": True})


class Tools:
    """The tools of one bank; each call is one transaction in a thread of its own."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def all(self) -> list[Tool]:
        """Return the tools ready to be served."""
        return [
            _tool(self.panorama_inicial, READS),
            _tool(self.simular_reestructura, READS),
            _tool(self.aplicar_plan_pago, REPLACES),
            _tool(self.crear_apartado, ADDS),
        ]

    def panorama_inicial(self, clienteId: Id) -> Panorama:
        """Muestra cómo va un cliente: tarjetas, mora, disponible y apartados."""
        with self.database.transaction() as db:
            return cards.overview(db, clienteId)

    def simular_reestructura(
        self, clienteId: Id, tarjetaId: Id, plazoMeses: Months = USUAL
    ) -> Simulacion:
        """Calcula un plan de pagos fijos para una tarjeta. No aplica nada."""
        with self.database.transaction() as db:
            return cards.simulate(db, clienteId, tarjetaId, plazoMeses)

    def aplicar_plan_pago(
        self,
        clienteId: Id,
        tarjetaId: Id,
        plazoMeses: Months,
        tasaPactada: Rate,
        idempotency_key: Key,
    ) -> PlanAplicado:
        """Reestructura una tarjeta al plazo y la tasa pactados."""
        rate = Decimal(str(tasaPactada))
        arguments = {
            "tarjetaId": tarjetaId,
            "plazoMeses": plazoMeses,
            "tasaPactada": tasaPactada,
        }
        with self.database.transaction() as db:
            result = ledger.once(
                db,
                key=idempotency_key,
                kind="aplicar_plan_pago",
                customer=clienteId,
                arguments=arguments,
                act=lambda run: cards.restructure(
                    db, clienteId, tarjetaId, plazoMeses, rate, run
                ).model_dump(mode="json"),
            )
        return PlanAplicado.model_validate(result)

    def crear_apartado(
        self, clienteId: Id, nombre: Name, monto: Amount, idempotency_key: Key
    ) -> ApartadoCreado:
        """Separa dinero disponible en un apartado con nombre."""
        with self.database.transaction() as db:
            result = ledger.once(
                db,
                key=idempotency_key,
                kind="crear_apartado",
                customer=clienteId,
                arguments={"nombre": nombre, "monto": monto},
                act=lambda run: cards.set_aside(
                    db, clienteId, nombre, Decimal(monto), run
                ).model_dump(mode="json"),
            )
        return ApartadoCreado.model_validate(result)


def _tool(function: Callable[..., Any], annotations: ToolAnnotations) -> Tool:
    """Return a tool that refuses arguments it does not declare.

    By default they are dropped in silence, and a key sent under a misspelt name would
    be no key at all.
    """
    tool = Tool.from_function(function, annotations=annotations)
    declared = tool.fn_metadata.arg_model
    strict = create_model(
        declared.__name__, __base__=declared, __cls_kwargs__={"extra": "forbid"}
    )
    tool.fn_metadata.arg_model = strict
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool
