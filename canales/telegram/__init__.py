"""Telegram's Bot API: what goes out, what comes in, and who it is."""
