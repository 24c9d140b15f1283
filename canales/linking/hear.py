"""Hear: what a message to the bot may do, which is to link, to unlink and no more."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from canales.alerts.words import inbox_url
from canales.models.link import known_language
from canales.telegram.wire import PRIVATE, Said

from . import claim, keys
from .unlink import of_chat, unlink

UNLINK = {"/desvincular", "/unlink"}


@dataclass(frozen=True)
class Heard:
    """What we answer, and in a word what it was."""

    reply: str
    verdict: str


def hear(said: Said) -> Heard | None:
    """Act on a text message; None when it deserves no answer (chatter of groups).

    No text approves anything, whatever it says: only a button that we sent does.
    """
    word, _space, rest = said.text.strip().partition(" ")
    command = word.partition("@")[0].lower()
    with override(known_language(said.person.language)):
        if said.chat_type != PRIVATE or said.chat_id != said.person.id:
            return _not_private(command)
        if command == "/start":
            return _start(said, rest.strip())
        if command in UNLINK:
            return _unlink(said)
        if code := keys.plain_code(said.text):
            return _code(said, code)
        return Heard(_not_by_text(), "text")


def _not_private(command: str) -> Heard | None:
    if command != "/start":
        return None
    reply = _("Solo funciono en un chat privado. Escríbeme a mí directamente.")
    return Heard(reply, "not_private")


def _start(said: Said, token: str) -> Heard:
    if not token:
        reply = _(
            "Hola. Para recibir aquí las solicitudes de tu sitio, abre «Telegram» en "
            "tu panel de Maya, crea una invitación y envíame su código."
        )
        return Heard(reply, "hello")
    if claim.by_token(said, token):
        return Heard(_claimed(), "claimed")
    return Heard(_no_invitation(), "wrong_token")


def _code(said: Said, code: str) -> Heard:
    if claim.has_guessed(said.person.id):
        reply = _("Demasiados códigos erróneos. Espera diez minutos.")
        return Heard(reply, "too_many")
    if claim.by_code(said, code):
        return Heard(_claimed(), "claimed")
    return Heard(_no_invitation(), claim.WRONG)


def _claimed() -> str:
    return _(
        "Casi está. Vuelve a tu panel de Maya y confirma que esta cuenta es tuya; "
        "hasta entonces no recibirás nada aquí."
    )


def _no_invitation() -> str:
    return _("Esa invitación no existe, caducó o ya se usó. Crea otra en tu panel.")


def _unlink(said: Said) -> Heard:
    links = of_chat(said.person.id, said.chat_id)
    count = sum(
        unlink(link, surface="telegram", user=link.member.user if link.member else None)
        for link in links
    )
    if not count:
        return Heard(_("Este chat no está vinculado."), "not_linked")
    reply = ngettext(
        "Desvinculado de %(n)d sitio. Aquí ya no se decide nada.",
        "Desvinculado de %(n)d sitios. Aquí ya no se decide nada.",
        count,
    )
    return Heard(reply % {"n": count}, "unlinked")


def _not_by_text() -> str:
    return _(
        "Escribiendo no se aprueba ni se rechaza nada: usa los botones del mensaje. "
        "Si quieres dar un motivo, decide en la web: %(url)s"
    ) % {"url": inbox_url()}
