"""Two invented companies that use Maya: a shop and a bank.

Each runs in a process of its own and talks to Maya over the network alone; this
package imports nothing of Maya and Maya imports nothing of it.
"""
