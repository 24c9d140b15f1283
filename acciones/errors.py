"""What the ledger refuses, each with a stable code and an HTTP status.

The docstring is the default message for people.
"""

from typing import Any


class MayaError(Exception):
    """Algo no salió bien."""

    code = "error"
    status = 400

    def __init__(self, detail: str = "", **extra: Any) -> None:
        self.detail = detail or (type(self).__doc__ or "").strip()
        self.extra = extra
        super().__init__(self.detail)


class NotFound(MayaError):
    """No encontramos lo que pides."""

    code, status = "not_found", 404


class BadInput(MayaError):
    """Revisa los datos: hay algo que no podemos aceptar."""

    code, status = "bad_input", 400


class SignInRequired(MayaError):
    """Inicia sesión para hacer este cambio."""

    code, status = "sign_in_required", 403


class CustomerChanged(MayaError):
    """Esta propuesta se hizo para otra sesión. Pide una nueva."""

    code, status = "customer_changed", 409


class EvidenceMissing(MayaError):
    """Faltan pruebas para proponer este cambio."""

    code, status = "evidence_missing", 422


class Disabled(MayaError):
    """Esta acción no está disponible ahora."""

    code, status = "disabled", 409


class QuotaReached(MayaError):
    """Tienes demasiadas propuestas abiertas. Confirma o cancela alguna."""

    code, status = "quota", 429


class Expired(MayaError):
    """La propuesta caducó. Pide una nueva."""

    code, status = "expired", 409


class WrongState(MayaError):
    """Esto ya se había resuelto."""

    code, status = "wrong_state", 409


class AlreadyInProgress(MayaError):
    """Ya hay un cambio en curso sobre ese registro."""

    code, status = "already_in_progress", 409


class AlreadyDecided(MayaError):
    """Ya decidiste sobre esta solicitud."""

    code, status = "already_decided", 409


class Forbidden(MayaError):
    """No tienes permiso para hacer esto."""

    code, status = "forbidden", 403


class StaleDigest(MayaError):
    """Lo que viste no coincide con lo guardado. Recarga la página."""

    code, status = "digest_mismatch", 409


class NoSecret(MayaError):
    """El sitio no tiene un secreto vigente: sin él no se puede firmar nada."""

    code, status = "no_secret", 409


class IdentityRefused(MayaError):
    """No pudimos comprobar tu identidad. Vuelve a entrar desde el sitio."""

    code, status = "identity_refused", 401


class TooLarge(MayaError):
    """El mensaje es demasiado grande (64 KiB como máximo)."""

    code, status = "too_large", 413


class SessionRequired(MayaError):
    """Abre de nuevo el chat: tu sesión no vale o terminó."""

    code, status = "session_required", 401


class RehearsalInert(MayaError):
    """Esto es un ensayo: los botones están inactivos."""

    code, status = "rehearsal", 409
