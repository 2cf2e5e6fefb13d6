# SPDX-License-Identifier: MIT
# A device, its lock, and calls for one pair.

Progress = namedtuple("Progress", "lower_bound upper_bound fraction seconds eta_seconds building")
Progress.__doc__ = """What a progress function is called with: the distance is from lower_bound to
upper_bound; the fraction of the work, 0 to 1; seconds since the call began; eta_seconds, those left,
None as long as that is not known; building: a kernel is about to be compiled.

>>> rhomb.Progress(1, 9, 0.5, 2.0, None, False).upper_bound
9
"""

ALPHABETS = {"dna": RHOMB_ALPHABET_DNA, "bytes": RHOMB_ALPHABET_BYTES,
             "iupac": RHOMB_ALPHABET_IUPAC, "protein": RHOMB_ALPHABET_PROTEIN}
ENGINES = {"auto": RHOMB_ENGINE_AUTO, "wavefront": RHOMB_ENGINE_WAVEFRONT,
           "bitparallel": RHOMB_ENGINE_BITPARALLEL}
MODES = {"global": RHOMB_MODE_GLOBAL, "ends-free": RHOMB_MODE_ENDS_FREE,
         "infix": RHOMB_MODE_ENDS_FREE, "prefix": RHOMB_MODE_ENDS_FREE,
         "extend": RHOMB_MODE_EXTEND, "local": RHOMB_MODE_LOCAL}

# Ends that cost nothing, as at the query's begin and end, and the target's. What is beyond a length
# is cut.
ANY_LENGTH = (1 << 63) - 1
FREE_ENDS = {"all": (ANY_LENGTH,) * 4}
ENDS_OF_MODE = {"infix": (0, 0, ANY_LENGTH, ANY_LENGTH), "prefix": (0, 0, 0, ANY_LENGTH)}

# The process that first opened a device: drivers do not survive fork(). 0: none was opened.
cdef int process = 0


cdef int check_process() except -1:
    global process
    if process == 0:
        process = os.getpid()
    if process != os.getpid():
        raise DeviceError("a device was opened before fork(), which OpenCL drivers do not survive; "
                          "use multiprocessing's method 'spawn' or 'forkserver'")
    return 0


cdef object choose(str what, dict choices, object value):
    try:
        return choices[value]
    except (KeyError, TypeError):
        raise ArgumentError(f"{what} must be one of {', '.join(choices)}, not {value!r}") from None


cdef int64_t limit_of(str what, object value) except? -1:
    """A limit, where None is none."""
    if value is None:
        return RHOMB_NO_LIMIT
    if value < 0:
        raise ArgumentError(f"{what} must not be negative: {value}")
    return value


cdef object scoring_of(object scoring, object score):
    """`score` is another name of `scoring`."""
    if scoring is not None and score is not None:
        raise ArgumentError("score is another name of scoring: give one of them")
    return score if scoring is None else scoring


cdef int set_mode(rhomb_mode_options *options, object mode, object free_ends, object z_drop,
                  object end_bonus, const rhomb_scoring *scoring) except -1:
    """As the program does: options of other modes are refused, and ends that are free by default are
    those of the target alone where matches score nothing, as an empty alignment would be the best."""
    cdef rhomb_free_ends *free = &options.free_ends
    options.mode = choose("mode", MODES, mode)
    for name, given, its in (("free_ends", free_ends is not None, "ends-free"),
                             ("z_drop", z_drop is not None, "extend"),
                             ("end_bonus", end_bonus != 0, "extend")):
        if given and mode != its:
            raise ArgumentError(f"{name} is of mode={its!r} alone, not of {mode!r}")
    options.z_drop = limit_of("z_drop", z_drop)
    options.end_bonus = end_bonus
    if isinstance(free_ends, str):
        free_ends = choose("free_ends", FREE_ENDS, free_ends)
    if mode == "ends-free" and free_ends is None:
        is_scored = scoring != NULL and scoring.match > 0
        free_ends = FREE_ENDS["all"] if is_scored else ENDS_OF_MODE["infix"]
    free_ends = ENDS_OF_MODE.get(mode, free_ends)
    if free_ends is not None:
        free.query_begin, free.query_end, free.target_begin, free.target_end = [
            ANY_LENGTH if end == "all" else end for end in free_ends]
    return 0


cdef class Watch:
    """Sees to it that signals and a progress function are heard while the library works."""
    cdef object progress
    cdef object error


cdef int tell(const rhomb_progress *told, void *user) noexcept with gil:
    cdef Watch watch = <Watch>user
    try:
        PyErr_CheckSignals()
        if watch.progress is not None:
            watch.progress(Progress(told.lower_bound, told.upper_bound, told.fraction, told.seconds,
                                    told.eta_seconds if told.eta_seconds >= 0 else None,
                                    bool(told.building)))
    except BaseException as error:
        watch.error = error
        return 1
    return 0


@cython.no_gc  # nothing here leads back to it
cdef class Device:
    """An open device, with the functions of the package as methods. Threads may share one, and take
    turns. `with rhomb.Device() as device:` closes it at the end, as close() does.

    selector       what `rhomb --device` takes: "auto", the best GPU, else a CPU; "gpu" or "cpu", the
                   best of these; an index, a part of the name, a PCI address or a UUID; "0,1" are two
                   devices, which share large work; "all": all like the one that "auto" opens
    require_gpu    fail if it is not a GPU
    threads        of the host, which read files and count bases; 0: one for each core
    cache_dir      the folder for compiled kernels, "off" for none

    Raises NoDeviceError if there is none, or none that was asked for, and DeviceError.

    >>> with rhomb.Device() as device:
    ...     device.distance("ACGT", "AGT").distance
    1
    """
    cdef rhomb_context *ctx
    cdef object lock
    cdef object owner   # the thread that has the lock
    cdef list dead      # batches to be released, see bury()
    cdef object batches # all that are open, and the one whose pairs are on the device
    cdef void *busy
    cdef object __weakref__

    def __cinit__(self, *args, **kwargs):
        self.lock = allocate_lock()
        self.dead = []
        self.batches = WeakSet()

    def __init__(self, selector="auto", *, require_gpu=False, threads=0, cache_dir=None):
        if self.ctx != NULL:
            raise Error("the device is open already")
        selector = str(selector).encode()
        self.ctx = create_context(threads, cache_dir)
        self.begin()
        try:
            self.open(selector, RHOMB_REQUIRE_GPU if require_gpu else 0)
        finally:
            self.end()

    def __dealloc__(self):
        # Batches keep the device, so there are none.
        if self.ctx != NULL and process == os.getpid():
            rhomb_context_destroy(self.ctx)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Closes the device. Batches of it end without their remaining results."""
        if self.ctx == NULL:
            return
        self.begin()
        try:
            for batch in list(self.batches):
                (<Batch>batch).release()
            self.drop_dead()
            rhomb_context_destroy(self.ctx)
            self.ctx = NULL
        finally:
            self.end()

    @property
    def infos(self):
        """What the devices are, a DeviceInfo each."""
        self.begin()
        try:
            return [make_device_info(rhomb_context_device_at(self.ctx, i))
                    for i in range(rhomb_context_device_count(self.ctx))]
        finally:
            self.end()

    @property
    def info(self):
        """The device, or the first of several, as a DeviceInfo."""
        return self.infos[0]

    def __repr__(self):
        return f"<rhomb.Device {'closed' if self.ctx == NULL else self.info.name}>"

    def distance(self, target, query, *, scoring=None, max_distance=None, alphabet="dna",
                 engine="auto", progress=None, score=None):
        """As rhomb.distance(), on this device."""
        cdef Call call = Call(self, target, query)
        cdef rhomb_result *result = NULL
        cdef rhomb_status status
        self.begin()
        try:
            call.prepare(scoring_of(scoring, score), max_distance, alphabet, engine, progress)
            with nogil:
                status = rhomb_distance(self.ctx, call.target, call.target_length, call.query,
                                        call.query_length, &call.options, &result)
            call.check(status)
            return make_distance(rhomb_result_report(result))
        finally:
            rhomb_result_destroy(result)
            self.end()

    def align(self, target, query, *, scoring=None, max_distance=None, alphabet="dna",
              engine="auto", mode="global", progress=None, free_ends=None, z_drop=None,
              end_bonus=0, score=None):
        """As rhomb.align(), on this device."""
        cdef Call call = Call(self, target, query)
        cdef rhomb_alignment *alignment = NULL
        cdef rhomb_status status
        cdef rhomb_mode_options options = mode_options_init()
        self.begin()
        try:
            call.prepare(scoring_of(scoring, score), max_distance, alphabet, engine, progress)
            set_mode(&options, mode, free_ends, z_drop, end_bonus, call.options.scoring)
            with nogil:
                if options.mode != RHOMB_MODE_GLOBAL:
                    status = rhomb_align_mode(self.ctx, call.target, call.target_length,
                                              call.query, call.query_length, &options,
                                              &call.options, &alignment)
                else:
                    status = rhomb_align(self.ctx, call.target, call.target_length, call.query,
                                         call.query_length, &call.options, &alignment)
            call.check(status)
            return make_alignment(alignment, call.target_length, call.query_length,
                                  call.options.scoring != NULL and call.scoring.match > 0)
        finally:
            rhomb_alignment_destroy(alignment)
            self.end()

    def batch(self, pairs, *, cigar=False, scoring=None, max_distance=None, alphabet="dna",
              mode="global", free_ends=None, z_drop=None, end_bonus=0, on_error="raise",
              score=None):
        """As rhomb.batch(), on this device."""
        cdef Batch batch = Batch.__new__(Batch)
        cdef rhomb_mode_options how = mode_options_init()
        scoring = scoring_of(scoring, score)
        batch.source = iter(pairs)
        batch.return_errors = choose("on_error", {"raise": False, "return": True}, on_error)
        batch.options = batch_options_init()
        batch.options.cigar = cigar
        batch.options.max_distance = limit_of("max_distance", max_distance)
        batch.options.alphabet = choose("alphabet", ALPHABETS, alphabet)
        self.begin()
        try:
            if self.parse_scoring(scoring, &batch.scoring):
                batch.options.scoring = &batch.scoring
            set_mode(&how, mode, free_ends, z_drop, end_bonus, batch.options.scoring)
            batch.options.mode, batch.options.free_ends = how.mode, how.free_ends
            batch.options.z_drop, batch.options.end_bonus = how.z_drop, how.end_bonus
            batch.has_similarity = scoring is None and mode == "global"
            batch.start(self)
        finally:
            self.end()
        return batch

    def distances(self, targets, queries, *, scoring=None, max_distance=None, alphabet="dna",
                  score=None):
        """As rhomb.distances(), on this device."""
        return many_distances(self, targets, queries, scoring_of(scoring, score), max_distance,
                              alphabet)

    def matrix(self, sequences, *, scoring=None, max_distance=None, alphabet="dna", progress=None,
               score=None):
        """As rhomb.matrix(), on this device."""
        return all_distances(self, list(sequences), scoring_of(scoring, score), max_distance,
                             alphabet, progress)

    cdef int begin(self, Batch batch=None) except -1:
        """Takes the lock. Pairs of a batch other than `batch` are finished first."""
        if self.owner == get_ident():
            raise DeviceError("a progress function must not use the device that called it")
        self.lock.acquire()
        self.owner = get_ident()
        try:
            check_process()
            if self.ctx == NULL:
                raise DeviceError("the device is closed")
            if self.busy != NULL and self.busy != <void *>batch:
                (<Batch>self.busy).settle()
        except BaseException:
            self.end()
            raise
        return 0

    cdef int end(self) except -1:
        self.owner = None
        self.lock.release()
        self.bury(NULL)
        return 0

    cdef int bury(self, rhomb_batch *batch) except -1:
        """Releases a batch, or leaves that to the thread that has the lock."""
        if process != os.getpid() or self.ctx == NULL:
            return 0
        if batch != NULL:
            self.dead.append(<size_t>batch)
        while self.dead and self.lock.acquire(False):
            self.owner = get_ident()
            self.drop_dead()
            self.owner = None
            self.lock.release()
        return 0

    cdef int drop_dead(self) except -1:
        """The caller has the lock."""
        cdef rhomb_batch *batch
        while self.dead:
            batch = <rhomb_batch *><size_t>self.dead.pop()
            with nogil:
                rhomb_batch_destroy(batch)
        return 0

    cdef int open(self, bytes selector, uint32_t flags) except -1:
        cdef const char *name = selector
        cdef rhomb_status status
        show_drivers(self.ctx)
        with nogil:
            status = rhomb_context_open(self.ctx, name, flags)
        check(self.ctx, status)
        return 0

    cdef bint parse_scoring(self, object scoring, rhomb_scoring *out) except -1:
        """Whether there is one."""
        if scoring is None:
            return False
        if not isinstance(scoring, str):
            raise ArgumentError(f"a scoring is text such as 'affine:4,6,2', not {scoring!r}")
        check(self.ctx, rhomb_scoring_parse(self.ctx, scoring.encode(), out))
        return True


cdef class Call:
    """The arguments of a call for one pair."""
    cdef Device device
    cdef object kept
    cdef const char *target
    cdef const char *query
    cdef int64_t target_length
    cdef int64_t query_length
    cdef rhomb_scoring scoring
    cdef rhomb_options options
    cdef Watch watch

    def __cinit__(self, Device device, target, query):
        self.device = device
        self.watch = Watch()
        self.kept = (target, query, lend(target, &self.target, &self.target_length),
                     lend(query, &self.query, &self.query_length))

    cdef int prepare(self, scoring, max_distance, alphabet, engine, progress) except -1:
        self.options = options_init()
        if self.device.parse_scoring(scoring, &self.scoring):
            self.options.scoring = &self.scoring
        self.options.max_distance = limit_of("max_distance", max_distance)
        self.options.alphabet = choose("alphabet", ALPHABETS, alphabet)
        self.options.engine = choose("engine", ENGINES, engine)
        self.watch.progress = progress
        self.options.progress = tell
        self.options.progress_user = <void *>self.watch
        return 0

    cdef int check(self, rhomb_status status) except -1:
        if self.watch.error is not None:
            raise self.watch.error
        return check(self.device.ctx, status)


cdef int check(rhomb_context *ctx, rhomb_status status) except -1:
    if status == RHOMB_OK:
        return 0
    detail = "" if ctx == NULL else text(rhomb_context_error(ctx))
    message = text(rhomb_status_text(status))
    raise errors.make(text(rhomb_status_name(status)), f"{message}: {detail}" if detail else message)


cdef rhomb_context *create_context(int threads, object cache_dir) except NULL:
    cdef rhomb_context_options options = context_options_init()
    cdef rhomb_context *ctx = NULL
    folder = None if cache_dir is None else os.fsencode(cache_dir)
    options.threads = threads
    if folder is not None:
        options.cache_dir = folder
    check(NULL, rhomb_context_create(&ctx, &options))
    return ctx


cdef const rhomb_device_info *const *list_devices(rhomb_context *ctx, size_t *count) except? NULL:
    cdef const rhomb_device_info *const *found = NULL
    cdef rhomb_status status
    with nogil:
        status = rhomb_context_devices(ctx, &found, count)
    check(ctx, status)
    return found


cdef int show_drivers(rhomb_context *ctx) except -1:
    """The loader reads which drivers there are when it is first asked; see drivers.py."""
    cdef size_t count
    with drivers.shown():
        list_devices(ctx, &count)
    return 0


def devices():
    """The OpenCL devices of this machine, as a list of `DeviceInfo`; empty where there is none.

    Raises DeviceError if a driver fails.

    >>> [info.number for info in rhomb.devices()][:1]
    [0]
    """
    cdef size_t count = 0
    cdef const rhomb_device_info *const *found
    cdef rhomb_context *ctx
    check_process()
    ctx = create_context(0, None)
    try:
        show_drivers(ctx)
        found = list_devices(ctx, &count)
        return [make_device_info(found[i]) for i in range(count)]
    finally:
        rhomb_context_destroy(ctx)


def read(path, region=None):
    """Reads a record of a FASTA or FASTQ file, plain, gzip or bgzip, as a `Sequence`. It needs no
    device. `read_all()` reads all records.

    path      of the file, a str or an os.PathLike
    region    "name" or "name:begin-end", 1-based and inclusive; None: the only record

    Raises InputError if the file is missing or damaged, or has no such record, or several.

    >>> rhomb.read(file, "one:2-4")
    <rhomb.Sequence 'one:2-4' of 3 bases>
    """
    if region is not None and not isinstance(region, str):
        raise TypeError(f"a region is a str, not {type(region).__name__}")
    cdef bytes file = os.fsencode(path)
    cdef bytes part = None if region is None else region.encode()
    cdef rhomb_context *ctx = create_context(0, None)
    cdef rhomb_sequence *sequence = NULL
    cdef rhomb_status status
    cdef const char *file_name = file
    cdef const char *part_name = NULL if part is None else <const char *>part
    try:
        with nogil:
            status = rhomb_sequence_read(ctx, file_name, part_name, &sequence)
        check(ctx, status)
        return make_sequence(sequence)
    finally:
        rhomb_context_destroy(ctx)


def read_all(path):
    """Reads all records of a FASTA or FASTQ file, plain, gzip or bgzip: a list of `Sequence`, which
    holds all bases in memory. It needs no device.

    path        of the file, a str or an os.PathLike

    Raises InputError if the file is missing or damaged, or has no record.

    >>> [(record.name, len(record)) for record in rhomb.read_all(file)]
    [('one', 8)]
    """
    cdef bytes file = os.fsencode(path)
    cdef const char *file_name = file
    cdef rhomb_context *ctx = create_context(0, None)
    cdef rhomb_records *records = NULL
    cdef const rhomb_record *record = NULL
    cdef list found = []
    try:
        check(ctx, rhomb_records_open(ctx, file_name, &records))
        while True:
            with nogil:
                status = rhomb_records_next(records, &record)
            check(ctx, status)
            if record == NULL:
                return found
            bases = PyBytes_FromStringAndSize(record.bases, record.length)
            found.append(sequence_of(text(record.name), bases, 0, -1))
    finally:
        rhomb_records_destroy(records)
        rhomb_context_destroy(ctx)


def version():
    """The version of the library."""
    return text(rhomb_version())
