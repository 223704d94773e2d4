"""Aims that were missed on the machine of the committed results: the reason, and what was tried."""
NOTES = {
    "Hex 11x11 MCPS, 10,000 simulations":
        "its descents are a third longer, 7.0 plies against GRAVE's 5.2, and a ply takes both as long; freezing takes 5 % "
        "of its time and the window 3 %. With weight=0 its descents are no longer than GRAVE's, and it is as fast, with "
        "both. Faster selection and AMAF updates made it 1.15 times as fast and GRAVE 1.2 times, which lowered the ratio",
}
