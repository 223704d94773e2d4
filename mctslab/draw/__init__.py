"""Boards as text and SVG. One file per game gives ``text(state)`` and ``svg(state)``; rules know nothing of them."""
import re

from .. import games
from ..core.play import RENDERERS
from . import hex, jaipur, lost_cities, morpion, nim, samegame, splendor, stones, sudoku, tictactoe, tree_walk, wargame

RENDERERS.update({
    games.AtariGo: (stones.text, stones.svg),
    games.Go: (stones.text, stones.svg),
    games.Hex: (hex.text, hex.svg),
    games.Jaipur: (jaipur.text, jaipur.svg),
    games.Leftmost: (tree_walk.text, tree_walk.svg),
    games.LeftMove: (tree_walk.text, tree_walk.svg),
    games.LostCities: (lost_cities.text, lost_cities.svg),
    games.Morpion: (morpion.text, morpion.svg),
    games.Nim: (nim.text, nim.svg),
    games.NoGo: (stones.text, stones.svg),
    games.SameGame: (samegame.text, samegame.svg),
    games.Splendor: (splendor.text, splendor.svg),
    games.Sudoku: (sudoku.text, sudoku.svg),
    games.TicTacToe: (tictactoe.text, tictactoe.svg),
    games.Wargame: (wargame.text, wargame.svg),
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
