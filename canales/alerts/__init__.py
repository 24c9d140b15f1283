"""Alerts: who is told what, in which words, and when it must be said anew."""
