# SPDX-License-Identifier: MIT
"""tests/measure.py PROGRAM C [PAIRS]: seconds of a million pairs of 150 bp at 5 % of errors, or of PAIRS,
from Python, by the program `rhomb` and from C (`many_pairs` of bench/, in turns with Python), medians of
five runs; and those of an import. Needs NumPy."""

import os
import statistics
import subprocess
import sys
import tempfile
import time


def cpu(process):
    """CPU seconds of a running process."""
    with open(f"/proc/{process}/stat") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def in_turns(*calls):
    """Medians of five runs of each call, wall and CPU seconds; (call, process): of another process."""
    runs = [[] for _ in calls]
    for _ in range(5):
        for call, seconds in zip(calls, runs):
            call, process = call if isinstance(call, tuple) else (call, os.getpid())
            begin, begin_cpu = time.perf_counter(), cpu(process)
            call()
            seconds.append((time.perf_counter() - begin, cpu(process) - begin_cpu))
    return [tuple(round(statistics.median(of), 3) for of in zip(*seconds)) for seconds in runs]


def median(call):
    return in_turns(call)[0][0]


def main(program, many_pairs, count):
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

    distance = sum(rhomb.distances(targets, queries))
    assert read() == distance  # and kernels are built
    read(cigar=True)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bases")
        with open(path, "wb") as file:
            file.write(targets.tobytes() + queries.tobytes())
        with subprocess.Popen([many_pairs, path, "150"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as c:
            def ask():
                c.stdin.write(b"\n")
                c.stdin.flush()
                assert int(c.stdout.readline()) == distance

            ask()
            for name, (wall, used) in zip(("C", "batch", "distances"), in_turns(
                    (ask, c.pid), read, lambda: rhomb.distances(targets, queries))):
                print(name, wall, "CPU", used)
            c.stdin.close()
        print("batch, CIGARs", median(lambda: read(cigar=True)))
        path = os.path.join(folder, "pairs.seq")
        with open(path, "wb") as file:
            file.writelines(b">%s\n<%s\n" % (query, target) for target, query in pairs)
        for options in ([], ["--cigar"]):
            command = [program, "batch", "--quiet", *options, path, "-o", path + ".tsv"]
            print("rhomb batch", *options, median(lambda: subprocess.run(command, check=True)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000)
