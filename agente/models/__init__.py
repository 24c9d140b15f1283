"""The talker's rows. Direction: agent, policy, language → turn → message → rest."""

from .agent import Agent
from .attempt import TurnAttempt
from .call import ToolCall
from .language import Language
from .message import Message, Outcome, Question
from .policy import Passage, Policy, PolicyVersion
from .rehearsal import Rehearsal
from .surface import SurfaceTemplate
from .turn import Turn

__all__ = [
    "Agent",
    "Language",
    "Message",
    "Outcome",
    "Passage",
    "Policy",
    "PolicyVersion",
    "Question",
    "Rehearsal",
    "SurfaceTemplate",
    "ToolCall",
    "Turn",
    "TurnAttempt",
]
