"""What the application says when a turn cannot end as meant."""

from django.utils.translation import gettext_noop as _

FAILED = {
    "budget": _(
        "Esto me está llevando más vueltas de las que debería, así que me detengo. "
        "Con este mensaje no se ha cambiado nada. ¿Puedes decírmelo de otra forma o "
        "por partes?"
    ),
    "model": _(
        "No he podido terminar de responder: el servicio de lenguaje no contesta. "
        "Tu mensaje está guardado y con él no se ha cambiado nada; inténtalo de nuevo "
        "en un momento."
    ),
    "crashed": _(
        "Algo falló mientras te respondía y no he podido terminar. Con este mensaje no "
        "se ha cambiado nada; inténtalo de nuevo en un momento."
    ),
    "no_agent": _("Este sitio todavía no tiene un agente que pueda responderte."),
}
