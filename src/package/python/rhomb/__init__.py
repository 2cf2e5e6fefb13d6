# SPDX-License-Identifier: MIT
"""Exact edit distances and alignments of genome-scale sequences, on any OpenCL device.

    import rhomb

    rhomb.distance("ACGTACGT", "ACGACGT").distance      # 1
    rhomb.align("ACGTACGT", "ACGACGT").cigar            # '3=1D4='
    for result in rhomb.batch([("ACGT", "AGT"), ("ACGT", "ACGT")]):
        print(result.distance)

A distance is exact, or the call raises a `rhomb.Error`. The target (the reference) comes first.
Sequences are str, bytes, bytearray, NumPy arrays of bytes or anything else with a buffer, and what
`rhomb.read()` reads from files; none is copied unless its bytes are not one after the other. The
GIL is released while the library works. Control-C and exceptions of a progress function stop it.

Keyword arguments that several functions have:

scoring        what mismatches and gaps cost, as `rhomb --score` takes it: "affine:4,6,2", "asm20"
max_distance   stop once the distance is proved to be larger; `distance` of the result is None then
alphabet       "dna" (the default): IUPAC codes, case is ignored; or "bytes"
engine         "auto" (the default), "wavefront" or "bitparallel"
progress       is called with a `rhomb.Progress` a few times a second
device         a `rhomb.Device`; by default one that is opened by the first call and kept
"""

from _thread import allocate_lock

from . import drivers
from .errors import (
    AlphabetError,
    ArgumentError,
    BuildError,
    DeviceError,
    DeviceMemoryError,
    Error,
    InputError,
    NoDeviceError,
    OutOfMemoryError,
    WrongResultError,
)

try:
    from . import _rhomb
except ImportError as error:
    if "libOpenCL" not in str(error) or not drivers.load_loader():
        raise
    from . import _rhomb

from ._rhomb import (
    Alignment,
    Batch,
    Device,
    DeviceInfo,
    Distance,
    Progress,
    Sequence,
    devices,
    read,
)

__all__ = [
    "Alignment",
    "AlphabetError",
    "ArgumentError",
    "Batch",
    "BuildError",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "DeviceMemoryError",
    "Distance",
    "Error",
    "InputError",
    "NoDeviceError",
    "OutOfMemoryError",
    "Progress",
    "Sequence",
    "WrongResultError",
    "align",
    "batch",
    "devices",
    "distance",
    "distances",
    "read",
]

__version__ = _rhomb.version()

_default = None
_opening = allocate_lock()


def _device(device):
    """The device of a call: a Device, or None for the one that all calls share."""
    global _default
    if device is not None:
        if not isinstance(device, Device):
            raise TypeError(f"a device is a rhomb.Device, not {type(device).__name__}")
        return device
    with _opening:
        if _default is None:
            _default = Device()
    return _default


def distance(target, query, *, scoring=None, max_distance=None, alphabet="dna", engine="auto",
             progress=None, device=None):
    """The exact distance of two sequences, as a `Distance`."""
    return _device(device).distance(target, query, scoring=scoring, max_distance=max_distance,
                                    alphabet=alphabet, engine=engine, progress=progress)


def align(target, query, *, scoring=None, max_distance=None, alphabet="dna", engine="auto",
          mode="global", progress=None, device=None):
    """An alignment whose cost is exactly the distance, as an `Alignment`.

    `mode` "local" aligns the parts with the highest score; it needs a scoring with a match score.
    """
    return _device(device).align(target, query, scoring=scoring, max_distance=max_distance,
                                 alphabet=alphabet, engine=engine, mode=mode, progress=progress)


def batch(pairs, *, cigar=False, scoring=None, max_distance=None, alphabet="dna", mode="global",
          free_ends=(0, 0, 0, 0), z_drop=None, end_bonus=0, on_error="raise", device=None):
    """The results of many short pairs, (target, query), as an iterator in their order.

    They are `Distance` objects, or `Alignment` objects with `cigar` or in another mode than
    "global": "ends-free" (free_ends: up to how many bases are free at the query's begin and end,
    and at the target's), "extend" (z_drop, end_bonus) or "local". With a scoring they have no
    similarity. An error of a pair is raised when its turn comes; `on_error` "return" has it in the
    place of the result instead, and goes on.
    """
    return _device(device).batch(pairs, cigar=cigar, scoring=scoring, max_distance=max_distance,
                                 alphabet=alphabet, mode=mode, free_ends=free_ends, z_drop=z_drop,
                                 end_bonus=end_bonus, on_error=on_error)


def distances(targets, queries, *, scoring=None, max_distance=None, alphabet="dna", device=None):
    """The distances of targets[i] and queries[i], as an array.array("q") that NumPy takes without a
    copy; -1 is more than max_distance. Lists of sequences, or two-dimensional arrays of bytes whose
    rows are the sequences.
    """
    return _device(device).distances(targets, queries, scoring=scoring, max_distance=max_distance,
                                     alphabet=alphabet)
