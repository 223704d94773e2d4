"""Nim: a stroke for each thing left says it all."""


def text(state):
    """``Nim: ||||| || (7 left), player 0 to move, takes 1 to 3``"""
    heap, take = int(state.position.heap), state.game.take
    if heap == 0:
        return f"Nim: nothing left, player {1 - state.current_player()} has won"
    strokes = " ".join("|" * min(5, heap - i) for i in range(0, heap, 5))
    most = f" to {take}" if take > 1 else ""
    return f"Nim: {strokes} ({heap} left), player {state.current_player()} to move, takes 1{most}"


def svg(state):
    """The same as HTML."""
    return f"<code>{text(state)}</code>"
