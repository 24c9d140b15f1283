"""The ledger's rows: site → visitor → conversation → evidence → run → the rest."""

from .action import Action, ActionVersion
from .api_token import ApiToken
from .attempt import Attempt, Callback
from .audit import AuditEntry
from .connection import Connection
from .conversation import Conversation, Event
from .decision import Decision
from .evidence import Evidence
from .notice import Notice
from .run import Consent, Proposal, Run
from .secret import AgentSecret
from .site import Member, Site
from .surface import AppliedAction, Offer
from .visitor import Customer, Visitor

__all__ = [
    "Action",
    "ActionVersion",
    "AgentSecret",
    "ApiToken",
    "AppliedAction",
    "Attempt",
    "AuditEntry",
    "Callback",
    "Connection",
    "Consent",
    "Conversation",
    "Customer",
    "Decision",
    "Event",
    "Evidence",
    "Member",
    "Notice",
    "Offer",
    "Proposal",
    "Run",
    "Site",
    "Visitor",
]
