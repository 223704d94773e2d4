"""The one error that a user's input can cause."""


class InputError(ValueError):
    """Wrong input: the message is one line that names the value and what is allowed."""


def one_of(words) -> str:
    """The words as a message lists them: ``a, b, c``."""
    return ", ".join(str(word) for word in words)
