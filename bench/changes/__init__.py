"""The parts of ``bench/ledger.py``."""
