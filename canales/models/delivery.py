"""The outbox: what is to be sent, when, and what became of each try."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .alert import Alert


class Delivery(models.Model):
    """One message to send or to edit.

    A claim is a conditional UPDATE on a row that is due, with a lease. No channel
    takes an idempotency key, so a send whose answer was lost ends ``unknown`` and is
    not repeated; an edit can be repeated and is.
    """

    class Purpose(models.TextChoices):
        SEND = "send", "enviar"
        EDIT = "edit", "actualizar"

    class State(models.TextChoices):
        WAITING = "waiting", "en espera"
        SENDING = "sending", "enviando"
        SENT = "sent", "enviado"
        UNKNOWN = "unknown", "resultado desconocido"
        FAILED = "failed", "fallido"
        DROPPED = "dropped", "ya no hacía falta"

    alert = models.ForeignKey(Alert, models.CASCADE, related_name="deliveries")
    lane = models.CharField(max_length=48)
    purpose = models.CharField(max_length=8, choices=Purpose.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "entrega"
        verbose_name_plural = "entregas"
        constraints = [
            # One at a time in each chat: an edit never overtakes its message
            models.UniqueConstraint(
                fields=["lane"],
                condition=Q(state="sending"),
                name="delivery_one_in_a_lane",
            ),
            models.UniqueConstraint(
                fields=["alert"],
                condition=Q(purpose="send"),
                name="delivery_sends_once",
            ),
            models.UniqueConstraint(
                fields=["alert"],
                condition=Q(purpose="edit", state="waiting"),
                name="delivery_one_edit_waits",
            ),
            models.CheckConstraint(
                condition=Q(state="sending", lease_until__isnull=False)
                | ~Q(state="sending") & Q(lease_until__isnull=True),
                name="delivery_sending_has_lease",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "sending"], finished_at__isnull=True)
                | ~Q(state__in=["waiting", "sending"]) & Q(finished_at__isnull=False),
                name="delivery_final_has_end",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at", "lane"],
                condition=Q(state="waiting"),
                name="delivery_due",
            ),
            models.Index(
                fields=["lease_until"],
                condition=Q(state="sending"),
                name="delivery_lease",
            ),
            models.Index(
                fields=["finished_at"],
                condition=Q(state="failed"),
                name="delivery_failed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.lane} · {self.purpose}"


class DeliveryTry(models.Model):
    """One try of a delivery, stored before the first byte leaves."""

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="tries")
    number = models.PositiveSmallIntegerField()
    started = models.DateTimeField(db_default=Now())
    finished = models.DateTimeField(null=True)
    verdict = models.CharField(max_length=16, blank=True)
    detail = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = "intento de entrega"
        verbose_name_plural = "intentos de entrega"
        constraints = [
            models.UniqueConstraint(
                fields=["delivery", "number"], name="delivery_try_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.delivery_id} · {self.number}"
