"""Hex boards: x joins top and bottom, o left and right. Letters tell the stones apart where colours do not."""
import numpy as np

PIXELS = 28, 24         # from one cell to the next: along a row, and down (to the right by half a cell)
CORNERS = ((-14, -8), (0, -16), (14, -8), (14, 8), (0, 16), (-14, 8))     # of a hexagon, from the upper left, clockwise
MARGIN = 36
# (fill, ink) of each player: Okabe and Ito's blue and orange, dark and light to any eye
PALETTE = (("#0072b2", "#fff"), ("#f5a91c", "#000"))
MARKS, LETTERS = "xo", "abcdefghijklmnopqrst"
EDGES = "top to bottom", "left to right"


def read_board(state):
    """-1 for an empty cell, else its player: [row, column]."""
    game, s = state.game, state.position
    rows = np.asarray(s.stones[0, :game.size])[:, None]
    board = np.where(rows >> np.arange(game.width()) & 1, 0, 1)
    empty = np.asarray(s.empty[:s.free])
    board[empty >> 5, empty & 31] = -1
    return board


def caption(state):
    """``Hex 11 by 11: x (top to bottom) to move``"""
    game, s = state.game, state.position
    player, what = (s.turn, "to move") if s.winner < 0 else (s.winner, "has won")
    return f"Hex {game.size} by {game.width()}: {MARKS[player]} ({EDGES[player]}) {what}"


def text(state):
    """Each row is half a cell to the right of the one above, so that a cell touches the six around it."""
    board = read_board(state)
    rows = ["  " + " ".join(LETTERS[:board.shape[1]])]
    for i, row in enumerate(board):
        rows.append(f"{' ' * i}{i + 1:2} " + " ".join(".xo"[cell + 1] for cell in row))
    return "\n".join([caption(state), *rows])


def center(row, col):
    return col * PIXELS[0] + row * PIXELS[0] // 2, row * PIXELS[1]


def path(row, col, points):
    """An SVG path through points given from the middle of a cell."""
    x, y = center(row, col)
    return "M" + "L".join(f"{x + dx:g} {y + dy:g}" for dx, dy in points)


def halfway(a, b):
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def edges(rows, cols):
    """Paths of the two edges of each player. In the two blunt corners they meet in the middle of a side."""
    west_north, north, east_north, east_south, south, west_south = CORNERS
    top = [path(0, col, (west_north, north, east_north)) for col in range(cols - 1)]
    top.append(path(0, cols - 1, (west_north, north, halfway(north, east_north))))
    bottom = [path(rows - 1, 0, (halfway(west_south, south), south, east_south))]
    bottom += [path(rows - 1, col, (west_south, south, east_south)) for col in range(1, cols)]
    left = [path(row, 0, (west_north, west_south, south)) for row in range(rows - 1)]
    left.append(path(rows - 1, 0, (west_north, west_south, halfway(west_south, south))))
    right = [path(0, cols - 1, (halfway(north, east_north), east_north, east_south))]
    right += [path(row, cols - 1, (north, east_north, east_south)) for row in range(1, rows)]
    return "".join(top + bottom), "".join(left + right)


def svg(state):
    """Stones bear the letter of their player, whose two edges have his colour."""
    board = read_board(state)
    rows, cols = board.shape
    cells = "".join(path(row, col, CORNERS) + "z" for row in range(rows) for col in range(cols))
    parts = [f'<path d="{cells}" fill="#fbf7ec" stroke="#999"/>']
    for outline, (fill, _) in zip(edges(rows, cols), PALETTE):
        parts.append(f'<path d="{outline}" fill="none" stroke="{fill}" stroke-width="5" stroke-linecap="round" '
                     'stroke-linejoin="round"/>')
    for player, (fill, ink) in enumerate(PALETTE):
        middles = [center(*cell) for cell in np.argwhere(board == player).tolist()]
        circles = "".join(f'<circle cx="{x}" cy="{y}" r="11"/>' for x, y in middles)
        marks = "".join(f'<text x="{x}" y="{y + 4}">{MARKS[player]}</text>' for x, y in middles)
        parts.append(f'<g fill="{fill}">{circles}</g><g fill="{ink}">{marks}</g>')
    names = [(*center(-1, col), LETTERS[col]) for col in range(cols)]
    names += [(center(row, -1)[0], center(row, -1)[1], row + 1) for row in range(rows)]
    parts.append('<g fill="#555" font-size="12">' + "".join(
        f'<text x="{x}" y="{y + 4}">{name}</text>' for x, y, name in names) + "</g>")
    width, height = center(rows - 1, cols - 1)
    size = f"{width + 2 * MARGIN} {height + 2 * MARGIN}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {size}" width="{width + 2 * MARGIN}" '
            f'height="{height + 2 * MARGIN}" role="img" font-family="sans-serif" font-size="14" text-anchor="middle">'
            f'<title>{caption(state)}</title>{"".join(parts)}</svg>')
