"""Jaipur's table with all cards open: hands, market, tokens. Cards bear a picture and a name, so no colour need be told."""
from ..games.jaipur_cards import CAMEL, CAMEL_TOKEN, GOODS, KINDS, NUM_BONUS, NUM_TOKENS, TOKENS

# (fill, ink, picture) of each kind; the pictures are some 24 wide around 0
LOOKS = (("#b2182b", "#fff", "M0-12 10 0 0 12-10 0z"),
         ("#f6c500", "#000", "M-7-7H7L12 7H-12z"),
         ("#cfd5dc", "#000", "M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0M-5 0a5 5 0 1 1 10 0a5 5 0 1 1-10 0"),
         ("#7b52a5", "#fff", "M-11-9Q-6-13 0-9T11-9V9Q6 5 0 9T-11 9z"),
         ("#1b8a5a", "#fff", "M-12 10Q-3 6 0-11Q3 6 12 10z"),
         ("#8c5a2b", "#fff", "M-11-11Q0-5 11-11Q6 0 11 11Q0 5-11 11Q-6 0-11-11z"),
         ("#f3e3bd", "#000", "M-13 9V0Q-9-14-5-2Q-1-14 3-2Q6 0 8-8H13V-5H11Q10 3 6 4V9H4V4H-8V9H-10V2L-12 4z"))
CARD = 46, 58           # width and height
STEP = 50               # from one card to the next
ROW = 92                # from one row of cards to the next
TABLE = 452             # width of cards; right of it are the tokens
COIN = 22


def bonus_values(s, player):
    """The player's bonus tokens."""
    return [int(s.bonus[pile, i]) for pile in range(3) for i in range(s.drawn[pile]) if s.owners[pile] >> i & 1 == player]


def rupees(s, player):
    """What his tokens are worth, at the end with the one for the larger herd."""
    camels = CAMEL_TOKEN if s.over and s.herd[player] > s.herd[1 - player] else 0
    return int(s.points[player]) + sum(bonus_values(s, player)) + camels


def tokens_left(s, kind):
    return TOKENS[kind, min(s.sold[kind], NUM_TOKENS[kind]):NUM_TOKENS[kind]].tolist()


def bonus_left(game, s, pile):
    return int(NUM_BONUS[game.bonus, pile] - s.drawn[pile])


def caption(state):
    """``Jaipur, turn 3: player 1 to move``"""
    game, s = state.game, state.position
    what = f"player {s.turn} to move"
    if s.over:
        first, second = s.seals
        what = "drawn" if first == second else f"player {int(second > first)} has won"
    number = f" round {s.played + (not s.over)} of {game.rounds}," if game.rounds > 1 else ""
    return f"Jaipur,{number} turn {s.ply + (not s.over)}: {what}"


def standing(state, player):
    """``player 0: 25 rupees (19 + bonus 2 4)``"""
    s, bonus = state.position, bonus_values(state.position, player)
    line = f"player {player}: {rupees(s, player)} rupees"
    if bonus:
        line += f" ({s.points[player]} + bonus {' '.join(map(str, bonus))})"
    return line + (f", {s.seals[player]} won" if state.game.rounds > 1 else "")


def counted(counts):
    return ", ".join(f"{n} {kind}" for n, kind in zip(counts, KINDS) if n > 0) or "nothing"


def text(state):
    """One line for the market, two for each player, one for each kind of tokens."""
    game, s = state.game, state.position
    lines = [caption(state), f"market: {counted(s.market)}; {s.left} cards in the deck"]
    for player in range(2):
        lines += [standing(state, player), f"    {counted(s.hand[player])}; herd: {s.herd[player]}"]
    lines += [f"{KINDS[kind]:8} {' '.join(map(str, tokens_left(s, kind))) or '-'}" for kind in range(GOODS)]
    piles = ", ".join(f"{bonus_left(game, s, pile)} for {number}" for pile, number in enumerate(("3", "4", "5 or more")))
    return "\n".join([*lines, f"bonus tokens: {piles}"])


def label(x, y, words, more=""):
    return f'<text x="{x:g}" y="{y:g}"{more}>{words}</text>'


def card(x, y, kind):
    fill, ink, picture = LOOKS[kind]
    width, height = CARD
    return (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{fill}" stroke="#444"/>'
            f'<path transform="translate({x + width // 2} {y + 24})" d="{picture}" fill="{ink}" fill-rule="evenodd"/>'
            + label(x + width / 2, y + height - 6, KINDS[kind], f' fill="{ink}" font-size="9.5" text-anchor="middle"'))


def cards(y, counts):
    """A row of cards by kind."""
    kinds = [kind for kind, n in enumerate(counts) for _ in range(n)]
    return "".join(card(i * STEP, y, kind) for i, kind in enumerate(kinds))


def player_row(state, player, y):
    """Whose it is and what he has; a dot marks the player to move."""
    s = state.position
    parts = [label(0, y, standing(state, player)), cards(y + 8, s.hand[player])]
    if not s.over and s.turn == player:
        parts.append(f'<circle cx="-12" cy="{y - 5}" r="6" fill="#0072b2"/>')
    if s.herd[player] > 0:
        x = TABLE - 2 * STEP + 8
        parts.append(card(x, y + 8, CAMEL) + label(x + STEP, y + 42, f"&#215; {s.herd[player]}"))
    return "".join(parts)


def market_row(s, y):
    x = TABLE - 2 * STEP + 8
    width, height = CARD
    return (label(0, y, "market") + cards(y + 8, s.market)
            + f'<rect x="{x}" y="{y + 8}" width="{width}" height="{height}" rx="5" fill="#fff" stroke="#444" '
            'stroke-dasharray="4 3"/>' + label(x + width / 2, y + 36, s.left, ' text-anchor="middle"')
            + label(x + width / 2, y + 52, "in deck", ' font-size="10" text-anchor="middle"'))


def coins(state):
    """A row of tokens for each kind, the next to be taken first and those that are gone as rings; the bonus piles' sizes."""
    game, s = state.game, state.position
    parts = []
    for kind in range(GOODS):
        fill, ink, picture = LOOKS[kind]
        y = 10 + kind * (COIN + 6)
        parts.append(f'<path transform="translate({TABLE + 12} {y}) scale(.7)" d="{picture}" fill="{fill}" stroke="#444" '
                     'fill-rule="evenodd"/>')
        left = tokens_left(s, kind)
        for i in range(NUM_TOKENS[kind]):
            x = TABLE + 40 + (NUM_TOKENS[kind] - 1 - i) * COIN
            value = left[-1 - i] if i < len(left) else ""
            style = f'fill="{fill}" stroke="#444"' if i < len(left) else 'fill="none" stroke="#bbb"'
            parts.append(f'<circle cx="{x}" cy="{y}" r="{COIN // 2 - 1}" {style}/>'
                         + (label(x, y + 4, value, f' fill="{ink}" font-size="12" text-anchor="middle"') if value else ""))
    for pile, number in enumerate(("3", "4", "5 or more")):
        y = 10 + (GOODS + pile) * (COIN + 6)
        parts.append(label(TABLE + 4, y + 4, f"bonus for {number}: {bonus_left(game, s, pile)} left"))
    return "".join(parts)


def svg(state):
    """The players' cards below and above the market, the tokens beside it."""
    parts = [label(0, 14, caption(state), ' font-weight="bold"')]
    parts += [player_row(state, 1, 42), market_row(state.position, 42 + ROW), player_row(state, 0, 42 + 2 * ROW)]
    parts.append(f'<g transform="translate(0 44)">{coins(state)}</g>')
    width, height = TABLE + 252, 36 + 3 * ROW
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-24 -8 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-family="sans-serif" font-size="14"><title>{caption(state)}</title>{"".join(parts)}</svg>')
