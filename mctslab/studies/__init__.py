"""The grids of the studies: what is played, per profile, declared once; a file for each paper.

``smoke`` takes seconds, every cell with a few games; ``laptop`` is what is committed; ``paper`` has the papers' own budgets
and numbers of games and is for a cluster. Where a paper does not give a number, the choice is ours and the notebook says so.
"""
from . import nested, mcps, ensemble, claims  # noqa: I001, F401 (they register their studies, in the order of lists)
