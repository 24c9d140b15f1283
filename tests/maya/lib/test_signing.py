"""The seed's signatures by published vectors, and comparison of odd input."""

import pytest

from maya.lib import signing

KEY, STAMP, BODY = "test-secret-0123456789abcdef", "1700000000", b'{"a":1}'
REQUEST = "v1=9be18c6d5f5b23b9113093c97a2f8cd6229e69ab57b951e548fcc0bcbaa22c84"
CALLBACK = "v1=9fd1dd0094e74e752a83917626fe9a4cea54be0789904ae7f7e3217fd92d04d1"


def test_the_vectors_hold() -> None:
    assert signing.request_signature(KEY, STAMP, BODY) == REQUEST
    assert signing.callback_signature(KEY, "run_123", STAMP, BODY) == CALLBACK


def test_any_live_key_verifies() -> None:
    assert signing.matches(CALLBACK, ["v1=0", CALLBACK])
    assert not signing.matches(CALLBACK, [REQUEST])
    assert not signing.matches(CALLBACK, [])


@pytest.mark.parametrize(
    "given", ["", "ñ", "\udcff", "v1=", CALLBACK.upper(), "x" * 9999]
)
def test_odd_signatures_are_simply_wrong(given: str) -> None:
    assert not signing.matches(given, [CALLBACK])
