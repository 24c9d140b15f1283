"""Language models behind one interface: scripted, OpenAI-compatible, Anthropic."""
