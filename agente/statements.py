"""What customers state: kept in their own words, as their statement and no fact."""

from django.db.models.functions import Now

from acciones.models import Evidence
from acciones.readers import FOUND, Reading
from maya.lib import canonical

from .evidence import STATEMENT
from .models import Message, Question, Turn

SOURCE = "cliente"


def record(turn: Turn, *, fact: str, about: str, answer: str) -> Evidence:
    """Keep this turn's message as the customer's statement on a fact.

    ``answer`` is how the model read it; the quote is what was really said.
    """
    message = Message.objects.get(turn=turn, author=Message.Author.CUSTOMER)
    question = (
        Question.objects.filter(
            conversation_id=turn.conversation_id, fact=fact, answered=None
        )
        .order_by("-created")
        .first()
    )
    observed = {"fact": fact, "about": about, "said": message.text, "read_as": answer}
    evidence = Evidence.objects.create(
        conversation_id=turn.conversation_id,
        turn_id=turn.pk,
        kind=STATEMENT,
        source=SOURCE,
        reference=f"statement:{fact}",
        title=(question.text if question else answer)[:300],
        quote=message.text,
        observed=observed,
        fingerprint=canonical.sha256(observed),
        query={"fact": fact, "about": about},
    )
    Question.objects.filter(
        conversation_id=turn.conversation_id, fact=fact, answered=None
    ).update(answered=Now())
    return evidence


async def read_again(evidence: Evidence) -> Reading:
    """Return the statement as it was made: nobody else can read it anew."""
    return Reading(FOUND, evidence.observed, fingerprint=evidence.fingerprint)
