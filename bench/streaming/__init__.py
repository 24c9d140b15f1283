"""The parts of ``bench/streams.py``."""
