# SPDX-License-Identifier: MIT
# A device, its lock, and calls for one pair.

Progress = namedtuple("Progress", "lower_bound upper_bound fraction seconds eta_seconds building")
Progress.__doc__ = """Of a call that runs: the distance is from lower_bound to upper_bound;
eta_seconds is None as long as it is not known; building: a kernel is about to be compiled."""

ALPHABETS = {"dna": RHOMB_ALPHABET_DNA, "bytes": RHOMB_ALPHABET_BYTES}
ENGINES = {"auto": RHOMB_ENGINE_AUTO, "wavefront": RHOMB_ENGINE_WAVEFRONT,
           "bitparallel": RHOMB_ENGINE_BITPARALLEL}
MODES = {"global": RHOMB_MODE_GLOBAL, "ends-free": RHOMB_MODE_ENDS_FREE,
         "extend": RHOMB_MODE_EXTEND, "local": RHOMB_MODE_LOCAL}

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
    """An open device. `selector` is what `rhomb --device` takes: "auto", an index, a part of the
    name, a PCI address or a UUID; "auto" is the best GPU, else a CPU; "0,1" are two devices, which
    share large work, and "all" is all like the one that "auto" opens.

    `threads` of the host read files and count bases, 0: one for each core; `cache_dir` is the folder
    for compiled kernels, "off" for none. Threads may share a device, and take turns.

    `with rhomb.Device() as device:` closes it at the end, as close() does.
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
                 engine="auto", progress=None):
        """As rhomb.distance(), on this device."""
        cdef Call call = Call(self, target, query)
        cdef rhomb_result *result = NULL
        cdef rhomb_status status
        self.begin()
        try:
            call.prepare(scoring, max_distance, alphabet, engine, progress)
            with nogil:
                status = rhomb_distance(self.ctx, call.target, call.target_length, call.query,
                                        call.query_length, &call.options, &result)
            call.check(status)
            return make_distance(rhomb_result_report(result))
        finally:
            rhomb_result_destroy(result)
            self.end()

    def align(self, target, query, *, scoring=None, max_distance=None, alphabet="dna",
              engine="auto", mode="global", progress=None):
        """As rhomb.align(), on this device."""
        cdef Call call = Call(self, target, query)
        cdef rhomb_alignment *alignment = NULL
        cdef rhomb_status status
        cdef bint local = choose("mode", {"global": False, "local": True}, mode)
        self.begin()
        try:
            call.prepare(scoring, max_distance, alphabet, engine, progress)
            with nogil:
                if local:
                    status = rhomb_align_local(self.ctx, call.target, call.target_length,
                                               call.query, call.query_length, &call.options,
                                               &alignment)
                else:
                    status = rhomb_align(self.ctx, call.target, call.target_length, call.query,
                                         call.query_length, &call.options, &alignment)
            call.check(status)
            return make_alignment(alignment, call.target_length, call.query_length)
        finally:
            rhomb_alignment_destroy(alignment)
            self.end()

    def batch(self, pairs, *, cigar=False, scoring=None, max_distance=None, alphabet="dna",
              mode="global", free_ends=(0, 0, 0, 0), z_drop=None, end_bonus=0, on_error="raise"):
        """As rhomb.batch(), on this device."""
        cdef Batch batch = Batch.__new__(Batch)
        cdef rhomb_free_ends *free = &batch.options.free_ends
        batch.source = iter(pairs)
        batch.return_errors = choose("on_error", {"raise": False, "return": True}, on_error)
        batch.options = batch_options_init()
        batch.options.cigar = cigar
        batch.options.max_distance = limit_of("max_distance", max_distance)
        batch.options.alphabet = choose("alphabet", ALPHABETS, alphabet)
        batch.options.mode = choose("mode", MODES, mode)
        free.query_begin, free.query_end, free.target_begin, free.target_end = free_ends
        batch.options.z_drop = limit_of("z_drop", z_drop)
        batch.options.end_bonus = end_bonus
        self.begin()
        try:
            if self.parse_scoring(scoring, &batch.scoring):
                batch.options.scoring = &batch.scoring
            batch.has_similarity = scoring is None and mode == "global"
            batch.start(self)
        finally:
            self.end()
        return batch

    def distances(self, targets, queries, *, scoring=None, max_distance=None, alphabet="dna"):
        """As rhomb.distances(), on this device."""
        return many_distances(self, targets, queries, scoring, max_distance, alphabet)

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
        return check(self.ctx, status)

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
    """The OpenCL devices of this machine, as a list of DeviceInfo; empty where there is none."""
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
    """Reads a record of a FASTA or FASTQ file, plain, gzip or bgzip: the only one, or `region`,
    which is "name" or "name:begin-end", 1-based and inclusive. It needs no device."""
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


def version():
    """The version of the library."""
    return text(rhomb_version())
