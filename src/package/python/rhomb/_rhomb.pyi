# SPDX-License-Identifier: MIT
from array import array
from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any, Generic, Literal, NamedTuple, Protocol, SupportsBytes, SupportsIndex, TypeVar, overload

from typing_extensions import Buffer, Self, TypeAlias

class SupportsArray(Protocol):
    """NumPy's arrays, of which type checkers know only from Python 3.12 on that they have a buffer."""

    def __array__(self) -> Any: ...

Bases: TypeAlias = str | Buffer | SupportsBytes | SupportsArray
Rows: TypeAlias = Buffer | SupportsArray | Iterable[Bases]
Alphabet: TypeAlias = Literal["dna", "bytes", "iupac", "protein"]
Engine: TypeAlias = Literal["auto", "wavefront", "bitparallel"]
PartMode: TypeAlias = Literal["ends-free", "infix", "prefix", "extend", "local"]
End: TypeAlias = int | Literal["all"]
FreeEnds: TypeAlias = tuple[End, End, End, End] | Literal["all"]
Watcher: TypeAlias = Callable[[Progress], object]
Result = TypeVar("Result", bound=Distance)

class Progress(NamedTuple):
    lower_bound: int
    upper_bound: int
    fraction: float
    seconds: float
    eta_seconds: float | None
    building: bool

class MatrixProgress(NamedTuple):
    pairs: int
    done: int
    fraction: float
    seconds: float
    eta_seconds: float | None
    building: bool

class DeviceInfo(NamedTuple):
    number: int
    kind: Literal["gpu", "accelerator", "cpu", "other"]
    name: str
    vendor: str
    platform: str
    driver_version: str
    pci: str | None
    uuid: str | None
    memory_bytes: int
    compute_units: int
    usable: bool
    chosen: bool
    note: str

class Sequence:
    @property
    def name(self) -> str: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> str: ...
    @overload
    def __getitem__(self, key: slice, /) -> Sequence: ...
    def __bytes__(self) -> bytes: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

class Distance:
    @property
    def distance(self) -> int | None: ...
    @property
    def score(self) -> int | None: ...
    @property
    def similarity(self) -> float | None: ...
    @property
    def target_length(self) -> int: ...
    @property
    def query_length(self) -> int: ...
    @property
    def engine(self) -> str | None: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

class Alignment(Distance):
    @property
    def target_begin(self) -> int | None: ...
    @property
    def target_end(self) -> int: ...
    @property
    def query_begin(self) -> int | None: ...
    @property
    def query_end(self) -> int: ...
    @property
    def cigar(self) -> str | None: ...
    @property
    def operations(self) -> list[tuple[int, str]] | None: ...
    @property
    def packed(self) -> memoryview | None: ...
    @property
    def matches(self) -> int | None: ...
    @property
    def mismatches(self) -> int | None: ...
    @property
    def inserted(self) -> int | None: ...
    @property
    def deleted(self) -> int | None: ...
    @property
    def gaps(self) -> int | None: ...
    @property
    def identity(self) -> float | None: ...
    @property
    def gap_compressed_identity(self) -> float | None: ...

class Batch(Generic[Result]):
    """With on_error="return" errors come among the results, which no type says."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Result: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    def close(self) -> None: ...

class Device:
    def __init__(
        self,
        selector: str | int = "auto",
        *,
        require_gpu: bool = False,
        threads: int = 0,
        cache_dir: str | PathLike[str] | None = None,
    ) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    def close(self) -> None: ...
    @property
    def info(self) -> DeviceInfo: ...
    @property
    def infos(self) -> list[DeviceInfo]: ...
    def distance(
        self,
        target: Bases,
        query: Bases,
        *,
        scoring: str | None = None,
        max_distance: int | None = None,
        alphabet: Alphabet = "dna",
        engine: Engine = "auto",
        progress: Watcher | None = None,
        score: str | None = None,
    ) -> Distance: ...
    def align(
        self,
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
    ) -> Alignment: ...
    @overload
    def batch(
        self,
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
    ) -> Batch[Alignment]: ...
    @overload
    def batch(
        self,
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
    ) -> Batch[Alignment]: ...
    @overload
    def batch(
        self,
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
    ) -> Batch[Distance]: ...
    def distances(
        self,
        targets: Rows,
        queries: Rows,
        *,
        scoring: str | None = None,
        max_distance: int | None = None,
        alphabet: Alphabet = "dna",
        score: str | None = None,
    ) -> array[int]: ...
    def matrix(
        self,
        sequences: Iterable[Bases],
        *,
        scoring: str | None = None,
        max_distance: int | None = None,
        alphabet: Alphabet = "dna",
        progress: Callable[[MatrixProgress], object] | None = None,
        score: str | None = None,
    ) -> memoryview: ...

def devices() -> list[DeviceInfo]: ...
def read(path: str | PathLike[str], region: str | None = None) -> Sequence: ...
def read_all(path: str | PathLike[str]) -> list[Sequence]: ...
def report(
    paf: str | PathLike[str],
    target: str | PathLike[str],
    query: str | PathLike[str],
    *,
    min_identity: float | None = None,
    alphabet: Alphabet = "dna",
) -> dict[str, Any]: ...
def version() -> str: ...
