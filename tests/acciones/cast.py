"""The fixed cast: a shop with two customers, an owner, a teammate and an outsider."""

import itertools
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from acciones import visitors
from acciones.models import (
    Action,
    AgentSecret,
    Connection,
    Conversation,
    Customer,
    Evidence,
    Member,
    Run,
    Site,
    Visitor,
)
from acciones.publish import publish
from acciones.steps.approve import approve
from acciones.steps.confirm import confirm
from acciones.steps.dispatch import dispatch
from acciones.steps.propose import propose
from acciones.tokens import issue

SECRET = "test-secret-0123456789abcdef-0123456789"
ORDER_INPUT = {
    "name": "order_id",
    "label": "Pedido",
    "description": "Número del pedido",
    "required": True,
    "pattern": r"[A-Z0-9]{1,12}",
    "max_length": 12,
}
AMOUNT_INPUT = {
    "name": "amount",
    "label": "Importe",
    "description": "Importe con dos decimales",
    "required": True,
    "max_length": 12,
}
_numbers = itertools.count(1)


@dataclass
class Cast:
    """Everybody and everything that a story about one site needs."""

    site: Site
    connection: Connection
    refund: Action
    cancel: Action
    get_order: Action
    status: Action
    owner: Member
    teammate: Member
    viewer: Member
    outsider: Member
    customer: Visitor
    other_customer: Visitor
    anonymous: Visitor
    conversation: Conversation
    tokens: dict[str, str] = field(default_factory=dict)

    def offer(
        self,
        order: str = "4821",
        amount: str = "79.00",
        *,
        action: Action | None = None,
        visitor: Visitor | None = None,
        conversation: Conversation | None = None,
        evidence: list[Evidence] | None = None,
    ) -> Run:
        """Propose a refund (or a cancellation) as the agent would."""
        action = action or self.refund
        if conversation is None:
            visitor = visitor or self.customer
            conversation = (
                self.conversation
                if visitor == self.customer
                else talk(self.site, visitor)
            )
        arguments = {"order_id": order}
        if action == self.refund:
            arguments["amount"] = amount
        run = propose(
            conversation=conversation,
            action=action,
            arguments=arguments,
            evidence=evidence or [],
        )
        return fresh(run)

    def confirmed(self, **offer: Any) -> Run:
        """Propose and confirm."""
        run = self.offer(**offer)
        return confirm(run.pk, run.visitor, token=issue(run))

    def approved(self, **offer: Any) -> Run:
        """Propose, confirm and approve."""
        run = self.confirmed(**offer)
        return approve(run.pk, member=self.owner, surface="admin", digest=run.digest)

    def dispatched(self, **offer: Any) -> Run:
        """Walk the whole path, as far as one dispatch carries."""
        run = self.approved(**offer)
        dispatch(run.pk)
        return fresh(run)


def fresh(run: Run) -> Run:
    """Return the run as the database has it now."""
    return Run.objects.select_related("proposal", "visitor", "conversation").get(
        pk=run.pk
    )


def talk(site: Site, visitor: Visitor, *, rehearsal: bool = False) -> Conversation:
    """Begin a conversation."""
    return Conversation.objects.create(site=site, visitor=visitor, rehearsal=rehearsal)


def make_due(run: Run) -> None:
    """Let the retry delay pass, by the row and not by patching a clock."""
    Run.objects.filter(pk=run.pk).update(due_at=timezone.now())


def member(site: Site, name: str, role: str, **more: Any) -> Member:
    """Make a user and give it a role."""
    user = User.objects.create_user(
        f"{name}{next(_numbers)}", f"{name}@example.com", is_staff=True
    )
    return Member.objects.create(site=site, user=user, role=role, **more)


def person(site: Site, external_id: str = "", **more: Any) -> tuple[Visitor, str]:
    """Open a session, anonymous or of a customer; returns it with its token."""
    visitor, token = visitors.open_session(site)
    if external_id:
        visitor.customer, _ = Customer.objects.get_or_create(
            site=site, external_id=external_id, defaults=more
        )
        visitor.save()
    return visitor, token


def action(site: Site, connection: Connection, name: str, **more: Any) -> Action:
    """Define and publish an action."""
    made = Action.objects.create(
        site=site,
        connection=connection,
        name=name,
        title=more.pop("title", name),
        description=f"{name}.",
        path=more.pop("path", f"/agent/{name.replace('_', '-')}"),
        **more,
    )
    publish(made)
    return Action.objects.select_related("connection", "site").get(pk=made.pk)


def assemble(url: str, *, name: str = "tienda") -> Cast:
    """Build the cast around an endpoint."""
    site = Site.objects.create(
        public_id=name, name="Tienda", allowed_origins=[url], open_per_visitor=100
    )
    AgentSecret.rotate(site, kid="k1", overlap=timedelta(), plain=SECRET)
    connection = Connection.objects.create(
        site=site, name="Tienda", kind=Connection.Kind.WEBHOOK, url=url
    )
    status = action(
        site,
        connection,
        "order_status_by_run",
        kind="lookup",
        requires_customer=False,
        inputs=[{"name": "run_id", "max_length": 36}],
    )
    get_order = action(
        site,
        connection,
        "get_order",
        kind="lookup",
        inputs=[ORDER_INPUT],
        target_kind="order",
        target_input="order_id",
        fingerprint_paths=["status", "amount", "currency"],
    )
    change = {
        "kind": "change",
        "target_kind": "order",
        "target_input": "order_id",
    }
    refund = action(
        site,
        connection,
        "refund_order",
        title="Reembolsar pedido",
        inputs=[ORDER_INPUT, AMOUNT_INPUT],
        money={"input": "amount", "currency": "EUR", "exponent": 2},
        **change,
    )
    cancel = action(
        site,
        connection,
        "cancel_order",
        title="Cancelar pedido",
        inputs=[ORDER_INPUT],
        approval="never",
        **change,
    )
    customer, token = person(site, "ana", email="ana@example.com", name="Ana López")
    other, other_token = person(site, "luis")
    anonymous, anonymous_token = person(site)
    elsewhere = Site.objects.create(public_id=f"otra-{name}", name="Otra")
    return Cast(
        site=site,
        connection=connection,
        refund=refund,
        cancel=cancel,
        get_order=get_order,
        status=status,
        owner=member(site, "owner", "owner"),
        teammate=member(site, "teammate", "approver"),
        viewer=member(site, "viewer", "viewer"),
        outsider=member(elsewhere, "outsider", "owner"),
        customer=customer,
        other_customer=other,
        anonymous=anonymous,
        conversation=talk(site, customer),
        tokens={"ana": token, "luis": other_token, "anonymous": anonymous_token},
    )
