"""Aims that were missed on the machine of the committed results: the reason, and what was tried."""
NOTES = {
    "Hex 11x11 MCPS, 10,000 simulations":
        "from 0.70 to 0.82 of GRAVE in a dozen runs, at 4,000 simulations 0.86 and 0.87",
    "jaipur games in two threads":
        "a game is over in an eighth of a second, and what is between its searches holds the GIL; games of a second or more "
        "reach the aim, as those of Go do",
}
