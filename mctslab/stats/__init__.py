"""Intervals and tests, thin over scipy and statsmodels: one call and one small result for what the notebooks ask.

Intervals are two-sided with 95 % confidence unless told otherwise, p-values are two-sided. Nothing is rounded here: the last
bits of a statistic differ between machines, so what is stored or shown goes through `rounded` first.
"""
from .laws import chi_square_against, pooled_cells, tally, z_against
from .matches import Match, difference_table, match_score, match_table, pair_scores, rank_correlation
from .power import detectable_difference, pairs_needed, power_of
from .samples import (METHODS, Difference, Interval, Paired, Significance, Summary, bootstrap_interval, holm, mean_interval,
                      normal_quantile, p_text, paired_test, proportion_interval, rounded, sample, summary, welch_test)
from .times import logrank, restricted_mean_time, survival

__all__ = ["Difference", "Interval", "METHODS", "Match", "Paired", "Significance", "Summary", "bootstrap_interval",
           "chi_square_against", "detectable_difference", "difference_table", "holm", "logrank", "match_score",
           "match_table", "mean_interval", "normal_quantile", "p_text", "pair_scores", "paired_test", "pairs_needed",
           "pooled_cells", "power_of", "proportion_interval", "rank_correlation", "restricted_mean_time", "rounded",
           "sample", "summary", "survival", "tally", "welch_test", "z_against"]
