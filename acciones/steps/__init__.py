"""The path of a change: one step, one file, one verb, called by every surface."""
