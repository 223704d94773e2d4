"""Figures of the policies that share the budget of an ensemble among its trees."""
import matplotlib.pyplot as plt
import numpy as np

from .figure import INLINE, caption, interval_half, pairs_text, use_style

POLICY_STYLES = {"uniform": ("#333333", "o"), "greedy": ("#0173b2", "s"), "difference": ("#de8f05", "^"),
                 "proportion": ("#d55e00", "v"), "across": ("#029e73", "D"), "pruning": ("#cc78bc", "P"),
                 "freeze": ("#56b4e9", "X"), "halving": ("#ca9161", "*"), "another seed": ("#949494", "_")}
RULE_STYLES = {"visits": ("#0173b2", "o"), "score": ("#de8f05", "s"), "voting": ("#029e73", "D"), "borda": ("#cc78bc", "^"),
               "shares": ("#56b4e9", "P")}
QUANTITIES = {"tilt": "tilt of the split", "locked": "locked trees", "pruned": "dropped moves", "saved": "saved budget"}
ACTORS = {"tilt": ("greedy", "difference", "proportion", "freeze"), "locked": ("uniform", "greedy", "pruning"),
          "pruned": ("pruning", "freeze", "halving"), "saved": ("freeze",)}


def bars(table, value):
    """Lengths of the two halves of the error bars; rounding may leave a limit on the wrong side."""
    return np.clip([table[value] - table["low"], table["high"] - table[value]], 0, None)


def split_of_budget(table, note):
    """Simulations of each tree at one position, a panel per policy; dashed: an even share.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns policy, tree, simulations.
    note : str
        Position and budget, for the caption.
    """
    use_style()
    panels = list(table.groupby("policy", sort=False))
    columns = min(4, len(panels))
    figure, grid = plt.subplots(-(-len(panels) // columns), columns, figsize=(8.4, 3.6), sharex=True, sharey=True,
                                squeeze=False)
    even = table.loc[table["policy"] == "uniform", "simulations"].mean()
    for (policy, part), axes in zip(panels, grid.flat):
        axes.bar(part["tree"], part["simulations"], color=POLICY_STYLES[policy][0])
        axes.axhline(even, color="#333333", linewidth=1, linestyle="--")
        axes.set(title=policy, xticks=part["tree"])
        axes.grid(axis="x", visible=False)
    for axes in grid[:, 0]:
        axes.set_ylabel("simulations")
    for axes in grid[-1]:
        axes.set_xlabel("tree")
    return caption(figure, note)


def scores_by_policy(table, value, title, note, reference):
    """Scores or differences of the policies, a panel per setting and a mark per rule of the final move.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns setting, policy, rule, the column `value`, low, high, pairs.
    value, title : str
        Column shown, and its name on the axis.
    note : str
        For the caption.
    reference : float
        Where the dashed line stands.
    """
    use_style()
    panels = list(table.groupby("setting", sort=False))
    policies = [name for name in POLICY_STYLES if name in set(table["policy"])]
    rules = [name for name in RULE_STYLES if name in set(table["rule"])]
    figure, grid = plt.subplots(1, len(panels), figsize=(1.6 + 2.4 * len(panels), 1.4 + 0.5 * len(policies)), sharex=True,
                                sharey=True, squeeze=False)
    for (setting, part), axes in zip(panels, grid[0]):
        axes.axvline(reference, color="#333333", linewidth=1, linestyle="--")
        for i, rule in enumerate(rules):
            rows = part[part["rule"] == rule]
            y = np.array([policies.index(name) for name in rows["policy"]]) + (i - (len(rules) - 1) / 2) * 0.15
            axes.errorbar(rows[value], y, xerr=bars(rows, value), fmt=RULE_STYLES[rule][1], color=RULE_STYLES[rule][0],
                          markersize=4.5, elinewidth=1.2, label=rule)
        for line in range(1, len(policies)):
            axes.axhline(line - 0.5, color="#dddddd", linewidth=0.8)
        axes.grid(axis="y", visible=False)
        axes.set(title=setting, xlabel=title)
    grid[0, 0].set(yticks=range(len(policies)), yticklabels=policies, ylim=(len(policies) - 0.5, -0.5))
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=len(rules))
    return caption(figure, f"{note}; {pairs_text(table)} per mark; bars: 95 % intervals over pairs")


def draw_marks(axes, table, value, budgets, policies):
    """The marks of a budget side by side, always in the same order."""
    for i, policy in enumerate(policies):
        rows = table[table["policy"] == policy].sort_values("budget")
        colour, marker = POLICY_STYLES[policy]
        x = np.array([budgets.index(n) for n in rows["budget"]]) + (i - (len(policies) - 1) / 2) * 0.1
        axes.errorbar(x, rows[value], bars(rows, value), color=colour, fmt=marker, markersize=5.5, elinewidth=1.2,
                      label=policy)
    for line in range(1, len(budgets)):
        axes.axvline(line - 0.5, color="#dddddd", linewidth=0.8)
    axes.set(xticks=range(len(budgets)), xticklabels=[f"{n:,}" for n in budgets], xlim=(-0.5, len(budgets) - 0.5))
    axes.grid(axis="x", visible=False)


def turns_parted(table, note):
    """Share of turns on which a policy and uniform choose different moves, by budget: a panel per rule and game.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns game, rule, policy, budget, share, low, high, turns.
    note : str
        For the caption.
    """
    use_style()
    games, rules = list(table["game"].unique()), list(table["rule"].unique())
    budgets = sorted(table["budget"].unique())
    policies = [name for name in POLICY_STYLES if name in set(table["policy"])]
    figure, grid = plt.subplots(len(rules), len(games), dpi=INLINE, figsize=(1.9 + 2.7 * len(games), 0.9 + 2.1 * len(rules)),
                                sharex=True, sharey=True, squeeze=False)
    for rule, line in zip(rules, grid):
        for game, axes in zip(games, line):
            draw_marks(axes, table[(table["rule"] == rule) & (table["game"] == game)], "share", budgets, policies)
            axes.set(title=f"{game}, {rule}", ylim=(-0.06, 1.06))
        line[0].set_ylabel("share of turns")
    for axes in grid[-1]:
        axes.set_xlabel("simulations per turn")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside right center")
    return caption(figure, f"{note}{table['turns'].min()} turns or more per mark; bars: 95 % Wilson intervals")


def mechanisms_by_budget(turns, note):
    """How far the mechanisms act, by budget: a row of panels for each of `QUANTITIES`, a column per game.

    Parameters
    ----------
    turns : pandas.DataFrame
        A row per turn and policy: columns game, policy, budget and the keys of `QUANTITIES`.
    note : str
        For the caption.
    """
    use_style()
    games, budgets = list(turns["game"].unique()), sorted(turns["budget"].unique())
    actors = {quantity: [policy for policy in ACTORS[quantity] if policy in set(turns["policy"])] for quantity in QUANTITIES}
    actors = {quantity: policies for quantity, policies in actors.items() if policies}
    figure, grid = plt.subplots(len(actors), len(games), figsize=(1.8 + 2.5 * len(games), 0.8 + 1.5 * len(actors)),
                                sharex=True, sharey="row", squeeze=False)
    for (quantity, policies), line in zip(actors.items(), grid):
        for game, axes in zip(games, line):
            found = turns[turns["game"] == game].groupby(["policy", "budget"])[quantity]
            half = found.apply(lambda values: interval_half(values.to_numpy()[:, None])[0])
            table = found.mean().to_frame("mean").assign(low=found.mean() - half, high=found.mean() + half).reset_index()
            draw_marks(axes, table, "mean", budgets, policies)
        line[0].set_ylabel(QUANTITIES[quantity])
        line[0].set_ylim(bottom=-0.02)
        line[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    for axes, game in zip(grid[0], games):
        axes.set_title(game)
    for axes in grid[-1]:
        axes.set_xlabel("simulations per turn")
    count = turns.groupby(["game", "policy", "budget"]).size().min()
    return caption(figure, f"{note}; means over {count} turns or more, all as shares of 1; bars: 95 % t intervals")


def root_visits(tables, note):
    """Visits of each tree's root moves at one position, a panel per policy; a ring marks what each tree votes for.

    Parameters
    ----------
    tables : dict of str to numpy.ndarray, shape (trees, moves)
        Visits of each policy, the moves in the same order everywhere.
    note : str
        Position and budget, for the caption.
    """
    use_style()
    figure, grid = plt.subplots(1, len(tables), figsize=(3.1 * len(tables), 2.5), sharey=True, squeeze=False)
    top = max(visits.max() for visits in tables.values())
    for (policy, visits), axes in zip(tables.items(), grid[0]):
        image = axes.imshow(visits, cmap="Blues", vmin=0, vmax=top, aspect="auto")
        for tree, line in enumerate(visits):
            chosen = np.flatnonzero(line == line.max())
            axes.plot(chosen, np.full(len(chosen), tree), "o", markersize=11, markerfacecolor="none", color="#d55e00", mew=2)
        axes.set(title=policy, xlabel="root move", xticks=range(visits.shape[1]),
                 xticklabels=range(1, visits.shape[1] + 1), yticks=range(len(visits)), yticklabels=range(1, len(visits) + 1))
        axes.grid(visible=False)
    grid[0, 0].set_ylabel("tree")
    figure.colorbar(image, ax=grid[0, -1], label="visits")
    return caption(figure, note)
