"""Board games of two players: playouts, searches beside OpenSpiel's, threads, memory."""
from peers import mctspy_uct, openspiel_rollouts, openspiel_uct
from timer import Case
from work import matches, memory, playouts, simulations

HEX, GO = "hex(size=11)", "go(size=9)"
MATCH = GO, "uct(simulations=1000)", "grave(simulations=1000)"      # games of a second
LIMITS = {"uct": 2, "grave": 4, "mcps": 4}      # GiB for a million simulations


def uct(name, game, searches, peer, factor=None, n=10_000):
    """UCT beside the bot of another."""
    return Case(f"{name} UCT, {n:,} simulations", "simulations/s", simulations(game, f"uct(simulations={n})", searches),
                peer=peer, factor=factor)


def cases():
    hex_grave = simulations(HEX, "grave(simulations=10000)", 5)
    return [
        Case("Hex 11x11 uniform playouts with trace", "playouts/s", playouts(HEX, 200_000), 2_000_000, "prototype 2,300,000",
             openspiel_rollouts("hex", 5_000, board_size=11)),
        uct("Hex 11x11", HEX, 10, openspiel_uct("hex", 10_000, board_size=11), 40),
        Case("Hex 11x11 GRAVE, 10,000 simulations", "simulations/s", hex_grave,
             peer=openspiel_uct("hex", 10_000, board_size=11), factor=10),
        Case("Hex 11x11 MCPS, 10,000 simulations", "simulations/s", simulations(HEX, "mcps(simulations=10000)", 5),
             source="prototype 0.9 x", peer=("our GRAVE", hex_grave), factor=0.8),
        Case("Go 9x9 light playouts", "playouts/s", playouts(GO, 30_000), 110_000, "prototype 125,000; libego 92,000",
             openspiel_rollouts("go", 2_000, board_size=9)),
        uct("Go 9x9", GO, 2, openspiel_uct("go", 10_000, board_size=9), 10),
        uct("Tic-tac-toe", "tictactoe", 5, openspiel_uct("tic_tac_toe", 10_000)),
        uct("Tic-tac-toe", "tictactoe", 5, mctspy_uct(1_000), n=1_000),
        Case("Go 9x9 games by two workers", "games/s", matches(*MATCH, workers=2), peer=("one worker", matches(*MATCH)),
             factor=1.85),
        *(Case(f"Go 9x9 {name.upper()}, 1,000,000 simulations", "GiB", memory(GO, name, 10**6), limit)
          for name, limit in LIMITS.items())]
