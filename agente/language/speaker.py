"""A language model ready to be asked, whoever makes it."""

from dataclasses import dataclass, field

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

REPLY_TOKENS = 2_000
"""The longest answer that we ask of a network model."""


@dataclass(frozen=True)
class Speaker:
    """One model behind the one interface.

    A ``network`` model can be cut off, so it must say why it ended, unless its
    owner declared that it never does (``finish_required`` is then false).
    """

    model: Model
    label: str
    network: bool
    finish_required: bool = True
    settings: ModelSettings = field(default_factory=ModelSettings)


def settings() -> ModelSettings:
    """Return what we ask of a network model: short answers, little fantasy."""
    return ModelSettings(max_tokens=REPLY_TOKENS, temperature=0.2)
