/* SPDX-License-Identifier: MIT */
/*
 * What a sweep would take on more devices and nodes than are at hand: a simulation, launch by
 * launch, of the strips that each device has in the time table that the library would use, with
 * times that one and two GPUs were measured at (bench/NOTES.md, "More than one device").
 *
 *     scale_model [--check] [--per-node N] [--latency SECONDS] [--bandwidth BYTES]
 *
 * A launch of G groups takes (G groups' cells) / RATE + UNEVEN + (EXCHANGE, if shared), and no less
 * than its steps. It begins when the device's last one has ended, and when what the device before
 * passed on has arrived: `travel` launches after it was computed, unless the network takes longer.
 * Devices of a node pass on through the host's memory, which EXCHANGE has; others over a network.
 * The band is as wide, all along, as makes the measured number of cells. --check fails where one of
 * the measured times is missed by more than CHECK.
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/int64.h"
#include "src/strips/strips_many.h"

/* An H100, groups of 128 items with 4 words. The most by its issue rate, see cl/bitparallel. */
#define RATE          36.9e12
#define UNEVEN        53e-6 /* units that wait for others: one GPU, 62 x 57 Mbp */
#define EXCHANGE      36e-6 /* two GPUs, the same pair */
#define BLOCK_SECONDS 0.75e-6

enum { ITEMS = 128, WORDS = 4, BLOCKS = 128, MOST_DEVICES = 512 };

#define CHECK 0.05

/* A pair, the cells that its sweep had, and the times measured (0: not) with one GPU and with two.
 */
typedef struct model_pair {
    const char *name;
    int64_t target_length, query_length;
    double cells;
    double measured[2];
} model_pair;

static const model_pair PAIRS[] = {
    {"62 x 57 Mbp", 62000000, 56939740, 5.41756e14, {15.71, 9.10}},
    {"249 x 229 Mbp", 248992000, 228676880, 9.603188e15, {0, 137.80}},
};
enum { PAIR_COUNT = sizeof PAIRS / sizeof PAIRS[0] };

typedef struct network {
    int per_node;
    double latency;   /* seconds */
    double bandwidth; /* bytes a second */
} network;

/* A sweep's time table for chunks of so many strips, the same for any number of devices above 1. */
typedef struct table {
    rhomb__sweep sweep;
    rhomb_strip *records;
    int64_t launches;
    int64_t chunk;
} table;

static rhomb__sweep sweep_of(const model_pair *pair)
{
    const rhomb__strip_shape shape = {
        .items = ITEMS, .words = WORDS, .lag = ITEMS - 1, .steps = BLOCKS};
    return rhomb__sweep_make(pair->target_length, pair->query_length, &shape, 2);
}

/* The bound whose whole band has about as many cells. */
static int64_t bound_of(const rhomb__sweep *sweep, double cells)
{
    int64_t low = llabs(sweep->columns - sweep->rows), high = sweep->columns;
    const double block = (double)sweep->strip_rows * RHOMB__BLOCK_COLUMNS;
    while (high - low > high / 10000) {
        const int64_t middle = low + (high - low) / 2;
        const bool more = (double)rhomb__sweep_measure(sweep, middle).strip_blocks * block > cells;
        *(more ? &high : &low) = middle;
    }
    return low;
}

static bool make_table(const model_pair *pair, int devices, table *t)
{
    t->sweep = sweep_of(pair);
    const int64_t bound = bound_of(&t->sweep, pair->cells);
    t->chunk = rhomb__chunk_strips(&t->sweep, devices, rhomb__sweep_in_flight(&t->sweep, bound));
    if (devices > 1)
        t->sweep.chunks = (rhomb__strip_chunks){
            .owners = 2, .travel = RHOMB__BORDER_TRAVEL, .strips = {t->chunk, t->chunk}};
    t->records = malloc((size_t)rhomb__sweep_records(&t->sweep) * sizeof *t->records);
    if (t->records == NULL)
        return false;
    t->launches = rhomb__sweep_band(&t->sweep, bound, t->records);
    return true;
}

/* Strips that a device has among [first, end) of a direction. */
static int64_t strips_of(const table *t, int device, int devices, int64_t g)
{
    const int64_t turn = t->chunk * devices, before = t->chunk * device;
    return devices == 1
               ? g
               : g / turn * t->chunk + rhomb__min(rhomb__max(g % turn - before, 0), t->chunk);
}

static double launch_seconds(const table *t, int64_t groups, int devices)
{
    const double cells =
        (double)groups * (double)t->sweep.strip_rows * BLOCKS * RHOMB__BLOCK_COLUMNS;
    const double least = BLOCKS * BLOCK_SECONDS, busy = cells / RATE + UNEVEN;
    return (groups == 0 ? 0 : busy > least ? busy : least) + (devices > 1 ? EXCHANGE : 0);
}

/* The seconds of all launches. A device waits for the one before it; the first one for the last. */
static double simulate(const table *t, int devices, const network *net)
{
    enum { SLOTS = RHOMB__BORDER_TRAVEL + 2 };
    static double ended[MOST_DEVICES][SLOTS];
    const int64_t packet = (int64_t)sizeof(rhomb_strip_front) + 4 * BLOCKS;
    int64_t first = 0, end = 0;
    double last = 0;
    memset(ended, 0, sizeof ended);
    for (int64_t l = 0; l < t->launches; l++) {
        rhomb__sweep_active(&t->sweep, t->records, l, &first, &end);
        const double borders = (double)(end - first) / (double)(t->chunk * devices) + 1;
        for (int d = 0; d < devices; d++) {
            const int before = (d + devices - 1) % devices;
            const bool crosses = before / net->per_node != d / net->per_node;
            const double way =
                crosses ? net->latency + 2 * borders * (double)packet / net->bandwidth : 0;
            const int64_t due = l - 1 - RHOMB__BORDER_TRAVEL;
            double begins = l > 0 ? ended[d][(l - 1) % SLOTS] : 0;
            if (devices > 1 && due >= 0 && ended[before][due % SLOTS] + way > begins)
                begins = ended[before][due % SLOTS] + way;
            const int64_t groups =
                2 * (strips_of(t, d, devices, end) - strips_of(t, d, devices, first));
            ended[d][l % SLOTS] = begins + launch_seconds(t, groups, devices);
            last = ended[d][l % SLOTS] > last ? ended[d][l % SLOTS] : last;
        }
    }
    return last;
}

static bool check(const model_pair *pair, int devices, double seconds)
{
    const double measured = devices <= 2 ? pair->measured[devices - 1] : 0;
    if (measured <= 0)
        return true;
    const double off = seconds / measured - 1;
    printf("%42s measured %.4g s, %+.1f %%\n", "", measured, 100 * off);
    return fabs(off) <= CHECK;
}

static bool model(const model_pair *pair, const network *net)
{
    bool fits = true;
    double alone = 0;
    printf("%s, %d devices a node, %.3g us, %.3g GB/s\n", pair->name, net->per_node,
           1e6 * net->latency, 1e-9 * net->bandwidth);
    printf("%8s %10s %10s %10s %10s\n", "devices", "chunk", "seconds", "speedup", "efficiency");
    for (int devices = 1; devices <= MOST_DEVICES; devices *= 2) {
        table t = {.records = NULL};
        if (!make_table(pair, devices, &t))
            return false;
        const double seconds = simulate(&t, devices, net);
        alone = devices == 1 ? seconds : alone;
        printf("%8d %10" PRId64 " %10.4g %10.4g %9.1f%%\n", devices, t.chunk, seconds,
               alone / seconds, 100 * alone / seconds / devices);
        fits = check(pair, devices, seconds) && fits;
        free(t.records);
    }
    return fits;
}

int main(int argc, char **argv)
{
    static const struct option OPTIONS[] = {{"check", no_argument, NULL, 'c'},
                                            {"per-node", required_argument, NULL, 'n'},
                                            {"latency", required_argument, NULL, 'l'},
                                            {"bandwidth", required_argument, NULL, 'b'},
                                            {NULL, 0, NULL, 0}};
    network net = {.per_node = 8, .latency = 5e-6, .bandwidth = 12.5e9};
    bool checks = false, fits = true;
    for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
        checks = checks || option == 'c';
        if (option == 'n')
            net.per_node = atoi(optarg);
        else if (option == 'l')
            net.latency = atof(optarg);
        else if (option == 'b')
            net.bandwidth = atof(optarg);
        else if (option != 'c')
            return 2;
    }
    if (net.per_node < 1 || net.bandwidth <= 0)
        return 2;
    for (int i = 0; i < PAIR_COUNT; i++)
        fits = model(&PAIRS[i], &net) && fits;
    return checks && !fits ? 1 : 0;
}
