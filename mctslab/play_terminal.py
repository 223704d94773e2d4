"""A game of a person against a searcher on the terminal.

The person writes a move by its name or by its number in the list of moves, or one of the commands ``?``, ``undo``, ``hint``
and ``quit``. The end of the input (Ctrl-D) and Ctrl-C end the game as ``quit`` does.
"""
from textwrap import wrap

from .core import InputError, derive_seed

ALLOWED = "allowed: a move, its number, ? (lists the moves), ? WORDS (those with the words), undo, hint, quit"
YOUR_MOVE = "your move (? lists them): "


class TerminalGame:
    """A game in progress.

    Parameters
    ----------
    game : NamedTuple
        A game of two players in which nothing is hidden.
    searcher : TreeSearcher
        The opponent.
    person : int
        The person's seat: 0 moves first.
    seed : int
        Seed of the deal and of the searches.
    ask, tell : callable
        ``ask(prompt)`` gives the person's next line or raises EOFError; ``tell(text)`` shows a text.

    Raises
    ------
    InputError
        If the game has not two players, hides something from them, or the searcher cannot play it.
    """

    def __init__(self, game, searcher, person=0, seed=1, ask=input, tell=print):
        if game.players != 2:
            raise InputError(f"{game.name} is a game of one player; play needs two: mctslab solve lets a searcher solve it")
        if game.hidden:
            raise InputError(f"{game.name} hides cards from its players, and positions are shown whole; play needs a game "
                             "in which all is open")
        searcher.check_game(game)
        self.searcher, self.person, self.seed, self.ask, self.tell = searcher, person, seed, ask, tell
        self.player = searcher.player(game)
        self.state = game.new_initial_state(seed)
        self.plies, self.before = 0, []         # moves made; (state, plies) before each of the person's

    def play(self):
        """Play to the end.

        Returns
        -------
        bool
            Was the game finished?
        """
        try:
            while not self.state.is_terminal():
                if self.state.current_player() == self.person:
                    self.tell(f"\n{self.state}")
                    self.move_person()
                else:
                    self.move_searcher()
        except (EOFError, KeyboardInterrupt):
            self.tell("\nthe game ends unfinished")
            return False
        self.tell(f"\n{self.state}\n{self.outcome()}")
        return True

    def outcome(self):
        mine = self.state.returns()[self.person]
        what = "you have won" if mine > 0.5 else "drawn" if mine == 0.5 else f"{self.searcher.name} has won"
        return what + (" (the game ended by its cap on turns)" if self.state.is_capped() else "")

    def search(self):
        """The searcher's result here, the same whenever the same moves led here in a game with this seed."""
        return self.player.search(self.state, derive_seed(self.seed, "play", self.plies))

    def move_searcher(self):
        result = self.search()
        self.tell(f"{self.searcher.name} plays {self.describe(result)}")
        self.make(result.action)

    def describe(self, result):
        """``b3 (1,000 simulations, value 0.61)``"""
        name, table = self.state.action_to_string(result.action), result.table()
        if not result.simulations:
            return name
        value = table.loc[table["action"] == result.action, "value"].iloc[0]
        return f"{name} ({result.simulations:,} simulations, value {value:.2f})"

    def make(self, action):
        self.state.apply_action(action)
        self.plies += 1

    def move_person(self):
        """Obey the person until he has moved or undone a move."""
        moves = [(self.state.action_to_string(action), action) for action in self.state.legal_actions()]
        while True:
            line = tidy(self.ask(YOUR_MOVE))
            if line == "quit":
                raise EOFError
            if line == "undo" and self.before:
                self.state, self.plies = self.before.pop()
                return
            if line == "undo":
                self.tell("nothing to undo: you have not moved yet")
            elif line == "hint":
                self.tell(f"{self.searcher.name} would play {self.describe(self.search())}")
            elif line.startswith("?"):
                self.tell(list_moves(moves, line[1:].split()))
            else:
                action, problem = find_move(moves, line)
                if not problem:
                    self.before.append((self.state.clone(), self.plies))
                    self.make(action)
                    return
                self.tell(problem)


def tidy(text):
    """Without capitals and needless blanks, so that a name is known however it is written."""
    return " ".join(text.lower().split())


def find_move(moves, line):
    """(action, "") of a move given by name or number, or (-1, what is wrong with it). Names come before numbers."""
    named = [action for name, action in moves if tidy(name) == line]
    if len(named) > 1:
        return -1, f"{len(named)} moves are called {line!r}: give the number of one (? lists them)"
    if not named and line.isdecimal() and 1 <= int(line) <= len(moves):
        named = [moves[int(line) - 1][1]]
    return (named[0], "") if named else (-1, f"no legal move {line!r}; {ALLOWED}")


def list_moves(moves, words):
    """The moves whose names have all the words, with their numbers, in lines of at most 80 letters."""
    found = [f"{i} {name}".replace(" ", "\xa0") for i, (name, _) in enumerate(moves, 1)
             if all(word in tidy(name) for word in words)]
    listed = wrap("   ".join(found), 80, break_long_words=False, break_on_hyphens=False)     # between moves only
    return "\n".join(listed or ["no move has these words"]).replace("\xa0", " ") + f"\n{ALLOWED}"
