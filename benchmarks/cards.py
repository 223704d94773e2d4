"""Card games of two players, those that are there: games with each playout policy, determinizations, ensembles of trees."""
from timer import Case
from work import determinization, matches, playouts, simulations

from mctslab import GAMES, SEARCHERS, make_game

POLICIES = {        # game -> playout policy -> games per second aimed at
    "jaipur": {"uniform": 25_000, "informed": 300_000},
    "lost_cities": {"uniform": 50_000, "informed": 400_000},
    "splendor": {"uniform": 15_000},
}
MATCH = "jaipur", "ensemble(simulations=1000)", "solmcts(simulations=1000)"
GAMES_PER_HOUR = 20_000
BUDGET = 20_000         # simulations


def games_of(name):
    for policy in make_game(name).playouts:
        yield Case(f"{name} games, {policy} playouts", "games/s", playouts(name, 5_000, policy, deal=True),
                   POLICIES[name].get(policy))
    yield Case(f"{name} determinization", "ns", determinization(name, 12, 100_000), 1_000)


def searches_of(name):
    ten, one = (simulations(name, f"ensemble(trees={trees}, simulations={BUDGET})") for trees in (10, 1))
    yield Case(f"{name} ensemble of 10 trees", "simulations/s", ten, peer=("one tree", one), factor=0.8)


def matches_of_jaipur():
    one, two = (matches(*MATCH, workers, pairs=8) for workers in (1, 2))
    yield Case("jaipur match, 1,000 simulations a turn", "games/s", one, GAMES_PER_HOUR / 3600)
    yield Case("jaipur games by two workers", "games/s", two, peer=("one worker", one), factor=1.85)


def cases():
    names = [name for name in POLICIES if name in GAMES]
    found = [case for name in names for case in games_of(name)]
    if {"ensemble", "solmcts"} <= set(SEARCHERS):
        found += [case for name in names for case in searches_of(name)]
        found += matches_of_jaipur() if "jaipur" in GAMES else []
    return found
