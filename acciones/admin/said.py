"""Sentences that other modules hold as plain Spanish, listed for the translators.

They reach people through ``gettext(text)``; a list is the only way for the catalogue's
tools to find them. A test holds the list to its sources.
"""

from django.utils.translation import gettext_noop as _

ERRORS = (
    _("Algo no salió bien."),
    _("No encontramos lo que pides."),
    _("No tienes permiso para hacer esto."),
    _("Nadie aprueba lo que pidió como cliente."),
)

ADDRESSES = (
    _("La dirección no es válida."),
    _("La dirección no puede llevar usuario ni contraseña."),
    _("La dirección no tiene servidor."),
    _("La dirección debe empezar por https://."),
    _("Solo se admite el puerto 443."),
    _("La dirección no es pública."),
    _("El servidor no tiene dirección."),
)

CONDITIONS = (
    _("es mayor que"),
    _("es al menos"),
    _("es menor que"),
    _("es como mucho"),
    _("es"),
    _("no es"),
    _("está presente"),
    _("no está"),
    _("Se ejecuta en cuanto el cliente confirma."),
    _("Siempre espera tu aprobación."),
)
