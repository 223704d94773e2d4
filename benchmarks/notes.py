"""Aims that were missed on the machine of the committed results: the reason, and what was tried."""
NOTES = {
    "Hex 11x11 MCPS, 10,000 simulations":
        "from 0.70 to 0.82 of GRAVE in a dozen runs, at 4,000 simulations 0.86 and 0.87",
}
