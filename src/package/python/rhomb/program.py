# SPDX-License-Identifier: MIT
"""The program `rhomb`, which the package has: the command of that name, and what is composed in it.

Its standard library is imported when it is needed: an import of the package stays short.
"""

import os
import sys
from collections import namedtuple

from . import drivers, errors
from ._rhomb import Device

Rearrangement = namedtuple("Rearrangement", "type target target_begin target_end query query_begin "
                                            "query_end strand bases")
Rearrangement.__doc__ = """A rearrangement, or a large insertion, deletion or replacement: its type, such
as "inversion"; the records and the positions, in bases from 0, the end exclusive; the strand of the
query, "+" or "-"; its length in bases.

>>> rhomb.Rearrangement("deletion", "chr1", 100, 900, "q", 100, 100, "+", 800).bases
800
"""


class Comparison:
    """How two genomes differ, as `compare()` found.

    folder            where the results are
    files             their paths by name: "alignments.paf", "variants.vcf", "rearrangements.tsv",
                      "report.txt", "report.json", and "report.html" if the program has plots
    report            what report.json says, a dict: all of what `report()` returns, and more
    rearrangements    a list of `Rearrangement`
    summary           what the program says in the end, a few lines
    messages          its notes and warnings, a list of str

    >>> found = rhomb.compare(target, query, folder)
    >>> found.rearrangements[0].type, found.report["similar"]["snps"]
    ('inversion', 9)
    """

    def __init__(self, folder, summary, messages):
        import json

        self.folder = folder
        self.files = {name: os.path.join(folder, name) for name in sorted(os.listdir(folder))}
        self.summary = summary
        self.messages = messages
        with open(self.files["report.json"], encoding="utf-8", errors="surrogateescape") as file:
            self.report = json.load(file)
        with open(self.files["rearrangements.tsv"], encoding="utf-8",
                  errors="surrogateescape") as file:
            rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        self.rearrangements = [
            Rearrangement(*(int(cell) if name.endswith(("_begin", "_end", "bases")) else cell
                            for name, cell in zip(Rearrangement._fields, row))) for row in rows]

    def __repr__(self):
        count = len(self.rearrangements)
        return (f"<rhomb.Comparison {self.folder!r}: ANI {100 * self.report['headline']['ani']:.4g} %, "
                f"{count} rearrangement{'s' * (count != 1)}>")


def find():
    """The path of the program: the package's own or, in a package without it, that in PATH."""
    import shutil

    path = shutil.which("rhomb", path=os.path.join(os.path.dirname(__file__), "bin"))
    path = path or shutil.which("rhomb")
    if path is None:
        raise errors.Error("this package was built without the program rhomb, and PATH has none")
    return path


def _failure(code, messages):
    """The exception of a program that failed: its messages from the error on, without a hint at
    its help."""
    begin = next((i for i, text in enumerate(messages) if text.startswith("error: ")), 0)
    lines = [text for text in messages[begin:] if not text.startswith("try 'rhomb help")]
    message = "\n".join(lines) or f"rhomb ended with {code}"
    return errors.of_program(code, message.replace("error: ", "", 1))


def _run(*arguments):
    """Runs the program: what it prints, and its messages."""
    import subprocess

    with drivers.environment() as environment, subprocess.Popen(
            [find(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment, encoding="utf-8",
            errors="surrogateescape") as process:
        try:
            printed, messages = process.communicate()
        except BaseException:
            process.terminate()  # it leaves nothing, or what `resume` needs
            process.wait()
            raise
    messages = [line[len("rhomb: "):] if line.startswith("rhomb: ") else line
                for line in messages.splitlines()]
    if process.returncode != 0:
        raise _failure(process.returncode, messages)
    return printed, messages


def compare(target, query, output, *, scoring=None, min_identity=None, threads=0, resume=False,
            score=None, device=None):
    """How two genomes differ, as `rhomb compare` says it: alignments, variants, rearrangements and a
    report, which are put into a folder; a `Comparison`. The program runs, as a process of its own.

    target, query    the files of two assemblies, FASTA or FASTQ, plain, gzip or bgzip
    output           the folder, which appears once it is complete; it must not be there, or be empty
    scoring, score   what mismatches and gaps cost, such as "affine:4,6,2" or "edit", which is
                     faster; None: "wfa", which is affine:4,6,2
    min_identity     of similar segments, above 0 and below 1; None: 0.8
    threads          of the host; 0: one for each core, at most 16
    resume           keep what is complete in OUTPUT.partial if the run is stopped, and go on with it
                     the next time
    device           what `Device()` takes, such as "gpu" or "0,1"; or a `Device`, whose devices the
                     program opens for itself; None: "auto"

    Control-C stops the program, and KeyboardInterrupt is raised.

    Raises ArgumentError, also if the folder is there; InputError if a file is missing, damaged or
    has other characters than bases; DeviceError, OutOfMemoryError, and Error if the results cannot
    be written or the package lacks the program.

    >>> found = rhomb.compare(target, query, another_folder)
    >>> [(event.type, event.strand) for event in found.rearrangements], list(found.files)[0]
    ([('inversion', '-')], 'alignments.paf')
    """
    if scoring is not None and score is not None:
        raise errors.ArgumentError("score is another name of scoring: give one of them")
    scoring = score if scoring is None else scoring
    if isinstance(device, Device):
        device = ",".join(str(info.number) for info in device.infos)
    folder = os.fsdecode(output)
    options = [f"--output={folder}"]
    if device is not None:
        options.append(f"--device={device}")
    if scoring is not None:
        options.append(f"--score={scoring}")
    if min_identity is not None:
        options.append(f"--min-identity={100 * min_identity:.12g}")
    if threads != 0:
        options.append(f"--threads={threads}")
    if resume:
        options.append("--resume")
    return Comparison(folder, *_run("compare", *options, "--", os.fsdecode(target),
                                    os.fsdecode(query)))


def main():
    """The command `rhomb`."""
    import signal
    import subprocess

    with drivers.environment() as environment:
        process = subprocess.Popen([find(), *sys.argv[1:]], env=environment)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: process.send_signal(number))
        code = process.wait()
    sys.exit(code if code >= 0 else 128 - code)
