"""``@jit``: numba's njit with a disk cache that cannot serve stale or foreign code.

numba's own ``cache=True`` keys machine code by the file of the compiled function alone. A searcher whose game lives in
another file then goes on playing the old rules after an edit; specialisations with one qualified name share an index; and
parallel cold starts race for it. Here there is no index: one file holds one compilation, and its name is a digest of all
that the machine code depends on (versions, CPU, numba's flags, argument types, and the sources of the function's and the
game's modules with everything they import). A file is written under a temporary name and renamed; it starts with a checksum.

What the digest cannot see are global constants that come from elsewhere than these sources: from data files, from the
environment, from modules imported under a computed name. Kernels must not use such; they are passed as arguments.

All private names of numba that the package uses are in this file. They are those of numba 0.68; on any other version the
package runs without a disk cache and says so once.
"""
import ast
import contextlib
import functools
import hashlib
import inspect
import itertools
import os
import pickle
import secrets
import sys
import time
import warnings
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba import config, njit, types

JIT_OPTIONS = dict(nogil=True, error_model="numpy")     # no fastmath: results must not depend on the machine
ALLOCATION = dict(_nrt=True)            # with the counting of references, without which a search is a tenth faster
NO_ALLOCATION = dict(_nrt=False)        # (one must be said, or it is the caller's)
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
    # the wrong game's code runs. A random start makes the counter unique across processes, forked ones included.
    def _renew_ids():
        FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))

    _renew_ids()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_renew_ids)
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
            for alias in node.names:        # import a.b.c gives access to a and a.b too
                yield from itertools.accumulate(alias.name.split("."), "{}.{}".format)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[:len(package.split(".")) - node.level + 1] if node.level else []
            full = ".".join(above + ([node.module] if node.module else []))
            yield full
            yield from (f"{full}.{alias.name}" for alias in node.names)


def _package(name):
    return name.partition(".")[0]


def _is_foreign(name, path):
    """Sources of the standard library and of installed packages are covered by the versions in the key."""
    return _package(name) in sys.stdlib_module_names or bool({"site-packages", "dist-packages"} & set(Path(path).parts))


@functools.cache
def _read(path, stamp, package):
    """(digest of a source file, names that it imports); read once per `stamp`, the file's time and size."""
    source = Path(path).read_bytes()
    return hashlib.sha256(source).hexdigest(), tuple(_imported_names(ast.parse(source), package))


def import_closure(module):
    """Digests of the sources of a module and of all that it imports, transitively.

    Looked up anew at each call: a notebook may edit and reload a module.

    Returns
    -------
    list of (str, str) or None
        None where the code in memory may differ from any file: a module of a notebook or ``__main__``, or a file edited
        since this process began. Such code is not cached.
    """
    if module == "__main__":
        return None
    own = {_package(module), _package(__package__)}     # followed wherever they are installed
    todo, sources = [module], {}
    while todo:
        name = todo.pop()
        path = getattr(sys.modules.get(name), "__file__", None) or ""
        if name in sources or not path.endswith(".py") or (_package(name) not in own and _is_foreign(name, path)):
            continue
        try:
            stat = os.stat(path)
        except OSError:
            return None
        if max(stat.st_mtime, stat.st_ctime) > IMPORTED:        # a copied file may keep an old mtime
            return None
        sources[name], names = _read(path, (stat.st_mtime_ns, stat.st_size), sys.modules[name].__package__ or "")
        todo += names
    return sorted(sources.items()) if module in sources else None


def code_modules(t):
    """Modules that hold the code of the classes within an argument type; a method may have been patched in elsewhere.

    ``__main__`` stands for a class that its name does not identify: a local one, or one defined once more under its name.
    """
    if isinstance(t, types.BaseNamedTuple):
        if "<locals>" in t.instance_class.__qualname__ or getattr(t.instance_class, "defined_again", False):
            yield "__main__"
        methods = inspect.getmembers(t.instance_class, inspect.isfunction)
        yield t.instance_class.__module__
        yield from (str(method.__module__) for name, method in methods if not name.startswith("_"))
    if isinstance(t, types.BaseTuple):
        for part in t:
            yield from code_modules(part)


@functools.cache
def _warn_once(message):
    warnings.warn(message, stacklevel=3)


class SourceCache(_Cache):
    """The disk cache of one function, in the form that numba's dispatcher asks for."""

    def __init__(self, function):
        self.function = function

    def path(self, signature, codegen):
        """File of one compilation, or None where there must be none."""
        args = signature if isinstance(signature, tuple) else signature.args
        line = self.function.__code__.co_firstlineno        # a name can stand for several functions of a module
        digest = hashlib.sha256(repr((_environment(), codegen.magic_tuple(), args, line)).encode())
        modules = {self.function.__module__}.union(*map(code_modules, args))
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
            data = path.read_bytes() if path else b""
        except OSError:
            return None
        check, data = data[:32], data[32:]
        if hashlib.sha256(data).digest() != check:      # torn by a full disk, say
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, signature, result):
        path = self.path(signature, result.codegen)
        if path is None:
            return
        if result.library.has_dynamic_globals or any(not lifted.can_cache for lifted in result.lifted):
            raise RuntimeError(f"{self.function.__qualname__} cannot be cached: "
                               "does it use a ctypes pointer or a global array over 1 MB?")
        data = dumps(result._reduce())
        temporary = path.with_suffix(f".{secrets.token_hex(8)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(hashlib.sha256(data).digest() + data)
            os.replace(temporary, path)
        except OSError as error:            # a read-only home or a full disk costs compile time, not the run
            with contextlib.suppress(OSError):
                temporary.unlink()
            _warn_once(f"no kernel cache in {CACHE_DIR}: {error.strerror}")

    cache_path = property(lambda self: str(CACHE_DIR))
    enable = disable = flush = lambda self: None


def jit(function=None, allocates=False):
    """Compile a module-level function: nopython, no GIL, IEEE floats without exceptions, safe disk cache.

    Parameters
    ----------
    function : callable
    allocates : bool
        May it make arrays? No search does, so numba refuses it elsewhere. Only functions that allocate and games' own
        methods may call it for an array: nobody else would free that.

    Raises
    ------
    TypeError
        For a nested function or a lambda: what it closes over would not be part of the key.
    """
    if function is None:
        return functools.partial(jit, allocates=allocates)
    if function.__closure__ is not None or "<" in function.__qualname__:        # <locals>, <lambda>
        raise TypeError(f"@jit takes module-level functions only, not {function.__qualname__}")
    dispatcher = njit(**JIT_OPTIONS, **ALLOCATION if allocates else NO_ALLOCATION)(function)
    if SUPPORTED and not config.DISABLE_JIT:
        dispatcher._cache = SourceCache(function)
    return dispatcher
