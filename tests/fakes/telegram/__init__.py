"""A Telegram of the tests' own: the Bot API's wire format, people and their chats.

As a process, for stories across processes: ``python -m tests.fakes.telegram --port N
--token 1:abc``; what a person does there goes by ``POST /control`` (see ``server``).
"""

from .server import FakeTelegram
from .state import Account, Message

__all__ = ["Account", "FakeTelegram", "Message"]
