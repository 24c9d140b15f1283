"""Scenarios: what a customer says, and what an agent must and must not do about it."""
