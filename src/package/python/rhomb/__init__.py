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

scoring        what mismatches and gaps cost, as `rhomb --score` takes it: "affine:4,6,2", "asm20",
               or with a substitution matrix "matrix:BLOSUM62,11,1", or "matrix:FILE,11,1"
score          another name of it
max_distance   stop once the distance is proved to be larger; `distance` of the result is None then
alphabet       "dna" (the default): IUPAC codes, case is ignored, U is T; "bytes"; "iupac": as
               "dna", and codes match that have a base in common, so that N matches everything; or
               "protein": amino acids, B, Z, X and *, case is ignored
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
    MatrixProgress,
    Progress,
    Sequence,
    devices,
    read,
    read_all,
    report,
)
from .program import Comparison, Rearrangement, compare

__all__ = [
    "Alignment",
    "AlphabetError",
    "ArgumentError",
    "Batch",
    "BuildError",
    "Comparison",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "DeviceMemoryError",
    "Distance",
    "Error",
    "InputError",
    "MatrixProgress",
    "NoDeviceError",
    "OutOfMemoryError",
    "Progress",
    "Rearrangement",
    "Sequence",
    "WrongResultError",
    "align",
    "align_ranges",
    "batch",
    "compare",
    "devices",
    "distance",
    "distances",
    "matrix",
    "read",
    "read_all",
    "report",
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
             progress=None, score=None, device=None):
    """The exact distance of two sequences, as a `Distance`.

    target, query    the sequences
    scoring, score   what mismatches and gaps cost, such as "affine:4,6,2"; None: each edit costs 1
    max_distance     stop once the distance is proved to be larger; in edits, or penalties
    alphabet         "dna", "bytes", "iupac" or "protein"
    engine           "auto", "wavefront" or "bitparallel"
    progress         is called with a `Progress` a few times a second
    device           a `Device`; None: the one that all calls share

    Raises ArgumentError, AlphabetError, NoDeviceError, DeviceError or OutOfMemoryError.

    >>> rhomb.distance("ACGTACGT", "ACGACGT").distance
    1
    """
    return _device(device).distance(target, query, scoring=scoring, max_distance=max_distance,
                                    alphabet=alphabet, engine=engine, progress=progress,
                                    score=score)


def align(target, query, *, scoring=None, max_distance=None, alphabet="dna", engine="auto",
          mode="global", progress=None, free_ends=None, z_drop=None, end_bonus=0, score=None,
          device=None):
    """An alignment whose cost is exactly the distance, as an `Alignment`.

    target, query    the sequences
    scoring, score   what mismatches and gaps cost, such as "affine:4,6,2"; None: each edit costs 1
    max_distance     stop once the distance is proved to be larger; "global" alone
    alphabet         "dna", "bytes", "iupac" or "protein"
    engine           "auto", "wavefront" or "bitparallel"
    mode             "global": from end to end; "infix": the query anywhere in the target (edlib's
                     HW); "prefix": at its begin (SHW); "ends-free": ends cost nothing, up to
                     `free_ends`; "local": the parts with the highest score; "extend": from both
                     beginnings as far as the score grows; these two need a scoring with a match score
    progress         is called with a `Progress` a few times a second
    free_ends        of "ends-free": how many bases are free at the query's begin and end, and the
                     target's, each a number or "all"; or "all" for all four. None: "all" or, where
                     matches score nothing, those of "infix"
    z_drop           of "extend": stop where the score falls by more; None: never
    end_bonus        of "extend": for reaching the query's end, unless by inserting all of the query
    device           a `Device`; None: the one that all calls share

    Raises ArgumentError, AlphabetError, NoDeviceError, DeviceError or OutOfMemoryError.

    >>> found = rhomb.align("TTACGTACGTGG", "ACGTCGT", mode="infix")
    >>> found.distance, found.cigar, found.target_begin, found.target_end
    (1, '4=1D3=', 2, 10)
    """
    return _device(device).align(target, query, scoring=scoring, max_distance=max_distance,
                                 alphabet=alphabet, engine=engine, mode=mode, progress=progress,
                                 free_ends=free_ends, z_drop=z_drop, end_bonus=end_bonus,
                                 score=score)


def batch(pairs, *, cigar=False, scoring=None, max_distance=None, alphabet="dna", mode="global",
          free_ends=None, z_drop=None, end_bonus=0, on_error="raise", score=None,
          device=None):
    """The results of many short pairs, as an iterator in their order, a `Batch`. They are `Distance`
    objects, or `Alignment` objects with `cigar` or in another mode than "global". With a scoring they
    have no similarity.

    pairs            an iterable of (target, query)
    cigar            whether to make the paths
    scoring, score   what mismatches and gaps cost, such as "affine:4,6,2"; None: each edit costs 1
    max_distance     larger distances are None; in edits, or penalties
    alphabet         "dna", "bytes", "iupac" or "protein"
    mode             "global", "infix", "prefix", "ends-free", "extend" or "local", as of `align()`
    free_ends, z_drop, end_bonus    as of `align()`
    on_error         "raise": an error of a pair is raised when its turn comes; "return": it is in the
                     place of the result, and the others follow
    device           a `Device`; None: the one that all calls share

    Raises ArgumentError, NoDeviceError or DeviceError; reading the results AlphabetError as well.

    >>> [result.distance for result in rhomb.batch([("ACGT", "AGT"), ("ACGT", "ACGT")])]
    [1, 0]
    """
    return _device(device).batch(pairs, cigar=cigar, scoring=scoring, max_distance=max_distance,
                                 alphabet=alphabet, mode=mode, free_ends=free_ends, z_drop=z_drop,
                                 end_bonus=end_bonus, on_error=on_error, score=score)


_COMPLEMENTS = bytes.maketrans(b"ACGTURYKMBVDHacgturykmbvdh", b"TGCAAYRMKVBHDtgcaayrmkvbhd")


def _range_of(sequences, key, begin, end, row):
    """A range of one of several sequences."""
    sequence = sequences[key]
    if not 0 <= begin <= end <= len(sequence):
        raise ArgumentError(f"row {row}: {begin} to {end} is not within a sequence of {len(sequence)} bases")
    return sequence[begin:end]


def align_ranges(targets, queries, rows, *, scoring=None, max_distance=None, alphabet="dna", mode="global",
                 free_ends=None, z_drop=None, end_bonus=0, on_error="raise", score=None, device=None):
    """Exact alignments of ranges that others found, as an iterator in the order of the rows, a `Batch` of
    `Alignment` objects, whose positions count from the beginnings of the ranges, on the query's strand.

    targets, queries    lists of sequences, or dicts of them by name
    rows                an iterable of (target, begin, end, query, begin, end, strand), or an array with such
                        rows: target and query are numbers or names, positions are from 0, ends exclusive and
                        on the forward strands; strand "-" or a number below 0 is the query's other one
    scoring, score, max_distance, alphabet, mode, free_ends, z_drop, end_bonus, on_error, device
                        as of `batch()`

    Raises ArgumentError, NoDeviceError or DeviceError; reading the results AlphabetError as well, and
    ArgumentError for a row that is not within its sequences.

    >>> [found.cigar for found in rhomb.align_ranges(["TTACGT"], {"q": "ACTAA"}, [(0, 2, 6, "q", 0, 3, "+"),
    ...                                                                           (0, 0, 3, "q", 2, 5, "-")])]
    ['2=1D1=', '3=']
    """
    def pairs():
        for number, (target, begin, end, query, query_begin, query_end, strand) in enumerate(rows):
            part = _range_of(queries, query, query_begin, query_end, number)
            if strand == "-" or (not isinstance(strand, str) and strand < 0):
                part = (part.encode() if isinstance(part, str) else bytes(part)).translate(_COMPLEMENTS)[::-1]
            yield _range_of(targets, target, begin, end, number), part

    return batch(pairs(), cigar=True, scoring=scoring, max_distance=max_distance, alphabet=alphabet, mode=mode,
                 free_ends=free_ends, z_drop=z_drop, end_bonus=end_bonus, on_error=on_error, score=score,
                 device=device)


def distances(targets, queries, *, scoring=None, max_distance=None, alphabet="dna", score=None,
              device=None):
    """The distances of targets[i] and queries[i], as an array.array("q") that NumPy takes without a
    copy; -1 is more than max_distance.

    targets, queries    lists of sequences, or two-dimensional arrays of bytes whose rows are the
                        sequences
    scoring, score      what mismatches and gaps cost; None: each edit costs 1
    max_distance        in edits, or penalties
    alphabet            "dna", "bytes", "iupac" or "protein"
    device              a `Device`; None: the one that all calls share

    Raises ArgumentError, AlphabetError, NoDeviceError, DeviceError or OutOfMemoryError.

    >>> list(rhomb.distances(["ACGT", "ACGT"], ["AGT", "ACGT"]))
    [1, 0]
    """
    return _device(device).distances(targets, queries, scoring=scoring, max_distance=max_distance,
                                     alphabet=alphabet, score=score)


def matrix(sequences, *, scoring=None, max_distance=None, alphabet="dna", progress=None, score=None,
           device=None):
    """The distances of all pairs of sequences, as a square memoryview of 64-bit numbers, which NumPy
    takes without a copy; -1 is more than max_distance.

    sequences        an iterable of at least one
    scoring, score   what mismatches and gaps cost; None: each edit costs 1
    max_distance     in edits, or penalties
    alphabet         "dna", "bytes", "iupac" or "protein"
    progress         is called with a `MatrixProgress` a few times a second
    device           a `Device`; None: the one that all calls share

    Raises ArgumentError, AlphabetError, NoDeviceError, DeviceError or OutOfMemoryError.

    >>> found = rhomb.matrix(["ACGT", "AGT", "ACGTT"])
    >>> found[0, 1], found.tolist()
    (1, [[0, 1, 1], [1, 0, 2], [1, 2, 0]])
    """
    return _device(device).matrix(sequences, scoring=scoring, max_distance=max_distance,
                                  alphabet=alphabet, progress=progress, score=score)
