"""The shop's way of saying no to a request before anything is touched."""

from starlette.responses import JSONResponse


class Refusal(Exception):
    """A request that is not carried out: a 4xx with a stable code."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail

    def response(self) -> JSONResponse:
        """Return the answer that tells the caller why."""
        return JSONResponse({"code": self.code, "detail": self.detail}, self.status)
