"""Random streams: the published generator, uniform draws, streams by name."""
import numpy as np
import pytest
from scipy.stats import chisquare

from mctslab import InputError
from mctslab.core import below, derive_seed, next64, stream, uniform


def test_the_generator_is_xoshiro256_plus_plus():
    """First outputs of Blackman and Vigna's reference code (prng.di.unimi.it/xoshiro256plusplus.c) from state 1, 2, 3, 4."""
    rng = np.array([1, 2, 3, 4], np.uint64)
    assert [int(next64(rng)) for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 100])
def test_below_is_uniform(n):
    rng = stream(1, "below", n)
    counts = np.bincount([below(rng, n) for _ in range(10_000)], minlength=n)
    assert len(counts) == n
    assert n == 1 or chisquare(counts).pvalue > 0.001


def test_below_reaches_the_ends_of_a_large_range():
    rng = stream(1, "large")
    draws = [below(rng, 2**31) for _ in range(1000)]
    assert 0 <= min(draws) < 2**24
    assert 2**31 - 2**24 < max(draws) < 2**31


def test_uniform_draws_lie_in_the_unit_interval_evenly():
    rng = stream(1, "uniform")
    draws = np.array([uniform(rng) for _ in range(10_000)])
    assert draws.min() >= 0
    assert draws.max() < 1
    assert chisquare(np.histogram(draws, 20, (0, 1))[0]).pvalue > 0.001


def test_a_stream_is_the_same_on_every_run():
    assert stream(1, "deal").tolist() == [15229038353459340205, 2484019731033359738, 9902618261836651810,
                                           3967241361055866460]
    assert derive_seed(1, "deal") == 3807259588364835051


def test_streams_of_other_names_or_seeds_differ():
    keys = [(1, "deal"), (2, "deal"), (1, "playout"), (1, "deal", 0), (1, "deal", 1), (1,), (1, "dea", "l")]
    assert len({tuple(stream(*key).tolist()) for key in keys}) == len(keys)
    assert len({derive_seed(*key) for key in keys}) == len(keys)


def test_draws_of_two_streams_are_independent():
    a, b = ([below(rng, 10) for _ in range(5000)] for rng in (stream(1, "a"), stream(1, "b")))
    pairs = np.bincount(np.array(a) * 10 + b, minlength=100)
    assert chisquare(pairs).pvalue > 0.001


def test_derived_seeds_fit_every_file_format():
    assert all(0 <= derive_seed(seed, "x") < 2**62 for seed in range(100))


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None])
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    with pytest.raises(InputError, match="it must be a whole number, 0 or more"):
        stream(seed, "deal")
