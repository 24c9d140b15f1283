"""Catches a text that says a change is done when no run says so.

The outcome of a change is told by the application, from the run. A model that tells
one before it happened is asked again; it cannot make anything true by saying it.
"""

import re
from uuid import UUID

from acciones.models import Run
from agente.language.situation import folded

_DONE = (
    r"(?:reembolsad|devuelt|cancelad|anulad|aplicad|reestructurad|apartad|pagad|abonad|"
    r"transferid|ejecutad|procesad|completad|realizad|efectuad|tramitad|aprobad|"
    r"confirmad|emitid|hech)\w*"
)
_DO = (
    r"(?:reembolsar|devolver|cancelar|anular|aplicar|pagar|abonar|transferir|ejecutar)"
)
_CHANGE = (
    r"(?:reembolso|cancelacion|devolucion|plan|pago|apartado|cambio|transferencia|"
    r"operacion|solicitud|abono)"
)
CLAIMS = [
    re.compile(pattern)
    for pattern in (
        rf"\b(?:he|hemos) (?:ya )?{_DONE}",
        rf"\b(?:acabo|acabamos) de {_DO}",
        rf"\b{_CHANGE}\b[^.!?]{{0,60}}\b(?:ha sido|fue|esta|quedo|queda|se ha) "
        rf"(?:ya )?{_DONE}",
        rf"\b(?:se te ha|te hemos|ya te he) {_DONE}",
        rf"\b{_CHANGE} {_DONE} (?:con exito|correctamente)",
        r"\bi(?:'ve| have)? (?:just |already )?"
        r"(?:refunded|cancel+ed|applied|processed)\b",
        r"\b(?:refund|cancel+ation|plan|payment|order) (?:has been|was|is now) "
        r"(?:refunded|cancel+ed|processed|issued|completed|applied|approved|done)\b",
    )
]
# Here the accent tells: "cancelé" is done, "cancele" is a wish
PAST = re.compile(r"\b(?:reembolsé|cancelé|apliqué|devolví|transferí|anulé|pagué)\b")
SENTENCES = re.compile(r"[^.!?\n]+")
# "Cuando el reembolso está aprobado…" is a rule and "no se ha hecho" the contrary
NO_CLAIM = re.compile(
    r"\b(?:no|ni|nunca|nada|cuando|si|una vez|hasta que|antes de|despues de|mientras|"
    r"if|when|once|until|not|never)\b"
)


def claims_done(text: str) -> bool:
    """Say whether a text tells that a change has been carried out."""
    plain = SENTENCES.findall(folded(text))
    accented = SENTENCES.findall(text.lower())
    return any(_claims(CLAIMS, sentence) for sentence in plain) or any(
        _claims([PAST], sentence) for sentence in accented
    )


def _claims(patterns: list[re.Pattern[str]], sentence: str) -> bool:
    return any(
        NO_CLAIM.search(sentence[: found.start()]) is None
        for pattern in patterns
        if (found := pattern.search(sentence))
    )


def is_false(conversation_id: UUID, text: str) -> bool:
    """Say whether a text claims a change that no run of the conversation confirms."""
    return (
        claims_done(text)
        and not Run.objects.filter(
            conversation_id=conversation_id, state=Run.State.DONE
        ).exists()
    )
