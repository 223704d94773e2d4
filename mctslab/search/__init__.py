"""The searchers, by name. A new searcher is one file here and one line in `SEARCHERS`."""
from ..core import InputError, one_of
from ..core.spec import parse
from .cheat import Cheat
from .ensemble import Ensemble
from .flat import Flat
from .forward_checking import ForwardChecking
from .grave import GRAVE, RAVE
from .mcps import MCPS
from .nested import Nested
from .nrpa import NRPA
from .open_loop import ISMCTS, SOLMCTS
from .sampling import Sampling
from .uct import UCT

SEARCHERS = {cls.name: cls for cls in (Sampling, Nested, NRPA, ForwardChecking, Flat, UCT, RAVE, GRAVE, MCPS, Ensemble,
                                    SOLMCTS, ISMCTS, Cheat)}


def make_searcher(spec, **options):
    """A searcher by name.

    Parameters
    ----------
    spec : str
        A name, or a name with options: ``"nested"``, ``"nested(level=2)"``.
    **options
        More options; they override those of the spec.

    Returns
    -------
    Searcher
        Its ``search(state, seed)`` gives a `SearchResult`.

    Raises
    ------
    InputError
        For an unknown searcher or option, or a value out of range.
    """
    name, given = parse(spec)
    if name not in SEARCHERS:
        raise InputError(f"unknown searcher {name!r}; searchers: {one_of(SEARCHERS)}")
    options = given | options
    unknown = [key for key in options if key not in SEARCHERS[name].defaults()]
    if unknown:
        raise InputError(f"{name} has no option {unknown[0]!r}; its options are: {one_of(SEARCHERS[name].defaults())}")
    return SEARCHERS[name](**options)
