"""The owner API: what the admin does, for programs, by the same steps and rules."""
