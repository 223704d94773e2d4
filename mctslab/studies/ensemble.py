"""The grids of Ensemble Determinization MCTS on card games; budgets are for each turn of each player.

The paper's opponent is an open-loop search, `solmcts`. At the profile laptop budgets are small, so that a grid is possible.
"""
from itertools import product

from ..core import InputError, one_of
from ..games import make_game
from ..search.allocation import POLICIES
from ..search.votes import VOTES
from ..study import Cell, against, by_profile, study

GAMES = "jaipur", "lost_cities", "splendor"
RULES = "visits", "score", "voting", "borda"
TREES = 1, 2, 5, 10, 20, 50
OPPONENT = "solmcts"


def card_games(names):
    """The games named, separated by blanks."""
    if not names.split() or set(names.split()) - set(GAMES):
        raise InputError(f"games is {names!r}; it must be one or more of {one_of(GAMES)}, separated by blanks")
    return list(dict.fromkeys(names.split()))


def ensemble(**options):
    """The text of a searcher."""
    return f"ensemble({', '.join(f'{key}={value}' for key, value in options.items())})"


def usual(profile):
    """Simulations for each turn, where a study has one budget."""
    return by_profile(profile, 50, 1000, 250_000)


@study("ensemble_static", "30_ensemble_static", "Ensembles of a fixed number of trees against open-loop MCTS")
def ensemble_static(profile, games="jaipur lost_cities splendor"):
    """Number of trees by final rule by budget; then one option of the searchers or of the game at a time."""
    cells = []
    for game in card_games(games):
        # A game of Splendor takes three times as long as one of the others.
        largest = 2000 if game == "splendor" else 4000
        budgets = by_profile(profile, (50,), (250, 1000, largest), (10_000, 50_000, 250_000))
        for n, rule, trees in product(budgets, RULES, by_profile(profile, (1, 3), TREES, TREES)):
            main = rule == "visits" and game != "splendor" and n >= 1000
            number = by_profile(profile, 4, 300 if main else 50, 4000)
            cells.append(against(game, ensemble(trees=trees, selection=rule), OPPONENT, number, simulations=n))
        cells += one_by_one(profile, game)
    return cells


def one_by_one(profile, game, trees=5):
    """Ablations: the label of a cell names what is changed."""
    n, number = usual(profile), by_profile(profile, 4, 60, 4000)
    static, rules = ensemble(trees=trees), make_game(game)

    def cell(what, a, b=OPPONENT, game=game):
        return against(game, a, b, number, f"{what} on {rules.name}", simulations=n)
    cells = [cell("playouts of both", ensemble(trees=trees, playout=p), f"solmcts(playout={p})") for p in rules.playouts]
    cells += [cell("playouts", f"solmcts(playout={p})") for p in rules.playouts[1:]]
    cells += [cell("reward of both", ensemble(trees=trees, reward="score"), "solmcts(reward=score)"),
              cell("reward", ensemble(trees=trees, reward="score"), static), cell("reward", "solmcts(reward=score)")]
    for c in by_profile(profile, (0.4,), (0.2, 0.4, 1.0, 1.41), (0.2, 0.4, 1.0, 1.41)):
        cells += [cell("exploration", ensemble(trees=trees, c=c), static), cell("exploration", f"solmcts(c={c})")]
    cells += [cell("untried moves", ensemble(trees=trees, untried="list"), static),
              cell("memory", static, game=f"{game}(memory=false)"),
              cell("other searchers", "ismcts"), cell("other searchers", "cheat")]
    return cells


@study("ensemble_trees", "31_ensemble_trees", "Ensembles that change their number of trees in play")
def ensemble_trees(profile, games="jaipur lost_cities splendor", trees=5):
    """Dynamic against static T by final rule, both readings of the rule; its four numbers; then head to head."""
    n, cells = usual(profile), []
    for game in card_games(games):
        number = by_profile(profile, 4, 50 if game == "splendor" else 100, 4000)
        arms = [dict(selection=rule) | dynamic for rule in RULES for dynamic in ({}, {"dynamic": "true"})]
        arms += [dict(selection=rule, dynamic="true", reading="replace") for rule in RULES if rule != "voting"]
        cells += [against(game, ensemble(trees=trees, **arm), OPPONENT, number, simulations=n) for arm in arms]
        numbers = list(product((1, 2, 3), (1, 2), (1, 2, 3)))
        for turns, m_up, m_down in by_profile(profile, [(1, 1, 2)], [] if game == "splendor" else numbers, numbers):
            rule = dict(selection="voting", dynamic="true", l_up=turns, m_up=m_up, l_down=turns, m_down=m_down)
            cells.append(against(game, ensemble(trees=trees, **rule), OPPONENT, by_profile(profile, 4, 50, 4000),
                                 f"grid on {game}", simulations=n))
        cells.append(against(game, ensemble(trees=trees, selection="voting", dynamic="true"),
                             ensemble(trees=trees, selection="voting"), by_profile(profile, 4, 300, 8000), simulations=n))
    return cells


@study("ensemble_allocation", "32_ensemble_allocation", "Policies that share the budget among the trees of an ensemble")
def ensemble_allocation(profile, games="jaipur lost_cities splendor", trees=5):
    """Policies by final rule in matches and, at growing budgets, on single turns; how the trees of `across` vote."""
    rules, cells = (*RULES, "shares"), []
    for game in card_games(games):
        number = by_profile(profile, 4, 50, 4000)
        policies = by_profile(profile, POLICIES[:1] + POLICIES[4:6], POLICIES, POLICIES)

        def matches(n, rules, game=game, policies=policies, number=number):
            return [against(game, ensemble(trees=trees, selection=rule, allocation=policy), OPPONENT, number, simulations=n)
                    for policy in policies for rule in rules]
        cells += matches(usual(profile), rules)
        if profile == "laptop" and game == "jaipur":
            cells += matches(4000, ("visits", "voting"))
        for vote in VOTES[1:]:
            cells.append(against(game, ensemble(trees=trees, selection="voting", vote=vote, allocation="across"), OPPONENT,
                                 number, simulations=usual(profile)))
        turns = by_profile(profile, 3, 40, 1000)
        for n in by_profile(profile, (50,), (1000, 5000, 25_000), (1000, 5000, 25_000, 250_000)):
            cells += [Cell((game,), ensemble(trees=trees, selection=rule, allocation=policy, simulations=n), turns,
                           f"turn on {game}")
                      for policy in policies for rule in (rules if n < 10_000 else ("visits", "voting"))]
    return cells


@study("ensemble_combined", "33_ensemble_combined", "Both at once: the number of trees and the split of the budget")
def ensemble_combined(profile, games="jaipur lost_cities splendor", trees=5, policy="across"):
    """With and without each of the two, all four against the same opponent on the same deals."""
    if policy not in POLICIES[1:]:
        raise InputError(f"policy is {policy!r}; it must be one of {one_of(POLICIES[1:])}")
    return [against(game, ensemble(trees=trees, selection="voting", **options), OPPONENT, by_profile(profile, 4, 300, 8000),
                    simulations=usual(profile))
            for game in card_games(games) for options in two_by_two(policy)]


def two_by_two(policy):
    """Options of the four arms: neither, each of the two, both."""
    return [dynamic | allocation for dynamic in ({}, {"dynamic": "true"}) for allocation in ({}, {"allocation": policy})]


@study("ensemble_time", "34_ensemble_time", "The same mechanisms where time is the limit, not simulations")
def ensemble_time(profile, games="jaipur lost_cities splendor", trees=5):
    """Mechanisms against the same opponent, at equal simulations and at equal seconds for each turn."""
    budgets = [dict(simulations=n) for n in by_profile(profile, (50,), (2000,), (250_000,))]
    budgets += [dict(seconds=t) for t in by_profile(profile, (0.002,), (0.002, 0.005), (0.1, 1.0))]
    mechanisms = [*two_by_two("across"), *(dict(allocation=p) for p in ("difference", "pruning", "freeze", "halving"))]
    return [against(game, ensemble(trees=trees, selection="voting", **options), OPPONENT, by_profile(profile, 4, 50, 4000),
                    **budget)
            for budget in budgets for game in card_games(games) for options in mechanisms]
