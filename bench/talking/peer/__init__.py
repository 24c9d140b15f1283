"""The libraries compared with, each as its own documentation uses it."""
