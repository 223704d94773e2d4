"""Programs of others that pip can install, at the same work: (name, function of a seed; None where it is not installed)."""
import importlib.util

from work import seconds

MEGABYTES = 4000        # that OpenSpiel's bot may use: more than it does
UCT_C = 1.4


def installed(name):
    return importlib.util.find_spec(name) is not None


def _search(name, options, rollouts, simulations, seed):
    """A function that makes one search of OpenSpiel's C++ bot from the start of a game."""
    import pyspiel
    game = pyspiel.load_game(name, options)
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    bot = pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MEGABYTES, False, seed, False)
    state = game.new_initial_state()
    return lambda: bot.mcts_search(state)


def openspiel_rollouts(name, n, **options):
    """Rollouts per second: one simulation of the bot, which values the root by n of them."""
    def work(seed):
        return n / seconds(_search(name, options, n, 1, seed))
    return "pyspiel rollouts", work if installed("pyspiel") else None


def openspiel_uct(name, simulations, **options):
    """Simulations per second of the bot, one rollout each."""
    def work(seed):
        return simulations / seconds(_search(name, options, 1, simulations, seed))
    return "pyspiel.MCTSBot", work if installed("pyspiel") else None


def mctspy_uct(simulations):
    """Simulations per second of mctspy, in pure Python, on its own tic-tac-toe."""
    def work(seed):
        import numpy as np
        from mctspy.games.examples.tictactoe import TicTacToeGameState
        from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
        from mctspy.tree.search import MonteCarloTreeSearch
        np.random.seed(seed)
        root = TwoPlayersGameMonteCarloTreeSearchNode(TicTacToeGameState(np.zeros((3, 3)), 1))
        return simulations / seconds(MonteCarloTreeSearch(root).best_action, simulations)
    return "mctspy", work if installed("mctspy") else None
