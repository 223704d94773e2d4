"""The ledger plays no game: it reads the rows of the other studies."""
from ..study import study


@study("claims", "40_claims", "What the papers claim, beside what the rows of all studies say")
def claims(profile):
    """No cells."""
    return []
