"""Tic-tac-toe boards: x is the first player's mark, o the second's."""
import numpy as np

PIXELS, MARGIN = 40, 6
MARKS = "xo"


def read_board(state):
    """-1 for an empty cell, else its player: [row, column]."""
    return np.asarray(state.position.cells).reshape(state.game.size, -1) - 1


def caption(state):
    """``Tic-tac-toe: x to move``"""
    if not state.is_terminal():
        return f"Tic-tac-toe: {MARKS[state.current_player()]} to move"
    return "Tic-tac-toe: a draw" if state.position.winner < 0 else f"Tic-tac-toe: {MARKS[state.position.winner]} has won"


def text(state):
    return "\n".join([caption(state)] + [" ".join(".xo"[cell + 1] for cell in row) for row in read_board(state)])


def svg(state):
    """Crosses and circles on a grid."""
    board = read_board(state)
    side = len(board) * PIXELS
    grid = "".join(f"M{at} 0v{side}M0 {at}h{side}" for at in range(PIXELS, side, PIXELS))
    corners = [(np.argwhere(board == player) * PIXELS).tolist() for player in range(2)]
    crosses = "".join(f"M{x + 9} {y + 9}l22 22m0-22l-22 22" for y, x in corners[0])
    circles = "".join(f'<circle cx="{x + 20}" cy="{y + 20}" r="12"/>' for y, x in corners[1])
    whole = side + 2 * MARGIN
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {whole} {whole}" width="{whole}" '
            f'height="{whole}" role="img" fill="none" stroke-width="4"><title>{caption(state)}</title>'
            f'<rect width="{side}" height="{side}" fill="#fff"/><path d="{grid}" stroke="#999" stroke-width="2"/>'
            f'<path d="{crosses}" stroke="#0072b2"/><g stroke="#d55e00">{circles}</g></svg>')
