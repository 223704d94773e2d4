"""Morpion Solitaire: the dots of the cross, the dots added with their move numbers, and (SVG) the lines."""
import numpy as np

from ..games.morpion import points

PIXELS, EDGE = 24, 1        # of a grid cell; empty cells around the dots
BLUE, RED = "#2a6ebb", "#c1272d"


def read_moves(state):
    """Dots of the cross, and (new dot, points of its line) of each move so far, in order."""
    game, s = state.game, state.position
    cross = {points(game, slot)[0] for slot in np.flatnonzero(bits(game.new_initial_state().position.dots[:64]))}
    dots, moves = set(cross), []
    for action in s.moves[:s.ply]:
        line = points(game, int(action))
        new = next(point for point in line if point not in dots)
        dots.add(new)
        moves.append((new, line))
    return cross, moves


def bits(words):
    """The bits of 64-bit words, lowest first."""
    return (words[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)


def corners(cross, moves):
    """The smallest and the largest coordinates to show."""
    dots = np.array([*cross, *(new for new, _ in moves)])
    return *(dots.min(0) - EDGE).tolist(), *(dots.max(0) + EDGE).tolist()


def caption(state):
    """``Morpion Solitaire 5D: 82 moves, no line left``"""
    moves, legal = int(state.position.ply), int(state.position.num_legal)
    left = f"{legal} line{'s' * (legal > 1)} to choose from" if legal else "no line left"
    return f"Morpion Solitaire {state.game.variant()}: {moves} move{'s' * (moves != 1)}, {left}"


def text(state):
    """``o`` is a dot of the cross, a number the dot of that move."""
    cross, moves = read_moves(state)
    left, top, right, bottom = corners(cross, moves)
    marks = dict.fromkeys(cross, "o") | {new: str(i + 1) for i, (new, _) in enumerate(moves)}
    width = len(str(len(moves)))
    rows = [" ".join(marks.get((x, y), ".").rjust(width) for x in range(left, right + 1)) for y in range(top, bottom + 1)]
    return "\n".join([caption(state), *rows])


def svg(state):
    """Black dots are the cross; circles bear the number of their move, the last move in red."""
    cross, moves = read_moves(state)
    left, top, right, bottom = corners(cross, moves)
    width, height = (right - left) * PIXELS, (bottom - top) * PIXELS

    def at(point):
        return (point[0] - left) * PIXELS, (point[1] - top) * PIXELS

    def lines(moves):
        return '<path d="{}"/>'.format("".join("M{} {}L{} {}".format(*at(line[0]), *at(line[-1])) for _, line in moves))

    def circles(dots, radius):
        return "".join('<circle cx="{}" cy="{}" r="{}"/>'.format(*at(dot), radius) for dot in dots)

    grid = "".join(f"M{x} 0v{height}" for x in range(0, width + 1, PIXELS)) + "".join(
        f"M0 {y}h{width}" for y in range(0, height + 1, PIXELS))
    new = [dot for dot, _ in moves]
    numbers = "".join('<text x="{}" y="{}">{}</text>'.format(*at(dot), i + 1) for i, dot in enumerate(new))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img"><title>{caption(state)}</title><path d="M0 0h{width}v{height}h-{width}z" fill="#fff"/>'
            f'<path stroke="#e4e4e4" d="{grid}"/><g stroke="{BLUE}" stroke-width="1.5">{lines(moves[:-1])}'
            f'<g stroke="{RED}">{lines(moves[-1:])}</g></g>{circles(sorted(cross), 4)}<g fill="#fff" stroke="{BLUE}">'
            f'{circles(new[:-1], 9)}<g stroke="{RED}">{circles(new[-1:], 9)}</g></g><g font-family="sans-serif" '
            f'font-size="9" text-anchor="middle" dominant-baseline="central">{numbers}</g></svg>')
