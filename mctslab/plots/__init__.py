"""Every figure: one function each, from one tidy table. Error bars are named, n and budget stand in the caption."""
from .claims import ledger
from .ensemble import ablations, ensemble_table, gains, scores_by_trees
from .ensemble_allocation import (mechanisms_by_budget, root_visits, scores_by_policy, split_of_budget, turns_parted)
from .ensemble_trees import arm_gains, by_budget, parameter_grid, rank_correlations, tree_margins, tree_paths
from .figure import caption, interval_half, pairs_text, save, use_style
from .matches import MECHANISMS, PLAYER_STYLES, forest, mechanisms, scores_by_size
from .nested import (MARKERS, SEARCHER_COLOURS, anytime, best_so_far, by_position, forgotten, laws, score_histograms,
                     survival, totals)

__all__ = ["MARKERS", "MECHANISMS", "PLAYER_STYLES", "SEARCHER_COLOURS", "ablations", "anytime", "arm_gains",
           "best_so_far", "by_budget", "by_position", "caption", "ensemble_table", "forest", "forgotten", "gains",
           "interval_half", "laws", "ledger", "mechanisms", "mechanisms_by_budget", "pairs_text", "parameter_grid",
           "rank_correlations", "root_visits", "save", "score_histograms", "scores_by_policy", "scores_by_size",
           "scores_by_trees", "split_of_budget", "survival", "totals", "tree_margins", "tree_paths", "turns_parted",
           "use_style"]
