"""SameGame boards. The text is a board file that the option `board` reads; in the SVG each block wears its digit."""
import numpy as np

from ..games.samegame import colour_rows

PIXELS, MARGIN = 24, 6
# (fill, ink): Okabe and Ito's colours, which people with any colour vision tell apart, and two greys for the last two
PALETTE = (("#0072b2", "#fff"), ("#f0e442", "#000"), ("#d55e00", "#000"), ("#56b4e9", "#000"), ("#cc79a7", "#000"),
           ("#009e73", "#000"), ("#e69f00", "#000"), ("#444", "#fff"), ("#888", "#000"), ("#ddd", "#000"))


def caption(state):
    """``SameGame 15 by 15: 40 points, 31 groups`` or, at the end, ``..., 3 blocks left: 2100 points``"""
    board, groups = colour_rows(state.game, state.position), len(state.legal_actions())
    if groups:
        end = f"{state.position.score} points, {groups} group{'s' * (groups > 1)}"
    else:
        end = f"{(board >= 0).sum()} blocks left, {state.returns()[0]:g} points"
    return f"SameGame {state.game.rows} by {state.game.cols}: {end}"


def text(state):
    """A digit for a block, a dot for an empty cell."""
    rows = colour_rows(state.game, state.position)
    return "\n".join([f"# {caption(state)}"] + ["".join("." if cell < 0 else str(cell) for cell in row) for row in rows])


def svg(state):
    """Groups are areas of one colour with white borders."""
    board = colour_rows(state.game, state.position)
    height, width = (n * PIXELS for n in board.shape)
    parts = [f'<rect width="{width}" height="{height}" fill="#f3f3f3"/>']
    for colour, (fill, ink) in enumerate(PALETTE):
        cells = np.argwhere(board == colour) * PIXELS
        if len(cells):
            path = "".join(f"M{x} {y}h{PIXELS}v{PIXELS}h-{PIXELS}z" for y, x in cells)
            parts.append(f'<path d="{path}" fill="{fill}"/><g fill="{ink}">')
            for y in np.unique(cells[:, 0]):
                xs = cells[cells[:, 0] == y, 1] + PIXELS // 2 - 4
                parts.append(f'<text x="{" ".join(map(str, xs))}" y="{y + PIXELS // 2 + 4}">{str(colour) * len(xs)}</text>')
            parts.append("</g>")
    walls = [f"M{(x + 1) * PIXELS} {y * PIXELS}v{PIXELS}" for y, x in np.argwhere(board[:, 1:] != board[:, :-1])]
    walls += [f"M{x * PIXELS} {(y + 1) * PIXELS}h{PIXELS}" for y, x in np.argwhere(board[1:] != board[:-1])]
    parts.append(f'<path d="{"".join(walls)}" stroke="#fff" stroke-width="3" stroke-linecap="square"/>')
    size = f"{width + 2 * MARGIN} {height + 2 * MARGIN}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {size}" width="{width + 2 * MARGIN}" '
            f'height="{height + 2 * MARGIN}" role="img" font-family="monospace" font-size="13">'
            f'<title>{caption(state)}</title>{"".join(parts)}</svg>')
