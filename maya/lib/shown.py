"""Makes invisible and misleading characters visible, on every surface alike."""

import unicodedata

# A filter on category Cf misses these: a variation selector (Mn), the Hangul
# fillers (Lo) and the Braille blank (So) all render as nothing.
BLANKS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def _is_hidden(character: str) -> bool:
    point = ord(character)
    return (
        unicodedata.category(character) in HIDDEN
        or (unicodedata.category(character) == "Zs" and character != " ")
        or point in BLANKS
        or any(point in selectors for selectors in SELECTORS)
    )


def visible(text: str) -> str:
    """Return the text with each hidden character written as ``⟨U+202E⟩``."""
    return "".join(
        f"⟨U+{ord(character):04X}⟩" if _is_hidden(character) else character
        for character in text
    )
