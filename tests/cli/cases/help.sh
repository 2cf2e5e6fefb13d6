# SPDX-License-Identifier: MIT
# needs: plot
# Help and version: on standard output with status 0, and the same by every way to ask for it.
try rhomb --version
try rhomb help
for command in distance align batch matrix report plot devices help; do
    try rhomb help $command
    rhomb help $command >by_command
    rhomb $command --help >by_long
    rhomb --help $command | cmp by_command -
    rhomb -h $command | cmp by_command -
    rhomb $command -h >by_short
    cmp by_command by_long
    cmp by_command by_short
done
rhomb help >by_command
rhomb --help >by_long
rhomb -h >by_short
cmp by_command by_long
cmp by_command by_short
try rhomb
