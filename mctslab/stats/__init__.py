"""Intervals and tests, thin over scipy and statsmodels: one call and one small result for what the notebooks ask.

Intervals are two-sided with 95 % confidence unless told otherwise, p-values are two-sided. Nothing is rounded here: the last
bits of a statistic differ between machines, so what is stored or shown goes through `rounded` first.
"""
from .laws import chi_square_against, pooled_cells, tally, z_against
from .matches import Match, difference_table, match_score, match_table, pair_scores, rank_correlation
from .models import conditional_model, logistic_model
from .power import detectable_difference, pairs_needed, power_of
from .proportions import METHODS, Discordant, Effect, mcnemar, proportion_interval, two_proportions
from .samples import (Difference, Interval, Paired, Significance, Summary, bootstrap_interval, holm, mean_interval,
                      normal_quantile, p_text, paired_test, rounded, sample, summary, welch_test)
from .times import logrank, restricted_mean_time, survival

__all__ = ["Difference", "Discordant", "Effect", "Interval", "METHODS", "Match", "Paired", "Significance", "Summary",
           "bootstrap_interval", "chi_square_against", "conditional_model", "detectable_difference", "difference_table",
           "holm", "logistic_model", "logrank", "match_score", "match_table", "mcnemar", "mean_interval",
           "normal_quantile", "p_text", "pair_scores", "paired_test", "pairs_needed", "pooled_cells", "power_of",
           "proportion_interval", "rank_correlation", "restricted_mean_time", "rounded", "sample", "summary", "survival",
           "tally", "two_proportions", "welch_test", "z_against"]
