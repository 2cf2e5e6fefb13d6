# SPDX-License-Identifier: MIT
# What calls return: small objects that do not change.

cdef object known(int64_t value):
    return None if value < 0 else value


cdef enum:
    NO_SCORE = -1 << 63
    IS_OBJECT = -2  # the result is elsewhere, as an object


cdef struct Found:  # what a Distance holds
    int64_t distance  # -1: there is none
    int64_t target_length
    int64_t score
    int64_t query_length


@cython.freelist(1024)
cdef class Distance:
    """How far two sequences are from each other.

    distance         the edit distance or, with a scoring, the least penalty. None: it is more than
                     max_distance, or the mode looks for the highest score: extend, local, and
                     ends-free with a match score
    score            the highest score, where the scoring has a match score, or the mode scores;
                     else None
    similarity       1 - distance / longer length, where each edit costs the same; else None
    target_length, query_length
    engine           what computed it: "wavefront", "bitparallel", "trivial"; None in a batch

    Lengths are in bases. int() is the distance; ValueError if there is none.

    >>> rhomb.distance("ACGTACGT", "ACGACGT")
    rhomb.Distance(distance=1, score=None, similarity=0.875)
    """
    cdef Found found
    cdef bint has_similarity
    cdef readonly str engine

    def __init__(self):
        raise TypeError(f"{type(self).__name__} objects are results of Rhomb")

    @property
    def distance(self):
        return known(self.found.distance)

    @property
    def score(self):
        return None if self.found.score == NO_SCORE else self.found.score

    @property
    def similarity(self):
        if self.found.distance < 0 or not self.has_similarity:
            return None
        return rhomb_similarity(self.found.distance,
                                max(self.found.target_length, self.found.query_length))

    @property
    def target_length(self):
        return self.found.target_length

    @property
    def query_length(self):
        return self.found.query_length

    def __int__(self):
        if self.found.distance < 0:
            raise ValueError("there is no distance: it exceeds max_distance, or the mode has none")
        return self.found.distance

    __index__ = __int__

    def _state(self):
        return (self.found.distance, self.found.score, self.found.target_length,
                self.found.query_length, self.has_similarity, self.engine)

    def __setstate__(self, state):
        if self.found.target_length or self.found.query_length:
            raise TypeError("results do not change")
        (self.found.distance, self.found.score, self.found.target_length, self.found.query_length,
         self.has_similarity, self.engine) = state[:6]

    def __reduce__(self):
        return _restore, (type(self), self._state())

    def __eq__(self, other):
        return type(self) is type(other) and self._state() == (<Distance>other)._state()

    def __hash__(self):
        return hash(self._state())

    def __repr__(self):
        return f"rhomb.{type(self).__name__}({self._shown()})"

    def _shown(self):
        return f"distance={self.distance}, score={self.score}, similarity={self.similarity}"


cdef enum:
    SHOWN_OPERATIONS = 10


cdef str cigar_of(object packed):
    cdef uint64_t op
    return "".join([f"{RHOMB_CIGAR_LENGTH(op)}{chr(RHOMB_CIGAR_LETTER(op))}" for op in packed])


cdef class Alignment(Distance):
    """A best alignment, and what `Distance` has.

    What is aligned is [target_begin, target_end) and [query_begin, query_end), from 0; the begins
    are None where only ends were asked for. The path goes through `=` matches, X mismatches, I
    bases only in the query and D bases only in the target; `cigar` is it as SAM writes it, and None
    where there is no path. repr() shows its first operations.

    >>> rhomb.align("ACGTACGT", "ACGACGT")
    rhomb.Alignment(distance=1, score=None, similarity=0.875, cigar='3=1D4=')
    """
    cdef bytes _path  # of rhomb_path_op, or None
    cdef int64_t _begins[2]
    cdef readonly int64_t target_end
    cdef readonly int64_t query_end

    @property
    def target_begin(self):
        return known(self._begins[0])

    @property
    def query_begin(self):
        return known(self._begins[1])

    @property
    def packed(self):
        """The operations as BAM packs them, 16 * length + code, as a memoryview of 64-bit numbers
        that NumPy takes without a copy."""
        return None if self._path is None else memoryview(self._path).cast("Q")

    @property
    def operations(self):
        """The path as a list of (length, operation)."""
        cdef uint64_t op
        if self._path is None:
            return None
        return [(RHOMB_CIGAR_LENGTH(op), chr(RHOMB_CIGAR_LETTER(op))) for op in self.packed]

    @property
    def cigar(self):
        return None if self._path is None else cigar_of(self.packed)

    def _shown(self):
        """With the begin of the CIGAR, which may have millions of operations."""
        shown = None if self._path is None else cigar_of(self.packed[:SHOWN_OPERATIONS + 1])
        if shown is not None and len(self.packed) > SHOWN_OPERATIONS:
            shown = cigar_of(self.packed[:SHOWN_OPERATIONS]) + "..."
        return f"{Distance._shown(self)}, cigar={shown!r}"

    cdef _sum(self, unsigned code):
        cdef uint64_t op
        cdef int64_t count = 0
        if self._path is None:
            return None
        for op in self.packed:
            if RHOMB_CIGAR_CODE(op) == code:
                count += RHOMB_CIGAR_LENGTH(op)
        return count

    @property
    def matches(self):
        return self._sum(RHOMB_CIGAR_EQ)

    @property
    def mismatches(self):
        return self._sum(RHOMB_CIGAR_X)

    @property
    def inserted(self):
        return self._sum(RHOMB_CIGAR_I)

    @property
    def deleted(self):
        return self._sum(RHOMB_CIGAR_D)

    @property
    def gaps(self):
        """Runs of inserted or of deleted bases."""
        cdef uint64_t op
        cdef int64_t count = 0
        if self._path is None:
            return None
        for op in self.packed:
            count += RHOMB_CIGAR_CODE(op) in (RHOMB_CIGAR_I, RHOMB_CIGAR_D)
        return count

    @property
    def identity(self):
        """Matches / columns, each base of a gap a column."""
        if self._path is None:
            return None
        return rhomb_identity(self.matches, self.matches + self.mismatches + self.inserted
                              + self.deleted)

    @property
    def gap_compressed_identity(self):
        """Matches / (matches + mismatches + gaps)."""
        if self._path is None:
            return None
        return rhomb_gap_compressed_identity(self.matches, self.mismatches, self.gaps)

    def _state(self):
        return (*Distance._state(self), self._path, self._begins[0], self._begins[1],
                self.target_end, self.query_end)

    def __setstate__(self, state):
        Distance.__setstate__(self, state)
        self._path, self._begins[0], self._begins[1], self.target_end, self.query_end = state[6:]


def _restore(kind, state):
    made = kind.__new__(kind)
    made.__setstate__(state)
    return made


cdef void set_report(Distance made, const rhomb_report *report, const char *engine):
    made.found = Found(report.distance, report.target_length,
                       report.score if report.has_score else NO_SCORE, report.query_length)
    made.has_similarity = report.similarity >= 0
    made.engine = text(engine)


cdef Distance make_distance(const rhomb_report *report):
    cdef Distance made = Distance.__new__(Distance)
    set_report(made, report, report.plan.engine)
    return made


cdef void set_extent(Alignment made, const rhomb_pair_extent *extent):
    """Of the whole sequences, without an extent."""
    made._begins[0] = extent.target_begin if extent != NULL else 0
    made._begins[1] = extent.query_begin if extent != NULL else 0
    made.target_end = extent.target_end if extent != NULL else made.found.target_length
    made.query_end = extent.query_end if extent != NULL else made.found.query_length


cdef Alignment make_alignment(const rhomb_alignment *alignment, int64_t target_length,
                              int64_t query_length, bint is_scored):
    cdef const rhomb_align_report *report = rhomb_alignment_report(alignment)
    cdef const rhomb_local_report *local = rhomb_alignment_local(alignment)
    cdef Alignment made = Alignment.__new__(Alignment)
    cdef int64_t count = 0
    cdef const rhomb_path_op *path = rhomb_alignment_path(alignment, &count)
    set_report(made, report.whole, report.engine)
    made.found.target_length = target_length
    made.found.query_length = query_length
    set_extent(made, local.extent if local != NULL else NULL)
    if local != NULL:
        made.has_similarity = False
        made.found.score = local.extent.score if is_scored else NO_SCORE
        made.found.distance = -1 if is_scored else -local.extent.score
    if local != NULL or not report.whole.exceeds_max_distance:
        made._path = PyBytes_FromStringAndSize(<const char *>path, count * sizeof(rhomb_path_op))
    return made


DeviceInfo = namedtuple("DeviceInfo", "number kind name vendor platform driver_version pci uuid "
                        "memory_bytes compute_units usable chosen note")
DeviceInfo.__doc__ = """An OpenCL device. `kind` is "gpu", "cpu", "accelerator" or "other"; `note` says
why it would be chosen or not, or is not usable.

>>> rhomb.devices()[0].kind in ("gpu", "cpu", "accelerator", "other")
True
"""


cdef object make_device_info(const rhomb_device_info *info):
    kinds = {RHOMB_DEVICE_GPU: "gpu", RHOMB_DEVICE_ACCELERATOR: "accelerator",
             RHOMB_DEVICE_CPU: "cpu"}
    return DeviceInfo(info.index, kinds.get(info.kind, "other"), text(info.name),
                      text(info.vendor), text(info.platform), text(info.driver_version),
                      text(info.pci), text(info.uuid), info.memory_bytes, info.compute_units,
                      bool(info.usable), bool(info.chosen), text(info.note))
