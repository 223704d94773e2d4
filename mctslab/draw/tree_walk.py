"""The binary trees of the toy problems: only counts are known of the walk so far, so a line of text says it all."""


def text(state):
    """``left_move(depth=60): 3 moves, score 2``"""
    s = state.position
    return f"{state.game}: {s.ply} moves, score {state.game.payoff(s):g}"


def svg(state):
    """The same as HTML."""
    return f"<code>{text(state)}</code>"
