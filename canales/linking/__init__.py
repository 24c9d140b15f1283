"""Linking: a wish in the web, a word in a private chat, a yes in the web again."""
