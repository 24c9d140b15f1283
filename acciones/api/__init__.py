"""HTTP for visitors: sessions, receipts, confirmation; and the owners' callbacks."""
