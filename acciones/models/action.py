"""Actions: what an owner lets the agent use, and its published versions."""

from typing import Any

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from .connection import Connection
from .site import Site

NAME = RegexValidator(
    r"\A[a-z][a-z0-9_]{0,47}\Z",
    _("Usa minúsculas, números y guion bajo, empezando por una letra."),
)


# The fields that carry meaning: a version is a hash over them
MEANING = (
    "name",
    "kind",
    "description",
    "path",
    "inputs",
    "input_schema",
    "tool_hash",
    "bindings",
    "requires_customer",
    "approval",
    "conditions",
    "quorum",
    "target_kind",
    "target_input",
    "money",
    "evidence_kinds",
    "fingerprint_paths",
    "key_place",
    "sends_precondition",
)


class Action(models.Model):
    """A lookup (reads) or a change (writes) over a signed webhook or an MCP tool.

    ``inputs`` is a list of ``{"name", "label", "description", "required",
    "pattern", "max_length"}``; an MCP action has ``input_schema`` instead.
    ``bindings`` fills arguments from the session, never from the model:
    ``{"clienteId": "customer.id"}``.
    ``money`` says which input carries money: ``{"input": "amount", "currency":
    "EUR", "exponent": 2}`` (or ``"currency_input"`` in place of ``"currency"``).
    ``conditions`` decide whether the owner is asked, when ``approval`` is
    conditional: ``[{"field": "amount"|"customer"|"input.<name>", "op": ">"|">="|
    "<"|"<="|"=="|"!="|"present"|"absent", "value": …}]``; any that holds asks.
    ``evidence_kinds`` are the kinds of evidence that a proposal must cite.
    ``fingerprint_paths`` (lookups) are the dotted paths of the answer's data that
    count as "the world" at revalidation.
    ``key_place`` (MCP changes) says where the key goes: ``{"argument": name}``,
    ``{"meta": name}``, or ``{}``: one attempt only.
    """

    class Kind(models.TextChoices):
        LOOKUP = "lookup", _("consulta")
        CHANGE = "change", _("cambio")

    class Approval(models.TextChoices):
        NEVER = "never", _("nunca: se ejecuta al confirmar")
        ALWAYS = "always", _("siempre")
        CONDITIONAL = "conditional", _("según condiciones")

    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    name = models.CharField(_("nombre"), max_length=48, validators=[NAME])
    title = models.CharField(_("título"), max_length=100)
    kind = models.CharField(_("clase"), max_length=8, choices=Kind.choices)
    description = models.TextField(_("cuándo usarla"))
    connection = models.ForeignKey(
        Connection, models.PROTECT, verbose_name=_("conexión"), related_name="actions"
    )
    path = models.CharField(
        _("ruta o herramienta"),
        max_length=300,
        help_text=_(
            "La ruta del endpoint («/agent/cancel-order») o la herramienta MCP."
        ),
    )
    inputs = models.JSONField(_("entradas"), default=list, blank=True)
    input_schema = models.JSONField(_("esquema MCP"), default=dict, blank=True)
    tool_hash = models.CharField(max_length=64, blank=True, editable=False)
    bindings = models.JSONField(_("entradas de la sesión"), default=dict, blank=True)
    requires_customer = models.BooleanField(
        _("requiere cliente con sesión iniciada"), default=True
    )
    approval = models.CharField(
        _("aprobación"),
        max_length=16,
        choices=Approval.choices,
        default=Approval.ALWAYS,
    )
    conditions = models.JSONField(_("condiciones"), default=list, blank=True)
    quorum = models.PositiveSmallIntegerField(_("aprobaciones necesarias"), default=1)
    target_kind = models.CharField(_("registro"), max_length=48, blank=True)
    target_input = models.CharField(
        _("entrada del registro"), max_length=64, blank=True
    )
    money = models.JSONField(_("dinero"), default=dict, blank=True)
    evidence_kinds = models.JSONField(_("pruebas necesarias"), default=list, blank=True)
    fingerprint_paths = models.JSONField(
        _("campos vigilados"), default=list, blank=True
    )
    key_place = models.JSONField(_("lugar de la clave"), default=dict, blank=True)
    status_lookup = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("consulta de estado"),
    )
    sends_precondition = models.BooleanField(_("envía la precondición"), default=False)
    enabled = models.BooleanField(_("activa"), default=True)
    version = models.PositiveIntegerField(_("versión"), default=0, editable=False)
    draft = models.JSONField(_("borrador"), default=dict, blank=True, editable=False)
    created = models.DateTimeField(_("creada"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("acción")
        verbose_name_plural = _("acciones")
        constraints = [
            models.UniqueConstraint(
                fields=["site", "kind", "name"], name="action_name_once"
            ),
            models.CheckConstraint(
                condition=Q(quorum__gte=1), name="action_quorum_positive"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def tool_name(self) -> str:
        """Return the model's name for this action: ``change_cancel_order``."""
        return f"{self.kind}_{self.name}"

    @property
    def is_mcp(self) -> bool:
        """Say whether this action is a tool of an MCP server."""
        return self.connection.kind == Connection.Kind.MCP

    def meaning(self) -> dict[str, Any]:
        """Return the fields that carry meaning: what a version is made of."""
        return {
            **{name: getattr(self, name) for name in MEANING},
            "connection": [self.connection.kind, self.connection.url],
            "status_lookup": self.status_lookup.name if self.status_lookup else None,
        }


class ActionVersion(models.Model):
    """What an action was when it was published; never changed afterwards."""

    action = models.ForeignKey(Action, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    fingerprint = models.CharField(max_length=64)
    content = models.JSONField()
    published = models.DateTimeField(db_default=Now(), editable=False)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True
    )

    class Meta:
        verbose_name = _("versión")
        verbose_name_plural = _("versiones")
        ordering = [F("number").desc()]
        constraints = [
            models.UniqueConstraint(fields=["action", "number"], name="version_once")
        ]

    def __str__(self) -> str:
        return f"{self.action} v{self.number}"
