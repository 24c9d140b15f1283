"""The fault matrix: real processes that are killed at every write and byte."""
