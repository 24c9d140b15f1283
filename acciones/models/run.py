"""Runs and proposals: one offered change and its life."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .action import Action
from .conversation import Conversation
from .evidence import Evidence
from .site import Site
from .visitor import Customer, Visitor


class Run(models.Model):
    """The life of one proposal; its id is runId, requestId and idempotency key.

    Every change of ``state`` goes through ``acciones.events.transition``.
    """

    class State(models.TextChoices):
        REQUESTED = "requested", _("solicitado")
        AWAITING_OWNER = "awaiting_owner", _("esperando al propietario")
        QUEUED = "queued", _("en ejecución")
        RUNNING = "running", _("en ejecución")
        PENDING = "pending", _("pendiente")
        UNKNOWN = "unknown", _("comprobando un resultado desconocido")
        DONE = "done", _("completado")
        FAILED = "failed", _("fallido")
        REJECTED = "rejected", _("rechazado")
        CANCELLED = "cancelled", _("cancelado")
        EXPIRED = "expired", _("caducado")

    FINAL = (
        State.DONE,
        State.FAILED,
        State.REJECTED,
        State.CANCELLED,
        State.EXPIRED,
    )
    IN_PROGRESS = (
        State.AWAITING_OWNER,
        State.QUEUED,
        State.RUNNING,
        State.PENDING,
        State.UNKNOWN,
    )

    class Effect(models.TextChoices):
        CLAIMED = "claimed", _("lo dice tu sistema")
        VERIFIED = "verified", _("leído de vuelta")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    conversation = models.ForeignKey(Conversation, models.CASCADE)
    visitor = models.ForeignKey(Visitor, models.CASCADE, verbose_name=_("visitante"))
    action = models.ForeignKey(Action, models.PROTECT, verbose_name=_("acción"))
    target = models.CharField(_("registro"), max_length=300)
    digest = models.CharField(_("resumen"), max_length=64)
    state = models.CharField(_("estado"), max_length=16, choices=State.choices)
    seq = models.IntegerField(default=0)
    needs_owner = models.BooleanField(_("requiere al propietario"))
    quorum = models.PositiveSmallIntegerField(default=1)
    approvals = models.PositiveSmallIntegerField(default=0)
    expires_at = models.DateTimeField(_("caduca"))
    due_at = models.DateTimeField(_("toca"), null=True)
    lease_until = models.DateTimeField(_("en manos hasta"), null=True)
    attempts = models.PositiveSmallIntegerField(_("intentos"), default=0)
    reads = models.PositiveSmallIntegerField(_("lecturas fallidas"), default=0)
    certain = models.BooleanField(_("con certeza"), null=True)
    reason = models.CharField(_("motivo"), max_length=64, blank=True)
    message = models.TextField(_("mensaje"), blank=True)
    reference = models.CharField(_("referencia"), max_length=300, blank=True)
    card = models.JSONField(_("tarjeta"), null=True)
    effect = models.CharField(
        _("efecto"), max_length=16, choices=Effect.choices, blank=True
    )
    created = models.DateTimeField(_("ofrecida"), db_default=Now(), editable=False)
    confirmed_at = models.DateTimeField(_("confirmada"), null=True)
    decided_at = models.DateTimeField(_("decidida"), null=True)
    finished_at = models.DateTimeField(_("terminada"), null=True)
    trace = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("ejecución")
        verbose_name_plural = _("ejecuciones")
        constraints = [
            models.UniqueConstraint(
                fields=["action", "conversation"],
                condition=Q(state="requested"),
                name="run_one_open_offer",
            ),
            models.UniqueConstraint(
                fields=["site", "action", "target"],
                condition=Q(
                    state__in=[
                        "awaiting_owner",
                        "queued",
                        "running",
                        "pending",
                        "unknown",
                    ]
                )
                & ~Q(target=""),
                name="run_one_in_progress",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "requested",
                        "awaiting_owner",
                        "queued",
                        "running",
                        "pending",
                        "unknown",
                        "done",
                        "failed",
                        "rejected",
                        "cancelled",
                        "expired",
                    ]
                ),
                name="run_state_known",
            ),
            models.CheckConstraint(
                condition=Q(attempts__lte=3), name="run_three_attempts"
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=["done", "failed", "rejected", "cancelled", "expired"],
                    finished_at__isnull=False,
                )
                | ~Q(state__in=["done", "failed", "rejected", "cancelled", "expired"])
                & Q(finished_at__isnull=True),
                name="run_final_has_end",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | Q(certain__isnull=False),
                name="run_failure_says_certain",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["queued", "unknown"]) | Q(due_at__isnull=False),
                name="run_queue_has_due",
            ),
            models.CheckConstraint(
                condition=~Q(state="running") | Q(lease_until__isnull=False),
                name="run_running_has_lease",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(state__in=["queued", "unknown"]),
                name="run_due",
            ),
            models.Index(
                fields=["lease_until"],
                condition=Q(state="running"),
                name="run_lease",
            ),
            models.Index(
                fields=["expires_at"],
                condition=Q(state__in=["requested", "awaiting_owner"]),
                name="run_expiry",
            ),
            models.Index(
                fields=["site", "confirmed_at"],
                condition=Q(state="awaiting_owner"),
                name="run_inbox",
            ),
            models.Index(fields=["site", "-created"], name="run_recent"),
            models.Index(fields=["visitor", "state"], name="run_of_visitor"),
            # The owner's lists, each sorted by what it shows first
            models.Index(fields=["-created"], name="run_newest"),
            models.Index(fields=["site", "finished_at"], name="run_finished"),
            models.Index(fields=["site", "decided_at"], name="run_decided"),
            models.Index(
                fields=["reference"],
                condition=~Q(reference=""),
                name="run_by_reference",
            ),
            models.Index(fields=["target"], name="run_by_target"),
            models.Index(
                fields=["site", "-created"],
                condition=Q(state="unknown") | Q(state="failed", certain=False),
                name="run_in_doubt",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_final(self) -> bool:
        """Say whether nothing can happen to this run any more."""
        return self.state in self.FINAL


class Proposal(models.Model):
    """The immutable content of one offered change.

    ``body`` is exactly what every attempt sends. ``digest`` is SHA-256 over the
    RFC 8785 canonical JSON of what a person must be shown.
    """

    run = models.OneToOneField(
        Run, models.CASCADE, primary_key=True, related_name="proposal"
    )
    version = models.PositiveIntegerField(_("versión de la acción"))
    input = models.JSONField(_("entradas"))
    target_kind = models.CharField(max_length=48, blank=True)
    target_ref = models.CharField(max_length=250, blank=True)
    amount_minor = models.BigIntegerField(_("importe"), null=True)
    currency = models.CharField(_("moneda"), max_length=3, blank=True)
    exponent = models.PositiveSmallIntegerField(default=2)
    customer = models.ForeignKey(Customer, models.PROTECT, null=True)
    evidence = models.ManyToManyField(Evidence, related_name="+")
    observed = models.JSONField(default=list)
    body = models.BinaryField()
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("propuesta")
        verbose_name_plural = _("propuestas")
        constraints = [
            models.CheckConstraint(
                condition=Q(amount_minor__isnull=True, currency="")
                | Q(amount_minor__isnull=False) & ~Q(currency=""),
                name="proposal_money_whole",
            )
        ]

    def __str__(self) -> str:
        return str(self.run_id)

    @property
    def amount(self) -> dict[str, Any] | None:
        """Return money as integers and a currency, or nothing."""
        if self.amount_minor is None:
            return None
        return {
            "minor": self.amount_minor,
            "currency": self.currency,
            "exponent": self.exponent,
        }


class Consent(models.Model):
    """The customer's yes to exactly one proposal."""

    run = models.OneToOneField(
        Run, models.CASCADE, primary_key=True, related_name="consent"
    )
    visitor = models.ForeignKey(Visitor, models.PROTECT)
    surface = models.CharField(max_length=32)
    digest = models.CharField(max_length=64)
    created = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("consentimiento")
        verbose_name_plural = _("consentimientos")

    def __str__(self) -> str:
        return f"{self.run_id} · {self.surface}"
