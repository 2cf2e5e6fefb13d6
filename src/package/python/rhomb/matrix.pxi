# SPDX-License-Identifier: MIT
# All pairs of many sequences.

cdef class Square:
    """The matrix while it is being filled, and what hears of its progress."""
    cdef int64_t *distances
    cdef int64_t count
    cdef Watch watch


cdef int fill(int64_t row, int64_t column, const int64_t *distances, size_t count,
              void *user) noexcept with gil:
    cdef Square square = <Square>user
    for i in range(<int64_t>count):
        square.distances[row * square.count + column + i] = distances[i]
        square.distances[(column + i) * square.count + row] = distances[i]
    return 0


cdef int tell_matrix(const rhomb_matrix_progress *told, void *user) noexcept with gil:
    cdef Watch watch = (<Square>user).watch
    try:
        PyErr_CheckSignals()
        if watch.progress is not None:
            watch.progress(MatrixProgress(told.pairs, told.done, told.fraction, told.seconds,
                                          told.eta_seconds if told.eta_seconds >= 0 else None,
                                          bool(told.building)))
    except BaseException as error:
        watch.error = error
        return 1
    return 0


MatrixProgress = namedtuple("MatrixProgress", "pairs done fraction seconds eta_seconds building")
MatrixProgress.__doc__ = """What a progress function of `matrix()` is called with: `done` of `pairs`;
the fraction of the work, 0 to 1; seconds since it began; eta_seconds, those left, None as long as
that is not known; building: a kernel is about to be compiled.

>>> rhomb.MatrixProgress(3, 1, 0.5, 2.0, None, False).done
1
"""


cdef object all_distances(Device device, list sequences, object scoring, object max_distance,
                          object alphabet, object progress):
    cdef rhomb_matrix_options options = matrix_options_init()
    cdef rhomb_scoring parsed
    cdef Square square = Square()
    cdef int64_t count = len(sequences)
    cdef rhomb_matrix_sequence *views
    cdef rhomb_status status
    cdef list kept = []
    if count == 0:
        raise ArgumentError("a matrix needs sequences")
    cells = array("q", bytes(8 * count * count))
    cdef int64_t[::1] memory = cells
    square.distances = &memory[0]
    square.count = count
    square.watch = Watch()
    square.watch.progress = progress
    options.max_distance = limit_of("max_distance", max_distance)
    options.alphabet = choose("alphabet", ALPHABETS, alphabet)
    options.results = fill
    options.progress = tell_matrix
    options.user = options.progress_user = <void *>square
    views = <rhomb_matrix_sequence *>PyMem_Malloc(count * sizeof(rhomb_matrix_sequence))
    if views == NULL:
        raise MemoryError
    try:
        for i, sequence in enumerate(sequences):
            kept.append(lend(sequence, &views[i].bases, &views[i].length))
            views[i].name = NULL
        device.begin()
        try:
            if device.parse_scoring(scoring, &parsed):
                options.scoring = &parsed
            with nogil:
                status = rhomb_matrix_compute(device.ctx, views, count, &options, NULL)
            if square.watch.error is not None:
                raise square.watch.error
            check(device.ctx, status)
        finally:
            device.end()
    finally:
        PyMem_Free(views)
    return memoryview(cells).cast("B").cast("q", (count, count))
