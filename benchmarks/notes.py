"""What the committed results cannot say themselves: reasons for missed aims, with what was tried, and for steep growth."""
NOTES = {
    "Hex 11x11 MCPS, 10,000 simulations":
        "its descents are a third longer, 7.0 plies against GRAVE's 5.2, and a ply takes both as long. With `weight=0` they "
        "are no longer than GRAVE's, and it is as fast. Freezing and the window are 7 % of its time: without any of that it "
        "would still miss. Vector code in the selection, fewer AMAF updates and no counting of references made "
        "MCPS 1.24 and GRAVE 1.32 times as fast, which lowered the ratio",
    "uct on go by cells":
        " (a ply of a playout takes 62 ns on 5x5 and 69 on 13x13, and a new player's memory is in these seconds; a kept "
        "player's ply takes 77 and 71)",
}
