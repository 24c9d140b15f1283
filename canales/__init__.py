"""The wires to people beside the web chat: messaging channels and owner alerts."""
