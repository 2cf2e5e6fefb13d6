# SPDX-License-Identifier: MIT
from os import PathLike
from typing import Any, NamedTuple, NoReturn

from ._rhomb import Device

class Rearrangement(NamedTuple):
    type: str
    target: str
    target_begin: int
    target_end: int
    query: str
    query_begin: int
    query_end: int
    strand: str
    bases: int

class Comparison:
    folder: str
    files: dict[str, str]
    report: dict[str, Any]
    rearrangements: list[Rearrangement]
    summary: str
    messages: list[str]
    def __init__(self, folder: str, summary: str, messages: list[str]) -> None: ...

def find() -> str: ...
def compare(
    target: str | bytes | PathLike[str] | PathLike[bytes],
    query: str | bytes | PathLike[str] | PathLike[bytes],
    output: str | bytes | PathLike[str] | PathLike[bytes],
    *,
    scoring: str | None = None,
    min_identity: float | None = None,
    threads: int = 0,
    resume: bool = False,
    score: str | None = None,
    device: Device | str | int | None = None,
) -> Comparison: ...
def main() -> NoReturn: ...
