"""The wargame's board: the attacker's units go up, the defender's hold the line before the last row."""
import numpy as np

CELL, MARGIN = 30, 26
PALETTE = (("#0072b2", "#fff"), ("#f5a91c", "#000"))        # (fill, ink): Okabe and Ito's blue and orange
MARKS = ("", "aA", "dD")                                    # by side, strengths 1 and 2


def read_board(state):
    """Strengths, negative the defender's: [row, column], row 0 the attacker's."""
    return np.asarray(state.position.force, int).reshape(state.game.size, -1)


def caption(state):
    """``Wargame 9 by 9: the attacker to move, 54 plies left``"""
    s, names = state.position, ("attacker", "defender")
    if s.winner >= 0:
        return f"Wargame {state.game.size} by {state.game.size}: the {names[s.winner]} has won"
    return (f"Wargame {state.game.size} by {state.game.size}: the {names[state.current_player()]} to move, "
            f"{state.game.plies() - s.ply} plies left")


def text(state):
    """a, A: the attacker's units of strength 1 and 2, going up; d, D: the defender's."""
    board = read_board(state)
    rows = [f"{row + 1:2} " + " ".join("." if not x else MARKS[1 if x > 0 else 2][abs(x) - 1] for x in board[row])
            for row in range(len(board))[::-1]]
    return "\n".join([caption(state), *rows, "   " + " ".join(chr(ord("a") + col) for col in range(len(board)))])


def unit(row, col, force, size):
    """A disc for the attacker, a square for the defender, with the strength on it."""
    x, y = col * CELL + CELL // 2, (size - 1 - row) * CELL + CELL // 2
    fill, ink = PALETTE[force < 0]
    shape = (f'<circle cx="{x}" cy="{y}" r="11" fill="{fill}"/>' if force > 0 else
             f'<rect x="{x - 10}" y="{y - 10}" width="20" height="20" fill="{fill}" stroke="#000"/>')
    return f'{shape}<text x="{x}" y="{y + 5}" fill="{ink}">{abs(force)}</text>'


def svg(state):
    """Discs bear upwards to the marked last row, squares defend it."""
    board = read_board(state)
    size = len(board)
    side = size * CELL
    lines = "".join(f"M{i * CELL} 0V{side}M0 {i * CELL}H{side}" for i in range(size + 1))
    names = "".join(f'<text x="{i * CELL + CELL // 2}" y="{side + 17}">{chr(ord("a") + i)}</text>'
                    f'<text x="-13" y="{(size - 1 - i) * CELL + CELL // 2 + 5}">{i + 1}</text>' for i in range(size))
    units = "".join(unit(row, col, int(board[row, col]), size) for row, col in np.argwhere(board).tolist())
    whole = side + 2 * MARGIN
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {whole} {whole}" width="{whole}" '
            f'height="{whole}" role="img" font-family="sans-serif" font-size="14" text-anchor="middle">'
            f'<title>{caption(state)}</title><rect width="{side}" height="{side}" fill="#fbf7ec"/>'
            f'<rect width="{side}" height="{CELL}" fill="#cfe3c8"/><path d="{lines}" stroke="#999" fill="none"/>'
            f'{units}<g fill="#555">{names}</g></svg>')
