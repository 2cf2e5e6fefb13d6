/* SPDX-License-Identifier: MIT */
/* Readable figures (bytes, times, rates), and the time and memory that the process has used. */
#include "host/cli/base/cli.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

const char *cli_show_bytes(int64_t bytes, cli_text *buffer)
{
    static const char *const UNITS[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        snprintf(buffer->text, sizeof buffer->text, "%lld B", (long long)bytes);
        return buffer->text;
    }
    double value = (double)bytes / 1024;
    size_t unit = 0;
    while (value >= 1023.95 && unit + 1 < CLI_COUNT(UNITS)) {
        value /= 1024;
        unit++;
    }
    snprintf(buffer->text, sizeof buffer->text, "%.1f %s", value, UNITS[unit]);
    return buffer->text;
}

const char *cli_show_seconds(double seconds, cli_text *buffer)
{
    char *text = buffer->text;
    const size_t size = sizeof buffer->text;
    if (seconds < 0.0000995) {
        snprintf(text, size, "%.0f us", 1e6 * seconds);
    } else if (seconds < 0.9995) {
        snprintf(text, size, "%.3g ms", 1000 * seconds);
    } else if (seconds < 9.995) {
        snprintf(text, size, "%.2f s", seconds);
    } else if (seconds < 59.5) {
        snprintf(text, size, "%.0f s", seconds);
    } else if (seconds < 86400.0 * 1000) {
        const long long whole = (long long)(seconds + 0.5);
        if (whole < 3600)
            snprintf(text, size, "%lld min %02lld s", whole / 60, whole % 60);
        else if (whole < 86400)
            snprintf(text, size, "%lld h %02lld min", whole / 3600, whole / 60 % 60);
        else
            snprintf(text, size, "%lld d %02lld h", whole / 86400, whole / 3600 % 24);
    } else {
        snprintf(text, size, "%.3g years", seconds / (86400 * 365.25));
    }
    return text;
}

const char *cli_show_rate(double per_second, cli_text *buffer)
{
    static const char *const PREFIXES[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    while (per_second >= 999.95 && prefix + 1 < CLI_COUNT(PREFIXES)) {
        per_second /= 1000;
        prefix++;
    }
    snprintf(buffer->text, sizeof buffer->text, "%.1f %s", per_second, PREFIXES[prefix]);
    return buffer->text;
}

/* What is added is more than what a quotient's last bit can miss. */
double cli_percent(double share)
{
    const double rounded = floor(10000 * share + 0.5 + 1e-9) / 100;
    if (share < 1 && rounded > 99.99)
        return 99.99;
    return share > 0 && rounded < 0.01 ? 0.01 : rounded;
}

const char *cli_device_kind_name(rhomb_device_kind kind)
{
    switch (kind) {
    case RHOMB_DEVICE_GPU:
        return "gpu";
    case RHOMB_DEVICE_ACCELERATOR:
        return "accelerator";
    case RHOMB_DEVICE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

int32_t cli_threads_meant(int32_t asked)
{
    const long cores = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);
    return (int32_t)(cores < 1 ? 1 : asked == 0 && cores > 16 ? 16 : cores);
}

double cli_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct rusage usage_now(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return usage;
}

double cli_cpu_seconds(void)
{
    const struct rusage usage = usage_now();
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int64_t cli_peak_rss_bytes(void)
{
    const struct rusage usage = usage_now();
#if defined(__APPLE__)
    return usage.ru_maxrss; /* bytes there, KiB elsewhere */
#else
    return (int64_t)usage.ru_maxrss * 1024;
#endif
}

void cli_note_device(const rhomb_context *ctx, const char *selector)
{
    const rhomb_device_info *device = rhomb_context_device(ctx);
    const bool automatic = selector == NULL || selector[0] == '\0' || strcmp(selector, "auto") == 0;
    static bool was_noted; /* by one of several runs of a command */
    if (device->kind == RHOMB_DEVICE_CPU && !was_noted)
        cli_note(automatic ? 0 : 1, "%srunning on the CPU %s", automatic ? "no GPU found: " : "",
                 device->name);
    was_noted = true;
}

void cli_note_share(const rhomb_device_info *device, const rhomb_device_work *share)
{
    char jobs[48] = "";
    cli_text busy;
    if (share->jobs != share->pairs)
        snprintf(jobs, sizeof jobs, " in %" PRId64 " job%s", share->jobs, cli_s(share->jobs));
    cli_note(1, "device %d, %s: %" PRId64 " pair%s%s, busy %s", (int)device->index, device->name,
             share->pairs, cli_s(share->pairs), jobs, cli_show_seconds(share->seconds, &busy));
}

void cli_note_shares(const rhomb_context *ctx)
{
    const int32_t count = rhomb_context_device_count(ctx);
    for (int32_t i = 0; i < count && count > 1; i++)
        cli_note_share(rhomb_context_device_at(ctx, i), rhomb_context_work(ctx, i));
}

void cli_note_usage(const rhomb_device_info *device, double start_seconds)
{
    cli_text real, cpu, peak;
    cli_note(1, "version %s, device %s, real %s, CPU %s, peak memory %s", rhomb_version(),
             device != NULL ? device->name : "none",
             cli_show_seconds(cli_seconds_now() - start_seconds, &real),
             cli_show_seconds(cli_cpu_seconds(), &cpu),
             cli_show_bytes(cli_peak_rss_bytes(), &peak));
}
