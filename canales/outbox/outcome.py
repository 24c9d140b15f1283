"""What became of one try."""

from dataclasses import dataclass

from canales.alerts.compose import Shown


@dataclass(frozen=True)
class Outcome:
    """``verdict`` is a client's verdict, or ``sent``, or ``dropped`` (of no use now).

    ``after`` is how many seconds the other side asks to wait before the next try.
    """

    verdict: str
    detail: str = ""
    after: float = 0
    message_id: int | None = None
    shown: Shown | None = None
