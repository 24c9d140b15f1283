"""The demo's data: two sites, their actions, agents, policies and one surface."""
