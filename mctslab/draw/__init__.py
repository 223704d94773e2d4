"""Boards as text and SVG. One file per game gives ``text(state)`` and ``svg(state)``; rules know nothing of them."""
from ..core.play import RENDERERS
from . import morpion, samegame, sudoku, tree_walk

RENDERERS.update({
    "leftmost": (tree_walk.text, tree_walk.svg),
    "left_move": (tree_walk.text, tree_walk.svg),
    "morpion": (morpion.text, morpion.svg),
    "samegame": (samegame.text, samegame.svg),
    "sudoku": (sudoku.text, sudoku.svg),
})
