# SPDX-License-Identifier: MIT
# needs: device
# needs: plot
# needs: sketch
# Every command with output in README prints what it shows.
. "$RHOMB_SOURCE/tests/cli/recipes.sh"
compare_recipes README.md
