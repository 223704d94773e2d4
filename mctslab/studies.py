"""The grids of the studies: what is played, per profile, declared once.

``smoke`` takes seconds, every cell with a few games; ``laptop`` is what is committed; ``paper`` has the papers' own budgets
and numbers of games and is for a cluster. Where a paper does not give a number, the choice is ours and the notebook says so.
"""
from .core import InputError, one_of
from .core.spec import parse_value
from .games import make_game
from .games.morpion import VARIANTS
from .search import make_searcher
from .study import Cell, study


def by_profile(profile, smoke, laptop, paper):
    """The value of a profile."""
    return {"smoke": smoke, "laptop": laptop, "paper": paper}[profile]


@study("nested_toy", "10_nested_toy", "Nested search on the toy trees: exact laws, ties, memory")
def nested_toy(profile, depth=60):
    """Leftmost path and left move at one depth.

    Law cells are single runs, compared with the exact law of their score. Time cells restart a level until a number of
    playouts is spent and log each improvement.
    """
    move, path = (f"left_move(depth={depth})",), (f"leftmost(depth={depth})",)
    runs = by_profile(profile, 40, 1000, 100_000)
    top = by_profile(profile, 2, 3, 3)
    law = [Cell(move, f"nested(level={level}, {options})", runs, trace=False)
           for level in range(1, top + 1)
           for memory in ("", "memory=false, ") for options in (f"{memory}replace={r}" for r in (">", ">=", "random"))]
    budget = by_profile(profile, 3_000, 300_000, 8_000_000)
    timed = [Cell(move, f"{searcher}simulations={budget})", by_profile(profile, 3, 30, 200), label="anytime")
             for searcher in ("sampling(", *(f"nested(level={level}, " for level in range(1, top + 1)))]
    paths = [Cell(path, f"nested(level={level})", by_profile(profile, 20, 200, 1000), trace=False) for level in range(3)]
    lengths = [Cell((f"leftmost(depth={n})",), "nested", by_profile(profile, 2, 20, 100), trace=False)
               for n in (10, 20, 40, 80)]
    return [Cell(move, "nested(level=0)", runs, trace=False), *law, *timed, *paths, *lengths]


@study("nested_morpion", "11_nested_morpion", "Nested search on Morpion Solitaire: levels, time, reflexive search, NRPA")
def nested_morpion(profile, variants="5D 5T"):
    """Morpion Solitaire from its starting position.

    Level cells are single runs of a level. Time cells spend equal numbers of playouts and log each improvement.
    """
    if not variants.split() or set(variants.split()) - set(VARIANTS):
        raise InputError(f"variants is {variants!r}; it must be one or more of {one_of(VARIANTS)}, separated by blanks")
    runs = {0: by_profile(profile, 20, 1000, 100_000), 1: by_profile(profile, 10, 1000, 100_000),
            2: by_profile(profile, 2, 100, 10_000), 3: by_profile(profile, 0, 20, 1000), 4: by_profile(profile, 0, 0, 20)}
    budget = by_profile(profile, 2_000, 1_000_000, 100_000_000)
    contest = ("sampling(", "nested(level=1, ", "nested(level=2, ", "nested(level=3, ",
               "nested(level=1, memory=false, tries=8, ", "nrpa(level=3, ")
    cells = []
    for variant in variants.split():
        game = (f"morpion(variant={variant})",)
        # One run of level 3 on 5T takes minutes: it waits for a larger machine.
        levels = [level for level, n in runs.items() if n and not (level == 3 and variant == "5T" and profile == "laptop")]
        cells += [Cell(game, f"nested(level={level})", runs[level], trace=level > 1) for level in levels]
        cells += [Cell(game, f"{searcher}simulations={budget})", by_profile(profile, 2, 20, 100)) for searcher in contest]
    return cells


@study("nested_samegame", "12_nested_samegame", "Nested search on SameGame: the 20 standard positions")
def nested_samegame(profile, ending="bonus"):
    """The 20 standard positions: one run of each level, with and without memory, with both playout policies.

    A run of level 3 takes some hundred million playouts; below the paper's profile it is cut off after a number of them.
    """
    positions = tuple(f"samegame(position={k}, ending={ending})" for k in range(1, 21))
    cut = by_profile(profile, 1_000, 2_000_000, 0)
    limits = {1: "", 2: ", simulations=1000" if profile == "smoke" else "", 3: f", simulations={cut}" if cut else ""}
    runs = by_profile(profile, 2, 20, 20)
    return [Cell(positions, f"nested(level={level}{memory}, playout={playout}{limits[level]})", runs, "standard positions",
                 level > 1)
            for level in (1, 2, 3) for memory in ("", ", memory=false") for playout in ("uniform", "tabu")]


@study("nested_sudoku", "13_nested_sudoku", "Nested search on 16x16 Sudoku: forward checking, sampling, levels 1 and 2")
def nested_sudoku(profile, empty=0.66, limit=10.0):
    """Seeded 16x16 puzzles; each searcher meets the same ones and has the same seconds for each."""
    if not 0 < limit <= 1e6:
        raise InputError(f"limit is {limit}; it must be more than 0 and at most 1000000 seconds")
    limit = by_profile(profile, min(limit, 0.2), limit, 20_000.0 if limit == 10.0 else limit)
    runs = by_profile(profile, 3, 50, 100)
    searchers = ["forward_checking(", "sampling("]
    searchers += [f"nested(level={level}, {memory}order=shuffled, " for level in (1, 2) for memory in ("", "memory=false, ")]
    return [Cell((f"sudoku(empty={empty})",), f"{searcher}seconds={limit:g})", runs, trace=False) for searcher in searchers]


# Monte Carlo Permutation Search: boards are square, budgets are for each move of each player.


def against(game, a, b, games, **budget):
    """A match with the same budget for both: simulations or seconds."""
    a, b = (make_searcher(player, **budget) for player in (a, b))
    return Cell((game,), str(a), games, b=str(b))


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
    sizes = [parse_value(word) for word in boards.split()]
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
