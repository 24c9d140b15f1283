"""«Telegram»: each member links, quiets and unlinks a chat; owners unlink others'."""

import zoneinfo
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from telegram.error import TelegramError

from acciones import audit
from acciones.admin.reach import reach
from acciones.admin.scoped import ScopedAdmin
from acciones.errors import MayaError
from acciones.models import Member

from .linking import answer
from .linking.invite import Invitation, invite, waiting
from .linking.unlink import unlink
from .models import TelegramInvite, TelegramLink
from .telegram import bot

QUIET = ("quiet_from", "quiet_until", "time_zone")


class QuietForm(forms.Form):
    """When nothing shall be sent that can wait, on whose clock."""

    quiet_from = forms.TimeField(
        label=_("Silencio desde"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    quiet_until = forms.TimeField(
        label=_("hasta"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    time_zone = forms.ChoiceField(
        label=_("Zona horaria"),
        choices=lambda: [
            (name, name) for name in sorted(zoneinfo.available_timezones())
        ],
    )

    def clean(self) -> dict[str, Any]:
        """Demand both ends of the quiet hours, or neither."""
        cleaned: dict[str, Any] = super().clean() or {}
        ends = [cleaned.get("quiet_from"), cleaned.get("quiet_until")]
        if (ends[0] is None) != (ends[1] is None):
            raise ValidationError(_("Indica las dos horas, o ninguna."))
        return cleaned


@dataclass(frozen=True)
class Place:
    """One membership on the page: its chat, or what is missing for one."""

    member: Member
    link: TelegramLink | None
    claimed: TelegramInvite | None
    quiet: QuietForm | None


class TelegramAdmin(ScopedAdmin):
    """One page instead of a list: one's own chats and, for owners, the others'."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse Django's form: a link is made by two who know the same secret."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse Django's form; the page has its own buttons."""
        return False

    def get_urls(self) -> list[Any]:
        """Add what the page's buttons do, each by POST."""
        ours: dict[str, tuple[str, Any]] = {
            "invitar/<int:pk>/": ("invite", self.invite_view),
            "contestar/<int:pk>/": ("answer", self.answer_view),
            "silencio/<int:pk>/": ("quiet", self.quiet_view),
            "desvincular/<int:pk>/": ("unlink", self.unlink_view),
        }
        return [
            path(route, self.admin_site.admin_view(view), name=f"telegram_{name}")
            for route, (name, view) in ours.items()
        ] + super().get_urls()

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the page."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._page(request)

    def change_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """There is no page of one link."""
        raise Http404

    def invite_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make an invitation and show it, once."""
        member = self._own(request, pk)
        try:
            row = bot.check()
            made = invite(member, row)
        except bot.NoBot:
            return self._back(request, gettext("Esta instalación no tiene bot."))
        except TelegramError:
            return self._back(request, gettext("Telegram no responde ahora."))
        except MayaError as error:
            return self._back(request, gettext(error.detail))
        self._note(request, member, "telegram.invite")
        response = self._page(request, invited=(member, made))
        response["Cache-Control"] = "no-store"
        return response

    def answer_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take the member's yes or no to the account that the page showed."""
        _only_post(request)
        claimed = TelegramInvite.objects.select_related("member__site").filter(pk=pk)
        found = claimed.filter(member__in=reach(request).members).first()
        shown = request.POST.get("user_id", "")
        if found is None or not (shown.isascii() and shown.isdigit()):
            raise Http404
        member = self._own(request, found.member_id)
        try:
            if request.POST.get("answer") != "yes":
                answer.refuse(pk, member=member, user_id=int(shown))
                return self._back(request, gettext("No se vinculó nada."))
            row = bot.usable()
            if row is None:
                return self._back(request, gettext("Telegram no responde ahora."))
            answer.accept(pk, member=member, user_id=int(shown), bot=row)
        except MayaError as error:
            return self._back(request, gettext(error.detail))
        messages.success(request, gettext("Chat vinculado."))
        return self._back(request)

    def quiet_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Store the quiet hours of one's own chat."""
        _only_post(request)
        link = TelegramLink.objects.filter(
            pk=pk, member__in=reach(request).members, ended_at=None
        ).first()
        if link is None or link.member is None:
            raise Http404
        form = QuietForm(request.POST)
        if not form.is_valid():
            return self._page(request, wrong=(link.pk, form))
        before = {name: str(getattr(link, name) or "") for name in QUIET}
        for name in QUIET:
            setattr(link, name, form.cleaned_data[name])
        link.save(update_fields=QUIET)
        after = {name: str(getattr(link, name) or "") for name in QUIET}
        self._note(
            request,
            link.member,
            "telegram.quiet",
            kind=audit.Kind.SETTING,
            before=before,
            after=after,
        )
        messages.success(request, gettext("Horas de silencio guardadas."))
        return self._back(request)

    def unlink_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Unlink one's own chat or, as an owner, anybody's on the site."""
        _only_post(request)
        mine = reach(request)
        link = mine.narrow(TelegramLink.objects.filter(pk=pk), "site_id").first()
        if link is None:
            raise Http404
        member = mine.member(link.site_id)
        if not mine.owns(link.site_id) and (
            member is None or link.member_id != member.pk
        ):
            raise PermissionDenied
        if unlink(link, surface="admin", user=request.user):
            messages.success(request, gettext("Chat desvinculado."))
        return self._back(request)

    def _page(
        self,
        request: HttpRequest,
        *,
        invited: tuple[Member, Invitation] | None = None,
        wrong: tuple[int, QuietForm] | None = None,
    ) -> TemplateResponse:
        mine = reach(request)
        members = [member for member in mine.members if member.may_decide]
        owned = mine.sites(owned=True)
        others = TelegramLink.objects.filter(ended_at=None, site__in=owned)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Telegram"),
            "subtitle": None,
            "has_bot": bot.usable() is not None,
            "places": [_place(member, wrong) for member in members],
            "others": others.exclude(member__in=members).select_related(
                "site", "member__user"
            ),
            "invited": invited,
        }
        return TemplateResponse(request, "admin/telegram/page.html", context)

    def _own(self, request: HttpRequest, member_pk: int) -> Member:
        """Return the person's own membership; nobody links for somebody else."""
        _only_post(request)
        member = next((m for m in reach(request).members if m.pk == member_pk), None)
        if member is None:
            raise Http404
        if not member.may_decide:
            raise PermissionDenied
        return member

    def _back(self, request: HttpRequest, warning: str = "") -> HttpResponse:
        if warning:
            messages.warning(request, warning)
        page = reverse("admin:canales_telegramlink_changelist")
        return HttpResponseRedirect(page)

    def _note(
        self, request: HttpRequest, member: Member, verb: str, **more: Any
    ) -> None:
        audit.record(
            more.pop("kind", audit.Kind.ACCESS),
            verb,
            surface="admin",
            site=member.site,
            user=request.user,
            subject="member",
            subject_id=member.pk,
            **more,
        )


def _place(member: Member, wrong: tuple[int, QuietForm] | None) -> Place:
    link = TelegramLink.objects.filter(member=member, ended_at=None).first()
    form = None
    if link is not None:
        form = QuietForm(initial={name: getattr(link, name) for name in QUIET})
        if wrong is not None and wrong[0] == link.pk:
            form = wrong[1]
    return Place(member=member, link=link, claimed=waiting(member), quiet=form)


def _only_post(request: HttpRequest) -> None:
    """A link that is merely looked at (a preview, a crawler) changes nothing."""
    if request.method != "POST":
        raise Http404
