"""Splendor: nobles, decks, cards and tokens on the table, and what each player has. U is blue, K black.

A reserved card that only its owner has seen is shown too, and marked: the drawing is for people who study a game.
"""
from ..games.splendor_cards import BONUS, COST, NOBLE, NONE, OPEN, POINTS, RESERVED, bank, unpack

LETTERS = "WUGRK*"      # of the colours
# (fill, ink) of each colour after Okabe and Ito
PALETTE = (("#fff", "#000"), ("#0072b2", "#fff"), ("#009e73", "#000"), ("#b03a00", "#fff"), ("#333", "#fff"),
           ("#f0e442", "#000"))
CARD = 76, 92           # pixels
STEP = CARD[0] + 8, CARD[1] + 10
NOBLE_STEP = 144
TABLE_WIDTH = 5 * STEP[0] + 84      # of decks, cards and bank
PLAYER_HEIGHT = 242


def purse(numbers):
    """``W2 U1``"""
    return " ".join(f"{letter}{n}" for letter, n in zip(LETTERS, numbers) if n) or "-"


def card_text(card):
    """``R+2 K5``: a red bonus, two points, for five black tokens"""
    if card == NONE:
        return "-"
    points = f"+{POINTS[card]}" if POINTS[card] else ""
    return f"{LETTERS[BONUS[card]]}{points} {purse(unpack(COST[card]))}"


def reserved(s, player):
    """(card, did only its owner see it?) of each reserved card."""
    places = range(OPEN + RESERVED * player, OPEN + RESERVED * (player + 1))
    return [(int(s.cards[i]), bool(int(s.secret) >> i - OPEN & 1)) for i in places if s.cards[i] != NONE]


def caption(state):
    """``Splendor: player 0 to move, turn 12``"""
    s = state.position
    if not state.is_terminal():
        return f"Splendor: player {s.turn} to move, turn {s.ply + 1}"
    ended = f" at the cap of {state.game.cap} turns" if state.is_capped() else ""
    return "Splendor: " + {0.0: "player 1 has won", 0.5: "drawn", 1.0: "player 0 has won"}[state.returns()[0]] + ended


def number(n, what):
    """``1 card``, ``2 cards``"""
    return f"{n} {what}{'' if n == 1 else 's'}"


def standing(s, player):
    """``player 0: 4 points, 1 card, 2 nobles``"""
    visits = int((s.host == player).sum())
    words = [number(s.points[player], "point"), number(s.bought[player], "card"), number(visits, "noble")]
    return f"player {player}: {', '.join(words if visits else words[:2])}"


def text(state):
    s = state.position
    nobles = [purse(unpack(NOBLE[noble])) for noble, host in zip(s.nobles, s.host) if host < 0]
    lines = [caption(state), f"nobles: {', '.join(nobles) or 'none left'}"]
    for level in reversed(range(3)):
        cards = [card_text(int(card)) for card in s.cards[4 * level:4 * level + 4]]
        lines.append("".join(part.ljust(18) for part in [f"{level + 1} ({s.left[level]} more)", *cards]).rstrip())
    lines.append(f"bank: {purse(unpack(bank(s)))}")
    for player in range(2):
        lines += [standing(s, player),
                  f"    tokens {purse(unpack(s.tokens[player]))}; bonuses {purse(unpack(s.bonus[player]))}"]
        if reserved(s, player):
            cards = [card_text(card) + "?" * secret for card, secret in reserved(s, player)]
            lines.append(f"    reserved {', '.join(cards)}")
    return "\n".join([*lines, "W white, U blue, G green, R red, K black, * gold; R+2 K5: a red card, 2 points, for 5 black; "
                              "?: reserved unseen"])


def write(x, y, what, ink="#000", size=14, anchor="middle"):
    return f'<text x="{x}" y="{y}" fill="{ink}" font-size="{size}" text-anchor="{anchor}">{what}</text>'


def disc(x, y, colour, n, radius=11):
    """A token with its number and letter."""
    fill, ink = PALETTE[colour]
    return (f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="#333"/>'
            + write(x, y + 4, f"{n}{LETTERS[colour]}", ink, radius))


def discs(x, y, numbers, step=26):
    """Tokens side by side, those that there are."""
    shown = [(colour, n) for colour, n in enumerate(numbers) if n]
    return "".join(disc(x + step * i, y, colour, n) for i, (colour, n) in enumerate(shown))


def frame(x, y, inner, dash="", fill="#fbf7ec"):
    return (f'<rect x="{x}" y="{y}" width="{CARD[0]}" height="{CARD[1]}" rx="6" fill="{fill}" stroke="#333" '
            f'stroke-dasharray="{dash}"/>{inner}')


def face(x, y, card, secret=False):
    """A card: its bonus as a coloured band, its points, and its price as tokens."""
    if card == NONE:
        return frame(x, y, "", "4", "none")
    fill, ink = PALETTE[BONUS[card]]
    parts = [f'<rect x="{x + 4}" y="{y + 4}" width="{CARD[0] - 8}" height="26" rx="4" fill="{fill}" stroke="#333"/>',
             write(x + CARD[0] - 16, y + 22, LETTERS[BONUS[card]], ink)]
    if POINTS[card]:
        parts.append(write(x + 16, y + 23, f'<tspan font-weight="bold">{POINTS[card]}</tspan>', ink, 17))
    price = [(colour, n) for colour, n in enumerate(unpack(COST[card])) if n]
    for i, (colour, n) in enumerate(price):
        parts.append(disc(x + (16 if len(price) < 4 else 14) + 24 * (i // 2), y + 46 + 26 * (i % 2), colour, n))
    return frame(x, y, "".join(parts), "5 3" if secret else "")


def noble_tile(x, y, noble):
    """A noble: what he asks for, as squares since bonuses pay for it."""
    parts = [f'<rect x="{x}" y="{y}" width="{2 * CARD[0] - 16}" height="36" rx="6" fill="#e8dff0" stroke="#333"/>',
             write(x + 18, y + 24, '<tspan font-weight="bold">3</tspan>', size=17)]
    asked = [(colour, n) for colour, n in enumerate(unpack(NOBLE[noble])) if n]
    return "".join(parts) + "".join(square(x + 38 + 32 * i, y + 6, colour, n) for i, (colour, n) in enumerate(asked))


def square(x, y, colour, n):
    fill, ink = PALETTE[colour]
    return (f'<rect x="{x}" y="{y}" width="28" height="24" rx="3" fill="{fill}" stroke="#333"/>'
            + write(x + 14, y + 17, f"{n}{LETTERS[colour]}", ink, 12))


def player_area(state, player, x, y):
    """Points, bonuses as squares, tokens as discs, reserved cards."""
    s = state.position
    turn = " (to move)" if player == s.turn and not state.is_terminal() else ""
    parts = [write(x, y + 16, standing(s, player) + turn, anchor="start")]
    bonuses = [(colour, n) for colour, n in enumerate(unpack(s.bonus[player])) if n]
    parts += [square(x + 32 * i, y + 24, colour, n) for i, (colour, n) in enumerate(bonuses)]
    parts.append(discs(x + 12, y + 68, unpack(s.tokens[player])))
    hosted = [int(noble) for noble, host in zip(s.nobles, s.host) if host == player]
    parts += [noble_tile(x + NOBLE_STEP * i, y + 194, noble) for i, noble in enumerate(hosted)]
    parts += [face(x + STEP[0] * i, y + 92, *card) for i, card in enumerate(reserved(s, player))]
    return "".join(parts)


def svg(state):
    """The table on the left: nobles, decks and cards from level 3 down, bank; the players on the right."""
    s = state.position
    parts = [noble_tile(8 + NOBLE_STEP * i, 8, int(noble))
             for i, noble in enumerate(n for n, host in zip(s.nobles, s.host) if host < 0)]
    for level in range(3):
        y = 54 + STEP[1] * (2 - level)
        parts.append(frame(8, y, write(8 + CARD[0] // 2, y + 42, f"level {level + 1}")
                           + write(8 + CARD[0] // 2, y + 64, f"{s.left[level]} more", size=12), fill="#ddd"))
        parts += [face(8 + STEP[0] * (1 + i), y, int(s.cards[4 * level + i])) for i in range(4)]
    stock = unpack(bank(s))
    parts += [disc(TABLE_WIDTH - 50, 76 + 48 * colour, colour, n, 18) for colour, n in enumerate(stock)]
    parts += [player_area(state, player, TABLE_WIDTH, 8 + PLAYER_HEIGHT * player) for player in range(2)]
    width, height = TABLE_WIDTH + 3 * NOBLE_STEP, 8 + 2 * PLAYER_HEIGHT
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="sans-serif"><title>{caption(state)}</title>{"".join(parts)}</svg>')
