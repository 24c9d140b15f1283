"""One scripted conversation, told by Maya's loop and by two agent libraries."""
