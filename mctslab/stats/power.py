"""What a number of pairs can show: power of the paired t test, judged as one test or as the hardest of a family."""
from scipy import optimize
from scipy import stats as scipy_stats

from ..core import InputError


def power_of(effect, pairs, alpha):
    """Power of the two-sided paired t test for a true mean of so many standard deviations."""
    bound = scipy_stats.t.isf(alpha / 2, pairs - 1)
    return scipy_stats.ncf.sf(bound**2, 1, pairs - 1, pairs * effect**2)


def check_power(power, alpha, tests):
    """`alpha` of the smallest p-value of a family; an `InputError` for chances that are none."""
    if not 0 < alpha < power < 1 or tests < 1:
        raise InputError(f"power is {power}, alpha {alpha}, tests {tests}; needed: 0 < alpha < power < 1, 1 test or more")
    return alpha / tests


def detectable_difference(sd, pairs, power=0.8, alpha=0.05, tests=1):
    """The smallest true mean of differences that a paired t test finds with a given power.

    Parameters
    ----------
    sd : float
        Standard deviation of the differences.
    pairs : int
        Their number, 2 or more.
    tests : int
        Tests in the family: the smallest p-value is judged at `alpha` / `tests` by Holm's correction.
    """
    alpha = check_power(power, alpha, tests)
    if pairs < 2 or not sd >= 0:
        raise InputError(f"{pairs} pairs with a standard deviation of {sd}: needed are 2 pairs or more and one of 0 or more")
    most = 1.0
    while power_of(most, pairs, alpha) < power:
        most *= 2
    return float(sd * optimize.brentq(lambda effect: power_of(effect, pairs, alpha) - power, 0, most))


def pairs_needed(difference, sd, power=0.8, alpha=0.05, tests=1):
    """Pairs with which a paired t test finds a true difference with a given power; see `detectable_difference`."""
    alpha = check_power(power, alpha, tests)
    if not difference > 0 or not sd > 0:
        raise InputError(f"difference is {difference} and sd is {sd}; both must be more than 0")
    few, many = 1, 2                # a power too low, and one that is enough
    while power_of(difference / sd, many, alpha) < power:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if power_of(difference / sd, middle, alpha) >= power else (middle, many)
    return many
