"""Events on their way to people: one reader, and SSE, WebSocket and JSONL over it.

Nothing here holds a thread, the ORM or a database connection while it waits.
"""
