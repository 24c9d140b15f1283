"""Sites and the people who run them."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Site(models.Model):
    """One owner's installation, known to the world by its ``public_id``."""

    public_id = models.SlugField(_("identificador público"), max_length=64, unique=True)
    name = models.CharField(_("nombre"), max_length=200)
    language = models.CharField(_("idioma"), max_length=8, default="es")
    allowed_origins = models.JSONField(
        _("orígenes permitidos"),
        default=list,
        blank=True,
        help_text=_("Direcciones desde las que tu sitio puede abrir el chat."),
    )
    open_per_visitor = models.PositiveSmallIntegerField(
        _("propuestas abiertas por visitante"), default=5
    )
    open_per_site = models.PositiveIntegerField(
        _("propuestas abiertas en el sitio"), default=500
    )
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Member", related_name="sites"
    )
    created = models.DateTimeField(_("creado"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("sitio")
        verbose_name_plural = _("sitios")

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A user's role on a site."""

    class Role(models.TextChoices):
        OWNER = "owner", _("propietario")
        APPROVER = "approver", _("aprobador")
        VIEWER = "viewer", _("lector")

    site = models.ForeignKey(Site, models.CASCADE, verbose_name=_("sitio"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name=_("usuario")
    )
    role = models.CharField(_("papel"), max_length=16, choices=Role.choices)
    customer_id = models.CharField(
        _("su identidad como cliente"),
        max_length=200,
        blank=True,
        help_text=_("Nadie aprueba lo que pidió como cliente."),
    )

    class Meta:
        verbose_name = _("miembro")
        verbose_name_plural = _("miembros")
        constraints = [
            models.UniqueConstraint(fields=["site", "user"], name="member_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()}"

    @property
    def may_decide(self) -> bool:
        """Say whether this member may approve or reject."""
        return self.role in {self.Role.OWNER, self.Role.APPROVER}
