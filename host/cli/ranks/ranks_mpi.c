/* SPDX-License-Identifier: MIT */
/*
 * Ranks by MPI, see run_ranks.h. MPI is started only where something has started several processes,
 * as it takes a tenth of a second. One thread at a time is within MPI; who waits looks again and
 * again with pauses, so that a rank without work takes no core from a device that is a CPU.
 */
#include "host/cli/ranks/run_ranks.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "host/cli/base/cli.h"

const bool cli_has_ranks = true;

/* Bytes of a call of MPI, which counts with an int. */
#define MOST_BYTES ((size_t)1 << 30)

/* A pause: at first so short that a launch's packets do not wait for it. */
#define SHORT_NANOSECONDS 20000
#define LONG_NANOSECONDS  2000000
#define SHORT_PAUSES      5000
#define END_PAUSES        2500

/* What is being sent. */
typedef struct parcel {
    struct parcel *next;
    MPI_Request request;
    char data[];
} parcel;

static struct {
    MPI_Comm all;
    int rank, count, local;
    bool is_started;
    pthread_mutex_t lock;
    parcel *parcels;
    bool has_joined; /* the others serve, or have ended */
} mpi = {.count = 1, .lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_started_by_mpi(void)
{
    static const char *const SIGNS[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
    bool is = false;
    for (size_t i = 0; i < CLI_COUNT(SIGNS); i++)
        is = is || getenv(SIGNS[i]) != NULL;
    return is;
}

/* Whether all processes have the same command line. */
static bool have_same_line(int argc, char **argv)
{
    uint64_t mine = 14695981039346656037u; /* FNV-1a */
    uint64_t least = 0, most = 0;
    for (int i = 1; i < argc; i++) {
        const char *at = argv[i];
        do
            mine = (mine ^ (unsigned char)*at) * 1099511628211u;
        while (*at++ != '\0');
    }
    return MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, mpi.all) == MPI_SUCCESS &&
           MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, mpi.all) == MPI_SUCCESS &&
           least == most;
}

int cli_ranks_start(int *argc, char ***argv)
{
    int provided = MPI_THREAD_SINGLE;
    MPI_Comm machine;
    if (!is_started_by_mpi())
        return CLI_OK;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        MPI_Comm_dup(MPI_COMM_WORLD, &mpi.all) != MPI_SUCCESS) {
        cli_error("MPI does not start");
        return CLI_FAILED;
    }
    mpi.is_started = true;
    MPI_Comm_set_errhandler(mpi.all, MPI_ERRORS_RETURN);
    MPI_Comm_rank(mpi.all, &mpi.rank);
    MPI_Comm_size(mpi.all, &mpi.count);
    MPI_Comm_split_type(mpi.all, MPI_COMM_TYPE_SHARED, mpi.rank, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &mpi.local);
    MPI_Comm_free(&machine);
    if (!have_same_line(*argc, *argv)) {
        mpi.rank = 0;
        mpi.count = 1;
    }
    if (provided >= MPI_THREAD_SERIALIZED && mpi.count <= RHOMB_MOST_DEVICES)
        return CLI_OK;
    if (mpi.rank == 0 && mpi.count > RHOMB_MOST_DEVICES)
        cli_error("%d ranks; a run has at most %d", mpi.count, RHOMB_MOST_DEVICES);
    else if (mpi.rank == 0)
        cli_error("this MPI has no threads");
    MPI_Finalize();
    return mpi.count > RHOMB_MOST_DEVICES ? CLI_USAGE : CLI_FAILED;
}

int32_t cli_rank(void)
{
    return mpi.rank;
}

int32_t cli_ranks_count(void)
{
    return mpi.count;
}

/* What a message function returns: says what MPI has to say, once. */
static int judge(int code)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return 0;
    MPI_Error_string(code, text, &length);
    if (!atomic_flag_test_and_set(&said))
        cli_error("rank %d: MPI: %s", mpi.rank, text);
    return 1;
}

/* Waits until a request is done. */
static int wait_for(MPI_Request *request)
{
    for (int64_t i = 0;; i++) {
        int done = 0;
        pthread_mutex_lock(&mpi.lock);
        const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mpi.lock);
        if (code != MPI_SUCCESS || done != 0)
            return code;
        const struct timespec pause = {.tv_nsec =
                                           i < SHORT_PAUSES ? SHORT_NANOSECONDS : LONG_NANOSECONDS};
        nanosleep(&pause, NULL);
    }
}

/* Frees what has been sent. Under the lock. */
static void drop_parcels(void)
{
    for (parcel **at = &mpi.parcels; *at != NULL;) {
        parcel *p = *at;
        int done = 0;
        if (MPI_Test(&p->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        free(p);
    }
}

/* Sends a copy, which MPI may take its time for. */
static int send_copy(int to, int channel, const void *data, size_t bytes)
{
    parcel *p = malloc(sizeof *p + bytes);
    if (p == NULL)
        return MPI_ERR_NO_MEM;
    memcpy(p->data, data, bytes);
    pthread_mutex_lock(&mpi.lock);
    drop_parcels();
    const int code = MPI_Isend(p->data, (int)bytes, MPI_BYTE, to, channel, mpi.all, &p->request);
    if (code == MPI_SUCCESS) {
        p->next = mpi.parcels;
        mpi.parcels = p;
        p = NULL;
    }
    pthread_mutex_unlock(&mpi.lock);
    free(p);
    return code;
}

/* Receives bytes, or sends them and waits until they are received; as many calls of MPI as it
 * takes. */
static int pass_bytes(bool sends, int other, int channel, char *at, size_t bytes)
{
    int code = MPI_SUCCESS;
    for (size_t done = 0; done < bytes && code == MPI_SUCCESS; done += MOST_BYTES) {
        const int piece = (int)(bytes - done < MOST_BYTES ? bytes - done : MOST_BYTES);
        MPI_Request request;
        pthread_mutex_lock(&mpi.lock);
        code = sends ? MPI_Isend(at + done, piece, MPI_BYTE, other, channel, mpi.all, &request)
                     : MPI_Irecv(at + done, piece, MPI_BYTE, other, channel, mpi.all, &request);
        pthread_mutex_unlock(&mpi.lock);
        if (code == MPI_SUCCESS)
            code = wait_for(&request);
    }
    return judge(code);
}

static int send_bytes(int32_t to, int32_t channel, const void *data, size_t bytes, void *user)
{
    (void)user;
    if (bytes < RHOMB_RANK_BUFFERED)
        return judge(send_copy(to, channel, data, bytes));
    return pass_bytes(true, to, channel, (char *)(uintptr_t)data, bytes); /* which only reads it */
}

static int receive_bytes(int32_t from, int32_t channel, void *data, size_t bytes, void *user)
{
    (void)user;
    return pass_bytes(false, from, channel, data, bytes);
}

static int probe_bytes(int32_t from, int32_t channel, bool *waits, void *user)
{
    int flag = 0;
    (void)user;
    pthread_mutex_lock(&mpi.lock);
    const int code = MPI_Iprobe(from, channel, mpi.all, &flag, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&mpi.lock);
    *waits = flag != 0;
    return judge(code);
}

static rhomb_ranks describe(void)
{
    return (rhomb_ranks){.struct_size = sizeof(rhomb_ranks),
                         .rank = mpi.rank,
                         .count = mpi.count,
                         .send = send_bytes,
                         .receive = receive_bytes,
                         .probe = probe_bytes};
}

/* What rank 0's command line says to the others. Texts are paths and selectors of a command line.
 */
typedef struct settings {
    bool serves; /* false: rank 0 ends without them */
    bool has_selector, has_cache_dir;
    uint32_t flags;
    int32_t threads;
    char selector[4096], cache_dir[4096];
} settings;

static bool tell_others(const settings *told)
{
    bool is_told = true;
    for (int i = 1; i < mpi.count; i++)
        is_told = send_bytes(i, 0, told, sizeof *told, NULL) == 0 && is_told;
    mpi.has_joined = true;
    return is_told;
}

static void copy_text(char *to, const char *text, bool *has)
{
    *has = text != NULL;
    if (text != NULL)
        memcpy(to, text, strlen(text) + 1);
}

/* With -v: which device each rank has. Always: where one has another kind than the first. */
static void note_devices(const rhomb_context *ctx)
{
    const rhomb_device_info *first = rhomb_context_device_at(ctx, 0);
    for (int32_t i = 0; i < mpi.count; i++) {
        const rhomb_device_info *info = rhomb_context_device_at(ctx, i);
        cli_note(info->kind == first->kind ? 1 : 0, "rank %d has device #%d, %s, %s", (int)i,
                 (int)info->index, info->name, cli_device_kind_name(info->kind));
    }
}

rhomb_status cli_ranks_open(rhomb_context *ctx, const char *selector, uint32_t flags,
                            const char *cache_dir, int32_t threads)
{
    settings *told;
    const rhomb_ranks ranks = describe();
    if (mpi.count == 1)
        return rhomb_context_open(ctx, selector, flags);
    told = calloc(1, sizeof *told);
    if (told == NULL || (selector != NULL && strlen(selector) >= sizeof told->selector) ||
        (cache_dir != NULL && strlen(cache_dir) >= sizeof told->cache_dir)) {
        free(told);
        cli_error("--device or --cache-dir is too long for other ranks");
        return RHOMB_ERR_ARGUMENT;
    }
    told->serves = true;
    told->flags = flags;
    told->threads = threads;
    copy_text(told->selector, selector, &told->has_selector);
    copy_text(told->cache_dir, cache_dir, &told->has_cache_dir);
    const bool is_told = tell_others(told);
    free(told);
    if (!is_told)
        return RHOMB_ERR_DEVICE;
    const rhomb_status opened = rhomb_context_open_share(ctx, selector, flags, mpi.local);
    const rhomb_status status = rhomb_context_join_ranks(ctx, &ranks, opened);
    if (status == RHOMB_OK)
        note_devices(ctx);
    return status;
}

/*
 * Waits until all ranks have come to their end, and received what was sent to them. After a failure
 * a rank may wait for something that never comes: then it is false after some seconds.
 */
static bool all_have_ended(bool waits)
{
    MPI_Request request;
    if (MPI_Ibarrier(mpi.all, &request) != MPI_SUCCESS)
        return false;
    for (int64_t i = 0; waits || i < END_PAUSES; i++) {
        const struct timespec pause = {.tv_nsec = LONG_NANOSECONDS};
        int done = 0;
        drop_parcels();
        if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
        if (done != 0 && mpi.parcels == NULL)
            return true;
        if (done != 0) /* MPI_Test() knows the request no more */
            request = MPI_REQUEST_NULL;
        nanosleep(&pause, NULL);
    }
    return false;
}

void cli_ranks_end(int status)
{
    if (!mpi.is_started)
        return;
    settings *none = calloc(1, sizeof *none);
    bool is_told = true;
    if (mpi.count > 1 && mpi.rank == 0 && !mpi.has_joined)
        is_told = none != NULL && tell_others(none);
    free(none);
    if (!is_told || !all_have_ended(status == CLI_OK)) {
        fflush(NULL);
        MPI_Abort(mpi.all, status != CLI_OK ? status : CLI_FAILED);
    }
    MPI_Finalize();
}

/* Opens what was told, and serves. */
static rhomb_status serve(const settings *told)
{
    rhomb_context *ctx = NULL;
    const rhomb_ranks ranks = describe();
    const rhomb_context_options options = {.struct_size = sizeof options,
                                           .cache_dir =
                                               told->has_cache_dir ? told->cache_dir : NULL,
                                           .threads = told->threads};
    rhomb_status status = rhomb_context_create(&ctx, &options);
    if (status != RHOMB_OK) {
        cli_error("rank %d: %s", mpi.rank, rhomb_status_text(status));
        MPI_Abort(mpi.all, rhomb_status_class(status)); /* rank 0 waits for it */
        return status;
    }
    const rhomb_status opened = rhomb_context_open_share(
        ctx, told->has_selector ? told->selector : NULL, told->flags, mpi.local);
    status = rhomb_ranks_serve(ctx, &ranks, opened);
    if (status != RHOMB_OK)
        cli_error("rank %d: %s", mpi.rank, rhomb_context_error(ctx));
    rhomb_context_destroy(ctx);
    return status;
}

int cli_ranks_serve(void)
{
    settings *told = calloc(1, sizeof *told);
    rhomb_status status = RHOMB_ERR_MEMORY;
    if (told != NULL)
        status = receive_bytes(0, 0, told, sizeof *told, NULL) == 0 ? RHOMB_OK : RHOMB_ERR_DEVICE;
    if (status == RHOMB_OK && told->serves)
        status = serve(told);
    free(told);
    if (status == RHOMB_OK)
        cli_ranks_end(CLI_OK);
    else
        MPI_Abort(mpi.all, rhomb_status_class(status));
    return rhomb_status_class(status);
}
