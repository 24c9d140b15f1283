"""Publishes a policy: a new version, its passages, and the old ones out of sight."""

from django.contrib.auth.models import User
from django.db import transaction

from agente.models import Passage, Policy, PolicyVersion

from .split import split


def publish(
    policy: Policy,
    text: str,
    *,
    language: str = "es",
    filename: str = "",
    by: User | None = None,
) -> PolicyVersion:
    """Store a document's text as the policy's next version, unless it is the same."""
    with transaction.atomic():
        Policy.objects.select_for_update().get(pk=policy.pk)
        last = policy.versions.order_by("-number").first()
        if last is not None and (last.text, last.language) == (text, language):
            return last
        version = PolicyVersion.objects.create(
            policy=policy,
            number=last.number + 1 if last else 1,
            language=language,
            text=text,
            filename=filename,
            published_by=by,
        )
        policy.passages.filter(current=True).update(current=False)
        Passage.objects.bulk_create(
            Passage(
                policy=policy,
                version=version,
                section=section.section,
                title=policy.title,
                heading=section.heading,
                text=section.text,
                language=language,
            )
            for section in split(text)
        )
    return version
