# SPDX-License-Identifier: MIT
"""tests/measure.py PROGRAM [PAIRS]: seconds of a million pairs of 150 bp at 5 % of errors, or of PAIRS,
from Python and by the program `rhomb`, medians of five runs; and those of an import. Needs NumPy."""

import os
import statistics
import subprocess
import sys
import tempfile
import time


def median(call):
    seconds = []
    for _ in range(5):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def main(program, count):
    print("import rhomb", round(median(lambda: subprocess.run([sys.executable, "-c", "import rhomb"]))
                                - median(lambda: subprocess.run([sys.executable, "-c", ""])), 4))
    import numpy
    import rhomb

    rng = numpy.random.default_rng(1)
    bases = numpy.frombuffer(b"ACGT", "u1")
    targets = bases[rng.integers(0, 4, (count, 150))]
    changed = rng.random(targets.shape) < 0.05
    queries = numpy.where(changed, bases[rng.integers(0, 4, targets.shape)], targets)
    pairs = [(t.tobytes(), q.tobytes()) for t, q in zip(targets, queries)]

    def read(**options):
        return sum(result.distance for result in rhomb.batch(pairs, **options))

    assert read() == sum(rhomb.distances(targets, queries))  # and kernels are built
    read(cigar=True)
    print("batch", round(median(read), 3))
    print("batch, CIGARs", round(median(lambda: read(cigar=True)), 3))
    print("distances", round(median(lambda: rhomb.distances(targets, queries)), 3))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pairs.seq")
        with open(path, "wb") as file:
            file.writelines(b">%s\n<%s\n" % (query, target) for target, query in pairs)
        for options in ([], ["--cigar"]):
            command = [program, "batch", "--quiet", *options, path, "-o", path + ".tsv"]
            print("rhomb batch", *options, round(median(lambda: subprocess.run(command, check=True)), 3))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000)
