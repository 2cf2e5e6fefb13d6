# SPDX-License-Identifier: MIT
from array import array
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as _List
from typing import Any, Literal, overload

from ._rhomb import Alignment as Alignment
from ._rhomb import Alphabet, Bases, Engine, FreeEnds, PartMode, Rows, Watcher
from ._rhomb import Batch as Batch
from ._rhomb import Device as Device
from ._rhomb import DeviceInfo as DeviceInfo
from ._rhomb import Distance as Distance
from ._rhomb import MatrixProgress as MatrixProgress
from ._rhomb import Progress as Progress
from ._rhomb import Sequence as Sequence
from ._rhomb import devices as devices
from ._rhomb import read as read
from ._rhomb import read_all as read_all
from ._rhomb import report as report
from .errors import AlphabetError as AlphabetError
from .errors import ArgumentError as ArgumentError
from .errors import BuildError as BuildError
from .errors import DeviceError as DeviceError
from .errors import DeviceMemoryError as DeviceMemoryError
from .errors import Error as Error
from .errors import InputError as InputError
from .errors import NoDeviceError as NoDeviceError
from .errors import OutOfMemoryError as OutOfMemoryError
from .errors import WrongResultError as WrongResultError
from .program import Comparison as Comparison
from .program import Rearrangement as Rearrangement
from .program import compare as compare

__all__: list[str]
__version__: str

def distance(
    target: Bases,
    query: Bases,
    *,
    scoring: str | None = None,
    max_distance: int | None = None,
    alphabet: Alphabet = "dna",
    engine: Engine = "auto",
    progress: Watcher | None = None,
    score: str | None = None,
    device: Device | None = None,
) -> Distance: ...
def align(
    target: Bases,
    query: Bases,
    *,
    scoring: str | None = None,
    max_distance: int | None = None,
    alphabet: Alphabet = "dna",
    engine: Engine = "auto",
    mode: Literal["global"] | PartMode = "global",
    progress: Watcher | None = None,
    free_ends: FreeEnds | None = None,
    z_drop: int | None = None,
    end_bonus: int = 0,
    score: str | None = None,
    device: Device | None = None,
) -> Alignment: ...
@overload
def batch(
    pairs: Iterable[tuple[Bases, Bases]],
    *,
    cigar: Literal[True],
    scoring: str | None = None,
    max_distance: int | None = None,
    alphabet: Alphabet = "dna",
    mode: Literal["global"] | PartMode = "global",
    free_ends: FreeEnds | None = None,
    z_drop: int | None = None,
    end_bonus: int = 0,
    on_error: Literal["raise", "return"] = "raise",
    score: str | None = None,
    device: Device | None = None,
) -> Batch[Alignment]: ...
@overload
def batch(
    pairs: Iterable[tuple[Bases, Bases]],
    *,
    cigar: bool = False,
    scoring: str | None = None,
    max_distance: int | None = None,
    alphabet: Alphabet = "dna",
    mode: PartMode,
    free_ends: FreeEnds | None = None,
    z_drop: int | None = None,
    end_bonus: int = 0,
    on_error: Literal["raise", "return"] = "raise",
    score: str | None = None,
    device: Device | None = None,
) -> Batch[Alignment]: ...
@overload
def batch(
    pairs: Iterable[tuple[Bases, Bases]],
    *,
    cigar: bool = False,
    scoring: str | None = None,
    max_distance: int | None = None,
    alphabet: Alphabet = "dna",
    mode: Literal["global"] = "global",
    free_ends: FreeEnds | None = None,
    z_drop: int | None = None,
    end_bonus: int = 0,
    on_error: Literal["raise", "return"] = "raise",
    score: str | None = None,
    device: Device | None = None,
) -> Batch[Distance]: ...
def align_ranges(
    targets: _List[Bases] | Mapping[str, Bases],
    queries: _List[Bases] | Mapping[str, Bases],
    rows: Iterable[Any],
    *,
    scoring: str | None = None,
    max_distance: int | None = None,
    alphabet: Alphabet = "dna",
    mode: Literal["global"] | PartMode = "global",
    free_ends: FreeEnds | None = None,
    z_drop: int | None = None,
    end_bonus: int = 0,
    on_error: Literal["raise", "return"] = "raise",
    score: str | None = None,
    device: Device | None = None,
) -> Batch[Alignment]: ...
def distances(
    targets: Rows,
    queries: Rows,
    *,
    scoring: str | None = None,
    max_distance: int | None = None,
    alphabet: Alphabet = "dna",
    score: str | None = None,
    device: Device | None = None,
) -> array[int]: ...
def matrix(
    sequences: Iterable[Bases],
    *,
    scoring: str | None = None,
    max_distance: int | None = None,
    alphabet: Alphabet = "dna",
    progress: Callable[[MatrixProgress], object] | None = None,
    score: str | None = None,
    device: Device | None = None,
) -> memoryview: ...
