"""Makes foreign text fit to be stored: no column holds NUL or half a character."""

REPLACED = "\ufffd"


def is_storable(text: str) -> bool:
    """Say whether PostgreSQL and the wire can hold a text as it is."""
    return "\x00" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def storable(text: str) -> str:
    """Return the text with U+FFFD for each character that cannot be held."""
    if is_storable(text):
        return text
    return "".join(
        REPLACED if c == "\x00" or "\ud800" <= c <= "\udfff" else c for c in text
    )
