"""Generated surfaces: what is shown (A2UI v0.9), what was clicked, what it meant."""
