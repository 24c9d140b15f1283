"""The wires' rows: bot → invitation → link → alert → delivery → its tries."""

from .alert import Alert, Outage
from .bot import TelegramBot, TelegramUpdate
from .delivery import Delivery, DeliveryTry
from .link import TelegramInvite, TelegramLink

__all__ = [
    "Alert",
    "Delivery",
    "DeliveryTry",
    "Outage",
    "TelegramBot",
    "TelegramInvite",
    "TelegramLink",
    "TelegramUpdate",
]
