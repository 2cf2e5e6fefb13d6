# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# needs: sketch
# Every recipe of the cookbook prints what the manual page shows, and every command with output in
# README what that shows.
. "$RHOMB_SOURCE/tests/cli/recipes.sh"
compare_recipes host/cli/rhomb-cookbook.7
apart
compare_recipes README.md
