"""Lost Cities: expeditions, discard piles and both hands. x is a wager; cards that the other player knows of are marked."""
from ..games.lost_cities_cards import COLOURS, WHOLE, WIDTH, score

CARD = 34, 44           # pixels
STRIP = 22              # of a card that the next one lies on
LEFT = 8                # margin
# (fill, ink) of each colour after Okabe and Ito; the letter on each card tells them apart where the colour does not
PALETTE = ("#f0e442", "#000"), ("#0072b2", "#fff"), ("#fff", "#000"), ("#009e73", "#000"), ("#b03a00", "#fff")


def rank_name(rank):
    return str(rank) if rank else "x"


def expedition(s, player, colour):
    """Ranks in the order of play, 0 for a wager."""
    cards = int(s.played[player]) >> colour * WIDTH & WHOLE
    return [0] * (cards & 3) + [rank for rank in range(2, WIDTH) if cards >> rank & 1]


def pile(s, colour):
    """Ranks on a discard pile, the top one last."""
    digits = f"{int(s.piles[colour]):x}".strip("0")
    return [int(digit, 16) - 1 for digit in digits]


def hand(game, s, player):
    """(colour, rank, does the other player know of it) of each card, in order."""
    known, cards = int(s.known[player]), []
    for card in sorted(map(int, s.hands[player][:game.hand])):
        seen = bool(known >> card & (1 if card % WIDTH else 3))
        known -= seen << card
        cards.append((*divmod(card, WIDTH), seen))
    return cards


def caption(state):
    """``Lost Cities: player 0 to move, 12 cards in the deck``"""
    s = state.position
    if not state.is_terminal():
        return f"Lost Cities: player {s.turn} to move, {s.left} card{'' if s.left == 1 else 's'} in the deck"
    ended = f" at the cap of {state.game.cap} turns" if state.is_capped() else ""
    return "Lost Cities: " + {0.0: "player 1 has won", 0.5: "drawn", 1.0: "player 0 has won"}[state.returns()[0]] + ended


def text(state):
    game, s = state.game, state.position
    rows = [["", "player 0", "discarded", "player 1"]]
    for colour in range(game.colours):
        columns = expedition(s, 0, colour), pile(s, colour), expedition(s, 1, colour)
        rows.append([COLOURS[colour], *(" ".join(map(rank_name, ranks)) or "-" for ranks in columns)])
    rows.append(["points", str(score(s, 0)), "", str(score(s, 1))])
    widths = [max(map(len, column)) + 2 for column in zip(*rows)]
    lines = [caption(state), *("".join(map(str.ljust, row, widths)).rstrip() for row in rows)]
    for player in range(2):
        cards = [f"{COLOURS[colour]} {rank_name(rank)}{'*' if seen else ''}" for colour, rank, seen in hand(game, s, player)]
        lines.append(f"hand of player {player}: {', '.join(cards)}")
    return "\n".join([*lines, "x: a wager; *: the other player saw it being taken"])


def face(x, y, colour, rank, seen=False):
    """A card. Its left strip tells all, since the next card may lie on the rest."""
    fill, ink = PALETTE[colour]
    mark = f'<circle cx="{x + 26}" cy="{y + 35}" r="4" fill="none" stroke="{ink}" stroke-width="2"/>' if seen else ""
    return (f'<rect x="{x}" y="{y}" width="{CARD[0]}" height="{CARD[1]}" rx="5" fill="{fill}" stroke="#333"/>'
            f'<g fill="{ink}"><text x="{x + 11}" y="{y + 18}" font-weight="bold">{rank_name(rank)}</text>'
            f'<text x="{x + 11}" y="{y + 36}" font-size="11">{COLOURS[colour][0].upper()}</text></g>{mark}')


def fan(x, y, colour, ranks):
    """Cards of a colour, each on the one before; a frame where there is none."""
    if not ranks:
        return (f'<rect x="{x}" y="{y}" width="{CARD[0]}" height="{CARD[1]}" rx="5" fill="none" stroke="#aaa" '
                'stroke-dasharray="4"/>')
    return "".join(face(x + STRIP * i, y, colour, rank) for i, rank in enumerate(ranks))


def line(x, y, words):
    return f'<text x="{x}" y="{y}" text-anchor="start" fill="#333">{words}</text>'


def svg(state):
    """A row for each colour: expedition of player 0, discard pile, expedition of player 1; the hands are below."""
    game, s = state.game, state.position
    row, x = CARD[1] + 6, LEFT
    parts = [line(x, 18, caption(state))]
    for head, find in ((f"player 0: {score(s, 0)} points", lambda colour: expedition(s, 0, colour)),
                       ("discarded", lambda colour: pile(s, colour)),
                       (f"player 1: {score(s, 1)} points", lambda colour: expedition(s, 1, colour))):
        fans = [find(colour) for colour in range(game.colours)]
        parts += [line(x, 44, head), *(fan(x, 54 + colour * row, colour, ranks) for colour, ranks in enumerate(fans))]
        x += max(140, CARD[0] + STRIP * (max(map(len, fans)) - 1)) + 24
    y = 62 + game.colours * row
    for player in range(2):
        parts.append(line(LEFT, y + 27, f"hand of player {player}"))
        parts += [face(150 + (CARD[0] + 4) * i, y, *card) for i, card in enumerate(hand(game, s, player))]
        y += row
    if s.known.any():
        parts.append(line(LEFT, y + 14, "circles: cards that the other player saw being taken"))
    width, y = max(x, 154 + (CARD[0] + 4) * game.hand), y + 24
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" height="{y}" role="img" '
            f'font-family="sans-serif" font-size="14" text-anchor="middle"><title>{caption(state)}</title>'
            f'{"".join(parts)}</svg>')
