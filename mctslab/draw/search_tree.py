"""The search tree of a game of two players, as text and SVG: of each node the most visited edges, the others as a number.

Time goes from left to right. The edge to play is the straight one, so that the line on top is the principal variation. All
values are those of the player to move at the root, printed and as colours: blue is good for him, orange is bad.
"""
import math
from html import escape
from typing import NamedTuple

from ..core import InputError

ROW, MORE_ROW = 30, 18                  # pixels from the line above to an edge, and to "+n more"
BEND = 36                               # where the horizontal part of an edge begins
MARGIN, TOP = 24, 64
RADIUS, WIDTH = 11, 9                   # of a node and of an edge with all visits; a node's area goes with its visits
BAD, EVEN, GOOD = (213, 94, 0), (250, 250, 250), (0, 114, 178)
LONGEST = 30                            # letters of a name


class Line(NamedTuple):
    """An edge with the node that it leads to, or the edges of a node that are left out, in the order of drawing."""

    depth: int
    parent: int                 # index of the line above it in the tree, -1 for the root
    first: bool                 # is it the first of its parent?
    name: str = ""
    visits: int = 0
    value: float = math.nan     # for the player to move at the root
    again: bool = False         # does the node stand elsewhere, too, where its own edges are drawn?
    more: int = 0               # edges left out


def read_lines(result, depth, children, visits):
    """A result's tree as a list of `Line`, and the player to move at the root."""
    table = result.tree(depth, visits, children)
    if table.empty:
        raise InputError(f"no edge at the root has {visits} visits; the search had {result.simulations} simulations")
    player = int(table["player"].iloc[0])
    edges = {parent: list(rows.itertuples()) for parent, rows in table.groupby("parent")}
    entries = set(table[table["node"] > 0].drop_duplicates("node").index)      # the first edge to each node
    lines = []

    def add(node, depth, parent):
        for i, edge in enumerate(edges.get(node, [])):
            value = edge.value if edge.player == player else 1 - edge.value
            here, inner = edge.Index in entries, edge.node in edges
            lines.append(Line(depth, parent, i == 0, edge.name, edge.visits, value, inner and not here))
            if here and inner:
                add(edge.node, depth + 1, len(lines) - 1)
        left = edges[node][0].actions - len(edges[node])
        if left:
            lines.append(Line(depth, parent, False, more=left))

    add(0, 1, -1)
    return lines, player


def shorten(name):
    return name if len(name) <= LONGEST else name[:LONGEST - 1].rstrip() + "\u2026"


def shown(line):
    """Visits and value as people read them."""
    return f"{line.visits:,}", "-" if math.isnan(line.value) else f"{line.value:.2f}"


def caption(result, player):
    return f"{result.simulations:,} simulations; values are those of player {player}, to move at the root"


def text(result, depth=3, children=3, visits=1):
    """The tree as indented lines: name, visits, value.

    Parameters
    ----------
    result : SearchResult
        Of a search that keeps a tree.
    depth : int, optional
        Edges from the root at most.
    children : int, optional
        Edges of each node at most.
    visits : int
        Visits of an edge at least.

    Returns
    -------
    str

    Raises
    ------
    InputError
        As `SearchResult.tree`; if no edge has the visits.
    """
    lines, player = read_lines(result, depth, children, visits)
    names = ["  " * (line.depth - 1) + (f"+{line.more} more" if line.more else line.name) for line in lines]
    width = max(map(len, names))
    rows = [caption(result, player)]
    for name, line in zip(names, lines, strict=True):
        n, value = shown(line)
        rows.append(name if line.more else f"{name:<{width}} {n:>9}  {value}" + " (see the other)" * line.again)
    return "\n".join(rows)


def colour(value):
    """From orange (0) over white (a half) to blue (1); the root of the distance shows small differences around a half."""
    if math.isnan(value):
        return "#fff"
    share = math.sqrt(abs(2 * value - 1))
    rgb = (round(a + share * (b - a)) for a, b in zip(EVEN, GOOD if value > 0.5 else BAD, strict=True))
    return "#" + "".join(f"{part:02x}" for part in rgb)


def radius(share):
    return 3 + (RADIUS - 3) * math.sqrt(share)


def circle(x, y, r, fill, more=""):
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:.1f}" fill="{fill}" stroke="#333"{more}/>'


def words(x, y, label, more=""):
    return f'<text x="{x:g}" y="{y:g}"{more}>{escape(label)}</text>'


def legend(x, y):
    """A node for each of five values."""
    parts = [words(x, y + 4, "value:", ' fill="#555"')]
    for value in (0, 0.25, 0.5, 0.75, 1):
        at = x + 56 + 240 * value
        parts.append(circle(at, y, 7, colour(value)) + words(at + 11, y + 4, f"{value:g}", ' fill="#555"'))
    return "".join(parts)


def places(lines, column):
    """Where the nodes of the lines are, and the height of all: a first edge goes straight on, any other begins a new row."""
    at, y = [], TOP
    for i, line in enumerate(lines):
        if i > 0 and not line.first:
            y += MORE_ROW if line.more else ROW
        at.append((MARGIN + line.depth * column, y))
    return at, y + MARGIN


def draw_edge(line, start, end, total):
    """(the edge between two places, the node at its end and the label above it)"""
    (x, y), (to_x, to_y) = start, end
    bend = f"C{x + 0.6 * BEND:g} {y} {x + 0.2 * BEND:g} {to_y} {x + BEND} {to_y}" if to_y != y else ""
    if line.more:
        return (f'<path d="M{x} {y}{bend}" stroke-dasharray="1 3"/>',
                words(x + BEND + 4, to_y + 4, f"+{line.more} more", ' fill="#6a6a6a" font-style="italic"'))
    share, (n, value) = line.visits / total, shown(line)
    path = f'<path d="M{x} {y}{bend}H{to_x}" stroke-width="{0.8 + (WIDTH - 0.8) * share:.1f}"/>'
    label = (f'<text x="{x + BEND}" y="{to_y - 7}"><title>{escape(line.name)}</title><tspan font-weight="bold">'
             f'{escape(shorten(line.name))}</tspan> {n} <tspan fill="#555">{value}</tspan></text>')
    return path, label + circle(to_x, to_y, radius(share), colour(line.value), ' stroke-dasharray="2 2"' * line.again)


def svg(result, depth=3, children=3, visits=1):
    """The tree as SVG. A node with a dashed outline is reached by another edge as well, where its own edges are drawn.

    Parameters
    ----------
    result, depth, children, visits
        As in `text`.

    Returns
    -------
    str

    Raises
    ------
    InputError
        As in `text`.
    """
    lines, player = read_lines(result, depth, children, visits)
    longest = max(len(shorten(line.name)) * 7.6 + len(shown(line)[0]) * 6.7 for line in lines)
    column = round(BEND + longest + 36 + RADIUS)
    at, height = places(lines, column)
    root, total = (MARGIN, TOP), result.simulations
    paths, nodes = zip(*(draw_edge(line, at[line.parent] if line.depth > 1 else root, end, total)
                         for line, end in zip(lines, at, strict=True)), strict=True)
    title = caption(result, player)
    width = max(max(x for x, _ in at) + MARGIN, round(MARGIN + 6.6 * len(title)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="DejaVu Sans, sans-serif" font-size="11"><title>{title}</title>'
            f'<rect width="{width}" height="{height}" fill="#fff"/>{words(8, 16, title)}{legend(8, 34)}'
            f'<g fill="none" stroke="#9a9a9a">{"".join(paths)}</g>{circle(*root, RADIUS, "#fff")}{"".join(nodes)}</svg>')
