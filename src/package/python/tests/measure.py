# SPDX-License-Identifier: MIT
"""tests/measure.py PROGRAM C [PAIRS [CSV]]: seconds of a million pairs of 150 bp at 5 % of errors, or of
PAIRS, from Python, by the program `rhomb` and from C (`many_pairs` of bench/, in turns with Python), medians
of five runs; those of an import; and of a thousand calls for one short pair, so a call's milliseconds. With CSV, appends them to that file. Needs NumPy."""

import csv
import datetime
import os
import statistics
import subprocess
import sys
import tempfile
import time


def cpu(process):
    """CPU seconds of a running process and of its children that ended."""
    with open(f"/proc/{process}/stat") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")


def in_turns(*calls):
    """Five runs of each call, wall and CPU seconds; (call, process): of another process."""
    runs = [[] for _ in calls]
    for _ in range(5):
        for call, seconds in zip(calls, runs):
            call, process = call if isinstance(call, tuple) else (call, os.getpid())
            begin, begin_cpu = time.perf_counter(), cpu(process)
            call()
            seconds.append((time.perf_counter() - begin, cpu(process) - begin_cpu))
    return runs


def git(*arguments):
    done = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip()


class Table:
    """Prints rows, and appends them to a CSV file if there is one."""

    def __init__(self, path, count):
        import rhomb

        with open("/proc/cpuinfo") as file:
            cpus = [line.split(": ")[1].strip() for line in file if line.startswith("model name")]
        info = rhomb.Device().info
        self.path = path
        self.same = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "commit": git("describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"),
                     "version": rhomb.__version__,
                     "machine": f"{cpus[0]}, {len(cpus)} cores", "device": info.name,
                     "driver": info.driver_version, "platform": info.platform,
                     "python": sys.version.split()[0], "pairs": count}

    def add(self, case, runs, beside=None):
        """`beside`: runs of what this is compared with, in the same turns."""
        wall, used = ([run[i] for run in runs] for i in (0, 1))
        row = {"case": case, "runs": len(runs), "wall_median_seconds": statistics.median(wall),
               "wall_min_seconds": min(wall), "cpu_median_seconds": statistics.median(used),
               "cpu_min_seconds": min(used), "times_c": "", "cpu_times_c": ""}
        if beside is not None:
            for i, name in enumerate(("times_c", "cpu_times_c")):
                row[name] = statistics.median(run[i] / other[i] for run, other in zip(runs, beside))
        row = {name: round(value, 4) if isinstance(value, float) else value for name, value in row.items()}
        print(*(f"{name} {value}" for name, value in row.items() if value != ""))
        if self.path is not None:
            row = {**self.same, **row, "command": " ".join(["measure.py", "PROGRAM", "C", *sys.argv[3:4]])}
            with open(self.path, "a", newline="") as file:
                writer = csv.DictWriter(file, row, lineterminator="\n")
                if file.tell() == 0:
                    writer.writeheader()
                writer.writerow(row)


def start(code):
    subprocess.run([sys.executable, "-c", code], check=True)


def main(program, many_pairs, count, path):
    table = Table(path, count)
    codes = ("", "import rhomb")
    for code, seconds in zip(codes, in_turns(*(lambda code=code: start(code) for code in codes))):
        table.add(f"python -c '{code}'", seconds)
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
            runs = in_turns((ask, c.pid), read, lambda: rhomb.distances(targets, queries))
            for name, seconds in zip(("C", "batch()", "distances()"), runs):
                table.add(name, seconds, runs[0])
            c.stdin.close()
        for length in (1000, 10_000):
            target, query = (bytes(rows.reshape(-1)[:length]) for rows in (targets, queries))
            for call in (rhomb.distance, rhomb.align):
                table.add(f"1000 {call.__name__}() of {length} bp", *in_turns(
                    lambda call=call: [call(target, query) for _ in range(1000)]))
        table.add("batch(cigar=True)", *in_turns(lambda: read(cigar=True)))
        path = os.path.join(folder, "pairs.seq")
        with open(path, "wb") as file:
            file.writelines(b">%s\n<%s\n" % (query, target) for target, query in pairs)
        for options in ([], ["--cigar"]):
            command = [program, "batch", "--quiet", *options, path, "-o", path + ".tsv"]
            table.add(" ".join(["rhomb batch", *options]),
                      *in_turns(lambda: subprocess.run(command, check=True)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000,
         sys.argv[4] if len(sys.argv) > 4 else None)
