"""Random numbers: xoshiro256++ on a ``uint64[4]`` array, and streams derived from one master seed by name."""
import hashlib

import numpy as np
from numba import config

from .cache import jit
from .errors import InputError

u64 = np.uint64
if config.DISABLE_JIT:
    np.seterr(over="ignore")        # interpreted, the generator's sums wrap around as they do when compiled


@jit
def next64(rng):
    """The next 64 random bits (Blackman and Vigna's xoshiro256++)."""
    s0 = rng[0]
    s1 = rng[1]
    s2 = rng[2]
    s3 = rng[3]
    x = s0 + s3
    out = ((x << u64(23)) | (x >> u64(41))) + s0
    t = s1 << u64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    rng[0] = s0
    rng[1] = s1
    rng[2] = s2
    rng[3] = (s3 << u64(45)) | (s3 >> u64(19))
    return out


@jit
def below(rng, n):
    """A random integer in [0, n), for n < 2**32, by multiply and shift (bias below n / 2**32)."""
    return np.int64(((next64(rng) >> u64(32)) * u64(n)) >> u64(32))


@jit
def uniform(rng):
    """A random float64 in [0, 1)."""
    return np.float64(next64(rng) >> u64(11)) * (1.0 / 9007199254740992.0)


@jit
def shuffle(values, n, rng):
    """Bring the first n values into random order (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        value = values[i]
        values[i] = values[j]
        values[j] = value


@jit
def scramble(number):
    """A random-looking word for each number (splitmix64): Zobrist keys of positions are made of them."""
    z = u64(number + 1) * u64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> u64(27))) * u64(0x94D049BB133111EB)
    return z ^ (z >> u64(31))


@jit
def mix(h, x):
    """A hash with one number more."""
    h = (h ^ u64(x)) * u64(0x9E3779B97F4A7C15)
    return h ^ (h >> u64(32))


def _sequence(seed, names):
    if not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InputError(f"seed is {seed!r}; it must be a whole number, 0 or more")
    digest = hashlib.sha256("/".join(map(str, names)).encode()).digest()
    return np.random.SeedSequence(seed, spawn_key=tuple(np.frombuffer(digest, np.uint32).tolist()))


def stream(seed, *names):
    """The random stream called ``names`` of a master seed.

    Parameters
    ----------
    seed : int
        Master seed, 0 or more.
    *names
        What the stream is for, e.g. ``"deal"`` or ``"left_move(depth=60)", 3, "playout"``. Streams of different names are
        independent, so nothing that one player must not know leaks to him through a shared generator.

    Returns
    -------
    numpy.ndarray of uint64, shape (4,)
    """
    return _sequence(seed, names).generate_state(4, np.uint64)


def derive_seed(seed, *names):
    """The seed called ``names`` of a master seed, below 2**62 so that every file format holds it."""
    return int(_sequence(seed, names).generate_state(1, np.uint64)[0] >> u64(2))
