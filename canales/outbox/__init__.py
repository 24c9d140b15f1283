"""The durable outbox: rows that are due, claims with a lease, and honest outcomes."""
