"""The ledger at a glance."""
import matplotlib.pyplot as plt
import numpy as np

from .figure import INLINE, caption, use_style

STYLES = {"reproduced": ("#029e73", "o"), "same direction": ("#56b4e9", ">"), "inconclusive": ("#949494", "s"),
          "contradicted": ("#d55e00", "X"), "not tested": ("#bbbbbb", "_")}       # verdict: colour and marker


def ledger(table, title):
    """Verdicts of claims, a line each, and how far our estimates lie from no effect.

    Parameters
    ----------
    table : pandas.DataFrame
        As `mctslab.claims.ledger` gives it.
    title : str
    """
    use_style()
    n = len(table)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 1.5 + 0.2 * n), dpi=INLINE, sharey=True, width_ratios=(1, 1.4))
    y = np.arange(n)[::-1]
    for k, (word, (colour, marker)) in enumerate(STYLES.items()):
        here = (table["word"] == word).to_numpy()
        left.plot(np.full(here.sum(), k), y[here], marker, color=colour, ms=6, mew=1.5, linestyle="none")
        half = ((table["high_ours"] - table["low_ours"]) / 2).to_numpy()
        known = here & ~np.isnan(table["none"].to_numpy(float)) & (half > 0)
        x, *ends = (((table[name] - table["none"]) / half).to_numpy()[known]
                    for name in ("estimate", "low_ours", "high_ours"))
        bars = np.abs(ends - x)         # of a ratio they are not alike
        right.errorbar(x.clip(-6, 6), y[known], xerr=bars, fmt=marker, color=colour, capsize=2)
    left.set(xticks=range(len(STYLES)), xlim=(-0.5, len(STYLES) - 0.5), ylim=(-0.7, n - 0.3), yticks=y,
             yticklabels=[f"{claim.setting}: {shortened(claim.claim)}  {claim.id}" for claim in table.itertuples()])
    left.set_xticklabels(STYLES, rotation=30, ha="right", fontsize="small")
    left.tick_params(axis="y", labelsize="x-small")
    right.axvline(0, color="#333333", linewidth=1, linestyle="--")
    right.set_xlabel("our estimate; its interval is 2 long", fontsize="small")
    right.set_xlim(-7.2, 7.2)
    right.grid(False)
    figure.suptitle(title, fontsize="medium")
    return caption(figure, "bars: 95 % intervals, drawn equally long; dashed: no effect; beyond 6 drawn at 6; "
                           "claims of a value alone: on the left only")


def shortened(text, most=62):
    text = text.partition(" (")[0]
    return text if len(text) <= most else text[:most - 3].rpartition(" ")[0] + " ..."
