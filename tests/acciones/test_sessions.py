"""Who a session belongs to, when several sign in on it at once."""

from acciones.identity import Identity
from acciones.models import Conversation, Visitor
from acciones.visitors import end_session, open_session

from .cast import Cast, talk


def test_two_who_sign_in_at_once_do_not_share_a_session(cast: Cast) -> None:
    # Both requests came with the same anonymous session and read it before either wrote
    seen = [Visitor.objects.get(pk=cast.anonymous.pk) for _ in range(2)]
    talk(cast.site, cast.anonymous)
    ana, _ = open_session(
        cast.site, identity=Identity("tienda", "ana"), current=seen[0]
    )
    luis, token = open_session(
        cast.site, identity=Identity("tienda", "luis"), current=seen[1]
    )
    assert ana.pk == cast.anonymous.pk
    assert luis.pk != ana.pk
    assert token
    assert not Conversation.objects.filter(visitor=luis).exists()
    ana.refresh_from_db()
    assert ana.customer is not None
    assert (ana.customer.external_id, ana.ended is not None) == ("ana", True)


def test_a_session_that_just_ended_is_not_kept(cast: Cast) -> None:
    seen = Visitor.objects.get(pk=cast.anonymous.pk)
    end_session(cast.anonymous)
    visitor, token = open_session(cast.site, current=seen)
    assert visitor.pk != seen.pk
    assert token
