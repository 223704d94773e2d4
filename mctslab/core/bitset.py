"""Sets of small whole numbers as bits of 64-bit words.

The count is plain shifts and additions: LLVM recognises it as a population count and vectorises loops over words.
"""
from .cache import jit
from .rng import u64


def num_words(size):
    """Words that hold `size` bits."""
    return (size + 63) >> 6


@jit
def set_bit(bits, i):
    bits[i >> 6] |= u64(1) << u64(i & 63)


@jit
def has_bit(bits, i):
    return (bits[i >> 6] >> u64(i & 63)) & u64(1) != u64(0)


@jit
def popcount(x):
    """Ones of a word."""
    x = x - ((x >> u64(1)) & u64(0x5555555555555555))
    x = (x & u64(0x3333333333333333)) + ((x >> u64(2)) & u64(0x3333333333333333))
    x = (x + (x >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F)
    return (x * u64(0x0101010101010101)) >> u64(56)
