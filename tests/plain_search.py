"""The searchers for two players said again, slowly and plainly, for tests to compare with.

Every position met is an object that lists all playouts through it; each statistic is counted anew from these lists whenever
it is needed. Numbers are float32 and computed in the order of the kernels, so that equal means equal to the last bit.
"""
import math

import numpy as np
from conftest import code, run_playout, search_actions, snapshot

from mctslab.core import stream
from mctslab.core.play import read_status

F = np.float32


class Move:
    def __init__(self, code):
        self.code, self.visits, self.wins = code, 0, 0.0


class Position:
    def __init__(self, state):
        self.player = state.current_player()
        self.moves = {action: Move(code(state, action)) for action in search_actions(state)}
        self.playouts = []      # (set of codes from here on, payoff of the first player)
        self.frozen = None

    def amaf(self, code):
        """Payoffs of both players in the playouts with the code."""
        payoffs = [payoff for codes, payoff in self.playouts if code in codes]
        return np.array([sum(payoffs), len(payoffs) - sum(payoffs)], F)


class Plain:
    """A search without rules for the choice of moves: subclasses have them in `score`."""

    def __init__(self, share):
        self.share, self.depths, self.window = share, [], []

    def search(self, state, seed, simulations):
        rng, length = stream(seed, "playout"), state.game.max_length()
        root, table = Position(state), {}
        trace, buffer = np.zeros(2 * length, np.int32), np.zeros(state.game.max_actions(), np.int32)
        for _ in range(simulations):
            here, s, path, codes, played = root, state.clone(), [], [], []
            while True:
                self.arrive(here, root, path, codes)
                best = max(here.moves, key=lambda action: self.score(here, here.moves[action]))     # the first of equals
                path.append((here, here.moves[best]))
                codes.append(here.moves[best].code)
                played.append(best)
                s.apply_action(best)
                if s.is_terminal():
                    here = None
                    break
                key = snapshot(s) if self.share else tuple(played)
                new = key not in table
                here = table.setdefault(key, Position(s) if new else None)
                if new:
                    break
            depth = len(path)
            if here:
                codes += trace[:run_playout(s.game, s.record, 0, rng, trace, buffer)].tolist()
            payoff = read_status(s.game, s.record)[2]
            for d, (position, move) in enumerate(path):
                position.playouts.append((set(codes[d:]), payoff))
                move.visits += 1
                move.wins += payoff if position.player == 0 else 1 - payoff
            if here:
                here.playouts.append((set(codes[depth:]), payoff))
            self.window.append((set(codes), payoff))
            self.depths.append(depth)
        return root


class PlainUCT(Plain):
    def __init__(self, share, c):
        super().__init__(share)
        self.c2 = F(c**2)

    def arrive(self, here, root, path, codes):
        self.log = F(math.log(max(len(here.playouts), 1)))

    def score(self, here, move):
        if move.visits == 0:
            return F(1e6)
        each = F(1) / F(move.visits)
        return F(move.wins) * each + np.sqrt(self.c2 * self.log * each)


class PlainGRAVE(Plain):
    def __init__(self, share, ref, bias):
        super().__init__(share)
        self.ref, self.bias = ref, F(bias)

    def arrive(self, here, root, path, codes):
        if not path or len(here.playouts) > self.ref:
            self.reference = here

    def score(self, here, move):
        amaf = self.reference.amaf(move.code)
        n = amaf.sum()
        if n == 0:
            return F(np.inf)
        f = F(1) + self.bias * n
        return (F(move.wins) * f + amaf[here.player]) / (F(move.visits) * f + n)


class PlainMCPS(Plain):
    def __init__(self, share, size, rho, disjoint=False, ref_amaf=0):
        super().__init__(share)
        self.size, self.rho, self.disjoint, self.ref_amaf = size, rho, disjoint, ref_amaf

    def arrive(self, here, root, path, codes):
        if not path:
            self.root = self.reference = self.amaf_reference = root
        elif len(here.playouts) >= self.rho:
            if here.frozen is None:
                selected = [playout for playout in self.window[-self.size:] if set(codes) <= playout[0]]
                here.frozen = {code: self.payoffs(selected, code) for code in set().union(*(set(p[0]) for p in self.window))}
                if self.disjoint:
                    here.frozen = {code: np.maximum(new - here.amaf(code), 0) for code, new in here.frozen.items()}
            self.reference = here
        if not self.ref_amaf:
            self.amaf_reference = self.reference
        elif len(here.playouts) > self.ref_amaf:
            self.amaf_reference = here

    @staticmethod
    def payoffs(playouts, code):
        payoffs = [payoff for codes, payoff in playouts if code in codes]
        return np.array([sum(payoffs), len(payoffs) - sum(payoffs)], F)

    def score(self, here, move):
        own = np.array([move.wins, move.visits - move.wins], F)
        own = own if here.player == 0 else own[::-1]
        amaf = self.amaf_reference.amaf(move.code)
        if self.reference is self.root:
            permutations = 0 * amaf if self.disjoint else self.root.amaf(move.code)
        else:
            permutations = self.reference.frozen.get(move.code, np.zeros(2, F))
        sums = np.maximum(own, amaf + permutations) if self.disjoint else own + amaf + permutations
        return sums[here.player] / sums.sum() if sums.sum() > 0 else F(np.inf)
