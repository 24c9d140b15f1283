"""Measurements side by side: ours and a peer's, interleaved, on the same services."""
