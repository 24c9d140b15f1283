"""The one error of the demo."""


class DemoProblem(Exception):
    """The demo cannot go on. The message is for people: a sentence, perhaps a log."""
