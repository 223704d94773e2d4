"""Every figure: one function each, from one tidy table. Error bars are named, n and budget stand in the caption."""
from .figure import caption, interval_half, pairs_text, save, use_style
from .matches import MECHANISMS, PLAYER_STYLES, forest, mechanisms, scores_by_size
from .nested import (MARKERS, SEARCHER_COLOURS, anytime, best_so_far, by_position, forgotten, laws, score_histograms,
                     survival, totals)

__all__ = ["MARKERS", "MECHANISMS", "PLAYER_STYLES", "SEARCHER_COLOURS", "anytime", "best_so_far", "by_position", "caption",
           "forest", "forgotten", "interval_half", "laws", "mechanisms", "pairs_text", "save", "score_histograms",
           "scores_by_size", "survival", "totals", "use_style"]
