"""The grids of Nested Monte-Carlo Search. Where the paper does not give a number, the choice is ours."""
from ..core import InputError, one_of
from ..games.morpion import VARIANTS
from ..study import Cell, by_profile, study


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
    for variant in dict.fromkeys(variants.split()):
        game = (f"morpion(variant={variant})",)
        # One run of level 3 on 5T takes minutes: it waits for a larger machine.
        levels = [level for level, n in runs.items() if n and not (level == 3 and variant == "5T" and profile == "laptop")]
        cells += [Cell(game, f"nested(level={level})", runs[level], trace=level > 1) for level in levels]
        cells += [Cell(game, f"{searcher}simulations={budget})", by_profile(profile, 2, 20, 100)) for searcher in contest]
    return cells


@study("nested_samegame", "12_nested_samegame", "Nested search on SameGame: the 20 standard positions")
def nested_samegame(profile, ending="bonus"):
    """The 20 standard positions: runs of each level, with and without memory, with both playout policies.

    A run of level 3 takes some hundred million playouts: there is one for each position, and below the paper's profile it is
    cut off after a number of them.
    """
    positions = tuple(f"samegame(position={k}, ending={ending})" for k in range(1, 21))
    cut = by_profile(profile, 1_000, 2_000_000, 0)
    limits = {1: "", 2: ", simulations=1000" if profile == "smoke" else "", 3: f", simulations={cut}" if cut else ""}
    few, one = by_profile(profile, 2, 60, 200), by_profile(profile, 2, 20, 20)
    return [Cell(positions, f"nested(level={level}{memory}, playout={playout}{limits[level]})", one if level == 3 else few,
                 "standard positions", level > 1)
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
