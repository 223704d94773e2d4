"""Sudoku puzzles from users: text, files and bytes, checked.

A puzzle is held as bytes in reading order, 0 for an empty cell. In text 1-9 and then a-g (or A-G) stand for the values up
to 16, and ``.``, ``0`` or ``-`` for an empty cell; spaces do not matter. A text is the rows joined by ``/``; a file has one
row per line, and neither blank lines nor what follows a ``#`` count.
"""
import os
from pathlib import Path

from ..core import InputError, check_text_file

SYMBOLS = ".123456789abcdefg"
BOX_OF_SIDE = {4: 2, 9: 3, 16: 4}


def side_of(board):
    return int(len(board) ** 0.5)


def board_to_string(board):
    """Rows joined by ``/``."""
    side = side_of(board)
    return "/".join("".join(SYMBOLS[value] for value in board[i:i + side]) for i in range(0, len(board), side))


def read_board(board):
    """A puzzle in any of its forms as bytes.

    Raises
    ------
    InputError
        Where it is no puzzle, or has a value twice in a row, column or box.
    """
    if isinstance(board, bytes):
        values = check_bytes(board)
    elif isinstance(board, (str, os.PathLike)):
        values = parse_rows(rows_of_text(board) or rows_of_file(board))
    else:
        raise InputError(f"option board of sudoku is {board!r}; it must be a file, rows joined by '/', or bytes")
    check_consistent(values)
    return values


def check_bytes(board):
    side = side_of(board)
    if side not in BOX_OF_SIDE or len(board) != side * side or max(board) > side:
        raise InputError(f"option board of sudoku has {len(board)} bytes, the largest {max(board, default=0)}; "
                         "it must have 16, 81 or 256, from 0 to 4, 9 or 16")
    return board


def rows_of_text(text):
    """(where it stands, row) for each row of a text; None where the text must be the path of a file."""
    rows = ["".join(row.split()) for row in os.fspath(text).split("/")]
    if len(rows) in BOX_OF_SIDE and any(len(row) == len(rows) for row in rows) and not os.path.isfile(text):
        return [(f"row {i} of the board", row) for i, row in enumerate(rows, 1)]
    return None


def rows_of_file(path):
    """(where it stands, row) for each row of a file."""
    check_text_file(path)
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise InputError(f"board {str(path)!r} is neither a file ({reason}) nor 4, 9 or 16 rows joined by '/'") from None
    rows = [(f"line {i} of {path}", "".join(line.partition("#")[0].split())) for i, line in enumerate(lines, 1)]
    rows = [(where, row) for where, row in rows if row]
    if len(rows) not in BOX_OF_SIDE:
        raise InputError(f"board {path} has {len(rows)} rows; it must have 4, 9 or 16")
    return rows


def parse_rows(rows):
    """The values of all rows."""
    side, values = len(rows), []
    for where, row in rows:
        if len(row) != side:
            raise InputError(f"{where} has {len(row)} cells; it must have {side}, as many as there are rows")
        for character in row:
            value = 0 if character in "0-" else SYMBOLS.find(character.lower())
            if not 0 <= value <= side:
                raise InputError(f"{where} has {character!r}; allowed: 1 to {SYMBOLS[side]}"
                                 f"{', a after 9,' * (side > 9)} and . 0 - for an empty cell")
            values.append(value)
    return bytes(values)


def check_consistent(board):
    """Refuse a puzzle with a value twice in a row, column or box."""
    side, first = side_of(board), {}
    box = BOX_OF_SIDE[side]
    for cell, value in enumerate(board):
        row, column = divmod(cell, side)
        corner = f"r{row // box * box + 1}c{column // box * box + 1}"
        for unit in (f"row {row + 1}", f"column {column + 1}", f"the box from {corner}"):
            other, other_column = divmod(first.setdefault((unit, value), cell), side)
            if value and (other, other_column) != (row, column):
                raise InputError(f"the sudoku has {SYMBOLS[value]} twice in {unit}: "
                                 f"r{other + 1}c{other_column + 1} and r{row + 1}c{column + 1}")
