"""Publishing makes a version of an action: a hash of the fields that carry meaning."""

from django.contrib.auth.models import User
from django.db import transaction

from maya.lib import canonical

from .models import Action, ActionVersion


def publish(action: Action, *, by: User | None = None) -> ActionVersion:
    """Store the action's current meaning as its next version, if it changed.

    Open proposals of an older version can then no longer be dispatched.
    """
    with transaction.atomic():
        locked = Action.objects.select_for_update().get(pk=action.pk)
        content = action.meaning()
        fingerprint = canonical.sha256(content)
        last = ActionVersion.objects.filter(action=action).order_by("-number").first()
        if last is not None and last.fingerprint == fingerprint:
            return last
        version = ActionVersion.objects.create(
            action=action,
            number=locked.version + 1,
            fingerprint=fingerprint,
            content=content,
            published_by=by,
        )
        Action.objects.filter(pk=action.pk).update(version=version.number)
        action.version = version.number
    return version
