"""What was said, what was asked and what was told about a change."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from acciones.models import Conversation, Run, Visitor

from .turn import Turn


class Message(models.Model):
    """One finished message of a conversation.

    ``client_id`` is the client's ``mensajeId``: repeated, it continues the turn.
    ``sources`` are passages: ``{"reference", "title", "section", "quote"}``.
    """

    class Author(models.TextChoices):
        CUSTOMER = "customer", "cliente"
        AGENT = "agent", "agente"
        APPLICATION = "application", "Maya"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="messages"
    )
    visitor = models.ForeignKey(Visitor, models.CASCADE, null=True)
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="messages")
    author = models.CharField("autor", max_length=16, choices=Author.choices)
    client_id = models.CharField(max_length=128, blank=True)
    text = models.TextField("texto")
    attempt = models.PositiveSmallIntegerField("intento", default=0)
    sources = models.JSONField("fuentes", default=list, blank=True)
    created = models.DateTimeField("creado", db_default=Now(), editable=False)

    class Meta:
        verbose_name = "mensaje"
        verbose_name_plural = "mensajes"
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
    fact = models.CharField("dato", max_length=64)
    about = models.CharField("sobre", max_length=300, blank=True)
    text = models.TextField("pregunta")
    answered = models.DateTimeField("respondida", null=True)
    created = models.DateTimeField("hecha", db_default=Now(), editable=False)

    class Meta:
        verbose_name = "pregunta"
        verbose_name_plural = "preguntas"
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
    told = models.DateTimeField("contado", null=True)

    class Meta:
        verbose_name = "desenlace"
        verbose_name_plural = "desenlaces"
        indexes = [
            models.Index(
                fields=["run"], condition=Q(told__isnull=True), name="outcome_untold"
            )
        ]

    def __str__(self) -> str:
        return str(self.run_id)
