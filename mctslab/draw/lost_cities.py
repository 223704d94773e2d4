"""Lost Cities: expeditions, discard piles and both hands. x is a wager; cards that the other player knows of are marked."""
from ..games.lost_cities import COLOURS, WHOLE, WIDTH, score

CARD = 32, 44           # pixels
STRIP = 18              # of a card that the next one lies on
GAP = 24                # between fans of cards
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
    mark = f'<circle cx="{x + 24}" cy="{y + 35}" r="4" fill="none" stroke="{ink}" stroke-width="2"/>' if seen else ""
    return (f'<rect x="{x}" y="{y}" width="{CARD[0]}" height="{CARD[1]}" rx="5" fill="{fill}" stroke="#333"/>'
            f'<g fill="{ink}"><text x="{x + 9}" y="{y + 17}" font-weight="bold">{rank_name(rank)}</text>'
            f'<text x="{x + 9}" y="{y + 36}" font-size="11">{COLOURS[colour][0].upper()}</text></g>{mark}')


def fan(x, y, colour, ranks):
    """Cards of a colour, each on the one before; a frame where there is none."""
    if not ranks:
        return (f'<rect x="{x}" y="{y}" width="{CARD[0]}" height="{CARD[1]}" rx="5" fill="none" stroke="#aaa" '
                'stroke-dasharray="4"/>')
    return "".join(face(x + STRIP * i, y, colour, rank) for i, rank in enumerate(ranks))


def svg(state):
    """A row for each colour: expedition of player 0, discard pile, expedition of player 1; the hands are below."""
    game, s = state.game, state.position
    fans = [[columns(colour) for colour in range(game.colours)] for columns in (
        lambda colour: expedition(s, 0, colour), lambda colour: pile(s, colour), lambda colour: expedition(s, 1, colour))]
    heads = [f"player {player}: {score(s, player)} points" for player in range(2)]
    heads.insert(1, f"discarded; deck: {s.left}")
    x, row, parts = 8, CARD[1] + 6, []
    for head, column in zip(heads, fans):
        parts.append(f'<text x="{x}" y="16" text-anchor="start">{head}</text>')
        parts += [fan(x, 26 + colour * row, colour, ranks) for colour, ranks in enumerate(column)]
        x += max(8 * len(head), CARD[0] + STRIP * (max(map(len, column)) - 1)) + GAP
    y = 36 + game.colours * row
    for player in range(2):
        turn = " (to move)" if player == s.turn and not state.is_terminal() else ""
        parts.append(f'<text x="8" y="{y + 27}" text-anchor="start">hand of player {player}{turn}</text>')
        parts += [face(190 + (CARD[0] + 4) * i, y, *card) for i, card in enumerate(hand(game, s, player))]
        y += row
    width = max(x, 190 + (CARD[0] + 4) * game.hand + 8)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" height="{y}" role="img" '
            f'font-family="sans-serif" font-size="14" text-anchor="middle"><title>{caption(state)}</title>'
            f'{"".join(parts)}</svg>')
