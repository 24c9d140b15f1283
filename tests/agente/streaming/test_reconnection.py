"""The seed's useful test, word for word, over every wire and through every loss.

Events 1–5, cut after 3, 6–8 without a reader; back from 3, 4–8 appear once.
"""

from itertools import islice

import pytest

from tests.live import http
from tests.live.servers import Valkey, Web
from tests.live.talk import Talk
from tests.live.wires import WIRES, Wire

MISSED = [4, 5, 6, 7, 8]
WIRE = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)


def cut_after_three(wire: Wire, web: Web, talk: Talk) -> None:
    with wire(web, talk, 0) as found:
        assert list(islice(found, 3)) == [1, 2, 3]


def back_from_three(wire: Wire, web: Web, talk: Talk) -> None:
    """See what was missed, each once: the next to come is the next to happen."""
    last = talk.last_position()
    with wire(web, talk, 3) as found:
        assert list(islice(found, last - 3)) == list(range(4, last + 1))
        talk.happen(1)
        assert next(found) == last + 1


@WIRE
def test_what_was_missed_appears_once(web: Web, talk: Talk, wire: Wire) -> None:
    talk.happen(5)
    cut_after_three(wire, web, talk)
    talk.happen(3)
    assert talk.last_position() == MISSED[-1]
    back_from_three(wire, web, talk)


@WIRE
def test_the_same_without_redis(
    web: Web, talk: Talk, wire: Wire, valkey: Valkey
) -> None:
    talk.happen(5)
    cut_after_three(wire, web, talk)
    valkey.stop()
    talk.happen(3)
    back_from_three(wire, web, talk)


def test_the_same_after_a_restart_of_the_server(web: Web, talk: Talk) -> None:
    talk.happen(5)
    for wire in WIRES:
        cut_after_three(wire, web, talk)
    web.stop()
    talk.happen(3)
    web.start()
    for wire in WIRES:
        back_from_three(wire, web, talk)


def test_an_open_stream_outlives_redis(web: Web, talk: Talk, valkey: Valkey) -> None:
    for wire in WIRES:
        start = talk.last_position()
        with wire(web, talk, start) as found:
            talk.happen(1)
            assert next(found) == start + 1
            valkey.stop()
            talk.happen(1)
            assert next(found) == start + 2
            valkey.start()
            talk.happen(1)
            assert next(found) == start + 3


def test_another_visitor_learns_nothing(web: Web, talk: Talk) -> None:
    """Not even that it exists: nothing in the answer depends on it."""
    talk.happen(5)
    nobodys = "00000000-0000-4000-8000-000000000000"
    for place, id in (("conversations", talk.id), ("runs", talk.turn_id)):
        theirs, none = (
            http.get(f"{web.url}/api/{place}/{one}/events", headers=talk.others_bearer)
            for one in (id, nobodys)
        )
        assert theirs.status_code == none.status_code == 404
        assert theirs.content == none.content
        assert dict(theirs.headers) | {"date": ""} == dict(none.headers) | {"date": ""}
        assert id not in theirs.text
