"""Let nobody in without the bank's token."""

from hmac import compare_digest

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class BearerOnly:
    """An application behind a bearer token, compared in constant time."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.expected = b"bearer " + token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 401."""
        if self._holds_the_token(Headers(scope=scope)):
            await self.app(scope, receive, send)
            return
        challenge = {"WWW-Authenticate": 'Bearer realm="Banco Alameda"'}
        refusal = JSONResponse({"code": "token"}, 401, headers=challenge)
        await refusal(scope, receive, send)

    def _holds_the_token(self, headers: Headers) -> bool:
        given = [value for name, value in headers.raw if name == b"authorization"]
        if len(given) != 1:
            return False
        scheme, _, token = given[0].partition(b" ")
        return compare_digest(self.expected, scheme.lower() + b" " + token)
