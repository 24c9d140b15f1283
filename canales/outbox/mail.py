"""Mails alerts to members who have no chat that works: that, how many, and where.

A mailbox is no place for a customer's data: the mail leads to the inbox.
"""

import smtplib

from django.core.mail import EmailMessage
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from acciones.models import Member, Run
from canales.alerts.compose import loaded, outage
from canales.alerts.words import inbox_url
from canales.models import Alert

from .outcome import Outcome


def send(alert_id: int, purpose: str) -> Outcome:
    """Send one alert by mail."""
    alert = loaded(alert_id)
    member = alert.member
    if member is None or not member.user.is_active or not member.user.email:
        return Outcome("dropped")
    with override(member.site.language):
        mail = _waiting(member) if alert.kind == Alert.Kind.APPROVAL else _cut(alert)
    if mail is None:
        return Outcome("dropped")
    mail.to = [member.user.email]
    try:
        mail.send()
    except smtplib.SMTPRecipientsRefused as error:
        return Outcome("failed", type(error).__name__)
    except smtplib.SMTPException as error:
        return Outcome("retry", type(error).__name__)
    except TimeoutError:
        return Outcome("unknown", "TimeoutError")
    except OSError as error:
        return Outcome("retry", type(error).__name__)
    return Outcome("sent")


def _waiting(member: Member) -> EmailMessage | None:
    count = Run.objects.filter(
        site=member.site_id, state=Run.State.AWAITING_OWNER, expires_at__gt=Now()
    ).count()
    if not count or not member.may_decide:
        return None
    subject = ngettext(
        "%(site)s: %(n)d solicitud espera tu decisión",
        "%(site)s: %(n)d solicitudes esperan tu decisión",
        count,
    ) % {"site": _one_line(member.site.name), "n": count}
    body = _("Míralas y decide en %(url)s") % {"url": inbox_url()}
    return EmailMessage(subject=subject, body=body)


def _cut(alert: Alert) -> EmailMessage | None:
    if alert.outage is None or alert.outage.ended_at is not None:
        return None
    subject = _("%(site)s: una conexión está desactivada") % {
        "site": _one_line(alert.outage.site.name)
    }
    return EmailMessage(subject=subject, body=outage(alert))


def _one_line(text: str) -> str:
    """A header takes one line; Django refuses a mail with more."""
    return " ".join(text.split())
