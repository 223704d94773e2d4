"""Figures: the numbers under them, and the same bytes from the same rows."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from mctslab import plots
from mctslab.plots.ensemble_trees import by_budget, margin_shares


@pytest.fixture
def race():
    """Two runs of one search with their improvements."""
    traces = [[[1, 0.1, 10.0], [50, 0.5, 20.0]], [[1, 0.1, 12.0], [10, 0.2, 14.0], [100, 0.9, 16.0]]]
    return pd.DataFrame({"search": "level 1", "a_simulations": 100, "a_seconds": 1.0,
                         "extra": [{"improvements": trace} for trace in traces]})


def test_the_best_so_far_steps_up_at_each_improvement(race):
    best = plots.best_so_far(race, [0.5, 1, 9, 10, 49, 50, 100])
    assert np.isnan(best[:, 0]).all()
    assert best[:, 1:].tolist() == [[10, 10, 10, 10, 20, 20], [12, 12, 14, 14, 14, 16]]
    assert plots.best_so_far(race, [0.5], "seconds").tolist() == [[20], [14]]


def test_the_anytime_curve_ends_at_the_mean_of_the_final_scores(race):
    line = plots.anytime(race, "search").axes[0].lines[0]
    assert line.get_xdata()[-1] == pytest.approx(100) and line.get_ydata()[-1] == pytest.approx(18)


def test_an_interval_of_one_run_has_no_width():
    assert plots.interval_half(np.array([[1.0, 2.0]])).tolist() == [0, 0]
    assert plots.interval_half(np.array([[1.0], [3.0]]))[0] == pytest.approx(12.706, abs=1e-3)     # t of 1 degree of freedom


def test_the_same_rows_give_the_same_bytes(race, tmp_path, monkeypatch):
    monkeypatch.setenv("MCTSLAB_FIGURES", str(tmp_path))
    for name in "ab":
        plots.save(plots.anytime(race, "search"), name)
    for ending in ("png", "svg"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert b"<dc:date>" not in (tmp_path / "a.svg").read_bytes()


def test_a_drawing_is_saved_as_svg(tmp_path, monkeypatch):
    monkeypatch.setenv("MCTSLAB_FIGURES", str(tmp_path))
    assert plots.save("<svg/>", "board") == "<svg/>" and (tmp_path / "board.svg").read_text() == "<svg/>"


def test_every_bar_of_the_totals_carries_its_number():
    axes = plots.totals(pd.DataFrame({"name": ["x", "y"], "total": [10, 2000], "ours": [True, False]})).axes[0]
    assert [text.get_text().strip() for text in axes.texts] == ["10", "2,000"]


def test_survival_curves_end_at_the_limit():
    curve = pd.DataFrame({"time": [1.0, 2.0], "share_solved": [0.5, 0.75], "low": [0.2, 0.4], "high": [0.8, 0.9]})
    line = plots.survival({"sampling": curve}, 10).axes[0].lines[0]
    assert line.get_xdata().tolist() == [1, 2, 10] and line.get_ydata().tolist() == [0.5, 0.75, 0.75]


def test_a_margin_that_no_set_of_trees_reaches_counts_as_more():
    turns = pd.DataFrame({"game": "g", "arm": "a", "trees": [5, 5, 2, 1], "margin": [3, 4, 3, 1]})
    assert margin_shares(turns, "margin").loc["g", "a"].to_dict() == {"1": 0.25, "2": 0.0, "3": 0.25, "more": 0.5}


def test_marks_stay_in_view_whatever_their_bars():
    table = pd.DataFrame({"game": "g", "budget": "b", "mechanism": list("xyz"), "pairs": 2, "score": [0.2, 0.5, 0.9],
                          "low": [0.1, 0.4, -9.0], "high": [0.3, 0.6, 9.0]})
    low, high = by_budget(table, "score", "score", 0.5).axes[0].get_xlim()
    assert low < 0.2 and 0.9 < high < 2
    assert low > -2


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_a_score_is_drawn_at_its_size_in_the_panel_of_its_mode():
    table = pd.DataFrame({"size": [5, 7, 5, 7], "budget": ["100 simulations"] * 2 + ["1 s"] * 2, "seconds": [0, 0, 1, 1],
                          "score": [0.5, 0.6, 0.4, 0.7], "low": [0.4] * 4, "high": [0.8] * 4, "pairs": [20] * 4})
    panels = plots.scores_by_size(table, "MCPS", "GRAVE").axes
    assert [panel.get_title() for panel in panels] == ["equal simulations per move", "equal seconds per move"]
    assert [panel.containers[0].lines[0].get_ydata().tolist() for panel in panels] == [[0.5, 0.6], [0.4, 0.7]]


def test_a_forest_has_a_line_for_each_row_from_the_top():
    table = pd.DataFrame({"what": ["x", "y"], "score": [0.5, 0.6], "low": [0.4, 0.5], "high": [0.6, 0.7], "pairs": [10, 10]})
    axes = plots.forest(table, "what").axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "y"]
    assert axes.containers[0].lines[0].get_ydata().tolist() == [1, 0]
