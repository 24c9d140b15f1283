"""Maya on real servers, and a conversation to follow on them."""
