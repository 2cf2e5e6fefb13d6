/* SPDX-License-Identifier: MIT */
/*
 * Progress of a long call: the fraction of the work that is done, the proved bounds on the
 * distance, the rate, the elapsed time and the ETA.
 */
#include "host/cli/base/cli.h"

#include <sys/ioctl.h>
#include <unistd.h>

/*
 * A terminal shows nothing at first, so that a short run does not flicker. Elsewhere (a log file, a
 * batch system) a run below ten seconds prints nothing, and a run of a day adds no more than a few
 * thousand lines.
 */
static const double TERMINAL_FIRST_SECONDS = 0.3;
static const double TERMINAL_EVERY_SECONDS = 0.1;
static const double LOG_FIRST_SECONDS = 10;
static const double LOG_EVERY_SECONDS = 30;

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

void cli_progress_start(cli_progress *progress, const char *device)
{
    const char *type = getenv("TERM");
    progress->terminal = isatty(STDERR_FILENO) == 1 && type != NULL && strcmp(type, "dumb") != 0;
    progress->width = progress->terminal ? terminal_width() : 0;
    progress->next_seconds = progress->terminal ? TERMINAL_FIRST_SECONDS : LOG_FIRST_SECONDS;
    progress->device = device;
    progress->told_building = false;
    progress->building_from = -1;
    progress->built = 0;
}

/*
 * "12.3 %, 4567 <= d <= 8901, 1.2 G cells/s, 40 s, ETA 5 min 03 s": short enough for a terminal.
 * For a path the distance is known: "56.7 %, d = 8765, 50 s, ETA 38 s".
 */
static void format_line(const rhomb_progress *now, char *line, size_t size)
{
    cli_text gone, to_go;
    char bounds[64], rate[64] = "";
    if (now->lower_bound == now->upper_bound)
        snprintf(bounds, sizeof bounds, "d = %" PRId64, now->lower_bound);
    else
        snprintf(bounds, sizeof bounds, "%" PRId64 " <= d <= %" PRId64, now->lower_bound,
                 now->upper_bound);
    if (now->cells_per_second > 0) {
        cli_text shown;
        snprintf(rate, sizeof rate, "%scells/s, ", cli_show_rate(now->cells_per_second, &shown));
    }
    const int used = snprintf(line, size, "%.1f %%, %s, %s%s", 100 * now->fraction, bounds, rate,
                              cli_show_seconds(now->seconds, &gone));
    if (now->eta_seconds >= 0 && used > 0 && (size_t)used < size)
        snprintf(line + used, size - (size_t)used, ", ETA %s",
                 cli_show_seconds(now->eta_seconds, &to_go));
}

/* A line that wraps could not be cleared. */
static void set_line(const cli_progress *progress, char *line, size_t size)
{
    if (progress->width < (int)size)
        line[progress->width - 1] = '\0';
    cli_set_status_line(line);
}

/*
 * Nothing else can be shown while a compiler is busy, nor how long it will take. So a terminal
 * shows it at once, until there is progress to show. A log has the library's messages.
 */
static void show_building(cli_progress *progress)
{
    char line[256];
    snprintf(line, sizeof line, "rhomb: building kernels, once, for %s", progress->device);
    if (progress->terminal)
        set_line(progress, line, sizeof line);
    else if (!progress->told_building)
        cli_note(1, "%s", line + strlen("rhomb: "));
    progress->told_building = true;
}

/* Building ends with the first news of something else. */
static void time_building(cli_progress *progress, double seconds, bool building)
{
    if (building && progress->building_from < 0)
        progress->building_from = seconds;
    if (!building && progress->building_from >= 0) {
        progress->built += seconds - progress->building_from;
        progress->building_from = -1;
    }
}

double cli_progress_to_go(const cli_progress *progress, double seconds, double fraction)
{
    return (seconds - progress->built) * (1 - fraction) / fraction;
}

bool cli_progress_is_due(cli_progress *progress, double seconds, bool building)
{
    time_building(progress, seconds, building);
    if (cli_verbosity() < 0)
        return false;
    if (building)
        show_building(progress);
    return !building && seconds >= progress->next_seconds;
}

static void progress_line(cli_progress *progress, double seconds, const char *text)
{
    char line[256];
    if (progress->terminal) {
        snprintf(line, sizeof line, "rhomb: %s", text);
        set_line(progress, line, sizeof line);
        progress->next_seconds = seconds + TERMINAL_EVERY_SECONDS;
    } else {
        cli_note(0, "%s", text);
        progress->next_seconds = seconds + LOG_EVERY_SECONDS;
    }
}

void cli_progress_show(cli_progress *progress, const rhomb_progress *now)
{
    char line[240];
    if (!cli_progress_is_due(progress, now->seconds, now->building))
        return;
    format_line(now, line, sizeof line);
    progress_line(progress, now->seconds, line);
}

void cli_progress_tell(cli_progress *progress, double seconds, double fraction, double to_go,
                       const char *done)
{
    cli_text gone, left;
    char line[200], share[32] = "", rest[64] = "";
    if (fraction >= 0)
        snprintf(share, sizeof share, "%.1f %%, ", 100 * fraction);
    if (to_go < 0 && fraction > 0)
        to_go = cli_progress_to_go(progress, seconds, fraction);
    if (to_go >= 0)
        snprintf(rest, sizeof rest, ", ETA %s", cli_show_seconds(to_go, &left));
    snprintf(line, sizeof line, "%s%s%s%s%s", share, done, done[0] != '\0' ? ", " : "",
             cli_show_seconds(seconds, &gone), rest);
    progress_line(progress, seconds, line);
}

void cli_progress_reading(cli_progress *progress, double seconds, double fraction)
{
    if (cli_progress_is_due(progress, seconds, false))
        cli_progress_tell(progress, seconds, fraction, -1, fraction < 0 ? "reading records" : "");
}

void cli_progress_pairs(cli_progress *progress, double seconds, int64_t pairs, double fraction)
{
    cli_text rate;
    char done[100];
    if (!cli_progress_is_due(progress, seconds, false))
        return;
    snprintf(done, sizeof done, "%" PRId64 " pair%s, %s pairs/s", pairs, cli_s(pairs),
             cli_show_rate((double)pairs / seconds, &rate));
    cli_progress_tell(progress, seconds, fraction > 0 ? fraction : -1, -1, done);
}
