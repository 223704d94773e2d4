"""Go, AtariGo and NoGo: stones on a board with the usual coordinates; the last move and a ko are marked."""
import numpy as np

from ..games.stones import BLACK, LETTERS, NO_POINT, action_of, area, board_rows

TITLES = {"go": "Go", "atari_go": "AtariGo", "nogo": "NoGo"}
PIXELS = 26
WOOD, INK, RED = "#e9c98a", "#333", "#c1272d"


def cell(game, point):
    """(row, column) of a point."""
    return divmod(int(action_of(game, int(point))), game.columns())


def result(state):
    """``Black wins``, for Go with the points by which."""
    black = state.returns()[0]
    who = "Black wins" if black == 1 else "White wins" if black == 0 else "draw"
    if state.game.name != "go":
        return who
    lead = int(area(state.record[0])) - state.game.komi
    return who + (f" by {abs(lead):g}" if lead else "") + (" at the cap" if state.game.is_capped(state.position) else "")


def caption(state):
    """``Go 9 by 9, move 12: Black to play`` or ``Go 9 by 9, move 90: White wins by 7.5``"""
    board = f"{TITLES[state.game.name]} {state.game.size} by {state.game.columns()}, move {state.position.ply}"
    who = ("Black", "White")[state.current_player()]
    return f"{board}: {result(state) if state.is_terminal() else f'{who} to play'}"


def text(state):
    """``X`` is Black, ``O`` White; the last stone stands in brackets."""
    game, s = state.game, state.position
    board = [[" .XO"[1 + stone] + " " for stone in row] for row in board_rows(game, s)]
    lines = [f"{game.size - i:2}  " + "".join(row) for i, row in enumerate(board)]
    if s.last != NO_POINT:
        row, col = cell(game, s.last)
        at = 4 + 2 * col
        lines[row] = lines[row][:at - 1] + f"({lines[row][at]})" + lines[row][at + 2:]
    letters = "    " + " ".join(LETTERS[:game.columns()])
    return "\n".join([caption(state)] + [line.rstrip() for line in lines] + [letters])


def svg(state):
    """The last stone bears a dot, a ko is a square; two passes leave no mark."""
    game, s = state.game, state.position
    board = board_rows(game, s)
    rows, cols = board.shape
    width, height = (cols + 1) * PIXELS, (rows + 1) * PIXELS

    def at(row, col):
        return f'cx="{(col + 1) * PIXELS}" cy="{(row + 1) * PIXELS}"'

    grid = "".join(f"M{PIXELS} {(i + 1) * PIXELS}H{cols * PIXELS}" for i in range(rows)) + "".join(
        f"M{(i + 1) * PIXELS} {PIXELS}V{rows * PIXELS}" for i in range(cols))
    names = "".join(f'<text x="{(i + 1) * PIXELS}" y="{height - 6}">{LETTERS[i]}</text>' for i in range(cols)) + "".join(
        f'<text x="8" y="{(i + 1) * PIXELS + 4}">{rows - i}</text>' for i in range(rows))
    stones = "".join(f'<circle {at(*place)} r="{0.47 * PIXELS:g}" fill="{"#111" if board[*place] == BLACK else "#fff"}"/>'
                     for place in np.argwhere(board))
    marks = f'<circle {at(*cell(game, s.last))} r="4" fill="{RED}"/>' if s.last != NO_POINT else ""
    if s.ko != NO_POINT:
        row, col = cell(game, s.ko)
        marks += (f'<rect x="{(col + 1) * PIXELS - 6}" y="{(row + 1) * PIXELS - 6}" width="12" height="12" fill="none" '
                  f'stroke="{RED}" stroke-width="2"/>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img"><title>{caption(state)}</title><rect width="{width}" height="{height}" fill="{WOOD}"/>'
            f'<path stroke="{INK}" d="{grid}"/><g font-family="sans-serif" font-size="10" text-anchor="middle">{names}</g>'
            f'<g stroke="{INK}">{stones}</g>{marks}</svg>')
