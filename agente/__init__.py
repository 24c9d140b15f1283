"""The talker: conversations, turns, agents, tools, knowledge and their streams."""
