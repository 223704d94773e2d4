"""The one error that a user's input can cause."""
from pathlib import Path


class InputError(ValueError):
    """Wrong input: the message is one line that names the value and what is allowed."""


def check_text_file(path):
    """Refuse what cannot be a board: a folder, a device, a huge file. A missing one is the reader's to name."""
    path = Path(path)
    if path.exists() and not (path.is_file() and path.stat().st_size <= 65_536):
        raise InputError(f"board {str(path)!r} is not a text file of at most 64 kB")


def one_of(words) -> str:
    """The words as a message lists them: ``a, b, c``."""
    return ", ".join(str(word) for word in words)
