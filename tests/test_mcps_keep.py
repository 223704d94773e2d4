"""The window of Monte Carlo permutation search kept from move to move."""
import pytest
from plain_search import PlainMCPS
from test_mcps import window_sets

from mctslab.games.nim import Nim
from mctslab.games.tictactoe import TicTacToe
from mctslab.search.mcps import MCPS

START = TicTacToe().new_initial_state()


def visits(result):
    return result.statistics["visits"].tolist()


@pytest.mark.parametrize("game", [TicTacToe(), Nim(heap=14, take=3)], ids=str)
@pytest.mark.parametrize("window", [10_000, 150])
def test_a_kept_window_is_that_of_the_plain_search_over_several_moves(game, window):
    state = game.new_initial_state()
    player, plain = MCPS(simulations=200, rho=5, window=window, keep=True).player(game), PlainMCPS(True, window, 5)
    for seed in range(3):
        root = plain.search(state, seed, 200)
        result = player.search(state, seed)
        assert visits(result) == [move.visits for move in root.moves.values()]
        for _ in range(2):
            state.apply_action(state.legal_actions()[0])
    assert player.more.total[0] == 600


def test_a_kept_window_changes_later_moves_and_never_the_first():
    kept, cleared = (MCPS(simulations=300, rho=5, keep=keep).player(START.game) for keep in (True, False))
    assert visits(kept.search(START, 1)) == visits(cleared.search(START, 1))
    later = START.after([4, 0])
    assert visits(kept.search(later, 2)) != visits(cleared.search(later, 2))
    assert (kept.more.total[0], cleared.more.total[0]) == (600, 300)


def test_a_searcher_by_itself_keeps_nothing():
    searcher = MCPS(simulations=300, rho=5, keep=True)
    results = [visits(searcher.search(START, 1)) for _ in range(2)]
    assert results[0] == results[1]


def test_older_playouts_hold_the_moves_since_then():
    player = MCPS(simulations=200, keep=True).player(START.game)
    player.search(START, 1)
    player.search(START.after([4, 0]), 2)
    played = window_sets(player.more, range(400))
    assert any({4, 9} <= codes for codes in played[:200])           # x on 4 and o on 0, among other games from the start
    assert not all({4, 9} <= codes for codes in played[:200])
    assert not any({4, 9} & codes for codes in played[200:])        # from the new root on
