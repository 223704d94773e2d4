"""The grids of Monte Carlo Permutation Search: boards are square, budgets are for each move of each player."""
from ..core import InputError
from ..core.spec import parse_value
from ..games import make_game
from ..study import against, by_profile, study


def baseline(profile, game):
    """The steps from UCT to GRAVE that are known from the literature."""
    n, games = by_profile(profile, 50, 1000, 1000), by_profile(profile, 4, 200, 800)
    return [against(game, a, b, games, simulations=n) for a, b in (("rave", "uct"), ("grave", "rave"))]


def contest(profile, game, boards, games):
    """MCPS against GRAVE by board and budget.

    Parameters
    ----------
    boards : str
        Sizes, separated by blanks.
    games : dict of int to dict of int to int
        At the profile laptop, for each number of simulations the games on each board; a board not named has the fewest.
    """
    sizes = [parse_value(word) for word in dict.fromkeys(boards.split())]
    if not sizes or not all(isinstance(size, int) for size in sizes):
        raise InputError(f"boards is {boards!r}; it must be sizes separated by blanks, like '5 7'")
    if profile == "smoke":
        sizes = sizes[:2]
    simulations = by_profile(profile, (50,), tuple(games), (1000, 4000, 16_000))
    seconds = by_profile(profile, (0.002,), (0.02,), (0.25, 0.5, 1.0, 2.0))

    def laptop_games(n, size):
        return games[n].get(size, min(games[n].values())) if n in games else 0

    def cells(size, laptop, **budget):
        number = by_profile(profile, 4, laptop, 800)
        return [against(f"{game}(size={size})", "mcps", "grave", number, **budget)] if number else []
    equal = [cells(size, laptop_games(n, size), simulations=n) for n in simulations for size in sizes]
    timed = [cells(size, 40, seconds=t) for t in seconds for size in sizes]
    return sum(equal + timed, [])


@study("mcps_hex", "20_mcps_hex", "MCPS against GRAVE on Hex")
def mcps_hex(profile, boards="5 7 9 11"):
    """MCPS against GRAVE on Hex, with equal simulations and with equal seconds."""
    return contest(profile, "hex", boards, {1000: {5: 200}, 4000: {5: 200, 7: 200, 9: 400, 11: 400}})


@study("mcps_go", "21_mcps_go", "RAVE, GRAVE and MCPS on Go")
def mcps_go(profile, boards="5 7 9 13 15"):
    """The known baseline on 9x9, then MCPS against GRAVE."""
    return baseline(profile, by_profile(profile, "go(size=5)", "go", "go")) + contest(
        profile, "go", boards, {1000: {5: 200, 7: 200, 9: 100, 13: 20, 15: 20}, 4000: {5: 60, 7: 60, 9: 20, 13: 0, 15: 0}})


@study("mcps_atarigo", "22_mcps_atarigo", "RAVE, GRAVE and MCPS on AtariGo")
def mcps_atarigo(profile, boards="5 7 9 11"):
    """The known baseline on 8x8, then MCPS against GRAVE."""
    return baseline(profile, by_profile(profile, "atari_go(size=5)", "atari_go(size=8)", "atari_go(size=8)")) + contest(
        profile, "atari_go", boards, {1000: {5: 200}, 4000: {5: 100, 7: 100, 9: 60, 11: 40}})


@study("mcps_nogo", "23_mcps_nogo", "MCPS against GRAVE on NoGo")
def mcps_nogo(profile, boards="5 7 9 11"):
    """MCPS against GRAVE on NoGo."""
    return contest(profile, "nogo", boards, {1000: {5: 200}, 4000: {5: 100, 7: 100, 9: 60, 11: 40}})


@study("mcps_wargame", "24_mcps_wargame", "MCPS against GRAVE on a wargame of our own design")
def mcps_wargame(profile, boards="7 9 11 13"):
    """MCPS against GRAVE on the wargame."""
    return contest(profile, "wargame", boards, {1000: {7: 200, 9: 200, 11: 100}, 4000: {7: 60, 9: 60, 11: 40, 13: 20}})


VARIANTS_OF_MCPS = ("weight=0.0", "weight=0.3", "weight=3.0", "disjoint=true", "rho=10", "rho=100", "rho=300", "window=100",
                    "window=300", "ref_amaf=50", "transpositions=false")
VARIANTS_OF_GRAVE = ("ref=50", "ref=0", "ref=25", "ref=100", "ref=400", "bias=1e-10", "bias=1e-3", "bias=0.1")


@study("mcps_ablations", "25_mcps_ablations", "MCPS against its own variants, GRAVE's options, move codes")
def mcps_ablations(profile, game="hex(size=9)"):
    """One option at a time: MCPS with it against MCPS without it, MCPS against GRAVE with it; then move codes."""
    n, games = by_profile(profile, 50, 1000, 16_000), by_profile(profile, 4, 200, 800)
    few = by_profile(profile, 2, None, None)
    cells = [against(game, f"mcps({option})", "mcps", games, simulations=n) for option in VARIANTS_OF_MCPS[:few]]
    cells += [against(game, "mcps", f"grave({option})", games, simulations=n) for option in VARIANTS_OF_GRAVE[:few]]
    wargames = [f"wargame(size={by_profile(profile, 5, 9, 9)}, codes={codes})" for codes in ("abstract", "exact")]
    cells += [against(str(make_game(wargame)), a, b, games, simulations=n) for wargame in wargames
              for a, b in (("mcps", "grave"), ("mcps", "uct"), ("grave", "uct"))]
    return cells
