"""Sites and the people who run them."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Site(models.Model):
    """One owner's installation, known to the world by its ``public_id``."""

    public_id = models.SlugField("identificador público", max_length=64, unique=True)
    name = models.CharField("nombre", max_length=200)
    language = models.CharField("idioma", max_length=8, default="es")
    allowed_origins = models.JSONField(
        "orígenes permitidos",
        default=list,
        blank=True,
        help_text="Direcciones desde las que tu sitio puede abrir el chat.",
    )
    open_per_visitor = models.PositiveSmallIntegerField(
        "propuestas abiertas por visitante", default=5
    )
    open_per_site = models.PositiveIntegerField(
        "propuestas abiertas en el sitio", default=500
    )
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Member", related_name="sites"
    )
    created = models.DateTimeField("creado", db_default=Now(), editable=False)

    class Meta:
        verbose_name = "sitio"
        verbose_name_plural = "sitios"

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A user's role on a site."""

    class Role(models.TextChoices):
        OWNER = "owner", "propietario"
        APPROVER = "approver", "aprobador"
        VIEWER = "viewer", "lector"

    site = models.ForeignKey(Site, models.CASCADE, verbose_name="sitio")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name="usuario"
    )
    role = models.CharField("papel", max_length=16, choices=Role.choices)
    customer_id = models.CharField(
        "su identidad como cliente",
        max_length=200,
        blank=True,
        help_text="Nadie aprueba lo que pidió como cliente.",
    )

    class Meta:
        verbose_name = "miembro"
        verbose_name_plural = "miembros"
        constraints = [
            models.UniqueConstraint(fields=["site", "user"], name="member_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()}"

    @property
    def may_decide(self) -> bool:
        """Say whether this member may approve or reject."""
        return self.role in {self.Role.OWNER, self.Role.APPROVER}
