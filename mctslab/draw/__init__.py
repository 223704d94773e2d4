"""Boards as text and SVG. One file per game gives ``text(state)`` and ``svg(state)``; rules know nothing of them."""
import re

from ..core.play import RENDERERS
from . import morpion, samegame, sudoku, tree_walk

RENDERERS.update({
    "leftmost": (tree_walk.text, tree_walk.svg),
    "left_move": (tree_walk.text, tree_walk.svg),
    "morpion": (morpion.text, morpion.svg),
    "samegame": (samegame.text, samegame.svg),
    "sudoku": (sudoku.text, sudoku.svg),
})


def side_by_side(drawings, columns=3, gap=8, scale=0.6):
    """One SVG of several, row by row.

    Parameters
    ----------
    drawings : list of str
        SVG texts with a width and a height in pixels.
    columns, gap : int
        Drawings in a row, and pixels between them.
    scale : float
        Of the whole.
    """
    width, height = (gap + max(int(re.search(rf'<svg[^>]* {side}="(\d+)"', text)[1]) for text in drawings)
                     for side in ("width", "height"))
    parts = [text.replace("<svg ", f'<svg x="{i % columns * width}" y="{i // columns * height}" ', 1)
             for i, text in enumerate(drawings)]
    across, down = min(columns, len(drawings)) * width, -(-len(drawings) // columns) * height
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across * scale:g}" '
            f'height="{down * scale:g}" role="img">{"".join(parts)}</svg>')
