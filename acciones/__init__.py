"""The ledger: what was asked, who allowed it, and what became of it."""
