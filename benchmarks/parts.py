"""Where the time of a simulation goes, and what an ensemble's policies cost.

The share of a part of UCT, GRAVE and MCPS: their kernels' own sources are compiled once more with a look at the clock after
every statement that does such a part, so what is timed cannot differ from what is used. What the looks themselves take is
measured beside it, by looks at the clock without work between, and taken off. The sum of the parts is compared with the time
of the kernel as it is.
"""
import ast
import inspect
import statistics
import time

import figures
import numpy as np
import pandas as pd
from numba import njit, types
from work import seconds, simulations

from mctslab import make_game, make_searcher
from mctslab.bench import in_turn, number, spread
from mctslab.core import stream
from mctslab.core.cache import JIT_OPTIONS, NO_ALLOCATION
from mctslab.search import allocation, grave, mcps, uct

GAME, BUDGET, POLICY_BUDGET, TREES = "hex(size=11)", 10_000, 20_000, 10
OFTEN = 100_000         # looks, to find what one takes
LONGEST = 50_000        # nanoseconds between two looks: where it was more, another process had the core
KERNELS = {"uct": (uct, "uct"), "grave": (grave, "grave"), "mcps": (mcps, "mcps")}
PARTS = ("selection", "moves in the tree", "new nodes", "freeze", "playout", "AMAF update", "window push", "backup")
PART_OF = {     # function called, or statement -> part; what stands between two looks at the clock belongs to the second
    "select": 0, "select_apart": 0, "select_disjoint": 0, "take": 1, "expand": 2, "start_row": 2, "enter": 2, "freeze": 3,
    "playout_as": 4, "find_codes": 5, "update_amaf": 5, "push": 6, "backup": 7, "count": 7,
    "tree.states[0] = root[0]": 1}
CLOCK = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.voidptr))
MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)


@njit(nogil=True)
def look(spent, part):
    """Give the nanoseconds since the last look to a part. The last three places are the clock's and the last time."""
    CLOCK(MONOTONIC, spent[-3:].ctypes)
    now = spent[-3] * 1_000_000_000 + spent[-2]
    if now - spent[-1] < LONGEST:
        spent[part] += now - spent[-1]
    spent[len(PARTS) + part] += 1
    spent[-1] = now


@njit(nogil=True)
def look_often(spent, n):
    for _ in range(n):
        look(spent, 0)


class Looks(ast.NodeTransformer):
    """Puts a look at the clock after each statement that is in `PART_OF` or calls what is."""

    def visit_FunctionDef(self, node):
        node.decorator_list, node.args.args = [], [*node.args.args, ast.arg("spent")]
        return self.generic_visit(node)

    def look(self, part):
        return ast.parse(f"look(spent, {part})").body[0]

    def part(self, node):
        calls = [getattr(call.func, "attr", getattr(call.func, "id", "")) for call in ast.walk(node)
                 if isinstance(call, ast.Call)]
        return next((PART_OF[name] for name in (ast.unparse(node), *calls) if name in PART_OF), None)

    def timed(self, node):
        part = self.part(node)
        return node if part is None else [node, self.look(part)]

    visit_Expr = visit_Assign = timed


def with_looks(module, name):
    """A kernel that takes one array more, into which the times of its parts are added."""
    source = inspect.getsource(getattr(module, name).py_func)
    tree = ast.fix_missing_locations(Looks().visit(ast.parse(source)))
    scope = vars(module) | {"look": look}
    exec(compile(tree, module.__file__, "exec"), scope)
    return njit(**JIT_OPTIONS, **NO_ALLOCATION)(scope[name])


def run_kernel(searcher, kernel, player, state, rng, size):
    """Make simulations of a search that has begun, by another kernel than the searcher's own."""
    module, name = KERNELS[searcher]
    own = getattr(module, name)
    setattr(module, name, kernel)       # where `advance` looks it up
    try:
        player.advance(state, rng, size)
    finally:
        setattr(module, name, own)
    assert player.done() == size


def looks(searcher, size):
    """A function of a seed: nanoseconds per simulation of each part, of the looks, and of the kernel without any."""
    plain, looking = getattr(*KERNELS[searcher]), with_looks(*KERNELS[searcher])
    state = make_game(GAME).new_initial_state(1)
    player = make_searcher(searcher, simulations=size).player(state.game)
    player.search(state, 1)         # makes room for all simulations

    def run(kernel, seed):
        player.begin(state, seed, None)
        rng = stream(seed, "playout")
        return 1e9 * seconds(run_kernel, searcher, kernel, player, state, rng, size) / size

    def work(seed):
        spent, empty = (np.zeros(2 * len(PARTS) + 3, np.int64) for _ in range(2))
        look(empty, 0)
        each = 1e9 * seconds(look_often, empty, OFTEN) / OFTEN
        look(spent, 0)
        spent[:-3] = 0
        run(lambda *args: looking(*args, spent), seed)
        times, often = spent[:-3].reshape(2, len(PARTS))
        return {"parts": ((times - each * often) / size).clip(0).tolist(), "looks": each * often.sum() / size,
                "plain": run(plain, seed)}
    return work


def policies(game, size):
    """Simulations per second of one tree, of ten, and of each allocation policy over ten."""
    specs = {"one tree": f"ensemble(trees=1, simulations={size})"} | {
        policy: f"ensemble(trees={TREES}, allocation={policy}, simulations={size})" for policy in allocation.POLICIES}
    return {(game, name): simulations(game, spec) for name, spec in specs.items()}


def measured(rounds, most):
    """Rows of the parts of kernels, then rows of the policies: their speed over that of one tree, round by round."""
    size = min(BUDGET, most)
    works = {("part", name): looks(name, size) for name in KERNELS}
    for game in "jaipur", "lost_cities", "splendor":
        works |= policies(game, min(POLICY_BUDGET, most))
    found, rows = in_turn(works, rounds), []
    for (kind, name), figures_ in found.items():
        if kind == "part":
            medians = [statistics.median(column) for column in zip(*(f["parts"] for f in figures_))]
            rows.append({"kind": "parts", "searcher": name, "ns": dict(zip(PARTS, medians)), "simulations": size,
                         "ns_plain": statistics.median(f["plain"] for f in figures_),
                         "ns_looks": statistics.median(f["looks"] for f in figures_)})
        else:
            ratios = [mine / one for mine, one in zip(figures_, found[kind, "one tree"])]
            rows.append({"kind": "policy", "game": kind, "policy": name, "trees": 1 if name == "one tree" else TREES}
                        | spread(figures_, "per_second_") | spread(ratios, "ratio_"))
    return rows


def words(about):
    """What the README says."""
    shares = {row["searcher"]: {part: f"{ns / sum(row['ns'].values()):.0%}" for part, ns in row["ns"].items()}
              for row in about["rows"] if row["kind"] == "parts"}
    ratios = [row["ratio_median"] for row in about["rows"] if row["kind"] == "policy" and row["policy"] != "one tree"]
    told = "; ".join(f"{name.upper()} {shares[name]['selection']} selection, {shares[name]['AMAF update']} AMAF updates, "
                     f"{shares[name]['freeze']} freezing, {shares[name]['playout']} playouts" for name in ("grave", "mcps"))
    return (f"[Shares of a simulation](figures/bench-parts.png) on Hex 11x11: {told}. "
            f"[Ten trees](figures/bench-policies.png) make {min(ratios):.2f} to {max(ratios):.2f} times the simulations per "
            "second of one, by policy and card game.")


def report(about):
    """Print both tables; draw the figures."""
    parts = [row for row in about["rows"] if row["kind"] == "parts"]
    table = pd.DataFrame({row["searcher"]: row["ns"] for row in parts})
    print("nanoseconds per simulation\n" + table.round(0).astype(int).to_string())
    for row in parts:
        total = sum(row["ns"].values())
        print(f"{row['searcher']}: parts {number(total)} ns together, the kernel as it is {number(row['ns_plain'])}; "
              f"the looks took {number(row['ns_looks'])} more")
    ratios = pd.DataFrame([row for row in about["rows"] if row["kind"] == "policy"])
    print("\nsimulations per second over those of one tree\n" + ratios.pivot(
        index="policy", columns="game", values="ratio_median").reindex(ratios["policy"].unique()).round(3).to_string())
    figures.parts(parts, about)
    figures.policies(ratios, about)
