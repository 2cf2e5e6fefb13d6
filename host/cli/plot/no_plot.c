/* SPDX-License-Identifier: MIT */
/*
 * rhomb plot in a build without Cairo (-DRHOMB_PLOT=OFF), in place of all other files of this
 * folder: says that there is no plotting.
 */
#include "host/cli/command/options.h"
#include "host/cli/plot/plot_page.h"

static int fail(void)
{
    cli_error("this build of rhomb has no plotting");
    cli_say("it was configured with -DRHOMB_PLOT=OFF; a build with Cairo has it");
    return CLI_FAILED;
}

int cli_plot_page(const cli_plot_page_parts *parts, cli_output *output)
{
    (void)parts, (void)output;
    return fail();
}

int cli_plot_audit_page(const cli_plot_page_parts *parts, const cli_audit_point *points,
                        size_t count, cli_output *output)
{
    (void)parts, (void)points, (void)count, (void)output;
    return fail();
}

static int run(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
            cli_show_help(&cli_command_plot, false);
            return CLI_OK;
        }
    }
    return fail();
}

const cli_command cli_command_plot = {
    .name = "plot",
    .summary = "draw the alignments of a PAF file (not in this build)",
    .usage = "...",
    .about = "This build of rhomb has no plotting: it was configured with -DRHOMB_PLOT=OFF. A "
             "build with Cairo has it.",
    .run = run,
    .is_left_out = true,
};
