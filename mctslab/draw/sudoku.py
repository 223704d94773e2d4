"""Sudoku grids: givens, values assigned by play, and the cell whose domain has become empty."""
import numpy as np

from ..games.sudoku import ASSIGNED, DOMAIN, GIVEN, SIZE
from ..games.sudoku_board import SYMBOLS

PIXELS, MARGIN = 28, 6


def read_cells(state):
    """Values (0 where open), and masks of the givens and of open cells without a value left, in reading order."""
    words = np.asarray(state.position.cells)
    kind, domain = words >> SIZE, words & DOMAIN
    values = np.where(kind >= ASSIGNED, np.log2(np.maximum(domain, 1)).astype(int) + 1, 0)
    return values, kind >= GIVEN, kind == 0


def caption(state):
    """``Sudoku 9 by 9: 40 of 81 cells, no value left for r3c5``"""
    side, dead = state.game.side(), np.flatnonzero(read_cells(state)[2])
    end = f", no value left for r{dead[0] // side + 1}c{dead[0] % side + 1}" if len(dead) else ""
    return f"Sudoku {side} by {side}: {state.position.assigned} of {side * side} cells{end}"


def text(state):
    """Givens are bare, values assigned by play are followed by ``'``, ``!`` is a cell without a value left."""
    values, givens, dead = read_cells(state)
    side, box = state.game.side(), state.game.box
    cells = ["! " if dead[i] else SYMBOLS[v] + (" " if givens[i] or v == 0 else "'") for i, v in enumerate(values)]
    rows = ["| ".join("".join(cells[i:i + box]) for i in range(row, row + side, box)).rstrip()
            for row in range(0, side * side, side)]
    rule = "\n" + "+-".join(["--" * box] * box) + "\n"
    return f"{caption(state)}\n" + rule.join("\n".join(rows[i:i + box]) for i in range(0, side, box))


def svg(state):
    """Givens bold and dark, assigned values light and blue, a crossed red cell where no value is left."""
    values, givens, dead = read_cells(state)
    side, box = state.game.side(), state.game.box
    size = side * PIXELS
    parts = []
    for i, value in enumerate(values):
        x, y = i % side * PIXELS, i // side * PIXELS
        if dead[i]:
            parts.append(f'<rect x="{x}" y="{y}" width="{PIXELS}" height="{PIXELS}" fill="#f4b6a6"/>'
                         f'<path d="M{x + 7} {y + 7}l14 14m0-14l-14 14" stroke="#a11d00" stroke-width="2.5"/>')
        elif value:
            style = 'font-weight="bold" fill="#111"' if givens[i] else 'fill="#2a6ebb"'
            parts.append(f'<text x="{x + PIXELS // 2}" y="{y + PIXELS // 2 + 5}" {style}>{SYMBOLS[value]}</text>')
    for i in range(side + 1):
        width, at = (2.5 if i % box == 0 else 0.6), i * PIXELS
        parts.append(f'<path d="M0 {at}h{size}M{at} 0v{size}" stroke="#333" stroke-width="{width}"/>')
    whole = size + 2 * MARGIN
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {whole} {whole}" width="{whole}" '
            f'height="{whole}" role="img" font-family="sans-serif" font-size="15" text-anchor="middle">'
            f'<title>{caption(state)}</title><rect width="{size}" height="{size}" fill="#fff"/>{"".join(parts)}</svg>')
