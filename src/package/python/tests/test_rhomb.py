# SPDX-License-Identifier: MIT
"""Tests of the installed package: python -m unittest test_rhomb. They need an OpenCL device, except
for Imports; NumPy is used where there is one."""

import array
import doctest
import gc
import inspect
import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import rhomb

try:
    import numpy
except ImportError:
    numpy = None


def random_pair(length, seed=1, edits=0.1):
    rng = random.Random(seed)
    target = "".join(rng.choice("ACGT") for _ in range(length))
    query = []
    for base in target:
        kind = rng.random()
        if kind >= edits:
            query.append(base)
        elif kind < edits / 2:
            query.append(rng.choice("ACGT"))
        elif kind < edits * 3 / 4:
            query.append(base + rng.choice("ACGT"))
    return target, "".join(query)


def textbook(target, query):
    """The edit distance, row by row."""
    row = list(range(len(target) + 1))
    for i, q in enumerate(query, 1):
        diagonal, row[0] = row[0], i
        for j, t in enumerate(target, 1):
            diagonal, row[j] = row[j], min(diagonal + (q != t), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def cost_of(alignment, target, query):
    """What the path costs in edits, if it is one."""
    j, i, cost = alignment.target_begin, alignment.query_begin, 0
    for length, letter in alignment.operations:
        t, q = target[j:j + length], query[i:i + length]
        if letter == "=":
            assert t == q
        elif letter == "X":
            assert all(a != b for a, b in zip(t, q))
        j += length * (letter != "I")
        i += length * (letter != "D")
        cost += length * (letter != "=")
    assert (j, i) == (alignment.target_end, alignment.query_end)
    return cost


def reversed_of(text):
    return text[::-1].translate(str.maketrans("ACGT", "TGCA"))


# Two long random sequences, which take a second and more; the wavefront takes a minute of CPU.
def slow_pair():
    return (random_pair(400_000, seed)[0] for seed in (1, 2))


class Pairs(unittest.TestCase):
    def test_distance_and_alignment(self):
        for seed in range(20):
            target, query = random_pair(50 + 10 * seed, seed)
            expected = textbook(target, query)
            result = rhomb.distance(target, query)
            self.assertEqual((result.distance, int(result)), (expected, expected), (target, query))
            self.assertEqual((result.target_length, result.query_length),
                             (len(target), len(query)))
            self.assertAlmostEqual(result.similarity, 1 - expected / max(len(target), len(query)))
            alignment = rhomb.align(target, query)
            self.assertEqual(alignment.distance, expected)
            self.assertEqual(cost_of(alignment, target, query), expected)
            self.assertEqual(alignment.mismatches + alignment.inserted + alignment.deleted,
                             expected)
            self.assertEqual(alignment.identity, alignment.matches / (alignment.matches + expected))

    def test_engine_of_short(self):
        """Short pairs are swept at once, which takes less than a wavefront's start."""
        short, long = random_pair(300), random_pair(40_000, edits=0.001)
        for call in (rhomb.distance, rhomb.align):
            self.assertEqual((call(*short).engine, call(*long).engine), ("bitparallel", "wavefront"))
        self.assertEqual(rhomb.distance(*short, engine="wavefront").engine, "wavefront")
        self.assertEqual(rhomb.distance(*short, max_distance=1).distance, None)
        for pair in (short, long):
            found = {rhomb.distance(*pair, engine=engine).distance
                     for engine in ("auto", "wavefront", "bitparallel")}
            self.assertEqual(len(found), 1)

    def test_small(self):
        alignment = rhomb.align("ACGTACGT", "ACGACCT", scoring="affine:4,6,2")
        self.assertEqual(alignment.distance, 12)
        self.assertEqual(alignment.cigar, "3=1D2=1X1=")
        self.assertEqual(alignment.operations,
                         [(3, "="), (1, "D"), (2, "="), (1, "X"), (1, "=")])
        self.assertEqual(list(alignment.packed), [55, 18, 39, 24, 23])
        self.assertEqual((alignment.matches, alignment.mismatches, alignment.inserted,
                          alignment.deleted, alignment.gaps), (6, 1, 0, 1, 1))
        self.assertEqual(alignment.gap_compressed_identity, 0.75)
        self.assertIsNone(alignment.similarity)
        self.assertIsNone(alignment.score)
        self.assertEqual(rhomb.align("", "").cigar, "")
        self.assertEqual(rhomb.align("A", "").cigar, "1D")
        scored = rhomb.align("ACGT", "ACGT", scoring="match:2,4,4,2")
        self.assertEqual((scored.distance, scored.score), (0, 8))

    def test_local(self):
        local = rhomb.align("TTACGTACGTGG", "ACGTACGT", scoring="match:2,4,4,2", mode="local")
        self.assertEqual((local.score, local.cigar, local.target_begin, local.target_end,
                          local.query_begin, local.query_end), (16, "8=", 2, 10, 0, 8))
        self.assertEqual((local.target_length, local.distance), (12, None))

    def test_limit(self):
        for call in (rhomb.distance, rhomb.align):
            result = call("AAAA", "CCCC", max_distance=3)
            self.assertEqual((result.distance, result.similarity), (None, None))
            with self.assertRaises(ValueError):
                int(result)
        self.assertIsNone(rhomb.align("AAAA", "CCCC", max_distance=3).cigar)
        self.assertEqual(rhomb.distance("AAAA", "CCCC", max_distance=4).distance, 4)

    def test_kinds_of_sequences(self):
        class Seq:  # as Biopython's
            def __bytes__(self):
                return b"ACGT"

        kinds = ["ACGT", b"ACGT", bytearray(b"ACGT"), memoryview(b"ACGT"),
                 array.array("B", b"ACGT"), memoryview(b"AxCxGxTx")[::2], Seq()]
        if numpy:
            kinds += [numpy.frombuffer(b"ACGT", "u1"), numpy.frombuffer(b"AxCxGxTx", "S1")[::2],
                      numpy.frombuffer(b"TGCA", "i1")[::-1]]
        for kind in kinds:
            self.assertEqual(rhomb.distance(kind, "AGGT").distance, 1, kind)
            self.assertEqual([r.distance for r in rhomb.batch([("AGGT", kind)])], [1], kind)
            self.assertEqual(list(rhomb.distances([kind], ["AGGT"])), [1], kind)
        wrong = [1, None, ["A"], array.array("i", [1]), 1.5]
        if numpy:
            wrong += [numpy.zeros((2, 2), "u1"), numpy.zeros(2)]
        for kind in wrong:
            with self.assertRaises(TypeError, msg=kind):
                rhomb.distance(kind, "A")
        with self.assertRaises(ValueError):
            rhomb.distance("\u00c4", "A", alphabet="bytes")
        self.assertEqual(rhomb.distance(b"\0\xff", b"\0\xfe", alphabet="bytes").distance, 1)

    def test_uracil(self):
        rna, dna = "ACGUACGuUGGA", "ACGTACGTTGGA"
        self.assertEqual(rhomb.distance(rna, dna).distance, 0)
        self.assertEqual(rhomb.distance(rna, dna, alphabet="bytes").distance, 3)
        self.assertEqual(rhomb.align(rna, dna).cigar, "12=")
        self.assertEqual(rhomb.align(rna, dna, alphabet="bytes").cigar, "3=1X3=2X3=")
        self.assertEqual(list(rhomb.distances([rna], [dna])), [0])
        self.assertEqual(rhomb.matrix([rna, dna])[1, 0], 0)

    def test_iupac(self):
        site, primer = "ACGTACGTTGGA", "ACGYNMGTTGGN"
        self.assertEqual(rhomb.distance(site, primer).distance, 4)
        self.assertEqual(rhomb.distance(site, primer, alphabet="iupac").distance, 0)
        self.assertEqual(rhomb.align(site, primer, alphabet="iupac").cigar, "12=")
        found = rhomb.align("TTT" + site + "CCC", primer, alphabet="iupac", mode="infix")
        self.assertEqual((found.distance, found.target_begin), (0, 3))
        self.assertEqual(list(rhomb.distances([site], [primer], alphabet="iupac")), [0])
        self.assertEqual(rhomb.matrix([site, primer], alphabet="iupac")[1, 0], 0)

    def test_protein(self):
        target, query = "MKVLAAGIVGLCAKAYLELW", "mkvlaagwglcakayleiw"
        self.assertEqual(rhomb.distance(target, query, alphabet="protein").distance, 3)
        blosum = {"score": "matrix:BLOSUM62,11,1", "alphabet": "protein"}
        found = rhomb.align(target, query, **blosum)
        self.assertEqual((found.score, found.cigar), (78, "7=1D1X9=1X1="))
        self.assertEqual(rhomb.distance(target, query, **blosum).score, 78)
        self.assertEqual(rhomb.align(target, query, mode="local", **blosum).score, 78)
        self.assertEqual([r.score for r in rhomb.batch([(target, query), ("W", "W")], **blosum)], [78, 11])
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("  L  A\nL 5 -1\nA -1 2\n")
            file.flush()
            own = f"matrix:{file.name},3,1"
            self.assertEqual(rhomb.align("ALA", "LA", score=own, alphabet="protein").score, 3)
            with self.assertRaisesRegex(rhomb.AlphabetError, "'R' at position 2 has no scores"):
                rhomb.align("AR", "LA", score=own, alphabet="protein")
            file.write("R 1 2\n")
            file.flush()
            with self.assertRaisesRegex(rhomb.InputError, "line 4: expected a row"):
                rhomb.align("ALA", "LA", score=own, alphabet="protein")
        with self.assertRaisesRegex(rhomb.ArgumentError, 'needs the alphabet "protein"'):
            rhomb.align(target, query, score="matrix:BLOSUM62,11,1")
        with self.assertRaisesRegex(rhomb.AlphabetError, 'alphabet "protein" is for proteins'):
            rhomb.align(target, query)

    def test_errors(self):
        with self.assertRaisesRegex(rhomb.AlphabetError, "position 3") as caught:
            rhomb.distance("AC!T", "ACGT")
        self.assertEqual(caught.exception.status, "RHOMB_ERR_ALPHABET")
        for options in ({"scoring": "x"}, {"scoring": 4}, {"alphabet": "rna"}, {"engine": "x"},
                        {"max_distance": -1}):
            with self.assertRaises(rhomb.ArgumentError, msg=options) as caught:
                rhomb.distance("A", "A", **options)
            self.assertIsInstance(caught.exception, (rhomb.Error, ValueError))
        with self.assertRaises(rhomb.NoDeviceError):
            rhomb.Device("no device has this name")
        with self.assertRaises(TypeError):
            rhomb.distance("A", "A", max_distance="3")
        for call, arguments in ((rhomb.distance, ("A", "A")), (rhomb.align, ("A", "A")),
                                (rhomb.batch, ([("A", "A")],)), (rhomb.distances, (["A"], ["A"]))):
            for device in (5, 0, "pocl", rhomb.Device):
                with self.assertRaisesRegex(TypeError, "a device is a rhomb.Device, not"):
                    call(*arguments, device=device)
        self.assertEqual(rhomb.distance("ACGT", "ACGT").distance, 0)

    def test_results_are_values(self):
        for result in (rhomb.distance("ACGT", "AGT"), rhomb.align("ACGT", "AGT")):
            copy = pickle.loads(pickle.dumps(result))
            self.assertEqual(copy, result)
            self.assertEqual(hash(copy), hash(result))
            self.assertEqual(repr(copy), repr(result))
            with self.assertRaises(AttributeError):
                result.distance = 3
            with self.assertRaises(TypeError):
                result.__setstate__(rhomb.align("AA", "A").__reduce__()[1][1])
            with self.assertRaises(TypeError):
                type(result)()
        self.assertNotEqual(rhomb.align("ACGT", "AGT"), rhomb.distance("ACGT", "AGT"))
        self.assertNotEqual(rhomb.align("ACGT", "AGT"), rhomb.align("ACGT", "ACT"))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.fa")
            with open(path, "w") as file:
                file.write(">one x\nACGT\nACGT\n>two\n\n")
            sequence = rhomb.read(path, "one:3-6")
            self.assertEqual((sequence.name, len(sequence), bytes(sequence)),
                             ("one:3-6", 4, b"GTAC"))
            self.assertEqual(bytes(memoryview(sequence)), b"GTAC")
            self.assertEqual(bytes(rhomb.read(path, "two")), b"")
            self.assertEqual(rhomb.distance(sequence, "GTTC").distance, 1)
            with self.assertRaises(rhomb.InputError):
                rhomb.read(path, "three")
            for region in (1, b"one", ["one"]):
                with self.assertRaisesRegex(TypeError, "a region is a str"):
                    rhomb.read(path, region)
        with self.assertRaises(OSError):
            rhomb.read(path)


class Calls(unittest.TestCase):
    def test_progress(self):
        told = []
        target, query = slow_pair()
        sequence = bytearray(target.encode())

        def stop(progress):
            told.append(progress)
            with self.assertRaises(BufferError):  # it is lent, not copied
                sequence.append(65)
            with self.assertRaises(rhomb.DeviceError):
                rhomb.distance("A", "A")
            if progress.fraction > 0.01:
                raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            rhomb.distance(sequence, query, progress=stop)
        self.assertIsInstance(told[0], rhomb.Progress)
        self.assertLessEqual(told[-1].lower_bound, told[-1].upper_bound)
        sequence.append(65)
        self.assertEqual(rhomb.distance("A", "AC").distance, 1)

    def interrupt(self, call):
        """Control-C while `call` works: the call that is told of it ends."""
        # A shell that runs this in the background has it ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        begin = time.process_time()
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                call()
        finally:
            timer.join()
        self.assertLess(time.process_time() - begin, 10)
        self.assertEqual(rhomb.distance("A", "AC").distance, 1)

    def test_control_c(self):
        target, query = slow_pair()
        self.interrupt(lambda: rhomb.distance(target, query, engine="wavefront"))
        self.interrupt(lambda: rhomb.align(target, query, engine="wavefront"))

    def test_control_c_in_a_batch(self):
        def endless():
            while True:
                yield "ACGTACGTACGT", "ACGTACCGTAGT"

        self.interrupt(lambda: sum(result.distance for result in rhomb.batch(endless())))

    def test_ranges(self):
        """As the same ranges cut out by hand; a row outside of its sequences is refused."""
        target, query = bytearray(b"ACGTTGCAAC" * 9), "TTGNACRTGU" * 9
        rows = [(0, 3, 40, 0, 5, 47, 1), (0, 0, 0, 0, 3, 3, -1), (0, 20, 90, 0, 0, 88, -1)]
        other = query.translate(str.maketrans("ACGTUR", "TGCAAY"))[::-1]
        wanted = [rhomb.align(target[3:40], query[5:47]), rhomb.align("", ""), rhomb.align(target[20:], other[2:])]
        for given in rows, [row[:6] + ("-" if row[6] < 0 else "+",) for row in rows]:
            found = rhomb.align_ranges([target], {0: query}, given)
            self.assertEqual([result.distance for result in found], [result.distance for result in wanted])
        for row in (0, 3, 91, 0, 0, 1, 1), (0, 5, 3, 0, 0, 1, 1), (0, 0, 1, 0, -1, 1, 1):
            with self.assertRaises(rhomb.ArgumentError):
                list(rhomb.align_ranges([target], [query], [row]))

    def test_gil_is_released(self):
        target, query = slow_pair()
        counted = 0

        def stop(progress):
            if counted > 1000:
                raise KeyError
        done = threading.Event()

        def count():
            nonlocal counted
            while not done.is_set():
                counted += 1

        thread = threading.Thread(target=count)
        thread.start()
        try:
            with self.assertRaises(KeyError):
                rhomb.distance(target, query, progress=stop)
        finally:
            done.set()
            thread.join()

    def test_threads_take_turns(self):
        pairs = [random_pair(100, seed) for seed in range(8)]
        expected = [textbook(*pair) for pair in pairs]
        found = [[] for _ in range(4)]

        def work(mine):
            mine.extend(rhomb.distance(*pair).distance for pair in pairs)
            mine.extend(result.distance for result in rhomb.batch(pairs))

        threads = [threading.Thread(target=work, args=(mine,)) for mine in found]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected * 2] * 4)

    def test_device(self):
        with rhomb.Device(cache_dir="off", threads=1) as device:
            self.assertEqual(device.distance("ACGT", "AGT").distance, 1)
            self.assertIn(device.info.name, [info.name for info in rhomb.devices()])
            self.assertEqual(device.infos, [device.info])
            results = device.batch([("A", "C")])
            self.assertEqual(rhomb.align("ACGT", "AGT", device=device).cigar, "1=1D2=")
        with self.assertRaisesRegex(rhomb.DeviceError, "closed"):
            device.distance("A", "A")
        with self.assertRaisesRegex(rhomb.DeviceError, "closed"):
            next(results)
        device.close()

    def test_signatures(self):
        """The functions have the arguments of the methods, and `device` besides."""
        for name in ("distance", "align", "batch", "distances", "matrix"):
            function = inspect.signature(getattr(rhomb, name))
            method = inspect.signature(getattr(rhomb.Device, name))
            wanted = [(p.name, p.default) for p in method.parameters.values()
                      if p.name != "self"]
            self.assertEqual([(p.name, p.default) for p in function.parameters.values()
                              if p.name != "device"], wanted, name)

    def test_fork(self):
        rhomb.distance("A", "C")
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            try:
                rhomb.distance("A", "C")
            except rhomb.DeviceError as error:
                os._exit(0 if "fork" in str(error) else 2)
            os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(rhomb.distance("A", "C").distance, 1)


class Batches(unittest.TestCase):
    def setUp(self):
        self.pairs = [random_pair(20 + seed % 50, seed) for seed in range(300)]
        self.pairs += [("", ""), ("", "A"), ("ACN", "ACN")]
        self.expected = [textbook(*pair) for pair in self.pairs]

    def test_results(self):
        found = list(rhomb.batch(iter(self.pairs)))
        self.assertEqual([result.distance for result in found], self.expected)
        self.assertEqual({type(result) for result in found}, {rhomb.Distance})
        self.assertEqual(found[0].similarity, rhomb.distance(*self.pairs[0]).similarity)
        for result, pair, cost in zip(rhomb.batch(self.pairs, cigar=True), self.pairs,
                                      self.expected):
            self.assertEqual((cost_of(result, *pair), result.distance), (cost, cost))
        self.assertEqual(list(rhomb.batch([])), [])
        self.assertEqual([r.distance for r in rhomb.batch([("AA", "CC"), ("AA", "AC")],
                                                          max_distance=1)], [None, 1])

    def test_many(self):
        """More than the library has in flight; the source is read as results are taken."""
        taken = 0

        def source():
            nonlocal taken
            for number in range(200_000):
                taken += 1
                target, query = self.pairs[number % 300]
                yield target.encode(), bytearray(query.encode())  # which only the batch keeps

        results = rhomb.batch(source())
        for number, result in enumerate(results):
            self.assertEqual(result.distance, self.expected[number % 300])
            if number == 0:
                self.assertLess(taken, 200_000)
        self.assertEqual((number, taken), (199_999, 200_000))

    def test_other_calls_in_between(self):
        results = rhomb.batch(self.pairs * 60)
        others = rhomb.batch(self.pairs * 60)
        for number, result in enumerate(results):
            pair, cost = self.pairs[number % len(self.pairs)], self.expected[number % len(self.pairs)]
            self.assertEqual(result.distance, cost)
            if number % 500 == 0:
                self.assertEqual(rhomb.distance(*pair).distance, cost)
            self.assertEqual(next(others).distance, cost)

    def test_modes(self):
        options = {"scoring": "match:2,4,4,2", "cigar": True}
        for pair in self.pairs[:5]:
            local, = rhomb.batch([pair], mode="local", **options)
            alone = rhomb.align(*pair, mode="local", scoring="match:2,4,4,2")
            self.assertEqual((local.score, local.cigar, local.target_begin, local.query_end),
                             (alone.score, alone.cigar, alone.target_begin, alone.query_end))
        free, = rhomb.batch([("GGACGTACGT", "ACGTACGT")], mode="ends-free",
                            free_ends=(0, 0, 2, 0), **options)
        self.assertEqual((free.score, free.target_begin, free.distance), (16, 2, None))
        least, = rhomb.batch([("ACGT", "ACCT")], mode="ends-free", scoring="wfa")
        self.assertEqual((least.score, least.distance), (None, 4))
        extended, = rhomb.batch([("ACGTAAAA", "ACGTCCCC")], mode="extend", z_drop=10, end_bonus=1,
                                **options)
        self.assertEqual((extended.score, extended.target_end, extended.cigar), (8, 4, "4="))
        scored, = rhomb.batch([("ACGT", "ACGT")], scoring="match:2,4,4,2")
        self.assertEqual((scored.score, scored.distance, scored.similarity), (8, 0, None))
        with self.assertRaises(rhomb.ArgumentError):
            rhomb.batch([], mode="local")

    def test_errors(self):
        pairs = [("A", "C"), ("A!", "C"), ("AC", "C")]
        results = rhomb.batch(pairs)
        self.assertEqual(next(results).distance, 1)
        with self.assertRaisesRegex(rhomb.AlphabetError, "pair 1: target"):
            next(results)
        self.assertEqual(list(results), [])
        found = list(rhomb.batch(pairs, on_error="return"))
        self.assertEqual((found[0].distance, found[1].pair, found[2].distance), (1, 1, 1))
        self.assertIsInstance(found[1], rhomb.AlphabetError)

    def test_failing_source(self):
        def source(last):
            yield "A", "C"
            yield last
            raise KeyError("the source")

        for last, kind in ((("A", "A"), KeyError), (("A", 1), TypeError), (("A",), ValueError)):
            results = rhomb.batch(source(last))
            self.assertEqual(next(results).distance, 1)
            with self.assertRaises(kind):
                list(results)

    def test_early_end(self):
        with rhomb.batch(self.pairs * 100) as results:
            self.assertEqual(next(results).distance, self.expected[0])
        self.assertEqual(list(results), [])
        results = rhomb.batch(self.pairs * 100)
        next(results)
        del results
        results = rhomb.batch(results for results in self.pairs * 100)
        next(results)
        cycle = [results]
        cycle.append(cycle)
        del results, cycle
        gc.collect()
        self.assertEqual(rhomb.distance("A", "C").distance, 1)

    def test_dropped_while_others_work(self):
        with rhomb.Device() as device:
            stop = threading.Event()

            def work():
                while not stop.is_set():
                    device.distance("ACGT", "AGT")

            threads = [threading.Thread(target=work) for _ in range(2)]
            for thread in threads:
                thread.start()
            for _ in range(20):
                self.assertEqual(next(device.batch(self.pairs * 20)).distance, self.expected[0])
            stop.set()
            for thread in threads:
                thread.join()
            last = device.batch(self.pairs * 20)
            next(last)
        del last

    def test_distances(self):
        targets, queries = zip(*self.pairs)
        self.assertEqual(list(rhomb.distances(targets, queries)), self.expected)
        self.assertEqual(list(rhomb.distances([], [])), [])
        self.assertEqual(list(rhomb.distances(["AA", "A"], ["CC", "C"], max_distance=1)), [-1, 1])
        with self.assertRaises(rhomb.ArgumentError):
            rhomb.distances(["A"], [])
        with self.assertRaisesRegex(rhomb.AlphabetError, "1"):
            rhomb.distances(["A", "!"], ["A", "A"])
        if numpy:
            rows = numpy.frombuffer(b"ACGTxAGGTxAGCTx", "u1").reshape(3, 5)[:, :4]
            found = numpy.asarray(rhomb.distances(rows, ["ACGT"] * 3))
            self.assertEqual((found.dtype, found.tolist()), (numpy.dtype("i8"), [0, 1, 2]))
            with self.assertRaises(TypeError):
                rhomb.distances(rows[:, ::2], rows)


class Files(unittest.TestCase):
    """Files, all pairs, and what the package says of itself."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_all_records(self):
        path = self.write("some.fa", ">one first\nACGT\nAC\n>two\n\n>one\nggg\n")
        records = rhomb.read_all(path)
        self.assertEqual([(r.name, bytes(r)) for r in records],
                         [("one", b"ACGTAC"), ("two", b""), ("one", b"ggg")])
        self.assertEqual(rhomb.distance(records[0], "ACGTA").distance, 1)
        for wrong in ("", "ACGT\n", ">one\nAC\0GT\n"):
            with self.assertRaises(rhomb.InputError):
                rhomb.read_all(self.write("wrong.fa", wrong))
        with self.assertRaises(rhomb.InputError):
            rhomb.read_all(os.path.join(self.folder.name, "missing.fa"))

    def test_slices(self):
        text = random_pair(57)[0]
        record = rhomb.read(self.write("one.fa", f">one\n{text}\n"))
        rng = random.Random(3)
        ends = [None, *range(-60, 61, 7)]
        for _ in range(500):
            key = slice(rng.choice(ends), rng.choice(ends), rng.choice([None, 1, 2, -1, -3]))
            part = record[key]
            self.assertEqual((bytes(part).decode(), len(part)), (text[key], len(text[key])), key)
            self.assertEqual(bytes(part[1:4]).decode(), text[key][1:4], key)
        self.assertEqual([record[i] for i in range(-57, 57)], [text[i] for i in range(-57, 57)])
        for index in (57, -58):
            with self.assertRaises(IndexError):
                record[index]
        part = record[10:20]
        del record
        gc.collect()
        self.assertEqual(rhomb.distance(part, text[10:20]).distance, 0)
        self.assertEqual((part.name, repr(part)), ("one", "<rhomb.Sequence 'one' of 10 bases>"))

    def test_matrix(self):
        texts = [random_pair(length, length)[0] for length in (0, 1, 40, 41, 90, 300)]
        wanted = [[textbook(a, b) for b in texts] for a in texts]
        found = rhomb.matrix(texts)
        self.assertEqual((found.tolist(), found.shape), (wanted, (6, 6)))
        if numpy:
            self.assertEqual(numpy.asarray(found).tolist(), wanted)
        limited = [[d if d <= 60 else -1 for d in row] for row in wanted]
        self.assertEqual(rhomb.matrix(texts, max_distance=60).tolist(), limited)
        self.assertEqual(rhomb.matrix(iter(texts[:1])).tolist(), [[0]])
        self.assertEqual(rhomb.matrix(["ACGT", "AGT"], score="affine:4,6,2")[1, 0], 8)
        for wrong, error in (([], rhomb.ArgumentError), (["A", "!"], rhomb.AlphabetError),
                             (["A", 1], TypeError)):
            with self.assertRaises(error):
                rhomb.matrix(wrong)
        told = []
        rhomb.matrix(texts, progress=told.append)
        self.assertTrue(all(t.pairs == 15 for t in told))

        def stop(_):
            raise KeyError("stop")

        if told:
            with self.assertRaises(KeyError):
                rhomb.matrix(texts, progress=stop)

    def test_report(self):
        text = random_pair(5000)[0]
        other = text[:1000] + "ACGT"["ACGT".index(text[1000]) - 1] + text[1001:3000] + text[3020:]
        target, query = self.write("t.fa", f">t\n{text}\n"), self.write("q.fa", f">q\n{other}\n")
        path = rhomb.align(text, other, scoring="affine:4,6,2")
        row = ["q", len(other), 0, len(other), "+", "t", len(text), 0, len(text), path.matches,
               path.matches + path.mismatches + path.deleted, 255, "cg:Z:" + path.cigar]
        paf = self.write("out.paf", "\t".join(map(str, row)) + "\n")
        found = rhomb.report(paf, target, query)
        similar = found["similar"]
        self.assertEqual((similar["snps"], similar["deletions"], similar["insertions"]["count"],
                          found["target"]["bases"], found["records"]),
                         (1, {"count": 1, "bases": 20}, 0, 5000, 1))
        headline = rhomb.report(paf, target, query, min_identity=0.9)["headline"]
        self.assertEqual(headline["least_identity"], 0.9)
        for wrong in (0, 1, -1, 2):
            with self.assertRaises(rhomb.ArgumentError):
                rhomb.report(paf, target, query, min_identity=wrong)
        for wrong in ((target, target, query), (paf, query, target), (paf, target, "missing")):
            with self.assertRaises(rhomb.InputError):
                rhomb.report(*wrong)

    def test_modes(self):
        target, query = "TTACGTACGTGG", "ACGTCGT"
        infix, everywhere = (0, 0, 12, 12), (7, 7, 12, 12)
        for mode, ends, free, scored_free in (
                ("infix", None, infix, infix), ("prefix", None, (0, 0, 0, 12), (0, 0, 0, 12)),
                ("ends-free", "all", everywhere, everywhere),
                ("ends-free", (0, 0, "all", 2), (0, 0, 12, 2), (0, 0, 12, 2)),
                ("ends-free", None, infix, everywhere)):
            for scoring in (None, "match:2,4,4,2"):
                numbers = scored_free if scoring else free
                wanted = rhomb.align(target, query, mode="ends-free", free_ends=numbers, score=scoring)
                long = rhomb.align(target, query, mode=mode, free_ends=ends, score=scoring)
                short, = rhomb.batch([(target, query)], mode=mode, free_ends=ends, scoring=scoring,
                                     cigar=True)
                for field in ("distance", "score", "cigar", "target_begin", "target_end",
                              "query_begin", "query_end", "similarity"):
                    for found in (long, short):
                        self.assertEqual(getattr(found, field), getattr(wanted, field),
                                         (mode, ends, scoring, field))
        found = rhomb.align("ACGTACGTTT", "ACGTACGG", mode="extend", scoring="match:2,4,4,2")
        self.assertEqual((found.score, found.cigar), (14, "7="))

    def test_options_of_other_modes(self):
        """They are refused by name, as those that no mode has."""
        for mode, option, value in (
                ("global", "free_ends", "all"), ("infix", "free_ends", (0, 0, 0, 0)),
                ("local", "free_ends", "all"), ("global", "z_drop", 100), ("ends-free", "z_drop", 100),
                ("global", "end_bonus", 5), ("prefix", "end_bonus", 5), ("ends-free", "free_ends", "outfix"),
                ("outfix", "mode", "outfix")):
            options = {"scoring": "match:2,4,4,2", "mode": mode, option: value}
            with self.assertRaisesRegex(rhomb.ArgumentError, f"^{option} "):
                rhomb.align("ACGT", "ACGT", **options)
            with self.assertRaisesRegex(rhomb.ArgumentError, f"^{option} "):
                rhomb.batch([("ACGT", "ACGT")], **options)
        for wrong in ((0, 0), (1, 2, 3, "x"), 5):
            with self.assertRaises((TypeError, ValueError)):
                rhomb.align("A", "A", mode="ends-free", free_ends=wrong)

    def two_genomes(self, bases=30_000):
        """With nine substitutions, and an inversion of a fifth."""
        target = random_pair(bases)[0]
        part = slice(bases * 2 // 5, bases * 3 // 5)
        query = list(target[:part.start] + reversed_of(target[part]) + target[part.stop:])
        for i in range(bases // 20, bases, bases // 9):
            query[i] = "CATG"["ACGT".index(query[i])]
        return (self.write("target.fa", f">t\n{target}\n"),
                self.write("query.fa", f">q\n{''.join(query)}\n"))

    def compare(self, *arguments, **options):
        try:
            return rhomb.compare(*arguments, **options)
        except rhomb.ArgumentError as error:
            if "needs sketches" in str(error):
                self.skipTest(str(error))
            raise

    def test_compare(self):
        target, query = self.two_genomes()
        folder = os.path.join(self.folder.name, "out")
        found = self.compare(target, query, folder, threads=1)
        self.assertEqual([r.type for r in found.rearrangements], ["inversion"])
        event = found.rearrangements[0]
        self.assertEqual((event.target, event.query, event.strand), ("t", "q", "-"))
        self.assertAlmostEqual(event.target_begin, 12_000, delta=20)
        self.assertAlmostEqual(event.bases, 6000, delta=40)
        for name in ("alignments.paf", "variants.vcf", "report.txt", "report.json"):
            self.assertTrue(os.path.isfile(found.files[name]), name)
        self.assertEqual(sorted(found.files), sorted(os.listdir(folder)))
        self.assertTrue(found.summary.startswith("ANI "))
        self.assertRegex(repr(found), r"^<rhomb.Comparison '.*out': ANI 99.\d* %, 1 rearrangement>$")
        self.assertEqual(pickle.loads(pickle.dumps(found)).report, found.report)

        def check(part, whole):
            """report() says the same, as far as it goes."""
            for name, value in part.items():
                if isinstance(value, dict):
                    check(value, whole[name])
                else:
                    self.assertAlmostEqual(value, whole[name], msg=name)

        check(rhomb.report(found.files["alignments.paf"], target, query), found.report)
        edit = self.compare(target, query, folder + "_edit", score="edit", min_identity=0.95,
                            device=rhomb.Device(), resume=True)
        self.assertEqual(edit.report["headline"]["least_identity"], 0.95)
        self.assertIn("scoring edit", edit.summary)

    def test_compare_errors(self):
        target, query = self.two_genomes(3000)
        folder = os.path.join(self.folder.name, "out")
        self.compare(target, query, folder)
        wrong = self.write("wrong.fa", ">q\nAC!GT\n")
        for arguments, options, kind, message in (
                ((target, "missing.fa", "-x"), {}, rhomb.InputError, "missing.fa: cannot be opened: No such"),
                ((target, wrong, folder + "2"), {}, rhomb.InputError, "!"),
                ((target, query, folder), {}, rhomb.ArgumentError, "not empty"),
                ((target, target, folder + "2"), {}, rhomb.ArgumentError, "one file[^\n]*$"),
                ((target, query, folder + "2"), {"scoring": "x"}, rhomb.ArgumentError, "--score"),
                ((target, query, folder + "2"), {"min_identity": 2}, rhomb.ArgumentError, "--min-id"),
                ((target, query, folder + "2"), {"device": "no such"}, rhomb.DeviceError, "no such"),
                ((target, query, folder + "/none/out"), {}, rhomb.Error, "cannot make the folder")):
            with self.assertRaisesRegex(kind, message):
                rhomb.compare(*arguments, **options)
        with self.assertRaises(TypeError):
            rhomb.compare(target, None, folder + "2")
        self.assertFalse(os.path.exists(folder + "2"))
        with unittest.mock.patch("rhomb.program.__file__", "/none/program.py"), \
                unittest.mock.patch.dict(os.environ, PATH=""):
            with self.assertRaisesRegex(rhomb.Error, "without the program"):
                rhomb.compare(target, query, folder + "2")

    def test_compare_is_stopped(self):
        """Control-C ends the program, which leaves nothing."""
        target, query = self.two_genomes(3000)
        self.compare(target, query, os.path.join(self.folder.name, "out"))
        target, query = self.two_genomes(3_000_000)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                rhomb.compare(target, query, os.path.join(self.folder.name, "stopped"))
        finally:
            timer.join()
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["out", "query.fa", "target.fa"])
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_score(self):
        """`score`, as the program calls it, is `scoring`."""
        self.assertEqual(rhomb.distance("ACGT", "AGT", score="affine:4,6,2").distance, 8)
        self.assertEqual(rhomb.align("ACGT", "AGT", score="affine:4,6,2").distance, 8)
        self.assertEqual([r.distance for r in rhomb.batch([("ACGT", "AGT")], score="affine:4,6,2")],
                         [8])
        self.assertEqual(list(rhomb.distances(["ACGT"], ["AGT"], score="affine:4,6,2")), [8])
        with self.assertRaisesRegex(rhomb.ArgumentError, "score is another name of scoring"):
            rhomb.distance("A", "A", score="wfa", scoring="wfa")

    def test_repr(self):
        self.assertIn("cigar='3=1D4='", repr(rhomb.align("ACGTACGT", "ACGACGT")))
        target, query = random_pair(2000)
        shown = repr(rhomb.align(target, query))
        self.assertLess(len(shown), 120)
        self.assertIn("...'", shown)
        self.assertIn("cigar=None", repr(rhomb.align("AAAA", "CCCC", max_distance=1)))

    def test_documentation(self):
        """Every public name has an example, and functions their arguments and errors."""
        target, query = self.two_genomes()
        self.compare(target, query, os.path.join(self.folder.name, "first"))
        names = {"rhomb": rhomb, "target": target, "query": query,
                 "folder": os.path.join(self.folder.name, "second"),
                 "another_folder": os.path.join(self.folder.name, "third"),
                 "file": self.write("example.fa", ">one\nACGTACGT\n"),
                 "paf": self.write("example.paf", "one\t8\t0\t8\t+\tone\t8\t0\t8\t8\t8\t255\tcg:Z:8=\n")}
        runner = doctest.DocTestRunner()
        for name in rhomb.__all__:
            thing = getattr(rhomb, name)
            text = inspect.getdoc(thing)
            self.assertIn(">>>", text, name)
            runner.run(doctest.DocTestParser().get_doctest(text, dict(names), name, None, None))
            arguments = []
            if not inspect.isclass(thing):
                self.assertIn("Raises", text, name)
                arguments = inspect.signature(thing).parameters
            elif thing is rhomb.Device:
                arguments = ["selector", "require_gpu", "threads", "cache_dir"]
            for argument in arguments:
                self.assertRegex(text, rf"\b{argument}\b", name)
        self.assertEqual(runner.failures, 0)
        self.assertGreater(runner.tries, len(rhomb.__all__))


class Imports(unittest.TestCase):
    """In processes of their own."""

    def run_python(self, code, **environment):
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                              env={**os.environ, **environment}, check=True)
        return done.stdout.split()

    def test_no_device(self):
        self.assertEqual(self.run_python("""
import rhomb
print(len(rhomb.devices()))
try:
    rhomb.distance("A", "C")
except rhomb.NoDeviceError as error:
    print(error.status)
""", OCL_ICD_VENDORS=os.devnull), ["0", "RHOMB_ERR_NO_DEVICE"])

    def test_command(self):
        """`rhomb` hands on its arguments and the program's exit code."""
        code = "import sys; sys.argv[1:] = {}; from rhomb.program import main; main()"
        self.assertEqual(self.run_python(code.format(["--version"])), ["rhomb", rhomb.__version__])
        done = subprocess.run([sys.executable, "-c", code.format(["distance", "--nothing"])],
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)

    def test_environment(self):
        """Of the program: the package's loader, where the system has none."""
        from rhomb import drivers

        with drivers.environment() as environment:
            self.assertNotIn(drivers.LOADER, environment.get("LD_LIBRARY_PATH", ""))
        with unittest.mock.patch("rhomb.drivers._loaded", True), \
                unittest.mock.patch.dict(os.environ, LD_LIBRARY_PATH="/one"), \
                drivers.environment() as environment:
            self.assertEqual(environment["LD_LIBRARY_PATH"], drivers.LOADER + ":/one")

    def test_drivers(self):
        """PoCL's package, of which a stand-in has the same files, is shown beside other drivers."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("pocl_binary_distribution/__init__.py", ""),
                               ("pyopencl/.libs/libpocl-1.so", ""), ("vendors/a.icd", "liba.so"),
                               ("vendors/not", "")):
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as file:
                    file.write(text)
            code = """
import os, sys
from rhomb import drivers
drivers.VENDORS = sys.path[1] + "/vendors"
for done in (False, True):
    with drivers.shown():
        place = os.environ.get("OCL_ICD_VENDORS")
        for name in sorted(os.listdir(place)) if place else ["nothing"]:
            print(open(os.path.join(place, name)).read() if place else name)
print("OCL_ICD_VENDORS" in os.environ)
with drivers.environment() as environment:
    place = environment.get("OCL_ICD_VENDORS")
    print(len(os.listdir(place)) if place else 0)
"""
            environment = {"PYTHONPATH": folder}
            with unittest.mock.patch.dict(os.environ):
                os.environ.pop("OCL_ICD_VENDORS", None)
                pocl = os.path.join(folder, "pyopencl/.libs/libpocl-1.so")
                self.assertEqual(self.run_python(code, **environment),
                                 ["liba.so", pocl, "nothing", "False", "2"])
                with open(os.path.join(folder, "vendors/b.icd"), "w") as file:
                    file.write("/usr/lib/libpocl.so.2")
                self.assertEqual(self.run_python(code, **environment),
                                 ["nothing", "nothing", "False", "0"])
            self.assertEqual(self.run_python(code, OCL_ICD_VENDORS=folder + "/vendors",
                                             **environment)[-2], "True")

    def test_loader(self):
        """Its own loader, which is in the wheel alone."""
        self.assertEqual(self.run_python("""
from rhomb import drivers
has = drivers.os.path.exists(drivers.os.path.dirname(drivers.__file__) + "/loader")
loaded = drivers.load_loader() and "rhomb/loader/libOpenCL.so.1" in open("/proc/self/maps").read()
print(has == loaded)
"""), ["True"])

    def test_little_is_imported(self):
        """Which modules an import brings says more than its time, which others' load changes."""
        code = "import sys; before = set(sys.modules); import rhomb; print(*set(sys.modules) - before)"
        loaded = set(self.run_python(code))
        self.assertIn("rhomb._rhomb", loaded)
        self.assertFalse(loaded & {"typing", "ctypes", "numpy", "tempfile", "inspect",
                                   "dataclasses", "threading"})

    def test_readme(self):
        """The examples of the file that RHOMB_README names."""
        name = os.environ.get("RHOMB_README")
        if not name:
            self.skipTest("RHOMB_README is not set")
        failed, tried = doctest.testfile(name, module_relative=False)
        self.assertGreater(tried, 0)
        self.assertEqual(failed, 0)


if __name__ == "__main__":
    unittest.main()
