# SPDX-License-Identifier: MIT
# Many short pairs.

cdef enum:
    PAIRS_AT_A_TIME = 4096       # that are taken from the caller's iterator before the library gets
    BASES_AT_A_TIME = 1 << 20    # them; or fewer, if they have so many bases
    PAIRS_SIDE_BY_SIDE = 32      # that are looked at together
    PAIRS_OF_A_CALL = 1 << 22    # of distances(), which hears signals between calls


cdef union Place:
    rhomb_pair pair
    Found found


cdef class Pairs:
    """Pairs that are lent to the library, with what owns their bases; then their results, each in
    the place of its pair."""
    cdef Place *places
    cdef Py_ssize_t count
    cdef Py_ssize_t delivered   # places that have the result, the first ones
    cdef Py_ssize_t handed_out  # of these, to the caller
    cdef list taken   # tuples of a target and a query, of which the first `count` are lent
    cdef list owners  # beside them

    def __cinit__(self, Py_ssize_t room):
        self.places = <Place *>PyMem_Malloc(max(room, 1) * sizeof(Place))
        if self.places == NULL:
            raise MemoryError
        self.taken = []
        self.owners = []

    def __dealloc__(self):
        PyMem_Free(self.places)

    cdef int64_t lend(self) except -1:
        """Lends all that were taken, and returns their bases. Most of the time that takes is for
        memory, which some pairs in a row wait for side by side."""
        cdef rhomb_pair *pair
        cdef int64_t bases = 0
        cdef tuple item
        for i in range(self.count, len(self.taken)):
            item = self.taken[i]
            if len(item) != 2:
                raise ValueError(f"a pair is a target and a query, not {len(item)} items")
            pair = &self.places[i].pair
            self.own(lend(<object>PyTuple_GET_ITEM(item, 0), &pair.target, &pair.target_length))
            self.own(lend(<object>PyTuple_GET_ITEM(item, 1), &pair.query, &pair.query_length))
            bases += pair.target_length + pair.query_length
            self.count += 1
        return bases

    cdef inline int own(self, object owner) except -1:
        if owner is not None:
            self.owners.append(owner)
        return 0


@cython.no_gc_clear  # the device is needed to the end
cdef class Batch:
    """The results of many pairs, in their order: an iterator. `rhomb.batch()` makes them.

    Pairs are taken from the caller's iterator some thousands ahead of the results, and memory does
    not grow with their number. `with rhomb.batch(...) as results:`, or close(), ends a batch that is
    not read to its end. next() raises what the caller's iterator does, or the error of a pair.

    >>> with rhomb.batch([("ACGT", "AGT")]) as results:
    ...     next(results).distance
    1
    """
    cdef Device device
    cdef rhomb_batch *batch
    cdef rhomb_batch_options options
    cdef rhomb_scoring scoring
    cdef bint return_errors
    cdef bint has_similarity
    cdef object source     # the caller's iterator; None at its end
    cdef object lent       # Pairs whose results are to come
    cdef int64_t delivered
    cdef Pairs first       # whose results the caller gets now, and
    cdef object others     # Pairs after it. A distance becomes an object when it is asked for, in
    cdef object objects    # the memory of the one before, if that is not kept; others are these
    cdef object failure    # to be raised after the results before it
    cdef object __weakref__

    def __init__(self):
        raise TypeError("batches are made with rhomb.batch()")

    cdef int start(self, Device device) except -1:
        """The caller has set the options, but for the scoring, and has the device's lock."""
        cdef rhomb_status status
        self.lent = deque()
        self.first = Pairs(0)
        self.others = deque()
        self.objects = deque()
        self.options.borrow_pairs = True
        self.options.results = deliver
        self.options.user = <void *>self
        with nogil:
            status = rhomb_batch_create(device.ctx, &self.options, &self.batch)
        check(device.ctx, status)
        self.device = device
        device.batches.add(self)
        return 0

    def __dealloc__(self):
        if self.batch != NULL:
            if self.device.busy == <void *>self:
                self.device.busy = NULL
            self.device.bury(self.batch)

    def __class_getitem__(cls, item):
        """For annotations: rhomb.Batch[rhomb.Alignment]."""
        return cls

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Ends the batch; results that were not taken are dropped."""
        self.source = None
        self.failure = None
        self.first = Pairs(0)
        self.others.clear()
        self.objects.clear()
        if self.batch != NULL:
            self.device.begin(self)
            try:
                self.release()
            finally:
                self.device.end()

    def __iter__(self):
        return self

    def __next__(self):
        cdef Pairs first = self.first
        cdef Found *found
        cdef Distance made
        while first.handed_out == first.delivered:
            if first.handed_out == first.count and self.others:
                first = self.first = self.others.popleft()
            elif self.source is not None:
                self.advance()
            else:
                failure = self.failure
                self.close()
                if failure is not None:
                    raise failure
                raise StopIteration
        found = &first.places[first.handed_out].found
        first.handed_out += 1
        if found.distance != IS_OBJECT:
            made = Distance.__new__(Distance)
            made.found = found[0]
            made.has_similarity = self.has_similarity
            return made
        result = self.objects.popleft()
        if not self.return_errors and isinstance(result, Error):
            self.close()
            raise result
        return result

    cdef Pairs take(self):
        """The next pairs. What the caller's iterator raises comes after the results before it."""
        cdef Pairs taken = Pairs(PAIRS_AT_A_TIME)
        cdef int64_t bases = 0
        try:
            try:
                for pair in self.source:
                    taken.taken.append(pair if type(pair) is tuple else tuple(pair))
                    if len(taken.taken) - taken.count == PAIRS_SIDE_BY_SIDE:
                        bases += taken.lend()
                        if taken.count == PAIRS_AT_A_TIME or bases >= BASES_AT_A_TIME:
                            return taken
            finally:
                taken.lend()
        except Exception as error:
            self.failure = error
        self.source = None
        return taken

    cdef int advance(self) except -1:
        """Hands pairs to the library, which delivers results of earlier ones meanwhile."""
        cdef Pairs taken = self.take()
        cdef bint last = self.source is None
        cdef rhomb_status status = RHOMB_OK
        if self.batch == NULL:
            raise DeviceError("the batch is closed")
        self.device.begin(self)
        try:
            self.device.busy = <void *>self
            if taken.count > 0:
                self.lent.append(taken)
                self.others.append(taken)
            with nogil:
                status = rhomb_batch_add(self.batch, &taken.places[0].pair, taken.count)
                if last and status == RHOMB_OK:
                    status = rhomb_batch_finish(self.batch)
            self.judge(status)
        finally:
            self.device.end()
        return 0

    cdef int settle(self) except -1:
        """Gets all results of pairs that the library has, so that other calls can use the device,
        whose lock the caller has."""
        cdef rhomb_status status
        with nogil:
            status = rhomb_batch_finish(self.batch)
        self.device.busy = NULL
        try:
            self.judge(status)
        except Error as error:
            self.source = None
            self.failure = error
        return 0

    cdef int judge(self, rhomb_status status) except -1:
        """Raises what went wrong, after which a batch can only be released."""
        if status == RHOMB_OK:
            return 0
        failure = self.failure
        self.failure = None
        try:
            if status == RHOMB_ERR_CANCELLED and failure is not None:
                raise failure
            check(self.device.ctx, status)
        finally:
            self.source = None
            self.release()
        return 0

    cdef int release(self) except -1:
        """The caller has the device's lock."""
        cdef rhomb_batch *batch = self.batch
        self.batch = NULL
        if self.device.busy == <void *>self:
            self.device.busy = NULL
        self.device.batches.discard(self)
        with nogil:
            rhomb_batch_destroy(batch)
        self.lent.clear()
        return 0

    cdef int receive(self, const rhomb_pair_result *const *results, size_t count) except -1:
        cdef Pairs pairs = self.lent[0]
        cdef Found *found
        for result in results[:count]:
            found = &pairs.places[pairs.delivered].found
            find(found, &pairs.places[pairs.delivered].pair, result, &self.options)
            if result.status != RHOMB_OK:
                self.objects.append(errors.make(text(rhomb_status_name(result.status)),
                                                f"pair {self.delivered}: {text(result.detail)}",
                                                self.delivered))
                found.distance = IS_OBJECT
            elif self.options.cigar or self.options.mode != RHOMB_MODE_GLOBAL:
                self.objects.append(pair_alignment(found, result, &self.options))
                found.distance = IS_OBJECT
            self.delivered += 1
            pairs.delivered += 1
            if pairs.delivered == pairs.count:
                pairs.taken = pairs.owners = None
                self.lent.popleft()
                pairs = self.lent[0] if self.lent else None
        return 0


cdef int deliver(int64_t first, const rhomb_pair_result *const *results, size_t count,
                 void *user) noexcept with gil:
    cdef Batch batch = <Batch>user
    try:
        PyErr_CheckSignals()
        batch.receive(results, count)
    except BaseException as error:
        batch.failure = error
        return 1
    return 0


cdef void find(Found *found, const rhomb_pair *pair, const rhomb_pair_result *result,
               const rhomb_batch_options *options) noexcept:
    """`found` may be in the pair's place."""
    cdef int64_t target_length = pair.target_length, query_length = pair.query_length
    found.target_length = target_length
    found.query_length = query_length
    found.distance = result.distance
    found.score = NO_SCORE
    if options.scoring != NULL and options.scoring.match > 0:
        if options.mode != RHOMB_MODE_GLOBAL:
            found.distance = -1
        if result.extent != NULL:
            found.score = result.extent.score


cdef Alignment pair_alignment(const Found *found, const rhomb_pair_result *result,
                              const rhomb_batch_options *options):
    cdef Alignment made = Alignment.__new__(Alignment)
    cdef rhomb_path_op *path
    made.found = found[0]
    made.has_similarity = options.scoring == NULL and options.mode == RHOMB_MODE_GLOBAL
    set_extent(made, result.extent)
    if options.cigar and (made.found.distance >= 0 or options.mode != RHOMB_MODE_GLOBAL):
        made._path = PyBytes_FromStringAndSize(NULL, result.cigar_count * sizeof(rhomb_path_op))
        path = <rhomb_path_op *>PyBytes_AS_STRING(made._path)
        for i in range(result.cigar_count):
            path[i] = result.cigar[i]
    return made


cdef class RowsOf:
    """Sequences as a list, or as the rows of a two-dimensional array of bytes."""
    cdef Py_buffer buffer
    cdef bint is_array
    cdef list items
    cdef list owners
    cdef Py_ssize_t count

    def __cinit__(self, source):
        if PyObject_CheckBuffer(source):
            PyObject_GetBuffer(source, &self.buffer, PyBUF_FULL_RO)
            self.is_array = True
            if (self.buffer.ndim != 2 or self.buffer.itemsize != 1
                    or self.buffer.strides[1] != 1):
                raise TypeError("an array of sequences must have two dimensions and one byte for "
                                "each base, those of a row one after the other")
            self.count = self.buffer.shape[0]
        else:
            self.items = list(source)
            self.owners = []
            self.count = len(self.items)

    def __dealloc__(self):
        if self.is_array:
            PyBuffer_Release(&self.buffer)

    cdef int lend(self, Py_ssize_t i, const char **bases, int64_t *length) except -1:
        if self.is_array:
            bases[0] = <const char *>self.buffer.buf + i * self.buffer.strides[0]
            length[0] = self.buffer.shape[1]
        else:
            owner = lend(self.items[i], bases, length)
            if owner is not None:
                self.owners.append(owner)
        return 0


cdef extern from "Python.h":
    bint PyObject_CheckBuffer(object source)


cdef object many_distances(Device device, targets, queries, scoring, max_distance, alphabet):
    cdef RowsOf target_rows = RowsOf(targets), query_rows = RowsOf(queries)
    cdef Py_ssize_t count = target_rows.count, i
    cdef Pairs pairs = Pairs(count)
    cdef rhomb_pair *pair
    cdef rhomb_batch_options options = batch_options_init()
    cdef Py_buffer out
    if count != query_rows.count:
        raise ArgumentError(f"there are {count} targets, but {query_rows.count} queries")
    for i in range(count):
        pair = &pairs.places[i].pair
        target_rows.lend(i, &pair.target, &pair.target_length)
        query_rows.lend(i, &pair.query, &pair.query_length)
    found = array("q", bytes(count * sizeof(int64_t)))
    options.max_distance = limit_of("max_distance", max_distance)
    options.alphabet = choose("alphabet", ALPHABETS, alphabet)
    PyObject_GetBuffer(found, &out, PyBUF_SIMPLE)
    try:
        solve(device, pairs, count, &options, scoring, <int64_t *>out.buf)
    finally:
        PyBuffer_Release(&out)
    return found


cdef int solve(Device device, Pairs pairs, Py_ssize_t count, rhomb_batch_options *options,
               object scoring, int64_t *distances) except -1:
    cdef rhomb_scoring costs
    cdef rhomb_status status
    cdef Py_ssize_t i
    cdef size_t some
    device.begin()
    try:
        if device.parse_scoring(scoring, &costs):
            options.scoring = &costs
        for i in range(0, count, PAIRS_OF_A_CALL):
            PyErr_CheckSignals()
            some = min(PAIRS_OF_A_CALL, count - i)
            with nogil:
                status = rhomb_batch_distances(device.ctx, &pairs.places[i].pair, some, options,
                                               distances + i, NULL)
            check(device.ctx, status)
    finally:
        device.end()
    return 0
