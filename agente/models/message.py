"""What was said, what was asked and what was told about a change."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from acciones.models import Conversation, Run, Visitor

from .turn import Turn


class Message(models.Model):
    """One finished message of a conversation.

    ``client_id`` is the client's ``mensajeId``: repeated, it continues the turn.
    ``sources`` are passages: ``{"reference", "title", "section", "quote"}``.
    """

    class Author(models.TextChoices):
        CUSTOMER = "customer", _("cliente")
        AGENT = "agent", _("agente")
        APPLICATION = "application", _("Maya")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="messages"
    )
    visitor = models.ForeignKey(Visitor, models.CASCADE, null=True)
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="messages")
    author = models.CharField(_("autor"), max_length=16, choices=Author.choices)
    client_id = models.CharField(max_length=128, blank=True)
    text = models.TextField(_("texto"))
    attempt = models.PositiveSmallIntegerField(_("intento"), default=0)
    sources = models.JSONField(_("fuentes"), default=list, blank=True)
    created = models.DateTimeField(_("creado"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("mensaje")
        verbose_name_plural = _("mensajes")
        constraints = [
            models.UniqueConstraint(
                fields=["visitor", "client_id"],
                condition=~Q(client_id=""),
                name="message_client_id_once",
            )
        ]
        indexes = [
            models.Index(fields=["conversation", "created"], name="message_thread")
        ]

    def __str__(self) -> str:
        return self.text[:60]


class Question(models.Model):
    """A fact that no system knows, asked of the customer.

    It stays unknown until ``answered``; the answer is the customer's statement.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE)
    turn = models.ForeignKey(Turn, models.CASCADE)
    fact = models.CharField(_("dato"), max_length=64)
    about = models.CharField(_("sobre"), max_length=300, blank=True)
    text = models.TextField(_("pregunta"))
    answered = models.DateTimeField(_("respondida"), null=True)
    created = models.DateTimeField(_("hecha"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("pregunta")
        verbose_name_plural = _("preguntas")
        indexes = [
            models.Index(
                fields=["conversation", "fact"],
                condition=Q(answered__isnull=True),
                name="question_open",
            )
        ]

    def __str__(self) -> str:
        return self.text[:60]


class Outcome(models.Model):
    """A run whose outcome the conversation must still hear, or has heard."""

    run = models.OneToOneField(
        Run, models.CASCADE, primary_key=True, related_name="outcome_told"
    )
    turn = models.ForeignKey(Turn, models.CASCADE, null=True)
    told = models.DateTimeField(_("contado"), null=True)

    class Meta:
        verbose_name = _("desenlace")
        verbose_name_plural = _("desenlaces")
        indexes = [
            models.Index(
                fields=["run"], condition=Q(told__isnull=True), name="outcome_untold"
            )
        ]

    def __str__(self) -> str:
        return str(self.run_id)
