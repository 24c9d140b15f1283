"""Ladera, an invented shop: its orders, and the signed endpoint its agent calls."""
