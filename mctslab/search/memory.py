"""How much memory a search may take."""
import os
from pathlib import Path

from ..core import InputError

GIB = 2**30


def _numbers(path):
    """The first number after each name of a file such as /proc/meminfo; empty where there is none."""
    try:
        lines = Path(path).read_text().split("\n")
    except OSError:
        return {}
    fields = [line.replace(":", " ").split() for line in lines]
    return {words[0]: int(words[1]) for words in fields if len(words) > 1 and words[1].isdigit()}


def free_memory():
    """Bytes that can be had without pushing other programs out, or infinity where the system does not tell."""
    available = _numbers("/proc/meminfo").get("MemAvailable")
    if available is not None:
        return 1024 * available
    if "SC_AVPHYS_PAGES" in getattr(os, "sysconf_names", {}):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return float("inf")


def check_memory(what, need):
    """Refuse what would take more bytes than are free.

    Raises
    ------
    InputError
        Naming both.
    """
    free = free_memory()
    if need > free:
        raise InputError(f"{what} may need {need / GIB:.1f} GiB of memory; {free / GIB:.1f} GiB are free")
