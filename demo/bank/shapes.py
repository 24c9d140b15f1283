"""What the bank's tools answer; amounts are pesos, rates yearly percentages."""

from typing import Literal

from pydantic import BaseModel, Field


class Plan(BaseModel):
    """Un plan de pagos fijos sobre el saldo de una tarjeta."""

    plazoMeses: int
    tasaPactada: float
    pagoMensual: float


class Tarjeta(BaseModel):
    """Una tarjeta de crédito y cómo va."""

    tarjetaId: str
    alias: str
    terminacion: str
    estado: Literal["al_corriente", "en_mora", "reestructurada"]
    saldo: float
    limite: float
    pagoMinimo: float
    tasaOrdinaria: float
    diasMora: int
    plan: Plan | None


class Apartado(BaseModel):
    """Dinero que el cliente ha separado para algo."""

    apartadoId: str
    nombre: str
    monto: float


class Panorama(BaseModel):
    """La situación de un cliente de un vistazo."""

    clienteId: str
    nombre: str
    moneda: Literal["MXN"] = "MXN"
    disponible: float
    tarjetas: list[Tarjeta]
    apartados: list[Apartado]


class Pago(BaseModel):
    """Un mes de la tabla de amortización."""

    numero: int
    pago: float
    capital: float
    interes: float
    saldo: float


class Opcion(BaseModel):
    """Lo que costaría el mismo saldo a otro plazo."""

    plazoMeses: int
    pagoMensual: float
    totalAPagar: float
    totalIntereses: float


class Simulacion(Opcion):
    """Una reestructura calculada, sin aplicar nada."""

    tarjetaId: str
    moneda: Literal["MXN"] = "MXN"
    saldo: float
    diasMora: int
    tasaPactada: float
    opciones: list[Opcion] = Field(description="El mismo saldo, de 6 a 36 meses")
    amortizacion: list[Pago]


class PlanAplicado(Opcion):
    """El resultado consolidado de una reestructura."""

    estado: Literal["aplicado"] = "aplicado"
    folio: str
    mensaje: str
    tarjetaId: str
    moneda: Literal["MXN"] = "MXN"
    saldo: float
    tasaPactada: float


class ApartadoCreado(Apartado):
    """El resultado consolidado de un apartado nuevo."""

    estado: Literal["creado"] = "creado"
    folio: str
    mensaje: str
    moneda: Literal["MXN"] = "MXN"
    disponible: float
