"""``@jit``: numba's njit with a disk cache that cannot serve stale or foreign code.

numba's own ``cache=True`` keys machine code by the file of the compiled function alone. A searcher whose game lives in
another file then goes on playing the old rules after an edit; specialisations with one qualified name share an index; and
parallel cold starts race for it. Here there is no index: one file holds one compilation, and its name is a digest of all
that the machine code depends on (versions, CPU, numba's flags, argument types, and the sources of the function's and the
game's modules with everything they import). A file is written under a temporary name and renamed.

All private names of numba that the package uses are in this file. They are those of numba 0.68; on any other version the
package runs without a disk cache and says so once.
"""
import ast
import functools
import hashlib
import itertools
import os
import pickle
import secrets
import sys
import threading
import time
import warnings
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba import config, njit, types

JIT_OPTIONS = dict(nogil=True, error_model="numpy")     # no fastmath: results must not depend on the machine
CACHE_DIR = Path(os.environ.get("MCTSLAB_CACHE") or Path.home() / ".cache" / "mctslab")
SUPPORTED = numba.__version__.startswith("0.68.")
IMPORTED = time.time()

if SUPPORTED:
    from numba.core.bytecode import FunctionIdentity
    from numba.core.caching import _Cache
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps

    # numba names a compiled function by module, name, argument types and a counter that starts at 1 in every process.
    # Types as different as the states of two games can print alike, so the cached symbols of two processes can clash and
    # the wrong game's code runs. A random start makes the counter unique across processes.
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))
else:
    _Cache = object
    warnings.warn(f"mctslab's kernel cache knows numba 0.68, not {numba.__version__}: "
                  "every process compiles anew", stacklevel=2)


def _environment():
    """What machine code depends on besides sources, types and CPU. The flags are read late: tests change them."""
    return (numba.__version__, llvmlite.__version__, np.__version__, sys.version, config.OPT, config.BOUNDSCHECK,
            config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.DEBUGINFO_DEFAULT)


def _imported_names(tree, package):
    """Full names of all that a module's syntax tree imports; some name attributes rather than modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[:len(package.split(".")) - node.level + 1] if node.level else []
            full = ".".join(above + ([node.module] if node.module else []))
            yield full
            yield from (f"{full}.{alias.name}" for alias in node.names)


def _is_ours(name, path):
    """Sources of the standard library and of installed packages are covered by the versions in the key."""
    top = name.partition(".")[0]
    return top == __package__.partition(".")[0] or (
        top not in sys.stdlib_module_names and not {"site-packages", "dist-packages"} & set(Path(path).parts))


@functools.cache
def import_closure(module):
    """Sources of a module and of all that it imports, transitively.

    Returns
    -------
    list of (str, bytes) or None
        None where the code in memory may differ from any file: a module of a notebook or ``__main__``, or a file edited
        since this process began. Such code is not cached.
    """
    if module == "__main__" or not getattr(sys.modules.get(module), "__file__", None):
        return None
    todo, sources = [module], {}
    while todo:
        name = todo.pop()
        path = getattr(sys.modules.get(name), "__file__", None)
        if name in sources or not path or not path.endswith(".py") or not _is_ours(name, path):
            continue
        if os.stat(path).st_mtime > IMPORTED:
            return None
        sources[name] = Path(path).read_bytes()
        todo += _imported_names(ast.parse(sources[name]), sys.modules[name].__package__ or "")
    return sorted(sources.items())


def game_classes(t):
    """The NamedTuple classes within an argument type."""
    if isinstance(t, types.BaseNamedTuple):
        yield t.instance_class
    if isinstance(t, types.BaseTuple):
        for part in t:
            yield from game_classes(part)


class SourceCache(_Cache):
    """The disk cache of one function, in the form that numba's dispatcher asks for."""

    def __init__(self, function):
        self.function = function

    def path(self, signature, codegen):
        """File of one compilation, or None where there must be none."""
        args = signature if isinstance(signature, tuple) else signature.args
        digest = hashlib.sha256(repr((_environment(), codegen.magic_tuple(), args)).encode())
        modules = {self.function.__module__} | {c.__module__ for t in args for c in game_classes(t)}
        for module in sorted(modules):
            sources = import_closure(module)
            if sources is None:
                return None
            digest.update(repr(sources).encode())
        return CACHE_DIR / f"{self.function.__module__}.{self.function.__qualname__}-{digest.hexdigest()[:32]}.nbc"

    def load_overload(self, signature, target_context):
        target_context.refresh()
        path = self.path(signature, target_context.codegen())
        try:
            data = path.read_bytes() if path else None
        except OSError:
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(data)) if data else None
        except (pickle.UnpicklingError, EOFError, TypeError, ValueError):       # torn by a full disk, say
            return None

    def save_overload(self, signature, result):
        if result.library.has_dynamic_globals or any(not lifted.can_cache for lifted in result.lifted):
            raise RuntimeError(f"{self.function.__qualname__} cannot be cached: "
                               "does it use a ctypes pointer or a global array over 1 MB?")
        path = self.path(signature, result.codegen)
        if path is None:
            return
        temporary = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(dumps(result._reduce()))
            os.replace(temporary, path)
        except OSError as error:            # a read-only home or a full disk costs compile time, not the run
            temporary.unlink(missing_ok=True)
            warnings.warn(f"no kernel cache in {CACHE_DIR}: {error}", stacklevel=2)

    cache_path = property(lambda self: str(CACHE_DIR))
    enable = disable = flush = lambda self: None


def jit(function):
    """Compile a module-level function: nopython, no GIL, IEEE floats without exceptions, safe disk cache.

    Raises
    ------
    TypeError
        For a nested function: what it closes over would not be part of the key.
    """
    if function.__closure__ is not None or "<locals>" in function.__qualname__:
        raise TypeError(f"@jit takes module-level functions only, not {function.__qualname__}")
    dispatcher = njit(**JIT_OPTIONS)(function)
    if SUPPORTED and not config.DISABLE_JIT:
        dispatcher._cache = SourceCache(function)
    return dispatcher
