"""How many trees an ensemble grows: the rule that changes their number from turn to turn of a game.

Kowalski, Ciezkowski, Krzyzynski and Winands (2026). The margin of a turn is the least number of trees whose outputs, changed
at will, alter the move that is played. A turn is contested if its margin is at most M_up, and after L_up contested turns in
a row there is one tree more. A turn is stable if more than M_down trees (at most T - 1) can be removed without altering the
move, whichever they are; after L_down stable turns in a row there is one tree fewer. A change sets both counts to 0; when
both are due the increase wins. Turns with one legal move do not count.
"""


class TreeCount:
    """The number of trees, and how many turns in a row have been contested and stable.

    Parameters
    ----------
    options
        An `Ensemble`.
    """

    def __init__(self, options):
        self.options, self.trees = options, options.trees
        self.contested = self.stable = 0

    def update(self, up, down):
        """Take note of a turn's margins: of the reading for the increase, and under removal.

        Returns
        -------
        int
            The change of the number of trees: 1, 0 or -1.
        """
        o = self.options
        self.contested = self.contested + 1 if up <= min(o.m_up, self.trees) else 0     # a margin of T + 1 means: never
        self.stable = self.stable + 1 if down > min(o.m_down, self.trees - 1) else 0
        change = 0
        if self.contested >= o.l_up and self.trees < o.max_trees:
            change = 1
        elif self.stable >= o.l_down and self.trees > o.min_trees:
            change = -1
        if change:
            self.trees += change
            self.contested = self.stable = 0
        return change
