"""The durable loop: ask the model, store, run tools from the rows, ask again."""
